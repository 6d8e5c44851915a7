//! Progress: on stderr, only on a terminal, only for work that takes over half a second.

use std::cell::RefCell;
use std::sync::mpsc;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::context::Context;

/// Work shorter than this shows nothing.
const DELAY: Duration = Duration::from_millis(500);
/// A spinner turns this often.
const TICK: Duration = Duration::from_millis(120);

/// Progress of one piece of work. Dropping it clears the line.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    /// Goes with this value, which ends the thread that waits to show the bar.
    _shown: Option<mpsc::Sender<()>>,
}

impl Progress {
    /// Work of unknown length in one piece.
    pub fn spinner(ctx: &Context, what: &str) -> Self {
        Self::new(ctx, what, None, "{spinner} {msg}")
    }

    /// Work of unknown length that counts what is done.
    pub fn counter(ctx: &Context, what: &str) -> Self {
        Self::new(ctx, what, None, "{spinner} {msg} {pos}")
    }

    /// So many more items are done.
    pub fn advance(&self, n: u64) {
        self.bar.inc(n);
    }

    /// `what` is being done to `total` items.
    pub fn bar(ctx: &Context, what: &str, total: u64) -> Self {
        Self::new(ctx, what, Some(total), "{msg} [{bar:30}] {pos}/{len}")
    }

    fn new(ctx: &Context, what: &str, total: Option<u64>, template: &str) -> Self {
        if !wanted(ctx) {
            return Self { bar: ProgressBar::hidden(), _shown: None };
        }
        let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden());
        bar.set_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_message(super::escape::line(what).into_owned());
        Self { _shown: Some(show_later(bar.clone())), bar }
    }

    /// So many items are done.
    pub fn set(&self, done: u64) {
        self.bar.set_position(done);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self._shown = None;
        self.bar.finish_and_clear();
    }
}

/// Shows the bar unless the sender that is returned goes away first.
fn show_later(bar: ProgressBar) -> mpsc::Sender<()> {
    let (sender, gone) = mpsc::channel::<()>();
    std::thread::spawn(move || {
        if gone.recv_timeout(DELAY) == Err(mpsc::RecvTimeoutError::Timeout) && !bar.is_finished() {
            bar.set_draw_target(ProgressDrawTarget::stderr());
            bar.enable_steady_tick(TICK);
        }
    });
    sender
}

/// Several pieces of work, one after the other, each with a bar of its own.
#[derive(Debug)]
pub struct Meter<'a> {
    ctx: &'a Context,
    agent: &'a str,
    now: RefCell<Option<(&'static str, Progress)>>,
}

impl<'a> Meter<'a> {
    /// For the store of an agent.
    pub fn new(ctx: &'a Context, agent: &'a str) -> Self {
        Self { ctx, agent, now: RefCell::new(None) }
    }

    /// `done` of `total` items of a piece of work are done.
    pub fn tell(&self, what: &'static str, done: u64, total: u64) {
        let mut now = self.now.borrow_mut();
        if now.as_ref().is_none_or(|(known, _)| *known != what) {
            // The line of the last one is cleared before the next is drawn.
            *now = None;
            *now = Some((what, Progress::bar(self.ctx, &format!("{what} (agent {})", self.agent), total)));
        }
        if let Some((_, progress)) = now.as_ref() {
            progress.set(done);
        }
    }
}

/// Whether this run may draw at all.
fn wanted(ctx: &Context) -> bool {
    let o = ctx.output;
    ctx.stderr_tty && !o.json && o.quiet == 0 && o.verbose == 0 && !o.no_progress
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_never_see_a_bar() {
        let mut ctx = Context::for_tests(0, "/");
        assert!(!wanted(&ctx), "no terminal");
        ctx.stderr_tty = true;
        assert!(wanted(&ctx));
        for quiet in [
            |o: &mut crate::context::OutputOptions| o.json = true,
            |o: &mut crate::context::OutputOptions| o.quiet = 1,
            |o: &mut crate::context::OutputOptions| o.verbose = 1,
            |o: &mut crate::context::OutputOptions| o.no_progress = true,
        ] {
            let mut ctx = ctx.clone();
            quiet(&mut ctx.output);
            assert!(!wanted(&ctx));
            assert!(Progress::spinner(&ctx, "x")._shown.is_none());
        }
    }

    #[test]
    fn each_piece_of_work_has_a_bar_of_its_own() {
        let mut ctx = Context::for_tests(0, "/");
        ctx.stderr_tty = true;
        let meter = Meter::new(&ctx, "main");
        meter.tell("a", 1, 2);
        meter.tell("a", 2, 2);
        assert_eq!(meter.now.borrow().as_ref().map(|(_, p)| (p.bar.position(), p.bar.length())), Some((2, Some(2))));
        meter.tell("b", 0, 5);
        let now = meter.now.borrow();
        let (what, progress) = now.as_ref().unwrap();
        assert_eq!((*what, progress.bar.position(), progress.bar.length()), ("b", 0, Some(5)));
        assert!(progress.bar.message().contains("agent main"));
        assert!(progress.bar.is_hidden(), "half a second is not over");
    }
}
