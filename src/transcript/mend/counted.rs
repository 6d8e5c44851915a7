//! Compactions of the first version, which name what they keep by its number among the values of the file.
//!
//! The gateway counts every value that it can read, the header first. A repair takes values out that are no records, and
//! brings records back that the gateway could not read; neither may make the number mean another entry than it does now.
//! If the entry that it means goes, it means the next one.

use std::io;

use crate::model::mend::{Edit, HeaderSeen, MendKind, Mended, Survey};
use crate::transcript::record::Record;

use super::lines::Bytes;
use super::tree::value;

/// A value of the file.
#[derive(Debug, Clone, Copy)]
struct Unit {
    at: u64,
    /// The gateway reads it now.
    counts: bool,
    /// It will be there.
    stays: bool,
    session: bool,
}

/// Values of a file without ids, in file order.
#[derive(Debug, Default)]
pub struct Counted {
    units: Vec<Unit>,
    /// Compactions that count: where they begin, their line, the number.
    compactions: Vec<(u64, u64, u32)>,
}

impl Counted {
    /// Takes the record at `at`, of a file in which none had an id so far: only then do compactions count. `counts`: the
    /// gateway reads it as it stands.
    pub fn add(&mut self, found: &Record, line: u64, at: u64, counts: bool) {
        self.units.push(Unit { at, counts, stays: true, session: found.session });
        if let Some(number) = found.kept_index.filter(|_| found.compaction && found.kept.is_none()) {
            self.compactions.push((at, line, number));
        }
    }

    /// A value that is no record goes.
    pub fn gone(&mut self, at: u64) {
        self.units.push(Unit { at, counts: true, stays: false, session: false });
    }

    /// The last record does not stay.
    pub fn goes(&mut self) {
        if let Some(last) = self.units.last_mut() {
            last.stays = false;
        }
    }
}

/// Adds what is needed to the survey.
///
/// # Errors
/// What reading gives.
pub fn mend(out: &mut Survey, counted: &Counted, file: &(impl Bytes + ?Sized)) -> io::Result<()> {
    if counted.compactions.is_empty() {
        return Ok(());
    }
    let header = match &out.header {
        HeaderSeen::Good { .. } => counted.units.iter().find(|u| u.session).map(|u| u.at),
        HeaderSeen::Late { at, .. } | HeaderSeen::WithoutId { at, .. } => Some(*at),
        HeaderSeen::Missing => None,
    };
    let others: Vec<&Unit> = counted.units.iter().filter(|u| Some(u.at) != header).collect();
    let now: Vec<u64> = others.iter().filter(|u| u.counts).map(|u| u.at).collect();
    for (at, line, number) in &counted.compactions {
        // The header is number 0.
        let Some(target) = (*number as usize).checked_sub(1).and_then(|n| now.get(n)) else { continue };
        let same = 1 + others.iter().filter(|u| u.stays && u.at < *target).count();
        if same == *number as usize {
            continue;
        }
        let Some((place, len, _)) = value(file, *at, b"firstKeptEntryIndex")? else {
            out.leave(*line, *at, "it counts what it keeps, and its fields lie too far apart");
            continue;
        };
        out.edits.push(Edit { at: place, cut: len, put: same.to_string().into_bytes().into() });
        let detail = Some(format!("entry number {number} becomes number {same}"));
        out.note(Mended { kind: MendKind::Counted, line: *line, offset: *at, bytes: len, detail });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use crate::model::mend::HeaderFields;
    use crate::transcript::mend::controls::apply;
    use crate::transcript::mend::{header, survey::survey};

    const HEAD: &str = r#"{"type":"session","id":"s"}"#;
    const KEEP: &str = r#"{"type":"compaction","summary":"c","firstKeptEntryIndex":3,"tokensBefore":1}"#;

    fn say(text: &str) -> String {
        format!(r#"{{"type":"message","message":{{"role":"user","content":"{text}"}}}}"#)
    }

    fn values(text: &str) -> Vec<Value> {
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
    }

    /// What the compaction of a file keeps from.
    fn kept(text: &str) -> Option<Value> {
        let values = values(text);
        let number = values.iter().find_map(|v| v["firstKeptEntryIndex"].as_u64())?;
        values.get(usize::try_from(number).unwrap()).cloned()
    }

    #[test]
    fn a_compaction_means_the_same_entry_after_a_repair() {
        let [a, b, c, d] = ["a", "b", "c", "d"].map(say);
        let torn = &a[..50];
        let nuls = format!("\0\0{b}");
        let control = say("x\u{1}y");
        let glued = format!("{a}{b}");
        let norole = a.replace(r#""role":"user","#, r#""role":"","#);
        for lines in [
            vec![HEAD, &a, &b, &c, KEEP],
            vec![HEAD, torn, &a, &b, &c, KEEP],
            vec![HEAD, &a, "5", &b, &c, KEEP],
            vec![HEAD, &a, "null", &b, &c, KEEP],
            vec![HEAD, &glued, &c, &d, &b, KEEP],
            vec![HEAD, &nuls, &a, &c, &d, KEEP],
            vec![HEAD, &control, &a, &c, &d, KEEP],
            vec![HEAD, &norole, &a, &c, &d, KEEP],
            vec![HEAD, HEAD, &a, &b, KEEP],
            vec![HEAD, &a, &b, &c, "5", torn, KEEP],
        ] {
            let text: String = lines.iter().map(|l| format!("{l}\n")).collect();
            let mut found = survey(text.as_bytes(), &|_| true).unwrap();
            header::mend(&mut found, &HeaderFields::default()).unwrap();
            let out = String::from_utf8(apply(text.as_bytes(), &found.edits)).unwrap();
            assert_eq!(kept(&out), kept(&text), "{text}became\n{out}");
            assert!(kept(&out).is_some_and(|v| v["message"].is_object()), "{out}");
            assert!(survey(out.as_bytes(), &|_| true).unwrap().is_clean(), "{out}");
        }
    }

    #[test]
    fn if_the_entry_goes_the_next_one_is_meant() {
        let [a, b, c] = ["a", "b", "c"].map(say);
        let text = [HEAD, &a, &b, "5", &c, KEEP].map(|l| format!("{l}\n")).concat();
        let found = survey(text.as_bytes(), &|_| true).unwrap();
        let out = String::from_utf8(apply(text.as_bytes(), &found.edits)).unwrap();
        assert_eq!(kept(&out).unwrap()["message"]["content"], "c", "{out}");
    }
}
