//! From arguments to [`Cli`], or to what a wrong command line answers.

use std::ffi::OsString;

use clap::Parser;
use clap::error::ErrorKind;

use super::{Cli, peer};
use crate::error::Error;

/// What the arguments came to.
#[derive(Debug)]
pub enum Parsed {
    /// A command to run.
    Run(Box<Cli>),
    /// Text that was asked for (`--help`, `--version`): stdout, exit 0. Plain and styled form.
    Text {
        /// Without escape sequences.
        plain: String,
        /// With colour.
        styled: String,
    },
    /// A wrong command line: stderr, exit 2.
    Wrong(Error),
}

/// Parses a command line; the first argument is the program's name.
pub fn parse(args: &[OsString]) -> Parsed {
    match Cli::try_parse_from(args) {
        Ok(cli) => Parsed::Run(Box::new(cli)),
        Err(error) => refused(args, &error),
    }
}

/// Whether `--json` was asked for, when there is no parsed command line to tell.
pub fn wants_json(args: &[OsString]) -> bool {
    args.iter().skip(1).take_while(|a| *a != "--").any(|a| a == "--json")
}

fn refused(args: &[OsString], error: &clap::Error) -> Parsed {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            Parsed::Text { plain: error.render().to_string(), styled: error.render().ansi().to_string() }
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            Parsed::Wrong(peer::instead(args).unwrap_or_else(|| {
                Error::usage("a command is missing").hint(format!("{} --help", command_words(args)))
            }))
        }
        _ => Parsed::Wrong(peer::instead(args).unwrap_or_else(|| from_clap(args, error))),
    }
}

/// Turns clap's rendered text into one sentence and hints; its own wording is good, its layout is for terminals.
fn from_clap(args: &[OsString], error: &clap::Error) -> Error {
    let rendered = error.render().to_string();
    let mut paragraphs = rendered.split("\n\n");
    let message = paragraphs.next().unwrap_or_default();
    let message = message.strip_prefix("error: ").unwrap_or(message);
    let message = message.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut answer = Error::usage(message);
    for tip in paragraphs.flat_map(str::lines).filter_map(|l| l.trim().strip_prefix("tip: ")) {
        answer = answer.hint(tip.trim().to_owned());
    }
    answer.hint(format!("{} --help", command_words(args)))
}

/// The command as far as it was understood, for the hint.
fn command_words(args: &[OsString]) -> String {
    use clap::CommandFactory;
    let mut at = Cli::command();
    let mut words = String::from("clawkeep");
    for arg in args.iter().skip(1).filter_map(|a| a.to_str()) {
        let Some(next) = at.find_subcommand(arg) else { continue };
        let next = next.clone();
        words.push(' ');
        words.push_str(next.get_name());
        at = next;
    }
    words
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::cli::Command;
    use crate::cli::sessions::SessionsVerb;
    use crate::model::sourced::Limit;

    fn args(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    fn wrong(line: &str) -> Error {
        match parse(&args(line)) {
            Parsed::Wrong(error) => error,
            other => panic!("{line}: {other:?}"),
        }
    }

    fn run(line: &str) -> Cli {
        match parse(&args(line)) {
            Parsed::Run(cli) => *cli,
            other => panic!("{line}: {other:?}"),
        }
    }

    fn verb(line: &str) -> (Cli, SessionsVerb, Option<&'static str>) {
        let cli = run(line);
        let Command::Sessions(sessions) = cli.command.clone() else { panic!("{line}") };
        let (verb, unused) = sessions.resolve();
        (cli, verb, unused)
    }

    #[test]
    fn the_command_tree_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn options_of_the_group_reach_the_verb() {
        let (cli, verb, unused) = verb("clawkeep sessions --json --store s --limit 3 cleanup --dry-run");
        assert!(cli.global.json);
        assert_eq!(unused, Some("--limit"));
        let SessionsVerb::Cleanup(cleanup) = verb else { panic!() };
        assert!(cleanup.dry_run);
        assert_eq!(cleanup.select.store, Some("s".into()));
    }

    #[test]
    fn sessions_alone_lists_and_its_options_reach_list() {
        for line in
            ["clawkeep sessions --limit 5", "clawkeep sessions --limit 5 ls", "clawkeep sessions list --limit 5"]
        {
            let (_, verb, unused) = verb(line);
            let SessionsVerb::List(list) = verb else { panic!("{line}") };
            assert_eq!(list.limit, Some(Limit::At(5)), "{line}");
            assert_eq!(unused, None, "{line}");
        }
    }

    #[test]
    fn global_flags_stand_anywhere() {
        let cli = run("clawkeep --state-dir /s sessions -qq cleanup --no-color --wait 2s");
        assert_eq!(cli.global.state_dir, Some("/s".into()));
        assert_eq!(cli.global.quiet, 2);
        assert!(cli.global.no_color);
        assert_eq!(cli.global.wait, Some(2000));
    }

    #[test]
    fn aliases_name_the_same_command() {
        for line in ["clawkeep sessions prune -n", "clawkeep sessions gc --dry-run", "clawkeep sessions cleanup -n"] {
            assert!(matches!(verb(line).1, SessionsVerb::Cleanup(a) if a.dry_run), "{line}");
        }
        for line in ["clawkeep df", "clawkeep du --top 3", "clawkeep disk"] {
            assert!(matches!(run(line).command, Command::Disk(_)), "{line}");
        }
    }

    #[test]
    fn mistakes_are_one_sentence_with_a_command_that_helps() {
        for (line, message, hint) in [
            (
                "clawkeep sessions cleanup --bogus",
                "unexpected argument '--bogus' found",
                "clawkeep sessions cleanup --help",
            ),
            ("clawkeep", "a command is missing", "clawkeep --help"),
            ("clawkeep cron", "a command is missing", "clawkeep cron --help"),
        ] {
            let error = wrong(line);
            assert_eq!(error.message, message, "{line}");
            assert_eq!(error.hints.last().map(String::as_str), Some(hint), "{line}");
        }
        let error = wrong("clawkeep sessions cleanup --prune-after forever");
        assert!(error.message.contains("30d or 1d12h"), "{}", error.message);
        assert!(wrong("clawkeep sessions clenup").hints.iter().any(|h| h.contains("cleanup")));
        assert!(wrong("clawkeep sessions cleanup surplus").message.contains("surplus"));
        assert!(wrong("clawkeep sessions cleanup --override everything").message.contains("live-gateway"));
    }

    #[test]
    fn json_is_seen_even_when_nothing_parses() {
        assert!(wants_json(&args("clawkeep --bogus sessions --json")));
        assert!(!wants_json(&args("clawkeep sessions show -- --json")));
    }

    #[test]
    fn help_and_version_are_answers_not_mistakes() {
        assert!(
            matches!(parse(&args("clawkeep --version")), Parsed::Text { plain, .. } if plain.starts_with("clawkeep "))
        );
        let Parsed::Text { plain, .. } = parse(&args("clawkeep --help")) else { panic!() };
        assert!(plain.contains("Exit codes:"));
        for (code, _) in crate::exit::TABLE {
            assert!(plain.lines().any(|l| l.trim_start().starts_with(&code.to_string())), "{code}");
        }
    }
}
