//! Why there is no session, or no answer, and what the user can do about it.

use serde_json::Value;

use crate::error::{Error, Kind};
use crate::model::gateway::{Found, Looked};

use super::access::Access;
use super::endpoint::OriginKind;

/// Why there is no session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConnectError {
    /// What kind of failure.
    pub kind: ConnectFailure,
    /// One lower-case fragment; never holds a secret.
    pub message: String,
    /// What helps, beside what follows from the kind.
    pub hints: Vec<String>,
}

/// Kinds of [`ConnectError`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConnectFailure {
    /// Nothing listens, or the network has no way there: proof of absence.
    Absent,
    /// The endpoint may not be used: plaintext to another host.
    NotAllowed,
    /// Somebody listens, and there is nothing to send that it would take.
    NoCredentials,
    /// It could not be told whether anybody listens.
    Unreached,
    /// Somebody accepted, but did not answer in time or went away.
    Silent,
    /// Somebody answered who is no gateway that we can talk to.
    NotAGateway,
    /// The gateway is starting and was not ready within the budget.
    Starting,
    /// The gateway refused: `details.code`, else `code`.
    Refused(String),
    /// A signal asked the run to stop.
    Interrupted,
}

impl ConnectFailure {
    /// The word used in JSON.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Absent => "absent",
            Self::NotAllowed => "not-allowed",
            Self::NoCredentials => "no-credentials",
            Self::Unreached => "unreached",
            Self::Silent => "silent",
            Self::NotAGateway => "not-a-gateway",
            Self::Starting => "starting",
            Self::Refused(_) => "refused",
            Self::Interrupted => "interrupted",
        }
    }
}

impl ConnectError {
    /// Of a kind, in words.
    pub fn new(kind: ConnectFailure, message: String) -> Self {
        Self { kind, message, hints: Vec::new() }
    }

    /// Adds what helps.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// Proof that nobody listens.
    pub fn is_absent(&self) -> bool {
        self.kind == ConnectFailure::Absent
    }

    /// The failure for the user: busy (somebody is there, or may be), except where the command line or configuration is
    /// wrong, or a signal came. Where a secret is the matter, every place where one was looked for is listed.
    pub fn into_error(self, access: &Access) -> Error {
        let kind = match self.kind {
            ConnectFailure::NotAllowed => Kind::Failed,
            ConnectFailure::Interrupted => Kind::Interrupted,
            _ => Kind::Busy,
        };
        let about_secrets = match &self.kind {
            ConnectFailure::NoCredentials => true,
            ConnectFailure::Refused(code) => is_about_secrets(code),
            _ => false,
        };
        let mut message = self.message;
        if about_secrets && !access.credentials.looked.is_empty() {
            message = format!("{message} (looked for one in: {})", places(&access.credentials.looked));
        }
        let mut error = Error::new(kind, message);
        error.hints = self.hints;
        if about_secrets { error.hint(how_to_pass_one(access)) } else { error }
    }
}

/// Codes of refusals that another secret, or one at all, would help against.
fn is_about_secrets(code: &str) -> bool {
    const OTHERS: &[&str] = &["DEVICE_IDENTITY_REQUIRED", "HTTP 401", "HTTP 403", "AUTH_REQUIRED", "AUTH_UNAUTHORIZED"];
    OTHERS.contains(&code)
        || code.starts_with("AUTH_TOKEN")
        || code.starts_with("AUTH_PASSWORD")
        || code == "AUTH_DEVICE_TOKEN_MISMATCH"
}

/// `$OPENCLAW_GATEWAY_TOKEN: not set; gateway.auth.token: used`.
pub fn places(looked: &[Looked]) -> String {
    let one = |l: &Looked| format!("{}: {}", l.place, l.found.describe());
    looked.iter().map(one).collect::<Vec<_>>().join("; ")
}

fn how_to_pass_one(access: &Access) -> String {
    let reference = access.credentials.looked.iter().any(|l| l.found == Found::Reference);
    match access.endpoint.origin_kind() {
        OriginKind::Flag => "pass the token of that gateway in a file: --gateway-token-file FILE".to_owned(),
        OriginKind::RemoteConfig => {
            "set gateway.remote.token, or OPENCLAW_GATEWAY_TOKEN, or pass --gateway-token-file FILE".to_owned()
        }
        OriginKind::EnvUrl => "set OPENCLAW_GATEWAY_TOKEN beside OPENCLAW_GATEWAY_URL".to_owned(),
        OriginKind::ThisHost if reference => {
            "pass the token itself in OPENCLAW_GATEWAY_TOKEN, or with --gateway-token-file FILE".to_owned()
        }
        OriginKind::ThisHost => {
            "set OPENCLAW_GATEWAY_TOKEN or gateway.auth.token, or pass --gateway-token-file FILE".to_owned()
        }
    }
}

/// Why a call has no result.
#[derive(Debug, Clone, PartialEq)]
pub enum CallError {
    /// The request was not sent: nothing happened.
    NotSent(String),
    /// The gateway answered with an error.
    Refused {
        /// `INVALID_REQUEST`, `MISSING_SCOPE`, `UNAVAILABLE` ...
        code: String,
        /// The gateway's words, cut.
        message: String,
        /// What it added (a partial result of several stores, for one).
        details: Option<Value>,
    },
    /// The request was sent and no answer came: it may have been carried out, wholly or in part.
    OutcomeUnknown(String),
}
