//! Progress bars: on stderr, only on a terminal, only for work that takes over half a second.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::context::Context;

/// Work shorter than this shows nothing.
const DELAY: Duration = Duration::from_millis(500);

/// Progress of one piece of work. Dropping it clears the line.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    began: Instant,
}

impl Progress {
    /// `what` is being done to `total` items; `None` if their number is unknown.
    pub fn new(ctx: &Context, what: &str, total: Option<u64>) -> Self {
        let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden());
        if wanted(ctx) {
            bar.set_style(style(total.is_some()));
            bar.set_message(super::escape::line(what).into_owned());
        }
        Self { bar: if wanted(ctx) { bar } else { ProgressBar::hidden() }, began: Instant::now() }
    }

    /// `n` more items are done.
    pub fn advance(&self, n: u64) {
        self.bar.inc(n);
        if self.bar.is_hidden() && self.bar.length().is_some() && self.began.elapsed() >= DELAY {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// Whether this run may draw at all.
fn wanted(ctx: &Context) -> bool {
    let o = ctx.output;
    ctx.stderr_tty && !o.json && o.quiet == 0 && o.verbose == 0 && !o.no_progress
}

fn style(bounded: bool) -> ProgressStyle {
    let template = if bounded { "{msg} [{bar:30}] {pos}/{len}" } else { "{msg} {spinner} {pos}" };
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
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
            |o: &mut crate::context::OutputOptions| o.no_progress = true,
        ] {
            let mut ctx = ctx.clone();
            quiet(&mut ctx.output);
            assert!(!wanted(&ctx));
        }
    }
}
