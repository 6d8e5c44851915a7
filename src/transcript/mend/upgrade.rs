//! Transcripts of versions 1 and 2 as version 3, by the rules of the gateway's own migration (spec/transcripts.md 1.2).
//!
//! Version 1 has no ids: every entry gets one, and the entry before it as its parent; a compaction that counts lines gets
//! the id of the entry it means, and loses the count even if it means none. Version 2 calls custom messages `hookMessage`. The gateway rewrites every line of the file
//! for that; here only these values change. Ids are made from the session and the place, so that the same file gives the
//! same ones each time.

use std::collections::HashSet;
use std::io;

use crate::model::mend::{Edit, MendKind, Mended, Survey};
use crate::order::Order as _;
use crate::store::identity::identity;
use crate::store::lexer::Lexer;
use crate::transcript::lines::{Body, Lines};
use crate::transcript::record::{self, Line, hash};

use super::lines::{Bytes, Reader};
use super::survey::MOST_EDITS;

/// Adds the changes to a survey that has no others.
///
/// # Errors
/// What reading gives.
pub fn upgrade(survey: &mut Survey, file: &(impl Bytes + ?Sized)) -> io::Result<()> {
    let version = survey.header_version();
    if survey.entries.saturating_mul(2) > MOST_EDITS as u64 {
        survey.leave(0, 0, "too many entries to upgrade");
        return Ok(());
    }
    let mut work = Work { version, ids: Vec::new(), taken: HashSet::new(), number: 0, unfit: None };
    let mut edits = Vec::new();
    let mut reader = Reader::new(file, &|_| true);
    let mut lines = Lines::new(&mut reader, 0);
    while let Some(line) = lines.next_line()? {
        work.number += 1;
        match line.body {
            Body::Short(text) => work.line(text, line.at, &mut edits),
            // Its fields may lie anywhere in megabytes of text.
            Body::Long(_) => work.unfit = Some((work.number, line.at)),
        }
    }
    if let Some((number, at)) = work.unfit {
        survey.leave(number, at, "the line is too long to be upgraded; the file stays as it is");
        return Ok(());
    }
    let changed = edits.len() as u64;
    survey.edits = edits;
    let detail = Some(format!("version {version} to 3, {}", crate::report::plural::count(changed, "value")));
    survey.note(Mended { kind: MendKind::Upgrade, line: 1, offset: 0, bytes: 0, detail });
    Ok(())
}

struct Work {
    version: u64,
    /// Ids by line, the header's empty one first: what an index into the lines means.
    ids: Vec<String>,
    taken: HashSet<String>,
    number: u64,
    unfit: Option<(u64, u64)>,
}

/// Top-level members of a record: where their values are.
#[derive(Debug, Clone, Default)]
struct Found {
    /// Behind the opening brace.
    inside: usize,
    id: Option<(usize, usize)>,
    parent: Option<(usize, usize)>,
    version: Option<(usize, usize)>,
    /// If its value is a number: from the name of the member on.
    kept_index: Option<(usize, usize)>,
    role: Option<(usize, usize)>,
    empty: bool,
}

