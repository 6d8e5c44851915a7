//! What the doctor knows before it judges, and what it found.

use std::path::PathBuf;

use super::Ms;
use super::check::CheckFacts;
use super::effect::Effect;
use super::facts::JobsFacts;
use super::finding::{Finding, Severity};
use super::owner::OwnerVerdict;
use super::policy::Policy;
use super::settings::{Problem, Settings};
use super::stores::{Roots, Selection, Target};

/// Which half of an installation a rule looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Area {
    /// The gateway's configuration.
    Config,
    /// Sessions, transcripts, cron, memory and what else lies in the state folder.
    State,
}

impl Area {
    /// The word in JSON and in the report.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Config => "config",
            Self::State => "state",
        }
    }
}

/// A version of the gateway (`2026.5.12`), compared by its numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version(pub u32, pub u32, pub u32);

impl Version {
    /// The version whose configuration this program knows whole.
    pub const KNOWN: Self = Self(2026, 5, 12);

    /// Parses `2026.9`, `2026.9.6` or `2026.5.2-beta.1` (what follows a dash does not count).
    pub fn parse(text: &str) -> Option<Self> {
        let numbers = text.trim().trim_start_matches('v').split('-').next()?;
        let mut parts = numbers.split('.').map(|part| part.parse::<u32>().ok());
        let version = Self(parts.next()??, parts.next()??, parts.next().unwrap_or(Some(0))?);
        parts.next().is_none().then_some(version)
    }
}

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.2 {
            0 => write!(f, "{}.{}", self.0, self.1),
            patch => write!(f, "{}.{}.{patch}", self.0, self.1),
        }
    }
}

/// Why a configuration is not ours to edit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Managed {
    /// Who manages it, or what stands in the way (`chezmoi`, `OPENCLAW_NIX_MODE`, `read-only`).
    pub by: String,
    /// How we know.
    pub why: String,
}

/// The configuration, as far as rules look at it.
#[derive(Debug, Clone)]
pub struct ConfigFacts {
    /// The main file.
    pub path: PathBuf,
    /// It exists.
    pub found: bool,
    /// Why it, or a file it includes, could not be read or parsed.
    pub error: Option<String>,
    /// The whole value after includes; `${VAR}` as written.
    pub root: serde_json::Value,
    /// The same after every migration that is asked for: what is still wrong then has no fix.
    pub migrated: serde_json::Value,
    /// The main file and every file it includes.
    pub files: Vec<PathBuf>,
    /// Values that are not allowed, of the keys that this program acts on.
    pub problems: Vec<Problem>,
    /// References to variables that are not set here.
    pub unset: Vec<String>,
    /// Somebody else writes the file.
    pub managed: Option<Managed>,
    /// The gateway's version that the rules judge for.
    pub target: Version,
}

/// One store, as `sessions check` sees it.
#[derive(Debug)]
pub struct StoreState {
    /// The store.
    pub target: Target,
    /// What was read; `None` if the agent has no sessions folder, or it cannot be read.
    pub facts: Option<CheckFacts>,
    /// What the check found in it.
    pub findings: Vec<Finding>,
    /// Policy in force.
    pub policy: Policy,
    /// Why it could not be looked at.
    pub error: Option<String>,
}

/// The state folder, as far as rules look at it.
#[derive(Debug)]
pub struct StateFacts {
    /// Roots of the installation.
    pub roots: Roots,
    /// Typed view of the configuration.
    pub settings: Settings,
    /// What was selected, and what was not.
    pub selection: Selection,
    /// Every store of every agent.
    pub stores: Vec<StoreState>,
    /// Cron jobs.
    pub jobs: JobsFacts,
    /// Who may write.
    pub owner: OwnerVerdict,
    /// Every line of every transcript was read.
    pub full: bool,
    /// The gateway's version that the rules judge for.
    pub target: Version,
    /// Time of the run.
    pub now: Ms,
}

/// Changes to one folder.
#[derive(Debug, Clone)]
pub struct FolderFix {
    /// The folder (canonical).
    pub folder: PathBuf,
    /// Changes, for the one executor.
    pub effects: Vec<Effect>,
    /// The store whose index they change, as a position in [`StateFacts::stores`]; its folder is the one above then.
    pub store: Option<usize>,
}

/// What becomes of a finding.
#[derive(Debug, Clone)]
pub enum Remedy {
    /// `--fix` edits the configuration (the migration of the rule says how).
    Edit,
    /// `--fix` carries out these changes.
    Effects {
        /// What they do, in the words of the report.
        what: String,
        /// By folder.
        fixes: Vec<FolderFix>,
        /// A flag without which it is only reported (`--archive-orphans`).
        flag: Option<&'static str>,
    },
    /// Another command of ours does it.
    Command(String),
    /// A person has to; the text says what.
    Manual(String),
    /// Nothing to do.
    None,
}

/// One fact that somebody should know.
#[derive(Debug, Clone)]
pub struct Found {
    /// Id of the rule.
    pub rule: &'static str,
    /// Gravity; that of the rule, unless the case is milder.
    pub severity: Severity,
    /// Dotted key, session key or file name.
    pub subject: String,
    /// One sentence.
    pub message: String,
    /// More lines: examples, counts, what would change.
    pub details: Vec<String>,
    /// The file it is in.
    pub file: Option<PathBuf>,
    /// What becomes of it.
    pub remedy: Remedy,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_compare_by_their_numbers() {
        assert_eq!(Version::parse("2026.9"), Some(Version(2026, 9, 0)));
        assert_eq!(Version::parse("v2026.5.2-beta.1"), Some(Version(2026, 5, 2)));
        assert!(Version::parse("2026.10.1") > Version::parse("2026.9.6"));
        for wrong in ["", "latest", "2026", "2026.9.6.1", "2026.x"] {
            assert_eq!(Version::parse(wrong), None, "{wrong}");
        }
        assert_eq!(
            (Version(2026, 9, 0).to_string(), Version::KNOWN.to_string()),
            ("2026.9".into(), "2026.5.12".into())
        );
    }
}
