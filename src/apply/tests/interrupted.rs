//! Interrupted runs that are finished, and then undone: everything that policy had not made final is back.

use super::*;
use crate::cli::undo::UndoArgs;
use crate::journal::write::run_path;

/// Files that cleanup removes for good: they may be gone, whether or not the run came that far.
const FINAL: [&str; 2] = ["old.jsonl.deleted.2026-05-01T08-00-00.000Z", "arch.jsonl.reset.2026-05-01T08-00-00.000Z"];

fn without_final(mut files: BTreeMap<String, String>) -> BTreeMap<String, String> {
    files.retain(|name, _| !FINAL.contains(&name.as_str()));
    files
}

fn only_run(state: &State) -> Option<crate::model::run::RunRecord> {
    read::list(&state.dir()).unwrap().into_iter().next()
}

/// Undoes the only run, if it did anything, and compares.
fn undo_gives_back_everything(state: &State, before: &BTreeMap<String, String>, context: &str) {
    let run = only_run(state).filter(|r| r.state != RunState::RolledBack);
    if let Some(run) = run {
        assert_eq!(run.rows_missing, 0, "{context}");
        let (plan, _) = undo_plan(state, &run.id);
        apply(state, &plan, &World { undoes: Some(&run.id), ..World::default() }).unwrap();
    }
    assert_eq!(without_final(state.files()), without_final(before.clone()), "{context}");
}

#[test]
fn whatever_operation_a_run_crashes_at_its_undo_gives_back_every_byte() {
    for n in 1.. {
        let state = State::new();
        let before = state.files();
        let rule = format!("{n}:crash");
        let (_, count) = apply_counting(&state, &state.plan(), &World { faults: &rule, ..World::default() });
        if count < n {
            break;
        }
        recover_now(&state, "").unwrap();
        undo_gives_back_everything(&state, &before, &format!("crash at operation {n}"));
    }
}

#[test]
fn a_recovery_that_crashes_loses_no_row_either() {
    let total = {
        let state = State::new();
        apply_counting(&state, &state.plan(), &World::default()).1
    };
    // The second half: the swap, the renames, and the close.
    for at in (total / 2..total).step_by(2) {
        for n in 1.. {
            let state = State::new();
            let before = state.files();
            let rule = format!("{at}:crash");
            let _ = apply(&state, &state.plan(), &World { faults: &rule, ..World::default() });
            let whole = recover_now(&state, &format!("{n}:crash")).is_ok();
            recover_now(&state, "").unwrap();
            undo_gives_back_everything(&state, &before, &format!("crash at {at}, then at {n} of the recovery"));
            if whole {
                break;
            }
        }
    }
}

/// A run that was killed while it wrote its rows, as an earlier version could leave it: a part of the lines, then zeros.
fn with_torn_rows() -> (State, BTreeMap<String, String>, PathBuf) {
    for n in 1.. {
        let state = State::new();
        let before = state.files();
        let rule = format!("{n}:crash");
        let (_, count) = apply_counting(&state, &state.plan(), &World { faults: &rule, ..World::default() });
        assert!(count >= n, "no crash leaves an open run with rows");
        let pending = recover::pending(&state.dir()).unwrap();
        let Some(dir) = pending.first().map(|run| run_path(&state.dir(), &run.id)) else { continue };
        if dir.join("rows.jsonl").exists() && dir.join("index.before").exists() {
            tear(&dir);
            return (state, before, dir);
        }
    }
    unreachable!()
}

fn tear(dir: &Path) {
    let mut bytes = std::fs::read(dir.join("rows.jsonl")).unwrap();
    let first = bytes.iter().position(|b| *b == b'\n').unwrap() + 1;
    bytes[first..].fill(0);
    std::fs::write(dir.join("rows.jsonl"), bytes).unwrap();
}

#[test]
fn torn_rows_are_rebuilt_from_the_old_index() {
    let (state, before, dir) = with_torn_rows();
    recover_now(&state, "").unwrap();
    assert_eq!(std::fs::read_to_string(dir.join("rows.jsonl")).unwrap().lines().count(), 2);
    assert!(!dir.join("index.before").exists(), "the rows are whole, so it is not needed");
    undo_gives_back_everything(&state, &before, "torn rows");
}

#[test]
fn an_old_index_stays_while_the_rows_are_not_whole() {
    let (state, _, dir) = with_torn_rows();
    // Not the index of the plan: its rows are not believed.
    std::fs::remove_file(dir.join("index.before")).unwrap();
    std::fs::write(dir.join("index.before"), "{\"a\": {}, \"b\": {}, \"c\": {}}").unwrap();
    let recovered = recover_now(&state, "").unwrap();
    assert!(recovered[0].detail.contains("1 rows are missing"), "{}", recovered[0].detail);
    assert!(dir.join("index.before").exists());
    assert_eq!(only_run(&state).unwrap().rows_missing, 1);
}

