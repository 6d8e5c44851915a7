//! Flags that every command takes, before or after its name.

use std::path::PathBuf;

use clap::{ArgAction, Args, ValueEnum};

use crate::cli::values;
use crate::context::{Color, Context, OutputOptions};
use crate::discover::roots::PathFlags;
use crate::hints::Given;
use crate::model::Ms;

/// Flags of every command.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Global options")]
pub struct GlobalFlags {
    /// State folder [default: $OPENCLAW_STATE_DIR, else ~/.openclaw]
    #[arg(long, value_name = "DIR", global = true)]
    pub state_dir: Option<PathBuf>,

    /// Configuration file of the gateway [default: $OPENCLAW_CONFIG_PATH, else openclaw.json in the state folder]
    #[arg(long, value_name = "FILE", global = true)]
    pub config: Option<PathBuf>,

    /// Use the state of a named profile (~/.openclaw-NAME)
    #[arg(long, value_name = "NAME", global = true, conflicts_with = "dev")]
    pub profile: Option<String>,

    /// Use the state of the profile `dev`
    #[arg(long, global = true)]
    pub dev: bool,

    /// One JSON value on stdout instead of a report
    #[arg(long, global = true)]
    pub json: bool,

    /// No report, only warnings and errors; twice: errors only
    #[arg(short, long, action = ArgAction::Count, global = true)]
    pub quiet: u8,

    /// Every item, and what is being done
    #[arg(short, long, action = ArgAction::Count, global = true)]
    pub verbose: u8,

    /// When to use colour
    #[arg(long, value_enum, value_name = "WHEN", global = true)]
    pub color: Option<ColorChoice>,

    /// Never use colour
    #[arg(long, global = true, conflicts_with = "color")]
    pub no_color: bool,

    /// No progress bars
    #[arg(long, global = true)]
    pub no_progress: bool,

    /// Keep asking this long for a lock that another run holds, for example 30s
    #[arg(long, value_name = "DURATION", value_parser = values::span, global = true)]
    pub wait: Option<Ms>,
}

/// Values of `--color`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ColorChoice {
    /// On a terminal, unless $NO_COLOR is set
    Auto,
    /// Also into files and pipes
    Always,
    /// Not at all
    Never,
}

impl GlobalFlags {
    /// How much to print, and how.
    pub fn output(&self) -> OutputOptions {
        let color = match (self.no_color, self.color) {
            (true, _) | (_, Some(ColorChoice::Never)) => Color::Never,
            (_, Some(ColorChoice::Always)) => Color::Always,
            (_, Some(ColorChoice::Auto) | None) => Color::Auto,
        };
        OutputOptions {
            json: self.json,
            quiet: self.quiet,
            verbose: self.verbose,
            color,
            no_progress: self.no_progress,
        }
    }

    /// Where the state lives, as far as flags say.
    pub fn paths(&self) -> PathFlags {
        PathFlags {
            state_dir: self.state_dir.clone(),
            config: self.config.clone(),
            profile: self.profile.clone(),
            dev: self.dev,
        }
    }

    /// Puts what was said here into the context of the run.
    pub fn apply(&self, ctx: &mut Context) {
        ctx.output = self.output();
        ctx.wait = self.wait;
        ctx.given = self.given();
    }

    /// The flags that say where the state lies, for commands that reports name.
    fn given(&self) -> Given {
        let mut given = Given::default();
        if let Some(dir) = &self.state_dir {
            given.global_value("--state-dir", dir);
        }
        if let Some(file) = &self.config {
            given.global_value("--config", file);
        }
        if let Some(name) = &self.profile {
            given.global_value("--profile", name.as_ref());
        }
        if self.dev {
            given.global("--dev");
        }
        given
    }
}
