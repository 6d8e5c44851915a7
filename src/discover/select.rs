//! Which stores a command works on (spec 1.5), and which ones it does not look at.

use std::path::{Path, PathBuf};

use super::store_set::{self, PathSet};
use super::{agent_id, agents, store_path};
use crate::context::Context;
use crate::error::{Error, Result};
use crate::model::settings::Settings;
use crate::model::stores::{Agent, Generation, Roots, Selection, Target, TargetOrigin};
use crate::report::command::unconfigured_words;

/// Flags that choose stores.
#[derive(Debug, Clone, Default)]
pub struct SelectFlags {
    /// `--store`.
    pub store: Option<PathBuf>,
    /// `--agent`, in any letter case; blank ones count as not given.
    pub agents: Vec<String>,
    /// `--all-agents`: every configured agent.
    pub all_agents: bool,
    /// `--include-unconfigured`: also agents that are only folders on disk.
    pub include_unconfigured: bool,
    /// The agents are those of a gateway elsewhere: a name that is not configured here may be one of them.
    pub elsewhere: bool,
}

/// A store that exists only as a folder on disk.
struct DiskStore {
    id: String,
    path: PathBuf,
}

/// Chooses the targets, collects the store set and names the agents that stay out. Reads folders, writes nothing.
///
/// # Errors
/// Flags that contradict each other, an unknown agent, a `--store` that names a folder: all usage errors.
pub fn select(ctx: &Context, roots: &Roots, settings: &Settings, flags: &SelectFlags) -> Result<Selection> {
    let named: Vec<&str> = flags.agents.iter().map(|a| a.trim()).filter(|a| !a.is_empty()).collect();
    check_conflicts(flags, !named.is_empty())?;
    let mut warnings = Vec::new();
    let on_disk = disk_stores(ctx, roots, settings, &mut warnings);

    let mut targets = Vec::new();
    if let Some(store) = &flags.store {
        targets.push(store_target(ctx, roots, settings, store)?);
    } else if flags.all_agents {
        targets.extend(settings.agents.iter().map(|a| configured_target(ctx, roots, settings, &a.id)));
        if flags.include_unconfigured {
            targets.extend(on_disk.iter().map(unconfigured_target));
        } else if !on_disk.is_empty() {
            warnings.push(disk_only_warning(&on_disk));
        }
    } else if named.is_empty() {
        targets.push(configured_target(ctx, roots, settings, &settings.default_agent));
    }
    for raw in named {
        targets.push(named_target(ctx, roots, settings, &on_disk, raw, flags)?);
    }

    let mut taken = PathSet::default();
    targets.retain(|t| taken.add(t.store_path.clone()));
    let not_looked_at = not_looked_at(ctx, roots, settings, &on_disk, &taken);
    let set_paths = store_set::collect(ctx, roots, settings, &targets, &mut warnings);
    warnings.dedup();
    Ok(Selection { targets, not_looked_at, set_paths, warnings })
}

fn check_conflicts(flags: &SelectFlags, agent_given: bool) -> Result<()> {
    if agent_given && flags.all_agents {
        return Err(Error::usage("--agent and --all-agents cannot be used together"));
    }
    if flags.store.is_some() && (agent_given || flags.all_agents) {
        return Err(Error::usage("--store cannot be combined with --agent or --all-agents"));
    }
    if flags.include_unconfigured && !agent_given && !flags.all_agents {
        return Err(Error::usage("--include-unconfigured needs --all-agents or --agent"));
    }
    Ok(())
}

fn store_target(ctx: &Context, roots: &Roots, settings: &Settings, store: &Path) -> Result<Target> {
    if store.as_os_str().is_empty() {
        return Err(Error::usage("--store needs a path"));
    }
    let id = &settings.default_agent;
    let path = match store.to_str() {
        Some(text) => store_path::expand(text, id, roots, &ctx.cwd),
        None => super::home::absolute(store, &ctx.cwd),
    };
    if path.is_dir() {
        let index = path.join(store_path::INDEX_NAME);
        return Err(Error::usage(format!("--store names the folder {}, not an index file", path.display()))
            .hint(format!("--store {}", index.display())));
    }
    let generation = generation(&path, None);
    Ok(Target { agent_id: id.clone(), store_path: path, origin: TargetOrigin::StoreFlag, generation })
}

fn configured_target(ctx: &Context, roots: &Roots, settings: &Settings, id: &str) -> Target {
    let store_path = store_set::configured_store(ctx, roots, settings, id);
    let origin = match &settings.session.store {
        Some(template) => TargetOrigin::Template(template.origin.clone()),
        None => TargetOrigin::DefaultLayout,
    };
    let generation = generation(&store_path, Some(&store_path::agents_dir(roots).join(id)));
    Target { agent_id: id.to_owned(), store_path, origin, generation }
}

