//! Which values must never be printed.

/// What stands in for a secret.
pub const HIDDEN: &str = "<hidden>";

/// Parts of key names that mean the value is a secret, lower case.
const WORDS: &[&str] = &[
    "token",
    "password",
    "passwd",
    "passphrase",
    "secret",
    "apikey",
    "api_key",
    "api-key",
    "credential",
    "privatekey",
    "private_key",
    "authorization",
    "cookie",
    "bearer",
    "signingkey",
    "accesskey",
    "webhookurl",
];

/// Keys that are about counting tokens, or about where one is, and not a secret themselves.
const NOT_SECRET: &[&str] = &["contexttokens", "maxtokens", "reservetokens", "keeprecenttokens", "gatewaytokenfile"];

/// Whether the value of a dotted key is hidden: by the name of any part, everything under `env` and under `headers`.
pub fn is_secret(key: &str) -> bool {
    let mut parts = key.split('.');
    let first = parts.clone().next().unwrap_or_default();
    first == "env" || parts.any(|part| part.eq_ignore_ascii_case("headers") || part_is_secret(part))
}

fn part_is_secret(part: &str) -> bool {
    let lower = part.to_ascii_lowercase();
    let counts = NOT_SECRET.contains(&lower.as_str()) || (lower.ends_with("tokens") && lower != "tokens");
    !counts && WORDS.iter().any(|w| lower.contains(w))
}

/// Whether a line of a configuration names something secret, so that it cannot be quoted.
pub fn names_secret(line: &str) -> bool {
    let lower = line.to_ascii_lowercase();
    WORDS.iter().any(|w| lower.contains(w)) || lower.contains("auth") || lower.contains("_key") || lower.contains("://")
}

/// A text without the user name and password of a URL in it.
pub fn without_userinfo(text: &str) -> String {
    let Some((scheme, rest)) = text.split_once("://") else { return text.to_owned() };
    let authority_end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    match rest[..authority_end].rfind('@') {
        Some(at) => format!("{scheme}://{HIDDEN}{}", &rest[at..]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_known_by_their_keys() {
        for key in [
            "gateway.auth.token",
            "gateway.remote.password",
            "models.providers.x.apiKey",
            "env.PLAIN",
            "env.vars.X",
            "models.providers.x.headers.X-Y",
            "channels.telegram.botToken",
            "cron.webhookToken",
        ] {
            assert!(is_secret(key), "{key}");
        }
        for key in ["agents.defaults.contextTokens", "session.mainKey", "cron.store", "agents.defaults.maxTokens"] {
            assert!(!is_secret(key), "{key}");
        }
    }

    #[test]
    fn a_url_loses_its_password() {
        assert_eq!(without_userinfo("wss://u:p@h:1/x?y=@"), "wss://<hidden>@h:1/x?y=@");
        assert_eq!(without_userinfo("ws://h/a@b"), "ws://h/a@b");
        assert_eq!(without_userinfo("plain"), "plain");
    }
}
