//! Which stores a command of the `sessions`, `disk` or `cron` group works on.

use std::path::PathBuf;

use clap::Args;

use crate::discover::select::SelectFlags;
use crate::hints::Given;

/// Which stores to look at. Nothing said: the store of the default agent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
pub struct SelectArgs {
    /// Index of one store; `~` and `{agentId}` are understood
    #[arg(long, value_name = "FILE", help_heading = "Which stores")]
    pub store: Option<PathBuf>,

    /// Agent whose store to look at; may be given several times
    #[arg(long = "agent", value_name = "ID", help_heading = "Which stores")]
    pub agents: Vec<String>,

    /// The stores of all configured agents
    #[arg(long, help_heading = "Which stores")]
    pub all_agents: bool,

    /// With --all-agents, also agents that exist on disk only
    #[arg(long, help_heading = "Which stores")]
    pub include_unconfigured: bool,
}

impl SelectArgs {
    /// The same for discovery.
    pub fn flags(&self) -> SelectFlags {
        SelectFlags {
            store: self.store.clone(),
            agents: self.agents.clone(),
            all_agents: self.all_agents,
            include_unconfigured: self.include_unconfigured,
            elsewhere: false,
        }
    }

    /// Says the same in commands that reports name.
    pub fn given(&self, given: &mut Given) {
        given.clear_selection();
        if let Some(store) = &self.store {
            given.select_value("--store", &store.to_string_lossy());
        }
        for agent in &self.agents {
            given.select_value("--agent", agent);
        }
        for (said, flag) in [(self.all_agents, "--all-agents"), (self.include_unconfigured, "--include-unconfigured")] {
            if said {
                given.select(flag);
            }
        }
    }

    /// Takes over what was said before the verb, unless the verb says something of its own.
    ///
    /// `--store` and `--agent` of the verb replace the group's; a switch counts wherever it stands. Contradictions
    /// (`--store` before, `--all-agents` after) are left in for the check that every selection goes through.
    #[must_use]
    pub fn inherit(mut self, group: &Self) -> Self {
        if self.store.is_none() {
            self.store.clone_from(&group.store);
        }
        if self.agents.is_empty() {
            self.agents.clone_from(&group.agents);
        }
        self.all_agents |= group.all_agents;
        self.include_unconfigured |= group.include_unconfigured;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_verb_wins_over_the_group() {
        let group = SelectArgs { store: Some("group".into()), agents: vec!["a".into()], ..SelectArgs::default() };
        let verb = SelectArgs { store: Some("verb".into()), all_agents: true, ..SelectArgs::default() };
        let both = verb.inherit(&group);
        assert_eq!(both.store, Some("verb".into()));
        assert_eq!(both.agents, ["a"]);
        assert!(both.all_agents, "a contradiction must stay visible");
    }
}
