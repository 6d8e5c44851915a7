//! `transcript repair`: what is mended where, what is left, and where the old bytes are.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::json::SCHEMA_VERSION;
use super::{escape, plural};
use crate::context::Context;
use crate::error::Result;
use crate::hints::Given;
use crate::model::mend::{LeftAlone, MendKind, Mended};
use crate::model::outcome::{Applied, Outcome, Skip};
use crate::model::transcript_repair::{TranscriptFacts, TranscriptPlan};
use crate::units::bytes;

/// Places of one kind that a person is shown without `-v`.
const SHOWN: usize = 5;

/// The repair of one transcript.
#[derive(Debug)]
pub struct TranscriptRepair {
    /// Its path.
    pub path: PathBuf,
    /// What it was decided from.
    pub facts: TranscriptFacts,
    /// Where a new header has its members from, in words.
    pub header_from: Vec<String>,
    /// What was decided.
    pub plan: TranscriptPlan,
    /// What was done; `None` if nothing was executed.
    pub applied: Option<Applied>,
    /// Nothing was to be done.
    pub dry_run: bool,
    /// Words that choose its store again, or the index that a copy outside of every store would have beside it, with a blank
    /// before them.
    pub select: String,
    /// What commands that are named must carry.
    pub given: Given,
}

impl TranscriptRepair {
    /// Something is left that the gateway would lose.
    pub fn needs_a_person(&self) -> bool {
        let facts = &self.facts;
        facts.no_header.is_some() && facts.survey.lines > 0
            || !facts.errors_after.is_empty()
            || facts.survey.left.iter().any(|l| l.grave)
    }

