//! The frames of protocol 4 (spec/gateway.md 2, 3, 5). Pure: text in, values out, and the other way round.
//!
//! What we write is exact, because the gateway refuses unknown keys. What we read is lenient: unknown keys are skipped,
//! unknown frames are [`Inbound::Other`], and half of a cut emoji (the gateway's own texts have them) is no reason to
//! lose an answer.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use zeroize::Zeroizing;

use crate::model::Ms;
use crate::model::gateway::Hello;

use super::device::Signed;

/// The one version that both generations speak.
pub const PROTOCOL: u64 = 4;
/// Id of the first request.
pub const CONNECT_ID: &str = "clawkeep-connect";
/// Role that we ask for.
pub const ROLE: &str = "operator";
/// Distance of ticks if the gateway does not say.
const TICK: Ms = 30_000;

/// Who we say we are: one of the pairs that the gateway knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Client {
    /// `client.id`.
    pub id: &'static str,
    /// `client.mode`.
    pub mode: &'static str,
}

/// Keeps its scopes without a device on both generations, from loopback and with a shared secret.
pub const BACKEND: Client = Client { id: "gateway-client", mode: "backend" };
/// The pair that goes with a device.
pub const CLI: Client = Client { id: "cli", mode: "cli" };

/// Secrets of a connect request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Auth<'a> {
    /// Shared token.
    pub token: Option<&'a str>,
    /// Token that was issued to this device.
    pub device_token: Option<&'a str>,
    /// Shared password.
    pub password: Option<&'a str>,
}

impl<'a> Auth<'a> {
    /// The one that is signed: a password never is.
    pub fn signed(&self) -> &'a str {
        self.token.or(self.device_token).unwrap_or_default()
    }
}

/// A `connect` request as text, which is wiped when dropped.
///
/// # Errors
/// None in practice: the value is made of texts and numbers.
pub fn connect(
    client: Client,
    scopes: &[&str],
    auth: Auth<'_>,
    device: Option<&Signed>,
) -> serde_json::Result<Zeroizing<Vec<u8>>> {
    let sends_auth = auth != Auth::default();
    let params = ConnectParams {
        min_protocol: PROTOCOL,
        max_protocol: PROTOCOL,
        client: ClientInfo {
            id: client.id,
            display_name: "clawkeep",
            version: env!("CARGO_PKG_VERSION"),
            platform: platform(),
            mode: client.mode,
        },
        caps: [],
        role: ROLE,
        scopes,
        auth: sends_auth.then_some(AuthParams {
            token: auth.token,
            device_token: auth.device_token,
            password: auth.password,
        }),
        device,
    };
    // Big enough never to move while it is written: a moved buffer would leave its content behind.
    let mut out = Zeroizing::new(Vec::with_capacity(16 * 1024));
    serde_json::to_writer(&mut *out, &Request { r#type: "req", id: CONNECT_ID, method: "connect", params })?;
    Ok(out)
}

/// Any other request as text.
///
/// # Errors
/// None in practice.
pub fn request(id: &str, method: &str, params: &Value) -> serde_json::Result<String> {
    serde_json::to_string(&Request { r#type: "req", id, method, params })
}

/// Name of the operating system as the gateway's own client says it.
pub fn platform() -> &'static str {
    match std::env::consts::OS {
        "macos" => "darwin",
        "windows" => "win32",
        other => other,
    }
}

#[derive(Serialize)]
struct Request<'a, P> {
    r#type: &'static str,
    id: &'a str,
    method: &'a str,
    params: P,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ConnectParams<'a> {
    min_protocol: u64,
    max_protocol: u64,
    client: ClientInfo,
    caps: [&'a str; 0],
    role: &'static str,
    scopes: &'a [&'a str],
    #[serde(skip_serializing_if = "Option::is_none")]
    auth: Option<AuthParams<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    device: Option<&'a Signed>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ClientInfo {
    id: &'static str,
    display_name: &'static str,
    version: &'static str,
    platform: &'static str,
    mode: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AuthParams<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    device_token: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    password: Option<&'a str>,
}

/// A frame from the gateway.
#[derive(Debug, Clone, PartialEq)]
pub enum Inbound {
    /// The first frame.
    Challenge {
        /// To be sent back, signed.
        nonce: String,
        /// The gateway's time in epoch ms.
        ts: Option<Ms>,
    },
    /// An answer.
    Response {
        /// Id of the request, if it is a text.
        id: Option<String>,
        /// The payload, or why there is none.
        result: Result<Value, Box<Failure>>,
    },
    /// An event, by name.
    Event(String),
    /// JSON of another shape.
    Other,
}

/// An error answer.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Failure {
    /// `INVALID_REQUEST`, `NOT_PAIRED`, `UNAVAILABLE`, `FORBIDDEN` ...
    pub code: String,
    /// The gateway's words.
    pub message: String,
    /// What it adds.
    pub details: Option<Value>,
    /// Asking again helps.
    pub retryable: bool,
    /// After how long, ms.
    pub retry_after_ms: Option<u64>,
}

impl Failure {
    /// The most exact code that it has: `details.code`, else `code`.
    pub fn exact_code(&self) -> &str {
        self.detail("code").unwrap_or(&self.code)
    }

    /// A text of the details.
    pub fn detail(&self, name: &str) -> Option<&str> {
        self.details.as_ref()?.get(name)?.as_str()
    }

    /// The gateway is there and not ready yet.
    pub fn is_starting(&self) -> bool {
        self.code == "UNAVAILABLE" && self.retryable
    }
}

#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow)]
    r#type: Option<&'a RawValue>,
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    ok: Option<&'a RawValue>,
    #[serde(borrow)]
    payload: Option<&'a RawValue>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
    #[serde(borrow)]
    event: Option<&'a RawValue>,
}

