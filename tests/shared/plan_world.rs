//! A model of a store, generators for it, and what a plan does to it. Shared by the property tests and the fuzz targets.
//!
//! The world is an index text, a list of files, and answers to probes. "Applying" a plan to it is a few lines that know
//! nothing of policies, so that what holds here holds for any executor that does what effects say.

use std::collections::{BTreeMap, HashSet};
use std::ffi::OsStr;
use std::path::PathBuf;
use std::sync::Arc;

use clawkeep::model::decision::{Reason, Subject};
use clawkeep::model::effect::Effect;
use clawkeep::model::facts::{Facts, IndexRecord, JobsFacts};
use clawkeep::model::fingerprint::{Fingerprint, Kind};
use clawkeep::model::folder::{Artefact, FolderFacts};
use clawkeep::model::plan::Plan;
use clawkeep::model::policy::{MaxRemove, Mode, Policy};
use clawkeep::model::probe::{HeaderState, LockState, OrphanProbe, ProbeNeeds, Probes, UserTurns};
use clawkeep::model::sourced::{Limit, Sourced};
use clawkeep::model::stores::{MemberRef, MemberState, StoreMember};
use clawkeep::model::{DAY, HOUR, MINUTE, Ms};
use clawkeep::plan::{decide::decide, needs::needs};
use clawkeep::scan::names;
use clawkeep::store::{parse, refs, write};
use clawkeep::units::time;
use proptest::prelude::*;

pub const NOW: Ms = 1_796_000_000_000;

/// One file of the model: content is only what probes would learn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    pub size: u64,
    pub mtime: Ms,
    pub header: bool,
    pub user: bool,
    pub parent: Option<String>,
}

#[derive(Debug, Clone)]
pub struct World {
    /// `(key, value text)` in file order.
    pub rows: Vec<(String, String)>,
    pub files: BTreeMap<String, File>,
    pub locked: HashSet<String>,
    pub dead_locks: HashSet<String>,
    pub jobs: JobsFacts,
    pub record: Option<IndexRecord>,
    /// A second store that refers to some files, or cannot be read.
    pub member: Option<Result<Vec<String>, ()>>,
}

pub fn uuid(n: u32) -> String {
    format!("{n:08x}-0000-4000-8000-{n:012x}")
}

pub fn index_text(rows: &[(String, String)]) -> String {
    if rows.is_empty() {
        return "{}".to_owned();
    }
    let rows: Vec<String> = rows.iter().map(|(k, v)| format!("  {}: {v}", serde_json::to_string(k).unwrap())).collect();
    format!("{{\n{}\n}}", rows.join(",\n"))
}