    fn outcome(&self) -> &'static str {
        match self.applied.as_ref().map(|a| a.outcomes.last()) {
            _ if self.plan.effects.is_empty() => "nothing",
            None => "planned",
            Some(Some(Outcome::Done { .. } | Outcome::UnlinkedForSpace { .. })) => "done",
            Some(Some(Outcome::Skipped(_))) => "skipped",
            Some(Some(Outcome::Failed(_))) => "failed",
            Some(Some(Outcome::NotReached) | None) => "not-reached",
        }
    }

    fn done(&self) -> bool {
        self.outcome() == "done"
    }

    fn file(&self, name: Option<&OsString>) -> Option<String> {
        name.map(|name| self.facts.folder.join(name).to_string_lossy().into_owned())
    }

    fn run_id(&self) -> Option<&str> {
        self.applied.as_ref().map(|a| a.run_id.as_str()).filter(|id| !id.is_empty())
    }

    /// The command that takes it back.
    fn undo(&self) -> Option<String> {
        let run = self.run_id().filter(|_| self.done())?;
        let select = &self.select;
        Some(self.given.complete(&format!("clawkeep sessions undo {run}{select}")))
    }

    /// Prints the report as it was asked for.
    ///
    /// # Errors
    /// stdout cannot be written.
    pub fn print(&self, ctx: &Context) -> Result<()> {
        if ctx.output.json {
            return super::json::print(ctx, &self.json());
        }
        if ctx.output.quiet > 0 {
            return Ok(());
        }
        ctx.write_stdout(self.human(ctx.output.verbose > 0).as_bytes())
    }

    /// As JSON (docs/schema/transcript-repair.json).
    pub fn json(&self) -> Value {
        let (facts, survey) = (&self.facts, &self.facts.survey);
        let mended = |m: &Mended| json!({"id": m.kind.id(), "line": m.line, "offset": m.offset, "bytes": m.bytes, "detail": m.detail});
        let left = |l: &LeftAlone| json!({"line": (l.line > 0).then_some(l.line), "offset": l.offset, "why": l.why, "needsPerson": l.grave});
        let counts: serde_json::Map<String, Value> =
            survey.counts.iter().map(|(kind, n)| (kind.id().to_owned(), json!(n))).collect();
        let applied = self.applied.as_ref();
        json!({
            "schemaVersion": SCHEMA_VERSION,
            "dryRun": self.dry_run,
            "path": self.path.to_string_lossy(),
            "outcome": self.outcome(),
            "lines": survey.lines,
            "entries": survey.entries,
            "bytesBefore": facts.fp.size,
            "bytesAfter": self.plan.size_after,
            "mended": survey.mended.iter().map(mended).collect::<Vec<_>>(),
            "counts": counts,
            "left": survey.left.iter().map(left).collect::<Vec<_>>(),
            "header": {"sources": self.header_from, "impossible": facts.no_header},
            "errorsAfter": facts.errors_after,
            "backup": self.file(self.plan.backup.as_ref()),
            "torn": self.file(self.plan.torn.as_ref()),
            "runId": self.run_id(),
            "undo": self.undo(),
            "recovered": applied.map(|a| a.recovered.iter().map(|r| json!({"runId": r.run_id, "result": r.result, "detail": r.detail})).collect::<Vec<_>>()).unwrap_or_default(),
            "warnings": applied.map(|a| a.warnings.clone()).unwrap_or_default(),
        })
    }

    /// For people.
    pub fn human(&self, verbose: bool) -> String {
        let (facts, survey) = (&self.facts, &self.facts.survey);
        let mut out = String::new();
        let _ = writeln!(out, "Transcript: {}", escape::path(&self.path));
        let _ = writeln!(
            out,
            "  {}, {}, {}",
            bytes::human(facts.fp.size),
            plural::count(survey.lines, "line"),
            plural::count(survey.entries, "entry")
        );
        for item in self.applied.iter().flat_map(|a| &a.recovered) {
            let _ = writeln!(out, "  earlier run {}: {}", item.run_id, escape::line(&item.detail));
        }
        if let Some(why) = &facts.no_header {
            let _ = writeln!(out, "\nIt cannot be mended: {}.", escape::line(why));
        } else if survey.is_clean() {
            let _ = writeln!(out, "\nNothing is to be mended.");
        } else {
            self.kinds(&mut out, verbose);
        }
        self.left_alone(&mut out, verbose);
        if !self.plan.effects.is_empty() {
            self.result(&mut out);
        }
        for warning in self.applied.iter().flat_map(|a| &a.warnings) {
            let _ = writeln!(out, "Warning: {}", escape::line(warning));
        }
        out
    }

    fn kinds(&self, out: &mut String, verbose: bool) {
        let survey = &self.facts.survey;
        let verb = match (self.done(), &self.applied) {
            (true, _) => "Mended",
            (false, None) => "Would be mended",
            (false, Some(_)) => "Not mended",
        };
        let places: u64 = survey.counts.values().sum();
        let _ = writeln!(out, "\n{verb}: {}", plural::count(places, "place"));
        for kind in MendKind::ALL {
            let Some(count) = survey.counts.get(kind) else { continue };
            let _ = writeln!(out, "  {} ({}): {}", kind.id(), plural::count(*count, "place"), kind.explain());
            let all: Vec<&Mended> = survey.mended.iter().filter(|m| m.kind == *kind).collect();
            let shown = if verbose { all.len() } else { all.len().min(SHOWN) };
            for m in &all[..shown] {
                let size = if m.bytes > 0 { format!(", {}", bytes::human(m.bytes)) } else { String::new() };
                let detail = m.detail.as_ref().map(|d| format!("  {}", escape::line(d))).unwrap_or_default();
                let _ = writeln!(out, "    line {}, byte {}{size}{detail}", m.line, m.offset);
            }
            if *count > shown as u64 {
                let _ = writeln!(out, "    {} more: -v or --json", plural::grouped(*count - shown as u64));
            }
        }
        for from in &self.header_from {
            let _ = writeln!(out, "  header: {}", escape::line(from));
        }
    }

    fn left_alone(&self, out: &mut String, verbose: bool) {
        let left = &self.facts.survey.left;
        if !left.is_empty() {
            let _ = writeln!(out, "\nLeft alone: {}", plural::count(left.len() as u64, "place"));
        }
        let shown = if verbose { left.len() } else { left.len().min(SHOWN) };
        for l in &left[..shown] {
            let place = if l.line > 0 { format!("line {}: ", l.line) } else { String::new() };
            let _ = writeln!(out, "    {place}{}", escape::line(&l.why));
        }
        for error in &self.facts.errors_after {
            let _ = writeln!(out, "  still an error: {error}");
        }
    }

    fn result(&self, out: &mut String) {
        let _ = writeln!(out);
        let sizes =
            format!("{} before, {} after", bytes::human(self.facts.fp.size), bytes::human(self.plan.size_after));
        let name = |name: &OsString| escape::name(name);
        let outcome = self.applied.as_ref().and_then(|a| a.outcomes.last());
        let _ = match (self.outcome(), outcome) {
            ("done", _) => writeln!(out, "Done: {sizes}."),
            ("planned", _) => writeln!(out, "Dry run: nothing was changed ({sizes})."),
            (_, Some(Outcome::Failed(why))) => writeln!(out, "It failed: {}", escape::line(why)),
            (_, Some(Outcome::Skipped(skip))) => writeln!(out, "It was left as it was: {}.", skipped(skip)),
            _ => writeln!(out, "It was not reached."),
        };
        if self.applied.is_some() && !self.done() {
            let _ = writeln!(out, "The transcript is as it was.");
            return;
        }
        if let Some(torn) = &self.plan.torn {
            let moved = if self.done() { "is" } else { "would be" };
            let _ = writeln!(out, "What is taken out {moved} in {}.", name(torn));
        }
        if let Some(backup) = &self.plan.backup {
            let kept = if self.done() { "is kept" } else { "would be kept" };
            let _ = writeln!(out, "The old file {kept} as {}.", name(backup));
        }
        if let Some(undo) = self.undo() {
            let _ = writeln!(out, "Undo: {}", escape::line(&undo));
        }
    }
}

fn skipped(skip: &Skip) -> &'static str {
    match skip {
        Skip::Changed => "somebody wrote to it meanwhile",
        Skip::Gone => "it is gone",
        Skip::OwnedNow => "a session has come to use it",
        Skip::LockedNow => "somebody locked it meanwhile",
        Skip::OwnerNow => "a gateway came up meanwhile",
    }
}
