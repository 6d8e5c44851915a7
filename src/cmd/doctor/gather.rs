//! Reads what the rules judge.

use crate::check::judge;
use crate::cli::GlobalFlags;
use crate::cli::doctor::DoctorArgs;
use crate::cli::select::SelectArgs;
use crate::cmd::start::{self, Start};
use crate::config::load::{self, Loaded};
use crate::context::{Context, Level};
use crate::cron::jobs;
use crate::discover::roots;
use crate::error::Result;
use crate::lock::owner;
use crate::model::doctor::{ConfigFacts, StateFacts, StoreState, Version};
use crate::model::settings::Settings;
use crate::model::stores::{Roots, Target};
use crate::plan::policy::{self, PolicyFlags};
use crate::scan::check::{self as scan, Where};
use crate::scan::transcripts::How;
use crate::scan::volume;

/// Everything that was read.
pub(super) struct Gathered {
    /// The configuration.
    pub(super) config: ConfigFacts,
    /// The state, unless only the configuration was asked for.
    pub(super) state: Option<StateFacts>,
}

/// Reads configuration and state as far as asked for.
///
/// # Errors
/// A wrong profile or selection.
pub(super) fn gather(ctx: &mut Context, g: &GlobalFlags, a: &DoctorArgs) -> Result<Gathered> {
    let roots = roots::resolve(ctx, &g.paths())?;
    let (loaded, error) = match load::load(ctx, &roots) {
        Ok(loaded) => (loaded, None),
        Err(error) => (load::without_config(ctx, &roots, &error), Some(error.message)),
    };
    let config = config_facts(&roots, &loaded, error, a.target);
    let state = match a.config_only {
        true => None,
        false => Some(state_facts(ctx, a, roots, loaded, config.target)?),
    };
    Ok(Gathered { config, state })
}

fn config_facts(roots: &Roots, loaded: &Loaded, error: Option<String>, asked: Option<Version>) -> ConfigFacts {
    let touched = loaded.document.value("meta.lastTouchedVersion").and_then(|v| v.as_str()).and_then(Version::parse);
    ConfigFacts {
        path: roots.config_path.clone(),
        found: loaded.settings.config_found,
        error,
        root: loaded.document.root.clone(),
        files: loaded.document.files.clone(),
        problems: loaded.settings.problems.clone(),
        unset: Vec::new(),
        managed: None,
        target: asked.unwrap_or_else(|| touched.map_or(Version::KNOWN, |v| v.max(Version::KNOWN))),
    }
}

/// Reads the stores of all agents, as `sessions check` does.
fn state_facts(ctx: &mut Context, a: &DoctorArgs, roots: Roots, loaded: Loaded, target: Version) -> Result<StateFacts> {
    let everything = SelectArgs { all_agents: true, include_unconfigured: true, ..SelectArgs::default() };
    let Start { roots, loaded, selection } = start::chosen(ctx, roots, loaded, &everything)?;
    let settings = Settings { problems: Vec::new(), ..loaded.settings };
    let network = volume::facts(&roots.state_dir).network;
    let verdict = owner::verdict(owner::collect(ctx, &roots, &settings, &roots.state_dir, None, network, false), false);
    let at = Where { ctx, roots: &roots, settings: &settings, selection: &selection };
    let mut stores = Vec::new();
    for one in &selection.targets {
        stores.push(store(&at, one, a.reads_all())?);
        if ctx.cancel.get().is_some() {
            break;
        }
    }
    let jobs = jobs::read(&settings.cron.store.value);
    Ok(StateFacts {
        stores,
        jobs,
        owner: verdict,
        full: a.reads_all(),
        target,
        now: ctx.run_time(),
        roots,
        settings,
        selection,
    })
}

fn store(at: &Where<'_>, target: &Target, full: bool) -> Result<StoreState> {
    let policy = policy::resolve(at.settings, &PolicyFlags::default(), &target.agent_id)?;
    let went_on = |_| at.ctx.cancel.get().is_none();
    let how = How { full, begin: &|_, _| {}, went_on: &went_on };
    let (facts, error) = match scan::read(at, target, &how) {
        Ok(facts) => (facts, None),
        Err(error) => {
            at.ctx.log(Level::Error, &error.message);
            (None, Some(error.message))
        }
    };
    let findings = facts.as_ref().map(|facts| judge::judge(facts, &policy)).unwrap_or_default();
    Ok(StoreState { target: target.clone(), facts, findings, policy, error })
}
