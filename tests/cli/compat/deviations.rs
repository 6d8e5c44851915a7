//! The reviewed table of differences that we want.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::compare::Difference;

/// One entry of `deviations.toml`.
#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    /// Case; `*` is all of them.
    case: String,
    /// Fields, each exact or with one `*`.
    fields: Vec<String>,
    /// Row of the design's table of decisions, or section of the safety rules, that wants it.
    rule: String,
    /// What differs, in a few words.
    note: String,
}

#[derive(Debug, serde::Deserialize)]
struct File {
    deviation: Vec<Entry>,
}

/// The table, and which of its entries were needed.
pub struct Table {
    entries: Vec<Entry>,
    used: RefCell<BTreeSet<(usize, usize)>>,
}

impl Table {
    /// Reads the table.
    pub fn load() -> Self {
        let file: File = toml::from_str(include_str!("deviations.toml")).unwrap();
        for entry in &file.deviation {
            assert!(!entry.rule.is_empty() && !entry.note.is_empty(), "no reason given: {entry:?}");
        }
        Self { entries: file.deviation, used: RefCell::default() }
    }

    /// What is wrong with a case: differences without an entry.
    pub fn judge(&self, case: &str, why: &str, differences: &[Difference]) -> String {
        let mut report = String::new();
        for difference in differences.iter().filter(|d| !self.allows(case, &d.field)) {
            let Difference { field, want, got } = difference;
            writeln!(report, "{case} ({}): {field}\n    the reference: {want}\n    we:            {got}", why.trim())
                .unwrap();
        }
        report
    }

    /// Entries for cases that ran and did not need them.
    pub fn unused(&self, ran: &BTreeSet<&str>) -> String {
        let mut report = String::new();
        for (at, entry) in self.entries.iter().enumerate().filter(|(_, e)| ran.contains(e.case.as_str())) {
            for (field_at, field) in entry.fields.iter().enumerate() {
                if !self.used.borrow().contains(&(at, field_at)) {
                    writeln!(report, "{}: {field}: no difference needs this entry", entry.case).unwrap();
                }
            }
        }
        report
    }

    fn allows(&self, case: &str, field: &str) -> bool {
        let mut allowed = false;
        for (at, entry) in self.entries.iter().enumerate().filter(|(_, e)| e.case == case || e.case == "*") {
            for (field_at, pattern) in entry.fields.iter().enumerate() {
                if matches(pattern, field) {
                    self.used.borrow_mut().insert((at, field_at));
                    allowed = true;
                }
            }
        }
        allowed
    }
}

/// Equal, or equal around one `*`.
fn matches(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((head, tail)) => text.len() >= head.len() + tail.len() && text.starts_with(head) && text.ends_with(tail),
    }
}

#[test]
fn a_pattern_has_one_star() {
    assert!(matches("json/sessions/*/model", "json/sessions/12/model"));
    assert!(!matches("json/sessions/*/model", "json/sessions/model"));
    assert!(matches("rc", "rc") && !matches("rc", "rc2"));
}
