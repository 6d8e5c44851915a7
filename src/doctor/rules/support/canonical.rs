//! The key under which the gateway looks a session up.
//!
//! Older gateways wrote keys without the agent (`main`, `group:x`, `cron:job`) or in mixed case. The gateway folds them when
//! it starts; until then, and for every tool beside it, such a row is a conversation that cannot be found. Opaque ids of
//! channels that tell case apart (Matrix rooms, Signal groups) keep their case: two of them would become one conversation.

use std::borrow::Cow;

/// What keys of one store are measured by.
#[derive(Debug, Clone)]
pub struct Keys<'a> {
    /// The agent of the store.
    pub agent: &'a str,
    /// `session.mainKey`, trimmed, lower case.
    pub main_key: &'a str,
    /// `session.scope` is `global`: the main session has the key `global`.
    pub global: bool,
    /// Several agents keep their rows in this one index: keys of the agent `main` are its own.
    pub shared: bool,
}

/// Channels whose ids differ by case.
const OPAQUE: &[&str] = &["matrix", "signal"];

impl Keys<'_> {
    /// Key of the main session.
    pub fn main(&self) -> String {
        if self.global { "global".to_owned() } else { format!("agent:{}:{}", self.agent, self.main_key) }
    }

    /// The canonical form of `key`; borrowed if it is that already. An empty key stays.
    pub fn of<'k>(&self, key: &'k str) -> Cow<'k, str> {
        let trimmed = key.trim();
        if trimmed.is_empty() {
            return Cow::Borrowed(key);
        }
        let new = self.canonical(trimmed);
        if new == key { Cow::Borrowed(key) } else { Cow::Owned(new) }
    }

    fn canonical(&self, key: &str) -> String {
        if key.eq_ignore_ascii_case("global") || key.eq_ignore_ascii_case("unknown") {
            return key.to_ascii_lowercase();
        }
        if self.is_main_alias(key) {
            return self.main();
        }
        let agent = self.agent;
        match key.split_once(':') {
            Some((head, _)) if head.eq_ignore_ascii_case("agent") => folded(key),
            Some(("subagent", rest)) => format!("agent:{agent}:subagent:{}", folded(rest)),
            Some((head @ ("group" | "channel"), rest)) => format!("agent:{agent}:unknown:{head}:{}", folded(rest)),
            _ => folded(&format!("agent:{agent}:{key}")),
        }
    }

    /// Names of the main session, in exactly this case.
    fn is_main_alias(&self, key: &str) -> bool {
        if key == "main" || key == self.main_key {
            return true;
        }
        let Some((agent, rest)) = key.strip_prefix("agent:").and_then(|rest| rest.split_once(':')) else {
            return false;
        };
        let own = agent == self.agent || (agent == "main" && !self.shared);
        own && (rest == self.main_key || rest == "main")
    }
}

/// Lower case, but for ids that tell case apart.
fn folded(key: &str) -> String {
    let parts: Vec<&str> = key.split(':').collect();
    let channel = parts.iter().position(|part| OPAQUE.iter().any(|name| part.eq_ignore_ascii_case(name)));
    // `<channel>:<kind>:<id ...>`, with or without an account in between.
    let Some(channel) = channel else { return key.to_lowercase() };
    let kind = |part: &str| ["direct", "dm", "group", "channel", "room"].iter().any(|k| part.eq_ignore_ascii_case(k));
    let structure = match parts.iter().skip(channel + 1).position(|part| kind(part)) {
        Some(at) => channel + 1 + at,
        None => return key.to_lowercase(),
    };
    let fold = |(at, part): (usize, &&str)| if at <= structure { part.to_lowercase() } else { (*part).to_owned() };
    parts.iter().enumerate().map(fold).collect::<Vec<_>>().join(":")
}

/// Whether a row under this key is a direct conversation of the time before agents had names.
pub fn is_old_direct(key: &str) -> bool {
    let lower = key.trim().to_lowercase();
    let of_many = lower.starts_with("group:")
        || lower.starts_with("channel:")
        || [":group:", ":channel:"].iter().any(|part| lower.contains(part))
        || lower.ends_with("@g.us");
    !lower.is_empty()
        && lower != "global"
        && !lower.starts_with("agent:")
        && !lower.starts_with("subagent:")
        && !of_many
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys() -> Keys<'static> {
        Keys { agent: "ops", main_key: "home", global: false, shared: false }
    }

    #[test]
    fn old_keys_get_their_agent() {
        for (key, new) in [
            ("main", "agent:ops:home"),
            ("home", "agent:ops:home"),
            ("agent:ops:main", "agent:ops:home"),
            ("agent:main:main", "agent:ops:home"),
            ("GLOBAL", "global"),
            ("AGENT:ops:Telegram:Group:ABC", "agent:ops:telegram:group:abc"),
            ("subagent:Abc", "agent:ops:subagent:abc"),
            ("group:X@g.us", "agent:ops:unknown:group:x@g.us"),
            ("channel:c1", "agent:ops:unknown:channel:c1"),
            ("cron:Job1", "agent:ops:cron:job1"),
            (" +1555 ", "agent:ops:+1555"),
            ("agent:other:hook:x", "agent:other:hook:x"),
            ("", ""),
        ] {
            assert_eq!(keys().of(key), new, "{key}");
        }
    }

    #[test]
    fn ids_that_tell_case_apart_keep_it() {
        for (key, new) in [
            ("agent:ops:matrix:channel:!AbC:example.org", "agent:ops:matrix:channel:!AbC:example.org"),
            ("Agent:Ops:Matrix:Work:Room:!AbC", "agent:ops:matrix:work:room:!AbC"),
            ("signal:group:QUJD=", "agent:ops:signal:group:QUJD="),
        ] {
            assert_eq!(keys().of(key), new, "{key}");
        }
    }

    #[test]
    fn in_a_shared_index_main_is_an_agent_of_its_own() {
        let keys = Keys { shared: true, ..keys() };
        assert_eq!(keys.of("agent:main:main"), "agent:main:main");
        assert_eq!(Keys { global: true, ..keys }.of("main"), "global");
    }

    #[test]
    fn canonical_keys_are_fixed_points() {
        for key in ["main", "AGENT:x:Y", "group:A", "matrix:room:!Aa", "a:b:c", "unknown", "subagent:Z"] {
            let once = keys().of(key).into_owned();
            assert_eq!(keys().of(&once), once, "{key}");
        }
    }
}
