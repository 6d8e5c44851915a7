//! With what a gateway is spoken to (spec/gateway.md 8), and every place that was looked at on the way.
//!
//! | endpoint from | order of places (token; a password likewise) |
//! |---|---|
//! | `--gateway-url` | the token file, nothing else |
//! | any, with a token file | the token file, nothing else |
//! | `$OPENCLAW_GATEWAY_URL` | environment, nothing else |
//! | `gateway.remote.url` | `gateway.remote`, environment, `gateway.auth` |
//! | this host | environment, `gateway.auth`, and if that is not configured `gateway.remote` |
//!
//! A secret goes only to the URL that it belongs to: what the configuration holds is for the gateways that it names. A
//! text with a `${VARIABLE}` in it and a reference into a secret store are never sent. A reference ends the search: what
//! comes behind it is not what was configured.

use serde_json::Value;

use crate::context::Env;
use crate::model::gateway::{Found, Looked};

use super::endpoint::{self, Endpoint};
use super::secret::Secret;

/// How the gateway of this configuration authenticates, as far as it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuthMode {
    /// A shared token; also what an absent or unknown mode means.
    Token,
    /// A shared password.
    Password,
    /// Nothing, or something in front of it: no shared secret.
    Open,
}

impl AuthMode {
    fn of(root: &Value) -> Option<Self> {
        match root.pointer("/gateway/auth/mode")?.as_str()? {
            "password" => Some(Self::Password),
            "none" | "trusted-proxy" => Some(Self::Open),
            _ => Some(Self::Token),
        }
    }
}

/// Secrets to send, and where they were looked for.
#[derive(Debug, Clone, Default)]
pub struct Credentials {
    /// Shared token.
    pub token: Option<Secret>,
    /// Shared password.
    pub password: Option<Secret>,
    /// Every place, in order.
    pub looked: Vec<Looked>,
    /// The gateway is configured to ask for no shared secret.
    pub open: bool,
}

impl Credentials {
    /// Whether there is a shared secret.
    pub fn any(&self) -> bool {
        self.token.is_some() || self.password.is_some()
    }

    /// The places whose secret is sent, for messages.
    pub fn source(&self) -> Option<String> {
        let used: Vec<&str> = self.looked.iter().filter(|l| l.found == Found::Used).map(|l| l.place.as_str()).collect();
        (!used.is_empty()).then(|| used.join(" and "))
    }
}

/// The content of a token file, with its name.
pub struct TokenFile<'a> {
    /// As it is named in messages.
    pub name: &'a str,
    /// First line.
    pub content: Option<Secret>,
}

/// Looks for secrets. `root` is the configuration after substitution, `env` the environment with its `env` entries.
/// Pure.
pub fn resolve(endpoint: &Endpoint, env: &Env, root: &Value, file: Option<TokenFile<'_>>) -> Credentials {
    let local = endpoint.origin_kind() == endpoint::OriginKind::ThisHost;
    let mode = AuthMode::of(root).filter(|_| local);
    if let Some(file) = file {
        return from_file(file, mode, endpoint, env, root);
    }
    let mut search = Search { looked: Vec::new() };
    let places = |kind| places(endpoint, env, root, kind);
    let (token, password) = match mode {
        Some(AuthMode::Password) => (None, search.first(places(Kind::Password))),
        Some(AuthMode::Token) => (search.first(places(Kind::Token)), None),
        Some(AuthMode::Open) => (None, None),
        // Nobody says which of them the gateway wants; the other one does no harm.
        None => (search.first(places(Kind::Token)), search.first(places(Kind::Password))),
    };
    Credentials { token, password, looked: search.looked, open: mode == Some(AuthMode::Open) }
}

