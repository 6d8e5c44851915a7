//! The executor on real files: every effect, every skip, full disks, other writers, crashes at every operation.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::input::{ApplyInput, Label, Recheck};
use super::{conflict, execute, recover};
use crate::context::Context;
use crate::error::{Kind, Result};
use crate::fsx::fault::Faults;
use crate::fsx::read::lstat;
use crate::journal::{read, record, snapshot};
use crate::lock::run::RunLock;
use crate::model::Ms;
use crate::model::decision::{Decision, Finality, Reason, Subject, Verdict};
use crate::model::effect::{Effect, FileRef, RowInsert, SwapIndex};
use crate::model::index::{IndexFacts, IndexState};
use crate::model::outcome::{Applied, Outcome, Skip};
use crate::model::owner::{Connect, OwnerEvidence, OwnerVerdict, Writer};
use crate::model::plan::{Plan, PlannedEffect};
use crate::model::run::RunState;
use crate::plan::undo::{self, GatewayLimits, UndoFacts};

const NOW: Ms = 1_777_622_400_000;
const STAMP: &str = "2026-05-01T08-00-00.000Z";

/// In memory where there is such a place: thousands of runs sync several times each.
fn fast_tempdir() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap()
}

fn verdict(writer: Writer) -> OwnerVerdict {
    OwnerVerdict {
        writer,
        why: "test".into(),
        evidence: OwnerEvidence {
            endpoint: String::new(),
            endpoint_origin: String::new(),
            connect: Connect::Refused,
            locks: vec![],
            container: false,
            network_fs: false,
            newest_write_age: None,
            remote_mode: false,
        },
    }
}

/// A folder with four sessions and some files that no row leads to.
struct State {
    temp: tempfile::TempDir,
}

const ROWS: [&str; 4] = ["a", "b", "c", "d"];

impl State {
    fn new() -> Self {
        let state = Self { temp: fast_tempdir() };
        let rows: Vec<String> =
            ROWS.iter().map(|k| format!("  \"{k}\": {{\"sessionId\": \"{k}\", \"updatedAt\": 1.0e3}}")).collect();
        state.put("sessions.json", &format!("{{\n{}\n}}\n", rows.join(",\n")));
        for key in ROWS {
            state.put(&format!("{key}.jsonl"), &format!("transcript of {key}"));
        }
        state.put(&format!("old.jsonl.deleted.{STAMP}"), "expired");
        state.put("junk.jsonl", "junk");
        state.put("arch.jsonl.reset.2026-05-01T08-00-00.000Z", "budget");
        state.put("log.jsonl", "line 1\nline 2\n");
        state
    }

    fn dir(&self) -> PathBuf {
        self.temp.path().canonicalize().unwrap()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir().join(name)
    }

