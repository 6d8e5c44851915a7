//! The least that any reader of an index must do: read the file whole, and look at each byte once.
//!
//!     read_scan FILE
//!
//! Prints how many `{` it saw. `scripts/bench` measures ours beside it.

#![expect(clippy::print_stdout, reason = "a program of its own")]

use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(path) = std::env::args_os().nth(1) else { return ExitCode::from(2) };
    match std::fs::read(path) {
        Ok(bytes) => {
            println!("{}", bytes.iter().filter(|byte| **byte == b'{').count());
            ExitCode::SUCCESS
        }
        Err(_) => ExitCode::FAILURE,
    }
}
