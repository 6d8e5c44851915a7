//! Looks at the places of [`StateSeen`]. Reads single files and single folders, follows no link but those of the roots, and
//! takes what it cannot look at for absent only where nothing is concluded from that.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::cron::jobs::state_path;
use crate::discover::{agent_id, home};
use crate::fsx::read::{Folder, lstat, read_shared};
use crate::model::effect::Effect;
use crate::model::fingerprint::Kind;
use crate::model::settings::Settings;
use crate::model::sourced::Origin;
use crate::model::state_seen::{DirSeen, FileSeen, LegacySessions, MemorySplit, OldStateDir, RegistrySeen, StateSeen};
use crate::model::stores::Roots;
use crate::order::Order as _;
use crate::store;

use super::folder;

/// Largest file that is read whole here.
const MOST: u64 = 64 << 20;
/// Name of the index.
const INDEX: &str = "sessions.json";

/// Looks. `config` is the whole configuration.
pub fn look(roots: &Roots, settings: &Settings, cwd: &Path, config: Value) -> StateSeen {
    let state = &roots.state_dir;
    let agent = state.join("agents").join(&settings.default_agent);
    let chain = [state.join("agents"), agent.clone(), agent.join("sessions")];
    StateSeen {
        legacy_sessions: legacy_sessions(&state.join("sessions")),
        sessions_link: lstat(&state.join("sessions"))
            .ok()
            .filter(|fp| fp.kind == Kind::Symlink)
            .map(|_| state.join("sessions")),
        left_behind: left_behind(state),
        legacy_agent: dir(&state.join("agent")).filter(|d| !d.entries.is_empty()),
        agent_dir: dir(&agent.join("agent")),
        absent_dirs: chain.into_iter().filter(|p| lstat(p).is_err()).collect(),
        old_state_dir: old_state_dir(roots),
        old_config: old_config(roots),
        heartbeat_mains: Vec::new(),
        silent_leaks: Vec::new(),
        doubled_prompts: Vec::new(),
        own_links: Vec::new(),
        cron: file(&settings.cron.store.value),
        cron_state: file(&state_path(&settings.cron.store.value)),
        cron_state_place: cron_state_place(&settings.cron.store.value),
        registries: ["containers", "browsers"].into_iter().filter_map(|kind| registry(state, kind)).collect(),
        memory: memory(&workspace(roots, cwd, &config)),
        memory_links: memory_links(&workspace(roots, cwd, &config)),
        open_modes: open_modes(roots),
        newer: newer(roots, settings),
        unlisted_agents: unlisted_agents(roots, settings),
        config,
    }
}

fn cron_state_place(store: &Path) -> Option<(PathBuf, OsString)> {
    let path = state_path(store);
    Some((path.parent()?.canonicalize().ok()?, path.file_name()?.to_owned()))
}

fn file(path: &Path) -> Option<FileSeen> {
    let real = path.canonicalize().ok()?;
    let fp = lstat(&real).ok().filter(|fp| fp.kind == Kind::File)?;
    match read_shared(&real, MOST) {
        Ok((bytes, fp)) => Some(FileSeen { path: real, fp, content: Ok(bytes.to_vec()) }),
        Err(e) => Some(FileSeen { path: real, fp, content: Err(e.to_string()) }),
    }
}

fn dir(path: &Path) -> Option<DirSeen> {
    let fp = lstat(path).ok().filter(|fp| fp.kind == Kind::Dir)?;
    let real = path.canonicalize().ok()?;
    let folder = Folder::open(&real).ok()?;
    let mut entries: Vec<(OsString, _)> = folder
        .names()
        .ok()?
        .into_iter()
        .filter_map(|name| folder.lstat(&name).ok().map(|fp| (name.into_os_string(), fp)))
        .collect();
    entries.order_by(|a, b| a.0.cmp(&b.0));
    Some(DirSeen { path: real, fp, entries })
}

fn legacy_sessions(path: &Path) -> Option<LegacySessions> {
    let fp = lstat(path).ok().filter(|fp| fp.kind == Kind::Dir)?;
    let folder = folder::scan(path, Some(OsStr::new(INDEX))).ok()?;
    let holds = |name: &OsStr| name == INDEX || Path::new(name).extension().is_some_and(|e| e == "jsonl");
    folder.entries.iter().any(|e| holds(&e.name)).then(|| {
        let index = store::read::read(&folder.path.join(INDEX));
        LegacySessions { folder, fp, index }
    })
}

