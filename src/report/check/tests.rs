//! Reports of hand-made findings, with every optional field at least once.

use std::path::{Path, PathBuf};

use super::{Report, human, json};
use crate::model::check::{CheckedStore, FieldUse};
use crate::model::finding::{Finding, FindingId, Place};
use crate::model::owner::{Connect, GatewayLock, OwnerEvidence, OwnerVerdict, Writer};
use crate::model::probe::LockState;
use crate::model::stores::Agent;
use crate::report::schema_tests::assert_valid;
use crate::report::style::Style;

fn store(agent: &str) -> CheckedStore {
    CheckedStore {
        agent_id: agent.to_owned(),
        path: PathBuf::from("/s/sessions.json"),
        folder: Some(PathBuf::from("/s")),
        error: None,
        absent: false,
        rows: Some(3),
        index_bytes: Some(4096),
        files: 5,
        transcripts_read: 3,
        transcripts_whole: 2,
        not_read: 1,
        fields: vec![FieldUse { name: "systemPromptReport".into(), bytes: 900, rows: 3, distinct: 1 }],
        owner: Some(verdict()),
        findings: Vec::new(),
    }
}

fn verdict() -> OwnerVerdict {
    let lock = GatewayLock {
        path: "/tmp/l.lock".into(),
        generation: "2026.5",
        pid: Some(7),
        state: LockState::Dead { pid: Some(7), why: "gone".into() },
        port: None,
        foreign: false,
    };
    let evidence = OwnerEvidence {
        endpoint: "ws://127.0.0.1:1".into(),
        endpoint_origin: "default".into(),
        connect: Connect::NotTried("no route".into()),
        locks: vec![lock],
        container: true,
        network_fs: false,
        newest_write_age: Some(5),
        remote_mode: false,
        greeting: None,
        several_listen: false,
        stop: None,
    };
    OwnerVerdict { writer: Writer::Unknown, why: "could not be tried".into(), evidence }
}

fn full() -> Vec<CheckedStore> {
    let mut first = store("main");
    let row = Place { key: Some("agent:main:a\u{1b}[31m".into()), row: Some(1), ..Place::file("/s/sessions.json") };
    first.findings = vec![
        Finding::new(FindingId::IndexBloat, Place::file("/s/sessions.json"), "large").operand("systemPromptReport"),
        Finding::new(FindingId::OddRow, row, "null"),
        Finding::new(FindingId::OrphanHistory, Place::file("/s/x.jsonl"), "history").operand("x y").bytes(7),
        Finding::new(FindingId::TornTail, Place::line("/s/y.jsonl", 12, 700), "37 B").bytes(37),
    ];
    for n in 0..9 {
        first.findings.push(Finding::new(FindingId::StaleLock, Place::file(format!("/s/{n}.jsonl.lock")), "dead"));
    }
    let mut failed = store("ops");
    (failed.error, failed.owner, failed.folder, failed.rows) = (Some("no rights".into()), None, None, None);
    let mut broken = store("work");
    broken.rows = None;
    let absent = CheckedStore { absent: true, rows: None, index_bytes: None, ..store("new") };
    vec![first, failed, broken, absent]
}

fn report<'a>(stores: &'a [CheckedStore], others: &'a [Agent], verbose: bool) -> Report<'a> {
    Report {
        stores,
        full: false,
        state_dir: Path::new("/state"),
        not_looked_at: others,
        given: Default::default(),
        verbose,
    }
}

#[test]
fn json_is_what_the_schema_allows() {
    let (stores, others) = (full(), [Agent { id: "x".into(), configured: true }]);
    assert_valid("sessions-check.json", &json::value(&report(&stores, &others, false)));
    let clean = [store("main")];
    let value = json::value(&report(&clean, &[], false));
    assert_valid("sessions-check.json", &value);
    assert_eq!(value["clean"], true);
}

#[test]
fn people_see_the_gravest_first_the_cut_and_the_command() {
    let stores = full();
    let text = human::text(&report(&stores, &[], false), Style::PLAIN);
    let at = |word: &str| text.find(word).unwrap_or_else(|| panic!("no {word} in\n{text}"));
    assert!(at("error: torn-tail") < at("warning: odd-row") && at("writer: unknown") < at("error: torn-tail"));
    at("y.jsonl:12: 37 B");
    at("5 more: -v or --json");
    at("clawkeep sessions repair --adopt 'x y' --store /s/sessions.json");
    at("1 error, 12 warnings, 0 remarks; nothing was changed");
    at("agent:main:a\\x1b[31m: null");
    assert!(!text.contains('\u{1b}'));
    let items = text.lines().filter(|l| l.starts_with("    ")).count();
    assert!(items <= 20 + 1, "{text}");
    let all = human::text(&report(&stores, &[], true), Style::PLAIN);
    assert!(all.contains("8.jsonl.lock: dead") && all.contains("in a container"));
}

#[test]
fn a_clean_store_has_no_findings_to_show() {
    let stores = [store("main")];
    let text = human::text(&report(&stores, &[], false), Style::PLAIN);
    assert!(text.ends_with("\nclean: nothing was found\n"), "{text}");
}
