//! The one error type that reaches the user.

use std::error::Error as StdError;
use std::fmt;

/// What kind of failure; decides the exit code (see [`crate::exit`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// It could not be done: unreadable or damaged state, invalid configuration, I/O.
    Failed,
    /// The command line is wrong.
    Usage,
    /// Part of it was done.
    Partial,
    /// Done, but something needs a person.
    Findings,
    /// The named store does not exist.
    Absent,
    /// A lock is held, or a live owner forbids it.
    Busy,
    /// The format on disk is newer than this program can write.
    TooNew,
    /// Interrupted by a signal.
    Interrupted,
    /// The reader of our output went away: a quiet success.
    BrokenPipe,
}

impl Kind {
    /// The word used in JSON (`kind`).
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Failed => "failed",
            Self::Usage => "usage",
            Self::Partial => "partial",
            Self::Findings => "findings",
            Self::Absent => "absent",
            Self::Busy => "busy",
            Self::TooNew => "too-new",
            Self::Interrupted => "interrupted",
            Self::BrokenPipe => "broken-pipe",
        }
    }
}

/// A failure: one lower-case sentence fragment, and hints that are commands the user can run.
#[derive(Debug)]
pub struct Error {
    /// Decides the exit code.
    pub kind: Kind,
    /// What happened, to which file. Lower case, no full stop.
    pub message: String,
    /// Commands or settings that help.
    pub hints: Vec<String>,
    /// Override token that would pass this refusal, if there is one.
    pub token: Option<&'static str>,
    /// The underlying error.
    pub source: Option<Box<dyn StdError + Send + Sync>>,
}

impl Error {
    /// An error of `kind`.
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), hints: Vec::new(), token: None, source: None }
    }

    /// A [`Kind::Failed`] error.
    pub fn failed(message: impl Into<String>) -> Self {
        Self::new(Kind::Failed, message)
    }

    /// A [`Kind::Usage`] error.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::new(Kind::Usage, message)
    }

    /// An I/O failure on `path` while doing `what` ("read", "rename").
    pub fn io(what: &str, path: &std::path::Path, source: std::io::Error) -> Self {
        let kind = if source.kind() == std::io::ErrorKind::BrokenPipe { Kind::BrokenPipe } else { Kind::Failed };
        Self { source: None, ..Self::new(kind, format!("cannot {what} {}: {source}", path.display())) }
    }

    /// Adds a hint.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// Names the override token that passes this refusal.
    #[must_use]
    pub fn token(mut self, token: &'static str) -> Self {
        self.token = Some(token);
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.source.as_deref().map(|e| e as &(dyn StdError + 'static))
    }
}

/// Result with the program's error.
pub type Result<T, E = Error> = std::result::Result<T, E>;
