//! Where the gateway listens (spec/gateway.md 8), and where that knowledge comes from.
//!
//! First match: `OPENCLAW_GATEWAY_URL`, the remote URL in remote mode, else loopback with the port of
//! `OPENCLAW_GATEWAY_PORT`, `gateway.port` or the default. `gateway.bind` does not alter the client's host. No
//! credentials here: an endpoint can be printed.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use crate::context::Env;
use crate::error::{Error, Result};
use crate::model::settings::{GatewaySettings, Settings};

/// Port when nobody says anything.
pub const DEFAULT_PORT: u16 = 18_789;

/// The flag that names a URL.
pub const FLAG: &str = "--gateway-url";
/// The variable that names a URL.
pub const VARIABLE: &str = "$OPENCLAW_GATEWAY_URL";
/// The key of the URL in remote mode.
pub const REMOTE: &str = "gateway.remote.url";

/// Who named an endpoint: decides which credentials belong to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OriginKind {
    /// [`FLAG`].
    Flag,
    /// [`VARIABLE`].
    EnvUrl,
    /// [`REMOTE`].
    RemoteConfig,
    /// Nobody: loopback with the port of this installation.
    ThisHost,
}

/// A place to connect to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// TLS (`wss`).
    pub tls: bool,
    /// Host name or address, without brackets.
    pub host: String,
    /// TCP port.
    pub port: u16,
    /// Path and query of the URL, `/` if it has none.
    pub path: String,
    /// Where it comes from: `gateway.port`, `$OPENCLAW_GATEWAY_PORT`, `default`.
    pub origin: String,
}

impl Endpoint {
    fn loopback(tls: bool, port: u16, origin: impl Into<String>) -> Self {
        Self { tls, host: "127.0.0.1".to_owned(), port, path: "/".to_owned(), origin: origin.into() }
    }

    /// Whether the host is this one: `localhost`, 127/8, ::1 and the mapped forms.
    pub fn is_loopback(&self) -> bool {
        self.host.eq_ignore_ascii_case("localhost") || self.address().is_some_and(|ip| ip.to_canonical().is_loopback())
    }

    /// Who named it.
    pub fn origin_kind(&self) -> OriginKind {
        match self.origin.as_str() {
            FLAG => OriginKind::Flag,
            VARIABLE => OriginKind::EnvUrl,
            REMOTE => OriginKind::RemoteConfig,
            _ => OriginKind::ThisHost,
        }
    }

    /// `host:port` as a `Host` header has it.
    pub fn authority(&self) -> String {
        if self.host.contains(':') {
            format!("[{}]:{}", self.host, self.port)
        } else {
            format!("{}:{}", self.host, self.port)
        }
    }

    /// The host as an address, if it is one.
    pub fn address(&self) -> Option<IpAddr> {
        self.host.parse().ok()
    }
}

impl fmt::Display for Endpoint {
    /// The URL without user, password, path or query, which may hold secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.tls { "wss" } else { "ws" };
        write!(f, "{scheme}://{}", self.authority())
    }
}

/// The endpoint that a command of the gateway's own CLI would use.
///
/// # Errors
/// Remote mode without a URL, or a URL that is none.
pub fn resolve(env: &Env, settings: &Settings) -> Result<Endpoint> {
    if let Some(url) = env.text("OPENCLAW_GATEWAY_URL") {
        return parse_url(url, VARIABLE);
    }
    if is_remote(settings) {
        let Some(url) = &settings.gateway.remote_url else {
            return Err(Error::failed("gateway.mode is remote, but gateway.remote.url is missing")
                .hint("set gateway.remote.url, or gateway.mode to local"));
        };
        return parse_url(&url.value, REMOTE);
    }
    Ok(local(env, &settings.gateway))
}

/// The endpoint of a gateway on this host, whatever the mode says.
pub fn local(env: &Env, gateway: &GatewaySettings) -> Endpoint {
    if let Some(port) = env.text("OPENCLAW_GATEWAY_PORT").and_then(parse_port) {
        return Endpoint::loopback(gateway.tls, port, "$OPENCLAW_GATEWAY_PORT");
    }
    match &gateway.port {
        Some(port) => Endpoint::loopback(gateway.tls, port.value, "gateway.port"),
        None => Endpoint::loopback(gateway.tls, DEFAULT_PORT, "default"),
    }
}

