//! From a closed socket to a hello.
//!
//! Who we are depends on where the gateway is. On this host with a shared secret: the device-less backend pair, the one
//! combination that keeps its scopes on both generations. Elsewhere, or without a secret: a device identity that signs
//! the gateway's nonce. A gateway that asks for a secret gets asked nothing where there is none to send.

use std::time::{Duration, Instant};

use crate::context::Cancel;
use crate::model::gateway::Hello;
use crate::model::owner::Connect;

use super::access::Access;
use super::client::{Ask, Deadlines};
use super::device::{Identity, Signing};
use super::endpoint::Endpoint;
use super::failure::{ConnectError, ConnectFailure};
use super::probe;
use super::protocol::{self, Auth, Failure, Inbound};
use super::wire::{self, Broken, Wire, quoted};

/// Pause before a starting gateway is asked again, if it does not say, ms.
const PAUSE: u64 = 500;
/// Bounds of what it may say, ms.
const PAUSES: (u64, u64) = (100, 2_000);
/// How often a signal is looked for while pausing.
const TURN: Duration = Duration::from_millis(50);

/// Connects to one endpoint and shakes hands.
pub fn shake(
    access: &Access,
    endpoint: &Endpoint,
    ask: &Ask<'_>,
    deadlines: Deadlines,
    cancel: &Cancel,
) -> Result<(Wire, Hello), ConnectError> {
    let run = Handshake { access, endpoint, ask, deadlines, cancel };
    let mut end: Option<Instant> = None;
    loop {
        let tcp = run.tcp(end.is_some())?;
        let end = *end.get_or_insert_with(|| Instant::now() + deadlines.handshake);
        match run.attempt(tcp, end)? {
            Attempt::Done(session) => return Ok(*session),
            Attempt::Starting(failure) => run.pause(&failure, end)?,
        }
    }
}

/// What one connection came to.
enum Attempt {
    Done(Box<(Wire, Hello)>),
    Starting(Box<Failure>),
}

struct Handshake<'a> {
    access: &'a Access,
    endpoint: &'a Endpoint,
    ask: &'a Ask<'a>,
    deadlines: Deadlines,
    cancel: &'a Cancel,
}

