//! Boot: signals, arguments, exit code. Everything else is in the library.
//!
//! The first SIGINT or SIGTERM asks the run to stop after the change at hand; the second ends the process at once
//! (a crash at any point loses nothing). SIGPIPE stays ignored, as the runtime has it: a reader that goes away must
//! not stop a run between two renames.

use std::process::ExitCode;

use clawkeep::context::Cancel;

fn main() -> ExitCode {
    let cancel = Cancel::default();
    watch_signals(&cancel);
    ExitCode::from(clawkeep::run(&std::env::args_os().collect::<Vec<_>>(), &cancel))
}

/// Without a handler the run still works, it only cannot finish the change at hand; so a failure here is no reason
/// not to start.
#[cfg(unix)]
fn watch_signals(cancel: &Cancel) {
    use signal_hook::consts::{SIGINT, SIGTERM};
    let cancel = cancel.clone();
    let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGINT, SIGTERM]) else { return };
    std::thread::spawn(move || {
        for signal in signals.forever() {
            stop(&cancel, if signal == SIGINT { clawkeep::exit::INTERRUPTED } else { clawkeep::exit::TERMINATED });
        }
    });
}

#[cfg(not(unix))]
fn watch_signals(cancel: &Cancel) {
    let cancel = cancel.clone();
    let _ = ctrlc::set_handler(move || stop(&cancel, clawkeep::exit::INTERRUPTED));
}

#[expect(clippy::exit, clippy::disallowed_methods, reason = "the second signal means: now")]
fn stop(cancel: &Cancel, code: u8) {
    if cancel.get().is_some() {
        std::process::exit(i32::from(code));
    }
    cancel.set(code);
}
