//! Output through the user's pager, on a terminal.

use std::io::{self, BufWriter, Write};
use std::process::{Command, Stdio};

use crate::context::{Context, Level};
use crate::error::{Error, Result};

/// Writes what `write` gives: through the pager if there is a terminal and a pager, else to stdout. A pager that fails leaves
/// nobody without an answer: then it goes to stdout, from the beginning.
///
/// # Errors
/// What writing gives. A pager that was left early is no error.
pub fn through(ctx: &Context, wanted: bool, mut write: impl FnMut(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let Some(mut child) = (wanted && ctx.stdout_tty && !ctx.output.json).then(|| spawn(ctx)).flatten() else {
        return ctx.stream_stdout(write);
    };
    let written = match child.stdin.take() {
        Some(stdin) => {
            let mut out = BufWriter::with_capacity(64 * 1024, stdin);
            write(&mut out).and_then(|()| out.flush())
        }
        None => Ok(()),
    };
    // One that a signal ended was ended by somebody.
    let failed = child.wait().is_ok_and(|status| status.code().is_some_and(|code| code != 0));
    match written {
        Err(e) if e.kind() != io::ErrorKind::BrokenPipe => {
            Err(Error::failed(format!("cannot write to the pager: {e}")))
        }
        _ if failed => {
            ctx.log(Level::Warning, "the pager failed; this is without it");
            ctx.stream_stdout(write)
        }
        _ => Ok(()),
    }
}

/// Starts `$CLAWKEEP_PAGER`, else `$PAGER`, else `less`. An empty one, and `cat`, are none.
fn spawn(ctx: &Context) -> Option<std::process::Child> {
    let said = ["CLAWKEEP_PAGER", "PAGER"].iter().find_map(|name| ctx.env.raw(name));
    let text = said.map_or("less", |text| text.to_str().unwrap_or_default()).trim();
    if text.is_empty() || text == "cat" {
        return None;
    }
    let mut command = command(text)?;
    command.stdin(Stdio::piped());
    if ctx.env.raw("LESS").is_none() {
        // Colours, no pager for what fits on the screen, and what was read stays there.
        command.env("LESS", "FRX");
    }
    command.spawn().ok()
}

/// The variable holds a command line; a shell takes quotes and variables in it as the user wrote them.
#[cfg(unix)]
fn command(text: &str) -> Option<Command> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || "-_./ ".contains(c);
    if text.chars().all(is_word) {
        return plain(text);
    }
    let mut command = Command::new("sh");
    command.args(["-c", text]);
    Some(command)
}

#[cfg(not(unix))]
fn command(text: &str) -> Option<Command> {
    plain(text)
}

/// Words with blanks between them.
fn plain(text: &str) -> Option<Command> {
    let mut words = text.split_whitespace();
    let mut command = Command::new(words.next()?);
    command.args(words);
    Some(command)
}
