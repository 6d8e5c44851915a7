//! `gateway.*` as far as it says where a gateway may be running. Whoever may be the owner of the state is found with
//! these, so a value that is not understood is a problem and not a guess.

use super::reader::{Reader, whole};
use crate::model::settings::GatewaySettings;

/// `gateway.mode`.
pub const MODE: &str = "gateway.mode";
/// `gateway.port`.
pub const PORT: &str = "gateway.port";
/// `gateway.tls.enabled`.
pub const TLS: &str = "gateway.tls.enabled";
/// `gateway.remote.url`.
pub const REMOTE_URL: &str = "gateway.remote.url";

/// Reads the section.
pub(super) fn read(r: &mut Reader<'_>) -> GatewaySettings {
    GatewaySettings {
        mode: r.word(MODE, &["local", "remote"]),
        port: port(r),
        tls: r.flag(TLS).unwrap_or(false),
        remote_url: r.text(REMOTE_URL),
    }
}

fn port(r: &mut Reader<'_>) -> Option<crate::model::sourced::Sourced<u16>> {
    let value = r.value(PORT)?;
    match whole(value).and_then(|n| u16::try_from(n).ok()) {
        // The gateway takes 0 for unset.
        Some(0) => None,
        Some(port) => Some(r.sourced(PORT, port)),
        None => {
            r.problem(PORT, value, "a port number from 1 to 65535");
            None
        }
    }
}