    fn put(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    fn has(&self, name: &str) -> bool {
        self.path(name).symlink_metadata().is_ok()
    }

    fn file(&self, name: &str) -> FileRef {
        FileRef { name: name.into(), fp: lstat(&self.path(name)).unwrap() }
    }

    fn index(&self) -> IndexFacts {
        match crate::store::read::read(&self.path("sessions.json")) {
            IndexState::Whole(index) => index,
            other => panic!("{other:?}"),
        }
    }

    /// Files by name with their content, our own folder and temp files left out.
    fn files(&self) -> BTreeMap<String, String> {
        std::fs::read_dir(self.dir())
            .unwrap()
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .filter(|n| !n.starts_with(".clawkeep"))
            .map(|n| (n.clone(), self.text(&n)))
            .collect()
    }

    fn swap(&self, drop: &[u32], insert: Vec<RowInsert>) -> Effect {
        let index = self.index();
        Effect::SwapIndex(SwapIndex { path: index.path, fp: index.fp, drop: drop.to_vec(), insert })
    }

    fn mv(&self, name: &str) -> Effect {
        Effect::Move { file: self.file(name), to: format!("{name}.deleted.{STAMP}").into() }
    }

    /// Rows a and c go, with one effect of every kind that cleanup has.
    fn plan(&self) -> Plan {
        let expired = Effect::Unlink { file: self.file(&format!("old.jsonl.deleted.{STAMP}")), already_final: true };
        let budget = Effect::Unlink { file: self.file(&format!("arch.jsonl.reset.{STAMP}")), already_final: false };
        let effects = vec![
            (Reason::Stale, self.swap(&[0, 2], vec![])),
            (Reason::SessionRemoved, self.mv("a.jsonl")),
            (Reason::SessionRemoved, self.mv("c.jsonl")),
            (Reason::OrphanJunk, Effect::Stow { file: self.file("junk.jsonl") }),
            (Reason::DeletedExpired, expired),
            (Reason::BudgetArchive, budget),
            (Reason::WithinLimits, Effect::Rewrite { file: self.file("log.jsonl"), content: b"line 2\n".to_vec() }),
        ];
        plan_of(&self.dir(), effects)
    }
}

fn plan_of(folder: &Path, effects: Vec<(Reason, Effect)>) -> Plan {
    let decision = |reason| Decision {
        subject: Subject::File(0),
        verdict: Verdict::Archive,
        reason,
        bytes: 0,
        finality: Finality::Archived,
        goes_at: None,
    };
    Plan {
        folder: folder.to_owned(),
        now: NOW,
        decisions: effects.iter().map(|(r, _)| decision(*r)).collect(),
        effects: (0..).zip(effects).map(|(n, (_, effect))| PlannedEffect { decision: Some(n), effect }).collect(),
        rows_before: 4,
        rows_after: 2,
        budget: None,
        cap_shortfall: 0,
        suspicion: None,
        ownership_incomplete: vec![],
        max_remove_hit: None,
        warnings: vec![],
    }
}

/// How the world answers while the plan is carried out.
struct World<'a> {
    faults: &'a str,
    reclaim: bool,
    files_only: bool,
    owned: &'a dyn Fn(&OsStr) -> bool,
    locked: &'a dyn Fn(&OsStr) -> bool,
    owner: &'a dyn Fn() -> Writer,
    undoes: Option<&'a str>,
}

impl Default for World<'_> {
    fn default() -> Self {
        Self {
            faults: "",
            reclaim: false,
            files_only: false,
            owned: &|_| false,
            locked: &|_| false,
            owner: &|| Writer::Offline,
            undoes: None,
        }
    }
}

fn apply(state: &State, plan: &Plan, world: &World<'_>) -> Result<Applied> {
    apply_counting(state, plan, world).0
}

fn apply_counting(state: &State, plan: &Plan, world: &World<'_>) -> (Result<Applied>, u64) {
    let index = state.index();
    let mut ctx = Context::for_tests(NOW, state.dir());
    ctx.output.quiet = 2;
    // Taken before the faults begin: the lock is tested elsewhere.
    let lock = RunLock::acquire(&ctx, &state.dir(), "test").unwrap();
    ctx.faults = if world.faults.is_empty() { Faults::of("1000000:EIO") } else { Faults::of(world.faults) };
    let owned_now = |names: &[&OsStr]| Ok(names.iter().map(|n| (world.owned)(n)).collect());
    let owner_now = || verdict((world.owner)());
    let result = execute(&ApplyInput {
        ctx: &ctx,
        plan,
        index: (!world.files_only).then_some(&index),
        own_dir: &state.dir(),
        lock: Some(&lock),
        command: "sessions cleanup",
        argv: &[],
        overrides: &[],
        policy_echo: &serde_json::Value::Null,
        undoes: world.undoes,
        label: &|_| Label { key: Some("k".into()), id: None },
        reclaim_by_unlink: world.reclaim,
        suspect: false,
        recheck: Recheck {
            owned_now: &owned_now,
            locked_now: world.locked,
            owner_now: &owner_now,
            files_only: world.files_only,
        },
        pack: Some(&|source, _, dest| {
            let copy = dest.join("copy");
            std::fs::copy(source, &copy).map_err(|e| crate::error::Error::io("copy", source, e))?;
            Ok(copy)
        }),
        recovered: &[],
    });
    (result, ctx.faults.count())
}

fn recover_now(state: &State, faults: &str) -> Result<Vec<crate::model::outcome::Recovered>> {
    let mut ctx = Context::for_tests(NOW, state.dir());
    let lock = RunLock::acquire(&ctx, &state.dir(), "test").unwrap();
    if !faults.is_empty() {
        ctx.faults = Faults::of(faults);
    }
    // As the real one: a file is owned if a row of the index leads to it.
    let owned_now = |names: &[&OsStr]| {
        let index = state.index();
        let ids: BTreeSet<String> = index.rows.iter().map(|r| format!("{}.jsonl", index.key(r))).collect();
        Ok(names.iter().map(|n| n.to_str().is_some_and(|n| ids.contains(n))).collect())
    };
    let recheck = Recheck {
        owned_now: &owned_now,
        locked_now: &|_| false,
        owner_now: &|| verdict(Writer::Offline),
        files_only: false,
    };
    recover::run(&ctx, &state.dir(), &lock, &recheck)
}