impl Work {
    fn line(&mut self, text: &[u8], at: u64, edits: &mut Vec<Edit>) {
        let Line::Record(record) = record::line(text) else { return };
        let Some(found) = find(text) else { return };
        let mut put = |(from, to): (usize, usize), text: String| {
            edits.push(Edit { at: at + from as u64, cut: (to - from) as u64, put: text.into_bytes().into() });
        };
        if record.session {
            // The first one is the header; nobody reads the others.
            if self.ids.is_empty() {
                self.ids.push(String::new());
                match found.version {
                    Some(span) => put(span, "3".to_owned()),
                    None => put((found.inside, found.inside), "\"version\":3,".to_owned()),
                }
            } else if self.version < 2 {
                self.ids.push(String::new());
            }
            return;
        }
        let mut changes: Vec<((usize, usize), String)> = Vec::new();
        if self.version < 2 {
            let id = self.fresh(at);
            let parent = self.ids.last().filter(|id| !id.is_empty());
            let parent = parent.map_or_else(|| "null".to_owned(), |id| format!("\"{id}\""));
            let comma = if found.empty { "" } else { "," };
            let mut fresh = String::new();
            match found.id {
                Some(span) => changes.push((span, format!("\"{id}\""))),
                None => fresh.push_str(&format!("\"id\":\"{id}\",")),
            }
            match found.parent {
                Some(span) => changes.push((span, parent)),
                None => fresh.push_str(&format!("\"parentId\":{parent},")),
            }
            if !fresh.is_empty() {
                let fresh = if comma.is_empty() { fresh.trim_end_matches(',').to_owned() } else { fresh };
                changes.push(((found.inside, found.inside), fresh));
            }
            self.ids.push(id);
            if let Some(span) = found.kept_index.filter(|_| record.compaction) {
                let target = record.kept_index.and_then(|n| self.ids.get(n as usize)).filter(|id| !id.is_empty());
                match target {
                    Some(target) => changes.push((span, format!("\"firstKeptEntryId\":\"{target}\""))),
                    None => changes.push((with_comma(text, span), String::new())),
                }
            }
        }
        if self.version < 3
            && let Some((from, to)) = found.role
            && &*identity_text(&text[from..to]) == b"hookMessage"
        {
            changes.push(((from, to), "\"custom\"".to_owned()));
        }
        changes.order_by_key(|(span, _)| *span);
        for (span, text) in changes {
            put(span, text);
        }
    }

    fn fresh(&mut self, at: u64) -> String {
        for salt in 0u64.. {
            let id = format!("{:08x}", hash(&[at.to_le_bytes(), salt.to_le_bytes()].concat()) >> 32);
            if self.taken.insert(id.clone()) {
                return id;
            }
        }
        String::new()
    }
}

fn identity_text(raw: &[u8]) -> std::borrow::Cow<'_, [u8]> {
    let inner = raw.strip_prefix(b"\"").and_then(|t| t.strip_suffix(b"\"")).unwrap_or_default();
    crate::store::identity::identity_of(inner)
}

/// A member with the comma behind it, or the one before it if it is the last.
fn with_comma(text: &[u8], (from, to): (usize, usize)) -> (usize, usize) {
    let spaces = text[to..].iter().take_while(|b| b.is_ascii_whitespace()).count();
    if text.get(to + spaces) == Some(&b',') {
        return (from, to + spaces + 1);
    }
    let before = text[..from].trim_ascii_end();
    before.strip_suffix(b",").map_or((from, to), |rest| (rest.len(), to))
}

