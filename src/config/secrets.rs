//! The values of a configuration that must never be printed, for whoever prints text that may hold them.

use serde_json::Value;

use super::load::Loaded;
use super::secret::is_secret;

/// Texts under keys that mean a secret, references replaced.
pub fn values(loaded: &Loaded) -> Vec<String> {
    let mut out = Vec::new();
    collect(loaded.root(), &mut String::new(), &mut out);
    if let Some(own) = &loaded.own {
        collect(&own.root, &mut String::new(), &mut out);
    }
    out
}

fn collect(value: &Value, key: &mut String, out: &mut Vec<String>) {
    let length = key.len();
    let mut child = |name: &str, value: &Value, key: &mut String| {
        if !key.is_empty() {
            key.push('.');
        }
        key.push_str(name);
        collect(value, key, out);
        key.truncate(length);
    };
    match value {
        Value::Object(map) => map.iter().for_each(|(name, value)| child(name, value, key)),
        Value::Array(items) => items.iter().zip(0u64..).for_each(|(item, n)| child(&n.to_string(), item, key)),
        Value::String(text) if is_secret(key) && !text.starts_with('$') => out.push(text.clone()),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_marked_is_collected() {
        let root = serde_json::json!({
            "gateway": {"auth": {"token": "gateway-token"}, "port": 1},
            "channels": {"telegram": {"botToken": "bot", "name": "me"}},
            "list": [{"apiKey": "in-a-list"}],
            "env": {"ANY": "from-env", "REF": "${OTHER}"},
        });
        let mut out = Vec::new();
        collect(&root, &mut String::new(), &mut out);
        assert_eq!(out, ["gateway-token", "bot", "in-a-list", "from-env"]);
    }
}