fn undo_plan(state: &State, run: &str) -> (Plan, undo::UndoPlan) {
    let run = read::one(&state.dir(), run).unwrap();
    let index = state.index();
    let folder = crate::scan::folder::scan(&state.dir(), Some(OsStr::new("sessions.json"))).unwrap();
    let contents = run
        .lines
        .iter()
        .filter_map(|l| Some((l.seq, std::fs::read(run.dir.join("files").join(l.kept_name())).ok()?)))
        .collect();
    let facts = UndoFacts { run: &run, index: Some(&index), folder: &folder, contents: &contents };
    let plan = undo::plan(&facts);
    (plan.to_plan(&facts, NOW), plan)
}

fn done(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Done { .. })
}

/// The law: every row has its file, under its own name.
fn assert_rows_have_files(state: &State, context: &str) {
    let index = state.index();
    for row in &index.rows {
        let name = format!("{}.jsonl", index.key(row));
        assert_eq!(state.text(&name), format!("transcript of {}", index.key(row)), "{context}");
    }
}

/// No session's bytes are lost: each is somewhere in the folder or in a run folder.
fn assert_nothing_lost(state: &State, context: &str) {
    let mut texts = BTreeSet::new();
    for entry in walkdir::WalkDir::new(state.dir()).into_iter().flatten().filter(|e| e.file_type().is_file()) {
        texts.insert(std::fs::read(entry.path()).unwrap());
    }
    for key in ROWS {
        assert!(texts.contains(format!("transcript of {key}").as_bytes()), "{key} is lost: {context}");
    }
    assert!(texts.contains(&b"junk"[..]), "junk is lost: {context}");
}

#[test]
fn every_effect_is_carried_out_and_recorded() {
    let state = State::new();
    let applied = apply(&state, &state.plan(), &World::default()).unwrap();
    assert!(applied.outcomes.iter().all(done), "{:?}", applied.outcomes);
    assert!(applied.swapped && applied.warnings.is_empty(), "{:?}", applied.warnings);
    assert_eq!(
        state.text("sessions.json"),
        "{\n  \"b\": {\"sessionId\": \"b\", \"updatedAt\": 1.0e3},\n  \"d\": {\"sessionId\": \"d\", \"updatedAt\": 1.0e3}\n}\n"
    );
    assert_eq!(applied.outcomes[4], Outcome::Done { freed: 7 });
    assert_eq!(state.text(&format!("a.jsonl.deleted.{STAMP}")), "transcript of a");
    assert!(!state.has("a.jsonl") && !state.has("junk.jsonl") && !state.has(&format!("arch.jsonl.reset.{STAMP}")));
    assert_eq!(state.text("log.jsonl"), "line 2\n");
    let runs = read::list(&state.dir()).unwrap();
    assert_eq!((runs.len(), &runs[0].state), (1, &RunState::Done));
    assert_eq!(runs[0].rows.len(), 2);
    assert_eq!(runs[0].kept.len(), 4);
    assert!(!runs[0].dir.join("index.before").exists());
    assert_eq!(record::last_rows(&state.dir(), &state.path("sessions.json")).unwrap().rows, 2);
    assert_eq!(snapshot::list(&state.dir()).unwrap().len(), 1);
    let audit = std::fs::read_to_string(state.path(".clawkeep/audit.jsonl")).unwrap();
    assert_eq!(audit.lines().count(), 8);
    assert!(state.has(".clawkeep/reserve"));
    let names: Vec<_> = state.files().into_keys().filter(|n| n.ends_with(".tmp")).collect();
    assert!(names.is_empty(), "{names:?}");
}

#[test]
fn nothing_to_do_writes_no_run() {
    let state = State::new();
    let before = state.files();
    let applied = apply(&state, &plan_of(&state.dir(), vec![]), &World::default()).unwrap();
    assert_eq!(applied.run_id, "");
    assert_eq!(state.files(), before);
    assert!(read::list(&state.dir()).unwrap().is_empty());
}

