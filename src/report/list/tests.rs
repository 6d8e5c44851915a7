//! Lists of hand-made rows.

use std::path::PathBuf;

use super::json::{List, ListedStore};
use super::row::{ListedRow, ModelDefaults, TranscriptState};
use crate::model::entry::Entry;
use crate::model::index::TimeField;
use crate::model::stores::Agent;
use crate::model::{HOUR, Ms};
use crate::report::found::Found;
use crate::report::style::Style;

const NOW: Ms = 1_777_622_400_000;

fn row(key: &str, updated: TimeField, entry: Entry) -> ListedRow {
    ListedRow {
        store_agent: "main".to_owned(),
        key: key.to_owned(),
        session_id: Some("s1".to_owned()),
        updated,
        entry,
        transcript: TranscriptState::Found { path: PathBuf::from("/s/s1.jsonl"), bytes: 4096 },
        lock: None,
        odd: false,
    }
}

#[expect(clippy::cast_precision_loss, reason = "a time of this century")]
fn rows() -> Vec<ListedRow> {
    let at = |ms: Ms| (TimeField::Ms(ms), Some(ms as f64));
    let (hour, hour_raw) = at(NOW - HOUR);
    let (future, future_raw) = at(NOW + HOUR);
    let full = Entry {
        compaction_count: None,
        chat_type: Some("group".into()),
        updated_at: hour_raw,
        system_sent: Some(true),
        aborted_last_run: Some(true),
        thinking_level: Some("high\u{1b}[31m".into()),
        verbose_level: Some("on".into()),
        trace_level: Some("on".into()),
        reasoning_level: Some("on".into()),
        elevated_level: Some("full".into()),
        response_usage: Some("tokens".into()),
        group_activation: Some("always".into()),
        input_tokens: Some(5.0),
        output_tokens: Some(6.5),
        total_tokens: Some(45_678.0),
        total_tokens_fresh: Some(true),
        context_tokens: Some(200_000.0),
        model: Some("gpt-5".into()),
        model_provider: Some("openai".into()),
        model_override: Some("anthropic/claude-opus-4-6".into()),
        provider_override: Some("anthropic".into()),
    };
    let mut missing = row("agent:main:future", future, Entry { updated_at: future_raw, ..Entry::default() });
    missing.transcript = TranscriptState::Missing;
    let mut odd = row("global", TimeField::Suspect, Entry { updated_at: Some(1.7e9), ..Entry::default() });
    (odd.odd, odd.session_id, odd.transcript) = (true, None, TranscriptState::NotExpected);
    vec![row("agent:Ops:telegram:group:-100", hour, full), missing, odd]
}

fn with<T>(aggregate: bool, check: impl FnOnce(&List<'_>) -> T) -> T {
    let (rows, defaults) = (rows(), ModelDefaults::default());
    let store = |agent: &str, state, detail: Option<&str>| ListedStore {
        agent_id: agent.to_owned(),
        path: format!("/s/agents/{agent}/sessions/sessions.json").into(),
        found: Found {
            text: format!("agent {agent}, default state folder"),
            folder: "default state folder".to_owned(),
            origin: "default".to_owned(),
        },
        state,
        detail: detail.map(str::to_owned),
    };
    let stores = [
        store("main", "ok", None),
        store("new", "absent", Some("no sessions yet")),
        store("old", "leftover", Some("sqlite")),
    ];
    let others = [Agent { id: "ghost".to_owned(), configured: false }];
    check(&List {
        stores: if aggregate { &stores } else { &stores[..1] },
        aggregate,
        rows: super::json::Rows { count: rows.len(), make: &|some| rows[some].to_vec() },
        total: 7,
        limit: Some(3),
        active_minutes: Some(90),
        not_looked_at: &others,
        defaults: &defaults,
        now: NOW,
        gateway: None,
    })
}

#[test]
fn for_people() {
    let one = with(false, |l| super::human::text(l, Style::PLAIN, 0));
    insta::assert_snapshot!(one);
    let many = with(true, |l| super::human::text(l, Style::PLAIN, 90));
    insta::assert_snapshot!(many);
    assert!(many.lines().all(|l| l.len() <= 90), "{many}");
}

#[test]
fn for_programs() {
    insta::assert_snapshot!(with(true, |l| crate::report::json::text(l)));
    for aggregate in [true, false] {
        let value = with(aggregate, |l| serde_json::to_value(l).unwrap());
        crate::report::schema_tests::assert_valid("sessions-list.json", &value);
    }
}

#[test]
fn an_age_is_never_negative_and_a_strange_time_is_said_to_be_one() {
    let rows = rows();
    assert_eq!((rows[1].age(NOW), rows[1].suspect(NOW)), (Some(0), true));
    assert_eq!((rows[2].age(NOW), rows[2].suspect(NOW)), (None, true));
    assert_eq!((rows[0].age(NOW), rows[0].suspect(NOW)), (Some(HOUR), false));
}

#[test]
fn models_follow_the_gateways_rules() {
    let defaults = ModelDefaults {
        agents: vec![("ops".to_owned(), "anthropic/claude".to_owned())],
        default: Some("google/gemini".to_owned()),
        context_tokens: Some(1000),
    };
    let plain = |key: &str| row(key, TimeField::Missing, Entry::default());
    assert_eq!(plain("agent:Ops:x").model(&defaults), ("claude".to_owned(), Some("anthropic".to_owned())));
    assert_eq!(plain("global").model(&defaults), ("gemini".to_owned(), Some("google".to_owned())));
    assert_eq!(plain("global").model(&ModelDefaults::default()), ("gpt-5.5".to_owned(), Some("openai".to_owned())));
    assert_eq!(plain("global").context(&defaults), 1000.0);
    assert_eq!(rows()[0].model(&defaults).0, "claude-opus-4-6");
}
