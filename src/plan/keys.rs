//! What a session key says about its conversation (spec/cleanup.md 4.1).
//!
//! Structure words are compared without regard to case; opaque ids are never folded for identity, only for matching.

use std::borrow::Cow;

/// A key of the form `agent:<id>:<rest>`, lower-cased, empty parts dropped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentKey<'k> {
    /// Agent id as in the key.
    pub agent: Cow<'k, str>,
    /// Everything after it, joined by `:`.
    pub rest: Cow<'k, str>,
}

/// The key trimmed and in lower case. Nearly every key is so already and is not copied.
pub fn lower(key: &str) -> Cow<'_, str> {
    let key = key.trim();
    let same = key.bytes().all(|b| b.is_ascii() && !b.is_ascii_uppercase());
    if same { Cow::Borrowed(key) } else { Cow::Owned(key.to_lowercase()) }
}

/// Parses an agent key that is in lower case; `None` if the key has another form.
pub fn parse(lower: &str) -> Option<AgentKey<'_>> {
    if let Some((agent, rest)) = lower.strip_prefix("agent:").and_then(|tail| tail.split_once(':'))
        && !lower.contains("::")
        && !agent.is_empty()
        && !rest.is_empty()
        && !rest.ends_with(':')
    {
        return Some(AgentKey { agent: Cow::Borrowed(agent), rest: Cow::Borrowed(rest) });
    }
    let mut parts = lower.split(':').filter(|p| !p.is_empty());
    if parts.next() != Some("agent") {
        return None;
    }
    let agent = Cow::Borrowed(parts.next()?);
    let rest = parts.collect::<Vec<_>>().join(":");
    (!rest.is_empty()).then_some(AgentKey { agent, rest: Cow::Owned(rest) })
}

/// What kind of conversation a key stands for, as far as protection goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// The main session of its agent.
    Main,
    /// A durable external conversation: group, channel, room, thread or topic.
    Protected,
    /// A run of cron, a hook, a heartbeat, a sub-agent or ACP: removable whatever its chat type.
    Synthetic,
    /// Anything else.
    Ordinary,
}

/// Standing of a key. `chat_type` is `chatType`, or `origin.chatType` where that is absent.
pub fn standing(key: &str, chat_type: Option<&str>, main_key: &str) -> Standing {
    let lower = lower(key);
    let parsed = parse(&lower);
    let rest: &str = parsed.as_ref().map_or(&lower, |k| &k.rest);
    if is_synthetic(&lower, rest, parsed.is_some()) {
        return Standing::Synthetic;
    }
    if parsed.is_some() && rest == main_key {
        return Standing::Main;
    }
    let typed = chat_type.map(self::lower);
    let durable = matches!(typed.as_deref(), Some("group" | "channel" | "room" | "thread"));
    if durable || has_thread(&lower) || is_topic(rest) || is_group(rest) {
        Standing::Protected
    } else {
        Standing::Ordinary
    }
}

fn is_synthetic(lower: &str, rest: &str, agent_key: bool) -> bool {
    ["subagent:", "acp:"].iter().any(|p| rest.starts_with(p) || lower.starts_with(p))
        || (agent_key && rest.starts_with("cron:"))
        || rest.starts_with("hook:")
        || rest.starts_with("node:")
        || rest == "heartbeat"
        || rest.ends_with(":heartbeat")
        || rest.contains(":heartbeat:")
}

/// `:thread:` with something after it.
fn has_thread(lower: &str) -> bool {
    lower.rfind(":thread:").is_some_and(|at| !lower[at + ":thread:".len()..].trim().is_empty())
}

/// `<channel>:(group|channel|room):<id>`. Rooms are durable conversations by the product's own document.
fn is_group(rest: &str) -> bool {
    let mut parts = rest.splitn(3, ':');
    let (Some(channel), Some(word), Some(id)) = (parts.next(), parts.next(), parts.next()) else { return false };
    !channel.is_empty() && matches!(word, "group" | "channel" | "room") && !id.is_empty()
}

/// `telegram:(group|channel|direct|dm):...:topic:<id>`.
fn is_topic(rest: &str) -> bool {
    let Some(after) = rest.strip_prefix("telegram:") else { return false };
    let Some((word, id)) = after.split_once(':') else { return false };
    let Some((chat, topic)) = id.rsplit_once(":topic:") else { return false };
    matches!(word, "group" | "channel" | "direct" | "dm")
        && !chat.is_empty()
        && !topic.is_empty()
        && !topic.contains(':')
}