#[test]
fn files_that_are_not_what_was_planned_are_skipped() {
    let state = State::new();
    let plan = plan_of(
        &state.dir(),
        vec![
            (Reason::OrphanHistory, state.mv("a.jsonl")),
            (Reason::OrphanHistory, state.mv("b.jsonl")),
            (Reason::OrphanJunk, Effect::Stow { file: state.file("c.jsonl") }),
            (Reason::OrphanJunk, Effect::Unlink { file: state.file("d.jsonl"), already_final: false }),
            (Reason::OrphanJunk, Effect::Stow { file: state.file("junk.jsonl") }),
        ],
    );
    state.put("a.jsonl", "somebody wrote more into it");
    std::fs::remove_file(state.path("b.jsonl")).unwrap();
    let world = World { owned: &|n| n == "c.jsonl", locked: &|n| n == "d.jsonl", ..World::default() };
    let applied = apply(&state, &plan, &world).unwrap();
    let skip = |s| Outcome::Skipped(s);
    assert_eq!(
        applied.outcomes[..4],
        [skip(Skip::Changed), skip(Skip::Gone), skip(Skip::OwnedNow), skip(Skip::LockedNow)]
    );
    assert!(done(&applied.outcomes[4]));
    assert!(state.has("a.jsonl") && state.has("c.jsonl") && state.has("d.jsonl"));
    // What was not taken is not kept either.
    assert_eq!(read::list(&state.dir()).unwrap()[0].kept.len(), 1);
}

#[cfg(unix)]
#[test]
fn a_link_put_in_place_is_neither_followed_nor_removed() {
    let state = State::new();
    let plan = plan_of(
        &state.dir(),
        vec![
            (Reason::OrphanHistory, state.mv("a.jsonl")),
            (Reason::OrphanJunk, Effect::Unlink { file: state.file("b.jsonl"), already_final: true }),
            (Reason::OrphanJunk, Effect::Stow { file: state.file("c.jsonl") }),
        ],
    );
    for name in ["a.jsonl", "b.jsonl", "c.jsonl"] {
        std::fs::remove_file(state.path(name)).unwrap();
        std::os::unix::fs::symlink("d.jsonl", state.path(name)).unwrap();
    }
    let applied = apply(&state, &plan, &World::default()).unwrap();
    assert!(applied.outcomes.iter().all(|o| *o == Outcome::Skipped(Skip::Changed)), "{:?}", applied.outcomes);
    for name in ["a.jsonl", "b.jsonl", "c.jsonl"] {
        assert!(state.path(name).symlink_metadata().unwrap().is_symlink());
    }
    assert_eq!(state.text("d.jsonl"), "transcript of d");
}

#[test]
fn a_taken_archive_name_gets_a_later_stamp() {
    let state = State::new();
    let plan = plan_of(&state.dir(), vec![(Reason::OrphanHistory, state.mv("a.jsonl"))]);
    state.put(&format!("a.jsonl.deleted.{STAMP}"), "an older one");
    let applied = apply(&state, &plan, &World::default()).unwrap();
    assert!(done(&applied.outcomes[0]));
    assert_eq!(state.text(&format!("a.jsonl.deleted.{STAMP}")), "an older one");
    assert_eq!(state.text("a.jsonl.deleted.2026-05-01T08-00-00.001Z"), "transcript of a");
    let (plan, _) = undo_plan(&state, &applied.run_id);
    apply(&state, &plan, &World { undoes: Some(&applied.run_id), ..World::default() }).unwrap();
    assert_eq!(state.text("a.jsonl"), "transcript of a");
    assert!(!state.has("a.jsonl.deleted.2026-05-01T08-00-00.001Z"));
}

#[test]
fn another_writer_wins_and_the_caller_can_tell() {
    let state = State::new();
    let plan = state.plan();
    let theirs = "{\"z\": {}}";
    // Between the last look and the swap: the owner is asked just before it.
    let write = || {
        let temp = state.path("theirs.tmp");
        std::fs::write(&temp, theirs).unwrap();
        std::fs::rename(&temp, state.path("sessions.json")).unwrap();
        Writer::Offline
    };
    let error = apply(&state, &plan, &World { owner: &write, ..World::default() }).unwrap_err();
    assert_eq!(error.kind, Kind::Busy);
    let conflict = conflict(&error).unwrap();
    assert_eq!(conflict.reclaimed.len(), 1);
    assert_eq!(state.text("sessions.json"), theirs);
    assert!(state.has("a.jsonl") && state.has("junk.jsonl"));
    assert!(recover::pending(&state.dir()).unwrap().is_empty());
    assert!(!state.files().keys().any(|n| n.contains("tmp")));
}

