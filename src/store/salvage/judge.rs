//! What speaks for and against a row that was read without the text around it.

use std::borrow::Cow;

use crate::model::index::{Row, Text, TimeField};

use crate::store::identity::identity;
use crate::store::lexer::Lexer;

/// Whether a row cannot be one piece as the gateway wrote it: a member that comes twice (two halves of rows joined; no
/// serialiser writes that), or another row among its members (a lost closing bracket).
pub fn is_glued(buf: &[u8], row: &Row) -> bool {
    if buf.get(row.value.start as usize) != Some(&b'{') {
        return false;
    }
    let mut names: Vec<Cow<'_, [u8]>> = Vec::new();
    let mut swallowed = false;
    let walked = Lexer::new(buf, row.value.start as usize).members(|lexer, name| {
        let name = identity(name, buf);
        swallowed |= name.starts_with(b"agent:") && lexer.peek() == Some(b'{');
        names.push(name);
        lexer.value()
    });
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    walked.is_err() || swallowed || names.len() != count
}

/// Whether the key is text: the gateway writes UTF-8 alone, so one that is not was damaged or joined of two halves, and
/// what follows belongs to a key that is gone.
pub fn is_text(buf: &[u8], key: Text) -> bool {
    std::str::from_utf8(key.span.of(buf)).is_ok()
}

/// Whether the text begins with a session entry itself, in an array or alone, where an index has a map of entries: its
/// first object names a session.
pub fn begins_with_entry(buf: &[u8]) -> bool {
    let mut lexer = Lexer::new(buf, if buf.starts_with(crate::store::parse::BOM) { 3 } else { 0 });
    lexer.space();
    if lexer.take(b'[').is_ok() {
        lexer.space();
    }
    let mut names_session = false;
    // A fault ends the reading; what came before it counts.
    let _ = lexer.members(|lexer, name| {
        names_session |= &*identity(name, buf) == b"sessionId" && lexer.peek() == Some(b'"');
        lexer.value()
    });
    names_session
}

/// A key that only a row has: never the name of a field.
pub fn has_row_key(buf: &[u8], key: Text) -> bool {
    key.span.of(buf).starts_with(b"agent:")
}

/// Fields that every session entry has, and nothing inside one has together.
pub fn looks_like_session(row: &Row) -> bool {
    row.odd.is_none() && row.session_id.is_some() && matches!(row.updated_at, TimeField::Ms(_))
}

/// Whether the row has a member with one of these names.
pub fn has_any_member(buf: &[u8], row: &Row, names: impl Iterator<Item = Text>) -> bool {
    let names: Vec<_> = names.map(|name| identity(name, buf)).collect();
    let mut found = false;
    let walked = Lexer::new(buf, row.value.start as usize).members(|lexer, name| {
        found |= names.contains(&identity(name, buf));
        lexer.value()
    });
    walked.is_ok() && found
}

/// Whether this key is nowhere else in the text. The names of fields are, in an index of more than one row.
pub fn is_named_once(buf: &[u8], key: Text) -> bool {
    let quoted = buf.get(key.span.start as usize - 1..=key.span.end as usize);
    quoted.is_some_and(|quoted| memchr::memmem::find_iter(buf, quoted).nth(1).is_none())
}

/// Whether the value may end where it ends: a number could go on.
pub fn is_delimited(buf: &[u8], row: &Row) -> bool {
    let end = row.value.end as usize;
    match buf.get(row.value.start as usize) {
        Some(b'-' | b'0'..=b'9') => {
            buf.get(end).is_some_and(|b| matches!(b, b',' | b'}' | b' ' | b'\n' | b'\r' | b'\t'))
        }
        _ => true,
    }
}
