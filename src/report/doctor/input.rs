//! The doctor's report: what was found, what was fixed, what was left and why. Both forms from the same values.

use std::path::PathBuf;

use super::{human, json};

use crate::context::Context;
use crate::error::Result;
use crate::exit;
use crate::model::doctor::{ConfigFacts, Found, Managed, Remedy, Version};
use crate::model::finding::Severity;

/// What became of a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// It was only looked for.
    Found,
    /// `--fix` would do it.
    Planned,
    /// Done.
    Fixed,
    /// Asked for and not done, with the reason.
    Skipped(String),
}

/// A finding and what became of it.
#[derive(Debug, Clone)]
pub struct Judged {
    /// The finding.
    pub found: Found,
    /// Its end.
    pub ending: Ending,
}

/// A configuration file that was edited, or would be.
#[derive(Debug, Clone)]
pub struct EditedFile {
    /// Its path, as the configuration names it.
    pub path: PathBuf,
    /// The file that is written, where that name is a link.
    pub real: Option<PathBuf>,
    /// Rules that changed it.
    pub rules: Vec<&'static str>,
    /// Unified diff.
    pub diff: String,
    /// Where its old text is, once it was written.
    pub backup: Option<PathBuf>,
    /// It was written.
    pub written: bool,
    /// It is not ours to write; the diff is for what it is made from.
    pub managed: bool,
}

/// The whole report.
#[derive(Debug)]
pub struct Report {
    /// The main configuration file.
    pub config_path: PathBuf,
    /// It exists.
    pub config_found: bool,
    /// Version that was judged for.
    pub target: Version,
    /// Who else writes the configuration.
    pub managed: Option<Managed>,
    /// `--fix`.
    pub fix: bool,
    /// `--dry-run`.
    pub dry_run: bool,
    /// `--diff`: diffs are shown to people too.
    pub show_diff: bool,
    /// Findings in the order of the rules.
    pub judged: Vec<Judged>,
    /// Configuration files.
    pub files: Vec<EditedFile>,
    /// Runs that were recorded.
    pub runs: Vec<String>,
    /// Something was changed.
    pub changed: bool,
    /// Some fix failed.
    pub partial: bool,
    /// A fix was not begun because another run is at work.
    pub busy: bool,
    /// Something was asked for and may not be done here: a person has to, whatever its gravity.
    pub refused: bool,
    /// Remarks.
    pub warnings: Vec<String>,
}

impl Report {
    /// An empty report.
    pub fn new(config: &ConfigFacts, fix: bool, dry_run: bool) -> Self {
        Self {
            config_path: config.path.clone(),
            config_found: config.found,
            target: config.target,
            managed: config.managed.clone(),
            fix,
            dry_run,
            show_diff: false,
            judged: Vec::new(),
            files: Vec::new(),
            runs: Vec::new(),
            changed: false,
            partial: false,
            busy: false,
            refused: false,
            warnings: Vec::new(),
        }
    }

    /// Takes findings over, none of them fixed yet.
    pub fn extend(&mut self, found: impl IntoIterator<Item = Found>) {
        self.judged.extend(found.into_iter().map(|found| Judged { found, ending: Ending::Found }));
    }

    /// Says what became of the edits of some rules.
    pub fn end_edits(&mut self, of: impl Fn(&str) -> bool, ending: &Ending) {
        for judged in self.judged.iter_mut().filter(|j| matches!(j.found.remedy, Remedy::Edit) && of(j.found.rule)) {
            judged.ending = ending.clone();
        }
    }

    /// Says of all edits that they were not made.
    pub fn skip_edits(&mut self, why: impl Fn(&str) -> String) {
        for judged in self.judged.iter_mut().filter(|j| matches!(j.found.remedy, Remedy::Edit)) {
            judged.ending = Ending::Skipped(why(judged.found.rule));
        }
    }

    /// Adds lines to the edits of a rule.
    pub fn detail_edits(&mut self, of: &str, lines: impl Iterator<Item = String>) {
        if let Some(judged) = self.judged.iter_mut().find(|j| j.found.rule == of) {
            judged.found.details.extend(lines);
        }
    }

    /// Takes over what is found once the fixes are made: what is gone was fixed with the rest, what is there is left, and
    /// what a fix brought to light is new.
    pub fn settle(&mut self, mut now: Vec<Found>) {
        // Says who may write at this moment, not what is wrong.
        const MOMENTARY: &str = "owner";
        now.retain(|found| found.rule != MOMENTARY);
        let mut take = |wanted: &dyn Fn(&Found) -> bool| now.iter().position(wanted).map(|at| now.remove(at));
        let mut open = Vec::new();
        for (at, judged) in self.judged.iter_mut().enumerate().filter(|(_, j)| j.found.rule != MOMENTARY) {
            let old = &judged.found;
            let same = |f: &Found| {
                (f.rule, &f.subject, &f.message, &f.file) == (old.rule, &old.subject, &old.message, &old.file)
            };
            match (take(&same), &judged.ending) {
                (None, Ending::Fixed) => {}
                (Some(_), Ending::Fixed) => {
                    judged.ending = Ending::Skipped("it is still there, or there again".to_owned())
                }
                (Some(found), _) => judged.found.details = found.details,
                (None, _) => open.push(at),
            }
        }
        for at in open {
            let judged = &mut self.judged[at];
            let old = (judged.found.rule, judged.found.subject.clone());
            match take(&|f: &Found| (f.rule, &f.subject) == (old.0, &old.1)) {
                Some(found) => judged.found = found,
                None => judged.ending = Ending::Fixed,
            }
        }
        self.extend(now);
    }

    /// Findings that are still there.
    pub fn remaining(&self) -> impl Iterator<Item = &Judged> {
        self.judged.iter().filter(|j| j.ending != Ending::Fixed)
    }

    /// The exit code: findings that count and remain, a fix that failed, or nothing done because somebody else is at work.
    pub fn exit_code(&self, counts: impl Fn(Severity) -> bool) -> u8 {
        let findings = self.refused || self.remaining().any(|j| counts(j.found.severity));
        let code = if findings { exit::FINDINGS } else { exit::DONE };
        match (self.partial, self.busy && !self.changed) {
            (_, true) => exit::BUSY,
            (true, _) => exit::graver(code, exit::PARTIAL),
            (false, _) => code,
        }
    }

    /// Whether `--fix` would do something about a finding.
    pub fn fixable(found: &Found) -> bool {
        matches!(found.remedy, Remedy::Edit | Remedy::Effects { flag: None, .. })
    }
}

/// Prints the report.
///
/// # Errors
/// stdout cannot be written.
pub fn print(ctx: &Context, report: &Report) -> Result<()> {
    if ctx.output.json {
        return crate::report::json::print(ctx, &json::value(report));
    }
    if ctx.output.quiet > 0 {
        return Ok(());
    }
    ctx.write_stdout(human::text(report, ctx).as_bytes())
}