#[test]
fn an_undo_says_how_many_rows_are_missing() {
    let state = State::new();
    let run = apply(&state, &state.plan(), &World::default()).unwrap();
    tear(&run_path(&state.dir(), &run.run_id));
    let (_, plan) = undo_plan(&state, &run.run_id);
    assert_eq!(plan.rows_back, ["a"]);
    assert!(
        plan.not_undoable.iter().any(|l| l.why.contains("only 1 of 2 rows can be read")),
        "{:?}",
        plan.not_undoable
    );
    let yes = UndoArgs { yes: true, ..UndoArgs::default() };
    assert_eq!(super::undo_runs::command(&state, &yes, GatewayLimits::default()).unwrap(), crate::exit::PARTIAL);
}

#[test]
fn a_signal_after_any_effect_leaves_a_run_that_is_finished_and_undone_whole() {
    for k in 1.. {
        let state = State::new();
        let before = state.files();
        let world = World { cancel_at: k, ..World::default() };
        let applied = apply(&state, &state.plan(), &world).unwrap();
        let open = applied.swapped && applied.outcomes.contains(&Outcome::NotReached);
        assert_eq!(recover::pending(&state.dir()).unwrap().len(), usize::from(open), "signal {k}");
        let recovered = recover_now(&state, "").unwrap();
        if open {
            assert!(!state.has("a.jsonl") && !state.has("c.jsonl") && !state.has("junk.jsonl"), "signal {k}");
            // Every removal that recovery gives up is named.
            assert!(recovered[0].left.iter().all(|l| state.has(&l.name.to_string_lossy())));
            let audit = state.text(".clawkeep/audit.jsonl");
            assert_eq!(audit.matches("dropRow").count(), 2, "{audit}");
            assert!(recovered[0].left.iter().all(|l| audit.contains(&*l.name.to_string_lossy())), "{audit}");
        }
        undo_gives_back_everything(&state, &before, &format!("signal {k}"));
        if !applied.cancelled {
            assert!(k > 5, "only {k} questions");
            break;
        }
    }
}

#[test]
fn a_gateway_that_comes_up_after_the_swap_leaves_the_run_open() {
    let state = State::new();
    let before = state.files();
    let asked = std::cell::Cell::new(0);
    let owner = || {
        asked.set(asked.get() + 1);
        if asked.get() > 1 { Writer::Owns } else { Writer::Offline }
    };
    let applied = apply(&state, &state.plan(), &World { owner: &owner, ..World::default() }).unwrap();
    assert_eq!(applied.outcomes[1], Outcome::Skipped(Skip::OwnerNow));
    assert_eq!(recover::pending(&state.dir()).unwrap().len(), 1);
    recover_now(&state, "").unwrap();
    assert!(!state.has("a.jsonl") && !state.has("junk.jsonl"));
    undo_gives_back_everything(&state, &before, "gateway");
}

#[test]
fn undo_of_an_interrupted_run_finishes_it_first() {
    let state = State::new();
    let before = state.files();
    apply(&state, &state.plan(), &World { cancel_at: 2, ..World::default() }).unwrap();
    let dry = UndoArgs { dry_run: true, ..UndoArgs::default() };
    let told = super::undo_runs::command(&state, &dry, GatewayLimits::default()).unwrap_err();
    assert!(told.message.contains("was interrupted"), "{told}");
    let yes = UndoArgs { yes: true, ..UndoArgs::default() };
    super::undo_runs::command(&state, &yes, GatewayLimits::default()).unwrap();
    assert_eq!(without_final(state.files()), without_final(before));
    assert!(recover::pending(&state.dir()).unwrap().is_empty());
}

/// Whatever happens to the second run, `undo` never goes on to the first.
#[test]
fn undo_never_takes_back_an_older_run_in_place_of_the_interrupted_one() {
    for n in 1.. {
        let state = State::new();
        let first = vec![(Reason::Stale, state.swap(&[3], vec![])), (Reason::SessionRemoved, state.mv("d.jsonl"))];
        apply(&state, &plan_of(&state.dir(), first), &World::default()).unwrap();
        let before = state.files();
        let rule = format!("{n}:crash");
        let (_, count) =
            apply_counting(&state, &state.plan(), &World { faults: &rule, now: NOW + 1000, ..World::default() });
        if count < n {
            break;
        }
        if recover::pending(&state.dir()).unwrap().is_empty() {
            continue;
        }
        let yes = UndoArgs { yes: true, ..UndoArgs::default() };
        super::undo_runs::command(&state, &yes, GatewayLimits::default()).unwrap();
        assert_eq!(without_final(state.files()), without_final(before), "crash at operation {n}");
    }
}
