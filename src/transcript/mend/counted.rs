//! Compactions of the first version, which name what they keep by its number among the lines of the file.
//!
//! The number was right when it was written: it counts every line there was, the header first. A line that a repair takes
//! out, or that was lost already, must not make it mean another entry. So what is left of a line counts as one, and the
//! number becomes that of the same entry among those that stay; if that one is lost, of the next one.

use std::io;

use crate::model::mend::{Edit, HeaderSeen, MendKind, Mended, Survey};
use crate::transcript::record::Record;

use super::lines::Bytes;
use super::tree::value;

/// Records of a file without ids, in file order.
#[derive(Debug, Default)]
pub struct Counted {
    /// Where each record begins that stays, headers too.
    records: Vec<u64>,
    /// Compactions that count: where they begin, their line, the number.
    compactions: Vec<(u64, u64, u32)>,
}

impl Counted {
    /// Takes the record at `at`, of a file in which none had an id so far: only then do compactions count.
    pub fn add(&mut self, found: &Record, line: u64, at: u64) {
        self.records.push(at);
        if let Some(number) = found.kept_index.filter(|_| found.compaction && found.kept.is_none()) {
            self.compactions.push((at, line, number));
        }
    }

    /// The last record does not stay.
    pub fn goes(&mut self) {
        self.records.pop();
    }
}

/// Adds what is needed to the survey, whose torn pieces are in order.
///
/// # Errors
/// What reading gives.
pub fn mend(out: &mut Survey, counted: &Counted, file: &(impl Bytes + ?Sized)) -> io::Result<()> {
    if counted.compactions.is_empty() {
        return Ok(());
    }
    let header = match &out.header {
        HeaderSeen::Good { .. } => counted.records.first().copied(),
        HeaderSeen::Late { at, .. } | HeaderSeen::WithoutId { at, .. } => Some(*at),
        // What is left of it is the first piece, if anything is.
        HeaderSeen::Missing if out.remains.id.is_some() => out.torn.first().map(|p| p.at),
        HeaderSeen::Missing => None,
    };
    let mut units: Vec<(u64, bool)> = counted.records.iter().map(|at| (*at, true)).collect();
    units.extend(out.torn.iter().map(|p| (p.at, false)));
    units.retain(|(at, _)| Some(*at) != header);
    units.sort_unstable();
    for (at, line, number) in &counted.compactions {
        // The header is number 0.
        let Some(before) = (*number as usize).checked_sub(1).and_then(|n| units.get(..n)) else { continue };
        let same = 1 + before.iter().filter(|(_, stays)| *stays).count();
        if same == *number as usize {
            continue;
        }
        let Some((place, len, _)) = value(file, *at, b"firstKeptEntryIndex")? else {
            out.leave(*line, *at, "what it keeps is counted in lines, and its fields lie too far apart");
            continue;
        };
        out.edits.push(Edit { at: place, cut: len, put: same.to_string().into_bytes().into() });
        let detail = Some(format!("it keeps from line {same} on, which was {number}"));
        out.note(Mended { kind: MendKind::Counted, line: *line, offset: *at, bytes: len, detail });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::model::mend::{HeaderFields, MendKind};
    use crate::transcript::mend::controls::apply;
    use crate::transcript::mend::{header, survey::survey};

    fn mended(lines: &[&str]) -> String {
        let text = lines.iter().map(|l| format!("{l}\n")).collect::<String>();
        let mut found = survey(text.as_bytes(), &|_| true).unwrap();
        let known = HeaderFields { id: Some("s".to_owned()), ..HeaderFields::default() };
        header::mend(&mut found, &known).unwrap();
        let out = String::from_utf8(apply(text.as_bytes(), &found.edits)).unwrap();
        assert!(survey(out.as_bytes(), &|_| true).unwrap().is_clean(), "{out}");
        assert_eq!(found.counts.contains_key(&MendKind::Counted), !out.contains("\"firstKeptEntryIndex\":3,"), "{out}");
        out
    }

    #[test]
    fn a_compaction_means_the_same_entry_after_a_line_is_gone() {
        const HEAD: &str = r#"{"type":"session","id":"s"}"#;
        const A: &str = r#"{"type":"message","message":{"role":"user","content":"a"}}"#;
        const B: &str = r#"{"type":"message","message":{"role":"user","content":"b"}}"#;
        const KEEP: &str = r#"{"type":"compaction","summary":"c","firstKeptEntryIndex":3,"tokensBefore":1}"#;
        let kept = |lines: &[&str]| -> Option<String> {
            let out = mended(lines);
            let values: Vec<serde_json::Value> = out.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
            let number = values.iter().find_map(|v| v["firstKeptEntryIndex"].as_u64())?;
            Some(values.get(number as usize)?["message"]["content"].as_str()?.to_owned())
        };
        let torn = &A[..30];
        assert_eq!(kept(&[HEAD, A, A, B, KEEP]).as_deref(), Some("b"), "nothing is wrong");
        assert_eq!(kept(&[HEAD, torn, A, B, KEEP]).as_deref(), Some("b"), "a line before it");
        assert_eq!(kept(&[HEAD, A, "null", B, KEEP]).as_deref(), Some("b"));
        assert_eq!(kept(&[HEAD, &[torn, A].concat(), B, KEEP]).as_deref(), Some("b"), "glued to another");
        assert_eq!(kept(&[HEAD, HEAD, A, B, KEEP]).as_deref(), Some("b"), "a second header");
        assert_eq!(kept(&[&HEAD[..20], A, A, B, KEEP]).as_deref(), Some("b"), "the header itself");
        assert_eq!(kept(&[A, A, B, KEEP]).as_deref(), Some("b"), "no header");
        assert_eq!(kept(&[HEAD, A, A, torn, B, KEEP]).as_deref(), Some("b"), "the entry itself: the next one");
        assert_eq!(kept(&[HEAD, A, A, B, torn, KEEP]).as_deref(), Some("b"), "a line behind it");
    }
}
