//! Reports of hand-made plans.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::sync::Arc;

use super::human::{self, Look};
use super::input::{CleanupReport, StoreReport};
use super::vocabulary::Tally;
use crate::error::{Error, Kind as ErrorKind};
use crate::model::decision::{Decision, Finality, Reason, Subject, Verdict};
use crate::model::effect::{Effect, FileRef, NewName, SwapIndex};
use crate::model::facts::{Facts, JobsFacts};
use crate::model::fingerprint::{Fingerprint, Kind};
use crate::model::folder::{ArchiveReason, Artefact, Class, FolderFacts};
use crate::model::index::{IndexFacts, Layout, Row, Span, Text, TimeField};
use crate::model::outcome::{Applied, Outcome, Skip};
use crate::model::plan::{BudgetLedger, ForeignFiles, Plan, PlannedEffect, Suspicion};
use crate::model::policy::{Mode, Policy};
use crate::model::sourced::{Limit, Origin, Sourced};
use crate::model::stores::{Agent, Generation, Target, TargetOrigin};
use crate::model::{DAY, HOUR, Ms};
use crate::report::style::Style;

const NOW: Ms = 1_777_622_400_000;

fn fp(size: u64) -> Fingerprint {
    Fingerprint {
        dev: 1,
        ino: 1,
        size,
        mtime_ns: (NOW - 40 * DAY) * 1_000_000,
        ctime_ns: 0,
        blocks: 0,
        nlink: 1,
        uid: 0,
        gid: 0,
        mode: 0o600,
        kind: Kind::File,
    }
}

fn file(name: &str, class: Class, stem: usize, size: u64) -> Artefact {
    Artefact {
        name: Box::from(OsStr::new(name)),
        class,
        stem_len: u16::try_from(stem).unwrap(),
        stamp: None,
        fp: fp(size),
    }
}

/// Rows `(key, session id, age)` as an index whose text holds keys and ids one after the other.
fn index(rows: &[(&str, &str, Ms)]) -> IndexFacts {
    let mut text = Vec::new();
    let mut put = |s: &str| {
        let start = u32::try_from(text.len()).unwrap();
        text.extend_from_slice(s.as_bytes());
        Text { span: Span { start, end: u32::try_from(text.len()).unwrap() }, escaped: false }
    };
    let rows = rows
        .iter()
        .map(|(key, id, age)| Row {
            key: put(key),
            value: Span::default(),
            session_id: Some(put(id)),
            session_file: None,
            chat_type: None,
            status: None,
            updated_at: TimeField::Ms(NOW - age),
            last_interaction_at: TimeField::Missing,
            session_started_at: TimeField::Missing,
            refs: Span::default(),
            odd: None,
            shadowed: false,
        })
        .collect();
    IndexFacts {
        path: PathBuf::from("/s/agents/main/sessions/sessions.json"),
        fp: fp(0),
        bytes: Arc::from(text),
        layout: Layout::default(),
        rows,
        references: Vec::new(),
    }
}

fn facts() -> Facts {
    let index = index(&[
        ("agent:main:main", "id0", HOUR),
        ("agent:main:stale", "id1", 45 * DAY),
        ("agent:main:cron:job:run:1", "id2", 3 * DAY),
        ("agent:main:slack:channel:c1", "id3", 90 * DAY),
        ("agent:main:over\u{1b}[31m", "id4", 2 * DAY),
    ]);
    let entries = vec![
        file("id0.jsonl", Class::Transcript, 3, 1000),
        file("id1.jsonl", Class::Transcript, 3, 2000),
        file("old.jsonl.deleted.2026-01-01T00-00-00.000Z", Class::Archive(ArchiveReason::Deleted), 3, 500),
        file("orphan.jsonl", Class::Transcript, 6, 300),
        file("sessions.json", Class::Index, 13, 900),
        file("sessions.json.1.tmp", Class::Temp, 19, 10),
    ];
    Facts {
        index,
        folder: FolderFacts { path: PathBuf::from("/s/agents/main/sessions"), entries, ..FolderFacts::default() },
        row_files: Vec::new(),
        members: Vec::new(),
        jobs: JobsFacts::NotApplicable,
        record: None,
        left_behind: Default::default(),
        agent_shape: true,
    }
}

fn decide(subject: Subject, verdict: Verdict, reason: Reason, bytes: u64, finality: Finality) -> Decision {
    Decision { subject, verdict, reason, bytes, finality, goes_at: None }
}