#[cfg(target_os = "linux")]
#[test]
fn a_write_into_the_index_itself_is_found_by_its_bytes_and_stays() {
    let state = State::new();
    let plan = plan_of(&state.dir(), vec![(Reason::Stale, state.swap(&[0], vec![]))]);
    let fp = lstat(&state.path("sessions.json")).unwrap();
    let text = state.text("sessions.json").replace("1.0e3", "2.0e3");
    // Same length, same time, same inode: only the bytes tell (and the ctime, which our own look after linking took).
    let index = state.index();
    std::fs::write(state.path("sessions.json"), &text).unwrap();
    let file = std::fs::File::options().write(true).open(state.path("sessions.json")).unwrap();
    file.set_modified(std::time::UNIX_EPOCH + std::time::Duration::from_nanos(fp.mtime_ns as u64)).unwrap();
    let ctx = Context::for_tests(NOW, state.dir());
    let lock = RunLock::acquire(&ctx, &state.dir(), "test").unwrap();
    let error = execute(&ApplyInput {
        ctx: &ctx,
        plan: &plan,
        index: Some(&index),
        own_dir: &state.dir(),
        lock: Some(&lock),
        command: "x",
        argv: &[],
        overrides: &[],
        policy_echo: &serde_json::Value::Null,
        undoes: None,
        label: &|_| Label::default(),
        reclaim_by_unlink: false,
        suspect: false,
        recheck: Recheck {
            owned_now: &|n| Ok(vec![false; n.len()]),
            locked_now: &|_| false,
            owner_now: &|| verdict(Writer::Offline),
            files_only: false,
        },
        pack: None,
        recovered: &[],
    })
    .unwrap_err();
    assert!(conflict(&error).is_some(), "{error}");
    assert_eq!(state.text("sessions.json"), text);
}

#[test]
fn an_owner_that_appears_stops_rows_and_later_files() {
    let state = State::new();
    let before = state.files();
    let error = apply(&state, &state.plan(), &World { owner: &|| Writer::Unknown, ..World::default() }).unwrap_err();
    assert_eq!(error.kind, Kind::Busy);
    let mut after = state.files();
    after.insert(format!("old.jsonl.deleted.{STAMP}"), "expired".into());
    assert_eq!(after, before);
    let asked = RefCell::new(0);
    let second = || {
        *asked.borrow_mut() += 1;
        if *asked.borrow() == 1 { Writer::Offline } else { Writer::Owns }
    };
    let state = State::new();
    let applied = apply(&state, &state.plan(), &World { owner: &second, ..World::default() }).unwrap();
    assert!(applied.swapped);
    assert_eq!(applied.outcomes[1], Outcome::Skipped(Skip::OwnerNow));
    assert!(state.has("a.jsonl"));
}

#[test]
fn a_file_that_comes_to_be_used_while_it_is_taken_is_put_back() {
    let state = State::new();
    let plan = plan_of(
        &state.dir(),
        vec![
            (Reason::OrphanHistory, state.mv("a.jsonl")),
            (Reason::OrphanJunk, Effect::Stow { file: state.file("junk.jsonl") }),
        ],
    );
    let gone = || !state.has("junk.jsonl");
    let applied = apply(&state, &plan, &World { owned: &|_| gone(), ..World::default() }).unwrap();
    assert!(applied.outcomes.iter().all(|o| *o == Outcome::Skipped(Skip::OwnedNow)), "{:?}", applied.outcomes);
    assert_eq!((state.text("a.jsonl"), state.text("junk.jsonl")), ("transcript of a".into(), "junk".into()));
}

#[test]
fn files_only_runs_touch_no_row_and_need_no_owner() {
    let state = State::new();
    let world = World { files_only: true, owner: &|| Writer::Owns, ..World::default() };
    assert!(apply(&state, &state.plan(), &world).is_err());
    let plan = plan_of(&state.dir(), vec![(Reason::OrphanHistory, state.mv("junk.jsonl"))]);
    assert!(done(&apply(&state, &plan, &world).unwrap().outcomes[0]));
}

