//! A crash or an error at every single operation.

use super::*;

/// Carries out the plan on a fresh state with a crash at operation `n`, checks, recovers, checks again.
pub(super) fn crash_at(n: u64, make: &dyn Fn(&State) -> (Plan, Option<String>)) -> bool {
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
