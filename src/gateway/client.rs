//! A blocking client: one connection, one handshake, a few calls.
//!
//! ```text
//! let access = access::resolve(ctx, &roots, &loaded, &flags)?;         // where, and with what
//! let ask = Ask { scopes: &[ADMIN], create_identity: true };
//! let mut client = Client::connect(&access, &ask, Deadlines::of(&ctx.env), &ctx.cancel)?;
//! client.hello().state_dir; client.hello().grants(ADMIN); client.hello().offers("sessions.cleanup");
//! client.call("sessions.cleanup", &json!({"enforce": true}))?;         // CallError::{NotSent, Refused, OutcomeUnknown}
//! ```
//!
//! # Failure story
//! Three outcomes only. Nothing listens, which is proven ([`ConnectError::is_absent`]). Somebody is there and nothing was
//! asked of it (every other [`ConnectError`], [`CallError::NotSent`], [`CallError::Refused`]). Or a request went out and
//! no answer came back: [`CallError::OutcomeUnknown`], because it may have been carried out, wholly or in part. A request
//! counts as sent as soon as its first byte may have left.
//!
//! # Time
//! Each phase has an end of its own ([`Deadlines`]), so that neither a port that accepts and never speaks nor one that
//! sends a byte a second holds a run up. A call may take long, because a gateway that cleans up is busy: it is waited for
//! as long as it shows signs of life.

use std::time::{Duration, Instant};

use serde_json::Value;

use crate::context::{Cancel, Env};
use crate::model::gateway::Hello;

use super::access::Access;
use super::endpoint::Endpoint;
use super::handshake;
use super::protocol::{self, Inbound};
use super::stream::Watch;
use super::wire::{Broken, Wire, quoted};

pub use super::failure::{CallError, ConnectError, ConnectFailure};

/// How long each phase may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deadlines {
    /// Name lookup and TCP connect.
    pub connect: Duration,
    /// From the open socket to the hello, retries of a starting gateway included.
    pub handshake: Duration,
    /// From a sent request to its answer, as long as the gateway shows signs of life.
    pub call: Duration,
    /// Silence after which a gateway that owes an answer counts as lost; at least two of its ticks.
    pub silence: Duration,
}

/// Longest time for what has arrived to be read, before a request is sent: somebody may send without a pause.
const GLANCE: Duration = Duration::from_millis(100);

/// Lets tests shorten the deadlines: `connect,handshake,call,silence` in ms.
const DEADLINES: &str = "CLAWKEEP_TEST_GATEWAY_DEADLINES_MS";

impl Deadlines {
    /// 10 s, 10 s, 600 s, and silence of one minute.
    pub const USUAL: Self = Self {
        connect: Duration::from_secs(10),
        handshake: Duration::from_secs(10),
        call: Duration::from_secs(600),
        silence: Duration::from_secs(60),
    };

    /// The usual deadlines, unless a test shortens them.
    pub fn of(env: &Env) -> Self {
        let given: Option<Vec<u64>> =
            env.text(DEADLINES).map(|t| t.split(',').filter_map(|n| n.parse().ok()).collect());
        match given.as_deref() {
            Some(&[connect, handshake, call, silence]) => Self {
                connect: Duration::from_millis(connect),
                handshake: Duration::from_millis(handshake),
                call: Duration::from_millis(call),
                silence: Duration::from_millis(silence),
            },
            _ => Self::USUAL,
        }
    }
}

/// What is asked for.
#[derive(Debug, Clone, Copy)]
pub struct Ask<'a> {
    /// Scopes, in the order in which they are sent.
    pub scopes: &'a [&'a str],
    /// Whether a device identity may be made where one is needed and there is none.
    pub create_identity: bool,
}

/// A session with a gateway.
#[derive(Debug)]
pub struct Client {
    hello: Hello,
    endpoint: Endpoint,
    wire: Wire,
    deadlines: Deadlines,
    cancel: Cancel,
    calls: u64,
    /// The connection failed: nothing more can be sent.
    lost: Option<String>,
}

impl Client {
    /// Connects and shakes hands. A gateway that is starting is asked again within the budget. Where nothing listens the
    /// other places of this host are tried ([`Access::others`]).
    ///
    /// # Errors
    /// See [`ConnectFailure`].
    pub fn connect(
        access: &Access,
        ask: &Ask<'_>,
        deadlines: Deadlines,
        cancel: &Cancel,
    ) -> Result<Self, ConnectError> {
        let mut first: Option<ConnectError> = None;
        for endpoint in std::iter::once(&access.endpoint).chain(&access.others) {
            match handshake::shake(access, endpoint, ask, deadlines, cancel) {
                Ok((wire, hello)) => {
                    return Ok(Self {
                        hello,
                        endpoint: endpoint.clone(),
                        wire,
                        deadlines,
                        cancel: cancel.clone(),
                        calls: 0,
                        lost: None,
                    });
                }
                Err(error) if error.is_absent() => first = first.or(Some(error)),
                Err(error) => return Err(error),
            }
        }
        Err(first.unwrap_or_else(|| ConnectError::new(ConnectFailure::Unreached, "no endpoint is known".to_owned())))
    }

