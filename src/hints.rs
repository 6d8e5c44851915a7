//! Commands that reports and failures name: what they have in common, and what the user said that they must carry.
//!
//! A hint is written as `clawkeep sessions runs`, without a word about where the state is. Whoever prints it passes it
//! through [`Given::complete`], which puts in the flags that chose the state and the stores of this run. So a command that
//! is copied from a report works on what the report was about, and on nothing else. The test below parses each constant.

use std::path::Path;

use crate::cli::Cli;
use crate::error::Error;
use crate::report::command::quote;

/// What to do about an index that is damaged, unreadable or missing beside its transcripts.
pub const DAMAGED_INDEX: &str = "clawkeep sessions repair --dry-run";

/// What to do where a whole run cannot be put back.
pub const ONE_SESSION: &str = "clawkeep sessions restore KEY --list";

/// What to do about keys that the gateway has retired.
pub const RETIRED_KEY: &str = "clawkeep doctor --fix";

/// Commands that work on a state folder: only these take what was given.
const COMMANDS: [&str; 9] =
    ["sessions", "transcript", "disk", "cron", "config", "gateway", "doctor", "archive", "demo"];
/// Commands that choose stores.
const SELECTING: [&str; 4] = ["sessions", "transcript", "disk", "cron"];

/// Flags of this command line that decide what it works on, as words for a shell.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Given {
    /// ` --state-dir DIR --config FILE`: belongs before the command.
    globals: String,
    /// ` --agent ID` or the like: belongs behind the verb.
    select: String,
}

/// Nothing was said.
pub static NOTHING: Given = Given { globals: String::new(), select: String::new() };

impl Default for &Given {
    fn default() -> Self {
        &NOTHING
    }
}

impl Given {
    /// Nothing but these words, which choose a store.
    pub fn store(words: &str) -> Self {
        Self { globals: String::new(), select: words.to_owned() }
    }

    /// Adds a switch that belongs before the command.
    pub fn global(&mut self, flag: &str) {
        push(&mut self.globals, flag, None);
    }

    /// Adds a flag with a value that belongs before the command.
    pub fn global_value(&mut self, flag: &str, value: &Path) {
        push(&mut self.globals, flag, Some(&value.to_string_lossy()));
    }

    /// Forgets which stores were chosen, before they are said anew.
    pub fn clear_selection(&mut self) {
        self.select.clear();
    }

    /// Adds a switch that chooses stores.
    pub fn select(&mut self, flag: &str) {
        push(&mut self.select, flag, None);
    }

    /// Adds a flag with a value that chooses stores.
    pub fn select_value(&mut self, flag: &str, value: &str) {
        push(&mut self.select, flag, Some(value));
    }

    /// `text` with what was given put into each command that it names. A command that chooses stores itself keeps its
    /// choice.
    pub fn complete(&self, text: &str) -> String {
        const NAME: &str = "clawkeep ";
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find(NAME) {
            let (before, tail) = rest.split_at(at + NAME.len());
            out.push_str(before);
            rest = tail;
            let begins = before[..at].chars().next_back().is_none_or(|c| !c.is_alphanumeric() && !"-_./".contains(c));
            let word = leading_word(tail);
            if begins && COMMANDS.contains(&word) {
                out.push_str(self.globals.strip_prefix(' ').unwrap_or_default());
                if !self.globals.is_empty() {
                    out.push(' ');
                }
                rest = self.verb(&mut out, word, tail);
            }
        }
        out.push_str(rest);
        out
    }

    /// A failure whose hints are complete, for reports that hold failures.
    pub fn error(&self, mut error: Error) -> Error {
        for hint in &mut error.hints {
            *hint = self.complete(hint);
        }
        error
    }

    /// Writes command, verb and selection; gives what follows.
    fn verb<'t>(&self, out: &mut String, word: &str, tail: &'t str) -> &'t str {
        let behind = &tail[word.len()..];
        let verb = behind.strip_prefix(' ').map(leading_word).filter(|verb| is_verb(word, verb));
        let length = word.len() + verb.map_or(0, |verb| verb.len() + 1);
        out.push_str(&tail[..length]);
        let rest = &tail[length..];
        let chosen = [" --agent ", " --store ", " --all-agents"].iter().any(|flag| rest.contains(flag));
        if SELECTING.contains(&word) && !chosen {
            out.push_str(&self.select);
        }
        rest
    }
}

fn push(words: &mut String, flag: &str, value: Option<&str>) {
    words.push(' ');
    words.push_str(flag);
    if let Some(value) = value {
        words.push(' ');
        words.push_str(&quote(value));
    }
}

/// Lower-case letters at the start.
fn leading_word(text: &str) -> &str {
    &text[..text.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(text.len())]
}

fn is_verb(command: &str, word: &str) -> bool {
    let program = <Cli as clap::CommandFactory>::command();
    program.find_subcommand(command).is_some_and(|group| group.find_subcommand(word).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::usage::{Parsed, parse};

    #[test]
    fn every_hint_is_a_command_that_exists() {
        for hint in [DAMAGED_INDEX, ONE_SESSION, RETIRED_KEY] {
            let words: Vec<std::ffi::OsString> = hint.split(' ').map(Into::into).collect();
            assert!(matches!(parse(&words), Parsed::Run(_)), "{hint}");
        }
    }

    #[test]
    fn a_command_carries_what_chose_the_state_and_the_stores() {
        let mut given = Given::default();
        assert_eq!(given.complete("try clawkeep sessions runs"), "try clawkeep sessions runs");
        given.global_value("--state-dir", Path::new("/a b"));
        given.select_value("--agent", "ops");
        for (text, whole) in [
            ("clawkeep sessions runs", "clawkeep --state-dir '/a b' sessions runs --agent ops"),
            ("clawkeep disk", "clawkeep --state-dir '/a b' disk --agent ops"),
            (
                "clawkeep disk free --need 5  (of 7)",
                "clawkeep --state-dir '/a b' disk free --agent ops --need 5  (of 7)",
            ),
            (
                "(look with `clawkeep sessions runs`; or so)",
                "(look with `clawkeep --state-dir '/a b' sessions runs --agent ops`; or so)",
            ),
            ("clawkeep sessions undo X --agent main", "clawkeep --state-dir '/a b' sessions undo X --agent main"),
            ("clawkeep sessions list --all-agents", "clawkeep --state-dir '/a b' sessions list --all-agents"),
            ("once: clawkeep archive init /x", "once: clawkeep --state-dir '/a b' archive init /x"),
            ("clawkeep config validate", "clawkeep --state-dir '/a b' config validate"),
            ("use the newer clawkeep that wrote it", "use the newer clawkeep that wrote it"),
            ("/opt/clawkeep sessions", "/opt/clawkeep sessions"),
        ] {
            assert_eq!(given.complete(text), whole);
        }
    }
}