fn old_state_dir(roots: &Roots) -> OldStateDir {
    let path = roots.home.join(".clawdbot");
    let default = roots.state_origin == Origin::Default;
    let Some(fp) = lstat(&path).ok().filter(|_| default) else { return OldStateDir::None };
    match fp.kind {
        Kind::Dir if roots.legacy => dir(&path).map_or(OldStateDir::None, OldStateDir::InUse),
        Kind::Dir => match dir(&path) {
            Some(dir) if !is_mirror(&dir, &roots.state_dir) => OldStateDir::Beside(dir),
            _ => OldStateDir::None,
        },
        Kind::Symlink => {
            let to = std::fs::read_link(&path).unwrap_or_default();
            let same = path.canonicalize().is_ok_and(|real| roots.state_dir.canonicalize().is_ok_and(|s| s == real));
            if same { OldStateDir::None } else { OldStateDir::Link { path, to } }
        }
        _ => OldStateDir::NotAFolder(path),
    }
}

/// Whether a folder holds nothing but links into the other one.
fn is_mirror(dir: &DirSeen, state: &Path) -> bool {
    let state = state.canonicalize().unwrap_or_else(|_| state.to_owned());
    dir.entries.iter().all(|(name, fp)| {
        fp.kind == Kind::Symlink && dir.path.join(name).canonicalize().is_ok_and(|real| real.starts_with(&state))
    })
}

fn old_config(roots: &Roots) -> Option<FileSeen> {
    let named = roots.config_path.file_name().is_some_and(|name| name == "clawdbot.json");
    // Found, not named: the state folder that was named decides where it is looked for.
    let found = roots.config_origin == Origin::Default || roots.config_origin == roots.state_origin;
    let absent = lstat(&roots.state_dir.join("openclaw.json")).is_err();
    file(&roots.config_path).filter(|_| named && found && absent)
}

fn registry(state: &Path, kind: &'static str) -> Option<RegistrySeen> {
    let sandbox = state.join("sandbox");
    let file = file(&sandbox.join(format!("{kind}.json")))?;
    let shards = dir(&sandbox.join(kind)).map(|d| d.entries.into_iter().map(|(name, _)| name).collect());
    Some(RegistrySeen { kind, file, shards })
}

/// The workspace of the default agent.
fn workspace(roots: &Roots, cwd: &Path, config: &Value) -> PathBuf {
    let list = config.pointer("/agents/list").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let is_default = |agent: &&Value| agent.get("default").and_then(Value::as_bool) == Some(true);
    let own = list.iter().find(is_default).or(list.first()).and_then(|agent| agent.get("workspace"));
    let named = own.or_else(|| config.pointer("/agents/defaults/workspace")).and_then(Value::as_str);
    match named.filter(|text| !text.contains("${") && !text.trim().is_empty()) {
        Some(text) => home::user_path(text.trim().as_ref(), &roots.home, cwd),
        None => roots.state_dir.join(match &roots.profile {
            Some(profile) => format!("workspace-{profile}"),
            None => "workspace".to_owned(),
        }),
    }
}

fn memory(workspace: &Path) -> Option<MemorySplit> {
    // By the names in the folder: on a file system that folds case there is one file.
    let names = dir(workspace)?;
    if !names.has("MEMORY.md".as_ref()) || !names.has("memory.md".as_ref()) {
        return None;
    }
    let plain = |name: &str| names.entries.iter().any(|(n, fp)| n == name && fp.kind == Kind::File);
    let (canonical, legacy) = (file(&names.path.join("MEMORY.md"))?, file(&names.path.join("memory.md"))?);
    let differ = (canonical.fp.dev, canonical.fp.ino) != (legacy.fp.dev, legacy.fp.ino);
    (differ && plain("MEMORY.md") && plain("memory.md")).then(|| MemorySplit {
        repair_dir: lstat(&names.path.join(".openclaw-repair")).is_ok(),
        archive_dir: lstat(&names.path.join(".openclaw-repair").join("root-memory")).is_ok(),
        workspace: names.path.clone(),
        canonical,
        legacy,
    })
}