fn plan(facts: &Facts) -> Plan {
    use Finality::{Archived, Final, None, Reversible};
    use Reason as R;
    use Subject::{File, Row};
    use Verdict::{Archive, Drop, Hold, Keep, Unlink};
    let decisions = vec![
        decide(Row(0), Keep, R::MainSession, 100, None),
        decide(Row(1), Drop, R::Stale, 100, Reversible),
        decide(Row(2), Drop, R::CronRun, 100, Reversible),
        decide(Row(3), Keep, R::Protected, 100, None),
        decide(Row(4), Hold, R::LiveLock, 100, None),
        decide(File(0), Keep, R::Owned, 1000, None),
        decide(File(1), Archive, R::SessionRemoved, 2000, Archived),
        decide(File(2), Unlink, R::DeletedExpired, 500, Final),
        decide(File(3), Unlink, R::OrphanEmpty, 300, Final),
        decide(File(4), Keep, R::NotOurs, 900, None),
        decide(File(5), Unlink, R::TempLeftover, 10, Final),
    ];
    let at = |ix: usize| FileRef { name: facts.folder.entries[ix].name.to_os_string(), fp: fp(0) };
    let unlink = |decision, ix, already_final| PlannedEffect {
        decision: Some(decision),
        effect: Effect::Unlink { file: at(ix), already_final },
    };
    let effects = vec![
        PlannedEffect {
            decision: Option::None,
            effect: Effect::SwapIndex(SwapIndex {
                path: facts.index.path.clone(),
                fp: fp(0),
                drop: vec![1, 2],
                insert: vec![],
            }),
        },
        PlannedEffect {
            decision: Some(6),
            effect: Effect::Move { file: at(1), to: NewName::Given("id1.jsonl.deleted.x".into()) },
        },
        unlink(7, 2, true),
        unlink(8, 3, false),
        unlink(10, 5, true),
    ];
    Plan {
        folder: facts.folder.path.clone(),
        now: NOW,
        decisions,
        effects,
        rows_before: 5,
        rows_after: 3,
        budget: Some(BudgetLedger {
            before: 4710,
            max: 3000,
            high_water: 1500,
            after: 1900,
            pending: 2000,
            removed_files: 0,
            removed_rows: 0,
            freed: 0,
            foreign: ForeignFiles::default(),
        }),
        cap_shortfall: 2,
        suspicion: Option::None,
        ownership_incomplete: Vec::new(),
        max_remove_hit: Option::None,
        warnings: vec!["1 row is odd".to_owned()],
    }
}

fn policy(mode: Mode) -> Policy {
    let off = |key| Sourced::default_for(key, Limit::Off);
    let days = |key, n: Ms| Sourced::default_for(key, Limit::At(n * DAY));
    Policy {
        mode: Sourced::default_for("session.maintenance.mode", mode),
        prune_after: Sourced {
            value: Limit::At(30 * DAY),
            key: "session.maintenance.pruneAfter",
            origin: Origin::Config { path: "/s/openclaw.json".into() },
        },
        max_entries: Sourced::from_flag("session.maintenance.maxEntries", "--max-entries", Limit::At(1)),
        max_disk: Sourced::default_for("session.maintenance.maxDiskBytes", Limit::At(3000)),
        high_water: Sourced::default_for("session.maintenance.highWaterBytes", Limit::At(1500)),
        final_after: days("session.maintenance.pruneAfter", 30),
        deleted_retention: days("deletedRetention", 30),
        reset_retention: off("session.maintenance.resetArchiveRetention"),
        cron_retention: days("cron.sessionRetention", 1),
        grace: Sourced::default_for("grace", 600_000),
        fix_missing: true,
        fix_dm_scope: false,
        files_only: false,
        active_keys: Vec::new(),
        keep: Vec::new(),
        main_key: "main".to_owned(),
        max_remove: None,
        archive_to: None,
        override_suspect: false,
        agent_id: "main".to_owned(),
    }
}

fn target(agent: &str) -> Target {
    Target {
        agent_id: agent.to_owned(),
        store_path: format!("/s/agents/{agent}/sessions/sessions.json").into(),
        origin: TargetOrigin::DefaultLayout,
        generation: Generation::Json,
    }
}

fn applied(outcomes: Vec<Outcome>) -> Applied {
    Applied { run_id: "20260501-080000-1a2b".to_owned(), outcomes, swapped: true, ..Applied::default() }
}

fn all_done() -> Vec<Outcome> {
    [0, 0, 500, 300, 10].into_iter().map(|freed| Outcome::Done { freed }).collect()
}

const LOOK: Look = Look { style: Style::PLAIN, width: 100, verbose: false, now: NOW };

