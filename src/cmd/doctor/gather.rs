//! Reads what the rules judge.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::effects;
use crate::check::judge;
use crate::cli::GlobalFlags;
use crate::cli::doctor::DoctorArgs;
use crate::cli::select::SelectArgs;
use crate::cmd::start::{self, Start};
use crate::config::document::Document;
use crate::config::edit::files::{Source, Sources};
use crate::config::load::{self, Loaded};
use crate::config::managed;
use crate::context::{Context, Level};
use crate::cron::jobs;
use crate::discover::roots;
use crate::doctor::{fix, registry};
use crate::error::{Error, Result};
use crate::fsx::read::read_regular;
use crate::journal::read;
use crate::model::check::Seen;
use crate::model::doctor::{ConfigFacts, Managed, StateFacts, StoreState, Version};
use crate::model::fingerprint::Fingerprint;
use crate::model::folder::{Artefact, Class};
use crate::model::index::TimeField;
use crate::model::settings::Settings;
use crate::model::state_seen::StateSeen;
use crate::model::stores::{Roots, Target};
use crate::plan::policy::{self, PolicyFlags};
use crate::scan::branches;
use crate::scan::check::{self as scan, Where};
use crate::scan::state_seen;
use crate::scan::transcripts::How;
use crate::scan::turns;

/// The configuration files as texts, the main one first.
#[derive(Default)]
pub(super) struct Files {
    /// Paths and texts.
    pub(super) sources: Sources,
    /// State of each when it was read.
    pub(super) fps: Vec<Fingerprint>,
    /// Who else writes each.
    pub(super) managed: Vec<Option<Managed>>,
}

impl Files {
    /// For each whether it must not be edited. What cannot be written cannot be written; a note of a tool can be passed.
    pub(super) fn closed(&self, overrides: &[String]) -> Vec<bool> {
        let passed = overrides.iter().any(|token| token == "managed-config");
        let closed = |m: &Option<Managed>| m.as_ref().is_some_and(|m| !passed || !can_be_passed(m));
        self.managed.iter().map(closed).collect()
    }
}

/// A note in the file can be wrong; a file that cannot be written is what it is.
pub(super) fn can_be_passed(managed: &Managed) -> bool {
    !matches!(managed.by.as_str(), "Nix" | "read-only")
}

/// Everything that was read.
pub(super) struct Gathered {
    /// Roots of the installation.
    pub(super) roots: Roots,
    /// Typed view of the configuration.
    pub(super) settings: Settings,
    /// The configuration.
    pub(super) config: ConfigFacts,
    /// Which of its values comes from which file.
    pub(super) document: Document,
    /// Its files.
    pub(super) files: Files,
    /// The state, unless only the configuration was asked for.
    pub(super) state: Option<StateFacts>,
}

/// Reads configuration and state as far as asked for.
///
/// # Errors
/// A wrong profile or selection.
pub(super) fn gather(ctx: &mut Context, g: &GlobalFlags, a: &DoctorArgs) -> Result<Gathered> {
    let roots = roots::resolve(ctx, &g.paths())?;
    start::refuse_absent(g, &roots)?;
    let (mut loaded, error) = match load::load(ctx, &roots) {
        Ok(loaded) => (loaded, None),
        Err(error) => (load::without_config(ctx, &roots, &error), Some(error.message)),
    };
    // Retired and unknown keys are findings of rules.
    let mut warnings = std::mem::take(&mut loaded.settings.warnings);
    warnings.retain(|w| w.contains("environment variable"));
    let (files, unread) =
        if error.is_none() { read_files(ctx, &loaded, &roots.state_dir) } else { (Files::default(), None) };
    let mut config = config_facts(&roots, &loaded, &files, error.or(unread), a.target);
    config.unset = warnings;
    let settings = Settings { problems: Vec::new(), ..loaded.settings.clone() };
    let document = loaded.document.clone();
    let state = match a.config_only {
        true => None,
        false => {
            // The state is judged by the configuration as it is after the fix, whether that is made now or only proposed.
            let after = after_fix(a, &files, &config).filter(|root| *root != config.root);
            let (loaded, root) = match after {
                Some(root) => (load::with_root(ctx, &roots, &document, root.clone())?, root),
                None => (loaded, config.root.clone()),
            };
            Some(state_facts(ctx, a, roots.clone(), loaded, (config.target, root))?)
        }
    };
    Ok(Gathered { roots, settings, config, document, files, state })
}