/// Links in the place of the memory: what one writes ends elsewhere, or what one merges is another's.
fn memory_links(workspace: &Path) -> Vec<(PathBuf, PathBuf)> {
    let Some(names) = dir(workspace) else { return Vec::new() };
    let is_link = |name: &&str| names.entries.iter().any(|(n, fp)| n == *name && fp.kind == Kind::Symlink);
    let led = |name: &str| {
        let path = names.path.join(name);
        let to = std::fs::read_link(&path).unwrap_or_default();
        (path, to)
    };
    ["MEMORY.md", "memory.md"].into_iter().filter(is_link).map(led).collect()
}

/// Folders that an earlier migration, ours or the gateway's, could not bring over whole.
fn left_behind(state: &Path) -> Vec<PathBuf> {
    let of = |folder: &Path, prefix: &str| -> Vec<PathBuf> {
        let Some(found) = dir(folder) else { return Vec::new() };
        let wanted = |name: &OsStr| name.to_str().is_some_and(|name| name.starts_with(prefix));
        let here = found.entries.iter().filter(|(name, fp)| fp.kind == Kind::Dir && wanted(name));
        here.map(|(name, _)| folder.join(name)).collect()
    };
    let mut out = of(state, "sessions.legacy-");
    for agent in of(&state.join("agents"), "") {
        out.extend(of(&agent, "agent.legacy-"));
    }
    out
}

fn open_modes(roots: &Roots) -> Vec<(PathBuf, crate::model::fingerprint::Fingerprint)> {
    let real = |path: &Path| path.canonicalize().ok();
    let config = real(&roots.config_path);
    let backup = |n: usize| {
        let mut path = config.clone()?.into_os_string();
        path.push(if n == 0 { ".bak".to_owned() } else { format!(".bak.{n}") });
        Some(PathBuf::from(path))
    };
    [real(&roots.state_dir), config.clone()]
        .into_iter()
        .chain((0..Effect::BACKUPS).map(backup))
        .flatten()
        .filter_map(|path| lstat(&path).ok().map(|fp| (path, fp)))
        .filter(|(_, fp)| cfg!(unix) && fp.mode & 0o077 != 0 && matches!(fp.kind, Kind::Dir | Kind::File))
        .collect()
}

fn newer(roots: &Roots, settings: &Settings) -> Vec<PathBuf> {
    let state = &roots.state_dir;
    let mut migrated = settings.cron.store.value.as_os_str().to_owned();
    migrated.push(".migrated");
    let mut places = vec![PathBuf::from(migrated), state.join("state").join("openclaw.sqlite")];
    let agents = dir(&state.join("agents")).map(|d| d.entries).unwrap_or_default();
    for (name, _) in agents.iter().filter(|(_, fp)| fp.kind == Kind::Dir) {
        let agent = state.join("agents").join(name);
        places.push(agent.join("agent").join("openclaw-agent.sqlite"));
        places.push(agent.join("sessions.sqlite"));
        places.push(agent.join("session-import-archive"));
    }
    places.into_iter().filter(|path| lstat(path).is_ok()).collect()
}

fn unlisted_agents(roots: &Roots, settings: &Settings) -> Vec<(String, Option<i64>)> {
    let agents = roots.state_dir.join("agents");
    let Some(found) = dir(&agents) else { return Vec::new() };
    let listed = |name: &str| settings.agents.iter().any(|a| a.id == name.to_lowercase());
    // A configuration without a list has the one agent that everybody had.
    let several = settings.agents.iter().any(|a| a.id != agent_id::MAIN);
    let mut out = Vec::new();
    for (name, fp) in &found.entries {
        let name = name.to_string_lossy().into_owned();
        let has = |what: &str| lstat(&agents.join(&name).join(what)).is_ok();
        // Before it was listed no more it may have had sessions only.
        let is_agent = has("agent") || (several && has("sessions/sessions.json"));
        if fp.kind != Kind::Dir || listed(&name) || !is_agent {
            continue;
        }
        let newest =
            dir(&agents.join(&name).join("sessions")).and_then(|d| d.entries.iter().map(|(_, fp)| fp.mtime_ms()).max());
        out.push((name, newest));
    }
    out
}