fn find(text: &[u8]) -> Option<Found> {
    let mut lexer = Lexer::new(text, 0);
    lexer.space();
    let mut found = Found { inside: lexer.pos() + 1, empty: true, ..Found::default() };
    lexer
        .members(|lexer, name| {
            found.empty = false;
            let buf = lexer.buf();
            let begins = name.span.start as usize - 1;
            let start = lexer.pos();
            let name = identity(name, buf);
            if &*name == b"message" && lexer.peek() == Some(b'{') {
                lexer.members(|lexer, name| {
                    let start = lexer.pos();
                    lexer.value()?;
                    if &*identity(name, lexer.buf()) == b"role" {
                        found.role = Some((start, lexer.pos()));
                    }
                    Ok(())
                })?;
            } else {
                lexer.value()?;
            }
            let span = (start, lexer.pos());
            match &*name {
                b"id" => found.id = Some(span),
                b"parentId" => found.parent = Some(span),
                b"version" => found.version = Some(span),
                b"firstKeptEntryIndex" => {
                    let is_number = text[start] == b'-' || text[start].is_ascii_digit();
                    found.kept_index = is_number.then_some((begins, span.1));
                }
                _ => {}
            }
            Ok(())
        })
        .ok()?;
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::mend::controls::apply;
    use crate::transcript::mend::survey::survey;

    fn upgraded(text: &str) -> String {
        let mut found = survey(text.as_bytes(), &|_| true).unwrap();
        assert!(found.is_clean(), "{:?}", found.mended);
        upgrade(&mut found, text.as_bytes()).unwrap();
        assert!(found.left.is_empty(), "{:?}", found.left);
        String::from_utf8(apply(text.as_bytes(), &found.edits)).unwrap()
    }

    #[test]
    fn version_two_needs_one_word() {
        let text = "{\"type\":\"session\",\"version\":2,\"id\":\"s\"}\n\
                    {\"type\":\"message\",\"id\":\"a\",\"parentId\":null,\"message\":{\"role\":\"hookMessage\",\"content\":\"hookMessage\"}}\n";
        let want = text.replace(":2,", ":3,").replace("\"role\":\"hookMessage\"", "\"role\":\"custom\"");
        assert_eq!(upgraded(text), want);
    }

    #[test]
    fn version_one_gets_a_chain_of_ids() {
        let text = "{\"type\":\"session\",\"id\":\"s\"}\n\
                    {\"type\":\"message\",\"message\":{\"role\":\"user\",\"content\":\"a\"}}\n\
                    {\"type\":\"message\",\"id\":\"old\",\"parentId\":\"x\",\"message\":{\"role\":\"user\",\"content\":\"b\"}}\n\
                    {\"type\":\"compaction\",\"summary\":\"c\",\"firstKeptEntryIndex\":2,\"tokensBefore\":1}\n";
        let out = upgraded(text);
        let lines: Vec<serde_json::Value> = out.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
        assert_eq!(lines[0]["version"], 3);
        assert_eq!(lines[1]["parentId"], serde_json::Value::Null);
        assert_eq!(lines[2]["parentId"], lines[1]["id"]);
        assert_ne!(lines[2]["id"], "old");
        assert_eq!(lines[3]["parentId"], lines[2]["id"]);
        assert_eq!(lines[3]["firstKeptEntryId"], lines[2]["id"]);
        assert!(lines[3].get("firstKeptEntryIndex").is_none());
        assert!(out.contains(r#""message":{"role":"user","content":"b"}"#));
        assert_eq!(upgraded(text), out, "the same each time");
    }

    #[test]
    fn a_count_that_means_no_entry_goes_without_an_id() {
        let head = "{\"type\":\"session\",\"id\":\"s\"}\n{\"type\":\"message\",\"message\":{\"role\":\"user\",\"content\":\"a\"}}\n";
        let last = |members: &str| {
            let out = upgraded(&format!("{head}{{{members}}}\n"));
            let lines: Vec<serde_json::Value> = out.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
            (lines[1]["id"].clone(), lines[2].clone())
        };
        for number in ["0", "99", "-1", "1.5", "1e400", "2.5e0"] {
            for members in [
                format!("\"type\":\"compaction\",\"firstKeptEntryIndex\":{number},\"summary\":\"c\""),
                format!("\"firstKeptEntryIndex\" : {number} , \"type\":\"compaction\",\"summary\":\"c\""),
                format!("\"type\":\"compaction\",\"summary\":\"c\" , \"firstKeptEntryIndex\":{number}"),
            ] {
                let (_, found) = last(&members);
                let names: Vec<&String> = found.as_object().unwrap().keys().collect();
                assert_eq!(names.len(), 4, "{members}: {names:?}");
                assert!(found.get("firstKeptEntryIndex").is_none() && found["summary"] == "c", "{members}");
            }
        }
        for number in ["1", "1.0", "1e0"] {
            let (first, found) =
                last(&format!("\"type\":\"compaction\",\"firstKeptEntryIndex\":{number},\"summary\":\"c\""));
            assert_eq!((&found["firstKeptEntryId"], found.get("firstKeptEntryIndex")), (&first, None), "{number}");
        }
        let (_, text) = last("\"type\":\"compaction\",\"firstKeptEntryIndex\":\"1\"");
        assert_eq!(text["firstKeptEntryIndex"], "1", "what is no number is left alone");
    }
}
