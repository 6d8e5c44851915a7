//! Kinds of rows, by key and chat type: the words of the list, and a finer split for summaries.

/// Kinds that [`of`] tells apart.
pub const KINDS: [&str; 5] = ["direct", "group", "cron", "global", "unknown"];

/// Prefixes of what follows the agent in a key, and the finer kind each stands for.
const SYNTHETIC: [(&str, &str); 6] = [
    ("cron:", "cron"),
    ("hook:", "hook"),
    ("subagent:", "subagent"),
    ("acp:", "acp"),
    ("explicit:", "explicit"),
    ("heartbeat", "heartbeat"),
];

/// The finer kind of a row in a thread.
const THREAD: &str = "thread";

/// Kind of a row as the gateway's own list names it: `global`, `unknown`, `cron`, `group` or `direct`.
///
/// `chat_type` is the row's own `chatType` (spec/cleanup.md 5.6), not that of its origin.
pub fn of(key: &str, chat_type: Option<&str>) -> &'static str {
    match key {
        "global" => "global",
        "unknown" => "unknown",
        _ if agent_rest(key).is_some_and(|rest| starts_with(rest, "cron:")) => "cron",
        _ if matches!(chat_type, Some("group" | "channel")) => "group",
        _ if key.contains(":group:") || key.contains(":channel:") => "group",
        _ => "direct",
    }
}

/// A finer kind for summaries, so that an operator sees which kind of job is hit.
pub fn fine(key: &str, chat_type: Option<&str>) -> &'static str {
    let rest = agent_rest(key).unwrap_or(key);
    SYNTHETIC
        .into_iter()
        .find(|(prefix, _)| starts_with(rest, prefix))
        .map_or_else(|| if key.contains(":thread:") { THREAD } else { of(key, chat_type) }, |(_, kind)| kind)
}

/// Every kind that [`fine`] tells apart.
#[cfg(test)]
pub fn all_fine() -> std::collections::BTreeSet<&'static str> {
    KINDS.into_iter().chain(SYNTHETIC.map(|(_, kind)| kind)).chain([THREAD]).collect()
}

/// What follows `agent:<id>:` in a key, any letter case.
pub fn agent_rest(key: &str) -> Option<&str> {
    agent_of(key).map(|(_, rest)| rest)
}

/// Agent id and rest of a key of the form `agent:<id>:<rest>`.
pub fn agent_of(key: &str) -> Option<(&str, &str)> {
    let (head, rest) = key.split_once(':')?;
    if !head.eq_ignore_ascii_case("agent") {
        return None;
    }
    rest.split_once(':').filter(|(id, _)| !id.is_empty())
}

fn starts_with(text: &str, prefix: &str) -> bool {
    text.get(..prefix.len()).is_some_and(|head| head.eq_ignore_ascii_case(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_the_gateways() {
        for (key, chat, kind) in [
            ("global", None, "global"),
            ("unknown", None, "unknown"),
            ("agent:main:cron:job1", None, "cron"),
            ("agent:main:x", Some("group"), "group"),
            ("agent:main:x", Some("room"), "direct"),
            ("agent:main:telegram:group:-100", None, "group"),
            ("agent:main:discord:channel:77", None, "group"),
            ("agent:main:main", None, "direct"),
            ("cron:job", None, "direct"),
        ] {
            assert_eq!(of(key, chat), kind, "{key}");
        }
        assert_eq!(fine("agent:main:subagent:x", None), "subagent");
        assert_eq!(fine("agent:main:slack:channel:c1:thread:171", None), "thread");
        assert_eq!(agent_of("Agent:Ops:main"), Some(("Ops", "main")));
        assert_eq!(agent_of("agent::main"), None);
    }
}
