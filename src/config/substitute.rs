//! `env` entries of the configuration and `${VAR}` in its strings (spec 1.2).

use serde_json::Value;

use super::document::Document;
use crate::context::Env;

/// Adds the `env` entries of the configuration: the strings of `env.vars`, then the other strings of `env`. A variable
/// that is already set to something stays; a value that itself holds a reference is left out.
pub fn add_config_env(root: &Value, env: &mut Env) {
    let Some(entries) = root.get("env").and_then(Value::as_object) else { return };
    let vars = entries.get("vars").and_then(Value::as_object);
    for (name, value) in vars.into_iter().flatten().chain(entries.iter()) {
        let Some(text) = value.as_str() else { continue };
        let is_set = env.raw(name).is_some_and(|v| v.to_str().is_none_or(|t| !t.trim().is_empty()));
        if !name.is_empty() && !is_set && !text.contains("${") {
            env.set(name, text);
        }
    }
}

/// Fills in `${VAR}` in every string. A variable that is unset or empty stays as written and is a warning: this shell
/// may lack what the gateway's service has, and most of the configuration does not need it.
pub fn substitute(document: &mut Document, env: &Env, warnings: &mut Vec<String>) {
    let mut missing = Vec::new();
    let mut root = std::mem::take(&mut document.root);
    walk(&mut root, &mut String::new(), env, &mut missing);
    document.root = root;
    for (key, name) in missing {
        warnings.push(format!(
            "{}: environment variable {name:?} at {key} is not set; the text stays as written",
            document.nearest(&key).display()
        ));
    }
}

fn walk(value: &mut Value, key: &mut String, env: &Env, missing: &mut Vec<(String, String)>) {
    let length = key.len();
    match value {
        Value::String(text) => {
            if let Some(filled) = fill(text, env, |name| missing.push((key.clone(), name.to_owned()))) {
                *text = filled;
            }
        }
        Value::Array(items) => {
            for (i, item) in items.iter_mut().enumerate() {
                push(key, &i.to_string());
                walk(item, key, env, missing);
                key.truncate(length);
            }
        }
        Value::Object(map) => {
            for (name, item) in map.iter_mut() {
                push(key, name);
                walk(item, key, env, missing);
                key.truncate(length);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn push(key: &mut String, part: &str) {
    if !key.is_empty() {
        key.push('.');
    }
    key.push_str(part);
}

/// The text with its references filled in, `None` if there are none. `$${VAR}` is the literal `${VAR}`.
fn fill(text: &str, env: &Env, mut missing: impl FnMut(&str)) -> Option<String> {
    if !text.contains("${") {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('$') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some(len) = rest.strip_prefix('$').and_then(reference) {
            out.push_str(&rest[1..1 + len]);
            rest = &rest[1 + len..];
        } else if let Some(len) = reference(rest) {
            let name = &rest[2..len - 1];
            match env.raw(name).and_then(|v| v.to_str()).filter(|v| !v.is_empty()) {
                Some(value) => out.push_str(value),
                None => {
                    missing(name);
                    out.push_str(&rest[..len]);
                }
            }
            rest = &rest[len..];
        } else {
            out.push('$');
            rest = &rest[1..];
        }
    }
    out.push_str(rest);
    Some(out)
}

/// Length of the `${NAME}` that `text` starts with; names are `[A-Z_][A-Z0-9_]*`.
pub(super) fn reference(text: &str) -> Option<usize> {
    let inside = text.strip_prefix("${")?;
    let end = inside.find('}')?;
    let name = &inside.as_bytes()[..end];
    let plain = name.iter().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || *b == b'_');
    (plain && name.first().is_some_and(|b| !b.is_ascii_digit())).then_some(end + 3)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use serde_json::json;

    use super::*;

    #[test]
    fn references_are_filled_in_once() {
        let env = Env::of([("A", "one"), ("B", "${A}"), ("EMPTY", "")]);
        for (text, filled, missing) in [
            ("x${A}y${A}", "xoney".to_owned() + "one", vec![]),
            ("$${A}", "${A}".to_owned(), vec![]),
            ("$$${A}", "$${A}".to_owned(), vec![]),
            ("${B}", "${A}".to_owned(), vec![]),
            ("${NOPE}/${EMPTY}", "${NOPE}/${EMPTY}".to_owned(), vec!["NOPE", "EMPTY"]),
            ("${lower} ${1A} ${A", "${lower} ${1A} ${A".to_owned(), vec![]),
            ("${}${A}", "${}one".to_owned(), vec![]),
        ] {
            let mut seen = Vec::new();
            assert_eq!(fill(text, &env, |n| seen.push(n.to_owned())), Some(filled), "{text}");
            assert_eq!(seen, missing, "{text}");
        }
        assert_eq!(fill("plain $A", &env, |_| ()), None);
    }

    #[test]
    fn env_entries_feed_references_but_never_replace() {
        let mut env = Env::of([("SET", "shell"), ("BLANK", " ")]);
        let root = json!({"env": {
            "SET": "config", "BLANK": "filled", "OTHER": "top", "REF": "${SET}", "N": 1,
            "vars": {"OTHER": "vars", "V": "v"},
        }});
        add_config_env(&root, &mut env);
        let get = |n| env.raw(n).and_then(|v| v.to_str());
        assert_eq!(get("SET"), Some("shell"));
        assert_eq!(get("BLANK"), Some("filled"));
        assert_eq!(get("OTHER"), Some("vars"));
        assert_eq!(get("V"), Some("v"));
        assert_eq!(get("REF"), None);
        assert_eq!(get("N"), None);
    }

    #[test]
    fn a_missing_variable_is_a_warning_with_its_key() {
        let mut document =
            Document::single(Path::new("/c"), json!({"session": {"store": "${X}"}, "l": [{"a": "${Y}"}]}));
        let mut warnings = Vec::new();
        substitute(&mut document, &Env::default(), &mut warnings);
        assert_eq!(document.value("session.store"), Some(&json!("${X}")));
        assert!(warnings[0].contains("\"X\" at session.store"), "{warnings:?}");
        assert!(warnings[1].contains("\"Y\" at l.0.a"), "{warnings:?}");
    }
}