/// What was named explicitly wins alone (reports J2).
fn from_file(file: TokenFile<'_>, mode: Option<AuthMode>, endpoint: &Endpoint, env: &Env, root: &Value) -> Credentials {
    let found = if file.content.is_some() { Found::Used } else { Found::Nothing };
    let mut looked = vec![Looked { place: file.name.to_owned(), found }];
    for place in places(endpoint, env, root, Kind::Token) {
        let found = if matches!(place.value, Read::Secret(_)) { Found::Later } else { place.value.found() };
        if found != Found::Nothing {
            looked.push(Looked { place: place.name.to_owned(), found });
        }
    }
    let (token, password) = if mode == Some(AuthMode::Password) { (None, file.content) } else { (file.content, None) };
    Credentials { token, password, looked, open: false }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Token,
    Password,
}

/// What a place holds.
enum Read {
    Secret(Secret),
    Not(Found),
}

impl Read {
    fn found(&self) -> Found {
        match self {
            Self::Secret(_) => Found::Used,
            Self::Not(found) => *found,
        }
    }
}

struct Place {
    name: &'static str,
    value: Read,
    /// Nothing behind it counts once it is configured, whether or not it could be read.
    ends: bool,
}

/// The places of one kind of secret for an endpoint, in order.
fn places(endpoint: &Endpoint, env: &Env, root: &Value, kind: Kind) -> Vec<Place> {
    use endpoint::OriginKind;
    let (variable, auth, remote) = match kind {
        Kind::Token => ("$OPENCLAW_GATEWAY_TOKEN", "gateway.auth.token", "gateway.remote.token"),
        Kind::Password => ("$OPENCLAW_GATEWAY_PASSWORD", "gateway.auth.password", "gateway.remote.password"),
    };
    let from_env = || Place { name: variable, value: text(env.text(&variable[1..])), ends: false };
    let config = |name: &'static str, ends| Place { name, value: value(at(root, name)), ends };
    let foreign = |place: Place| Place {
        value: if matches!(place.value, Read::Not(Found::Nothing)) { place.value } else { Read::Not(Found::OtherUrl) },
        ..place
    };
    match endpoint.origin_kind() {
        OriginKind::Flag => {
            vec![foreign(from_env()), foreign(config(auth, false)), foreign(config(remote, false))]
        }
        OriginKind::EnvUrl => vec![from_env(), foreign(config(auth, false)), foreign(config(remote, false))],
        OriginKind::RemoteConfig => vec![config(remote, true), from_env(), config(auth, true)],
        // The service itself trusts its configuration more than what it inherited.
        OriginKind::ThisHost if kind == Kind::Token && env.text("OPENCLAW_SERVICE_KIND") == Some("gateway") => {
            vec![config(auth, true), from_env(), config(remote, true)]
        }
        OriginKind::ThisHost => vec![from_env(), config(auth, true), config(remote, true)],
    }
}

fn at<'v>(root: &'v Value, key: &str) -> Option<&'v Value> {
    key.split('.').try_fold(root, |value, part| value.get(part))
}

fn value(value: Option<&Value>) -> Read {
    match value {
        None | Some(Value::Null) => Read::Not(Found::Nothing),
        Some(Value::String(content)) => text(Some(content)),
        Some(Value::Object(_)) => Read::Not(Found::Reference),
        Some(_) => Read::Not(Found::NotText),
    }
}

fn text(content: Option<&str>) -> Read {
    match content.and_then(Secret::of) {
        None => Read::Not(Found::Nothing),
        Some(secret) if secret.expose().contains("${") => Read::Not(Found::Unresolved),
        Some(secret) => Read::Secret(secret),
    }
}

struct Search {
    looked: Vec<Looked>,
}

impl Search {
    /// The first secret of these places; all of them are remembered.
    fn first(&mut self, places: Vec<Place>) -> Option<Secret> {
        let mut found = None;
        let mut over = false;
        for place in places {
            let mut what = place.value.found();
            let ends = place.ends && what == Found::Reference;
            if let Read::Secret(secret) = place.value {
                if over {
                    what = Found::Later;
                } else {
                    found = Some(secret);
                    over = true;
                }
            }
            over |= ends;
            self.looked.push(Looked { place: place.name.to_owned(), found: what });
        }
        found
    }
}

#[cfg(test)]
#[path = "credentials_tests.rs"]
mod tests;
