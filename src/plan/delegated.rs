//! A cleanup that the gateway does for us: what has to be kept beforehand, and what is told afterwards.
//!
//! The gateway's rules are not ours, so what it takes cannot be foreseen. What it *could* take is every session file of the
//! folder. Afterwards each row and file that is gone is told with our reason, if our rules wanted it too, else as taken by
//! the gateway; and what our rules wanted and the gateway left is told as well.

use std::collections::HashMap;
use std::ffi::OsString;

use crate::model::decision::{Decision, Finality, Reason, Subject, Verdict};
use crate::model::effect::{Effect, FileRef, NewName, SwapIndex};
use crate::model::facts::Facts;
use crate::model::folder::Class;
use crate::model::outcome::Outcome;
use crate::model::plan::{Plan, PlannedEffect};

use super::draft::index32;

/// Every file that the gateway could take, to be kept. The decisions are those of `plan`.
#[must_use]
pub fn guards(facts: &Facts, plan: &Plan) -> Plan {
    let spared = |class| matches!(class, Class::Index | Class::Lock | Class::Own | Class::Temp);
    let entries = facts.folder.entries.iter().enumerate().filter(|(_, f)| f.is_file() && !spared(f.class));
    let effects = entries.map(|(ix, file)| {
        let decision = decision_of(plan, facts, ix).filter(|at| plan.decisions[*at as usize].verdict.acts());
        let file = FileRef { name: file.name.clone().into(), fp: file.fp };
        PlannedEffect { decision, effect: Effect::Guard { file } }
    });
    Plan { effects: effects.collect(), budget: None, ..plan.clone() }
}

/// Position of the decision about a file: they come after those about rows, in folder order.
fn decision_of(plan: &Plan, facts: &Facts, file: usize) -> Option<u32> {
    let at = facts.index.rows.len() + file;
    plan.decisions.get(at).is_some_and(|d| d.subject == Subject::File(index32(file))).then(|| index32(at))
}

/// What left.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Left {
    /// Positions of rows.
    pub rows: Vec<u32>,
    /// Names of files, with the archive name that each has now, if it has one.
    pub files: Vec<(OsString, Option<OsString>)>,
}

/// The plan as it would have been, had it said what came to pass, and its outcomes.
#[must_use]
pub fn told(facts: &Facts, plan: &Plan, left: &Left) -> (Plan, Vec<Outcome>) {
    let mut told = Plan { effects: Vec::new(), budget: None, ..plan.clone() };
    let mut gone_rows = vec![false; facts.index.rows.len()];
    for row in &left.rows {
        if let Some(gone) = gone_rows.get_mut(*row as usize) {
            *gone = true;
        }
    }
    let gone_files: HashMap<&OsString, &Option<OsString>> = left.files.iter().map(|(n, a)| (n, a)).collect();
    if !left.rows.is_empty() {
        let (path, fp) = (facts.index.path.clone(), facts.index.fp);
        let swap = SwapIndex { path, fp, drop: left.rows.clone(), insert: Vec::new() };
        told.effects.push(PlannedEffect { decision: None, effect: Effect::SwapIndex(swap) });
    }
    for at in 0..told.decisions.len() {
        match told.decisions[at].subject {
            Subject::Row(ix) => {
                let gone = gone_rows.get(ix as usize).copied().unwrap_or(false);
                tell(&mut told.decisions[at], gone.then_some((Verdict::Drop, Finality::Reversible)));
            }
            Subject::File(ix) => {
                let entry = &facts.folder.entries[ix as usize];
                let name: OsString = entry.name.clone().into();
                let archive = gone_files.get(&name);
                tell(
                    &mut told.decisions[at],
                    archive.map(|archive| match archive {
                        Some(_) => (Verdict::Archive, Finality::Archived),
                        None => (Verdict::Stow, Finality::Reversible),
                    }),
                );
                if let Some(archive) = archive {
                    let file = FileRef { name, fp: entry.fp };
                    let effect = match archive {
                        Some(to) => Effect::Move { file, to: NewName::Given(to.clone()) },
                        None => Effect::Stow { file },
                    };
                    told.effects.push(PlannedEffect { decision: Some(index32(at)), effect });
                }
            }
        }
    }
    let live = |row: &u32| facts.index.rows.get(*row as usize).is_some_and(|row| !row.shadowed);
    told.rows_after = told.rows_before.saturating_sub(left.rows.iter().filter(|r| live(r)).count() as u64);
    let outcomes = vec![Outcome::Done { freed: 0 }; told.effects.len()];
    (told, outcomes)
}

fn tell(decision: &mut Decision, gone: Option<(Verdict, Finality)>) {
    let wanted = decision.verdict.acts();
    match gone {
        Some((verdict, finality)) => {
            if !wanted {
                decision.reason = Reason::GatewayTook;
            }
            (decision.verdict, decision.finality, decision.goes_at) = (verdict, finality, None);
        }
        None if wanted => {
            (decision.verdict, decision.finality) = (Verdict::Keep, Finality::None);
            decision.reason = Reason::GatewayLeft;
        }
        None => {}
    }
}

/// Rows that a keep pattern protects and that would go without it. The gateway knows no pattern.
pub fn kept_by_pattern(facts: &Facts, with: &Plan, without: &Plan) -> Vec<String> {
    let pairs = with.decisions.iter().zip(&without.decisions);
    let at_risk = pairs.filter_map(|(with, without)| match with.subject {
        Subject::Row(ix) if with.reason == Reason::KeepPattern && without.verdict.acts() => Some(ix),
        _ => None,
    });
    at_risk.map(|ix| facts.index.key(&facts.index.rows[ix as usize]).into_owned()).collect()
}
