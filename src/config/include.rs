//! `$include` (spec 1.2): joins files into one document.
//!
//! An include may only name files inside the folder of the main configuration, or inside a root of
//! `OPENCLAW_INCLUDE_ROOTS`, in the text of its path and again after links are resolved; regular, with one name, at
//! most 2 MiB. Anything else is an error: the gateway refuses the whole configuration then, and guessing at half of it
//! could mean a shorter retention than the user wrote.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::document::{Document, Node};
use super::file::{self, Content};
use super::{parse, prescan};
use crate::context::Context;
use crate::discover::home;
use crate::error::{Error, Result};

/// The key.
pub const KEY: &str = "$include";
/// Files below the main one on one chain.
const MAX_LEVELS: usize = 10;
/// Largest included file.
const MAX_BYTES: u64 = 2 * 1024 * 1024;
/// Included files altogether: lists of includes that include lists grow without end otherwise.
const MAX_FILES: usize = 1000;
/// Keys that a merge leaves out, as in the gateway.
const UNMERGED: [&str; 3] = ["__proto__", "prototype", "constructor"];

/// Reads the main configuration with everything it includes. `None` if it does not exist.
///
/// # Errors
/// A file cannot be read or parsed, or an include breaks a rule; names both files.
pub fn read(ctx: &Context, home: &Path, path: &Path, warnings: &mut Vec<String>) -> Result<Option<Document>> {
    let Some(content) = file::read(path, file::MAX_BYTES)? else { return Ok(None) };
    let mut joiner = Joiner { roots: allowed_roots(ctx, home, path), files: vec![path.to_owned()], warnings };
    let value = parse::parse(path, &content.bytes, joiner.warnings)?;
    let (root, origins) = joiner.resolve(value, &mut vec![Link { path: path.to_owned(), file: 0 }], 1)?;
    Ok(Some(Document { root, files: joiner.files, origins }))
}

/// A folder that includes may come from: as written, and real.
struct AllowedRoot {
    text: PathBuf,
    real: PathBuf,
}

fn allowed_roots(ctx: &Context, home: &Path, config: &Path) -> Vec<AllowedRoot> {
    let separator = if cfg!(windows) { ';' } else { ':' };
    let extra = ctx.env.text("OPENCLAW_INCLUDE_ROOTS").unwrap_or_default();
    let extra = extra.split(separator).map(str::trim).filter(|r| !r.is_empty());
    let own = config.parent().map(Path::to_owned);
    own.into_iter()
        .chain(extra.map(|r| home::user_path(r.as_ref(), home, &ctx.cwd)))
        .map(|text| AllowedRoot { real: text.canonicalize().unwrap_or_else(|_| text.clone()), text })
        .collect()
}

/// One file of the chain that is being read.
struct Link {
    path: PathBuf,
    file: usize,
}

struct Joiner<'w> {
    roots: Vec<AllowedRoot>,
    files: Vec<PathBuf>,
    warnings: &'w mut Vec<String>,
}

impl Joiner<'_> {
    /// Replaces every `$include` in `value`, which stands `depth` levels deep in the whole.
    fn resolve(&mut self, value: Value, chain: &mut Vec<Link>, depth: usize) -> Result<(Value, Node)> {
        let link = current(chain);
        if depth > prescan::MAX_DEPTH {
            return Err(Error::failed(format!(
                "cannot read {}: nested more than {} levels deep with its includes",
                link.path.display(),
                prescan::MAX_DEPTH
            )));
        }
        let mut node = Node::of(link.file);
        match value {
            Value::Array(items) => {
                let mut out = Vec::with_capacity(items.len());
                for (i, item) in items.into_iter().enumerate() {
                    let (item, child) = self.resolve(item, chain, depth + 1)?;
                    adopt(&mut node, &i.to_string(), child);
                    out.push(item);
                }
                Ok((Value::Array(out), node))
            }
            Value::Object(mut map) => {
                let include = map.shift_remove(KEY);
                let mut out = Map::new();
                for (key, item) in map {
                    let (item, child) = self.resolve(item, chain, depth + 1)?;
                    adopt(&mut node, &key, child);
                    out.insert(key, item);
                }
                match include {
                    Some(include) => self.include(&include, (out, node), chain, depth),
                    None => Ok((Value::Object(out), node)),
                }
            }
            scalar => Ok((scalar, node)),
        }
    }

    /// The included value with the sibling keys merged over it.
    fn include(
        &mut self,
        include: &Value,
        (siblings, siblings_node): (Map<String, Value>, Node),
        chain: &mut Vec<Link>,
        depth: usize,
    ) -> Result<(Value, Node)> {
        let file = current(chain).file;
        let mut joined: Option<(Value, Node)> = None;
        for authored in names(include, &current(chain).path)? {
            let next = self.load(authored, chain, depth)?;
            joined = Some(match joined {
                Some(before) => merge(before, next),
                None => next,
            });
        }
        let joined = joined.unwrap_or_else(|| (Value::Object(Map::new()), Node::of(file)));
        if siblings.is_empty() {
            return Ok(joined);
        }
        if !joined.0.is_object() {
            return Err(Error::failed(format!(
                "{}: keys beside {KEY} need an included object, and {include} is not one",
                current(chain).path.display()
            )));
        }
        Ok(merge(joined, (Value::Object(siblings), siblings_node)))
    }

    /// Reads one included file and resolves it in turn.
    fn load(&mut self, authored: &str, chain: &mut Vec<Link>, depth: usize) -> Result<(Value, Node)> {
        let from = current(chain).path.clone();
        let path = resolved(authored, &from);
        let refuse = |why: &str| {
            Error::failed(format!("{}: cannot include {authored:?} ({}): {why}", from.display(), path.display()))
        };
        if chain.iter().any(|l| l.path == path) {
            let mut names: Vec<String> = chain.iter().map(|l| l.path.display().to_string()).collect();
            names.push(path.display().to_string());
            return Err(refuse(&format!("circular: {}", names.join(" -> "))));
        }
        if chain.len() > MAX_LEVELS {
            return Err(refuse(&format!("more than {MAX_LEVELS} levels of includes")));
        }
        if self.files.len() > MAX_FILES {
            return Err(refuse(&format!("more than {MAX_FILES} included files")));
        }
        let content = self.read_contained(&path).map_err(|why| refuse(&why))?;
        let value = parse::parse(&path, &content.bytes, self.warnings)?;
        let file = self.files.len();
        self.files.push(path.clone());
        chain.push(Link { path, file });
        let resolved = self.resolve(value, chain, depth);
        chain.pop();
        resolved
    }

    fn read_contained(&self, path: &Path) -> Result<Content, String> {
        if !self.roots.iter().any(|r| path.starts_with(&r.text)) {
            return Err("outside the folder of the configuration and of OPENCLAW_INCLUDE_ROOTS".to_owned());
        }
        let real = path.canonicalize().map_err(|e| e.to_string())?;
        if !self.roots.iter().any(|r| real.starts_with(&r.real)) {
            return Err(format!("leads outside the allowed folders, to {}", real.display()));
        }
        let content = file::read(&real, MAX_BYTES).map_err(|e| e.message)?.ok_or("no such file")?;
        if hard_linked(&content.meta) {
            return Err("it has more than one name (hard link)".to_owned());
        }
        Ok(content)
    }
}

