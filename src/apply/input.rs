//! What the executor is given.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::context::Context;
use crate::error::Result;
use crate::lock::run::RunLock;
use crate::model::effect::FileRef;
use crate::model::index::IndexFacts;
use crate::model::outcome::Recovered;
use crate::model::owner::OwnerVerdict;
use crate::model::plan::{Plan, PlannedEffect};
use crate::model::run::RunGroup;

/// Session behind an effect, for the journal and the audit log.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Label {
    /// Session key.
    pub key: Option<String>,
    /// Session id.
    pub id: Option<String>,
}

/// Questions that are asked again while the plan is carried out.
#[derive(Clone, Copy)]
pub struct Recheck<'a> {
    /// For each of these names of the folder: does a row of the store set, read afresh, lead to it now?
    /// An error means that it cannot be told, and then nothing is taken.
    pub owned_now: &'a dyn Fn(&[&OsStr]) -> Result<Vec<bool>>,
    /// Does a live (or unknown) lock hold the transcript of this name now?
    pub locked_now: &'a dyn Fn(&OsStr) -> bool,
    /// Who may write now.
    pub owner_now: &'a dyn Fn() -> OwnerVerdict,
    /// The owner may be there: no row is touched, the owner is not asked.
    pub files_only: bool,
}

/// One file to pack.
#[derive(Debug, Clone, Copy)]
pub struct ToPack<'a> {
    /// Folder of the file.
    pub folder: &'a Path,
    /// The file.
    pub file: &'a FileRef,
    /// Archive folder.
    pub dest: &'a Path,
}

/// Packs files and verifies the copies; gives, for each in order, the path of its copy once that is durable. The second
/// argument is the id of the run.
pub type Pack<'a> = &'a dyn Fn(&[ToPack<'_>], &str) -> Vec<Result<PathBuf>>;

/// How far the work is: what is being done, items done, items in all.
pub type Progress<'a> = &'a dyn Fn(&'static str, u64, u64);

/// One plan and everything needed to carry it out.
#[derive(Clone, Copy)]
pub struct ApplyInput<'a> {
    /// Clock, cancel flag, fault hook.
    pub ctx: &'a Context,
    /// The plan.
    pub plan: &'a Plan,
    /// The index the plan was made from. Needed if the plan swaps it.
    pub index: Option<&'a IndexFacts>,
    /// Folder whose `.clawkeep` keeps the run: the artefact folder, or the state folder for cron and configuration.
    pub own_dir: &'a Path,
    /// Our lock on `own_dir`. `None` only for files-only runs where there is no lock service.
    pub lock: Option<&'a RunLock>,
    /// Command in our words (`sessions cleanup`).
    pub command: &'a str,
    /// Arguments as given.
    pub argv: &'a [String],
    /// Override tokens that were given.
    pub overrides: &'a [String],
    /// Policy in force, as reported.
    pub policy_echo: &'a serde_json::Value,
    /// Run that this plan undoes.
    pub undoes: Option<&'a str>,
    /// It undoes only part of it.
    pub partly: bool,
    /// It leaves something of it behind that cannot come back.
    pub leaves: bool,
    /// Its place among the runs of one command, unless it is the first.
    pub group: Option<&'a RunGroup>,
    /// Session behind an effect.
    pub label: &'a dyn Fn(&PlannedEffect) -> Label,
    /// A budget, `--max-disk` or `disk free` is in force: on a full disk planned unlinks that need no index change are
    /// carried out one at a time, in plan order, until the journal fits.
    pub reclaim_by_unlink: bool,
    /// The index is doubted: its snapshot never displaces a good one.
    pub suspect: bool,
    /// Questions asked again on the way.
    pub recheck: Recheck<'a>,
    /// Packs files; needed if the plan has [`crate::model::effect::Effect::PackThenUnlink`].
    pub pack: Option<Pack<'a>>,
    /// Told before each file, for whoever watches.
    pub progress: Option<Progress<'a>>,
    /// Earlier runs that were recovered before planning, for the report.
    pub recovered: &'a [Recovered],
}