#[test]
fn a_full_disk_frees_what_is_final_and_renames_nothing() {
    let state = State::new();
    let before = state.files();
    let error = apply(&state, &state.plan(), &World { faults: "create:ENOSPC", ..World::default() }).unwrap_err();
    assert!(error.message.contains("no room") && error.message.contains("nothing was renamed"), "{error}");
    assert!(error.hints[0].contains("disk free --need"), "{:?}", error.hints);
    let mut after = state.files();
    after.insert(format!("old.jsonl.deleted.{STAMP}"), "expired".into());
    assert_eq!(after, before);
    assert!(recover::pending(&state.dir()).unwrap().is_empty());
}

#[test]
fn with_a_budget_planned_unlinks_make_the_room() {
    let state = State::new();
    let world = World { faults: "create:ENOSPC", reclaim: true, ..World::default() };
    let error = apply(&state, &state.plan(), &world).unwrap_err();
    assert!(error.message.contains("2 expired files"), "{error}");
    assert!(!state.has(&format!("arch.jsonl.reset.{STAMP}")));
    // Nothing that a row leads to went, and no rename became an unlink.
    assert_rows_have_files(&state, "full disk");
    assert!(state.has("junk.jsonl"));
}

#[test]
fn a_rename_without_room_is_reported_and_never_an_unlink() {
    let state = State::new();
    let applied = apply(&state, &state.plan(), &World { faults: "rename:ENOSPC", ..World::default() }).unwrap();
    assert!(matches!(&applied.outcomes[1], Outcome::Failed(why) if why.contains("a.jsonl")), "{:?}", applied.outcomes);
    assert_eq!(state.text("a.jsonl"), "transcript of a");
    let state = State::new();
    let applied = apply(&state, &state.plan(), &World { faults: "rename:EXDEV", ..World::default() }).unwrap();
    assert!(matches!(&applied.outcomes[1], Outcome::Failed(_)), "never a copy: {:?}", applied.outcomes);
    assert_eq!(state.text("a.jsonl"), "transcript of a");
}

#[test]
fn packed_files_go_only_after_their_copy_is_there() {
    let state = State::new();
    let dest = tempfile::tempdir().unwrap();
    let pack = |file: &str, dest: &Path| Effect::PackThenUnlink {
        file: state.file(file),
        dest: dest.to_owned(),
        already_final: false,
    };
    let plan = plan_of(
        &state.dir(),
        vec![
            (Reason::BudgetArchive, pack("a.jsonl", dest.path())),
            (Reason::BudgetArchive, pack("b.jsonl", &dest.path().join("unmounted"))),
        ],
    );
    let applied = apply(&state, &plan, &World::default()).unwrap();
    assert!(done(&applied.outcomes[0]) && matches!(applied.outcomes[1], Outcome::Failed(_)));
    assert!(!state.has("a.jsonl") && state.has("b.jsonl"));
    let (_, undo) = undo_plan(&state, &applied.run_id);
    assert!(undo.not_undoable[0].copy.as_ref().unwrap().ends_with("copy"));
}

#[test]
fn an_interrupt_ends_in_good_order() {
    let state = State::new();
    let plan = state.plan();
    let index = state.index();
    let ctx = Context::for_tests(NOW, state.dir());
    let lock = RunLock::acquire(&ctx, &state.dir(), "test").unwrap();
    let cancel = ctx.cancel.clone();
    let applied = execute(&ApplyInput {
        ctx: &ctx,
        plan: &plan,
        index: Some(&index),
        own_dir: &state.dir(),
        lock: Some(&lock),
        command: "x",
        argv: &[],
        overrides: &[],
        policy_echo: &serde_json::Value::Null,
        undoes: None,
        label: &|_| Label::default(),
        reclaim_by_unlink: false,
        suspect: false,
        recheck: Recheck {
            owned_now: &|n| Ok(vec![false; n.len()]),
            locked_now: &|n| {
                if n == "a.jsonl" {
                    cancel.set(130);
                }
                false
            },
            owner_now: &|| verdict(Writer::Offline),
            files_only: false,
        },
        pack: None,
        recovered: &[],
    })
    .unwrap();
    assert!(applied.cancelled && applied.swapped);
    assert!(done(&applied.outcomes[1]));
    assert_eq!(applied.outcomes[2], Outcome::NotReached);
    assert!(recover::pending(&state.dir()).unwrap().is_empty());
}