/// The whole value of the configuration after the fixes that are asked for.
fn after_fix(a: &DoctorArgs, files: &Files, config: &ConfigFacts) -> Option<serde_json::Value> {
    if a.state_only || files.sources.0.is_empty() {
        return None;
    }
    let rules = a.choice().rules(registry::RULES, config.target);
    let fix = fix::fix(&files.sources, &rules, &files.closed(&a.overrides), &[]).ok()?;
    Some(fix.sources.joined().ok()?.root)
}

/// Reads the texts again, each once. A file that changes while it is read is an error.
fn read_files(ctx: &Context, loaded: &Loaded, state: &Path) -> (Files, Option<String>) {
    let mut files = Files::default();
    let mut failed = None;
    for path in loaded.files() {
        if files.sources.0.iter().any(|s| s.path == *path) {
            continue;
        }
        match path.canonicalize().and_then(|real| read_regular(&real)) {
            Ok((bytes, fp)) => {
                let text = String::from_utf8_lossy(&bytes).into_owned();
                files.managed.push(managed::of(path, &text, &ctx.env, state));
                files.fps.push(fp);
                files.sources.0.push(Source { path: path.clone(), text });
            }
            Err(e) => failed = Some(Error::io("read", path, e).message),
        }
    }
    match failed {
        Some(_) => (Files::default(), failed),
        None => (files, None),
    }
}

fn config_facts(
    roots: &Roots,
    loaded: &Loaded,
    files: &Files,
    error: Option<String>,
    asked: Option<Version>,
) -> ConfigFacts {
    let touched = loaded.document.value("meta.lastTouchedVersion").and_then(|v| v.as_str()).and_then(Version::parse);
    ConfigFacts {
        path: roots.config_path.clone(),
        found: loaded.settings.config_found,
        error,
        root: files.sources.joined().map(|joined| joined.root).unwrap_or_default(),
        migrated: serde_json::Value::Null,
        files: files.sources.0.iter().map(|s| s.path.clone()).collect(),
        problems: loaded.settings.problems.clone(),
        unset: Vec::new(),
        managed: files.managed.iter().flatten().next().cloned(),
        target: asked.unwrap_or_else(|| touched.map_or(Version::KNOWN, |v| v.max(Version::KNOWN))),
    }
}

/// Reads the stores of all agents, as `sessions check` does.
fn state_facts(
    ctx: &mut Context,
    a: &DoctorArgs,
    roots: Roots,
    loaded: Loaded,
    (version, root): (Version, serde_json::Value),
) -> Result<StateFacts> {
    let everything = SelectArgs { all_agents: true, include_unconfigured: true, ..SelectArgs::default() };
    let Start { roots, loaded, selection } = start::chosen(ctx, roots, loaded, &everything)?;
    let settings = Settings { problems: Vec::new(), ..loaded.settings };
    let folders = session_folders(&selection.targets);
    let verdict = effects::owner_of(ctx, &roots, &settings, &folders);
    let at = Where { ctx, roots: &roots, settings: &settings, selection: &selection };
    let mut stores = Vec::new();
    for one in &selection.targets {
        stores.push(store(&at, one, a.reads_all())?);
        if ctx.cancel.get().is_some() {
            break;
        }
    }
    let jobs = jobs::read(&settings.cron.store.value);
    let mut seen = state_seen::look(&roots, &settings, &ctx.cwd, root);
    seen.own_links = own_links(&stores);
    turns(&mut seen, &stores, &settings, a.reads_all());
    Ok(StateFacts {
        stores,
        jobs,
        owner: verdict,
        full: a.reads_all(),
        target: version,
        seen,
        now: ctx.run_time(),
        roots,
        settings,
        selection,
    })
}

