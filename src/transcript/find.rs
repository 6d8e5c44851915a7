//! Looking for text in the records of one piece of a transcript.
//!
//! A line is only taken apart if the text can be in it at all: a literal of plain characters stands in the file as it is, or
//! the line holds `\u` escapes. Texts are looked at as people know them, escapes resolved.

use std::io;

use memchr::memmem::Finder;
use regex::Regex;

use super::inside;
use super::lines::{Body, Lines};
use super::node::Node;
use super::present;
use super::record;
use super::slim::Cut;
use super::source::{RecordText, Source};
use crate::model::Ms;
use crate::model::search_report::Match;
use crate::model::transcript::{Kind, Role};
use crate::store::parse::BOM;
use crate::units::time::iso_ms;

/// Matches that are collected before they are handed over.
const PART: usize = 2000;
/// Characters of a snippet before and after a match.
const AROUND: usize = 60;
/// Characters of a match that a snippet shows.
const SHOWN: usize = 120;

/// What to look for.
#[derive(Debug)]
pub enum Pattern {
    /// These bytes.
    Literal(Box<Finder<'static>>),
    /// An expression.
    Regex(Regex),
}

impl Pattern {
    /// A literal text.
    pub fn literal(text: &str) -> Self {
        Self::Literal(Box::new(Finder::new(text.as_bytes()).into_owned()))
    }

    /// First match and how many there are.
    fn find(&self, text: &str) -> Option<(usize, usize, u64)> {
        match self {
            Self::Literal(finder) => {
                let at = finder.find(text.as_bytes())?;
                let len = finder.needle().len();
                Some((at, at + len, finder.find_iter(text.as_bytes()).count() as u64))
            }
            Self::Regex(regex) => {
                let first = regex.find(text)?;
                Some((first.start(), first.end(), regex.find_iter(text).count() as u64))
            }
        }
    }
}

/// What to look at.
#[derive(Debug)]
pub struct Query {
    /// The text.
    pub pattern: Pattern,
    /// The literal, if it stands in a file as it is.
    plain: Option<Finder<'static>>,
    /// Only these roles (as [`Match::role`] has them, and `summary`); all if empty.
    pub roles: Vec<&'static str>,
    /// Only these tools; all if empty.
    pub tools: Vec<String>,
    /// Only entries since then.
    pub since: Option<Ms>,
}

impl Query {
    /// A query without filters.
    pub fn new(pattern: Pattern) -> Self {
        let plain = match &pattern {
            Pattern::Literal(finder) => Some(Finder::clone(finder)).filter(|f| {
                let odd = |b: &u8| *b < 0x20 || !b.is_ascii() || matches!(b, b'"' | b'\\' | b'/');
                !f.needle().iter().any(odd)
            }),
            Pattern::Regex(_) => None,
        };
        Self { pattern, plain, roles: Vec::new(), tools: Vec::new(), since: None }
    }

    fn can_be_in(&self, text: &[u8]) -> bool {
        let Some(plain) = &self.plain else { return true };
        plain.find(text).is_some() || memchr::memmem::find(text, b"\\u").is_some()
    }
}

/// What was found in a piece.
#[derive(Debug, Default)]
pub struct Found {
    /// Matches; their lines count from the start of the piece.
    pub matches: Vec<Match>,
    /// Lines read.
    pub lines: u64,
    /// Bytes read.
    pub bytes: u64,
    /// Records that were shortened.
    pub cut_records: u64,
    /// What is left of the piece.
    pub rest: Option<(u64, u64)>,
}

/// Looks through the lines that begin between two offsets; `from` as in [`super::tally::piece`].
///
/// # Errors
/// What reading gives.
pub fn piece(source: &Source, query: &Query, start: u64, end: u64, from: u64) -> io::Result<Found> {
    let mut found = Found::default();
    let begin = if start == from { start } else { start - 1 };
    let mut lines = Lines::new(source.range(begin, source.size), begin);
    if start != from && !lines.skip_line()?.1 {
        found.bytes = end.saturating_sub(start);
        return Ok(found);
    }
    while lines.offset() < end {
        let Some(line) = lines.next_line()? else { break };
        found.lines += 1;
        match &line.body {
            Body::Short(bytes) => {
                let text = if line.at == 0 { bytes.strip_prefix(BOM).unwrap_or(bytes) } else { bytes };
                if query.can_be_in(text) {
                    found.line(query, text, line.at);
                }
            }
            Body::Long(long) if matches!(long.0.line, record::Line::Bad(_)) => {
                for inside in inside::records(source, &line)? {
                    let RecordText { text, cuts } = source.record(inside.at, inside.len)?;
                    found.cut_records += u64::from(!cuts.is_empty());
                    found.record(query, &text, &cuts, inside.at);
                }
            }
            Body::Long(long) => {
                found.cut_records += u64::from(!long.1.cuts.is_empty());
                found.record(query, &long.1.text, &long.1.cuts, line.at);
            }
        }
        let at = lines.offset();
        if found.matches.len() >= PART && at < end {
            found.rest = Some((at, end));
            found.bytes = at - start;
            return Ok(found);
        }
    }
    found.bytes = end.saturating_sub(start);
    Ok(found)
}

impl Found {
    fn line(&mut self, query: &Query, text: &[u8], at: u64) {
        if matches!(record::line(text), record::Line::Bad(_)) {
            for (start, end) in record::whole_records(text) {
                self.record(query, &text[start..end], &[], at + start as u64);
            }
        } else {
            self.record(query, text, &[], at);
        }
    }

