//! Properties of the plan over generated states (DESIGN 7), with the policy table of SAFETY 4 as an independent oracle.
//!
//! The world is a model: see `shared/plan_world.rs`.

#![expect(clippy::unwrap_used, reason = "a test may panic")]
#![expect(clippy::disallowed_methods, reason = "the number of cases comes from outside")]

#[path = "shared/plan_world.rs"]
mod plan_world;

use std::collections::{HashMap, HashSet};

use clawkeep::model::decision::{Reason, Subject, Verdict};
use clawkeep::model::facts::JobsFacts;
use clawkeep::model::folder::Class;
use clawkeep::model::plan::Plan;
use clawkeep::model::{DAY, MINUTE};
use clawkeep::plan::keys;
use proptest::prelude::*;

use plan_world::{NOW, World, a_policy, a_world, settles};

fn config() -> ProptestConfig {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|c| c.parse().ok()).unwrap_or(600);
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

// ---------------------------------------------------------------------------------------------- properties

proptest! {
    #![proptest_config(config())]

    /// Kept + removed = input, and every decision is about one row or file.
    #[test]
    fn every_row_and_file_gets_exactly_one_decision(world in a_world(), policy in a_policy()) {
        let (facts, plan) = world.plan(&policy);
        prop_assert_eq!(plan.decisions.len(), facts.index.rows.len() + facts.folder.entries.len());
        let subjects: HashSet<Subject> = plan.decisions.iter().map(|d| d.subject).collect();
        prop_assert_eq!(subjects.len(), plan.decisions.len());
        let dropped = plan.decisions.iter().filter(|d| d.verdict == Verdict::Drop).count() as u64;
        prop_assert_eq!(plan.rows_before, plan.rows_after + dropped);
        let acting = plan.decisions.iter().filter(|d| d.verdict.acts() && matches!(d.subject, Subject::File(_))).count();
        let file_effects = plan.effects.iter().filter(|e| e.decision.is_some()).count();
        prop_assert_eq!(acting, file_effects);
    }

    /// Planning twice gives the same plan.
    #[test]
    fn planning_is_deterministic(world in a_world(), policy in a_policy()) {
        let (_, a) = world.plan(&policy);
        let (_, b) = world.plan(&policy);
        prop_assert_eq!(a.decisions, b.decisions);
        prop_assert_eq!(a.effects, b.effects);
    }

    /// With distinct times the order of rows in the index does not decide which of them stay.
    #[test]
    fn the_order_of_rows_does_not_matter(world in a_world(), policy in a_policy()) {
        let mut distinct = HashSet::new();
        let mut world = world;
        world.rows.retain(|(_, v)| v.contains("updatedAt") && distinct.insert(v.split("updatedAt").nth(1).unwrap().to_owned()));
        let mut reversed = world.clone();
        reversed.rows.reverse();
        let dropped = |w: &World| -> HashSet<(String, &'static str)> {
            let (facts, plan) = w.plan(&policy);
            plan.decisions.iter().filter(|d| d.verdict == Verdict::Drop).filter_map(|d| match d.subject {
                Subject::Row(r) => Some((facts.index.key(&facts.index.rows[r as usize]).into_owned(), d.reason.id())),
                Subject::File(_) => None,
            }).collect()
        };
        prop_assert_eq!(dropped(&world), dropped(&reversed));
    }

    /// A second pass at the same time wants nothing more, and changes no byte.
    #[test]
    fn deciding_after_applying_is_empty(world in a_world(), policy in a_policy()) {
        let settled = settles(&world, &policy);
        prop_assert!(settled.is_ok(), "{:?}", settled);
    }

    /// The table of SAFETY 4, checked without any code of the policies but the key predicates.
    #[test]
    fn no_policy_takes_what_it_must_not(world in a_world(), policy in a_policy()) {
        let (facts, plan) = world.plan(&policy);
        for decision in plan.decisions.iter().filter(|d| d.verdict == Verdict::Drop) {
            let Subject::Row(row) = decision.subject else { continue };
            let (key, value) = &world.rows[row as usize];
            let value: serde_json::Value = serde_json::from_str(value).unwrap();
            prop_assert!(value.is_object(), "an odd row went: {}", key);
            prop_assert!(!policy.files_only);
            let updated = value["updatedAt"].as_i64();
            let active = policy.active_keys.contains(&key.to_lowercase());
            let kept = !policy.keep.is_empty() && key.starts_with("hook:");
            prop_assert!(!active && !kept, "{} is active or kept", key);
            let own: Vec<String> = [value["sessionId"].as_str().map(|i| format!("{i}.jsonl")),
                value["sessionFile"].as_str().map(|p| p.rsplit('/').next().unwrap().to_owned())].into_iter().flatten().collect();
            prop_assert!(own.iter().all(|f| !world.locked.contains(f)), "{} has a live lock", key);
            let newest = own.iter().filter_map(|f| world.files.get(f)).map(|f| f.mtime).chain(updated.filter(|t| *t > 1_000_000_000_000)).max();
            if let Some(newest) = newest {
                prop_assert!(NOW - newest >= 10 * MINUTE, "{} is young", key);
                prop_assert!(value["status"] != "running" || NOW - newest >= DAY, "{} is running", key);
            }
            let standing = keys::standing(key, None, "main");
            if matches!(decision.reason, Reason::Stale | Reason::OverCap | Reason::OverBudget) {
                prop_assert!(!matches!(standing, keys::Standing::Main | keys::Standing::Protected), "{} went by {:?}", key, decision.reason);
                prop_assert!(value["updatedAt"].is_null() || updated.is_some_and(|t| t > 1_000_000_000_000 && t <= NOW + 5 * MINUTE), "{} has a suspect time", key);
            }
            if decision.reason == Reason::DmScope {
                prop_assert!(standing != keys::Standing::Main);
            }
            if decision.reason == Reason::CronJobGone {
                prop_assert!(key.contains(":cron:gone"), "{}", key);
                prop_assert!(world.jobs != JobsFacts::NotApplicable);
            }
            if decision.reason == Reason::CronJobDone {
                prop_assert!(key.contains(":cron:live"), "{}", key);
                let done = matches!(&world.jobs, JobsFacts::Usable { done, .. } if done.contains("live"));
                prop_assert!(done, "{} is of a job that is not done", key);
            }
            if decision.reason == Reason::MissingTranscript {
                prop_assert!(own.iter().all(|f| !world.files.contains_key(f)), "{} is not missing", key);
            }
        }
        let _ = facts;
    }

    /// Files: nothing a kept row leads to changes; nothing young, locked or foreign does; history is never unlinked.
    #[test]
    fn no_file_goes_that_must_stay(world in a_world(), policy in a_policy()) {
        let (facts, plan) = world.plan(&policy);
        let dropped: HashSet<u32> = plan.decisions.iter().filter(|d| d.verdict == Verdict::Drop).filter_map(|d| match d.subject {
            Subject::Row(r) => Some(r), Subject::File(_) => None }).collect();
        let mut owned: HashMap<String, u32> = HashMap::new();
        for (ix, (_, value)) in world.rows.iter().enumerate().filter(|(ix, _)| !dropped.contains(&(*ix as u32))) {
            let value: serde_json::Value = serde_json::from_str(value).unwrap();
            let ids = value["sessionId"].as_str().into_iter().chain(value["usageFamilySessionIds"].as_array().into_iter().flatten().filter_map(|v| v.as_str()));
            for id in ids {
                for suffix in [".jsonl", ".trajectory.jsonl", ".trajectory-path.json"] {
                    owned.insert(format!("{id}{suffix}"), ix as u32);
                }
            }
            if let Some(path) = value["sessionFile"].as_str() {
                owned.insert(path.rsplit('/').next().unwrap().to_owned(), ix as u32);
            }
        }
        for decision in plan.decisions.iter().filter(|d| d.verdict.acts()) {
            let Subject::File(ix) = decision.subject else { continue };
            let entry = &facts.folder.entries[ix as usize];
            let name = entry.name.to_str().unwrap();
            let file = &world.files[name];
            prop_assert!(!owned.contains_key(name), "{} is owned and went by {:?}", name, decision.reason);
            prop_assert!(!world.locked.contains(name), "{} is locked", name);
            if let Some(Ok(refs)) = &world.member {
                prop_assert!(!refs.iter().any(|r| r == name), "another store refers to {}", name);
            }
            prop_assert!(!matches!(entry.class, Class::Foreign | Class::Index | Class::Lock), "{} is not ours", name);
            if entry.class == Class::Transcript && decision.reason != Reason::SessionRemoved && decision.verdict == Verdict::Unlink {
                prop_assert!(!file.user, "history was unlinked: {}", name);
                prop_assert!(NOW - file.mtime >= 10 * MINUTE, "young: {}", name);
            }
            if world.member == Some(Err(())) {
                prop_assert!(!matches!(entry.class, Class::Transcript | Class::Checkpoint | Class::Trajectory | Class::TrajectoryPointer), "ownership is incomplete: {}", name);
            }
            if plan.suspicion.is_some() && !policy.override_suspect {
                prop_assert!(matches!(decision.reason, Reason::SessionRemoved | Reason::SidecarRemoved), "{:?} under suspicion", decision.reason);
            }
        }
    }

    /// The budget's arithmetic adds up, and it ends above the mark only if nothing it may take is left.
    #[test]
    fn the_budget_adds_up(world in a_world(), policy in a_policy()) {
        let (facts, plan) = world.plan(&policy);
        let Some(ledger) = plan.budget else { return Ok(()) };
        let before: u64 = facts.folder.entries.iter().map(|e| e.fp.size).sum();
        prop_assert_eq!(ledger.before, before);
        let mut after = world.clone();
        after.apply(&facts, &plan);
        let left: u64 = after.facts().folder.entries.iter().map(|e| e.fp.size).sum();
        let slack = 16 * (plan.rows_before - plan.rows_after) + 64;
        prop_assert!(ledger.on_disk_after().abs_diff(left) <= slack, "ledger {} disk {}", ledger.on_disk_after(), left);
        let free = plan.suspicion.is_none() && plan.max_remove_hit.is_none() && !policy.files_only && world.member != Some(Err(()));
        // No row answers for files that are not ours.
        let gone = dropped_by_policy(&plan) + ledger.foreign.bytes;
        if ledger.over_before() && ledger.shortfall() > ledger.foreign.bytes && free && ledger.before.saturating_sub(gone) > ledger.max {
            for decision in plan.decisions.iter().filter(|d| d.verdict == Verdict::Keep && d.reason == Reason::WithinLimits) {
                prop_assert!(!matches!(decision.subject, Subject::Row(_)), "a free row was left although the budget is not met");
            }
        }
    }

    /// `--max-remove` is all or nothing.
    #[test]
    fn max_remove_takes_nothing_when_hit(world in a_world(), policy in a_policy()) {
        let (_, plan) = world.plan(&policy);
        if plan.max_remove_hit.is_some() {
            prop_assert!(plan.effects.is_empty());
        }
    }
}

