use std::path::PathBuf;

use super::*;
use crate::context::Env;
use crate::model::{DAY, HOUR};

const NOW: Ms = 1_777_622_400_000;

fn target(path: PathBuf, origin: TargetOrigin) -> Target {
    Target { agent_id: "main".to_owned(), store_path: path, origin, generation: Generation::Json }
}

/// Four rows of different kinds, ages, sizes and token counts, and their files.
fn folder() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let index = format!(
        r#"{{"agent:main:main": {{"sessionId": "a", "updatedAt": {}, "totalTokens": 5}},
            "agent:main:cron:x": {{"sessionId": "b", "updatedAt": {}, "totalTokens": 50}},
            "agent:main:Group": {{"sessionId": "c", "updatedAt": {}, "chatType": "group"}},
            "agent:main:none": {{"sessionId": "d"}}}}"#,
        NOW - DAY,
        NOW - HOUR,
        NOW + HOUR
    );
    std::fs::write(dir.path().join("sessions.json"), index).unwrap();
    for (name, size) in [("a", 30), ("b", 10), ("c", 20)] {
        std::fs::write(dir.path().join(format!("{name}.jsonl")), "x".repeat(size)).unwrap();
    }
    dir
}

/// Session ids of the rows that `args` list, in order.
fn ids(args: &ListArgs) -> String {
    let dir = folder();
    let target = target(dir.path().join("sessions.json"), TargetOrigin::StoreFlag);
    let (store, shown) = look(&target).unwrap();
    assert_eq!(shown.state, "ok");
    let stores = [store.unwrap()];
    let mut found = candidates(args, &stores, NOW);
    sort(args.sort.unwrap_or_default(), &stores, &mut found);
    found.iter().filter_map(|c| listed_row(&stores, c, &Locks::new(&Env::default(), NOW)).session_id).collect()
}

fn look(target: &Target) -> Result<(Option<Store>, ListedStore)> {
    open(target, &Found::of(target, &crate::model::sourced::Origin::Default))
}

#[test]
fn every_order_is_what_it_says() {
    for (sort, order) in [
        (SortBy::Updated, "cbad"),
        (SortBy::Age, "abcd"),
        (SortBy::Size, "acbd"),
        (SortBy::Tokens, "bacd"),
        (SortBy::Key, "cbad"),
    ] {
        assert_eq!(ids(&ListArgs { sort: Some(sort), ..ListArgs::default() }), order, "{sort:?}");
    }
}

#[test]
fn filters_take_what_they_name() {
    assert_eq!(ids(&ListArgs { active: Some(90), ..ListArgs::default() }), "cb", "the future passes, no time does not");
    assert_eq!(ids(&ListArgs { active: Some(u64::MAX), ..ListArgs::default() }), "cba");
    assert_eq!(ids(&ListArgs { kinds: vec![KindFilter::Group, KindFilter::Cron], ..ListArgs::default() }), "cb");
    assert_eq!(ids(&ListArgs { key: Some("*:group".to_owned()), ..ListArgs::default() }), "c");
}

#[test]
fn transcripts_are_found_or_said_to_be_missing() {
    let dir = folder();
    let target = target(dir.path().join("sessions.json"), TargetOrigin::StoreFlag);
    let stores = [look(&target).unwrap().0.unwrap()];
    let rows: Vec<_> = candidates(&ListArgs::default(), &stores, NOW)
        .iter()
        .map(|c| listed_row(&stores, c, &Locks::new(&Env::default(), NOW)))
        .collect();
    assert!(matches!(rows[0].transcript, TranscriptState::Found { bytes: 30, .. }));
    assert_eq!(rows[3].transcript, TranscriptState::Missing);
}

#[test]
fn a_missing_index_means_what_its_surroundings_say() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("sessions.json");
    let named = look(&target(path.clone(), TargetOrigin::StoreFlag)).err().unwrap();
    assert_eq!(named.kind, Kind::Absent);
    let nothing_yet = target(path.clone(), TargetOrigin::DefaultLayout);
    assert_eq!(look(&nothing_yet).unwrap().1.state, "absent");
    std::fs::write(dir.path().join("a.jsonl"), "{}\n").unwrap();
    let lost = look(&nothing_yet).err().unwrap();
    assert_eq!(lost.kind, Kind::Failed);
    assert!(lost.message.contains("missing beside 1 transcript"), "{}", lost.message);
}

#[test]
fn a_damaged_index_is_an_error_that_names_the_place() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("sessions.json");
    std::fs::write(&path, "{\"a\": {}, \"b\": {\n").unwrap();
    let error = look(&target(path, TargetOrigin::DefaultLayout)).err().unwrap();
    assert!(error.message.contains("line 2") && error.message.contains("1 row"), "{}", error.message);
    assert_eq!(error.hints.last().map(String::as_str), Some(crate::hints::DAMAGED_INDEX));
}

#[test]
fn a_store_of_another_generation_is_listed_as_a_leftover() {
    let dir = folder();
    let mut target = target(dir.path().join("sessions.json"), TargetOrigin::DefaultLayout);
    target.generation = Generation::Sqlite { database: "/x/openclaw-agent.sqlite".into() };
    let (store, shown) = look(&target).unwrap();
    assert!(store.is_some());
    assert_eq!(shown.state, "leftover");
    assert!(shown.detail.unwrap().contains("sqlite"));
}
