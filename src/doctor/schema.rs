//! The keys that the gateway's configuration has, and what their values may be.
//!
//! The table is made of what `openclaw config schema` prints (scripts/gateway-schema). Channels and settings of plugins
//! belong to their plugins: nothing in them is unknown here.

use std::collections::HashMap;
use std::sync::OnceLock;

use serde_json::Value;

use crate::model::doctor::Version;

/// The version that the table is of.
pub const VERSION: Version = Version::KNOWN;
const TABLE: &str = include_str!("schema/gateway-2026.5.12.txt");
/// Keys that the gateway takes out or tolerates although its schema does not list them.
const TOLERATED: [&str; 3] = ["$include", "plugins.installs", "commands.modelsWrite"];

/// The table.
pub struct Schema(HashMap<&'static str, &'static str>);

/// A value that is not allowed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bad {
    /// Dotted key.
    pub key: String,
    /// The value as JSON.
    pub value: String,
    /// What is allowed.
    pub allowed: String,
}

impl Schema {
    /// The table, read on first use.
    pub fn get() -> &'static Self {
        static SCHEMA: OnceLock<Schema> = OnceLock::new();
        SCHEMA.get_or_init(|| Self(TABLE.lines().filter_map(|line| line.split_once('\t')).collect()))
    }

    fn kind(&self, path: &str) -> Option<&'static str> {
        self.0.get(path).copied()
    }

    /// The path of a member in the table: its own, or that of any member. `None` if the table says nothing about it.
    fn below(&self, path: &str, name: &str) -> Option<String> {
        [name, "*"].into_iter().map(|name| join(path, name)).find(|path| self.0.contains_key(path.as_str()))
    }

    /// Dotted keys that the gateway does not know, outermost first. Positions of lists stand in brackets.
    pub fn unknown(&self, root: &Value) -> Vec<String> {
        let mut found = Vec::new();
        self.walk("", "", root, &mut |shown, _, _| found.push(shown.to_owned()), &mut |_, _, _| {});
        found
    }

    /// Values that are not allowed.
    pub fn bad(&self, root: &Value) -> Vec<Bad> {
        let mut found = Vec::new();
        self.walk("", "", root, &mut |_, _, _| {}, &mut |shown, kind, value| {
            if let Some(allowed) = refused(kind, value) {
                found.push(Bad { key: shown.to_owned(), value: value.to_string(), allowed });
            }
        });
        found
    }

    fn walk(
        &self,
        path: &str,
        shown: &str,
        value: &Value,
        unknown: &mut dyn FnMut(&str, &str, &Value),
        known: &mut dyn FnMut(&str, &str, &Value),
    ) {
        let Some(kind) = self.kind(if path.is_empty() { "." } else { path }) else { return };
        known(shown, kind, value);
        match value {
            Value::Object(map) if has(kind, "object") || has(kind, "map") => {
                for (name, member) in map {
                    let shown = if shown.is_empty() { name.clone() } else { format!("{shown}.{name}") };
                    match self.below(path, name) {
                        Some(path) => self.walk(&path, &shown, member, unknown, known),
                        None if has(kind, "map") || tolerated(name, &shown) => {}
                        None => unknown(&shown, path, member),
                    }
                }
            }
            Value::Array(items) if has(kind, "list") => {
                let path = join(path, "[]");
                for (at, item) in items.iter().enumerate() {
                    self.walk(&path, &format!("{shown}[{at}]"), item, unknown, known);
                }
            }
            _ => {}
        }
    }

    /// Takes out every key that the gateway does not know. Parents stay, also when they are empty then.
    pub fn strip(&self, root: &mut Value) {
        self.strip_below("", "", root);
    }

    fn strip_below(&self, path: &str, shown: &str, value: &mut Value) {
        let Some(kind) = self.kind(if path.is_empty() { "." } else { path }) else { return };
        match value {
            Value::Object(map) if has(kind, "object") || has(kind, "map") => {
                let strict = !has(kind, "map");
                map.retain(|name, _| {
                    let shown = if shown.is_empty() { name.clone() } else { format!("{shown}.{name}") };
                    !strict || self.below(path, name).is_some() || tolerated(name, &shown)
                });
                for (name, member) in map {
                    let shown = if shown.is_empty() { name.clone() } else { format!("{shown}.{name}") };
                    if let Some(path) = self.below(path, name) {
                        self.strip_below(&path, &shown, member);
                    }
                }
            }
            Value::Array(items) if has(kind, "list") => {
                let path = join(path, "[]");
                items.iter_mut().for_each(|item| self.strip_below(&path, shown, item));
            }
            _ => {}
        }
    }
}

