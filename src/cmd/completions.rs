//! `completions SHELL`: a completion script on stdout.

use clap::CommandFactory;

use crate::cli::Cli;
use crate::cli::completions::CompletionsArgs;
use crate::context::Context;
use crate::error::Result;
use crate::exit;

/// Prints the script.
pub fn run(ctx: &Context, args: &CompletionsArgs) -> Result<u8> {
    ctx.write_stdout(&script(args.shell))?;
    Ok(exit::DONE)
}

/// The script for one shell.
pub fn script(shell: clap_complete::Shell) -> Vec<u8> {
    let mut out = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "clawkeep", &mut out);
    out
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;
    use clap_complete::Shell;

    use super::*;

    #[test]
    fn every_shell_completes_every_command() {
        for shell in Shell::value_variants() {
            let text = String::from_utf8(script(*shell)).unwrap();
            for word in ["sessions", "cleanup", "fix-missing", "disk", "keep-free", "undo"] {
                assert!(text.contains(word), "{shell}: {word}");
            }
        }
    }
}
