//! The values of a configuration that must never be printed, for whoever prints text that may hold them.

use serde_json::Value;

use super::load::Loaded;
use super::secret::is_secret;
use super::substitute;

/// Texts under keys that mean a secret, references replaced. `env` gives a variable of the environment.
pub fn values(loaded: &Loaded, env: &dyn Fn(&str) -> Option<String>) -> Vec<String> {
    let mut out = Vec::new();
    collect(loaded.root(), &mut String::new(), env, &mut out);
    if let Some(own) = &loaded.own {
        collect(&own.root, &mut String::new(), env, &mut out);
    }
    out
}

/// `{"source":"env","id":"NAME"}` and the like: where a secret is to be had. What it says is none itself.
fn reference(value: &Value) -> Option<(&str, &str)> {
    let text = |name: &str| value.get(name).and_then(Value::as_str);
    let (source, id) = (text("source")?, text("id")?);
    matches!(source, "env" | "file" | "exec").then_some((source, id))
}

fn collect(value: &Value, key: &mut String, env: &dyn Fn(&str) -> Option<String>, out: &mut Vec<String>) {
    if let Some((source, id)) = reference(value) {
        out.extend((source == "env").then(|| env(id)).flatten());
        return;
    }
    let length = key.len();
    let mut child = |name: &str, value: &Value, key: &mut String| {
        if !key.is_empty() {
            key.push('.');
        }
        key.push_str(name);
        collect(value, key, env, out);
        key.truncate(length);
    };
    match value {
        Value::Object(map) => map.iter().for_each(|(name, value)| child(name, value, key)),
        Value::Array(items) => items.iter().zip(0u64..).for_each(|(item, n)| child(&n.to_string(), item, key)),
        // A reference that leads nowhere stays as it is; what only begins with a dollar sign is a secret.
        Value::String(text) if is_secret(key) && substitute::reference(text) != Some(text.len()) => {
            out.push(text.clone());
        }
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
            "models": {"providers": {"a": {"apiKey": "$Tr0ub4dor&3"}, "b": {"apiKey": "$2b$12$abc"}}},
            "more": {"password": "$$abcdefg", "token": "${lower}"},
        });
        let mut out = Vec::new();
        collect(&root, &mut String::new(), &|_| None, &mut out);
        assert_eq!(
            out,
            ["gateway-token", "bot", "in-a-list", "from-env", "$Tr0ub4dor&3", "$2b$12$abc", "$$abcdefg", "${lower}"]
        );
    }

    #[test]
    fn a_reference_means_what_it_leads_to() {
        let root = serde_json::json!({
            "gateway": {"auth": {
                "token": {"source": "env", "id": "MYSEC"},
                "password": {"source": "file", "id": "/run/password"},
            }},
            "x": {"source": "env", "provider": "default", "id": "GONE"},
        });
        let mut out = Vec::new();
        let env = |name: &str| (name == "MYSEC").then(|| "from-outside".to_owned());
        collect(&root, &mut String::new(), &env, &mut out);
        assert_eq!(out, ["from-outside"]);
    }
}