/// Every place on this host where a gateway of this installation may listen: [`local`]; the configured port also where
/// the environment of this shell names another one (the gateway runs in an environment of its own); and with a named
/// profile and no configured port the one that the 2026.9 generation derives from the profile's name.
pub fn local_candidates(env: &Env, gateway: &GatewaySettings, profile: Option<&str>) -> Vec<Endpoint> {
    let first = local(env, gateway);
    let derived = profile.filter(|_| first.origin == "default").map(|name| {
        let port = 20_000 + fnv1a(name.as_bytes()) % 40_000;
        Endpoint::loopback(gateway.tls, u16::try_from(port).unwrap_or(DEFAULT_PORT), format!("profile {name}"))
    });
    let configured = gateway.port.as_ref().filter(|port| port.value != first.port);
    let configured = configured.map(|port| Endpoint::loopback(gateway.tls, port.value, "gateway.port"));
    std::iter::once(first).chain(configured).chain(derived).collect()
}

/// Whether the configuration says that the gateway is on another host.
pub fn is_remote(settings: &Settings) -> bool {
    settings.gateway.mode.as_ref().is_some_and(|m| m.value == "remote")
}

/// Why no socket may be opened to this endpoint: plaintext to another host (spec/gateway.md 9).
pub fn insecure(endpoint: &Endpoint, env: &Env) -> Option<String> {
    if endpoint.tls || endpoint.is_loopback() {
        return None;
    }
    let private = endpoint.address().is_none_or(is_private);
    if private && env.text("OPENCLAW_ALLOW_INSECURE_PRIVATE_WS") == Some("1") {
        return None;
    }
    Some("plaintext ws:// to another host is refused; use wss://".to_owned())
}

fn is_private(ip: IpAddr) -> bool {
    match ip.to_canonical() {
        IpAddr::V4(v4) => is_private_v4(v4),
        IpAddr::V6(v6) => is_private_v6(v6),
    }
}

fn is_private_v4(ip: Ipv4Addr) -> bool {
    let [a, b, ..] = ip.octets();
    // 100.64/10 is the carrier-grade range that mesh networks use.
    ip.is_private() || ip.is_link_local() || (a == 100 && (64..128).contains(&b))
}

fn is_private_v6(ip: Ipv6Addr) -> bool {
    ip.is_unique_local() || ip.is_unicast_link_local()
}

/// Port from `OPENCLAW_GATEWAY_PORT`: plain digits, `host:port` with a single colon, or `[v6]:port`.
fn parse_port(text: &str) -> Option<u16> {
    let digits = match text.split_once("]:") {
        Some((host, port)) if host.starts_with('[') => port,
        Some(_) => return None,
        None => match text.split_once(':') {
            Some((_, port)) if !port.contains(':') => port,
            Some(_) => return None,
            None => text,
        },
    };
    positive_port(digits)
}

fn positive_port(digits: &str) -> Option<u16> {
    let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    plain.then(|| digits.parse().ok()).flatten().filter(|p| *p > 0)
}

/// Reads a `ws`, `wss`, `http` or `https` URL. `http(s)` means `ws(s)`.
///
/// # Errors
/// The error names `origin` and never the URL itself, which may hold a password.
pub fn parse_url(url: &str, origin: &str) -> Result<Endpoint> {
    let bad = |what: &str| Error::failed(format!("{origin} is not a gateway URL: {what}"));
    let url = url.trim();
    let Some((scheme, rest)) = url.split_once("://") else {
        return Err(bad("it has no scheme (ws:// or wss://)"));
    };
    let tls = match scheme.to_ascii_lowercase().as_str() {
        "ws" | "http" => false,
        "wss" | "https" => true,
        _ => return Err(bad("the scheme must be ws, wss, http or https")),
    };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, tail) = rest.split_at(end);
    let host_port = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let (host, port) = split_host(host_port).ok_or_else(|| bad("the host is malformed"))?;
    let port = match port {
        Some(digits) => positive_port(digits).ok_or_else(|| bad("the port is not a number from 1 to 65535"))?,
        None if tls => 443,
        None => 80,
    };
    let tail = tail.split('#').next().unwrap_or("");
    let path = if tail.starts_with('/') { tail.to_owned() } else { format!("/{tail}") };
    Ok(Endpoint { tls, host: host.to_ascii_lowercase(), port, path, origin: origin.to_owned() })
}

/// Splits `host`, `host:port`, `[v6]` and `[v6]:port`. An empty port means none.
fn split_host(text: &str) -> Option<(&str, Option<&str>)> {
    let (host, port) = if let Some(rest) = text.strip_prefix('[') {
        let (host, rest) = rest.split_once(']')?;
        host.parse::<Ipv6Addr>().ok()?;
        (host, if rest.is_empty() { None } else { Some(rest.strip_prefix(':')?) })
    } else {
        match text.split_once(':') {
            Some((host, port)) => (host, Some(port)),
            None => (text, None),
        }
    };
    let clean = !host.is_empty() && !host.contains(|c: char| c.is_whitespace() || c.is_control());
    clean.then_some((host, port.filter(|p| !p.is_empty())))
}

/// FNV-1a, 32 bits.
fn fnv1a(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
#[path = "endpoint_tests.rs"]
mod tests;
