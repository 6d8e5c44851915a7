//! Settings of talk have moved to providers and realtime.

use serde_json::Value;

use crate::doctor::rule::{Check, Notes, Rule};
use crate::doctor::value::{Object, merge_missing, object_mut, text};
use crate::model::doctor::Version;
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "talk-legacy",
    severity: Severity::Error,
    since: Version(2026, 5, 0),
    what: "settings of talk have moved to providers and realtime",
    why: "A voice belongs to the provider that speaks with it; what chooses a realtime model belongs \
          to talk.realtime. The gateway refuses a configuration with this key and does not start.",
    fix: "Moves voice settings to talk.providers.<provider> and the rest to talk.realtime if that is \
          not set; values that are there win.",
    before: "{ talk: { voiceId: \"abc\", interruptOnSpeech: true } }",
    after: "{ talk: { interruptOnSpeech: true, providers: { elevenlabs: { voiceId: \"abc\" } } } }",
    check: Check::Migrate(migrate),
};

/// What a provider speaks with.
const VOICE: [&str; 5] = ["voiceId", "voiceAliases", "modelId", "outputFormat", "apiKey"];
/// What chooses a realtime model.
const REALTIME: [&str; 5] = ["model", "voice", "mode", "transport", "brain"];

fn migrate(root: &mut Value, notes: &mut Notes) {
    let Some(talk) = object_mut(root, &["talk"]) else { return };
    voice(talk, notes);
    realtime(talk, notes);
}

fn voice(talk: &mut Object, notes: &mut Notes) {
    let there: Vec<&str> = VOICE.into_iter().filter(|key| talk.contains_key(*key)).collect();
    if there.is_empty() {
        return;
    }
    let Some(provider) = provider(talk) else {
        notes.leave("talk has several providers and none is chosen: set talk.provider, then run this again");
        return;
    };
    let Some(target) = child(talk, "providers").and_then(|providers| child(providers, &provider)) else {
        notes.leave(format!("talk.providers.{provider} is in the way: it is no object"));
        return;
    };
    // Filled in afterwards: the old keys go whether or not they are needed.
    let mut target = std::mem::take(target);
    let old: Object = there.iter().filter_map(|key| Some(((*key).to_owned(), talk.shift_remove(*key)?))).collect();
    merge_missing(&mut target, old);
    if let Some(slot) = child(talk, "providers").and_then(|providers| child(providers, &provider)) {
        *slot = target;
    }
    notes.change(format!(
        "Moved talk legacy fields ({}) \u{2192} talk.providers.{provider} (filled missing provider fields only).",
        there.join(", ")
    ));
}

/// The chosen provider, or the only one, or the one that was meant when there was no choice.
fn provider(talk: &Object) -> Option<String> {
    if let Some(chosen) = text(talk, "provider") {
        return Some(chosen.to_owned());
    }
    let known = talk.get("providers").and_then(Value::as_object);
    match known.map(|known| known.keys().collect::<Vec<_>>()).as_deref() {
        None | Some([]) => Some("elevenlabs".to_owned()),
        Some([only]) => Some((*only).clone()),
        Some(_) => None,
    }
}

fn realtime(talk: &mut Object, notes: &mut Notes) {
    if talk.contains_key("realtime") || !REALTIME.iter().any(|key| talk.contains_key(*key)) {
        return;
    }
    let moved: Object = REALTIME.iter().filter_map(|key| Some(((*key).to_owned(), talk.shift_remove(*key)?))).collect();
    talk.insert("realtime".to_owned(), Value::Object(moved));
    notes.change("Moved legacy realtime Talk provider/model fields into talk.realtime.");
}

fn child<'v>(parent: &'v mut Object, name: &str) -> Option<&'v mut Object> {
    parent.entry(name).or_insert_with(|| Value::Object(Object::new())).as_object_mut()
}
