//! Boot: signals, arguments, exit code. Everything else is in the library.
//!
//! The first SIGINT or SIGTERM asks the run to stop after the change at hand; a later one ends the process at
//! once (a crash at any point loses nothing). SIGXFSZ is heard and means nothing: the write that went over a limit of the
//! shell fails, and that is said. SIGPIPE stays ignored, as the runtime has it: a reader that goes away must
//! not stop a run between two renames.

use std::io::Write as _;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clawkeep::context::Cancel;

fn main() -> ExitCode {
    let cancel = Cancel::default();
    watch_signals(&cancel);
    ExitCode::from(clawkeep::run(&std::env::args_os().collect::<Vec<_>>(), &cancel))
}

/// Signals that come together are one: `timeout` and terminals send theirs to a process and to its group.
const TOGETHER: Duration = Duration::from_millis(100);

/// Without a handler the run still works, it only cannot finish the change at hand; so a failure here is no reason
/// not to start.
#[cfg(unix)]
fn watch_signals(cancel: &Cancel) {
    use signal_hook::consts::{SIGINT, SIGTERM, SIGXFSZ};
    let mut stop = Stop::new(cancel);
    let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGXFSZ]) else { return };
    std::thread::spawn(move || {
        for signal in signals.forever().filter(|signal| *signal != SIGXFSZ) {
            stop.heard(if signal == SIGINT { clawkeep::exit::INTERRUPTED } else { clawkeep::exit::TERMINATED });
        }
    });
}

#[cfg(not(unix))]
fn watch_signals(cancel: &Cancel) {
    let mut stop = Stop::new(cancel);
    let _ = ctrlc::set_handler(move || stop.heard(clawkeep::exit::INTERRUPTED));
}

/// What signals do: the first one lets the change at hand be finished, another one stops it.
struct Stop {
    cancel: Cancel,
    first: Option<Instant>,
}

impl Stop {
    fn new(cancel: &Cancel) -> Self {
        Self { cancel: cancel.clone(), first: None }
    }

    #[expect(clippy::disallowed_methods, reason = "the second signal means: now")]
    fn heard(&mut self, code: u8) {
        if self.is_enough(Instant::now()) {
            let _ = writeln!(std::io::stderr(), "stopped at once; what was begun is finished by the next command here");
            std::process::exit(i32::from(code));
        }
        self.cancel.set(code);
    }

    /// Whether a signal at this time is not the first one, nor a part of it.
    fn is_enough(&mut self, now: Instant) -> bool {
        now.duration_since(*self.first.get_or_insert(now)) >= TOGETHER
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signals_that_come_together_are_one() {
        let mut stop = Stop::new(&Cancel::default());
        let first = Instant::now();
        assert!(!stop.is_enough(first));
        assert!(!stop.is_enough(first + Duration::from_millis(1)));
        assert!(stop.is_enough(first + TOGETHER));
    }
}
