//! Files that come back, from an archive and from a compressed copy, with a fault at every operation.

use super::crashes::crash_at;
use super::*;
use crate::model::effect::PackedContent;

/// A cleanup took the sessions a and c. A comes back from a compressed copy, c from its archive.
fn restore_plan(state: &State) -> Plan {
    apply(state, &state.plan(), &World::default()).unwrap();
    let copy = state.path("copy.zst");
    std::fs::write(&copy, zstd::encode_all(&b"transcript of a"[..], 3).unwrap()).unwrap();
    let digest = crate::archive::read(&copy, &mut std::io::sink()).unwrap();
    let content = PackedContent { bytes: digest.bytes, sha256: digest.sha256, mtime_ms: NOW - 5_000, mode: 0o640 };
    let archive = format!("c.jsonl.deleted.{STAMP}");
    let row = |key: &str, after: &[u8]| RowInsert {
        key: key.into(),
        value: format!("{{\"sessionId\": \"{key}\", \"updatedAt\": 1.0e3}}").into_bytes(),
        after: Some(after.to_vec()),
    };
    let effects = vec![
        (Reason::Owned, Effect::Unpack { copy, content, to: "a.jsonl".into() }),
        (
            Reason::Owned,
            Effect::Restore {
                from: state.path(&archive),
                to: "c.jsonl".into(),
                replaces: Some(archive.as_str().into()),
            },
        ),
        (Reason::Owned, state.swap(&[], vec![row("a", RowInsert::FIRST), row("c", b"b")])),
    ];
    plan_of(&state.dir(), effects)
}

#[test]
fn an_unpacked_file_has_the_time_and_mode_of_its_original_and_one_name() {
    let state = State::new();
    let before = state.text("sessions.json");
    let applied = apply(&state, &restore_plan(&state), &World::default()).unwrap();
    assert!(applied.outcomes.iter().all(done), "{:?}", applied.outcomes);
    assert_eq!((state.text("a.jsonl"), state.text("sessions.json")), ("transcript of a".into(), before));
    let fp = lstat(&state.path("a.jsonl")).unwrap();
    assert_eq!((fp.mtime_ms(), fp.nlink), (NOW - 5_000, 1));
    #[cfg(unix)]
    assert_eq!(fp.mode, 0o640);
    assert!(!state.has(&format!("c.jsonl.deleted.{STAMP}")));
}

#[test]
fn a_copy_that_holds_something_else_stops_the_run_before_any_name() {
    let state = State::new();
    let plan = restore_plan(&state);
    std::fs::write(state.path("copy.zst"), zstd::encode_all(&b"transcript of x"[..], 3).unwrap()).unwrap();
    let files = state.files_but("copy.zst");
    let error = apply(&state, &plan, &World::default()).unwrap_err();
    assert!(error.message.contains("manifest"), "{error}");
    assert_eq!(state.files_but("copy.zst"), files);
    assert!(recover::pending(&state.dir()).unwrap().is_empty());
}

#[test]
fn a_crash_at_any_operation_of_a_restore_loses_nothing() {
    let mut n = 1;
    while crash_at(n, &|state| (restore_plan(state), None)) {
        n += 1;
    }
    assert!(n > 25, "only {n} operations");
}

#[test]
fn an_error_at_any_operation_of_a_restore_keeps_the_law() {
    for errno in ["EIO", "ENOSPC", "EXDEV", "EINTR"] {
        for n in 1.. {
            let state = State::new();
            let plan = restore_plan(&state);
            let rule = format!("{n}:{errno}");
            let (result, count) = apply_counting(&state, &plan, &World { faults: &rule, ..World::default() });
            let context = format!("{errno} at operation {n}: {result:?}");
            assert_rows_have_files(&state, &context);
            assert_nothing_lost(&state, &context);
            recover_now(&state, "").unwrap_or_else(|e| panic!("{context}: {e}"));
            assert_rows_have_files(&state, &context);
            if count < n {
                assert!(result.is_ok(), "{context}");
                break;
            }
        }
    }
}