#[test]
fn undo_brings_back_the_same_bytes_and_can_be_undone() {
    let state = State::new();
    let before = state.files();
    let plan = state.plan();
    let first = apply(&state, &plan, &World::default()).unwrap();
    let after = state.files();
    let (undo, described) = undo_plan(&state, &first.run_id);
    assert_eq!(described.rows_back, ["a", "c"]);
    assert_eq!(described.not_undoable.len(), 2);
    let second = apply(&state, &undo, &World { undoes: Some(&first.run_id), ..World::default() }).unwrap();
    assert!(second.outcomes.iter().all(done), "{:?}", second.outcomes);
    let mut expected = before.clone();
    expected.remove(&format!("old.jsonl.deleted.{STAMP}"));
    expected.remove(&format!("arch.jsonl.reset.{STAMP}"));
    assert_eq!(state.files(), expected);
    let runs = read::list(&state.dir()).unwrap();
    assert_eq!(runs.iter().find(|r| r.id == first.run_id).unwrap().undone_by.as_ref(), Some(&second.run_id));
    let (redo, _) = undo_plan(&state, &second.run_id);
    let third = apply(&state, &redo, &World { undoes: Some(&second.run_id), ..World::default() }).unwrap();
    assert!(third.outcomes.iter().all(done), "{:?}", third.outcomes);
    assert_eq!(state.files(), after);
}

#[test]
fn undo_leaves_what_lives_now() {
    let state = State::new();
    let first = apply(&state, &state.plan(), &World::default()).unwrap();
    let text = state.text("sessions.json").replace("{\n  \"b\"", "{\n  \"a\": {\"sessionId\":\"new\"},\n  \"b\"");
    state.put("sessions.json", &text);
    state.put("a.jsonl", "a new conversation");
    let (plan, undo) = undo_plan(&state, &first.run_id);
    assert_eq!(undo.rows_back, ["c"]);
    assert_eq!(undo.conflicts.len(), 2);
    apply(&state, &plan, &World { undoes: Some(&first.run_id), ..World::default() }).unwrap();
    assert_eq!(state.text("a.jsonl"), "a new conversation");
    assert!(state.text("sessions.json").contains("\"a\": {\"sessionId\":\"new\"}"));
    assert_eq!(state.text("c.jsonl"), "transcript of c");
}

#[test]
fn rows_the_gateway_would_prune_again_are_counted() {
    let state = State::new();
    let first = apply(&state, &state.plan(), &World::default()).unwrap();
    let run = read::one(&state.dir(), &first.run_id).unwrap();
    let (index, folder) = (state.index(), crate::scan::folder::scan(&state.dir(), None).unwrap());
    let contents = BTreeMap::new();
    let facts = UndoFacts { run: &run, index: Some(&index), folder: &folder, contents: &contents };
    let plan = undo::plan(&facts);
    assert_eq!(undo::pruned_again(&facts, &plan, GatewayLimits::default(), NOW), 2);
    assert_eq!(undo::pruned_again(&facts, &plan, GatewayLimits::default(), 5_000), 0);
    let small = GatewayLimits { max_entries: Some(3), prune_after: None, enforces: true };
    assert_eq!(undo::pruned_again(&facts, &plan, small, NOW), 1);
    assert_eq!(undo::pruned_again(&facts, &plan, GatewayLimits { enforces: false, ..small }, NOW), 0);
}

#[test]
fn final_removal_gives_up_our_links_too() {
    let state = State::new();
    let plan = plan_of(&state.dir(), vec![(Reason::OrphanHistory, state.mv("a.jsonl"))]);
    apply(&state, &plan, &World::default()).unwrap();
    let archive = format!("a.jsonl.deleted.{STAMP}");
    let unlink = Effect::Unlink { file: state.file(&archive), already_final: true };
    let applied = apply(&state, &plan_of(&state.dir(), vec![(Reason::DeletedExpired, unlink)]), &World::default());
    assert_eq!(applied.unwrap().outcomes, [Outcome::Done { freed: 15 }]);
    assert!(read::list(&state.dir()).unwrap()[0].kept.is_empty());
}