    fn record(&mut self, query: &Query, text: &[u8], cuts: &[Cut], at: u64) {
        let Some(node) = Node::new(text, cuts).filter(Node::is_object) else { return };
        let timestamp = node.text_of("timestamp");
        if let Some(since) = query.since
            && timestamp.as_deref().and_then(|t| iso_ms(t.as_bytes())).is_none_or(|at| at < since)
        {
            return;
        }
        let kind = node.text_of("type").unwrap_or_default();
        let mut base = Match {
            record: "match",
            line: self.lines,
            offset: at,
            kind: kind.clone().into_owned(),
            timestamp: timestamp.map(|t| t.into_owned()),
            cut: !cuts.is_empty(),
            ..Match::default()
        };
        let mut texts = Vec::new();
        match Kind::of(kind.as_bytes()) {
            Kind::Message => {
                if let Some(message) = node.get("message").filter(Node::is_object) {
                    base.role = message.text_of("role").map(|role| role.into_owned());
                    of_message(&message, &mut texts);
                }
            }
            Kind::CustomMessage => {
                base.role = Some("custom".to_owned());
                of_content(&node, "text", &mut texts);
            }
            Kind::Compaction | Kind::BranchSummary => {
                base.role = Some("summary".to_owned());
                texts.extend(node.text_of("summary").map(|text| Text::new("summary", text.into_owned())));
            }
            _ => return,
        }
        let role = base.role.as_deref().unwrap_or_default();
        if !query.roles.is_empty() && !query.roles.contains(&role) {
            return;
        }
        for text in texts {
            let named = text.tool.as_ref().is_some_and(|tool| query.tools.contains(tool));
            if !query.tools.is_empty() && !named {
                continue;
            }
            let Some((start, end, count)) = query.pattern.find(&text.text) else { continue };
            let (snippet, from, to) = snippet(&text.text, start, end);
            let entry_id = present::id(&node, "id");
            let (tool, field) = (text.tool, text.field);
            self.matches.push(Match { entry_id, tool, field, count, snippet, from, to, ..base.clone() });
        }
    }
}

/// A text of a record.
struct Text {
    field: &'static str,
    tool: Option<String>,
    text: String,
}

impl Text {
    fn new(field: &'static str, text: String) -> Self {
        Self { field, tool: None, text }
    }
}

fn of_message(message: &Node<'_>, out: &mut Vec<Text>) {
    let role = message.text_of("role").map_or(Role::None, |role| Role::of(role.as_bytes()));
    match role {
        Role::Bash => {
            for (field, name) in [("command", "command"), ("result", "output")] {
                out.extend(message.text_of(name).map(|text| Text::new(field, text.into_owned())));
            }
        }
        Role::ToolResult => {
            let from = out.len();
            of_content(message, "result", out);
            let tool = message.text_of("toolName").map(|tool| tool.into_owned());
            out[from..].iter_mut().for_each(|text| text.tool.clone_from(&tool));
        }
        _ => of_content(message, "text", out),
    }
    out.extend(message.text_of("errorMessage").map(|text| Text::new("error", text.into_owned())));
}

fn of_content(node: &Node<'_>, field: &'static str, out: &mut Vec<Text>) {
    let Some(content) = node.get("content") else { return };
    if let Some(text) = content.text() {
        out.push(Text::new(field, text.into_owned()));
        return;
    }
    for block in content.items() {
        let arguments = block.get("arguments").or_else(|| block.get("input"));
        if let (Some(name), Some(arguments)) = (block.text_of("name"), arguments) {
            // Arguments as text, escapes resolved: people look for what they typed.
            let text = flat(&arguments);
            out.push(Text { field: "arguments", tool: Some(name.into_owned()), text });
        } else if let Some(text) = block.text_of("thinking") {
            out.push(Text::new("thinking", text.into_owned()));
        } else if let Some(text) = block.text_of("text") {
            out.push(Text::new(field, text.into_owned()));
        }
    }
}

/// A value as one text: `name: value` for every scalar in it.
fn flat(node: &Node<'_>) -> String {
    let mut out = String::new();
    let mut stack = vec![(String::new(), *node)];
    while let Some((name, node)) = stack.pop() {
        if node.is_object() {
            let members = node.members();
            stack.extend(
                members.into_iter().rev().map(|(key, value)| (String::from_utf8_lossy(&key).into_owned(), value)),
            );
        } else if node.is_list() {
            stack.extend(node.items().into_iter().rev().map(|item| (String::new(), item)));
        } else {
            if !out.is_empty() {
                out.push('\n');
            }
            if !name.is_empty() {
                out.push_str(&name);
                out.push_str(": ");
            }
            match node.text() {
                Some(text) => out.push_str(&text),
                None => out.push_str(&String::from_utf8_lossy(node.raw())),
            }
        }
    }
    out
}

/// The surroundings of a match, and where it is in them, in characters.
fn snippet(text: &str, start: usize, end: usize) -> (String, u64, u64) {
    let before: Vec<char> = text[..start].chars().rev().take(AROUND).collect();
    let matched: String = text[start..end].chars().take(SHOWN).collect();
    let after: String = text[end..].chars().take(AROUND).collect();
    let mut out = String::new();
    let begins = before.iter().map(|c| c.len_utf8()).sum::<usize>() == start;
    if !begins {
        out.push('…');
    }
    out.extend(before.iter().rev());
    let from = out.chars().count() as u64;
    out.push_str(&matched);
    let to = out.chars().count() as u64;
    out.push_str(&after);
    if end + after.len() < text.len() {
        out.push('…');
    }
    (out, from, to)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(lines: &[&str], query: &Query) -> Vec<Match> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("t.jsonl");
        std::fs::write(&path, lines.join("\n")).unwrap();
        let source = Source::open(&path, &[]).unwrap();
        piece(&source, query, 0, source.size, 0).unwrap().matches
    }

