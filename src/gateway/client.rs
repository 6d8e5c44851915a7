//! A blocking client: one connection, one handshake, a few calls.
//!
//! ```text
//! let access = access::resolve(ctx, &roots, &loaded, &flags)?;         // where, and with what
//! let ask = Ask { scopes: &[ADMIN], create_identity: true };
//! let mut client = Client::connect(&access, &ask, Deadlines::of(&ctx.env), &ctx.cancel)?;
//! client.hello().state_dir; client.hello().grants(ADMIN); client.hello().offers("sessions.cleanup");
//! client.call("sessions.cleanup", &json!({"enforce": true}))?;         // CallError::{NotSent, Refused, OutcomeUnknown}
//! ```

use std::time::Duration;

use serde_json::Value;

use crate::context::{Cancel, Env};
use crate::error::Error;
use crate::model::gateway::Hello;

use super::access::Access;

/// How long each phase may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deadlines {
    /// Name lookup and TCP connect.
    pub connect: Duration,
    /// From the open socket to the hello, retries of a starting gateway included.
    pub handshake: Duration,
    /// From a sent request to its answer, as long as the gateway shows signs of life.
    pub call: Duration,
    /// Silence after which a gateway that owes an answer counts as lost.
    pub silence: Duration,
}

impl Deadlines {
    /// The documented deadlines: 10 s, 10 s, 600 s, and silence of two ticks.
    pub fn of(_env: &Env) -> Self {
        Self {
            connect: Duration::from_secs(10),
            handshake: Duration::from_secs(10),
            call: Duration::from_secs(600),
            silence: Duration::from_secs(60),
        }
    }
}

/// What is asked for.
#[derive(Debug, Clone, Copy)]
pub struct Ask<'a> {
    /// Scopes, in the order in which they are sent.
    pub scopes: &'a [&'a str],
    /// Whether a device identity may be made where one is needed and there is none: not for commands that only read.
    pub create_identity: bool,
}

/// Why there is no session.
#[derive(Debug)]
pub struct ConnectError {
    /// What kind of failure.
    pub kind: ConnectFailure,
    /// One lower-case fragment; never holds a secret.
    pub message: String,
}

/// Kinds of [`ConnectError`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConnectFailure {
    /// Nothing listens, or the network has no way there: proof of absence.
    Absent,
    /// The endpoint may not be used (plaintext to another host, a URL without credentials of its own).
    NotAllowed,
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

impl ConnectError {
    /// Proof that nobody listens.
    pub fn is_absent(&self) -> bool {
        self.kind == ConnectFailure::Absent
    }

    /// The failure for the user: exit 11, what was tried, and what helps.
    pub fn into_error(self, _access: &Access) -> Error {
        Error::new(crate::error::Kind::Busy, self.message)
    }
}

/// Why a call has no result.
#[derive(Debug)]
pub enum CallError {
    /// The request was not sent: nothing happened.
    NotSent(String),
    /// The gateway answered with an error.
    Refused {
        /// `INVALID_REQUEST`, `FORBIDDEN`, `UNAVAILABLE` ...
        code: String,
        /// The gateway's words.
        message: String,
        /// What it added (a partial result of several stores, for one).
        details: Option<Value>,
    },
    /// The request was sent and no answer came: it may have been carried out, wholly or in part.
    OutcomeUnknown(String),
}

/// A session with a gateway.
#[derive(Debug)]
pub struct Client {
    hello: Hello,
}

impl Client {
    /// Connects and shakes hands. A gateway that is starting is asked again within the budget.
    ///
    /// # Errors
    /// See [`ConnectFailure`].
    pub fn connect(
        access: &Access,
        _ask: &Ask<'_>,
        _deadlines: Deadlines,
        _cancel: &Cancel,
    ) -> Result<Self, ConnectError> {
        Err(ConnectError { kind: ConnectFailure::Unreached, message: format!("{} was not tried", access.endpoint) })
    }

    /// What the gateway said of itself.
    pub fn hello(&self) -> &Hello {
        &self.hello
    }

    /// One request and its answer.
    ///
    /// # Errors
    /// See [`CallError`]; only [`CallError::OutcomeUnknown`] leaves open what happened.
    pub fn call(&mut self, method: &str, _params: &Value) -> Result<Value, CallError> {
        Err(CallError::NotSent(method.to_owned()))
    }

    /// Says goodbye.
    pub fn close(self) {}
}
