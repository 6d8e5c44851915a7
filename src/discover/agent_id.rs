//! Agent ids: one spelling per agent (spec 1.3).

/// Id of the agent that exists when nothing is configured.
pub const MAIN: &str = "main";

/// Longest id, in characters.
const MAX: usize = 64;

/// Normalises an agent id as the gateway does: lower case, every run of other characters becomes one dash, dashes at
/// the ends go, at most 64 characters, and nothing left means `main`.
pub fn normalize(raw: &str) -> String {
    let trimmed = raw.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    if is_plain(trimmed) {
        return trimmed.to_ascii_lowercase();
    }
    let mut id = String::with_capacity(trimmed.len());
    let mut in_run = false;
    for c in trimmed.to_lowercase().chars() {
        let plain = matches!(c, 'a'..='z' | '0'..='9' | '_' | '-');
        if plain {
            id.push(c);
        } else if !in_run {
            id.push('-');
        }
        in_run = !plain;
    }
    let id: String = id.trim_matches('-').chars().take(MAX).collect();
    if id.is_empty() { MAIN.to_owned() } else { id }
}

/// `^[a-z0-9][a-z0-9_-]{0,63}$` in either letter case: also the shape of profile names.
pub fn is_plain(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.first().is_some_and(u8::is_ascii_alphanumeric)
        && bytes.len() <= MAX
        && bytes.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_spelling_per_agent() {
        let long = "a".repeat(70);
        for (raw, id) in [
            ("Ops Team", "ops-team"),
            ("  MAIN ", "main"),
            ("", "main"),
            ("   ", "main"),
            ("---", "main"),
            ("../../etc", "etc"),
            ("-x-", "x"),
            ("a  b//c", "a-b-c"),
            ("Ünï", "n"),
            ("_a", "_a"),
            (long.as_str(), &long[..64]),
        ] {
            assert_eq!(normalize(raw), id, "{raw:?}");
        }
    }
}