/// Files that have a second name in a record of ours, by store: the file, and the run.
fn own_links(stores: &[StoreState]) -> Vec<(usize, OsString, String)> {
    let mut out = Vec::new();
    for (at, store) in stores.iter().enumerate() {
        let Some(folder) = store.facts.as_ref().map(|facts| facts.seen.folder()) else { continue };
        let linked: Vec<_> = folder.entries.iter().filter(|e| e.is_file() && e.fp.nlink > 1).collect();
        if linked.is_empty() {
            continue;
        }
        for run in read::list(&folder.path).unwrap_or_default() {
            let kept =
                |e: &&&Artefact| run.kept.iter().any(|(_, fp)| (fp.dev, fp.ino) == (e.fp.dev, e.fp.ino) && fp.ino != 0);
            out.extend(linked.iter().filter(kept).map(|e| (at, e.name.to_os_string(), run.id.clone())));
        }
    }
    out
}

/// Folders that hold sessions.
pub(super) fn session_folders(targets: &[Target]) -> Vec<PathBuf> {
    let folder = |target: &Target| target.store_path.parent()?.canonicalize().ok();
    let mut folders: Vec<PathBuf> = targets.iter().filter_map(folder).collect();
    folders.dedup();
    folders
}

/// What was said, as far as a rule asks: in the main sessions, and with `full` in every transcript that a row leads to.
fn turns(seen: &mut StateSeen, stores: &[StoreState], settings: &Settings, full: bool) {
    for (at, store) in stores.iter().enumerate() {
        let Some(Seen::Whole(whole)) = store.facts.as_ref().map(|f| &f.seen) else { continue };
        let path = |file: u32| whole.folder.path.join(&*whole.folder.entries[file as usize].name);
        let main = format!("agent:{}:{}", store.target.agent_id, settings.session.main_key.value);
        let row = (0_u32..).zip(&whole.index.rows).find(|(_, r)| !r.shadowed && whole.index.key(r) == main);
        if let Some((ix, row)) = row.filter(|(_, r)| matches!(r.last_interaction_at, TimeField::Missing)) {
            let is_transcript = |file: u32| whole.folder.entries[file as usize].class == Class::Transcript;
            let file = whole.row_files.iter().find(|rf| rf.row == ix && is_transcript(rf.file)).map(|rf| rf.file);
            let value = row.value.of(&whole.index.bytes);
            let isolated = memchr::memmem::find(value, b"\"heartbeatIsolatedBaseSessionKey\"").is_some();
            if file.map_or(isolated, |file| turns::only_heartbeat(&path(file)) == Some(true)) {
                seen.heartbeat_mains.push((at, ix));
            }
        }
        if full {
            let mut files: Vec<u32> = whole.row_files.iter().map(|rf| rf.file).collect();
            files.sort_unstable();
            files.dedup();
            let transcripts =
                files.into_iter().filter(|f| whole.folder.entries[*f as usize].class == Class::Transcript);
            let (mut leaks, mut doubled) = (Vec::new(), Vec::new());
            for file in transcripts {
                let (name, path) = (&whole.folder.entries[file as usize].name, path(file));
                for (out, lines) in
                    [(&mut leaks, turns::loud_silences(&path)), (&mut doubled, branches::doubled_prompts(&path))]
                {
                    out.extend(lines.filter(|lines| !lines.is_empty()).map(|lines| (name.to_os_string(), lines)));
                }
            }
            let found = |files: Vec<_>| (!files.is_empty()).then_some((at, files));
            seen.silent_leaks.extend(found(leaks));
            seen.doubled_prompts.extend(found(doubled));
        }
    }
}

fn store(at: &Where<'_>, target: &Target, full: bool) -> Result<StoreState> {
    let policy = policy::resolve(at.settings, &PolicyFlags::default(), &target.agent_id)?;
    let went_on = |_| at.ctx.cancel.get().is_none();
    let how = How { full, most: scan::GLANCE, begin: &|_, _| {}, went_on: &went_on };
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
