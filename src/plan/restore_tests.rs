use super::*;
use crate::model::candidate::Preview;
use crate::model::fingerprint::{Fingerprint, Kind};
use crate::model::folder::{Artefact, Class};

const FP: Fingerprint = Fingerprint {
    dev: 1,
    ino: 1,
    size: 1,
    mtime_ns: 0,
    ctime_ns: 0,
    blocks: 0,
    nlink: 1,
    uid: 0,
    gid: 0,
    mode: 0o600,
    kind: Kind::File,
};

fn index(text: &str) -> IndexFacts {
    crate::store::parse::parse("/s/sessions.json".into(), FP, text.as_bytes().to_vec().into()).unwrap()
}

fn folder(names: &[&str]) -> FolderFacts {
    let entry =
        |n: &&str| Artefact { name: OsStr::new(n).into(), class: Class::Transcript, stem_len: 1, stamp: None, fp: FP };
    let mut entries: Vec<Artefact> = names.iter().map(entry).collect();
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    FolderFacts { path: "/s".into(), entries, ..FolderFacts::default() }
}

fn copy(source: CopySource, written_at: Ms) -> Candidate {
    let archive = matches!(source, CopySource::Archive(_)).then(|| "a.jsonl.deleted.X".into());
    Candidate {
        source,
        path: "/s/where".into(),
        link: None,
        name: "a.jsonl".into(),
        archive,
        ids: vec!["a".into()],
        written_at,
        taken_at: None,
        bytes: 5,
        fp: None,
        packed: None,
        sidecars: vec![],
        preview: Preview::default(),
    }
}

fn row(at: Ms, key: &str, value: &str) -> RowVersion {
    RowVersion {
        source: RowSource::Run(format!("R{at}")),
        at,
        key: key.into(),
        value: value.into(),
        after: None,
        id: Some("a".into()),
        file: None,
    }
}

fn found(copies: Vec<Candidate>, rows: Vec<RowVersion>) -> Found {
    Found { copies, rows, ..Found::default() }
}

struct Ask<'a> {
    index: &'a str,
    names: &'a [&'a str],
    as_key: Option<&'a str>,
    at: Option<Ms>,
}

const NOTHING: Ask<'static> = Ask { index: "{}", names: &["sessions.json"], as_key: None, at: None };

fn ask(found: &Found, ask: &Ask<'_>) -> Result<RestorePlan, Refusal> {
    let (index, folder) = (index(ask.index), folder(ask.names));
    plan(&RestoreFacts { index: &index, folder: &folder, found, what: "k", as_key: ask.as_key, at: ask.at })
}

fn inserted(plan: &RestorePlan) -> &RowInsert {
    let swap = plan.effects.iter().find_map(|e| match &e.effect {
        Effect::SwapIndex(swap) => Some(swap),
        _ => None,
    });
    &swap.unwrap().insert[0]
}

#[test]
fn the_newest_copy_and_the_newest_row_or_those_of_a_time() {
    let copies = vec![copy(CopySource::Archive("deleted"), 10), copy(CopySource::Run("R".into()), 20)];
    let found = found(copies, vec![row(15, "k", "1"), row(25, "k", "2")]);
    let newest = ask(&found, &NOTHING).unwrap();
    assert_eq!((newest.copy, inserted(&newest).value.as_slice()), (1, &b"2"[..]));
    let then = ask(&found, &Ask { at: Some(16), ..NOTHING }).unwrap();
    assert_eq!((then.copy, inserted(&then).value.as_slice()), (0, &b"1"[..]));
    let before_the_row = ask(&found, &Ask { at: Some(12), ..NOTHING }).unwrap();
    assert_eq!(inserted(&before_the_row).value, b"1", "it left later, so it was there");
    assert_eq!(ask(&found, &Ask { at: Some(9), ..NOTHING }), Err(Refusal::NoneBefore(10)));
}

#[test]
fn nothing_that_lives_is_displaced() {
    let found = found(vec![copy(CopySource::Archive("reset"), 10)], vec![row(15, "k", "{}")]);
    let taken = Ask { index: r#"{"\u006b":{"sessionId":"b"}}"#, ..NOTHING };
    assert_eq!(ask(&found, &taken), Err(Refusal::KeyTaken("k".into())));
    let other = ask(&found, &Ask { as_key: Some("k\n2"), ..taken }).unwrap();
    assert_eq!((other.key.as_str(), inserted(&other).key.as_slice()), ("k\n2", &br"k\n2"[..]));
    let live = r#"{"z":{"sessionId":"a"}}"#;
    let named = ["a.jsonl", "sessions.json"];
    assert_eq!(ask(&found, &Ask { index: live, names: &named, ..NOTHING }), Err(Refusal::Live("z".into())));
    assert_eq!(ask(&found, &Ask { names: &named, ..NOTHING }), Err(Refusal::NameTaken("a.jsonl".into())));
}

#[test]
fn a_live_row_that_lacks_its_file_gets_it_back() {
    let found = found(vec![copy(CopySource::Archive("deleted"), 10)], vec![row(15, "k", "{}")]);
    let plan = ask(&found, &Ask { index: r#"{"z":{"sessionId":"a"}}"#, ..NOTHING }).unwrap();
    assert_eq!((plan.row.clone(), plan.key.as_str(), plan.effects.len()), (RowText::Live, "z", 1));
}

#[test]
fn a_row_is_rebuilt_only_under_a_key_that_was_given() {
    let found = found(vec![copy(CopySource::Orphan, 10)], vec![]);
    let there = Ask { names: &["a.jsonl", "sessions.json"], ..NOTHING };
    assert_eq!(ask(&found, &there), Err(Refusal::NoKey("a".into())));
    let plan = ask(&found, &Ask { as_key: Some("new"), ..there }).unwrap();
    assert_eq!((plan.row.clone(), plan.effects.len()), (RowText::Rebuilt, 1));
    let value: serde_json::Value = serde_json::from_slice(&inserted(&plan).value).unwrap();
    assert_eq!(value, serde_json::json!({"sessionId": "a", "updatedAt": 10}));
}

#[test]
fn what_is_not_there_is_told_apart() {
    assert_eq!(ask(&found(vec![], vec![]), &NOTHING), Err(Refusal::NothingLeft));
    assert_eq!(ask(&found(vec![], vec![row(1, "k", "{}")]), &NOTHING), Err(Refusal::NoTranscript));
    let live = Ask { index: r#"{"k":{"sessionId":"a"}}"#, names: &["a.jsonl"], ..NOTHING };
    assert_eq!(ask(&found(vec![], vec![]), &live), Err(Refusal::Live("k".into())));
}
