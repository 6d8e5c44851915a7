use std::collections::HashMap;
use std::path::PathBuf;

use super::*;
use crate::model::facts::JobsFacts;
use crate::model::fingerprint::{Fingerprint, Kind};
use crate::model::folder::FolderFacts;
use crate::model::kept::{KeptRun, KeptSnapshot};
use crate::model::probe::{HeaderState, OrphanProbe, UserTurns};
use crate::model::sourced::Sourced;
use crate::model::stores::{MemberState, StoreMember};
use crate::model::{DAY, HOUR, MINUTE};
use crate::units::time;

const NOW: Ms = 1_777_622_400_000;
const LIVE: &str = "00000001-0000-4000-8000-000000000001";
const JUNK: &str = "00000002-0000-4000-8000-000000000002.jsonl";
const HISTORY: &str = "00000003-0000-4000-8000-000000000003.jsonl";

fn fingerprint(ino: u64, size: u64, modified: Ms) -> Fingerprint {
    let ns = modified * 1_000_000;
    Fingerprint {
        dev: 1,
        ino,
        size,
        mtime_ns: ns,
        ctime_ns: ns,
        blocks: size.div_ceil(512),
        nlink: 1,
        uid: 0,
        gid: 0,
        mode: 0o600,
        kind: Kind::File,
    }
}

struct Store {
    facts: Facts,
    probes: Probes,
    kept: Kept,
}

