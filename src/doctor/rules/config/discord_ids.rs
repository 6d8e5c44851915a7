//! An id of Discord is written as a number.

use serde_json::Value;

use crate::doctor::rule::{Check, Notes, Rule};
use crate::doctor::value::{Object, channel_parts};
use crate::model::doctor::Version;
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "discord-numeric-ids",
    severity: Severity::Error,
    since: Version(2026, 5, 0),
    what: "an id of Discord is written as a number",
    why: "Ids of Discord are longer than a number can hold exactly: the last digits get lost. The \
          gateway wants text.",
    fix: "Puts the digits between quotes as they are written; a number that has lost digits is left \
          for a person.",
    before: "{ channels: { discord: { allowFrom: [123456789] } } }",
    after: "{ channels: { discord: { allowFrom: [\"123456789\"] } } }",
    check: Check::Migrate(migrate),
};

/// Largest number that is exact.
const EXACT: u64 = 1 << 53;

fn migrate(root: &mut Value, notes: &mut Notes) {
    channel_parts(root, "discord", |path, part| {
        let dm = part.get_mut("dm").and_then(Value::as_object_mut);
        if let Some(dm) = dm {
            list(&format!("{path}.dm"), dm, "allowFrom", notes);
            list(&format!("{path}.dm"), dm, "groupChannels", notes);
        }
        list(path, part, "allowFrom", notes);
        let guilds = part.get_mut("guilds").and_then(Value::as_object_mut);
        for (guild, settings) in guilds.into_iter().flatten() {
            let Some(settings) = settings.as_object_mut() else { continue };
            let path = format!("{path}.guilds.{guild}");
            list(&path, settings, "users", notes);
            list(&path, settings, "roles", notes);
            let channels = settings.get_mut("channels").and_then(Value::as_object_mut);
            for (channel, settings) in channels.into_iter().flatten() {
                let Some(settings) = settings.as_object_mut() else { continue };
                let path = format!("{path}.channels.{channel}");
                list(&path, settings, "users", notes);
                list(&path, settings, "roles", notes);
            }
        }
    });
}

fn list(path: &str, holder: &mut Object, key: &str, notes: &mut Notes) {
    let items = holder.get_mut(key).and_then(Value::as_array_mut);
    for (at, item) in items.into_iter().flatten().enumerate() {
        let Value::Number(number) = &*item else { continue };
        match number.as_u64().filter(|id| *id <= EXACT) {
            Some(id) => {
                *item = id.to_string().into();
                notes.change(format!("Normalized {path}.{key}[{at}] {id} \u{2192} \"{id}\"."));
            }
            None => notes.leave(format!("{path}.{key}[{at}] has lost digits as a number: write the id as text")),
        }
    }
}