/// Whether the value of a dotted key is not to be shown.
pub fn hidden(key: &str) -> bool {
    crate::config::secret::is_secret(key)
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

fn tolerated(name: &str, shown: &str) -> bool {
    name == TOLERATED[0] || TOLERATED.contains(&shown)
}

/// Alternatives of a kind.
fn alternatives(kind: &str) -> impl Iterator<Item = &str> {
    kind.split(" | ")
}

fn has(kind: &str, one: &str) -> bool {
    alternatives(kind).any(|alternative| alternative == one)
}

/// What is allowed, if the value is not.
fn refused(kind: &str, value: &Value) -> Option<String> {
    // Filled in from the environment when the gateway reads it.
    if value.as_str().is_some_and(|text| text.contains("${")) || alternatives(kind).any(|one| fits(one, value)) {
        return None;
    }
    Some(alternatives(kind).map(in_words).collect::<Vec<_>>().join(", or "))
}

fn fits(one: &str, value: &Value) -> bool {
    let (word, rest) = one.split_once(' ').unwrap_or((one, ""));
    match word {
        "any" => true,
        "object" | "map" => value.is_object(),
        "list" => value.is_array(),
        "bool" => value.is_boolean(),
        "string" => value.is_string(),
        "enum" => options(rest).any(|option| option == *value),
        "int" => value.as_f64().is_some_and(|n| n.fract() == 0.0 && in_bounds(rest, n)),
        "number" => value.as_f64().is_some_and(|n| in_bounds(rest, n)),
        _ => true,
    }
}

fn options(list: &str) -> impl Iterator<Item = Value> {
    serde_json::Deserializer::from_str(list).into_iter::<Value>().map_while(Result::ok)
}

fn in_bounds(bounds: &str, n: f64) -> bool {
    let (low, high) = bounds.split_once(' ').unwrap_or(("-", "-"));
    let low = match low.strip_prefix('>') {
        Some(low) => low.parse::<f64>().map_or(true, |low| n > low),
        None => low.parse::<f64>().map_or(true, |low| n >= low),
    };
    low && high.parse::<f64>().map_or(true, |high| n <= high)
}

fn in_words(one: &str) -> String {
    let (word, rest) = one.split_once(' ').unwrap_or((one, ""));
    match word {
        "enum" => format!("one of {}", options(rest).map(|o| o.to_string()).collect::<Vec<_>>().join(", ")),
        "int" | "number" => {
            let noun = if word == "int" { "a whole number" } else { "a number" };
            let (low, high) = rest.split_once(' ').unwrap_or(("-", "-"));
            let low = match low.strip_prefix('>') {
                Some(low) => format!(" above {low}"),
                None if low == "-" => String::new(),
                None => format!(" from {low}"),
            };
            let high = if high == "-" { String::new() } else { format!(" up to {high}") };
            format!("{noun}{low}{high}")
        }
        "bool" => "true or false".to_owned(),
        "string" => "a text".to_owned(),
        "list" => "a list".to_owned(),
        _ => "an object".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn unknown_keys_are_those_of_strict_objects() {
        let root = json!({
            "totallyUnknown": 1, "$schema": "x", "$include": "a",
            "session": {"maintenance": {"fooBar": 2, "rotateBytes": 1}, "idleMinutes": 5, "resetByType": {"dm": {"mode": "daily"}}},
            "channels": {"any": {"thing": 1}}, "env": {"X": "y"},
            "plugins": {"installs": {}, "entries": {"p": {"config": {"a": 1}, "odd": 1}}},
            "agents": {"list": [{"id": "main", "weird": 1}], "defaults": {"models": {"a/b": {"alias": "c"}}}},
        });
        let schema = Schema::get();
        assert_eq!(
            schema.unknown(&root),
            ["totallyUnknown", "session.maintenance.fooBar", "plugins.entries.p.odd", "agents.list[0].weird"]
        );
        let mut stripped = root;
        schema.strip(&mut stripped);
        assert_eq!(schema.unknown(&stripped), Vec::<String>::new());
        assert_eq!(stripped["session"]["maintenance"], json!({"rotateBytes": 1}));
        assert_eq!(stripped["plugins"]["installs"], json!({}));
    }

    #[test]
    fn bad_values_name_what_is_allowed() {
        let bad = |root: Value| Schema::get().bad(&root).into_iter().map(|b| (b.key, b.allowed)).collect::<Vec<_>>();
        assert_eq!(
            bad(json!({"session": {"maintenance": {"mode": "delete"}}})),
            [("session.maintenance.mode".into(), "one of \"enforce\", \"warn\"".into())]
        );
        assert_eq!(bad(json!({"gateway": {"port": "not-a-port"}})).len(), 1);
        assert_eq!(
            bad(json!({"session": {"reset": {"atHour": 24}, "idleMinutes": 0}})),
            [
                ("session.reset.atHour".into(), "a whole number from 0 up to 23".into()),
                ("session.idleMinutes".into(), "a whole number above 0".into())
            ]
        );
        assert_eq!(bad(json!({"gateway": {"port": "${PORT}"}, "session": {"maintenance": {"pruneAfter": "9d"}}})), []);
    }
}