pub fn fingerprint(ino: u64, size: u64, mtime: Ms) -> Fingerprint {
    let ns = mtime * 1_000_000;
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

impl World {
    pub fn facts(&self) -> Facts {
        let text = index_text(&self.rows);
        let mut names_: Vec<(String, u64, Ms)> = self.files.iter().map(|(n, f)| (n.clone(), f.size, f.mtime)).collect();
        names_.push(("sessions.json".to_owned(), text.len() as u64, NOW - HOUR));
        for lock in self.locked.iter().chain(&self.dead_locks) {
            names_.push((format!("{lock}.lock"), 40, NOW - MINUTE));
        }
        names_.sort();
        let entries: Vec<Artefact> = names_
            .iter()
            .enumerate()
            .map(|(ino, (name, size, mtime))| {
                let named = names::classify(OsStr::new(name), Some(OsStr::new("sessions.json")));
                Artefact {
                    name: OsStr::new(name).into(),
                    class: named.class,
                    stem_len: named.stem_len,
                    stamp: named.stamp,
                    fp: fingerprint(ino as u64 + 10, *size, *mtime),
                }
            })
            .collect();
        let folder = FolderFacts { path: PathBuf::from("/w/agents/main/sessions"), entries, ..FolderFacts::default() };
        let bytes: Arc<Vec<u8>> = text.into_bytes().into();
        let fp = fingerprint(1, bytes.len() as u64, NOW - HOUR);
        let index =
            parse::parse(PathBuf::from("/w/agents/main/sessions/sessions.json"), fp, bytes).expect("whole index");
        let members = self.member.iter().map(|m| StoreMember { path: "/w/agents/b".into(), state: member(m, &folder) });
        let row_files = refs::all_row_files(&refs::FolderIndex::new(&folder), &index);
        Facts {
            row_files,
            members: members.collect(),
            index,
            folder,
            jobs: self.jobs.clone(),
            record: self.record,
            // Some of them.
            left_behind: self
                .files
                .iter()
                .filter(|(_, f)| f.user && f.size % 5 == 0)
                .map(|(name, _)| name.into())
                .collect(),
            agent_shape: true,
        }
    }

    pub fn probe(&self, facts: &Facts, needs: &ProbeNeeds) -> Probes {
        let name = |ix: &u32| facts.folder.entries[*ix as usize].name.to_str().unwrap().to_owned();
        let mut probes = Probes::default();
        for ix in &needs.orphans {
            let file = &self.files[&name(ix)];
            let header = match (file.size, file.header) {
                (0, _) => HeaderState::Empty,
                (_, true) => HeaderState::Valid { id: "x".into(), parent: file.parent.clone(), at: None },
                _ => HeaderState::NotAHeader,
            };
            let turns = if file.user { UserTurns::Seen } else { UserTurns::None };
            probes.orphans.insert(*ix, OrphanProbe { header, turns });
        }
        for ix in &needs.parents {
            if let Some(parent) = self.files.get(&name(ix)).and_then(|f| f.parent.clone()) {
                probes.parents.insert(*ix, parent);
            }
        }
        for ix in &needs.locks {
            let transcript = name(ix).trim_end_matches(".lock").to_owned();
            let state = if self.locked.contains(&transcript) {
                LockState::Live { pid: Some(1) }
            } else {
                LockState::Dead { pid: Some(1), why: "gone".into() }
            };
            probes.locks.insert(*ix, state);
        }
        probes
    }

    pub fn plan(&self, policy: &Policy) -> (Facts, Plan) {
        let facts = self.facts();
        let asked = needs(&facts, policy, NOW);
        let probes = self.probe(&facts, &asked);
        let plan = decide(&facts, &probes, policy, NOW);
        (facts, plan)
    }

    /// Does what the effects say, and nothing else.
    pub fn apply(&mut self, facts: &Facts, plan: &Plan) {
        for planned in &plan.effects {
            match &planned.effect {
                Effect::SwapIndex(swap) => {
                    let mut text = Vec::new();
                    write::render_into(&facts.index, &swap.drop, &swap.insert, &mut text).unwrap();
                    let kept: Vec<u32> =
                        (0..facts.index.rows.len() as u32).filter(|r| !swap.drop.contains(r)).collect();
                    self.rows = kept.iter().map(|r| self.rows[*r as usize].clone()).collect();
                    assert_eq!(
                        String::from_utf8(text).unwrap(),
                        index_text(&self.rows),
                        "the writer drops just these rows"
                    );
                }
                Effect::Move { file, to } => {
                    let moved = self.files.remove(file.name.to_str().unwrap()).expect("a moved file is there");
                    let clash = self.files.insert(to.of(&file.name).to_str().unwrap().to_owned(), moved);
                    assert!(clash.is_none(), "a rename replaced a file");
                }
                Effect::Stow { file } | Effect::Unlink { file, .. } | Effect::PackThenUnlink { file, .. } => {
                    self.files.remove(file.name.to_str().unwrap()).expect("a removed file is there");
                }
                _ => {
                    panic!("cleanup never does this")
                }
            }
        }
    }
}

pub fn member(state: &Result<Vec<String>, ()>, folder: &FolderFacts) -> MemberState {
    match state {
        Err(()) => MemberState::Failed("permission denied".into()),
        Ok(files) => {
            let refs = files.iter().filter_map(|name| {
                let file = folder.find(OsStr::new(name))? as u32;
                Some(MemberRef { file, key: "agent:b:x".into(), via: clawkeep::model::index::Via::SessionFile })
            });
            MemberState::Read { rows: 1, refs: refs.collect() }
        }
    }
}

pub fn policy() -> Policy {
    pub fn of<T>(key: &'static str, value: T) -> Sourced<T> {
        Sourced::default_for(key, value)
    }
    Policy {
        mode: of("mode", Mode::Enforce),
        prune_after: of("pruneAfter", Limit::At(30 * DAY)),
        final_after: of("pruneAfter", Limit::At(30 * DAY)),
        max_entries: of("maxEntries", Limit::At(500)),
        max_disk: of("maxDiskBytes", Limit::Off),
        high_water: of("highWaterBytes", Limit::Off),
        deleted_retention: of("deletedRetention", Limit::At(30 * DAY)),
        reset_retention: of("resetArchiveRetention", Limit::At(30 * DAY)),
        cron_retention: of("sessionRetention", Limit::At(DAY)),
        grace: of("grace", 10 * MINUTE),
        fix_missing: false,
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

// ---------------------------------------------------------------------------------------------- generators

pub fn an_age() -> impl Strategy<Value = Ms> {
    prop_oneof![
        3 => 0..5 * MINUTE,
        4 => HOUR..20 * DAY,
        5 => 31 * DAY..90 * DAY,
        1 => -90 * DAY..-10 * MINUTE,
    ]
}

pub fn a_key(n: u32) -> impl Strategy<Value = String> {
    prop_oneof![
        Just("agent:main:main".to_owned()),
        Just(format!("agent:main:telegram:direct:{n}")),
        Just(format!("agent:main:discord:channel:{n}")),
        Just(format!("agent:main:slack:room:{n}")),
        Just(format!("agent:main:telegram:group:-{n}:topic:{n}")),
        Just(format!("agent:main:subagent:{n}")),
        Just(format!("agent:main:cron:live:run:r{n}")),
        Just("agent:main:cron:live".to_owned()),
        Just(format!("agent:main:cron:gone{n}")),
        Just(format!("hook:{n}")),
        Just(format!("{n}")),
    ]
}

pub fn a_time() -> impl Strategy<Value = Option<String>> {
    prop_oneof![
        8 => an_age().prop_map(|age| Some((NOW - age).to_string())),
        1 => Just(None),
        1 => Just(Some("\"2020-01-01T00:00:00Z\"".to_owned())),
        1 => Just(Some("1796000000".to_owned())),
    ]
}

pub fn a_row(n: u32) -> impl Strategy<Value = (String, String)> {
    let object = (a_time(), prop::bool::weighted(0.15), prop::option::weighted(0.2, 0u32..40), 0u32..40).prop_map(
        move |(time, running, shared, id)| {
            let id = if shared.is_some() { id } else { n };
            let mut fields = vec![format!("\"sessionId\": \"{}\"", uuid(id))];
            if let Some(time) = time {
                fields.push(format!("\"updatedAt\": {time}"));
            }
            if running {
                fields.push("\"status\": \"running\"".into());
            }
            if let Some(other) = shared {
                fields.push(format!("\"sessionFile\": \"/old/home/{}.jsonl\"", uuid(other)));
                fields.push(format!("\"usageFamilySessionIds\": [\"{}\"]", uuid(other + 1)));
            }
            format!("{{ {} }}", fields.join(", "))
        },
    );
    let value =
        prop_oneof![20 => object.boxed(), 1 => Just("null".to_owned()).boxed(), 1 => Just("5".to_owned()).boxed()];
    (a_key(n), value)
}

pub fn a_name(n: u32) -> impl Strategy<Value = String> {
    let stamp = an_age().prop_map(|age| time::stamp(NOW - age));
    let stamp2 = an_age().prop_map(|age| time::stamp(NOW - age));
    prop_oneof![
        6 => Just(format!("{}.jsonl", uuid(n))),
        1 => Just(format!("{}-topic-{n}.jsonl", uuid(n))),
        1 => Just(format!("2026-05-01T08-00-00-000Z_{}.jsonl", uuid(n))),
        1 => Just(format!("notes-{n}.jsonl")),
        2 => Just(format!("{}.checkpoint.aaaaaaaa-0000-4000-8000-{n:012x}.jsonl", uuid(n % 7))),
        1 => Just(format!("{}.trajectory.jsonl", uuid(n))),
        1 => Just(format!("{}.trajectory-path.json", uuid(n))),
        2 => stamp.prop_map(move |s| format!("{}.jsonl.deleted.{s}", uuid(n))),
        1 => stamp2.prop_map(move |s| format!("{}.jsonl.reset.{s}", uuid(n))),
        1 => Just(format!("{}.jsonl.bak-7-{}", uuid(n % 3), NOW - i64::from(n) * DAY)),
        1 => Just(format!("sessions.json.{n}.0f0e0d0c-0000-4000-8000-000000000001.tmp")),
        1 => Just(format!("sessions.json.bak.{n}")),
        1 => Just(format!("readme-{n}.txt")),
    ]
}

pub fn a_file() -> impl Strategy<Value = File> {
    (
        prop_oneof![1 => Just(0u64), 9 => 50u64..5000],
        an_age(),
        any::<bool>(),
        any::<bool>(),
        prop::option::weighted(0.1, 0u32..40),
    )
        .prop_map(|(size, age, header, user, parent)| File {
            size,
            mtime: NOW - age,
            header: header && size > 0,
            user: header && user && size > 0,
            parent: parent.map(|p| format!("/x/{}.jsonl", uuid(p))),
        })
}

prop_compose! {
    /// Any policy or world.
    pub fn a_world()(
        rows in prop::collection::vec((0u32..40).prop_flat_map(a_row), 0..30),
        files in prop::collection::vec((0u32..40).prop_flat_map(|n| (a_name(n), a_file())), 0..50),
        locked in prop::collection::hash_set(0u32..40, 0..3),
        dead in prop::collection::hash_set(0u32..40, 0..2),
        jobs in prop_oneof![Just(JobsFacts::NotApplicable), Just(JobsFacts::Usable { ids: HashSet::from(["live".to_owned()]), done: HashSet::new() }), Just(JobsFacts::Usable { ids: HashSet::from(["live".to_owned(), "j1".to_owned()]), done: HashSet::from(["live".to_owned()]) })],
        record in prop::option::weighted(0.1, 0u64..80),
        member in prop::option::weighted(0.3, prop_oneof![
            4 => prop::collection::vec((0u32..40).prop_map(|n| format!("{}.jsonl", uuid(n))), 0..5).prop_map(Ok),
            1 => Just(Err(())),
        ]),
    ) -> World {
        let mut seen = HashSet::new();
        World {
            rows: rows.into_iter().filter(|(k, _)| seen.insert(k.clone())).collect(),
            files: files.into_iter().collect(),
            dead_locks: dead.difference(&locked).map(|n| format!("{}.jsonl", uuid(*n))).collect(),
            locked: locked.into_iter().map(|n| format!("{}.jsonl", uuid(n))).collect(),
            jobs,
            record: record.map(|rows| IndexRecord { rows, at: NOW - DAY }),
            member,
        }
    }
}

prop_compose! {
    /// Any policy or world.
    pub fn a_policy()(
        prune in prop_oneof![4 => Just(Limit::At(30 * DAY)), 1 => Just(Limit::Off)],
        cap in prop_oneof![3 => (1u64..25).prop_map(Limit::At), 1 => Just(Limit::Off)],
        disk in prop_oneof![1 => Just(Limit::Off), 2 => (500u64..60_000).prop_map(Limit::At)],
        reset in prop_oneof![3 => Just(Limit::At(7 * DAY)), 1 => Just(Limit::Off)],
        (missing, dm, files_only) in (any::<bool>(), any::<bool>(), prop::bool::weighted(0.15)),
        active in prop::option::of(0u32..40),
        keep in prop::bool::weighted(0.2),
        max_remove in prop::option::weighted(0.1, 0u64..5),
        override_suspect in prop::bool::weighted(0.1),
    ) -> Policy {
        let mut policy = policy();
        policy.prune_after.value = prune;
        policy.final_after.value = prune;
        policy.deleted_retention.value = prune;
        policy.max_entries.value = cap;
        policy.max_disk.value = disk;
        policy.high_water.value = match disk { Limit::At(max) => Limit::At(max * 4 / 5), Limit::Off => Limit::Off };
        policy.reset_retention.value = reset;
        policy.fix_missing = missing;
        policy.fix_dm_scope = dm;
        policy.files_only = files_only;
        policy.active_keys = active.into_iter().map(|n| format!("agent:main:telegram:direct:{n}")).collect();
        if keep {
            policy.keep = vec![Sourced::default_for("keep", "hook:*".to_owned())];
        }
        policy.max_remove = max_remove.map(|n| Sourced::default_for("maxRemove", MaxRemove::Count(n)));
        policy.override_suspect = override_suspect;
        policy
    }
}

/// A second pass at the same time wants nothing more, and changes no byte.
pub fn settles(world: &World, policy: &Policy) -> Result<(), String> {
    let mut after = world.clone();
    let (facts, plan) = world.plan(policy);
    // The next pass records and doubts anew; a passed suspicion must not arise from our own removal.
    after.apply(&facts, &plan);
    if after.record.is_some() {
        after.record = Some(IndexRecord { rows: plan.rows_after, at: NOW });
    }
    if plan.suspicion.is_some() || plan.max_remove_hit.is_some() {
        return Ok(());
    }
    let (_, second) = after.plan(policy);
    // The predecessor of a session that left with the first pass has lost its successor: it is an orphan from now on.
    let predecessors: HashSet<&OsStr> = plan
        .decisions
        .iter()
        .filter(|d| d.reason == Reason::Predecessor)
        .filter_map(|d| match d.subject {
            Subject::File(ix) => Some(&*facts.folder.entries[ix as usize].name),
            Subject::Row(_) => None,
        })
        .collect();
    let was_predecessor = |effect: &Effect| match effect {
        Effect::Move { file, .. } | Effect::Unlink { file, .. } => predecessors.contains(file.name.as_os_str()),
        _ => false,
    };
    let left: Vec<_> = second.effects.iter().filter(|e| !was_predecessor(&e.effect)).collect();
    if left.is_empty() { Ok(()) } else { Err(format!("{left:?}")) }
}
