//! Stores that the keys on a command line name: `agent:<id>:...` says whose session it is, so nobody need choose a store.

use crate::cli::GlobalFlags;
use crate::cli::select::SelectArgs;
use crate::cmd::start::Start;
use crate::context::Context;
use crate::discover::agent_id;
use crate::error::Result;
use crate::report::kind;

/// Reads the configuration and chooses stores, as the command does it.
pub(super) type Choose = fn(&mut Context, &GlobalFlags, &SelectArgs) -> Result<Start>;

/// The agent that a key belongs to by its form (`agent:<id>:...`).
pub(super) fn of_key(key: &str) -> Option<&str> {
    kind::agent_of(key).filter(|(_, rest)| !rest.is_empty()).map(|(id, _)| id)
}

/// What was chosen, and where nothing was said about stores also those of the agents whose keys are asked for. An agent that
/// is nowhere has nothing either.
pub(super) fn with_stores_of<'k>(
    ctx: &mut Context,
    g: &GlobalFlags,
    select: &SelectArgs,
    choose: Choose,
    keys: impl Iterator<Item = &'k str>,
) -> Result<Start> {
    let mut start = choose(ctx, g, select)?;
    let [only] = start.selection.targets.as_slice() else { return Ok(start) };
    if *select != SelectArgs::default() {
        return Ok(start);
    }
    let mut agents = vec![only.agent_id.clone()];
    for agent in keys.filter_map(of_key).filter(|id| !id.contains(['*', '?'])) {
        let agent = agent_id::normalize(agent);
        if agents.contains(&agent) {
            continue;
        }
        agents.push(agent);
        let more = SelectArgs { agents: agents.clone(), include_unconfigured: true, ..SelectArgs::default() };
        // What there is to warn of was said; and commands that are named carry only what was found.
        let mut trial = ctx.clone();
        trial.output.quiet = trial.output.quiet.max(2);
        match choose(&mut trial, g, &more) {
            Ok(found) => {
                ctx.given = trial.given;
                start = found;
            }
            Err(_) => drop(agents.pop()),
        }
    }
    Ok(start)
}
