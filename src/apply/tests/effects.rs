//! Every effect, every skip, full disks and other writers.

use super::*;

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
        partly: false,
        leaves: false,
        group: None,
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
        progress: None,
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
    assert!(error.hints[0].contains("to go from here"), "more is needed than may go: {:?}", error.hints);
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
    assert!(error.message.contains("2 files"), "{error}");
    assert!(!state.has(&format!("arch.jsonl.reset.{STAMP}")));
    // Nothing that a row leads to went, and no rename became an unlink.
    assert_rows_have_files(&state, "full disk");
    assert!(state.has("junk.jsonl"));
}

#[test]
fn with_a_budget_orphans_that_were_to_be_renamed_make_the_room_junk_first() {
    let state = State::new();
    for (name, text) in [("hist.jsonl", "history"), ("junk2.jsonl", "junk 2"), ("cp.jsonl", "last checkpoint")] {
        state.put(name, text);
    }
    let plan = plan_of(
        &state.dir(),
        vec![
            (Reason::Stale, state.swap(&[0], vec![])),
            (Reason::SessionRemoved, state.mv("a.jsonl")),
            (Reason::OrphanHistory, state.mv("hist.jsonl")),
            (Reason::OrphanJunk, state.mv("junk2.jsonl")),
            (Reason::LastCheckpoint, state.mv("cp.jsonl")),
        ],
    );
    // The first thing that the record needs finds no room; once one file is gone there is enough.
    let world = World { faults: "1:ENOSPC", reclaim: true, ..World::default() };
    let applied = apply(&state, &plan, &world).unwrap();
    assert_eq!(applied.outcomes[3], Outcome::UnlinkedForSpace { freed: 6 }, "{:?}", applied.outcomes);
    assert!(applied.outcomes.iter().enumerate().all(|(ix, o)| ix == 3 || done(o)), "{:?}", applied.outcomes);
    assert!(!state.has("junk2.jsonl") && !state.has(&format!("junk2.jsonl.deleted.{STAMP}")));
    assert_eq!(state.text(&format!("hist.jsonl.deleted.{STAMP}")), "history");
    let (_, undo) = undo_plan(&state, &applied.run_id);
    assert_eq!(undo.not_undoable.len(), 1, "{undo:?}");
    assert!(undo.not_undoable[0].why.contains("disk was too full"), "{undo:?}");
    let audit = state.text(".clawkeep/audit.jsonl");
    let line = audit.lines().find(|l| l.contains("junk2.jsonl")).unwrap();
    assert!(line.contains(r#""op":"unlink""#) && line.contains("unlinked-for-space"), "{line}");
    assert!(!line.contains("archive"), "{line}");

    // Without any room at all everything goes that may, and nothing that a row leads to.
    let state = State::new();
    state.put("hist.jsonl", "history");
    let plan = plan_of(
        &state.dir(),
        vec![
            (Reason::Stale, state.swap(&[0], vec![])),
            (Reason::SessionRemoved, state.mv("a.jsonl")),
            (Reason::OrphanHistory, state.mv("hist.jsonl")),
        ],
    );
    let error =
        apply(&state, &plan, &World { faults: "create:ENOSPC", reclaim: true, ..World::default() }).unwrap_err();
    assert!(error.message.contains("1 files with"), "{error}");
    assert!(!state.has("hist.jsonl") && state.has("a.jsonl"));
    // Without a budget none of it is taken.
    let state = State::new();
    state.put("hist.jsonl", "history");
    let plan = plan_of(&state.dir(), vec![(Reason::OrphanHistory, state.mv("hist.jsonl"))]);
    apply(&state, &plan, &World { faults: "create:ENOSPC", ..World::default() }).unwrap_err();
    assert_eq!(state.text("hist.jsonl"), "history");
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
        partly: false,
        leaves: false,
        group: None,
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
        progress: None,
        recovered: &[],
    })
    .unwrap();
    assert!(applied.cancelled && applied.swapped);
    assert!(done(&applied.outcomes[1]));
    assert_eq!(applied.outcomes[2], Outcome::NotReached);
    assert!(applied.warnings.iter().any(|w| w.contains("cleanup --enforce finishes it")), "{:?}", applied.warnings);
    // It stays open: the next run that writes carries out the rest before it plans anything.
    assert_eq!(recover::pending(&state.dir()).unwrap().len(), 1);
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

#[test]
fn an_override_passes_the_owner_it_names_and_no_other() {
    let state = State::new();
    let plan = plan_of(&state.dir(), vec![(Reason::OrphanHistory, state.mv("junk.jsonl"))]);
    let tokens = ["live-gateway".to_owned()];
    let unknown = World { overrides: &tokens, owner: &|| Writer::Unknown, ..World::default() };
    assert_eq!(apply(&state, &plan, &unknown).unwrap().outcomes, [Outcome::Skipped(Skip::OwnerNow)]);
    let owns = World { owner: &|| Writer::Owns, ..unknown };
    assert!(done(&apply(&state, &plan, &owns).unwrap().outcomes[0]));
    assert_eq!(read::list(&state.dir()).unwrap()[1].meta.as_ref().unwrap().overrides, tokens);
}
