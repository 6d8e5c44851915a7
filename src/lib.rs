//! clawkeep keeps the on-disk state of an agent gateway healthy.
//!
//! The gateway keeps, for each agent, a folder of session transcripts (append-only JSON lines) and an index of them
//! (`sessions.json`, one row per conversation). Both grow without end, and whoever prunes them by hand sooner or
//! later deletes somebody's history. This program prunes, bounds, explains and repairs them, and can put back what
//! it took.
//!
//! # One direction
//!
//! Data flows one way: **discover -> read -> decide -> apply -> report**.
//!
//! - [`discover`] and [`config`] turn flags, environment and configuration into a list of targets. No later code
//!   looks at flags.
//! - [`store`], [`scan`], [`transcript`], [`cron`], [`lock`] and [`gateway`] read, bounded and without following
//!   links, and give plain facts ([`model`]). Reading writes nothing, anywhere.
//! - [`plan`] decides. It is pure: facts, probes, policy and time in, one [`model::plan::Plan`] out.
//! - [`repair`] decides too: from the facts of a store in whatever state, damaged or whole, what mends it.
//! - [`apply`] executes the effects of a plan in an order that no plan can choose; [`journal`] remembers enough to
//!   take them back; [`fsx`] is the only code that changes state on disk.
//! - [`report`] prints what was decided and what came of it, for people and as JSON, from the same values.
//! - [`cli`] and [`cmd`] are the thin rim: parse, call those, choose an exit code. Nothing imports [`cmd`].
//!
//! # Invariants
//!
//! - *Doubt keeps.* What cannot be read or proven stops every removal that it would have justified.
//! - *Rows are a subset of files.* At every instant, each row on disk has its transcript on disk; a crash leaves
//!   files without rows, never rows without files.
//! - *One plan.* A dry run prints the value that a real run executes.
//! - *stdout is the answer.* One JSON value or one report; logs, progress and failures go to stderr.
//!
//! # Failure story
//!
//! Every failure that reaches a user is one [`error::Error`]: a kind that decides the exit code ([`exit`]), one
//! sentence that names the file, and hints that are commands. [`run`] is the only place that turns it into output.

#![cfg_attr(test, expect(clippy::disallowed_methods, reason = "tests build their own files"))]

pub mod apply;
pub mod archive;
pub mod cache;
pub mod check;
pub mod cli;
pub mod cmd;
pub mod config;
pub mod context;
pub mod cron;
pub mod discover;
pub mod doctor;
pub mod error;
pub mod exit;
pub mod fsx;
pub mod gateway;
pub mod hints;
pub mod journal;
pub mod lock;
pub mod model;
pub mod order;
pub mod plan;
pub mod repair;
pub mod report;
pub mod scan;
pub mod store;
pub mod transcript;
pub mod units;

use std::ffi::OsString;

use context::{Cancel, Context};
use error::Error;

/// Runs one command line (the first argument is the program's name) and gives the exit code. Prints everything
/// there is to print; never ends the process. `cancel` is set by signal handlers.
pub fn run(args: &[OsString], cancel: &Cancel) -> u8 {
    let mut ctx = Context::real();
    ctx.cancel = cancel.clone();
    ctx.argv = args.iter().skip(1).map(|a| a.to_string_lossy().into_owned()).collect();
    let result = match cli::usage::parse(args) {
        cli::usage::Parsed::Run(cli) => {
            cli.global.apply(&mut ctx);
            ctx.tell_fixed_time().and_then(|()| cmd::dispatch::dispatch(&mut ctx, *cli))
        }
        cli::usage::Parsed::Text { plain, styled } => {
            let text = if ctx.color_stdout() { styled } else { plain };
            ctx.write_stdout(format!("{}\n", text.trim_end()).as_bytes()).map(|()| exit::DONE)
        }
        cli::usage::Parsed::Wrong(error) => {
            ctx.output.json = cli::usage::wants_json(args);
            Err(error)
        }
    };
    result.map_or_else(|error| failed(&ctx, &error), |code| ended(&ctx, code))
}

/// A report that a signal cut short looks like a whole one: the end says that it is not.
fn ended(ctx: &Context, code: u8) -> u8 {
    if ctx.cancel.get() == Some(code) {
        ctx.log(context::Level::Error, "interrupted; the report says what was done");
    }
    code
}

fn failed(ctx: &Context, error: &Error) -> u8 {
    if error.kind != error::Kind::BrokenPipe {
        report::failure::print(ctx, error);
    }
    match (error.kind, ctx.cancel.get()) {
        (error::Kind::Interrupted, Some(signal)) => signal,
        (kind, _) => exit::code(kind),
    }
}
