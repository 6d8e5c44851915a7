//! Small steps on JSON values that migrations share.

use serde_json::{Map, Value};

/// An object of a configuration.
pub type Object = Map<String, Value>;

/// Names that a merge leaves out, as the gateway does.
const UNMERGED: [&str; 3] = ["__proto__", "prototype", "constructor"];

/// The value at a way of names.
pub fn get<'v>(root: &'v Value, way: &[&str]) -> Option<&'v Value> {
    way.iter().try_fold(root, |value, name| value.get(name))
}

/// The object at a way of names.
pub fn object<'v>(root: &'v Value, way: &[&str]) -> Option<&'v Object> {
    get(root, way)?.as_object()
}

/// The object at a way of names, to change it.
pub fn object_mut<'v>(root: &'v mut Value, way: &[&str]) -> Option<&'v mut Object> {
    way.iter().try_fold(root, |value, name| value.get_mut(name))?.as_object_mut()
}

/// The object at a way of names, made where there is none. `None` if something else stands in the way.
pub fn ensure<'v>(root: &'v mut Value, way: &[&str]) -> Option<&'v mut Object> {
    let mut at = root.as_object_mut()?;
    for name in way {
        at = at.entry(*name).or_insert_with(|| Value::Object(Map::new())).as_object_mut()?;
    }
    Some(at)
}

/// Whether [`ensure`] would succeed.
pub fn can_ensure(root: &Value, way: &[&str]) -> bool {
    let mut at = root;
    for name in way {
        match at.get(name) {
            Some(next) => at = next,
            None => return at.is_object(),
        }
    }
    at.is_object()
}

/// Takes the member at a way of names out.
pub fn take(root: &mut Value, way: &[&str]) -> Option<Value> {
    let (last, parent) = way.split_last()?;
    object_mut(root, parent)?.shift_remove(*last)
}

/// Takes the object at a way of names out if it is empty.
pub fn drop_empty(root: &mut Value, way: &[&str]) {
    if object(root, way).is_some_and(Map::is_empty) {
        take(root, way);
    }
}

/// Fills in what `target` lacks. Objects are merged, everything else that is there wins.
pub fn merge_missing(target: &mut Object, source: Object) {
    for (key, value) in source {
        if UNMERGED.contains(&key.as_str()) {
            continue;
        }
        match (target.get_mut(&key), value) {
            (None, value) => drop(target.insert(key, value)),
            (Some(Value::Object(below)), Value::Object(more)) => merge_missing(below, more),
            (Some(_), _) => {}
        }
    }
}

/// Whether an object has something worth keeping: a text that is not blank.
pub fn text<'v>(object: &'v Object, key: &str) -> Option<&'v str> {
    object.get(key).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty())
}

/// Names of the channels that are configured.
pub fn channels(root: &Value) -> Vec<String> {
    let of = |map: &Object| {
        map.keys().filter(|k| !matches!(k.as_str(), "defaults" | "modelByChannel" | "$include")).cloned().collect()
    };
    object(root, &["channels"]).map(of).unwrap_or_default()
}

/// A channel and its accounts, each with its dotted path.
pub fn channel_parts(root: &mut Value, channel: &str, mut visit: impl FnMut(&str, &mut Object)) {
    let Some(whole) = object_mut(root, &["channels", channel]) else { return };
    visit(&format!("channels.{channel}"), whole);
    let Some(accounts) = whole.get_mut("accounts").and_then(Value::as_object_mut) else { return };
    for (name, account) in accounts {
        if let Some(account) = account.as_object_mut() {
            visit(&format!("channels.{channel}.accounts.{name}"), account);
        }
    }
}

/// `agents.defaults` and each entry of `agents.list`, with its dotted path.
pub fn agents(root: &mut Value, mut visit: impl FnMut(&str, &mut Object)) {
    if let Some(defaults) = object_mut(root, &["agents", "defaults"]) {
        visit("agents.defaults", defaults);
    }
    let list = root.pointer_mut("/agents/list").and_then(Value::as_array_mut);
    for (at, entry) in list.into_iter().flatten().enumerate() {
        if let Some(entry) = entry.as_object_mut() {
            visit(&format!("agents.list.{at}"), entry);
        }
    }
}
