//! The executor on real files. Here is the state that the tests work on, and how the world answers.

mod crashes;
mod effects;
mod interrupted;
mod restores;
mod undo_runs;

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
use crate::model::effect::{Effect, FileRef, NewName, RowInsert, SwapIndex};
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
            greeting: None,
            several_listen: false,
            stop: None,
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
        self.files_but("")
    }

    fn files_but(&self, name: &str) -> BTreeMap<String, String> {
        std::fs::read_dir(self.dir())
            .unwrap()
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .filter(|n| !n.starts_with(".clawkeep") && n != name)
            .map(|n| (n.clone(), self.text(&n)))
            .collect()
    }

    fn swap(&self, drop: &[u32], insert: Vec<RowInsert>) -> Effect {
        let index = self.index();
        Effect::SwapIndex(SwapIndex { path: index.path, fp: index.fp, drop: drop.to_vec(), insert })
    }

    fn mv(&self, name: &str) -> Effect {
        Effect::Move { file: self.file(name), to: NewName::Given(format!("{name}.deleted.{STAMP}").into()) }
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
    /// A signal comes with this question for a lock (1: the first).
    cancel_at: usize,
    overrides: &'a [String],
    now: Ms,
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
            cancel_at: 0,
            overrides: &[],
            now: NOW,
        }
    }
}

fn apply(state: &State, plan: &Plan, world: &World<'_>) -> Result<Applied> {
    apply_counting(state, plan, world).0
}

fn apply_counting(state: &State, plan: &Plan, world: &World<'_>) -> (Result<Applied>, u64) {
    let index = state.index();
    let mut ctx = Context::for_tests(world.now, state.dir());
    ctx.output.quiet = 2;
    // Taken before the faults begin: the lock is tested elsewhere.
    let lock = RunLock::acquire(&ctx, &state.dir(), "test").unwrap();
    ctx.faults = if world.faults.is_empty() { Faults::of("1000000:EIO") } else { Faults::of(world.faults) };
    let owned_now = |names: &[&OsStr]| Ok(names.iter().map(|n| (world.owned)(n)).collect());
    let owner_now = || verdict((world.owner)());
    let (cancel, asked) = (ctx.cancel.clone(), std::cell::Cell::new(0));
    let locked_now = |name: &OsStr| {
        asked.set(asked.get() + 1);
        if asked.get() == world.cancel_at {
            cancel.set(130);
        }
        (world.locked)(name)
    };
    let result = execute(&ApplyInput {
        ctx: &ctx,
        plan,
        index: (!world.files_only).then_some(&index),
        own_dir: &state.dir(),
        lock: Some(&lock),
        command: "sessions cleanup",
        argv: &[],
        overrides: world.overrides,
        policy_echo: &serde_json::Value::Null,
        undoes: world.undoes,
        partly: false,
        leaves: false,
        group: None,
        label: &|_| Label { key: Some("k".into()), id: None },
        reclaim_by_unlink: world.reclaim,
        suspect: false,
        recheck: Recheck {
            owned_now: &owned_now,
            locked_now: &locked_now,
            owner_now: &owner_now,
            files_only: world.files_only,
        },
        pack: Some(&|files, _| {
            let one = |f: &super::input::ToPack<'_>| {
                let (source, copy) = (f.folder.join(&f.file.name), f.dest.join("copy"));
                std::fs::copy(&source, &copy).map_err(|e| crate::error::Error::io("copy", &source, e))?;
                Ok(copy)
            };
            files.iter().map(one).collect()
        }),
        progress: None,
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
    let facts =
        UndoFacts { run: &run, index: Some(&index), folder: &folder, contents: &contents, before: None, others: &[] };
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
