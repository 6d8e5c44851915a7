//! How a store was found: said by every report, so that nobody works on a folder they did not mean.

use super::source::ByGateway;
use super::{escape, policy};
use crate::model::sourced::Origin;
use crate::model::stores::{Target, TargetOrigin};

/// How one store was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// For people, escaped: `agent main, state folder from $OPENCLAW_STATE_DIR`.
    pub text: String,
    /// The same without the agent.
    pub folder: String,
    /// For programs (`storeOrigin`): `--store`, `default`, `$NAME`, `--flag`, or `session.store` and its file.
    pub origin: String,
}

impl Found {
    /// Of a store below a state folder that was found by way of `state`.
    pub fn of(target: &Target, state: &Origin) -> Self {
        let agent = escape::line(&target.agent_id);
        let state_folder = match state {
            Origin::Default => "default state folder".to_owned(),
            named => format!("state folder from {}", policy::origin_short(named)),
        };
        let (folder, origin) = match &target.origin {
            TargetOrigin::StoreFlag => {
                let flag = "--store".to_owned();
                return Self { text: flag.clone(), folder: flag.clone(), origin: flag };
            }
            TargetOrigin::DefaultLayout => (state_folder, policy::origin_full(state)),
            TargetOrigin::Template(origin) => (
                format!("session.store from {}", policy::origin_short(origin)),
                format!("session.store from {}", policy::origin_full(origin)),
            ),
            TargetOrigin::Unconfigured => (format!("on disk only, {state_folder}"), policy::origin_full(state)),
        };
        Self { text: format!("agent {agent}, {folder}"), folder, origin }
    }

    /// Of rows that a gateway told.
    pub fn at_gateway(agent: &str, gateway: &ByGateway) -> Self {
        let folder = gateway.text();
        let text = format!("agent {}, {folder}", escape::line(agent));
        Self { text, folder, origin: gateway.endpoint_origin.clone() }
    }
}
