//! Where a gateway is and with what it is spoken to, as flags, environment and configuration say.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use serde_json::Value;
use zeroize::Zeroizing;

use crate::config::load::Loaded;
use crate::context::{Context, Level};
use crate::discover::home;
use crate::error::{Error, Result};
use crate::model::gateway::Aliases;
use crate::model::stores::Roots;

use super::credentials::{self, Credentials, TokenFile};
use super::device;
use super::endpoint::{self, Endpoint, OriginKind};
use super::secret::Secret;
use super::tls::Pin;

/// More than any token has, bytes.
const TOKEN_FILE: usize = 16 * 1024;

/// What the command line says (`--gateway-*`).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Flags {
    /// `--gateway-url`.
    pub url: Option<String>,
    /// `--gateway-token-file`.
    pub token_file: Option<PathBuf>,
    /// `--gateway-tls-fingerprint`.
    pub tls_fingerprint: Option<String>,
    /// `--gateway-state-dir`.
    pub state_dirs: Vec<PathBuf>,
}

/// Everything that a connection needs.
#[derive(Debug, Clone)]
pub struct Access {
    /// Where.
    pub endpoint: Endpoint,
    /// Where else on this host the same gateway may listen, if nothing does at `endpoint`.
    pub others: Vec<Endpoint>,
    /// With what, and where that was looked for.
    pub credentials: Credentials,
    /// The one certificate that is accepted, if one is known.
    pub pin: Option<Pin>,
    /// Names of our state folder on the gateway's side (`--gateway-state-dir`).
    pub aliases: Aliases,
    /// File of our device identity.
    pub identity: PathBuf,
    /// Why no socket may be opened to `endpoint`, if so.
    pub forbidden: Option<String>,
}

/// Resolves endpoint and credentials. Opens no socket.
///
/// # Errors
/// Remote mode without a URL, a URL or fingerprint that is none, a token file that cannot be read.
pub fn resolve(ctx: &Context, roots: &Roots, loaded: &Loaded, flags: &Flags) -> Result<Access> {
    let endpoint = match &flags.url {
        Some(url) => endpoint::parse_url(url, endpoint::FLAG).map_err(|e| Error::usage(e.message))?,
        None => endpoint::resolve(&ctx.env, &loaded.settings)?,
    };
    let mut others = Vec::new();
    if endpoint.origin_kind() == OriginKind::ThisHost {
        let all = endpoint::local_candidates(&ctx.env, &loaded.settings.gateway, roots.profile.as_deref());
        others.extend(all.into_iter().filter(|e| e.port != endpoint.port));
    }
    let root = loaded.root();
    let file = token_file(flags, &endpoint, loaded).map(|path| read_token(ctx, path)).transpose()?;
    let file = file.as_ref().map(|(name, content)| TokenFile { name, content: content.clone() });
    let own = &loaded.settings.own;
    Ok(Access {
        credentials: credentials::resolve(&endpoint, &loaded.env, root, file),
        pin: pin(flags, &endpoint, roots, root)?,
        aliases: flags.state_dirs.iter().chain(own.gateway_state_dir.as_ref().map(|d| &d.value)).cloned().collect(),
        identity: device::path(&roots.state_dir),
        forbidden: endpoint::insecure(&endpoint, &ctx.env),
        endpoint,
        others,
    })
}

/// The token file of the command line, else that of our own settings, which belongs to the gateway that the configuration
/// names and to no other.
fn token_file<'a>(flags: &'a Flags, endpoint: &Endpoint, loaded: &'a Loaded) -> Option<&'a Path> {
    let configured = matches!(endpoint.origin_kind(), OriginKind::ThisHost | OriginKind::RemoteConfig);
    let own = loaded.settings.own.gateway_token_file.as_ref().filter(|_| configured);
    flags.token_file.as_deref().or_else(|| own.map(|file| file.value.as_path()))
}

/// The first line of a token file; a link or a pipe will do. One that everybody may read is used, with a warning.
fn read_token(ctx: &Context, path: &Path) -> Result<(String, Option<Secret>)> {
    let failed = |e| Error::io("read", path, e);
    let file = std::fs::File::open(ctx.cwd.join(path)).map_err(failed)?;
    let open_to_all = readable_by_all(&file.metadata().map_err(failed)?);
    // Never grows while it is read, so that no copy stays behind.
    let mut bytes = Zeroizing::new(Vec::with_capacity(TOKEN_FILE));
    file.take(TOKEN_FILE as u64).read_to_end(&mut bytes).map_err(failed)?;
    let text = std::str::from_utf8(&bytes)
        .map_err(|_| Error::failed(format!("{} is not a token file: it is no text", path.display())))?;
    let name = path.display().to_string();
    if open_to_all {
        ctx.log(Level::Warning, &format!("{name} holds a token and everybody may read it"));
    }
    Ok((name, text.lines().next().and_then(Secret::of)))
}

#[cfg(unix)]
fn readable_by_all(meta: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    meta.is_file() && meta.mode() & 0o004 != 0
}

#[cfg(not(unix))]
fn readable_by_all(_meta: &std::fs::Metadata) -> bool {
    false
}

/// The pinned certificate: the flag, in remote mode `gateway.remote.tlsFingerprint`, on this host the certificate that
/// the gateway itself uses.
fn pin(flags: &Flags, endpoint: &Endpoint, roots: &Roots, root: &Value) -> Result<Option<Pin>> {
    let parse = |text: &str, what: &str| {
        let pin = Pin::parse(text)
            .ok_or_else(|| Error::failed(format!("{what} is no SHA-256 fingerprint: 64 hex digits are needed")))?;
        if !endpoint.tls {
            return Err(
                Error::failed(format!("{what} is set, but {endpoint} has no certificate")).hint("use a wss:// URL")
            );
        }
        Ok(Some(pin))
    };
    if let Some(text) = &flags.tls_fingerprint {
        return parse(text, "--gateway-tls-fingerprint").map_err(|e| Error::usage(e.message));
    }
    match endpoint.origin_kind() {
        OriginKind::RemoteConfig => match root.pointer("/gateway/remote/tlsFingerprint").and_then(Value::as_str) {
            Some(text) if !text.trim().is_empty() => parse(text, "gateway.remote.tlsFingerprint"),
            _ => Ok(None),
        },
        OriginKind::ThisHost if endpoint.tls => Ok(Pin::of_file(&own_certificate(roots, root))),
        _ => Ok(None),
    }
}

/// The certificate of a gateway on this host.
fn own_certificate(roots: &Roots, root: &Value) -> PathBuf {
    match root.pointer("/gateway/tls/certPath").and_then(Value::as_str).filter(|p| !p.trim().is_empty()) {
        Some(path) => home::user_path(path.as_ref(), &roots.home, &roots.state_dir),
        None => roots.state_dir.join("gateway").join("tls").join("gateway-cert.pem"),
    }
}