fn unconfigured_target(store: &DiskStore) -> Target {
    Target {
        agent_id: store.id.clone(),
        generation: generation(&store.path, None),
        store_path: store.path.clone(),
        origin: TargetOrigin::Unconfigured,
    }
}

/// `--agent`: a configured one in any letter case; one that is only on disk needs `--include-unconfigured`.
fn named_target(
    ctx: &Context,
    roots: &Roots,
    settings: &Settings,
    on_disk: &[DiskStore],
    raw: &str,
    flags: &SelectFlags,
) -> Result<Target> {
    let id = agent_id::normalize(raw);
    let configured = settings.agents.iter().any(|a| a.id == id);
    // The name of a folder, letter for letter: another spelling of it may be an agent too.
    let folder = |d: &&DiskStore| store_path::agent_dir(&d.path).and_then(Path::file_name) == Some(raw.as_ref());
    if let Some(found) = on_disk
        .iter()
        .find(folder)
        .filter(|_| flags.include_unconfigured && !flags.elsewhere && (raw != id || !configured))
    {
        return Ok(unconfigured_target(found));
    }
    if flags.elsewhere || configured {
        return Ok(configured_target(ctx, roots, settings, &id));
    }
    if let Some(found) = on_disk.iter().find(|d| d.id == id) {
        if flags.include_unconfigured {
            return Ok(unconfigured_target(found));
        }
        return Err(Error::usage(format!(
            "agent {raw:?} is not configured; it exists only on disk ({})",
            found.path.display()
        ))
        .hint(unconfigured_words(&unconfigured_target(found)).trim_start().to_owned()));
    }
    let known: Vec<&str> = settings.agents.iter().map(|a| a.id.as_str()).collect();
    Err(Error::usage(format!("unknown agent {raw:?}; configured: {}", known.join(", ")))
        .hint("clawkeep config get agents.list"))
}

/// Whether an SQLite store has taken over: its database lies in the agent's `agent` folder.
fn generation(store: &Path, state_agent_dir: Option<&Path>) -> Generation {
    let folders = [store_path::agent_dir(store), state_agent_dir];
    let databases = folders.into_iter().flatten().map(|f| f.join("agent").join("openclaw-agent.sqlite"));
    match databases.into_iter().find(|d| d.symlink_metadata().is_ok()) {
        Some(database) => Generation::Sqlite { database },
        None => Generation::Json,
    }
}

/// Stores below the agents roots that no configured agent uses.
fn disk_stores(ctx: &Context, roots: &Roots, settings: &Settings, warnings: &mut Vec<String>) -> Vec<DiskStore> {
    let configured = store_set::configured_stores(ctx, roots, settings);
    let mut known = PathSet::default();
    let mut agent_roots = vec![store_path::agents_dir(roots)];
    for path in configured {
        if let Some(root) = store_path::agents_root(&path).map(Path::to_owned)
            && !agent_roots.contains(&root)
        {
            agent_roots.push(root);
        }
        known.add(path);
    }
    let mut found = Vec::new();
    for root in agent_roots {
        // A root that cannot be listed is named when the store set is collected.
        for folder in agents::folders(&root).unwrap_or_default() {
            if !folder.targetable || !known.add(folder.store_path.clone()) {
                continue;
            }
            if settings.agents.iter().any(|a| a.id == folder.id) {
                warnings.push(format!(
                    "{} exists, but the configured agent {} keeps its sessions elsewhere",
                    folder.store_path.display(),
                    folder.id
                ));
            }
            found.push(DiskStore { id: folder.id, path: folder.store_path });
        }
    }
    found
}

fn disk_only_warning(on_disk: &[DiskStore]) -> String {
    let names: Vec<&str> = on_disk.iter().map(|d| d.id.as_str()).collect();
    format!(
        "{} on disk that no configuration names: {}; left alone without --include-unconfigured",
        if names.len() == 1 { "1 agent exists".to_owned() } else { format!("{} agents exist", names.len()) },
        names.join(", ")
    )
}

fn not_looked_at(
    ctx: &Context,
    roots: &Roots,
    settings: &Settings,
    on_disk: &[DiskStore],
    taken: &PathSet,
) -> Vec<Agent> {
    let configured = settings
        .agents
        .iter()
        .filter(|a| !taken.has(&store_set::configured_store(ctx, roots, settings, &a.id)))
        .map(|a| Agent { id: a.id.clone(), configured: true });
    let unconfigured =
        on_disk.iter().filter(|d| !taken.has(&d.path)).map(|d| Agent { id: d.id.clone(), configured: false });
    let mut all: Vec<Agent> = configured.collect();
    for agent in unconfigured {
        if !all.iter().any(|a| a.id == agent.id) && !settings.agents.iter().any(|a| a.id == agent.id) {
            all.push(agent);
        }
    }
    all
}

#[cfg(test)]
#[path = "select_tests.rs"]
mod tests;
