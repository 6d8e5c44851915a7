//! A session header made anew, or put in its place.

use crate::model::mend::{Edit, HeaderFields, HeaderSeen, MendKind, Mended, Survey};
use crate::order::Order as _;
use crate::store::identity::identity;
use crate::store::lexer::Lexer;
use crate::store::parse::BOM;

/// Adds to the survey what its header needs. `known` is what the name, rows and neighbours say; what is left of the old
/// header goes first.
///
/// # Errors
/// Why no header can be made: nobody says which session it is.
pub fn mend(survey: &mut Survey, known: &HeaderFields) -> Result<(), String> {
    match survey.header.clone() {
        HeaderSeen::Good { .. } => Ok(()),
        HeaderSeen::Late { at, cut, text, .. } => {
            survey.edits.retain(|e| e.at < at || e.at >= at + cut);
            survey.edits.push(Edit { at, cut, put: Box::default() });
            front(survey, &text);
            Ok(())
        }
        HeaderSeen::WithoutId { at, text, version } => {
            let id = known.id.as_ref().or(survey.remains.id.as_ref()).ok_or("nothing says which session it is")?;
            let (from, len, put) = id_edit(&text, id);
            survey.edits.push(Edit { at: at + from, cut: len, put: put.into() });
            survey.header = HeaderSeen::Good { version };
            survey.note(rebuilt(at, format!("its id becomes {id}")));
            Ok(())
        }
        HeaderSeen::Missing => {
            let id = survey.remains.id.as_ref().or(known.id.as_ref()).ok_or("nothing says which session it is")?;
            let text = text(survey, known, id);
            let detail = format!("for session {id}");
            front(survey, text.as_bytes());
            survey.note(rebuilt(0, detail));
            Ok(())
        }
    }
    .map_err(str::to_owned)
    .inspect(|()| {
        survey.edits.order_by_key(|e| (e.at, e.cut));
        survey.mended.order_by_key(|m| (m.offset, m.kind));
    })
}

fn rebuilt(offset: u64, detail: String) -> Mended {
    Mended { kind: MendKind::Header, line: 1, offset, bytes: 0, detail: Some(detail) }
}

/// Puts a line before everything else.
fn front(survey: &mut Survey, text: &[u8]) {
    let mut line = text.trim_ascii().to_vec();
    line.push(b'\n');
    match survey.edits.iter_mut().find(|e| e.at == 0) {
        Some(edit) => {
            line.extend_from_slice(&edit.put);
            edit.put = line.into();
        }
        None => survey.edits.insert(0, Edit { at: 0, cut: 0, put: line.into() }),
    }
}

/// The line of a new header. A file whose entries have no ids is one of version 1, whose headers name no version.
fn text(survey: &Survey, known: &HeaderFields, id: &str) -> String {
    let mut fields = serde_json::Map::new();
    let mut put = |name: &str, value: serde_json::Value| fields.insert(name.to_owned(), value);
    put("type", "session".into());
    if survey.entries == 0 || survey.with_id > 0 {
        put("version", 3.into());
    }
    put("id", id.into());
    let remains = &survey.remains;
    let first = |own: &Option<String>, other: &Option<String>| own.clone().or_else(|| other.clone());
    let time = first(&remains.timestamp, &known.timestamp).or_else(|| survey.first_time.clone());
    put("timestamp", time.unwrap_or_else(|| "1970-01-01T00:00:00.000Z".to_owned()).into());
    put("cwd", first(&remains.cwd, &known.cwd).unwrap_or_else(|| "/".to_owned()).into());
    if let Some(parent) = first(&remains.parent, &known.parent) {
        put("parentSession", parent.into());
    }
    serde_json::Value::Object(fields).to_string()
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