    /// What the gateway said of itself.
    pub fn hello(&self) -> &Hello {
        &self.hello
    }

    /// Where it listens.
    pub fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// One request and its answer.
    ///
    /// # Errors
    /// See [`CallError`]; only [`CallError::OutcomeUnknown`] leaves open what happened.
    pub fn call(&mut self, method: &str, params: &Value) -> Result<Value, CallError> {
        if let Some(why) = &self.lost {
            return Err(CallError::NotSent(format!("the connection to {} was lost before: {why}", self.endpoint)));
        }
        if self.cancel.get().is_some() {
            return Err(CallError::NotSent("interrupted".to_owned()));
        }
        if let Err(broken) = self.catch_up() {
            let why = self.explain(&broken);
            self.lost = Some(why.clone());
            return Err(CallError::NotSent(format!("{} is gone: {why}", self.endpoint)));
        }
        self.calls += 1;
        let id = format!("clawkeep-{}", self.calls);
        let text = protocol::request(&id, method, params).map_err(|e| CallError::NotSent(e.to_string()))?;
        self.wire.watch(self.watch());
        let answer = self.wire.send(text).and_then(|()| self.answer(&id));
        match answer {
            Ok(Ok(payload)) => Ok(payload),
            Ok(Err(failure)) => Err(CallError::Refused {
                code: failure.exact_code().to_owned(),
                message: quoted(&failure.message),
                details: failure.details,
            }),
            Err(broken) => {
                let why = self.explain(&broken);
                self.lost = Some(why.clone());
                Err(CallError::OutcomeUnknown(why))
            }
        }
    }

    /// Says goodbye.
    pub fn close(mut self) {
        if self.lost.is_none() {
            let soon = Instant::now() + Duration::from_millis(500);
            self.wire.watch(Watch { deadline: soon, silence: None, waits: true, cancel: Cancel::default() });
            self.wire.close();
        }
    }

    /// Reads what came since the last answer: pings are answered, and a goodbye is noticed before a request is lost in it.
    fn catch_up(&mut self) -> Result<(), Broken> {
        let deadline = Instant::now() + GLANCE;
        let watch = Watch { deadline, silence: None, waits: false, cancel: self.cancel.clone() };
        self.wire.watch(watch);
        loop {
            match self.wire.receive() {
                Ok(_) => {}
                Err(Broken::Late) => return Ok(()),
                Err(broken) => return Err(broken),
            }
        }
    }

    fn watch(&self) -> Watch {
        let ticks = Duration::from_millis(u64::try_from(self.hello.tick_interval).unwrap_or(0).saturating_mul(2));
        // A test that shortens the silence means it.
        let silence = if self.deadlines.silence < Deadlines::USUAL.silence {
            self.deadlines.silence
        } else {
            self.deadlines.silence.max(ticks)
        };
        let deadline = Instant::now() + self.deadlines.call;
        Watch { deadline, silence: Some(silence), waits: true, cancel: self.cancel.clone() }
    }

    /// Waits for the answer to a request; events and answers to others are skipped.
    fn answer(&mut self, id: &str) -> Result<Result<Value, Box<protocol::Failure>>, Broken> {
        loop {
            let text = self.wire.receive()?;
            match protocol::read(&text) {
                Some(Inbound::Response { id: Some(answered), result }) if answered == id => return Ok(result),
                Some(_) => {}
                None => return Err(Broken::Garbage("a frame is no JSON object".to_owned())),
            }
        }
    }

    fn explain(&self, broken: &Broken) -> String {
        match broken {
            Broken::Late => format!("no answer within {} s", self.deadlines.call.as_secs_f32()),
            Broken::Quiet => "the gateway fell silent".to_owned(),
            Broken::Interrupted => "interrupted".to_owned(),
            Broken::Closed(None) => "the connection was lost".to_owned(),
            Broken::Closed(Some((code, words))) if words.is_empty() => {
                format!("the gateway closed the connection ({code})")
            }
            Broken::Closed(Some((code, words))) => format!("the gateway closed the connection ({code}: {words})"),
            Broken::Http(status) => format!("HTTP {status}"),
            Broken::Garbage(what) | Broken::Tls(what) => what.clone(),
        }
    }
}
