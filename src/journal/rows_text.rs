//! The text of `rows.jsonl`: one row a line, each with a sum of its own.
//!
//! A row goes back into the index byte for byte, so a byte that changed in the record would become a part of the session
//! without a word. The sum is the last member of its line, over all that stands before it: lines can be taken out (a purge)
//! and the rest stays whole. A line whose sum does not fit counts as one that cannot be read. Lines of older records have
//! none, and are taken as they are.

use std::io;

use sha2::{Digest as _, Sha256};

use super::write::json_lines;
use crate::model::run::RunRow;

/// What stands between a row and its sum.
const MEMBER: &[u8] = b",\"sum\":\"";
/// Hex digits of the sum: enough to tell damage, which nobody makes on purpose.
const DIGITS: usize = 16;

/// The rows as text.
///
/// # Errors
/// Never in practice.
pub(super) fn text(rows: &[RunRow]) -> io::Result<Vec<u8>> {
    let mut out = Vec::new();
    for row in rows {
        let line = json_lines(std::slice::from_ref(row))?;
        let line = line.strip_suffix(b"}\n").unwrap_or(&line);
        out.extend_from_slice(line);
        out.extend_from_slice(MEMBER);
        out.extend_from_slice(sum(line).as_bytes());
        out.extend_from_slice(b"\"}\n");
    }
    Ok(out)
}

/// The rows of a text that are as they were written.
pub(super) fn parse(text: &[u8]) -> Vec<RunRow> {
    let lines = text.split(|b| *b == b'\n').filter(|line| is_whole(line));
    lines.filter_map(|line| serde_json::from_slice(line).ok()).collect()
}

/// Whether the sum of a line fits, or it has none.
fn is_whole(line: &[u8]) -> bool {
    let at = line.len().checked_sub(MEMBER.len() + DIGITS + 2);
    let Some((row, tail)) = at.and_then(|at| line.split_at_checked(at)) else { return !line.is_empty() };
    match tail.strip_prefix(MEMBER) {
        Some(rest) => rest.starts_with(sum(row).as_bytes()),
        None => true,
    }
}

fn sum(row: &[u8]) -> String {
    Sha256::digest(row).iter().take(DIGITS / 2).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::run::{Raw, RowChange};

    #[test]
    fn a_changed_byte_is_seen_and_older_lines_are_read() {
        let row = |key: &str| RunRow {
            change: RowChange::Dropped,
            key: Raw(key.into()),
            value: Raw(r#"{"inputTokens": 1}"#.into()),
            after: None,
            reason: None,
        };
        let rows = [row("a"), row("b")];
        let text = text(&rows).unwrap();
        assert_eq!(parse(&text), rows);
        let first = text.iter().position(|b| *b == b'\n').unwrap();
        let tag = first - MEMBER.len() - DIGITS - 2..first - DIGITS - 2;
        for at in (0..first).filter(|at| !tag.contains(at)) {
            let mut damaged = text.clone();
            damaged[at] ^= 1;
            let read = parse(&damaged);
            assert!(read == rows[1..] || at + 2 >= first, "byte {at}: {read:?}");
        }
        assert_eq!(parse(&json_lines(&rows).unwrap()), rows);
        assert_eq!(parse(&text[..first / 2]), []);
    }
}