/// A store with one live session and these further files: `(name, age, bytes)`.
fn store(files: &[(String, Ms, u64)]) -> Store {
    let text = format!(r#"{{"agent:main:main":{{"sessionId":"{LIVE}","updatedAt":{}}}}}"#, NOW - HOUR);
    let mut all = vec![("sessions.json".to_owned(), HOUR, text.len() as u64), (format!("{LIVE}.jsonl"), HOUR, 4096)];
    all.extend_from_slice(files);
    all.sort();
    let entries: Vec<Artefact> = (1..)
        .zip(&all)
        .map(|(ino, (name, age, size))| {
            let named = crate::scan::names::classify(name.as_ref(), Some("sessions.json".as_ref()));
            Artefact {
                name: OsString::from(name).into(),
                class: named.class,
                stem_len: named.stem_len,
                stamp: named.stamp,
                fp: fingerprint(ino, *size, NOW - age),
            }
        })
        .collect();
    let folder = FolderFacts { path: "/s/agents/main/sessions".into(), entries, ..FolderFacts::default() };
    let path = PathBuf::from("/s/agents/main/sessions/sessions.json");
    let fp = folder.entries[folder.find("sessions.json".as_ref()).unwrap()].fp;
    let index = crate::store::parse::parse(path, fp, text.into_bytes().into()).unwrap();
    let mut probes = Probes::default();
    for (name, turns) in [(JUNK, UserTurns::None), (HISTORY, UserTurns::Seen)] {
        if let Some(ix) = folder.find(name.as_ref()) {
            let header = HeaderState::Valid { id: name.trim_end_matches(".jsonl").into(), parent: None, at: None };
            probes.orphans.insert(index32(ix), OrphanProbe { header, turns });
        }
    }
    let facts = Facts {
        row_files: crate::store::refs::all_row_files(&crate::store::refs::FolderIndex::new(&folder), &index),
        index,
        folder,
        members: Vec::new(),
        jobs: JobsFacts::NotApplicable,
        record: None,
        left_behind: Default::default(),
        agent_shape: true,
    };
    Store { facts, probes, kept: Kept::default() }
}

fn base() -> Policy {
    use crate::model::policy::{DEFAULT_GRACE, Mode};
    let at = |days: Ms| Sourced::default_for("session.maintenance.pruneAfter", Limit::At(days * DAY));
    Policy {
        mode: Sourced::default_for("session.maintenance.mode", Mode::Enforce),
        prune_after: at(30),
        final_after: at(30),
        max_entries: Sourced::default_for("session.maintenance.maxEntries", Limit::At(1)),
        max_disk: Sourced::default_for("session.maintenance.maxDiskBytes", Limit::At(1000)),
        high_water: Sourced::default_for("session.maintenance.highWaterBytes", Limit::At(800)),
        deleted_retention: at(30),
        reset_retention: at(30),
        cron_retention: Sourced::default_for("cron.sessionRetention", Limit::At(DAY)),
        grace: Sourced::default_for("grace", DEFAULT_GRACE),
        fix_missing: true,
        fix_dm_scope: false,
        files_only: false,
        active_keys: Vec::new(),
        keep: Vec::new(),
        main_key: "main".into(),
        max_remove: None,
        archive_to: None,
        override_suspect: false,
        agent_id: "main".into(),
    }
}

fn archive(n: u32, reason: &str, age: Ms) -> (String, Ms, u64) {
    let name = format!("{n:08x}-0000-4000-8000-00000000000a.jsonl.{reason}.{}", time::stamp(NOW - age));
    (name, age, 1024)
}

/// One of everything.
fn full() -> Store {
    let mut store = store(&[
        archive(16, "deleted", 40 * DAY),
        archive(17, "reset", 50 * DAY),
        ("sessions.json.77.0000000a-0000-4000-8000-00000000000a.tmp".into(), 2 * DAY, 512),
        ("b.jsonl.bak-12-1700000000000".into(), 40 * DAY, 512),
        (format!("b.jsonl.bak-12-{}", NOW - DAY), DAY, 512),
        archive(18, "deleted", 3 * DAY),
        archive(19, "reset", 2 * DAY),
        archive(20, "deleted", MINUTE),
        (JUNK.into(), 40 * DAY, 2048),
        (HISTORY.into(), 40 * DAY, 8192),
        ("00000009-0000-4000-8000-000000000009.trajectory.jsonl".into(), 40 * DAY, 512),
        ("notes.txt".into(), 400 * DAY, 512),
        damaged("sessions.json", 50 * DAY),
        damaged("sessions.json", 40 * DAY),
        damaged("other.json", 60 * DAY),
        damaged("sessions.json", 3 * DAY),
        damaged("sessions.json", 2 * DAY),
    ]);
    let run = |id: &str, closed, age, frees| KeptRun { id: id.into(), closed, at: NOW - age, files: 1, frees };
    store.kept.runs = vec![run("r1", true, 9 * DAY, 700), run("r2", false, 8 * DAY, 700), run("r3", true, DAY, 0)];
    let snapshot = |n: u8, suspect| KeptSnapshot {
        name: format!("s{n}").into(),
        store: if n == 0 { "another" } else { "sessions" }.into(),
        at: NOW - DAY * Ms::from(10 - n),
        suspect,
        frees: 100,
    };
    store.kept.snapshots = vec![snapshot(0, false), snapshot(1, false), snapshot(2, false), snapshot(3, true)];
    store
}

fn damaged(index: &str, age: Ms) -> (String, Ms, u64) {
    (format!("{index}.damaged.{}", crate::units::time::stamp(NOW - age)), age, 512)
}

fn freeing(store: &Store, quota: u64) -> Freeing {
    plan(&store.facts, &store.probes, &policy(&base()), &store.kept, Archives::Take, quota, NOW)
}

fn taken_names(freeing: &Freeing) -> Vec<(Tier, String)> {
    let name = |effect: &PlannedEffect| match &effect.effect {
        Effect::Unlink { file, already_final: true } => file.name.to_string_lossy().into_owned(),
        other => panic!("only unlinks that need no byte: {other:?}"),
    };
    let mut files = freeing.plan.effects.iter().map(name);
    let label = |offer: &Offer, files: &mut dyn Iterator<Item = String>| match &offer.take {
        Take::Run(id) => id.clone(),
        Take::Snapshot(name) => name.to_string_lossy().into_owned(),
        Take::File(_) => files.next().unwrap(),
    };
    freeing.taken.iter().map(|o| (o.tier, label(o, &mut files))).collect()
}

#[test]
fn final_things_go_first_and_the_oldest_of_each_kind() {
    let store = full();
    let all = freeing(&store, u64::MAX);
    let tiers: Vec<Tier> = all.taken.iter().map(|o| o.tier).collect();
    use Tier::{Archive, DamagedIndex, ExpiredArchive, OrphanJunk, OrphanSidecar, RepairBackup, Snapshot, Temp, Undo};
    assert_eq!(
        tiers,
        [
            Undo,
            Snapshot,
            Snapshot,
            ExpiredArchive,
            ExpiredArchive,
            Temp,
            RepairBackup,
            DamagedIndex,
            DamagedIndex,
            OrphanJunk,
            OrphanSidecar,
            Archive,
            Archive,
        ]
    );
    let names = taken_names(&all);
    assert!(names[3].1.contains(".reset."), "50 days before 40 days: {names:?}");
    assert_eq!(all.runs, ["r1"], "an open run stays, one that frees nothing too");
    assert_eq!(all.snapshots, ["s1", "s3"], "the newest good one of each index stays");
    assert!(names[11].1.contains(".deleted.") && names[12].1.contains(".reset."));
    let kept = ["other.json.damaged.", &damaged("sessions.json", 3 * DAY).0, &damaged("sessions.json", 2 * DAY).0];
    assert!(!names.iter().any(|(_, n)| kept.iter().any(|k| n.starts_with(k))), "{names:?}");
    assert!(!names.iter().any(|(_, n)| n.contains(HISTORY) || n.contains(LIVE) || n.contains("notes")));
}

#[test]
fn archives_within_their_retention_stay_unless_asked_for() {
    let store = full();
    let kept = plan(&store.facts, &store.probes, &policy(&base()), &store.kept, Archives::Keep, u64::MAX, NOW);
    assert!(kept.taken.iter().all(|o| o.tier != Tier::Archive));
    assert_eq!((kept.offers.held_archives, kept.offers.held_bytes), (2, 2048));
    let taken = freeing(&store, u64::MAX);
    assert_eq!((taken.offers.held_archives, taken.offers.held_bytes), (0, 0));
    assert_eq!(taken.bytes(), kept.bytes() + 2048);
}

#[test]
fn it_stops_when_the_goal_is_met() {
    let store = full();
    for (quota, taken) in [(0, 0), (1, 1), (700, 1), (701, 2), (900, 3), (901, 4)] {
        let freeing = freeing(&store, quota);
        assert_eq!(freeing.taken.len(), taken, "{quota}");
        assert!(freeing.bytes() >= quota);
        assert_eq!(freeing.would_mutate(), taken > 0);
        let unlinked = freeing.plan.decisions.iter().filter(|d| d.verdict.acts()).count();
        assert_eq!(unlinked, freeing.plan.effects.len(), "decisions and effects say the same");
    }
}

#[test]
fn no_row_and_no_history_ever_goes() {
    let store = full();
    let all = freeing(&store, u64::MAX);
    assert_eq!(all.plan.rows_after, all.plan.rows_before);
    assert!(all.plan.decisions.iter().all(|d| !matches!(d.verdict, Verdict::Drop | Verdict::Archive | Verdict::Stow)));
    assert_eq!(all.offers.later, 8192);
    let reasons: Vec<Reason> = all.offers.in_the_way.iter().map(|w| w.reason).collect();
    for reason in [Reason::Owned, Reason::NotOurs, Reason::NewestBackup, Reason::WithinRetention] {
        assert!(reasons.contains(&reason), "{reason:?} not in {reasons:?}");
    }
}

#[test]
fn a_goal_out_of_reach_says_by_how_much() {
    let store = full();
    let offers = freeing(&store, 0).offers;
    let all: u64 = offers.offers.iter().map(|o| o.bytes).sum();
    let share = share(&[&offers], all + 5);
    assert_eq!((share.planned, share.missing), (all, 5));
    assert_eq!(super::share(&[&offers], all).missing, 0);
}

#[test]
fn a_goal_is_spread_over_stores_by_kind_and_age() {
    let old = store(&[archive(1, "deleted", 50 * DAY), archive(2, "deleted", 45 * DAY)]);
    let young = store(&[archive(3, "deleted", 47 * DAY), archive(4, "deleted", 5 * DAY)]);
    let (a, b) = (freeing(&old, 0).offers, freeing(&young, 0).offers);
    assert_eq!(share(&[&a, &b], 2048).quotas, [1024, 1024]);
    assert_eq!(share(&[&a, &b], 2049).quotas, [2048, 1024]);
    assert_eq!(share(&[&a, &b], 99_999).quotas, [2048, 2048]);
    assert_eq!(share(&[], 5), Share { quotas: vec![], planned: 0, missing: 5 });
}

#[test]
fn doubt_keeps() {
    let mut doubted = full();
    doubted.facts.record = Some(crate::model::facts::IndexRecord { rows: 500, at: NOW - DAY });
    let tiers: Vec<Tier> = freeing(&doubted, u64::MAX).taken.iter().map(|o| o.tier).collect();
    assert_eq!(tiers, [Tier::Undo, Tier::Snapshot, Tier::Snapshot], "an index that shrank: only what is our own");

    let mut unread = full();
    let state = MemberState::Failed("permission denied".into());
    unread.facts.members.push(StoreMember { path: "/s/agents/b/sessions/sessions.json".into(), state });
    let tiers: Vec<Tier> = freeing(&unread, u64::MAX).taken.iter().map(|o| o.tier).collect();
    assert!(!tiers.contains(&Tier::OrphanJunk) && !tiers.contains(&Tier::OrphanSidecar), "{tiers:?}");
    assert!(tiers.contains(&Tier::ExpiredArchive));
}

#[test]
fn archives_whose_retention_is_off_stay() {
    let store = full();
    let mut policy = policy(&base());
    policy.reset_retention.value = Limit::Off;
    let freeing = plan(&store.facts, &store.probes, &policy, &store.kept, Archives::Take, u64::MAX, NOW);
    assert!(!taken_names(&freeing).iter().any(|(_, name)| name.contains(".reset.")));
    assert!(freeing.offers.in_the_way.iter().any(|w| w.reason == Reason::RetentionOff && w.files == 2));
}

#[test]
fn a_name_frees_nothing_while_somebody_else_has_another() {
    let mut store = store(&[archive(1, "deleted", 50 * DAY)]);
    let at = store.facts.folder.entries.iter().position(|e| e.stamp.is_some()).unwrap();
    store.facts.folder.entries[at].fp.nlink = 2;
    assert!(freeing(&store, u64::MAX).taken.is_empty());
    let fp = store.facts.folder.entries[at].fp;
    store.kept.links = HashMap::from([((fp.dev, fp.ino), 1)]);
    assert_eq!(freeing(&store, u64::MAX).bytes(), 1024, "the other name is ours and goes too");
}

#[test]
fn what_is_packed_is_packed_before_it_goes() {
    let store = full();
    let mut policy = policy(&base());
    policy.archive_to = Some(Sourced::default_for("archiveTo", "/mnt/archive".into()));
    let all = plan(&store.facts, &store.probes, &policy, &store.kept, Archives::Take, u64::MAX, NOW);
    for planned in &all.plan.effects {
        match &planned.effect {
            Effect::PackThenUnlink { dest, already_final: true, .. } => {
                assert_eq!(dest, &PathBuf::from("/mnt/archive"))
            }
            Effect::Unlink { file, already_final: true } => {
                assert!(file.name.to_string_lossy().ends_with(".tmp"), "only temp files are not worth packing");
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn goals_in_bytes() {
    for (goal, free, total, bytes) in [
        (Goal::Need(5), None, None, Some(5)),
        (Goal::KeepFree(100), Some(30), None, Some(70)),
        (Goal::KeepFree(100), Some(300), None, Some(0)),
        (Goal::KeepFree(100), None, Some(1), None),
        (Goal::KeepFreePercent(10), Some(5), Some(1001), Some(96)),
        (Goal::KeepFreePercent(10), Some(500), Some(1000), Some(0)),
        (Goal::KeepFreePercent(10), Some(500), None, None),
    ] {
        assert_eq!(goal.bytes(free, total), bytes, "{goal:?}");
    }
    assert_eq!(Goal::KeepFreePercent(99).bytes(Some(0), Some(u64::MAX)).map(|b| b > u64::MAX / 100 * 98), Some(true));
}

#[test]
fn the_budget_policy_takes_nothing_by_age() {
    let policy = budget_policy(&base()).unwrap();
    assert_eq!((policy.max_disk.value, policy.high_water.value), (Limit::At(800), Limit::At(800)));
    assert_eq!(policy.max_entries.value, Limit::Off);
    assert!(!policy.files_only && !policy.fix_missing);
    let mut none = base();
    none.max_disk.value = Limit::Off;
    assert!(budget_policy(&none).is_none());
}
