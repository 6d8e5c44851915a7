//! `disk`: what fills the disk, by agent and class, and what could go by which rule. Reads only.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::cli::GlobalFlags;
use crate::cli::disk::DiskArgs;
use crate::cli::select::SelectArgs;
use crate::cmd::start::{self, Start};
use crate::context::Context;
use crate::cron::run_logs;
use crate::error::{Error, Kind, Result};
use crate::exit;
use crate::fsx::read::lstat;
use crate::lock::container::HostView;
use crate::lock::peer;
use crate::model::facts::Facts;
use crate::model::folder::FolderFacts;
use crate::model::settings::Settings;
use crate::model::stores::Target;
use crate::model::usage::{DiskFacts, StoreUsage, UsageClass, UsageOwner, VolumeUsage};
use crate::plan::policy::{self, PolicyFlags};
use crate::plan::{decide, needs, usage as plan_usage};
use crate::report::disk::{human, json};
use crate::report::escape;
use crate::report::progress::Progress;
use crate::scan::facts::{self, Reading};
use crate::scan::usage::{Meter, Places, owner_in_state};
use crate::scan::{folder, probe, volume};

/// Runs the command.
///
/// # Errors
/// A named store that is not there, or a configuration that cannot be read. A store that cannot be used is reported in
/// its place, and the exit code says that the report is partial.
pub fn run(ctx: &mut Context, g: &GlobalFlags, a: &DiskArgs) -> Result<u8> {
    let whole_state = a.select == SelectArgs::default();
    let everything = SelectArgs { all_agents: true, include_unconfigured: true, ..SelectArgs::default() };
    let start = start::reading(ctx, g, if whole_state { &everything } else { &a.select })?;
    if whole_state && !start.roots.state_dir.exists() && start.selection.targets.iter().all(|t| !t.store_path.exists())
    {
        let folder = escape::path(&start.roots.state_dir);
        return Err(
            Error::new(Kind::Absent, format!("the state folder {folder} does not exist")).hint("clawkeep config path")
        );
    }
    // Invalid limits were reported as warnings; their fields hold what a reading command uses instead.
    let settings = Settings { problems: Vec::new(), ..start.loaded.settings.clone() };
    let mut survey = Survey {
        ctx,
        start: &start,
        settings: &settings,
        meter: Meter::new(a.top.unwrap_or(0)),
        places: Places::default(),
        folders: HashMap::new(),
        volumes: Vec::new(),
    };
    let mut stores = Vec::new();
    for target in &start.selection.targets {
        stores.push(survey.store(target)?);
        ctx.unless_cancelled()?;
    }
    survey.walk(whole_state);
    ctx.unless_cancelled()?;
    let disk = DiskFacts {
        state_dir: start.roots.state_dir.clone(),
        state_origin: start.roots.state_origin.clone(),
        whole_state,
        now: ctx.run_time(),
        usage: survey.meter.finish(),
        stores,
        volumes: survey.volumes.into_iter().map(|(_, volume)| volume).collect(),
    };
    print(ctx, &disk, &start)?;
    Ok(if disk.failed() > 0 { exit::PARTIAL } else { exit::DONE })
}

fn print(ctx: &Context, disk: &DiskFacts, start: &Start) -> Result<()> {
    let others = &start.selection.not_looked_at;
    if ctx.output.json {
        return crate::report::json::print(ctx, &json::value(disk, others));
    }
    if ctx.output.quiet > 0 {
        return Ok(());
    }
    ctx.write_stdout(human::text(disk, others, &human::Look::of(ctx)).as_bytes())
}

struct Survey<'a> {
    ctx: &'a Context,
    start: &'a Start,
    settings: &'a Settings,
    meter: Meter,
    places: Places,
    /// Sessions folders met so far, and the agent whose files they were counted as.
    folders: HashMap<PathBuf, String>,
    /// Volumes by device.
    volumes: Vec<(u64, VolumeUsage)>,
}

