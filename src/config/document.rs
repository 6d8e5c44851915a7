//! A configuration joined from its files, in which every value knows the file that holds it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// Files of values, as a tree that is only as deep as the files differ: a value without a node of its own comes from
/// the file of the nearest node above it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Node {
    /// Index in [`Document::files`].
    pub file: usize,
    /// Members (or positions) that come from elsewhere, or hold something that does.
    pub children: BTreeMap<String, Node>,
}

impl Node {
    /// Everything from one file.
    pub fn of(file: usize) -> Self {
        Self { file, children: BTreeMap::new() }
    }

    /// The node for a member: its own, or all of it from this file.
    pub fn child(&self, name: &str) -> Self {
        self.children.get(name).cloned().unwrap_or_else(|| Self::of(self.file))
    }
}

/// The whole configuration.
#[derive(Debug, Clone)]
pub struct Document {
    /// The value, after includes and substitution.
    pub root: Value,
    /// The main file first, then every included one in the order read.
    pub files: Vec<PathBuf>,
    /// Which value came from which file.
    pub origins: Node,
}

impl Document {
    /// A document of one file.
    pub fn single(path: &Path, root: Value) -> Self {
        Self { root, files: vec![path.to_owned()], origins: Node::of(0) }
    }

    /// The value of a dotted key; positions of arrays are numbers.
    pub fn value(&self, key: &str) -> Option<&Value> {
        key.split('.').try_fold(&self.root, member)
    }

    /// The file that holds the value of a dotted key; `None` if there is no such value.
    pub fn origin_of(&self, key: &str) -> Option<&Path> {
        self.value(key)?;
        Some(self.nearest(key))
    }

    /// The file that holds the value of a dotted key, or that would hold it.
    pub fn nearest(&self, key: &str) -> &Path {
        let mut node = &self.origins;
        for part in key.split('.') {
            match node.children.get(part) {
                Some(child) => node = child,
                None => break,
            }
        }
        self.files.get(node.file).map_or(Path::new(""), PathBuf::as_path)
    }
}

fn member<'a>(value: &'a Value, part: &str) -> Option<&'a Value> {
    match value {
        Value::Object(map) => map.get(part),
        Value::Array(items) => items.get(part.parse::<usize>().ok()?),
        _ => None,
    }
}