/// Hands a report of one store, changed by `change`, to `check`.
fn with<T>(mode: Mode, change: impl FnOnce(&mut StoreReport), check: impl FnOnce(&CleanupReport) -> T) -> T {
    let (facts, policy, target) = (facts(), policy(mode), target("main"));
    let plan = plan(&facts);
    let mut store = StoreReport::new(&target, &Origin::Default, &policy);
    (store.facts, store.plan) = (Some(&facts), Some(&plan));
    // The closure gets a shorter borrow than the report keeps, which is all that a change needs.
    change(&mut store);
    check(&CleanupReport { stores: vec![store], not_looked_at: &[], all_agents: false })
}

/// The report as JSON; every one that a test makes must be what the schema allows.
fn json(report: &CleanupReport) -> serde_json::Value {
    let value = serde_json::to_value(super::json::Report(report)).unwrap();
    crate::report::schema_tests::assert_valid("sessions-cleanup.json", &value);
    value
}

#[test]
fn a_preview_for_people() {
    let text = with(Mode::Warn, |s| s.dry_run = true, |r| human::text(r, &LOOK));
    insta::assert_snapshot!(text);
}

#[test]
fn a_preview_for_programs() {
    let text = with(Mode::Warn, |s| s.dry_run = true, |r| crate::report::json::text(&super::json::Report(r)));
    insta::assert_snapshot!(text);
}

#[test]
fn a_deed_for_people() {
    let text = with_applied(all_done(), |r| human::text(r, &LOOK));
    insta::assert_snapshot!(text);
}

#[test]
fn a_deed_that_went_wrong_in_part() {
    let outcomes = vec![
        Outcome::Done { freed: 0 },
        Outcome::Skipped(Skip::LockedNow),
        Outcome::Failed("cannot unlink old: permission denied".to_owned()),
        Outcome::Done { freed: 300 },
        Outcome::NotReached,
    ];
    with_applied(outcomes, |r| {
        insta::assert_snapshot!(human::text(r, &LOOK));
        let value = json(r);
        assert_eq!(value["archivedFiles"], 0);
        assert_eq!(value["expiredArchives"], 0);
        assert_eq!(value["bytesFreedNow"], 300);
        assert_eq!(value["skipped"].as_array().unwrap().len(), 3);
        assert_eq!(value["diskBudget"]["totalBytesAfter"], 1900 + 2000 + 500 + 10);
        assert_eq!(value["diskBudget"]["pendingBytes"], 0);
    });
}

fn with_applied<T>(outcomes: Vec<Outcome>, check: impl FnOnce(&CleanupReport) -> T) -> T {
    let (facts, policy, target) = (facts(), policy(Mode::Enforce), target("main"));
    let (plan, applied) = (plan(&facts), applied(outcomes));
    let mut store = StoreReport::new(&target, &Origin::Default, &policy);
    (store.facts, store.plan, store.applied) = (Some(&facts), Some(&plan), Some(&applied));
    store.planned_only = false;
    check(&CleanupReport { stores: vec![store], not_looked_at: &[], all_agents: false })
}

#[test]
fn preview_and_deed_have_the_same_numbers() {
    let preview = with(Mode::Enforce, |s| s.dry_run = true, json);
    let deed = with_applied(all_done(), json);
    for name in [
        "beforeCount",
        "afterCount",
        "pruned",
        "cronPruned",
        "unreferencedArtifacts",
        "diskBudget",
        "archivedFiles",
        "archivedBytes",
        "expiredArchives",
        "tempLeftovers",
        "bytesFreedNow",
        "bytesFreedLater",
        "heldBy",
        "kept",
        "wouldMutate",
    ] {
        assert_eq!(preview[name], deed[name], "{name}");
    }
    assert_eq!(deed["appliedCount"], 3);
    assert!(preview.get("applied").is_none());
}

#[test]
fn a_swap_that_failed_removed_no_row() {
    let mut outcomes = all_done();
    outcomes[0] = Outcome::Skipped(Skip::Changed);
    with_applied(outcomes, |r| {
        let tally = Tally::of(&r.stores[0]);
        assert_eq!((tally.before, tally.after, tally.stale, tally.cron), (5, 5, 0, 0));
    });
}

#[test]
fn duplicate_keys_count_once() {
    let (mut facts, policy, target) = (facts(), policy(Mode::Warn), target("main"));
    let plan = plan(&facts);
    facts.index.rows[1].shadowed = true;
    let mut store = StoreReport::new(&target, &Origin::Default, &policy);
    (store.facts, store.plan) = (Some(&facts), Some(&plan));
    assert_eq!(Tally::of(&store).stale, 0);
}

