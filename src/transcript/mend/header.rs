//! A session header made anew, or put in its place.

use std::collections::BTreeMap;

use crate::model::mend::{Edit, HeaderFields, HeaderMember, HeaderOrigin, HeaderSeen, MendKind, Mended, Survey};
use crate::order::Order as _;
use crate::store::identity::identity;
use crate::store::lexer::Lexer;
use crate::store::parse::BOM;

/// Adds to the survey what its header needs, and gives the members that were made anew. `known` is what the name, rows and
/// neighbours say; what is left of the old header goes first.
///
/// # Errors
/// Why no header can be made: nobody says which session it is.
pub fn mend(survey: &mut Survey, known: &HeaderFields) -> Result<Vec<HeaderMember>, String> {
    let nobody = "nothing says which session it is";
    let made = match survey.header.clone() {
        HeaderSeen::Good { .. } => return Ok(Vec::new()),
        HeaderSeen::Late { at, cut, text, .. } => {
            survey.edits.retain(|e| e.at < at || e.at >= at + cut);
            survey.edits.push(Edit { at, cut, put: Box::default() });
            front(survey, &text);
            Vec::new()
        }
        HeaderSeen::WithoutId { at, text, version } => {
            let member = choose("id", survey.remains.id.as_ref().filter(|_| known.id.is_none()), known.id.as_ref());
            let member = member.ok_or(nobody)?;
            let (from, len, put) = id_edit(&text, &member.value);
            survey.edits.push(Edit { at: at + from, cut: len, put: put.into() });
            survey.header = HeaderSeen::Good { version };
            survey.note(rebuilt(at, format!("its id becomes {}", member.value)));
            vec![member]
        }
        HeaderSeen::Missing => {
            let members = members(survey, known).ok_or(nobody)?;
            let detail = format!("for session {}", members[0].value);
            front(survey, text(&members, &survey.remains.more).as_bytes());
            survey.note(rebuilt(0, detail));
            members
        }
    };
    survey.edits.order_by_key(|e| (e.at, e.cut));
    survey.mended.order_by_key(|m| (m.offset, m.kind));
    Ok(made)
}

/// Where the members of a new header come from, in words. `around` says it of those that the surroundings gave.
pub fn told(members: &[HeaderMember], around: &BTreeMap<&'static str, String>) -> Vec<String> {
    let told = |member: &HeaderMember| {
        let what = member.what;
        match member.origin {
            HeaderOrigin::Left => format!("its {what} from what is left of it"),
            HeaderOrigin::Around => {
                format!("its {what} from {}", around.get(what).map_or("what is around it", String::as_str))
            }
            HeaderOrigin::Entries => format!("its {what} from its entries"),
            HeaderOrigin::MadeUp => format!("its {what} is made up: {}", member.value),
        }
    };
    members.iter().map(told).collect()
}

fn rebuilt(offset: u64, detail: String) -> Mended {
    Mended { kind: MendKind::Header, line: 1, offset, bytes: 0, detail: Some(detail) }
}

/// Puts a line before everything else: its bytes as they are, the carriage return of a line that ends with one included.
fn front(survey: &mut Survey, text: &[u8]) {
    let mut line = text.to_vec();
    line.push(b'\n');
    match survey.edits.iter_mut().find(|e| e.at == 0) {
        Some(edit) => {
            line.extend_from_slice(&edit.put);
            edit.put = line.into();
        }
        None => survey.edits.insert(0, Edit { at: 0, cut: 0, put: line.into() }),
    }
}

fn choose(what: &'static str, left: Option<&String>, around: Option<&String>) -> Option<HeaderMember> {
    let member = |value: &String, origin| HeaderMember { what, value: value.clone(), origin };
    left.map(|value| member(value, HeaderOrigin::Left))
        .or_else(|| around.map(|value| member(value, HeaderOrigin::Around)))
}

/// The members of a new header, the id first. A file whose entries have no ids is one of version 1, whose headers name no
/// version. `None` if nobody says which session it is.
fn members(survey: &Survey, known: &HeaderFields) -> Option<Vec<HeaderMember>> {
    let left = &survey.remains;
    let other = |what, value: String, origin| HeaderMember { what, value, origin };
    let mut members = vec![choose("id", left.id.as_ref(), known.id.as_ref())?];
    if let Some(version) = left.version {
        members.push(other("version", version.to_string(), HeaderOrigin::Left));
    } else if survey.entries == 0 {
        members.push(other("version", "3".to_owned(), HeaderOrigin::MadeUp));
    } else if survey.with_id > 0 {
        members.push(other("version", "3".to_owned(), HeaderOrigin::Entries));
    }
    let first = survey.first_time.clone().map(|time| other("time", time, HeaderOrigin::Entries));
    let epoch = || other("time", "1970-01-01T00:00:00.000Z".to_owned(), HeaderOrigin::MadeUp);
    let time = choose("time", left.timestamp.as_ref(), known.timestamp.as_ref());
    members.push(time.or(first).unwrap_or_else(epoch));
    let root = || other("folder", "/".to_owned(), HeaderOrigin::MadeUp);
    members.push(choose("folder", left.cwd.as_ref(), known.cwd.as_ref()).unwrap_or_else(root));
    members.extend(choose("parent", left.parent.as_ref(), known.parent.as_ref()));
    Some(members)
}

/// The line of a new header, its members in the order in which the gateway writes them.
fn text(members: &[HeaderMember], more: &[(String, String)]) -> String {
    let string = |text: &str| serde_json::Value::from(text).to_string();
    let mut out = r#"{"type":"session""#.to_owned();
    for (what, name) in
        [("version", "version"), ("id", "id"), ("time", "timestamp"), ("folder", "cwd"), ("parent", "parentSession")]
    {
        for member in members.iter().filter(|m| m.what == what) {
            let value = if what == "version" { member.value.clone() } else { string(&member.value) };
            out.push_str(&format!(",\"{name}\":{value}"));
        }
    }
    for (name, value) in more {
        out.push_str(&format!(",{}:{value}", string(name)));
    }
    out.push('}');
    out
}

/// The change that gives a header its id: offset in its text, length, and what comes there.
fn id_edit(text: &[u8], id: &str) -> (u64, u64, Vec<u8>) {
    let id = serde_json::Value::from(id).to_string();
    let mut found = None;
    let open = memchr::memchr(b'{', text).unwrap_or(text.strip_prefix(BOM).map_or(0, |_| BOM.len()));
    let mut lexer = Lexer::new(text, open);
    let _ = lexer.members(|lexer, name| {
        let start = lexer.pos();
        lexer.value()?;
        if &*identity(name, lexer.buf()) == b"id" {
            found = Some((start, lexer.pos() - start));
        }
        Ok(())
    });
    match found {
        Some((at, len)) => (at as u64, len as u64, id.into_bytes()),
        None => (open as u64 + 1, 0, format!("\"id\":{id},").into_bytes()),
    }
}
