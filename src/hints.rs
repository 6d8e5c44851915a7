//! Commands that several hints name, in one place.
//!
//! A hint is a command that exists: the test below parses each of them.

/// What to do about an index that is damaged, unreadable or missing beside its transcripts.
pub const DAMAGED_INDEX: &str = "clawkeep sessions runs";

/// What to do about keys that the gateway has retired.
pub const RETIRED_KEY: &str = "it can be removed by hand";

#[cfg(test)]
mod tests {
    use crate::cli::usage::{Parsed, parse};

    #[test]
    fn every_hint_is_a_command_that_exists() {
        let words: Vec<std::ffi::OsString> = super::DAMAGED_INDEX.split(' ').map(Into::into).collect();
        assert!(matches!(parse(&words), Parsed::Run(_)), "{}", super::DAMAGED_INDEX);
    }
}
