//! Where a gateway is and with what it is spoken to, as flags, environment and configuration say.

use std::path::PathBuf;

use crate::config::load::Loaded;
use crate::context::Context;
use crate::error::Result;
use crate::model::gateway::Aliases;
use crate::model::stores::Roots;

use super::endpoint::{self, Endpoint};

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
#[derive(Debug)]
pub struct Access {
    /// Where.
    pub endpoint: Endpoint,
    /// Names of our state folder on the gateway's side (`--gateway-state-dir`).
    pub aliases: Aliases,
}

/// Resolves endpoint and credentials.
///
/// # Errors
/// Remote mode without a URL, a URL that is none, a token file that cannot be read.
pub fn resolve(_ctx: &Context, _roots: &Roots, loaded: &Loaded, flags: &Flags) -> Result<Access> {
    let endpoint = endpoint::resolve(&loaded.env, &loaded.settings)?;
    Ok(Access { endpoint, aliases: flags.state_dirs.clone() })
}
