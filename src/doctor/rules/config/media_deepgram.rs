//! Options of deepgram belong under providerOptions.

use serde_json::Value;

use crate::doctor::rule::{Check, Notes, Rule};
use crate::doctor::value::{Object, object_mut};
use crate::model::doctor::Version;
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "media-deepgram",
    severity: Severity::Error,
    since: Version(2026, 5, 0),
    what: "options of deepgram belong under providerOptions",
    why: "Every provider of media understanding has its options in one place. The gateway refuses a \
          configuration with this key and does not start.",
    fix: "Moves detectLanguage, punctuate and smartFormat to providerOptions.deepgram under their new \
          names; values that are there win.",
    before: "{ tools: { media: { audio: { deepgram: { detectLanguage: true } } } } }",
    after: "{ tools: { media: { audio: { providerOptions: { deepgram: { detect_language: true } } } } } }",
    check: Check::Migrate(migrate),
};

/// Old and new names.
const NAMES: [(&str, &str); 3] =
    [("detectLanguage", "detect_language"), ("punctuate", "punctuate"), ("smartFormat", "smart_format")];

fn migrate(root: &mut Value, notes: &mut Notes) {
    let Some(media) = object_mut(root, &["tools", "media"]) else { return };
    for kind in ["audio", "image", "video"] {
        let path = format!("tools.media.{kind}");
        let Some(part) = media.get_mut(kind).and_then(Value::as_object_mut) else { continue };
        move_options(&path, part, notes);
        models(&path, part, notes);
    }
    models("tools.media", media, notes);
}

fn models(path: &str, holder: &mut Object, notes: &mut Notes) {
    let list = holder.get_mut("models").and_then(Value::as_array_mut);
    for (at, model) in list.into_iter().flatten().enumerate() {
        if let Some(model) = model.as_object_mut() {
            move_options(&format!("{path}.models[{at}]"), model, notes);
        }
    }
}

fn move_options(path: &str, holder: &mut Object, notes: &mut Notes) {
    let Some(old) = holder.get("deepgram").and_then(Value::as_object).cloned() else { return };
    let there = holder.get("providerOptions").and_then(|o| o.get("deepgram")).is_some_and(Value::is_object);
    let empty = || Value::Object(Object::new());
    let options = holder.entry("providerOptions").or_insert_with(empty).as_object_mut();
    let Some(target) = options.and_then(|o| o.entry("deepgram").or_insert_with(empty).as_object_mut()) else {
        notes.leave(format!("{path}.providerOptions is in the way: it is no object"));
        return;
    };
    for (key, value) in old {
        let name = NAMES.iter().find(|(from, _)| *from == key).map_or(key.as_str(), |(_, to)| to);
        if !target.contains_key(name) {
            target.insert(name.to_owned(), value);
        }
    }
    holder.shift_remove("deepgram");
    notes.change(match there {
        false => format!("Moved {path}.deepgram \u{2192} {path}.providerOptions.deepgram."),
        true => format!(
            "Merged {path}.deepgram \u{2192} {path}.providerOptions.deepgram (filled missing canonical fields from legacy)."
        ),
    });
}