/// The file that is being read now. A chain always starts with the main configuration.
fn current(chain: &[Link]) -> &Link {
    chain.last().expect("the chain starts with the main configuration")
}

/// The file names of an `$include`.
pub(super) fn names<'a>(include: &'a Value, path: &Path) -> Result<Vec<&'a str>> {
    let bad = |what: &Value| {
        Error::failed(format!(
            "{}: {KEY} needs a file name or a list of file names, not {}",
            path.display(),
            super::reader::shown(what)
        ))
    };
    match include {
        Value::String(name) => Ok(vec![name]),
        Value::Array(items) => items.iter().map(|i| i.as_str().ok_or_else(|| bad(i))).collect(),
        other => Err(bad(other)),
    }
}

/// The path of an included file, as written in `from`.
pub(super) fn resolved(authored: &str, from: &Path) -> PathBuf {
    home::absolute(Path::new(authored), from.parent().unwrap_or(Path::new("/")))
}

/// The deep merge of values alone.
pub(super) fn merge_values(below: Value, above: Value) -> Value {
    merge((below, Node::of(0)), (above, Node::of(0))).0
}

/// Keeps a child node only where it says something its parent does not.
fn adopt(parent: &mut Node, name: &str, child: Node) {
    if child.file != parent.file || !child.children.is_empty() {
        parent.children.insert(name.to_owned(), child);
    }
}

/// Deep merge: objects recurse, arrays are joined, otherwise the later value wins.
fn merge((below, below_node): (Value, Node), (above, above_node): (Value, Node)) -> (Value, Node) {
    let mut node = Node::of(above_node.file);
    match (below, above) {
        (Value::Object(mut out), Value::Object(over)) => {
            for (key, _) in &out {
                adopt(&mut node, key, below_node.child(key));
            }
            for (key, value) in over {
                if UNMERGED.contains(&key.as_str()) {
                    continue;
                }
                let above_child = above_node.child(&key);
                let (value, child) = match out.get_mut(&key) {
                    Some(slot) => merge((slot.take(), below_node.child(&key)), (value, above_child)),
                    None => (value, above_child),
                };
                node.children.remove(&key);
                adopt(&mut node, &key, child);
                out.insert(key, value);
            }
            (Value::Object(out), node)
        }
        (Value::Array(mut out), Value::Array(more)) => {
            let first = out.len();
            for i in 0..first {
                let name = i.to_string();
                adopt(&mut node, &name, below_node.child(&name));
            }
            for (i, value) in more.into_iter().enumerate() {
                adopt(&mut node, &(first + i).to_string(), above_node.child(&i.to_string()));
                out.push(value);
            }
            (Value::Array(out), node)
        }
        (_, above) => (above, above_node),
    }
}

#[cfg(unix)]
fn hard_linked(meta: &std::fs::Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(meta) > 1
}

#[cfg(not(unix))]
fn hard_linked(_meta: &std::fs::Metadata) -> bool {
    false
}

#[cfg(test)]
#[path = "include_tests.rs"]
mod tests;
