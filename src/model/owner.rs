//! Who may write now, and how we know.

use std::path::PathBuf;

use super::Ms;
use super::gateway::StateProof;

/// What a TCP connect to the resolved endpoint gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Connect {
    /// Somebody accepted: a gateway, or something that sits on its port.
    Accepted,
    /// Refused: nothing listens.
    Refused,
    /// The network says there is no way there (error text).
    Unreachable(String),
    /// No answer in time.
    TimedOut,
    /// Could not be tried (bad URL, name does not resolve); the text says why.
    NotTried(String),
}

/// A lock file of a gateway process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GatewayLock {
    /// The file.
    pub path: PathBuf,
    /// `2026.5` (temp folder) or `2026.9` (state folder).
    pub generation: &'static str,
    /// Process id, if readable.
    pub pid: Option<u32>,
    /// Held, dead or unknown.
    pub state: super::probe::LockState,
    /// Port that its owner listens on, if recorded.
    pub port: Option<u16>,
    /// Proven to record another state (the folder is a copy): no evidence about this one.
    pub foreign: bool,
}

/// What a gateway said when it was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Greeting {
    /// Its version.
    pub version: String,
    /// Whether it serves the state at hand.
    pub state: StateProof,
}

/// Everything the verdict is drawn from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnerEvidence {
    /// The endpoint that was tried (`ws://127.0.0.1:18789`).
    pub endpoint: String,
    /// Where the endpoint comes from (`gateway.port`, `$OPENCLAW_GATEWAY_PORT`, `default`).
    pub endpoint_origin: String,
    /// Result of the connect.
    pub connect: Connect,
    /// Lock files of both generations, only those that exist.
    pub locks: Vec<GatewayLock>,
    /// We run in a container (foreign processes may be invisible).
    pub container: bool,
    /// The state lies on a network or shared file system.
    pub network_fs: bool,
    /// Age of the newest write in the folder in ms, if there is any file.
    pub newest_write_age: Option<Ms>,
    /// The configuration says that the gateway is remote.
    pub remote_mode: bool,
    /// What the gateway at `endpoint` said, if it was asked and answered.
    pub greeting: Option<Greeting>,
    /// More than one place of this host accepts connections: what one of them says is not said for the others.
    pub several_listen: bool,
    /// Command that stops the process whose lock lives, if it runs as a unit or in a container.
    pub stop: Option<String>,
}

/// Who may write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writer {
    /// Nothing listens and no lock lives: we may.
    Offline,
    /// A live gateway owns this state: it may, we may not touch rows.
    Owns,
    /// A live gateway, but of another state: we may.
    Foreign,
    /// Cannot be told: counts as owned.
    Unknown,
}

/// A verdict with its reasons.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnerVerdict {
    /// Who may write.
    pub writer: Writer,
    /// One sentence that says how we know.
    pub why: String,
    /// The evidence.
    pub evidence: OwnerEvidence,
}

/// Override token for state that a live gateway holds, or where one answers.
pub const TOKEN_LIVE: &str = "live-gateway";
/// Override token where the owner cannot be told.
pub const TOKEN_UNKNOWN: &str = "owner-unknown";

impl OwnerVerdict {
    /// The one token that passes this verdict; `None` if nothing has to be passed. The refusal prints the same one.
    pub fn token(&self) -> Option<&'static str> {
        match self.writer {
            Writer::Offline | Writer::Foreign => None,
            Writer::Owns => Some(TOKEN_LIVE),
            Writer::Unknown if self.evidence.connect == Connect::Accepted => Some(TOKEN_LIVE),
            Writer::Unknown => Some(TOKEN_UNKNOWN),
        }
    }

    /// Whether we may write, given the overrides.
    pub fn allows(&self, overrides: &[String]) -> bool {
        self.token().is_none_or(|token| overrides.iter().any(|o| o == token))
    }
}