/// Reads a frame; `None` if it is not a JSON object.
pub fn read(text: &str) -> Option<Inbound> {
    let frame: Envelope<'_> = serde_json::from_str(text).ok()?;
    let word = |raw: Option<&RawValue>| value(raw).as_str().map(str::to_owned);
    Some(match (word(frame.r#type).as_deref(), word(frame.event)) {
        (Some("event"), Some(name)) if name == "connect.challenge" => {
            let payload = value(frame.payload);
            let nonce = payload.get("nonce").and_then(Value::as_str).unwrap_or_default().to_owned();
            Inbound::Challenge { nonce, ts: payload.get("ts").and_then(Value::as_i64) }
        }
        (Some("event"), Some(name)) => Inbound::Event(name),
        (Some("res"), _) => Inbound::Response { id: word(frame.id), result: result(&frame) },
        _ => Inbound::Other,
    })
}

fn result(frame: &Envelope<'_>) -> Result<Value, Box<Failure>> {
    if value(frame.ok) == Value::Bool(true) {
        return Ok(value(frame.payload));
    }
    Err(serde_json::from_value(value(frame.error)).unwrap_or_default())
}

/// A part of a frame as a value, with what no text can hold replaced.
fn value(raw: Option<&RawValue>) -> Value {
    let text = raw.map_or("null", RawValue::get);
    // A frame was read as JSON before: only lone surrogates, or nesting beyond any real answer, are left to fail.
    serde_json::from_str(text).or_else(|_| serde_json::from_str(&healed(text))).unwrap_or(Value::Null)
}

/// Replaces escaped halves of a surrogate pair that stand alone.
fn healed(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let unit = |at: usize| {
        let escape = bytes.get(at..at + 6).filter(|e| e.starts_with(b"\\u"))?;
        u16::from_str_radix(std::str::from_utf8(&escape[2..]).ok()?, 16).ok()
    };
    let mut out = String::new();
    let (mut copied, mut at) = (0, 0);
    while let Some(next) = bytes[at..].iter().position(|b| *b == b'\\').map(|found| at + found) {
        at = next + 2;
        match unit(next) {
            Some(0xD800..=0xDBFF) if matches!(unit(next + 6), Some(0xDC00..=0xDFFF)) => at = next + 12,
            Some(0xD800..=0xDFFF) => {
                out.push_str(&text[copied..next]);
                out.push_str("\\ufffd");
                at = next + 6;
                copied = at;
            }
            _ => {}
        }
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[copied..]);
    Cow::Owned(out)
}

/// Reads the payload of a successful `connect`.
///
/// # Errors
/// It is no hello, or of another protocol; one fragment of text.
pub fn hello(payload: &Value) -> Result<Hello, String> {
    if payload.get("type").and_then(Value::as_str) != Some("hello-ok") {
        return Err("its answer to the connect request is no hello".to_owned());
    }
    let protocol = payload.get("protocol").and_then(Value::as_u64).unwrap_or(0);
    if protocol != PROTOCOL {
        return Err(format!("it speaks protocol {protocol}, this program {PROTOCOL}"));
    }
    let text = |pointer: &str| payload.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
    let texts = |pointer: &str| -> Vec<String> {
        let list = payload.pointer(pointer).and_then(Value::as_array);
        list.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
    };
    Ok(Hello {
        version: text("/server/version").unwrap_or_else(|| "unknown".to_owned()),
        protocol,
        state_dir: text("/snapshot/stateDir"),
        config_path: text("/snapshot/configPath"),
        auth_mode: text("/snapshot/authMode"),
        scopes: texts("/auth/scopes"),
        methods: texts("/features/methods"),
        tick_interval: payload
            .pointer("/policy/tickIntervalMs")
            .and_then(Value::as_i64)
            .filter(|t| *t > 0)
            .unwrap_or(TICK),
        uptime: payload.pointer("/snapshot/uptimeMs").and_then(Value::as_i64),
    })
}

/// The token that the gateway issued to this device, if it did.
pub fn device_token(payload: &Value) -> Option<&str> {
    payload.pointer("/auth/deviceToken").and_then(Value::as_str)
}

#[cfg(test)]
#[path = "protocol_tests.rs"]
mod tests;