#[test]
fn the_last_line_of_a_run_that_wrote_nothing_says_so() {
    let last = |mode, dry_run| {
        let text = with(mode, |s| s.dry_run = dry_run, |r| human::text(r, &LOOK));
        text.lines().last().unwrap_or_default().to_owned()
    };
    assert_eq!(
        last(Mode::Warn, true),
        "Dry run: nothing was changed. To do it: clawkeep sessions cleanup --enforce --agent main --fix-missing \
         --max-entries 1"
    );
    assert_eq!(
        last(Mode::Warn, false),
        "Mode warn: nothing was changed. The gateway itself enforces its limits by default. To do it now: clawkeep \
         sessions cleanup --enforce --agent main --fix-missing --max-entries 1"
    );
    let done = with_applied(all_done(), |r| human::text(r, &LOOK));
    assert!(!done.contains("nothing was changed") && !done.contains("would"), "{done}");
}

#[test]
fn people_see_twenty_items_and_programs_all() {
    let (mut facts, policy, target) = (facts(), policy(Mode::Warn), target("main"));
    let keys: Vec<String> = (0..300).map(|n| format!("agent:main:subagent:{n}")).collect();
    let rows: Vec<_> = keys.iter().map(|k| (k.as_str(), "id", 40 * DAY)).collect();
    facts.index = index(&rows);
    let mut plan = plan(&facts);
    plan.decisions =
        (0..300).map(|n| decide(Subject::Row(n), Verdict::Drop, Reason::Stale, 100, Finality::Reversible)).collect();
    let mut store = StoreReport::new(&target, &Origin::Default, &policy);
    (store.facts, store.plan) = (Some(&facts), Some(&plan));
    let report = CleanupReport { stores: vec![store], not_looked_at: &[], all_agents: false };
    let text = human::text(&report, &LOOK);
    assert_eq!(text.matches("agent:main:subagent:").count(), human::ITEM_LINES);
    assert!(text.contains("280 more: -v or --json"), "{text}");
    assert_eq!(human::text(&report, &Look { verbose: true, ..LOOK }).matches("agent:main:subagent:").count(), 300);
    assert_eq!(json(&report)["decisions"].as_array().unwrap().len(), 300);
}

#[test]
fn several_stores_each_tell_their_own_story() {
    let policy = policy(Mode::Enforce);
    let (main, broken, new) = (target("main"), target("broken"), target("new"));
    let facts = facts();
    let mut plan = plan(&facts);
    plan.suspicion = Some(Suspicion::Shrunk { recorded: 40, now: 5, at: NOW - DAY });
    plan.ownership_incomplete.push(("/s/agents/x/sessions/sessions.json".into(), "permission denied".to_owned()));
    plan.max_remove_hit = Some(12);
    let error = Error::new(ErrorKind::Failed, "the index is damaged").hint("clawkeep sessions repair");
    let not_looked_at =
        [Agent { id: "ghost".to_owned(), configured: false }, Agent { id: "b".to_owned(), configured: true }];
    let mut first = StoreReport::new(&main, &Origin::Default, &policy);
    (first.facts, first.plan, first.pending_run) = (Some(&facts), Some(&plan), Some("20260430-1".to_owned()));
    let mut second = StoreReport::new(&broken, &Origin::Default, &policy);
    second.error = Some(&error);
    let mut third = StoreReport::new(&new, &Origin::Default, &policy);
    third.skipped = Some(("absent", "the agent has no sessions folder yet".to_owned()));
    let report = CleanupReport { stores: vec![first, second, third], not_looked_at: &not_looked_at, all_agents: true };
    insta::assert_snapshot!(human::text(&report, &LOOK));
    let value = json(&report);
    assert_eq!(value["stores"].as_array().unwrap().len(), 3);
    assert_eq!(value["stores"][1]["error"]["message"], "the index is damaged");
    assert!(value["stores"][1].get("pruned").is_none(), "a failed store has no numbers");
    assert_eq!(value["stores"][2]["storeSkipped"]["reason"], "absent");
    assert_eq!(value["stores"][2]["pruned"], 0);
    assert_eq!(value["notLookedAt"][0]["agentId"], "ghost");
}

#[test]
fn control_characters_stay_out_of_the_text() {
    let text = with(Mode::Warn, |_| (), |r| human::text(r, &Look { verbose: true, ..LOOK }));
    assert!(text.contains("agent:main:over\\x1b[31m"), "{text}");
    assert!(!text.chars().any(|c| c.is_control() && c != '\n'));
}
