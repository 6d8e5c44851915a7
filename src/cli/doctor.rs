//! `doctor`.

use clap::builder::PossibleValuesParser;
use clap::builder::TypedValueParser as _;
use clap::{Args, ValueEnum};

use super::cleanup::OVERRIDE_TOKENS;
use crate::doctor::judge::Choice;
use crate::doctor::registry::{self, RULES};
use crate::model::doctor::Version;
use crate::model::finding::Severity;

/// Look over configuration and state by rule; with --fix, do what is safe.
///
/// Fixes of the configuration change only the bytes of the keys they name: comments, order, quotes, includes and `${VAR}`
/// stay. All of them are one write, kept beside the file as `.bak` and in the record of the run, so that
/// `clawkeep sessions undo` can take it back. Exit code 4 while findings of the gravity of --fail-on remain.
#[derive(Debug, Clone, Default, Args)]
pub struct DoctorArgs {
    /// Do what is safe
    #[arg(long, visible_alias = "repair")]
    pub fix: bool,

    /// With --fix: show what would be done, write nothing
    #[arg(short = 'n', long)]
    pub dry_run: bool,

    /// Name every rule and end
    #[arg(long)]
    pub list: bool,

    /// Explain one rule and end
    #[arg(long, value_name = "ID", hide_possible_values = true, value_parser = rule_ids())]
    pub explain: Option<String>,

    /// Ask only this rule; may be given several times
    #[arg(long, value_name = "ID", hide_possible_values = true, value_parser = rule_ids())]
    pub only: Vec<String>,

    /// Do not ask this rule; may be given several times
    #[arg(long, value_name = "ID", hide_possible_values = true, value_parser = rule_ids())]
    pub skip: Vec<String>,

    /// Show each edit of the configuration as a diff
    #[arg(long)]
    pub diff: bool,

    /// Judge for this version of the gateway, for example 2026.9 before an update to it [default: the one that wrote the
    /// configuration last, at least 2026.5.12]
    #[arg(long = "for", id = "for", value_name = "VERSION", value_parser = version)]
    pub target: Option<Version>,

    /// Gravity from which findings make the exit code 4
    #[arg(long, value_enum, value_name = "GRAVITY", default_value = "error")]
    pub fail_on: FailOn,

    /// Only the configuration
    #[arg(long, conflicts_with = "state_only")]
    pub config_only: bool,

    /// Only the state
    #[arg(long)]
    pub state_only: bool,

    /// With --fix: also remove keys that gateway 2026.5.12 does not know; not if the configuration is judged for a newer one
    #[arg(long)]
    pub drop_unknown: bool,

    /// With --fix: also rename transcripts that no row leads to, to NAME.deleted.TIME
    #[arg(long)]
    pub archive_orphans: bool,

    /// With --fix: also take the rights of group and others from the state folder and the configuration
    #[arg(long)]
    pub modes: bool,

    /// Read every line of every transcript
    #[arg(long)]
    pub full: bool,

    /// Do not ask, also if a running gateway reads the new configuration at once
    #[arg(short, long)]
    pub yes: bool,

    /// Never ask
    #[arg(long)]
    pub non_interactive: bool,

    /// Pass one refusal, named by the token it printed; may be given several times
    #[arg(long = "override", value_name = "TOKEN", value_parser = PossibleValuesParser::new(OVERRIDE_TOKENS))]
    pub overrides: Vec<String>,

    /// The same as --full (the gateway's own doctor has this flag)
    #[arg(long, hide = true)]
    pub deep: bool,

    /// No effect (the gateway's own doctor has this flag)
    #[arg(long, hide = true)]
    pub no_workspace_suggestions: bool,
}

/// Values of `--fail-on`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    /// Errors
    #[default]
    Error,
    /// Errors and warnings
    Warning,
    /// Every finding
    Info,
    /// Never
    Never,
}

impl FailOn {
    /// Whether a finding of this gravity counts.
    pub fn counts(self, severity: Severity) -> bool {
        match self {
            Self::Error => severity == Severity::Error,
            Self::Warning => severity <= Severity::Warning,
            Self::Info => true,
            Self::Never => false,
        }
    }
}

impl DoctorArgs {
    /// Which rules to ask.
    pub fn choice(&self) -> Choice {
        Choice { only: self.only.clone(), skip: self.skip.clone() }
    }

    /// Whether every transcript is read whole.
    pub fn reads_all(&self) -> bool {
        self.full || self.deep
    }
}

fn rule_ids() -> impl clap::builder::TypedValueParser<Value = String> {
    PossibleValuesParser::new(RULES.iter().map(|rule| rule.id)).map(String::from)
}

fn version(text: &str) -> Result<Version, String> {
    let version = Version::parse(text).ok_or_else(|| "a version looks like 2026.9 or 2026.9.6".to_owned())?;
    let (first, last) = (registry::FIRST, registry::LAST);
    let known = version >= first && (version.0, version.1) <= (last.0, last.1);
    known.then_some(version).ok_or_else(|| format!("the rules know the gateways of {first} to {last}"))
}

impl DoctorArgs {
    /// Whether the flag that a fix waits for was given.
    pub fn given(&self, flag: &str) -> bool {
        match flag {
            "--drop-unknown" => self.drop_unknown,
            "--archive-orphans" => self.archive_orphans,
            "--modes" => self.modes,
            _ => false,
        }
    }
}
