//! What concerns more than one file: interrupted runs, other stores, other generations, other state folders.

use crate::model::check::CheckFacts;
use crate::model::facts::Facts;
use crate::model::finding::{Finding, FindingId, Place};
use crate::model::run::RunState;
use crate::model::stores::MemberState;

/// Everything but the other stores of the set.
pub fn findings(facts: &CheckFacts, found: &mut Vec<Finding>) {
    for run in &facts.runs {
        let place = || Place::file(&run.dir);
        match &run.state {
            RunState::Unfinished => {
                let evidence = format!("run {} was not closed", run.id);
                found.push(Finding::new(FindingId::PendingRun, place(), evidence).operand(run.id.as_str()));
            }
            RunState::TooNew(format) => {
                let evidence = format!("written by a newer program (format {format})");
                found.push(Finding::new(FindingId::RunUnreadable, place(), evidence));
            }
            RunState::Unreadable(why) => {
                found.push(Finding::new(FindingId::RunUnreadable, place(), why.clone()));
            }
            RunState::Done | RunState::RolledBack | RunState::Abandoned => {
                let lost = run.rows_lost.clone();
                found.extend(lost.map(|lost| Finding::new(FindingId::RunUnreadable, place(), lost)));
            }
        }
    }
    if let Some(why) = &facts.runs_unreadable {
        found.push(Finding::new(FindingId::RunUnreadable, Place::file(&facts.seen.folder().path), why.clone()));
    }
    if let Some(database) = facts.database() {
        let evidence = format!("the sessions are in {}", database.display());
        found.push(Finding::new(FindingId::NewerGeneration, Place::file(&facts.target.store_path), evidence));
    }
    if !facts.beside.is_empty() {
        let names: Vec<_> = facts.beside.iter().map(|name| name.to_string_lossy()).collect();
        let evidence = format!("also the folder of {}", names.join(", "));
        let finding = Finding::new(FindingId::SharedFolder, Place::file(&facts.seen.folder().path), evidence);
        found.push(finding.count(names.len() as u64 + 1));
    }
    for other in &facts.other_state_dirs {
        let evidence = "not looked at: is this the one that the gateway uses?";
        found.push(Finding::new(FindingId::OtherStateDir, Place::file(other), evidence));
    }
}

/// Stores of the set that cannot be read.
pub fn members(facts: &CheckFacts, whole: &Facts, found: &mut Vec<Finding>) {
    for member in &whole.members {
        if let MemberState::Failed(why) = &member.state {
            let evidence = format!("{why}; which files of {} are unowned cannot be told", facts.target.agent_id);
            found.push(Finding::new(FindingId::OwnershipIncomplete, Place::file(&member.path), evidence));
        }
    }
}
