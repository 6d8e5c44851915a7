//! What is known of a gateway that was talked to. Plain values: no socket, no secret.

use std::path::PathBuf;

use super::Ms;

/// What a gateway said of itself when it let us in (`hello-ok`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hello {
    /// Version of the gateway (`2026.5.12`).
    pub version: String,
    /// Protocol that both sides speak.
    pub protocol: u64,
    /// State folder as the gateway sees it; only told to a session with `operator.admin`.
    pub state_dir: Option<String>,
    /// Configuration file as the gateway sees it; told as `state_dir` is.
    pub config_path: Option<String>,
    /// How the gateway authenticates (`token`, `password`, `none`, `trusted-proxy`); told as `state_dir` is.
    pub auth_mode: Option<String>,
    /// Scopes that were granted, which may be fewer than were asked for.
    pub scopes: Vec<String>,
    /// Methods that it lists.
    pub methods: Vec<String>,
    /// Distance of its `tick` events in ms.
    pub tick_interval: Ms,
    /// How long it has been running, ms.
    pub uptime: Option<Ms>,
}

impl Hello {
    /// Whether the granted scopes allow what needs `scope`: admin implies everything, write implies read.
    pub fn grants(&self, scope: &str) -> bool {
        let has = |name: &str| self.scopes.iter().any(|s| s == name);
        has(scope) || has(ADMIN) || (scope == READ && has(WRITE))
    }

    /// Whether the gateway lists `method`.
    pub fn offers(&self, method: &str) -> bool {
        self.methods.iter().any(|m| m == method)
    }
}

/// Method that cleans up the sessions of a gateway.
pub const CLEANUP: &str = "sessions.cleanup";

/// Scope that changes state.
pub const ADMIN: &str = "operator.admin";
/// Scope that reads.
pub const READ: &str = "operator.read";
/// Scope that takes part in conversations.
pub const WRITE: &str = "operator.write";

/// Whether the gateway serves the state that we look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StateProof {
    /// It does; the text says how we know.
    Same(String),
    /// It serves another state; the text says how we know.
    Foreign(String),
    /// Cannot be told; the text says why.
    Unknown(String),
}

impl StateProof {
    /// The word used in JSON.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Same(_) => "same",
            Self::Foreign(_) => "foreign",
            Self::Unknown(_) => "unknown",
        }
    }

    /// How it is known, or why it is not.
    pub fn why(&self) -> &str {
        match self {
            Self::Same(why) | Self::Foreign(why) | Self::Unknown(why) => why,
        }
    }
}

/// One session as a gateway or an index lists it, newest first where they come in lists.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Listed {
    /// Session key.
    pub key: String,
    /// Session id.
    pub id: String,
}

/// Folders that are the same as ours under other names, as far as the user said so (`--gateway-state-dir`).
pub type Aliases = Vec<PathBuf>;

/// What the HTTP health endpoint of a gateway answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Health {
    /// It says that it lives.
    Live,
    /// Another answer: its HTTP status.
    Status(u16),
    /// No answer that is HTTP; the text says why.
    None(String),
}

/// Why there is no session with a gateway.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoSession {
    /// `refused`, `silent`, `no-credentials` ...
    pub kind: &'static str,
    /// The exact code of a refusal, else nothing.
    pub code: Option<String>,
    /// In words.
    pub message: String,
    /// What helps.
    pub hints: Vec<String>,
}

/// Everything that `gateway status` found out.
#[derive(Debug, Clone)]
pub struct GatewayStatus {
    /// Where a gateway was looked for, without secrets.
    pub endpoint: String,
    /// Who named that place.
    pub origin: String,
    /// Pinned certificate, if there is one.
    pub pin: Option<String>,
    /// Answer of the health endpoint; `None` if nothing listens, or it was not asked.
    pub health: Option<Health>,
    /// The session; `None` if none was tried.
    pub session: Option<Result<Hello, NoSession>>,
    /// Whether it serves our state; `None` without a session.
    pub state: Option<StateProof>,
    /// Places of secrets.
    pub looked: Vec<Looked>,
    /// Our state folder.
    pub state_dir: PathBuf,
    /// Who may write now, with the evidence.
    pub verdict: super::owner::OwnerVerdict,
    /// Who would carry out a cleanup.
    pub cleanup: CleanupBy,
}

/// Who would carry out `sessions cleanup --enforce` now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CleanupBy {
    /// This program.
    Ourselves,
    /// The gateway, asked by this program.
    Gateway,
    /// Nobody: it would be refused, for this reason.
    Nobody(String),
}

/// A place where a token or password was looked for. Never holds the value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Looked {
    /// `$OPENCLAW_GATEWAY_TOKEN`, `gateway.auth.token`, a file.
    pub place: String,
    /// What was there.
    pub found: Found,
}

/// What was found in a place where a secret may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// A secret, and it is the one that is sent.
    Used,
    /// Nothing.
    Nothing,
    /// A secret, but another place comes first.
    Later,
    /// A text with a `${VARIABLE}` that is not set here: never sent.
    Unresolved,
    /// A reference into a store of secrets, which is not ours to open: never sent.
    Reference,
    /// Something that is no text.
    NotText,
    /// Belongs to another URL than the one that is used: never sent there.
    OtherUrl,
}

impl Found {
    /// In words.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Used => "used",
            Self::Nothing => "not set",
            Self::Later => "not used, another place comes first",
            Self::Unresolved => "holds a ${VARIABLE} that is not set here; not sent",
            Self::Reference => "is a reference into a secret store, which only the gateway opens; not sent",
            Self::NotText => "is no text",
            Self::OtherUrl => "belongs to another URL; not sent",
        }
    }

    /// The word used in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Used => "used",
            Self::Nothing => "not-set",
            Self::Later => "not-used",
            Self::Unresolved => "unresolved-variable",
            Self::Reference => "secret-reference",
            Self::NotText => "not-text",
            Self::OtherUrl => "other-url",
        }
    }
}
