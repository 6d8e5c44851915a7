//! Rows of a gateway elsewhere, for `sessions list` and `sessions show`.
//!
//! In remote mode, or with `--gateway-url`, what is on this host are leftovers: the gateway is asked, and nothing else. A
//! gateway that cannot be asked is a failure, never a reason to show the leftovers; those are meant with `--store`.

use crate::cli::gateway::ReachFlags;
use crate::cli::select::SelectArgs;
use crate::config::load::Loaded;
use crate::context::{Context, Level};
use crate::discover::agent_id;
use crate::error::{Error, Kind, Result};
use crate::gateway::access;
use crate::gateway::client::{Ask, Client, Deadlines};
use crate::gateway::failure::CallError;
use crate::gateway::{endpoint, sessions};
use crate::model::gateway::READ;
use crate::model::index::IndexFacts;
use crate::model::stores::Roots;
use crate::report::escape;
use crate::report::source::ByGateway;

/// Whether a gateway elsewhere is meant.
///
/// # Errors
/// Flags that contradict each other.
pub fn is_meant(loaded: &Loaded, select: &SelectArgs, reach: &ReachFlags) -> Result<bool> {
    match (&select.store, &reach.gateway_url) {
        (Some(_), Some(_)) => Err(Error::usage("--store and --gateway-url cannot be used together")),
        (Some(_), None) => Ok(false),
        (None, url) => Ok(url.is_some() || endpoint::is_remote(&loaded.settings)),
    }
}

/// A gateway that let us in to read.
pub struct Remote {
    client: Client,
    /// Where it is and what it is.
    pub by: ByGateway,
    /// Its agents, the default one first; `None` if it does not tell them.
    agents: Option<Vec<String>>,
}

impl Remote {
    /// Connects, and asks for the agents.
    ///
    /// # Errors
    /// [`Kind::Failed`] where the gateway cannot be asked.
    pub fn open(ctx: &Context, roots: &Roots, loaded: &Loaded, reach: &ReachFlags) -> Result<Self> {
        let access = access::resolve(ctx, roots, loaded, &reach.flags())?;
        // On another host every client needs a device identity, one that reads too.
        let ask = Ask { scopes: &[READ], create_identity: true };
        let client = Client::connect(&access, &ask, Deadlines::of(&ctx.env), &ctx.cancel)
            .map_err(|error| leftovers_hint(as_failure(error.into_error(&access))))?;
        let hello = client.hello();
        let by = ByGateway {
            version: hello.version.clone(),
            endpoint: client.endpoint().to_string(),
            endpoint_origin: access.endpoint.origin.clone(),
        };
        if !hello.grants(READ) {
            return Err(Error::failed(format!("the gateway {} on {} did not grant {READ}", by.version, by.endpoint))
                .hint("clawkeep gateway status"));
        }
        let mut remote = Self { client, by, agents: None };
        remote.agents = match sessions::agents(&mut remote.client) {
            Ok(agents) => Some(agents),
            Err(CallError::Refused { message, .. }) => {
                ctx.log(Level::Info, &format!("the gateway does not tell its agents: {}", escape::line(&message)));
                None
            }
            Err(error) => return Err(remote.failed(error)),
        };
        Ok(remote)
    }

    /// The agents that are meant, and those that are not.
    ///
    /// # Errors
    /// An agent that the gateway does not have.
    pub fn choose(&self, select: &SelectArgs) -> Result<(Vec<String>, Vec<String>)> {
        let named: Vec<String> =
            select.agents.iter().map(|a| a.trim()).filter(|a| !a.is_empty()).map(agent_id::normalize).collect();
        if select.all_agents && !named.is_empty() {
            return Err(Error::usage("--agent and --all-agents cannot be used together"));
        }
        if select.include_unconfigured && named.is_empty() {
            return Err(Error::usage("a gateway tells the agents of its configuration only")
                .hint("--agent ID --include-unconfigured"));
        }
        let Some(agents) = &self.agents else {
            if select.all_agents {
                return Err(Error::failed(format!("the gateway on {} does not tell its agents", self.by.endpoint))
                    .hint("--agent ID"));
            }
            let default = || vec![agent_id::MAIN.to_owned()];
            return Ok((if named.is_empty() { default() } else { named }, Vec::new()));
        };
        if let Some(unknown) = named.iter().find(|id| !agents.contains(id) && !select.include_unconfigured) {
            let known: Vec<_> = agents.iter().map(|id| escape::line(id)).collect();
            let text =
                format!("the gateway on {} has no agent {unknown:?}; it has: {}", self.by.endpoint, known.join(", "));
            return Err(Error::usage(text).hint(format!("--agent {unknown} --include-unconfigured")));
        }
        let mut chosen = if select.all_agents {
            agents.clone()
        } else if named.is_empty() {
            agents.iter().take(1).cloned().collect()
        } else {
            named
        };
        let mut seen = std::collections::HashSet::new();
        chosen.retain(|id| seen.insert(id.clone()));
        let others = agents.iter().filter(|id| !chosen.contains(id)).cloned().collect();
        Ok((chosen, others))
    }

    /// Rows of one agent.
    ///
    /// # Errors
    /// A refusal, or no answer.
    pub fn list(&mut self, agent: &str, limit: Option<u64>, active: Option<u64>) -> Result<sessions::Listing> {
        sessions::list(&mut self.client, agent, limit, active).map_err(|error| self.failed(error))
    }

    /// The row of a key or a session id, in an index of its own.
    ///
    /// # Errors
    /// A refusal, or no answer.
    pub fn find(&mut self, what: &str) -> Result<Option<IndexFacts>> {
        sessions::find(&mut self.client, what).map_err(|error| self.failed(error))
    }

    /// Says goodbye.
    pub fn close(self) -> ByGateway {
        self.client.close();
        self.by
    }

    fn failed(&self, error: CallError) -> Error {
        let why = match &error {
            CallError::Refused { message, .. } => message,
            CallError::NotSent(why) | CallError::OutcomeUnknown(why) => why,
        };
        let text =
            format!("the gateway {} on {} did not answer: {}", self.by.version, self.by.endpoint, escape::line(why));
        leftovers_hint(Error::failed(text).hint("clawkeep gateway status"))
    }
}

/// Nothing is busy where nothing was to be changed.
fn as_failure(mut error: Error) -> Error {
    if error.kind == Kind::Busy {
        error.kind = Kind::Failed;
    }
    error
}

/// What is here is not what was asked for, but may be what is meant.
pub fn leftovers_hint(error: Error) -> Error {
    error.hint("--store FILE, for what is left on this host")
}
