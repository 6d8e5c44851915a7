//! The group `sessions`. Without a verb it lists, so the options of the list stand on the group itself.

use clap::{Args, Subcommand};

use super::check::CheckArgs;
use super::cleanup::CleanupArgs;
use super::list::ListArgs;
use super::repair::RepairArgs;
use super::restore::RestoreArgs;
use super::rm::RmArgs;
use super::runs::RunsArgs;
use super::show::ShowArgs;
use super::undo::UndoArgs;

/// List, explain, clean up and bring back sessions.
#[derive(Debug, Clone, Args)]
pub struct SessionsArgs {
    /// Options of the list; those that select stores count for every verb.
    #[command(flatten)]
    pub list: ListArgs,

    /// What to do; nothing: list.
    #[command(subcommand)]
    pub verb: Option<SessionsVerb>,
}

/// What to do with sessions.
#[derive(Debug, Clone, Subcommand)]
pub enum SessionsVerb {
    /// List the rows of a store, newest first
    #[command(visible_alias = "ls")]
    List(ListArgs),
    /// One row or file in full: its files, what protects it, which rule takes it when
    Show(ShowArgs),
    /// Remove what the retention rules no longer want; writes only with --enforce
    #[command(visible_aliases = ["prune", "gc"])]
    Cleanup(Box<CleanupArgs>),
    /// Look for damage in index and files; changes nothing
    #[command(visible_alias = "fsck")]
    Check(CheckArgs),
    /// Put back what a run took
    Undo(UndoArgs),
    /// Bring one session back from wherever something of it is left
    Restore(Box<RestoreArgs>),
    /// Remove chosen sessions, by key, id or pattern
    Rm(RmArgs),
    /// List the recorded runs, or let one go
    Runs(RunsArgs),
    /// Mend a damaged index, moved paths, locks of dead processes, leftovers
    Repair(Box<RepairArgs>),
}

impl SessionsArgs {
    /// The verb with everything that the group's options hand down, and the first option that it cannot use.
    pub fn resolve(self) -> (SessionsVerb, Option<&'static str>) {
        let Self { list, verb } = self;
        let list_only = list.first_list_only();
        let unused = list_only.or_else(|| list.reach.first());
        let select = &list.select;
        match verb {
            None => (SessionsVerb::List(list), None),
            Some(SessionsVerb::List(a)) => (SessionsVerb::List(a.inherit(&list)), None),
            Some(SessionsVerb::Show(a)) => {
                let reach = a.reach.clone().inherit(&list.reach);
                (SessionsVerb::Show(ShowArgs { select: a.select.clone().inherit(select), reach, ..a }), list_only)
            }
            Some(SessionsVerb::Cleanup(mut a)) => {
                a.select = a.select.clone().inherit(select);
                a.gateway.reach = a.gateway.reach.clone().inherit(&list.reach);
                (SessionsVerb::Cleanup(a), list_only)
            }
            Some(SessionsVerb::Check(a)) => {
                (SessionsVerb::Check(CheckArgs { select: a.select.clone().inherit(select), ..a }), unused)
            }
            Some(SessionsVerb::Repair(mut a)) => {
                a.select = a.select.clone().inherit(select);
                (SessionsVerb::Repair(a), unused)
            }
            Some(SessionsVerb::Undo(a)) => {
                (SessionsVerb::Undo(UndoArgs { select: a.select.clone().inherit(select), ..a }), unused)
            }
            Some(SessionsVerb::Restore(mut a)) => {
                a.select = a.select.clone().inherit(select);
                (SessionsVerb::Restore(a), unused)
            }
            Some(SessionsVerb::Rm(a)) => {
                (SessionsVerb::Rm(RmArgs { select: a.select.clone().inherit(select), ..a }), unused)
            }
            Some(SessionsVerb::Runs(a)) => {
                (SessionsVerb::Runs(RunsArgs { select: a.select.clone().inherit(select), ..a }), unused)
            }
        }
    }
}
