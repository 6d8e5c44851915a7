//! Compactions of the first version, which name what they keep by its number among the values of the file.
//!
//! The gateway counts every value that it can read, the header first. A repair takes values out that are no records: the
//! number must go on meaning the same entry, or the next one if that one goes. A repair also brings records back that the
//! gateway cannot read. Whether they were counted nobody knows: they were if the line was damaged after the compaction was
//! written. The number is read as if they were, because that means the earlier of both entries: no message that the
//! compaction kept may leave the context, and one too many does no harm.

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
    let ever: Vec<u64> = others.iter().filter(|u| u.counts || u.stays).map(|u| u.at).collect();
    for (at, line, number) in &counted.compactions {
        // The header is number 0.
        let target = (*number as usize).checked_sub(1).and_then(|n| ever.get(n)).filter(|target| **target < *at);
        let Some(target) = target else { continue };
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
    fn a_compaction_means_the_same_entry_when_values_go() {
        let [a, b, c, d] = ["a", "b", "c", "d"].map(say);
        let torn = &a[..50];
        let control = say("x\u{1}y");
        let norole = a.replace(r#""role":"user","#, r#""role":"","#);
        for lines in [
            vec![HEAD, &a, &b, &c, KEEP],
            vec![HEAD, torn, &a, &b, &c, KEEP],
            vec![HEAD, &a, "5", &b, &c, KEEP],
            vec![HEAD, &a, "null", &b, &c, KEEP],
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
    fn records_that_come_back_were_counted() {
        let [a, b, c, d] = ["a", "b", "c", "d"].map(say);
        let nuls = format!("\0\0{a}");
        let (two, three) = (format!("{a}{b}"), format!("{a}{b}{c}"));
        for (lines, kept_now) in [
            (vec![HEAD, &two, &c, &d, &b, KEEP], "c"),
            (vec![HEAD, &nuls, &a, &c, &d, KEEP], "c"),
            // As the gateway counts it now, the number means the compaction itself, or what comes after it.
            (vec![HEAD, &three, &d, KEEP, &a], "c"),
            (vec![HEAD, &three, KEEP, &d, &a], "c"),
            (vec![HEAD, "5", &two, &d, KEEP, &a], "b"),
        ] {
            let text: String = lines.iter().map(|l| format!("{l}\n")).collect();
            let found = survey(text.as_bytes(), &|_| true).unwrap();
            let out = String::from_utf8(apply(text.as_bytes(), &found.edits)).unwrap();
            assert_eq!(kept(&out).unwrap()["message"]["content"], kept_now, "{text}became\n{out}");
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
