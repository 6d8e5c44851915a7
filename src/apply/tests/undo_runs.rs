//! Undo, as a run of its own.

use super::*;

#[test]
fn undo_brings_back_the_same_bytes_and_can_be_undone() {
    let state = State::new();
    let before = state.files();
    let plan = state.plan();
    let first = apply(&state, &plan, &World::default()).unwrap();
    let after = state.files();
    let (undo, described) = undo_plan(&state, &first.run_id);
    assert_eq!(described.rows_back, ["a", "c"]);
    assert_eq!(described.not_undoable.len(), 1, "what the budget took");
    assert_eq!(described.expired.len(), 1, "what policy had made final before");
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
    let facts =
        UndoFacts { run: &run, index: Some(&index), folder: &folder, contents: &contents, before: None, others: &[] };
    let plan = undo::plan(&facts);
    assert_eq!(undo::pruned_again(&facts, &plan, GatewayLimits::default(), NOW), 2);
    assert_eq!(undo::pruned_again(&facts, &plan, GatewayLimits::default(), 5_000), 0);
    let small = GatewayLimits { max_entries: Some(3), prune_after: None, enforces: true };
    assert_eq!(undo::pruned_again(&facts, &plan, small, NOW), 1);
    assert_eq!(undo::pruned_again(&facts, &plan, GatewayLimits { enforces: false, ..small }, NOW), 0);
}

/// An old run: over the limits, but what undo is about to read from.
#[test]
fn an_undo_does_not_expire_the_run_it_undoes() {
    let state = State::new();
    let plan = plan_of(&state.dir(), vec![(Reason::OrphanJunk, Effect::Stow { file: state.file("junk.jsonl") })]);
    let first = apply(&state, &plan, &World::default()).unwrap();
    let meta = first.run_dir.clone().unwrap().join("meta.json");
    let old = std::fs::read_to_string(&meta).unwrap().replace(&NOW.to_string(), "1");
    std::fs::write(&meta, old).unwrap();
    let late = World { now: NOW + 3650 * crate::model::DAY, undoes: Some(&first.run_id), ..World::default() };
    let (undo, _) = undo_plan(&state, &first.run_id);
    assert!(done(&apply(&state, &undo, &late).unwrap().outcomes[0]));
    assert_eq!(state.text("junk.jsonl"), "junk");
}

pub(super) fn command(state: &State, args: &crate::cli::undo::UndoArgs, limits: GatewayLimits) -> Result<u8> {
    let mut ctx = Context::for_tests(NOW, state.dir());
    ctx.output.quiet = 2;
    let target = crate::cmd::sessions::undo::UndoTarget {
        own_dir: &state.dir(),
        limits,
        recheck: Recheck {
            owned_now: &|n| Ok(vec![false; n.len()]),
            locked_now: &|_| false,
            owner_now: &|| verdict(Writer::Offline),
            files_only: false,
        },
        argv: &[],
        overrides: &[],
        select: "",
        indexed: true,
        not_looked_at: &[],
        group: None,
    };
    crate::cmd::sessions::undo::undo(args, &ctx, &target)
}

#[test]
fn the_command_undoes_the_last_run_and_refuses_what_would_not_last() {
    use crate::cli::undo::UndoArgs;
    let state = State::new();
    let none = command(&state, &UndoArgs::default(), GatewayLimits::default()).unwrap_err();
    assert_eq!(none.kind, Kind::Failed);
    let effects = vec![(Reason::Stale, state.swap(&[0], vec![])), (Reason::SessionRemoved, state.mv("a.jsonl"))];
    let before = state.files();
    let first = apply(&state, &plan_of(&state.dir(), effects), &World::default()).unwrap();
    let after = state.files();
    let dry = UndoArgs { dry_run: true, ..UndoArgs::default() };
    assert_eq!(command(&state, &dry, GatewayLimits::default()).unwrap(), 0);
    let refused = command(&state, &UndoArgs::default(), GatewayLimits::default()).unwrap_err();
    assert!(refused.message.contains("would be removed again"), "{refused}");
    assert_eq!(state.files(), after);
    let yes = UndoArgs { yes: true, ..UndoArgs::default() };
    assert_eq!(command(&state, &yes, GatewayLimits::default()).unwrap(), 0);
    assert_eq!(state.files(), before);
    // Nothing is left to undo but the undo, and that only by its name.
    assert_eq!(command(&state, &yes, GatewayLimits::default()).unwrap_err().kind, Kind::Failed);
    let named = UndoArgs { run: Some(first.run_id), ..yes };
    assert!(command(&state, &named, GatewayLimits::default()).unwrap_err().message.contains("was undone by"));
}