#[test]
fn an_unfinished_or_newer_run_stops_the_next_one() {
    let state = State::new();
    let id = "20300101T000000Z-0000";
    let dir = crate::journal::write::run_path(&state.dir(), id);
    std::fs::create_dir_all(&dir).unwrap();
    std::fs::write(dir.join("open"), "").unwrap();
    let error = apply(&state, &plan_of(&state.dir(), vec![]), &World::default()).unwrap_err();
    assert!(error.message.contains("was interrupted"), "{error}");
    std::fs::write(dir.join("meta.json"), r#"{"format":99}"#).unwrap();
    assert_eq!(apply(&state, &plan_of(&state.dir(), vec![]), &World::default()).unwrap_err().kind, Kind::TooNew);
    assert_eq!(recover_now(&state, "").unwrap_err().kind, Kind::TooNew);
}

/// Carries out the plan on a fresh state with a crash at operation `n`, checks, recovers, checks again.
fn crash_at(n: u64, make: &dyn Fn(&State) -> (Plan, Option<String>)) -> bool {
    let state = State::new();
    let (plan, undoes) = make(&state);
    let rule = format!("{n}:crash");
    let world = World { faults: &rule, undoes: undoes.as_deref(), ..World::default() };
    let (_, count) = apply_counting(&state, &plan, &world);
    let context = format!("crash at operation {n}");
    assert_rows_have_files(&state, &context);
    assert_nothing_lost(&state, &context);
    recover_now(&state, "").unwrap_or_else(|e| panic!("{context}: {e}"));
    assert_rows_have_files(&state, &context);
    assert_nothing_lost(&state, &context);
    assert!(recover::pending(&state.dir()).unwrap().is_empty(), "{context}");
    assert!(recover_now(&state, "").unwrap().is_empty(), "{context}");
    for run in read::list(&state.dir()).unwrap() {
        assert!(!matches!(run.state, RunState::Unfinished | RunState::Unreadable(_)), "{context}: {:?}", run.state);
    }
    count >= n
}

#[test]
fn a_crash_at_any_operation_of_a_cleanup_loses_nothing() {
    let mut n = 1;
    while crash_at(n, &|state| (state.plan(), None)) {
        n += 1;
    }
    assert!(n > 60, "only {n} operations");
}

#[test]
fn a_crash_at_any_operation_of_an_undo_loses_nothing() {
    let mut n = 1;
    let make = |state: &State| {
        let first = apply(state, &state.plan(), &World::default()).unwrap();
        (undo_plan(state, &first.run_id).0, Some(first.run_id))
    };
    while crash_at(n, &make) {
        n += 1;
    }
    assert!(n > 40, "only {n} operations");
}

#[test]
fn a_crash_at_any_operation_of_a_recovery_is_recovered() {
    let total = {
        let state = State::new();
        apply_counting(&state, &state.plan(), &World::default()).1
    };
    for at in (1..total).step_by(3) {
        for n in 1.. {
            let state = State::new();
            let rule = format!("{at}:crash");
            let _ = apply(&state, &state.plan(), &World { faults: &rule, ..World::default() });
            let context = format!("crash at {at}, then at {n} of the recovery");
            let whole = recover_now(&state, &format!("{n}:crash")).is_ok();
            assert_rows_have_files(&state, &context);
            assert_nothing_lost(&state, &context);
            recover_now(&state, "").unwrap_or_else(|e| panic!("{context}: {e}"));
            assert_rows_have_files(&state, &context);
            assert_nothing_lost(&state, &context);
            assert!(recover::pending(&state.dir()).unwrap().is_empty(), "{context}");
            if whole {
                break;
            }
        }
    }
}

#[test]
fn an_error_at_any_operation_keeps_the_law() {
    for errno in ["EIO", "ENOSPC", "EDQUOT", "EACCES", "EXDEV", "ENOENT", "EINTR"] {
        let mut n = 1;
        loop {
            let state = State::new();
            let plan = state.plan();
            let rule = format!("{n}:{errno}");
            let (result, count) = apply_counting(&state, &plan, &World { faults: &rule, ..World::default() });
            let context = format!("{errno} at operation {n}: {result:?}");
            assert_rows_have_files(&state, &context);
            assert_nothing_lost(&state, &context);
            recover_now(&state, "").unwrap_or_else(|e| panic!("{context}: {e}"));
            assert_rows_have_files(&state, &context);
            assert_nothing_lost(&state, &context);
            if count < n {
                assert!(result.is_ok(), "{context}");
                break;
            }
            n += 1;
        }
    }
}
