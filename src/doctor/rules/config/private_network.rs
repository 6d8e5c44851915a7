//! AllowPrivateNetwork of a channel has a name that says what it means.

use serde_json::Value;

use crate::doctor::rule::{Check, Notes, Rule};
use crate::doctor::value::{Object, channel_parts};
use crate::model::doctor::Version;
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "channel-private-network",
    severity: Severity::Error,
    since: Version(2026, 5, 0),
    what: "allowPrivateNetwork of a channel has a name that says what it means",
    why: "Reaching into a private network is a risk that has to be chosen by name. The gateway refuses \
          a configuration with this key and does not start.",
    fix: "Moves it to network.dangerouslyAllowPrivateNetwork; a value that is there wins.",
    before: "{ channels: { mattermost: { allowPrivateNetwork: true } } }",
    after: "{ channels: { mattermost: { network: { dangerouslyAllowPrivateNetwork: true } } } }",
    check: Check::Migrate(migrate),
};

fn migrate(root: &mut Value, notes: &mut Notes) {
    for channel in ["matrix", "mattermost", "nextcloud-talk", "tlon"] {
        channel_parts(root, channel, |path, part| one(path, part, notes));
    }
}

fn one(path: &str, part: &mut Object, notes: &mut Notes) {
    let Some(value) = part.get("allowPrivateNetwork").cloned() else { return };
    let network = part.entry("network").or_insert_with(|| Value::Object(Object::new()));
    let Some(network) = network.as_object_mut() else {
        notes.leave(format!("{path}.network is in the way: it is no object"));
        return;
    };
    let (old, new) = (format!("{path}.allowPrivateNetwork"), format!("{path}.network.dangerouslyAllowPrivateNetwork"));
    if network.get("dangerouslyAllowPrivateNetwork").is_some_and(Value::is_boolean) {
        notes.change(format!("Removed {old} ({new} already set)."));
    } else {
        notes.change(format!("Moved {old} \u{2192} {new} ({value})."));
        network.insert("dangerouslyAllowPrivateNetwork".to_owned(), value);
    }
    part.shift_remove("allowPrivateNetwork");
}