fn dropped_by_policy(plan: &Plan) -> u64 {
    let unlinked =
        plan.decisions.iter().filter(|d| matches!(d.verdict, Verdict::Unlink | Verdict::Stow | Verdict::Drop));
    unlinked.map(|d| d.bytes + 8).sum()
}

/// Every reason is produced by some generated state: a policy that never fires is not tested by the properties above.
#[test]
fn every_reason_is_seen() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::deterministic();
    let mut seen: HashSet<Reason> = HashSet::new();
    for _ in 0..4000 {
        let world = a_world().new_tree(&mut runner).unwrap().current();
        let policy = a_policy().new_tree(&mut runner).unwrap().current();
        seen.extend(world.plan(&policy).1.decisions.iter().map(|d| d.reason));
    }
    // These need a real disk (foreign homes, symlinks, our own folder) and have tests of their own there.
    let elsewhere = [
        Reason::PathElsewhere,
        Reason::NotRegular,
        Reason::OwnFolder,
        Reason::Migrated,
        Reason::UnknownLock,
        Reason::NameTooLong,
        Reason::BelowFolder,
        Reason::UnfinishedRun,
    ];
    // These belong to other planners, which have their own tables.
    let making_room = [Reason::RoomWanted, Reason::NotNeeded, Reason::Asked, Reason::GatewayTook, Reason::GatewayLeft];
    let never: Vec<&str> = Reason::ALL
        .iter()
        .filter(|r| !seen.contains(r) && !elsewhere.contains(r) && !making_room.contains(r))
        .map(|r| r.id())
        .collect();
    assert!(never.is_empty(), "never seen: {never:?}");
}
