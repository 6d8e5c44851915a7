//! Carries out the fixes of the configuration: one write per file, with a backup beside it and a record for undo.
//!
//! The files are read once; the executor compares them with what was read right before it puts the new text in their place.
//! A file that somebody else wrote in between stays as it is.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::effects::{self, Job};
use super::gather::{Files, can_be_passed};
use crate::cli::doctor::DoctorArgs;
use crate::config::edit::diff;
use crate::config::edit::files::Sources;
use crate::context::{Context, Level};
use crate::doctor::fix::{self, Fix};
use crate::doctor::rule::{Migrate, Rule};
use crate::error::{Error, Kind, Result};
use crate::model::effect::{Effect, FileRef};
use crate::model::owner::{Connect, OwnerVerdict, Writer};
use crate::model::run::RunGroup;
use crate::model::settings::Settings;
use crate::model::stores::Roots;
use crate::report::doctor::{EditedFile, Ending, Report};

/// A file that was not written, and why.
type Failed = (PathBuf, String);

/// What became of the files.
#[derive(Default)]
struct Written {
    /// Runs that were recorded.
    runs: Vec<String>,
    /// Files that were not written.
    failed: Vec<Failed>,
    /// Files that were, and got no backup beside them.
    bare: Vec<PathBuf>,
}

/// What the fixes work on.
pub(super) struct Work<'a> {
    pub(super) ctx: &'a Context,
    pub(super) args: &'a DoctorArgs,
    pub(super) roots: &'a Roots,
    pub(super) settings: &'a Settings,
    pub(super) files: &'a Files,
    pub(super) rules: &'a [&'static Rule],
    /// Changes that a flag asks for.
    pub(super) also: &'a [(&'static Rule, Migrate)],
}

