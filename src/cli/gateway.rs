//! The group `gateway`, and the flags of every command that talks to one.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::gateway::access::Flags;

/// How to reach a gateway.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Gateway options")]
pub struct ReachFlags {
    /// Talk to the gateway at this URL (ws:// or wss://); needs --gateway-token-file, no other token is sent to it
    #[arg(long, value_name = "URL")]
    pub gateway_url: Option<String>,

    /// Read the gateway's token from the first line of this file; no other token is used
    #[arg(long, value_name = "FILE")]
    pub gateway_token_file: Option<PathBuf>,

    /// SHA-256 fingerprint of the certificate that a wss:// gateway must show
    #[arg(long, value_name = "HEX")]
    pub gateway_tls_fingerprint: Option<String>,
}

impl ReachFlags {
    /// As plain values.
    pub fn flags(&self) -> Flags {
        Flags {
            url: self.gateway_url.clone(),
            token_file: self.gateway_token_file.clone(),
            tls_fingerprint: self.gateway_tls_fingerprint.clone(),
            state_dirs: Vec::new(),
        }
    }

    /// Takes over what was said before the verb, unless the verb says something of its own.
    #[must_use]
    pub fn inherit(mut self, group: &Self) -> Self {
        // A token belongs to the URL that it was given with.
        if self.gateway_url.is_none() {
            self.gateway_url.clone_from(&group.gateway_url);
            self.gateway_token_file = self.gateway_token_file.or_else(|| group.gateway_token_file.clone());
            self.gateway_tls_fingerprint =
                self.gateway_tls_fingerprint.or_else(|| group.gateway_tls_fingerprint.clone());
        }
        self
    }

    /// The first of them that was given.
    pub fn first(&self) -> Option<&'static str> {
        [
            (self.gateway_url.is_some(), "--gateway-url"),
            (self.gateway_token_file.is_some(), "--gateway-token-file"),
            (self.gateway_tls_fingerprint.is_some(), "--gateway-tls-fingerprint"),
        ]
        .into_iter()
        .find_map(|(given, name)| given.then_some(name))
    }
}

/// How to reach the gateway of this state, and how to know it.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Gateway options")]
pub struct GatewayFlags {
    /// How to reach it.
    #[command(flatten)]
    pub reach: ReachFlags,

    /// The state folder as the gateway sees it (in a container, say): another name of ours; may be given several times
    #[arg(long, value_name = "DIR")]
    pub gateway_state_dir: Vec<PathBuf>,
}

impl GatewayFlags {
    /// As plain values.
    pub fn flags(&self) -> Flags {
        Flags { state_dirs: self.gateway_state_dir.clone(), ..self.reach.flags() }
    }
}

/// The gateway that owns the state.
#[derive(Debug, Clone, Args)]
pub struct GatewayArgs {
    /// What to do.
    #[command(subcommand)]
    pub verb: GatewayVerb,
}

/// What to do with the gateway.
#[derive(Debug, Clone, Subcommand)]
pub enum GatewayVerb {
    /// Is one there, whose, which version, may it be asked to clean up, and who may write now
    Status(GatewayStatusArgs),
}

/// Who may write now, and how we know.
#[derive(Debug, Clone, Default, Args)]
pub struct GatewayStatusArgs {
    /// How to reach it.
    #[command(flatten)]
    pub gateway: GatewayFlags,
}
