//! Commands that belong to the gateway's own program. They answer with what to type instead.
//!
//! They are no clap commands: help, completions and the manual must not offer them.

use std::ffi::OsString;

use crate::error::Error;

/// Words as typed, and the command that does it.
const TABLE: &[(&[&str], &str)] = &[
    (&["sessions", "tail"], "openclaw sessions tail"),
    (&["sessions", "export-trajectory"], "openclaw sessions export-trajectory"),
    (&["sessions", "export"], "openclaw sessions export-trajectory"),
    (&["gateway", "run"], "openclaw gateway run"),
    (&["gateway", "start"], "openclaw gateway start"),
    (&["gateway", "stop"], "openclaw gateway stop"),
    (&["gateway", "restart"], "openclaw gateway restart"),
    (&["gateway", "install"], "openclaw gateway install"),
    (&["gateway", "uninstall"], "openclaw gateway uninstall"),
    (&["gateway", "call"], "openclaw gateway call"),
    (&["cron", "list"], "openclaw cron list"),
    (&["cron", "add"], "openclaw cron add"),
    (&["cron", "edit"], "openclaw cron edit"),
    (&["cron", "rm"], "openclaw cron rm"),
    (&["cron", "run"], "openclaw cron run"),
    (&["cron", "runs"], "openclaw cron runs"),
    (&["cron", "enable"], "openclaw cron enable"),
    (&["cron", "disable"], "openclaw cron disable"),
    (&["config", "set"], "openclaw config set"),
    (&["config", "unset"], "openclaw config unset"),
    (&["agents"], "openclaw agents"),
    (&["channels"], "openclaw channels"),
    (&["logs"], "openclaw logs"),
];

/// The answer to a command line that clap refused, if it names a command of the gateway's program.
///
/// Options are skipped; the words must follow each other, so a session that is called `tail` is no match.
pub fn instead(args: &[OsString]) -> Option<Error> {
    let words: Vec<&str> = args.iter().skip(1).filter_map(|a| a.to_str()).filter(|a| !a.starts_with('-')).collect();
    let (typed, command) = TABLE.iter().find(|(typed, _)| match typed {
        // A single word must come first: `sessions show logs` is a wrong command line of ours.
        [word] => words.first() == Some(word),
        _ => words.windows(typed.len()).any(|w| w == *typed),
    })?;
    Some(
        Error::usage(format!("`{}` is a command of the gateway's own program, not of clawkeep", typed.join(" ")))
            .hint((*command).to_owned()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hint(line: &str) -> Option<String> {
        let args: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        instead(&args).and_then(|e| e.hints.first().cloned())
    }

    #[test]
    fn the_gateways_commands_are_named_with_their_program() {
        assert_eq!(hint("clawkeep sessions --json tail --follow").as_deref(), Some("openclaw sessions tail"));
        assert_eq!(hint("clawkeep --state-dir x gateway run").as_deref(), Some("openclaw gateway run"));
        assert_eq!(hint("clawkeep logs").as_deref(), Some("openclaw logs"));
    }

    #[test]
    fn ordinary_mistakes_are_left_to_the_parser() {
        assert_eq!(hint("clawkeep sessions show tail --bogus"), None);
        assert_eq!(hint("clawkeep sessions show logs --bogus"), None);
        assert_eq!(hint("clawkeep"), None);
    }
}