impl Work<'_> {
    /// Does it, and says in the report what became of each finding.
    ///
    /// # Errors
    /// A running gateway without consent, a busy lock, and what keeps a file from being written.
    pub(super) fn run(&self, report: &mut Report) -> Result<()> {
        let sources = &self.files.sources;
        let closed = self.files.closed(&self.args.overrides);
        let fix = match fix::fix(sources, self.rules, &closed, self.also) {
            Ok(fix) => fix,
            Err(why) => {
                report.skip_edits(|_| why.clone());
                return Ok(());
            }
        };
        self.tell_refused(&fix, report);
        if let Some(template) = &fix.template {
            report.files.extend(self.edited(template, &fix, true));
            report.refused = true;
        }
        let files = self.edited(&fix.sources, &fix, false);
        if files.is_empty() {
            return Ok(());
        }
        if self.args.dry_run {
            report.files.extend(files);
            self.settle(&fix, report, &Ending::Planned);
            return Ok(());
        }
        self.consent(files.len())?;
        let Written { runs, failed, bare } = self.write(&fix, report)?;
        report.runs.extend(runs);
        let written = |file: &mut EditedFile| !failed.iter().any(|(path, _)| *path == file.path);
        let mut files = files;
        files.retain_mut(|file| written(file));
        for file in &mut files {
            file.written = true;
            file.backup = Some(backup_of(&real(&file.path))).filter(|_| !bare.contains(&file.path));
        }
        report.changed |= !files.is_empty();
        report.files.extend(files);
        self.settle(&fix, report, &Ending::Fixed);
        for (path, why) in &failed {
            report.partial = true;
            let hit = |rule: &str| {
                fix.done.iter().any(|(m, at)| m.rule.id == rule && at.iter().any(|at| sources.0[*at].path == *path))
            };
            report.end_edits(hit, &Ending::Skipped(format!("{}: {why}", path.display())));
        }
        Ok(())
    }

    fn tell_refused(&self, fix: &Fix, report: &mut Report) {
        for refused in &fix.refused {
            let why = if refused.managed { self.managed_text() } else { refused.why.clone() };
            report.end_edits(|rule| rule == refused.rule, &Ending::Skipped(why));
            if !refused.managed {
                report.detail_edits(refused.rule, refused.by_hand.iter().map(|line| format!("by hand: {line}")));
            }
        }
    }

    fn managed_text(&self) -> String {
        let managed = self.files.managed.iter().flatten().next();
        match managed {
            Some(m) if m.by == crate::config::managed::HARD_LINK => format!(
                "{}: make the change where the other names are meant too; --override managed-config edits this one alone",
                m.why
            ),
            Some(m) if m.by == crate::config::managed::OTHER_STATE => format!(
                "{}: make the change there, or put a copy in the place of the link (cp -p --remove-destination); \
                 --override managed-config edits the file of that state all the same",
                m.why
            ),
            Some(m) if can_be_passed(m) => format!(
                "{} manages the file ({}): put the change into what it is made from; --override managed-config edits it here all the same",
                m.by, m.why
            ),
            Some(m) if m.by == "read-only" => format!("{}: put the change into what the file is made from", m.why),
            Some(m) => format!("{} manages the file ({}): put the change into what it is made from", m.by, m.why),
            None => "somebody else writes the file".to_owned(),
        }
    }

    fn settle(&self, fix: &Fix, report: &mut Report, ending: &Ending) {
        for (migration, _) in &fix.done {
            report.end_edits(|rule| rule == migration.rule.id, ending);
        }
    }

    /// Files whose text differs; with `managed`, those that are not written.
    fn edited(&self, new: &Sources, fix: &Fix, managed: bool) -> Vec<EditedFile> {
        let old = &self.files.sources.0;
        let one = |at: usize| EditedFile {
            path: old[at].path.clone(),
            real: link_target(&old[at].path),
            rules: fix.done.iter().filter(|(_, files)| files.contains(&at)).map(|(m, _)| m.rule.id).collect(),
            diff: diff::unified(&old[at].path.to_string_lossy(), &old[at].text, &new.0[at].text),
            backup: None,
            written: false,
            managed,
        };
        let differs = |at: &usize| old[*at].text != new.0[*at].text && new.0[*at].text != self.later(fix, *at, managed);
        (0..old.len()).filter(differs).map(one).collect()
    }

    /// The text that is written anyway, for a template that only shows what is not.
    fn later<'f>(&self, fix: &'f Fix, at: usize, managed: bool) -> &'f str {
        if managed { &fix.sources.0[at].text } else { "" }
    }

    /// A gateway that runs reads the file the moment it changes: said before, and asked for.
    fn consent(&self, files: usize) -> Result<()> {
        let verdict = effects::owner(self.ctx, self.roots, self.settings);
        let live = verdict.writer == Writer::Owns || verdict.evidence.connect == Connect::Accepted;
        // In remote mode what answers is another host's, and reads its own file.
        if !live || verdict.writer == Writer::Foreign || verdict.evidence.remote_mode {
            return Ok(());
        }
        let what = format!(
            "a gateway runs and takes up a changed configuration at once ({}); {} will be written in one go",
            verdict.why,
            crate::report::plural::count(files as u64, "file")
        );
        self.ctx.log(Level::Warning, &what);
        if self.args.yes {
            return Ok(());
        }
        if self.ctx.stdin_tty && self.ctx.stderr_tty && !self.args.non_interactive {
            return match self.ctx.ask("Write it now? [y/N] ")? {
                true => Ok(()),
                false => Err(Error::new(Kind::Interrupted, "not confirmed; nothing was changed")),
            };
        }
        Err(Error::new(
            Kind::Busy,
            "a gateway runs and would take up the changed configuration at once; nothing was changed",
        )
        .hint("clawkeep doctor --fix --yes")
        .hint("see the edit first: clawkeep doctor --fix --dry-run --diff"))
    }

    /// Writes every file, folder by folder. What cannot be begun in one folder once another was written to is told like any
    /// other failure: the report has to say what was done.
    fn write(&self, fix: &Fix, report: &mut Report) -> Result<Written> {
        let mut folders: BTreeMap<PathBuf, Vec<(usize, OsString)>> = BTreeMap::new();
        for (at, old) in self.files.sources.0.iter().enumerate() {
            if old.text != fix.sources.0[at].text {
                let real = real(&old.path);
                let (Some(folder), Some(name)) = (real.parent(), real.file_name()) else { continue };
                folders.entry(folder.to_owned()).or_default().push((at, name.to_owned()));
            }
        }
        let mut out = Written::default();
        for (folder, files) in folders {
            let effects = files.iter().flat_map(|(at, name)| {
                let file = FileRef { name: name.clone(), fp: self.files.fps[*at] };
                let content = fix.sources.0[*at].text.clone().into_bytes();
                [Effect::Backup { file: file.clone() }, Effect::Rewrite { file, content }]
            });
            let state = &self.roots.state_dir;
            let job = Job {
                own_dir: if state.is_dir() { state.clone() } else { folder.clone() },
                effects: effects.collect(),
                folder: folder.clone(),
                index: None,
                store: None,
                overrides: &self.args.overrides,
                group: RunGroup::after(&out.runs),
                owner: &consented,
            };
            let path = |at: usize| self.files.sources.0[at].path.clone();
            let applied = match effects::run(self.ctx, job) {
                Ok(applied) => applied,
                Err(error) if out.runs.is_empty() && out.failed.is_empty() => return Err(error),
                Err(error) => {
                    report.busy |= error.kind == Kind::Busy;
                    let why = effects::not_begun(&folder, &error);
                    out.failed.extend(files.iter().map(|(at, _)| (path(*at), why.clone())));
                    continue;
                }
            };
            report.warnings.extend(applied.warnings.iter().cloned());
            // The second of each pair puts the new text in place, and makes the backup after that.
            let mut any = false;
            for ((at, _), outcomes) in files.iter().zip(applied.outcomes.chunks(2)) {
                if let Some(why) = outcomes.last().and_then(effects::not_done) {
                    out.failed.push((path(*at), why));
                    continue;
                }
                any = true;
                if let Some(why) = outcomes.first().and_then(effects::not_done) {
                    report.warnings.push(format!("no .bak was made ({why}); undo has the old text"));
                    out.bare.push(path(*at));
                }
            }
            out.runs.extend(Some(applied.run_id).filter(|id| any && !id.is_empty()));
        }
        self.confirm(fix, &mut out.failed);
        Ok(out)
    }

    /// Reads again: what is reported as written is there.
    fn confirm(&self, fix: &Fix, failed: &mut Vec<Failed>) {
        for (at, old) in self.files.sources.0.iter().enumerate() {
            let new = &fix.sources.0[at].text;
            let is_there = || crate::fsx::read::read_regular(&real(&old.path)).is_ok_and(|(b, _)| b == new.as_bytes());
            if old.text != *new && !failed.iter().any(|(path, _)| *path == old.path) && !is_there() {
                failed.push((old.path.clone(), "somebody else wrote it right after".to_owned()));
            }
        }
    }
}

/// The owner of the sessions has no say in who writes the configuration: consent was asked for before.
fn consented() -> OwnerVerdict {
    let evidence = crate::model::owner::OwnerEvidence {
        endpoint: String::new(),
        endpoint_origin: String::new(),
        connect: Connect::NotTried("not asked: no session is touched".to_owned()),
        greeting: None,
        several_listen: false,
        stop: None,
        locks: Vec::new(),
        container: false,
        network_fs: false,
        newest_write_age: None,
        remote_mode: false,
    };
    OwnerVerdict { writer: Writer::Foreign, why: "no session is touched".to_owned(), evidence }
}

fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// The file that is written, where the name is a link.
fn link_target(path: &Path) -> Option<PathBuf> {
    let is_link = path.symlink_metadata().is_ok_and(|meta| meta.is_symlink());
    is_link.then(|| real(path))
}

fn backup_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".bak");
    name.into()
}
