//! What a rule is.

use serde_json::Value;

use crate::model::doctor::{Area, ConfigFacts, Found, Remedy, StateFacts, Version};
use crate::model::finding::Severity;

/// One rule. All of it is constant, so that a rule is one file with one `pub const RULE`.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// Stable id, kebab case; `--only`, `--skip` and `--explain` take it.
    pub id: &'static str,
    /// Gravity.
    pub severity: Severity,
    /// First version of the gateway for which it matters; a rule of a later version than the target is not asked.
    pub since: Version,
    /// One sentence: what is found. Begins with a lower-case letter, no full stop.
    pub what: &'static str,
    /// Why it matters.
    pub why: &'static str,
    /// What `--fix` does, or why it does nothing.
    pub fix: &'static str,
    /// An example, before; empty if there is none to show.
    pub before: &'static str,
    /// The same, after.
    pub after: &'static str,
    /// How it is found.
    pub check: Check,
}

/// How a rule finds what it is about.
#[derive(Debug, Clone, Copy)]
pub enum Check {
    /// Changes a configuration value in place and notes what it did.
    Migrate(Migrate),
    /// A migration that is carried out only beside one of another rule (empty: of any other rule): alone, what it
    /// changes is valid as it is.
    Beside(&'static [&'static str], Migrate),
    /// Looks at the configuration.
    Inspect(fn(&ConfigFacts, &mut Findings)),
    /// Looks at the state.
    State(fn(&StateFacts, &mut Findings)),
}

/// A migration of a configuration value. It must be idempotent, must leave alone what it does not know, and must treat
/// `$include` and `${VAR}` as opaque.
pub type Migrate = fn(&mut Value, &mut Notes);

impl Rule {
    /// Which half of the installation it looks at.
    pub fn area(&self) -> Area {
        match self.check {
            Check::Migrate(_) | Check::Beside(..) | Check::Inspect(_) => Area::Config,
            Check::State(_) => Area::State,
        }
    }

    /// The migration, if it is one.
    pub fn migration(&self) -> Option<Migrate> {
        match self.check {
            Check::Migrate(f) | Check::Beside(_, f) => Some(f),
            Check::Inspect(_) | Check::State(_) => None,
        }
    }

    /// A finding of this rule with its own gravity and no remedy.
    pub fn found(&self, subject: impl Into<String>, message: impl Into<String>) -> Found {
        Found {
            rule: self.id,
            severity: self.severity,
            subject: subject.into(),
            message: message.into(),
            details: Vec::new(),
            file: None,
            remedy: Remedy::None,
        }
    }
}

/// Findings of one rule.
pub type Findings = Vec<Found>;

/// What a migration did and what it left.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Notes {
    /// One line for each change, as the gateway's own doctor words it where it knows the migration.
    pub lines: Vec<String>,
    /// What it left for a person, and why.
    pub manual: Vec<String>,
}

impl Notes {
    /// Notes a change.
    pub fn change(&mut self, line: impl Into<String>) {
        self.lines.push(line.into());
    }

    /// Notes something that a person has to decide.
    pub fn leave(&mut self, why: impl Into<String>) {
        self.manual.push(why.into());
    }
}

impl Found {
    /// Adds a line.
    #[must_use]
    pub fn detail(mut self, line: impl Into<String>) -> Self {
        self.details.push(line.into());
        self
    }

    /// Says where it is.
    #[must_use]
    pub fn at(mut self, file: impl Into<std::path::PathBuf>) -> Self {
        self.file = Some(file.into());
        self
    }

    /// Says what becomes of it.
    #[must_use]
    pub fn remedy(mut self, remedy: Remedy) -> Self {
        self.remedy = remedy;
        self
    }
}