impl Survey<'_> {
    /// Measures one store.
    fn store(&mut self, target: &Target) -> Result<StoreUsage> {
        let mut store = StoreUsage::new(&target.agent_id, target.store_path.clone());
        match facts::read(target, &self.start.selection, &self.start.roots, self.settings) {
            Ok(Reading::Whole(facts)) => self.whole(target, &facts, &mut store)?,
            Ok(Reading::Absent) => {
                store.absent = true;
                self.by_name(target, &mut store);
            }
            Err(error) if error.kind == Kind::Absent && self.start.selection.targets.len() == 1 => return Err(error),
            Err(error) => {
                store.error = Some(error.message);
                self.by_name(target, &mut store);
            }
        }
        Ok(store)
    }

    fn whole(&mut self, target: &Target, facts: &Facts, store: &mut StoreUsage) -> Result<()> {
        let now = self.ctx.run_time();
        let policy = policy::resolve(self.settings, &PolicyFlags::default(), &target.agent_id)?;
        let mut needs = needs::needs(facts, &policy, now);
        store.not_probed = plan_usage::widen(facts, &mut needs);
        let view = HostView::gather(&self.ctx.env).on_volume(facts.folder.volume.network);
        let probes = probe::run(&facts.folder, &needs, &|path| peer::state(path, &view, now));
        let plan = decide::decide(facts, &probes, &policy, now);
        let classes = plan_usage::classes(facts, &probes, &policy, now);
        store.rows = Some(facts.index.live_rows() as u64);
        store.headroom = Some(plan_usage::headroom(&facts.folder, &policy));
        store.reclaim = plan_usage::reclaim(&plan, &facts.folder, &classes, &policy);
        store.warnings.extend(plan.warnings);
        store.warnings.extend(plan.ownership_incomplete.iter().map(|(path, why)| {
            format!("{} cannot be read ({why}): files it may refer to are not told apart", path.display())
        }));
        self.count(target, &facts.folder, &classes, store);
        Ok(())
    }

    /// Measures a folder without an index to go by.
    fn by_name(&mut self, target: &Target, store: &mut StoreUsage) {
        let Some(dir) = facts::artefact_folder(target) else { return };
        match folder::scan(&dir, target.store_path.file_name()) {
            Ok(folder) => {
                let classes = plan_usage::classes_by_name(&folder);
                self.count(target, &folder, &classes, store);
            }
            Err(error) => store.error = Some(error.message),
        }
    }

    fn count(&mut self, target: &Target, folder: &FolderFacts, classes: &[UsageClass], store: &mut StoreUsage) {
        store.folder = Some(folder.path.clone());
        if let Some(first) = self.folders.get(&folder.path) {
            store.shares_folder_with = Some(first.clone());
            return;
        }
        let owner = UsageOwner::Agent(target.agent_id.clone());
        self.meter.folder(&owner, folder, classes);
        self.folders.insert(folder.path.clone(), target.agent_id.clone());
        self.places.sessions.insert(folder.path.clone(), owner);
        self.volume(&folder.path, VolumeUsage { path: folder.path.clone(), facts: folder.volume });
    }

    fn volume(&mut self, dir: &Path, volume: VolumeUsage) {
        let Ok(dev) = lstat(dir).map(|fp| fp.dev) else { return };
        if !self.volumes.iter().any(|(known, _)| *known == dev) {
            self.volumes.push((dev, volume));
        }
    }

    /// Everything that is not directly in a sessions folder: the whole state, or what lies below the chosen folders.
    fn walk(&mut self, whole_state: bool) {
        let progress = Progress::counter(self.ctx, "measuring");
        let tick = || progress.advance(1);
        let cancel = &self.ctx.cancel;
        let mut roots = Vec::new();
        if whole_state && let Ok(state) = self.start.roots.state_dir.canonicalize() {
            self.volume(&state, VolumeUsage { path: state.clone(), facts: volume::facts(&state) });
            self.places.run_logs = run_logs::folder(&self.settings.cron.store.value).canonicalize().ok();
            self.meter.walk(&state, &self.places, &owner_in_state, cancel, &tick);
            roots.push(state);
        }
        let mut outside: Vec<(PathBuf, String)> = self
            .folders
            .iter()
            .filter(|(dir, _)| !roots.iter().any(|r| dir.starts_with(r)))
            .map(|(d, a)| (d.clone(), a.clone()))
            .collect();
        outside.sort();
        for (dir, agent) in outside {
            let owner = |_: &Path| UsageOwner::Agent(agent.clone());
            self.meter.walk(&dir, &self.places, &owner, cancel, &tick);
        }
    }
}