/// Whether `--fix-dm-scope` retires the key: an agent key of `agent` whose rest is exactly `direct:<x>`,
/// `<channel>:direct:<x>` or `<channel>:<account>:direct:<x>`.
pub fn is_direct_of(key: &str, agent: &str) -> bool {
    let lower = lower(key);
    let Some(parsed) = parse(&lower).filter(|k| k.agent == agent) else { return false };
    let parts: Vec<&str> = parsed.rest.split(':').collect();
    matches!(parts[..], ["direct", _] | [_, "direct", _] | [_, _, "direct", _])
}

/// Where a key stands among cron sessions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CronKey {
    /// `cron:<job>:run:<run>...`: one isolated run, with the id of its job in lower case.
    Run(String),
    /// `cron:<job>`: the base row of a job, with its id in lower case.
    Base(String),
}

/// Recognises cron keys; only agent keys count.
pub fn cron(key: &str) -> Option<CronKey> {
    let lower = lower(key);
    let parsed = parse(&lower)?;
    let parts: Vec<&str> = parsed.rest.split(':').collect();
    match parts[..] {
        ["cron", job, "run", _, ..] => Some(CronKey::Run(job.to_owned())),
        ["cron", job] => Some(CronKey::Base(job.to_owned())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(key: &str) -> Standing {
        standing(key, None, "main")
    }

    #[test]
    fn observed_keys_stand_as_the_gateway_treats_them() {
        for rest in [
            "telegram:group:-100",
            "telegram:group:-100:topic:5",
            "telegram:direct:9:topic:5",
            "discord:channel:7",
            "discord:direct:5:thread:9",
            "main:thread:x",
            "discord:channel:7:subagent:1",
        ] {
            assert_eq!(of(rest), Standing::Protected, "{rest}");
            assert_eq!(of(&format!("agent:main:{rest}")), Standing::Protected, "{rest}");
        }
        for rest in
            ["hook:abc", "node:abc", "heartbeat", "main:heartbeat", "telegram:group:1:heartbeat:2", "subagent:1"]
        {
            assert_eq!(of(rest), Standing::Synthetic, "{rest}");
            assert_eq!(of(&format!("agent:main:{rest}")), Standing::Synthetic, "{rest}");
        }
        for rest in ["signal:dm:5", "telegram:9:direct:topic", "global", "unknown", "room:7"] {
            assert_eq!(of(rest), Standing::Ordinary, "{rest}");
        }
        // A bare cron key is not synthetic, so that the group shape protects it; under an agent it is a run.
        assert_eq!(of("cron:group:x"), Standing::Protected);
        assert_eq!(of("agent:main:cron:group:x"), Standing::Synthetic);
    }

    #[test]
    fn rooms_and_chat_types_are_durable() {
        assert_eq!(of("agent:main:slack:room:7"), Standing::Protected);
        assert_eq!(standing("agent:main:x", Some("Room"), "main"), Standing::Protected);
        assert_eq!(standing("agent:main:x", Some("direct"), "main"), Standing::Ordinary);
        assert_eq!(standing("agent:main:cron:x", Some("group"), "main"), Standing::Synthetic);
    }

    #[test]
    fn main_is_the_configured_main_key_of_any_agent() {
        assert_eq!(of("agent:Work:MAIN"), Standing::Main);
        assert_eq!(standing("agent:main:home", None, "home"), Standing::Main);
        assert_eq!(of("main"), Standing::Ordinary);
    }

    #[test]
    fn direct_shapes_of_the_agent_only() {
        for key in ["agent:main:direct:7", "agent:main:telegram:direct:7", "AGENT:Main:telegram:acc:direct:7"] {
            assert!(is_direct_of(key, "main"), "{key}");
        }
        for key in [
            "agent:main:telegram:direct:7:thread:1",
            "agent:main:a:b:c:direct:7",
            "agent:main:telegram:dm:7",
            "direct:7",
            "agent:work:direct:7",
        ] {
            assert!(!is_direct_of(key, "main"), "{key}");
        }
    }

    #[test]
    fn cron_keys() {
        assert_eq!(cron("agent:main:cron:J1:run:r1"), Some(CronKey::Run("j1".into())));
        assert_eq!(cron("agent:main:cron:j1:run:r1:thread:5"), Some(CronKey::Run("j1".into())));
        assert_eq!(cron("agent:main:cron:J1"), Some(CronKey::Base("j1".into())));
        assert_eq!(cron("cron:j1"), None);
        assert_eq!(cron("agent:main:cron:j1:other"), None);
    }
}