impl Handshake<'_> {
    /// A socket. `again`: it accepted before, so that a refusal is no proof of absence.
    fn tcp(&self, again: bool) -> Result<std::net::TcpStream, ConnectError> {
        if let Some(why) = &self.access.forbidden {
            let error = ConnectError::new(ConnectFailure::NotAllowed, format!("{}: {why}", self.place()));
            return Err(error.hint("use wss://, or a tunnel to a port of this host"));
        }
        let place = self.place();
        probe::open(self.endpoint, self.deadlines.connect).map_err(|failed| match failed {
            Connect::Refused | Connect::Unreachable(_) if again => {
                ConnectError::new(ConnectFailure::Silent, format!("the gateway at {place} was starting and went away"))
            }
            Connect::Refused => ConnectError::new(ConnectFailure::Absent, format!("nothing listens at {place}")),
            Connect::Unreachable(why) => {
                ConnectError::new(ConnectFailure::Absent, format!("{place} cannot be reached: {why}"))
            }
            Connect::TimedOut => ConnectError::new(
                ConnectFailure::Unreached,
                format!("{place} did not accept a connection within {}", seconds(self.deadlines.connect)),
            ),
            Connect::NotTried(why) => {
                ConnectError::new(ConnectFailure::Unreached, format!("{place} could not be tried: {why}"))
            }
            Connect::Accepted => ConnectError::new(ConnectFailure::Unreached, place),
        })
    }

    fn attempt(&self, tcp: std::net::TcpStream, end: Instant) -> Result<Attempt, ConnectError> {
        let mut identity = self.identity()?;
        let issued = identity.as_ref().and_then(|i| i.token(&self.endpoint.to_string()));
        let credentials = &self.access.credentials;
        // A shared secret wins alone over what the device was issued (reports J2).
        let auth = Auth {
            token: credentials.token.as_ref().map(super::secret::Secret::expose),
            password: credentials.password.as_ref().map(super::secret::Secret::expose),
            device_token: issued.filter(|_| !credentials.any()).map(super::secret::Secret::expose),
        };
        if auth == Auth::default() && !credentials.open {
            return Err(self.nothing_to_send());
        }
        let mut wire = Wire::open(tcp, self.endpoint, self.access.pin.as_ref(), wire::until(end, self.cancel))
            .map_err(|b| self.broken("the WebSocket upgrade", b))?;
        let (nonce, at) = self.challenge(&mut wire)?;
        let client = if identity.is_some() { protocol::CLI } else { protocol::BACKEND };
        let device = identity.as_ref().map(|identity| {
            identity.sign(&Signing {
                client,
                scopes: self.ask.scopes,
                at,
                token: auth.signed(),
                nonce: &nonce,
                platform: protocol::platform(),
            })
        });
        let request = protocol::connect(client, self.ask.scopes, auth, device.as_ref())
            .map_err(|e| self.broken("the connect request", Broken::Garbage(e.to_string())))?;
        wire.send_secret(request).map_err(|b| self.broken("the connect request", b))?;
        let payload = match self.answer(&mut wire)? {
            Ok(payload) => payload,
            Err(failure) if failure.is_starting() => return Ok(Attempt::Starting(failure)),
            Err(failure) => return Err(self.refused(&failure)),
        };
        let hello = protocol::hello(&payload)
            .map_err(|why| ConnectError::new(ConnectFailure::NotAGateway, format!("{}: {why}", self.place())))?;
        wire.let_in();
        if let (Some(identity), Some(token), true) =
            (identity.as_mut(), protocol::device_token(&payload), self.ask.create_identity)
        {
            // The session stands; a token that cannot be kept costs an approval next time, and nothing now.
            let _ = identity.remember(&self.endpoint.to_string(), token);
        }
        Ok(Attempt::Done(Box::new((wire, hello))))
    }

    /// The device identity, where one is needed.
    fn identity(&self) -> Result<Option<Identity>, ConnectError> {
        if self.access.credentials.any() && self.endpoint.is_loopback() {
            return Ok(None);
        }
        let failed = |e: crate::error::Error| ConnectError {
            kind: ConnectFailure::NoCredentials,
            message: e.message,
            hints: e.hints,
        };
        let path = &self.access.identity;
        let known = Identity::load(path).map_err(failed)?;
        let useful = self.access.credentials.any() || self.access.credentials.open;
        if known.is_some() || !(self.ask.create_identity && useful) {
            return Ok(known);
        }
        Identity::create(path).map(Some).map_err(failed)
    }

    fn challenge(&self, wire: &mut Wire) -> Result<(String, i64), ConnectError> {
        loop {
            let text = wire.receive().map_err(|b| self.broken("the challenge", b))?;
            match protocol::read(&text) {
                Some(Inbound::Challenge { nonce, ts }) if !nonce.trim().is_empty() => {
                    return Ok((nonce, ts.unwrap_or(0)));
                }
                Some(Inbound::Event(_)) => {}
                _ => {
                    let what = "its first frame is no challenge".to_owned();
                    return Err(self.broken("the challenge", Broken::Garbage(what)));
                }
            }
        }
    }

    fn answer(&self, wire: &mut Wire) -> Result<Result<serde_json::Value, Box<Failure>>, ConnectError> {
        loop {
            let text = wire.receive().map_err(|b| self.broken("the connect request", b))?;
            match protocol::read(&text) {
                Some(Inbound::Response { result, .. }) => return Ok(result),
                Some(_) => {}
                None => {
                    let what = "a frame is no JSON object".to_owned();
                    return Err(self.broken("the connect request", Broken::Garbage(what)));
                }
            }
        }
    }

    fn pause(&self, failure: &Failure, end: Instant) -> Result<(), ConnectError> {
        let wanted = failure.retry_after_ms.unwrap_or(PAUSE).clamp(PAUSES.0, PAUSES.1);
        let until = Instant::now() + Duration::from_millis(wanted);
        if until >= end {
            let message = format!(
                "the gateway at {} is starting and was not ready within {}",
                self.place(),
                seconds(self.deadlines.handshake)
            );
            return Err(ConnectError::new(ConnectFailure::Starting, message).hint("try again when it is up"));
        }
        while Instant::now() < until {
            if self.cancel.get().is_some() {
                return Err(ConnectError::new(ConnectFailure::Interrupted, "interrupted".to_owned()));
            }
            std::thread::sleep(TURN.min(until.saturating_duration_since(Instant::now())));
        }
        Ok(())
    }

    /// Endpoint and origin.
    fn place(&self) -> String {
        match self.endpoint.origin.as_str() {
            "default" => format!("{} (default port)", self.endpoint),
            origin => format!("{} (from {origin})", self.endpoint),
        }
    }

    fn nothing_to_send(&self) -> ConnectError {
        let message =
            format!("something listens at {}, and there is no token or password to ask it with", self.place());
        ConnectError::new(ConnectFailure::NoCredentials, message)
    }

    fn broken(&self, phase: &str, broken: Broken) -> ConnectError {
        let place = self.place();
        let new = ConnectError::new;
        match broken {
            Broken::Late | Broken::Quiet => new(
                ConnectFailure::Silent,
                format!(
                    "{place} accepted the connection and did not answer {phase} within {}",
                    seconds(self.deadlines.handshake)
                ),
            ),
            Broken::Closed(None) => {
                new(ConnectFailure::Silent, format!("{place} closed the connection without an answer to {phase}"))
            }
            Broken::Closed(Some((code, words))) => {
                new(ConnectFailure::Silent, format!("{place} closed the connection at {phase} ({code}: {words})"))
            }
            Broken::Interrupted => new(ConnectFailure::Interrupted, "interrupted".to_owned()),
            Broken::Http(status @ (401 | 403)) => new(
                ConnectFailure::Refused(format!("HTTP {status}")),
                format!("{place} answers HTTP {status} (unauthorized) to {phase}; something stands before the gateway"),
            ),
            Broken::Http(status) => {
                new(ConnectFailure::NotAGateway, format!("{place} is no gateway: it answers HTTP {status} to {phase}"))
            }
            Broken::Garbage(what) => {
                new(ConnectFailure::NotAGateway, format!("{place} does not speak as a gateway does at {phase}: {what}"))
            }
            Broken::Tls(what) => self.tls(&what),
        }
    }

    fn tls(&self, what: &str) -> ConnectError {
        let error = match &self.access.pin {
            Some(pin) => ConnectError::new(
                ConnectFailure::NotAGateway,
                format!("{} did not show the pinned certificate {pin}: {what}", self.place()),
            ),
            None => ConnectError::new(ConnectFailure::NotAGateway, format!("TLS to {} failed: {what}", self.place())),
        };
        error.hint("pin the certificate that the gateway uses: --gateway-tls-fingerprint HEX")
    }

    /// A refusal in words that say which credential was used.
    fn refused(&self, failure: &Failure) -> ConnectError {
        let code = failure.exact_code().to_owned();
        let sent = self
            .access
            .credentials
            .source()
            .map_or_else(|| "without a shared secret".to_owned(), |source| format!("with the secret from {source}"));
        let message =
            format!("the gateway at {} refused the connection {sent}: {}", self.place(), quoted(&failure.message));
        let error = ConnectError::new(ConnectFailure::Refused(code.clone()), message);
        match code.as_str() {
            "PAIRING_REQUIRED" => match failure.detail("requestId") {
                Some(request) => error.hint(format!(
                    "approve this device on the gateway's host: openclaw devices approve {}",
                    crate::report::command::quote(request)
                )),
                None => error.hint("approve this device on the gateway's host: openclaw devices list"),
            },
            "AUTH_RATE_LIMITED" => error.hint("wait some minutes: too many attempts with a wrong secret"),
            "AUTH_DEVICE_TOKEN_MISMATCH" => error.hint(format!(
                "the token in {} is no longer accepted; move the file away, or pass the gateway's own token",
                self.access.identity.display()
            )),
            "INVALID_REQUEST" | "PROTOCOL_MISMATCH" if failure.message.contains("protocol") => {
                error.hint(format!("this program speaks protocol {}", protocol::PROTOCOL))
            }
            _ => error,
        }
    }
}

fn seconds(time: Duration) -> String {
    format!("{} s", time.as_secs_f32())
}
