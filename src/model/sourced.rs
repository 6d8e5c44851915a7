//! Values that remember where they came from, and limits that can be off.

use std::fmt;
use std::path::PathBuf;

/// Where a value was found.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase", tag = "from")]
pub enum Origin {
    /// Nobody said anything: the built-in default.
    Default,
    /// The gateway's configuration, or a file it includes.
    Config {
        /// The file that holds the key (the including or the included one).
        path: PathBuf,
    },
    /// Our own `<state>/clawkeep.json5`.
    Own {
        /// That file.
        path: PathBuf,
    },
    /// An environment variable.
    Env {
        /// Its name.
        name: String,
    },
    /// A command-line flag.
    Flag {
        /// Its long form, with the dashes.
        name: String,
    },
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::Config { path } | Self::Own { path } => write!(f, "{}", path.display()),
            Self::Env { name } => write!(f, "${name}"),
            Self::Flag { name } => f.write_str(name),
        }
    }
}

/// A value, the configuration key it belongs to, and where it was found.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Sourced<T> {
    /// The value itself.
    pub value: T,
    /// Dotted key (`session.maintenance.pruneAfter`), also when the value came from a flag or a default.
    pub key: &'static str,
    /// Where the value was found.
    pub origin: Origin,
}

impl<T> Sourced<T> {
    /// A built-in default for `key`.
    pub fn default_for(key: &'static str, value: T) -> Self {
        Self { value, key, origin: Origin::Default }
    }

    /// The same key with a value given by the flag `name` (with its dashes).
    pub fn from_flag(key: &'static str, name: &str, value: T) -> Self {
        Self { value, key, origin: Origin::Flag { name: name.to_owned() } }
    }

    /// Another value derived from this one, with the same key and origin.
    pub fn map<U>(&self, f: impl FnOnce(&T) -> U) -> Sourced<U> {
        Sourced { value: f(&self.value), key: self.key, origin: self.origin.clone() }
    }
}

/// A limit that may be switched off. `0`, `"0"`, `"0d"` and `false` all mean [`Limit::Off`] (DESIGN 1.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Limit<T> {
    /// No limit: nothing is removed because of it.
    Off,
    /// The limit.
    At(T),
}

impl<T: Copy> Limit<T> {
    /// The limit, if there is one.
    pub fn at(self) -> Option<T> {
        match self {
            Self::Off => None,
            Self::At(v) => Some(v),
        }
    }
}
