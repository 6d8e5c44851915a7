//! Where shown rows come from: files on this host, or a gateway.

use serde::Serialize;

/// `source` of rows that were read from files.
pub const FILES: &str = "files";
/// `source` of rows that a gateway told.
pub const GATEWAY: &str = "gateway";

/// The gateway that told the rows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ByGateway {
    /// Its version.
    pub version: String,
    /// Where it listens.
    pub endpoint: String,
    /// Who named that place: `gateway.remote.url`, `--gateway-url`.
    pub endpoint_origin: String,
}

impl ByGateway {
    /// For people: `gateway 2026.5.12 on wss://host:443, from gateway.remote.url`.
    pub fn text(&self) -> String {
        let version = super::escape::line(&self.version);
        format!("gateway {version} on {}, from {}", self.endpoint, self.endpoint_origin)
    }
}
