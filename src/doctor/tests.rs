//! The example of every rule is what its edit really makes; and what must hold for all of them.

use serde_json::Value;

use super::fix::fix;
use super::registry::RULES;
use super::rule::{Notes, Rule};
use crate::config::edit::files::{Source, Sources};
use crate::config::edit::verify;

fn migrations() -> impl Iterator<Item = &'static Rule> {
    RULES.iter().copied().filter(|rule| rule.migration().is_some())
}

fn run(rule: &Rule, text: &str) -> (String, Notes) {
    let mut value = verify::read(text).unwrap().root.value();
    let mut notes = Notes::default();
    rule.migration().unwrap()(&mut value, &mut notes);
    let edited = verify::edit(text, &value).unwrap_or_else(|why| panic!("{}: {why}", rule.id));
    (edited.text, notes)
}

#[test]
fn examples_are_what_the_edit_makes_and_a_second_run_changes_nothing() {
    let mut wrong = String::new();
    for rule in migrations() {
        let (after, notes) = run(rule, rule.before);
        if after != rule.after {
            wrong.push_str(&format!("{}:\n  {}\n  {}\n", rule.id, rule.after, after));
        }
        assert!(!notes.lines.is_empty(), "{}: says nothing", rule.id);
        let (again, notes) = run(rule, &after);
        assert_eq!(again, after, "{}: a second run", rule.id);
        assert!(notes.lines.is_empty(), "{}: a second run says {notes:?}", rule.id);
    }
    assert!(wrong.is_empty(), "rule, said, made\n{wrong}");
}

#[test]
fn rules_take_any_value_anywhere() {
    // Each key of the example is given every kind of value in turn: nothing may panic, and a second run must change nothing.
    let odd = [
        Value::Null,
        true.into(),
        7.into(),
        "x".into(),
        serde_json::json!([]),
        serde_json::json!({}),
        serde_json::json!([[1], {"a": 2}]),
    ];
    for rule in migrations() {
        let value = verify::read(rule.before).unwrap().root.value();
        for pointer in pointers(&value, String::new()) {
            for replacement in &odd {
                let mut root = value.clone();
                *root.pointer_mut(&pointer).unwrap() = replacement.clone();
                let migrate = rule.migration().unwrap();
                migrate(&mut root, &mut Notes::default());
                let once = root.clone();
                migrate(&mut root, &mut Notes::default());
                assert_eq!(root, once, "{}: {pointer} = {replacement}", rule.id);
            }
        }
    }
}

fn pointers(value: &Value, at: String) -> Vec<String> {
    let mut all = vec![at.clone()];
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                all.extend(pointers(value, format!("{at}/{}", key.replace('~', "~0").replace('/', "~1"))));
            }
        }
        Value::Array(items) => {
            for (ix, value) in items.iter().enumerate() {
                all.extend(pointers(value, format!("{at}/{ix}")));
            }
        }
        _ => {}
    }
    all
}

fn one(text: &str) -> Sources {
    Sources(vec![Source { path: "/c/openclaw.json".into(), text: text.to_owned() }])
}

#[test]
fn all_examples_in_one_file_are_fixed_in_one_run() {
    let before = "{\n  // mine\n  session: { maintenance: { rotateBytes: '1mb', }, parentForkMaxTokens: 0x10, },\n  heartbeat: {\n    every: '30m', // half an hour\n    showOk: true,\n  },\n  memorySearch: { enabled: false },\n  odd: NaN,\n}\n";
    let fixed = fix(&one(before), RULES, &[false], &[]).unwrap();
    let after = &fixed.sources.0[0].text;
    let ids: Vec<&str> = fixed.done.iter().map(|(m, _)| m.rule.id).collect();
    assert_eq!(ids, ["memory-search-root", "heartbeat-root", "session-rotate-bytes", "session-parent-fork-max-tokens"]);
    for kept in ["// mine", "// half an hour", "odd: NaN", "every: '30m'"] {
        assert!(after.contains(kept), "{kept}: {after}");
    }
    let again = fix(&fixed.sources, RULES, &[false], &[]).unwrap();
    assert!(again.done.is_empty() && again.sources == fixed.sources);
}

#[test]
fn riders_wait_for_another_migration() {
    let alone = "{ audio: { transcription: { command: ['whisper'] } }, gateway: { bind: 'lan' } }";
    assert!(fix(&one(alone), RULES, &[false], &[]).unwrap().done.is_empty());
    let beside = "{ audio: { transcription: { command: ['whisper'] } }, gateway: { bind: 'lan' }, memorySearch: {} }";
    assert_eq!(fix(&one(beside), RULES, &[false], &[]).unwrap().done.len(), 3);
}

#[test]
fn a_managed_file_keeps_its_text_and_gives_a_template() {
    let text = "// Ansible managed\n{ session: { parentForkMaxTokens: 1 } }";
    let fixed = fix(&one(text), RULES, &[true], &[]).unwrap();
    assert_eq!(fixed.sources.0[0].text, text);
    assert_eq!(fixed.template.unwrap().0[0].text, "// Ansible managed\n{ session: { } }");
    assert!(fixed.done.is_empty() && fixed.refused[0].managed);
}

#[test]
fn what_cannot_be_done_file_by_file_is_refused_and_does_not_stop_the_rest() {
    let mut sources =
        one("{ $include: 'a.json', memorySearch: { enabled: true }, session: { parentForkMaxTokens: 1 } }");
    sources.0.push(Source {
        path: "/c/a.json".into(),
        text: "{ agents: { defaults: { memorySearch: { enabled: false } } } }".into(),
    });
    let fixed = fix(&sources, RULES, &[false, false], &[]).unwrap();
    assert_eq!(fixed.done.len(), 1);
    assert_eq!(fixed.refused[0].rule, "memory-search-root");
    assert!(!fixed.refused[0].by_hand.is_empty());
    assert_eq!(fixed.sources.0[1], sources.0[1]);
}