    const USER: &str = r#"{"type":"message","id":"u","timestamp":"2026-05-01T08:00:00.000Z","message":{"role":"user","content":"a n\u0065edle\nand a needle"}}"#;
    const CALL: &str = r#"{"type":"message","id":"c","timestamp":"2026-05-02T08:00:00.000Z","message":{"role":"assistant","content":[{"type":"toolCall","name":"exec","arguments":{"cmd":"echo \"needle\""}},{"type":"thinking","thinking":"needle?"}]}}"#;
    const RESULT: &str = r#"{"type":"message","id":"r","message":{"role":"toolResult","toolName":"exec","content":[{"type":"text","text":"Needle"}]}}"#;
    const IMAGE: &str =
        r#"{"type":"message","id":"i","message":{"role":"user","content":[{"type":"image","data":"needle"}]}}"#;
    const SUMMARY: &str = r#"{"type":"compaction","id":"s","summary":"the needle"}"#;

    fn ids(query: &Query) -> Vec<String> {
        let all = matches(&[USER, "junk", CALL, RESULT, IMAGE, SUMMARY], query);
        all.iter().map(|m| format!("{}:{}", m.entry_id.as_deref().unwrap(), m.field)).collect()
    }

    #[test]
    fn texts_are_found_where_people_read_them() {
        let query = || Query::new(Pattern::literal("needle"));
        assert_eq!(ids(&query()), ["u:text", "c:arguments", "c:thinking", "s:summary"]);
        assert_eq!(ids(&Query { roles: vec!["user"], ..query() }), ["u:text"]);
        assert_eq!(ids(&Query { tools: vec!["exec".into()], ..query() }), ["c:arguments"]);
        assert_eq!(ids(&Query { since: Some(1_777_680_000_000), ..query() }), ["c:arguments", "c:thinking"]);
        assert_eq!(ids(&Query::new(Pattern::literal("\"needle\""))), ["c:arguments"]);
        let regex = Regex::new("(?i)^needle$").unwrap();
        assert_eq!(ids(&Query::new(Pattern::Regex(regex))), ["r:result"]);
    }

    #[test]
    fn a_match_has_its_place_and_its_surroundings() {
        let m = matches(&["", USER], &Query::new(Pattern::literal("needle"))).remove(0);
        assert_eq!((m.line, m.offset, m.count), (2, 1, 2));
        let shown: String = m.snippet.chars().skip(m.from as usize).take((m.to - m.from) as usize).collect();
        assert_eq!(shown, "needle");
        let long = format!("{}é{}", "x".repeat(500), "y".repeat(500));
        let (text, from, to) = snippet(&long, 500, 502);
        assert_eq!((text.chars().count(), to - from), (2 * AROUND + 3, 1));
    }
}
