//! The store set (SAFETY 1): every index that can refer to files of the targets and can be named without a directory
//! pass over the artefact folder.
//!
//! Generous on purpose. A store too many costs one read; a store too few costs somebody's transcripts. A root that
//! cannot be listed goes into the set itself: reading a folder as an index fails, and so ownership is incomplete.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::agents;
use super::store_path::{self, PLACEHOLDER};
use crate::context::Context;
use crate::model::settings::Settings;
use crate::model::stores::{Roots, Target};

/// Paths with each file once, whatever link leads to it.
#[derive(Debug, Default)]
pub(super) struct PathSet {
    seen: HashSet<PathBuf>,
    paths: Vec<PathBuf>,
}

impl PathSet {
    /// Adds `path`; false if the same file is in already.
    pub fn add(&mut self, path: PathBuf) -> bool {
        let new = self.seen.insert(identity(&path));
        if new {
            self.paths.push(path);
        }
        new
    }

    /// Whether the file is in.
    pub fn has(&self, path: &Path) -> bool {
        self.seen.contains(&identity(path))
    }
}

/// What makes two paths the same index: the real path, or for an index that does not exist that of its folder.
fn identity(path: &Path) -> PathBuf {
    if let Ok(real) = path.canonicalize() {
        return real;
    }
    match (path.parent().map(Path::canonicalize), path.file_name()) {
        (Some(Ok(parent)), Some(name)) => parent.join(name),
        _ => path.to_owned(),
    }
}

/// Collects the set; roots that cannot be listed are named in `warnings`.
pub(super) fn collect(
    ctx: &Context,
    roots: &Roots,
    settings: &Settings,
    targets: &[Target],
    warnings: &mut Vec<String>,
) -> Vec<PathBuf> {
    let mut set = PathSet::default();
    let configured = configured_stores(ctx, roots, settings);
    for path in targets.iter().map(|t| &t.store_path).chain(&configured) {
        set.add(path.clone());
    }

    let mut agent_roots = PathSet::default();
    agent_roots.add(store_path::agents_dir(roots));
    for path in targets.iter().map(|t| &t.store_path).chain(&configured) {
        for spelling in [Some(path.clone()), path.canonicalize().ok()].into_iter().flatten() {
            if let Some(root) = store_path::agent_dir(&spelling).and_then(Path::parent) {
                agent_roots.add(root.to_owned());
            }
        }
    }
    for root in agent_roots.paths {
        match agents::folders(&root) {
            Ok(folders) => folders.into_iter().for_each(|f| {
                if !agents::is_absent(&f.store_path) {
                    set.add(f.store_path);
                }
            }),
            Err(e) => {
                warnings.push(unlisted(&root, &e));
                set.add(root);
            }
        }
    }
    if let Some(store) = &settings.session.store {
        add_template_siblings(&store.value, ctx, roots, &mut set, warnings);
    }
    set.paths
}

/// The store of every configured agent, in order.
pub(super) fn configured_stores(ctx: &Context, roots: &Roots, settings: &Settings) -> Vec<PathBuf> {
    settings.agents.iter().map(|a| configured_store(ctx, roots, settings, &a.id)).collect()
}

/// The store of one agent as the configuration has it.
pub(super) fn configured_store(ctx: &Context, roots: &Roots, settings: &Settings, id: &str) -> PathBuf {
    match &settings.session.store {
        Some(template) => store_path::expand(&template.value, id, roots, &ctx.cwd),
        None => store_path::default_path(roots, id),
    }
}

/// A template with `{agentId}` as a whole folder name has one store per folder there, also of agents that are no
/// longer configured.
fn add_template_siblings(template: &str, ctx: &Context, roots: &Roots, set: &mut PathSet, warnings: &mut Vec<String>) {
    let Some((before, after)) = template.split_once(PLACEHOLDER) else { return };
    if !before.ends_with('/') || !after.starts_with('/') {
        return;
    }
    let folder = store_path::expand(before, "", roots, &ctx.cwd);
    let entries = match std::fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(_) if agents::is_absent(&folder) => return,
        Err(e) => {
            warnings.push(unlisted(&folder, &e));
            set.add(folder);
            return;
        }
    };
    let mut found: Vec<PathBuf> = entries
        .filter_map(|e| e.ok()?.file_name().into_string().ok())
        .map(|name| store_path::expand(template, &name, roots, &ctx.cwd))
        .filter(|path| !agents::is_absent(path))
        .collect();
    found.sort();
    for path in found {
        set.add(path);
    }
}

fn unlisted(root: &Path, error: &std::io::Error) -> String {
    format!("cannot list {}: {error}; stores in it cannot be checked for ownership", root.display())
}
