//! Every rule, in the order in which migrations run and reports list them. One line per rule.

use super::rule::Rule;
use super::rules::{config as c, state as s};

/// The rules.
pub const RULES: &[&Rule] = &[
    // configuration
    &c::rotate_bytes::RULE,
    // state
    &s::legacy_sessions::RULE,
    &s::legacy_agent_dir::RULE,
    &s::session_keys::RULE,
    &s::checked::RULE,
];

/// The rule with this id.
pub fn by_id(id: &str) -> Option<&'static Rule> {
    RULES.iter().copied().find(|rule| rule.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique_kebab_case() {
        let mut seen = std::collections::HashSet::new();
        for rule in RULES {
            assert!(seen.insert(rule.id), "{} twice", rule.id);
            let kebab = rule.id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
            assert!(kebab, "{}", rule.id);
        }
    }

    #[test]
    fn words_are_there_for_a_person() {
        for rule in RULES {
            let first = rule.what.chars().next().unwrap_or(' ');
            assert!(!rule.what.ends_with('.') && !first.is_uppercase(), "{}: what", rule.id);
            assert!(rule.why.ends_with('.') && rule.fix.ends_with('.'), "{}: why and fix are sentences", rule.id);
            assert_eq!(rule.before.is_empty(), rule.after.is_empty(), "{}: before and after", rule.id);
            assert!(rule.migration().is_none() || !rule.before.is_empty(), "{}: a migration has an example", rule.id);
        }
    }
}
