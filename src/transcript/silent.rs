//! Answers that say nothing on purpose (spec/transcripts.md 7).

const TOKEN: &str = "NO_REPLY";

/// Whether an answer is the token for silence and nothing else: the word in any letter case, or an object whose only member
/// `action` is the word.
pub fn is_silent(text: &str) -> bool {
    let text = text.trim();
    text.eq_ignore_ascii_case(TOKEN) || is_action(text)
}

fn is_action(text: &str) -> bool {
    if !text.starts_with('{') || text.len() > 200 {
        return false;
    }
    let value: Result<serde_json::Map<String, serde_json::Value>, _> = serde_json::from_str(text);
    value.is_ok_and(|map| {
        map.len() == 1 && map.get("action").and_then(|v| v.as_str()).is_some_and(|v| v.trim() == TOKEN)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_token_alone_is_silent() {
        for text in [" No_Reply \n", "NO_REPLY", r#"{"action":" NO_REPLY"}"#] {
            assert!(is_silent(text), "{text}");
        }
        for text in ["NO_REPLY.", "NO_REPLY hi", "NO", "", r#"{"action":"no_reply"}"#, r#"{"action":"NO_REPLY","x":1}"#]
        {
            assert!(!is_silent(text), "{text}");
        }
    }
}
