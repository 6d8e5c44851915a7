//! How many rows of a damaged index lie whole in it, before and after the damage.
//!
//! Reading starts again at every quote after a fault. An object counts as a row if it has a session id and a time and its
//! key looks like one of the gateway's: checkpoints in a broken row have session ids too.

use crate::model::index::{Row, TimeField};

use super::row::RowScanner;

/// Bytes that may be read in all, as a multiple of the length of the text: a text of nothing but quotes stays linear.
const EFFORT: usize = 16;

/// Counts them.
pub fn count(buf: &[u8]) -> u64 {
    if u32::try_from(buf.len()).is_err() {
        return 0;
    }
    let mut rows = 0;
    let mut at = 0;
    let mut effort = buf.len().saturating_mul(EFFORT);
    while let Some(quote) = memchr::memchr(b'"', &buf[at..]).map(|n| at + n) {
        let mut scanner = RowScanner::new(buf, quote);
        match scanner.row() {
            Ok(row) if is_row(&row, buf) => {
                rows += 1;
                at = row.value.end as usize;
                continue;
            }
            _ => at = quote + 1,
        }
        effort = effort.saturating_sub(scanner.lexer.pos() - quote);
        if effort == 0 {
            break;
        }
    }
    rows
}

fn is_row(row: &Row, buf: &[u8]) -> bool {
    let key = row.key.get(buf);
    row.odd.is_none()
        && row.session_id.is_some()
        && row.updated_at != TimeField::Missing
        && (key.contains(':') || matches!(&*key, "global" | "unknown" | "main"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(n: usize) -> String {
        format!(
            r#""agent:main:{n}": {{"sessionId": "s{n}", "updatedAt": 1777622400000,
                "compactionCheckpoints": [{{"preCompaction": {{"sessionId": "old", "sessionFile": "x"}}}}]}}"#
        )
    }

    #[test]
    fn whole_rows_are_counted_on_both_sides_of_the_damage() {
        let rows: Vec<String> = (0..5).map(row).collect();
        let text = format!("{{{}}}", rows.join(", "));
        assert_eq!(count(text.as_bytes()), 5);
        assert_eq!(count(&text.as_bytes()[..text.len() - 20]), 4);
        let middle = text.find("agent:main:2").unwrap() + 40;
        let mut holed = text.clone().into_bytes();
        holed[middle..middle + 16].fill(0);
        assert_eq!(count(&holed), 4);
        assert_eq!(count(format!("{text}{text}").as_bytes()), 10);
        assert_eq!(count(format!("[{text}]").as_bytes()), 5);
        assert_eq!((count(b""), count(&[0; 64]), count(b"\"\"\"\"\"")), (0, 0, 0));
    }
}
