//! `transcript check`: findings of one file with their places, and what the gateway would do.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Map, Value, json};

use super::command::quote;
use super::json::SCHEMA_VERSION;
use super::style::{Role, Style};
use super::{escape, plural};
use crate::hints::Given;
use crate::model::finding::{Finding, Severity};
use crate::model::gateway_does::gateway_does;
use crate::model::transcript::{Reading, SpotPlace};
use crate::order::Order as _;
use crate::units::bytes;

/// Places of one kind that a person is shown without `-v`.
const SHOWN: usize = 5;

/// A transcript that was checked.
#[derive(Debug)]
pub struct CheckedTranscript<'a> {
    /// Its path.
    pub path: &'a Path,
    /// Key of its row, if it was found by one.
    pub key: Option<&'a str>,
    /// What was read.
    pub reading: &'a Reading,
    /// Findings, the gravest first.
    pub findings: &'a [Finding],
    /// A lock holds it.
    pub locked: bool,
    /// What commands that are named must carry.
    pub given: &'a Given,
    /// `-v`.
    pub verbose: bool,
}

impl CheckedTranscript<'_> {
    fn count(&self, severity: Severity) -> u64 {
        self.findings.iter().filter(|f| f.severity == severity).count() as u64
    }

    fn places(&self, finding: &Finding) -> &[SpotPlace] {
        self.reading.spot(finding.id).map_or(&[], |spot| &spot.places)
    }

    fn command(&self, finding: &Finding) -> Option<String> {
        // A compressed copy is never changed.
        if self.path.extension().is_some_and(|ext| ext == "zst") {
            return None;
        }
        let command = finding.repair?.command().replace("FILE", &quote(&self.path.to_string_lossy()));
        Some(self.given.complete(&command))
    }
}

/// As JSON (docs/schema/transcript-check.json).
pub fn json(checked: &CheckedTranscript<'_>) -> Value {
    let reading = checked.reading;
    json!({
        "schemaVersion": SCHEMA_VERSION,
        "path": checked.path.to_string_lossy(),
        "key": checked.key,
        "bytes": reading.size,
        "lines": reading.lines,
        "entries": reading.entries,
        "locked": checked.locked,
        "growing": reading.moving,
        "clean": checked.findings.is_empty(),
        "counts": {
            "error": checked.count(Severity::Error),
            "warning": checked.count(Severity::Warning),
            "info": checked.count(Severity::Info),
        },
        "findings": checked.findings.iter().map(|f| finding(checked, f)).collect::<Vec<_>>(),
    })
}

fn finding(checked: &CheckedTranscript<'_>, finding: &Finding) -> Value {
    let mut out = Map::new();
    out.insert("id".into(), json!(finding.id.id()));
    out.insert("severity".into(), json!(finding.severity.as_str()));
    out.insert("explain".into(), json!(finding.id.explain()));
    if let Some((does, how)) = gateway_does(finding.id) {
        out.insert("gateway".into(), json!({"does": does, "how": how}));
    }
    out.insert("line".into(), json!(finding.place.line));
    out.insert("offset".into(), json!(finding.place.offset));
    out.insert("count".into(), json!(finding.count));
    out.insert("bytes".into(), json!(finding.bytes));
    out.insert("evidence".into(), json!(finding.evidence));
    let place = |p: &SpotPlace| json!({"line": p.line, "offset": p.offset, "bytes": p.bytes, "detail": p.detail});
    out.insert("places".into(), checked.places(finding).iter().map(place).collect());
    out.insert("repair".into(), json!(finding.repair.map(|r| r.id())));
    out.insert("command".into(), json!(checked.command(finding)));
    Value::Object(out)
}

/// For people.
pub fn human(checked: &CheckedTranscript<'_>, style: Style) -> String {
    let reading = checked.reading;
    let mut out = String::new();
    let _ = writeln!(out, "Transcript: {}", escape::path(checked.path));
    if let Some(key) = checked.key {
        let _ = writeln!(out, "  session {}", escape::line(key));
    }
    let _ = writeln!(
        out,
        "  {}, {}, {}",
        bytes::human(reading.size),
        plural::count(reading.lines, "line"),
        plural::count(reading.entries, "entry")
    );
    if checked.locked || reading.moving {
        let _ = writeln!(out, "  somebody is writing to it: its last line is not judged");
    }
    for finding in checked.findings {
        one(&mut out, checked, finding, style);
    }
    let _ = writeln!(out, "\n{}", summary(checked, style));
    let repairs = checked.findings.iter().filter_map(|f| checked.command(f));
    let mut repairs: Vec<String> = repairs.collect();
    repairs.order_by_key(String::len);
    repairs.dedup();
    for command in repairs {
        let _ = writeln!(out, "Repair: {} (first look: --dry-run)", escape::line(&command));
    }
    out
}

fn summary(checked: &CheckedTranscript<'_>, style: Style) -> String {
    if checked.findings.is_empty() {
        return style.paint(Role::Good, "Nothing is wrong with it.").into_owned();
    }
    let parts = [(Severity::Error, "error"), (Severity::Warning, "warning"), (Severity::Info, "note")];
    let parts = parts.iter().map(|(severity, word)| (checked.count(*severity), word)).filter(|(n, _)| *n > 0);
    let text = parts.map(|(n, word)| plural::count(n, word)).collect::<Vec<_>>().join(", ");
    format!("{text}.")
}

fn one(out: &mut String, checked: &CheckedTranscript<'_>, finding: &Finding, style: Style) {
    let role = match finding.severity {
        Severity::Error => Role::Bad,
        Severity::Warning => Role::Warn,
        Severity::Info => Role::Muted,
    };
    let heading = format!("{}: {}", finding.severity.as_str(), finding.id.id());
    let size = if finding.bytes > 0 { format!(", {}", bytes::human(finding.bytes)) } else { String::new() };
    let places = plural::count(finding.count, "place");
    let _ = writeln!(out, "\n{} ({places}{size})", style.paint(role, &heading));
    let _ = writeln!(out, "  {}", finding.id.explain());
    if let Some((does, how)) = gateway_does(finding.id) {
        let _ = writeln!(out, "  Gateway ({does}): {how}.");
    }
    if checked.reading.spot(finding.id).is_none() {
        let _ = writeln!(out, "    {}", escape::line(&finding.evidence));
    }
    let all = checked.places(finding);
    let shown = if checked.verbose { all.len() } else { all.len().min(SHOWN) };
    for place in &all[..shown] {
        let line = place.line.map_or_else(|| "the file".to_owned(), |line| format!("line {line}"));
        let detail = place.detail.as_ref().map(|d| format!("  {}", escape::line(d))).unwrap_or_default();
        let _ = writeln!(out, "    {line}, byte {}{detail}", place.offset);
    }
    // What is not about places has all been said.
    if checked.reading.spot(finding.id).is_some() && finding.count > shown as u64 {
        let _ = writeln!(out, "    {} more: -v or --json", plural::grouped(finding.count - shown as u64));
    }
}
