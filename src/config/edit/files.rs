//! A configuration of several files: a key is changed in the file that holds it.
//!
//! A change is a function on the joined value. It is carried out on each file by itself, put at the place where the file
//! is included; then the new files are joined again, and only if that gives the value that the function makes of the whole
//! are they accepted. So an include is never flattened, nothing moves from one file to another, and what cannot be done
//! that way is refused.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::verify::{self, Edited};
use crate::config::include::{self, KEY};

/// Marks a position of an array in a way; no name of a member begins with it.
const ELEMENT: char = '\u{0}';

/// A file with its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The path by which the configuration names it.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
}

/// The files of a configuration, the main one first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sources(pub Vec<Source>);

/// For each file the ways, made of names and positions, to the places where it is included.
pub type Mounts = Vec<Vec<Vec<String>>>;

/// The files read and joined.
#[derive(Debug, Clone)]
pub struct Joined {
    /// The whole value, in the terms of [`super::tree`].
    pub root: Value,
    /// The value of each file.
    pub values: Vec<Value>,
    /// Where each file is included.
    pub mounts: Mounts,
}

impl Sources {
    /// Reads and joins.
    ///
    /// # Errors
    /// One sentence: a file is not JSON5, or an include leads to a file that is not among these.
    pub fn joined(&self) -> Result<Joined, String> {
        let read = |s: &Source| match verify::read(&s.text) {
            Ok(tree) => Ok(tree.root.value()),
            Err(why) => Err(format!("{}: {why}", s.path.display())),
        };
        let values = self.0.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let (root, mounts) = self.join(&values)?;
        Ok(Joined { root, values, mounts })
    }

    fn join(&self, values: &[Value]) -> Result<(Value, Mounts), String> {
        let mut walk = Walk { sources: self, values, mounts: vec![Vec::new(); values.len()], open: Vec::new() };
        let root = if values.is_empty() { Value::Object(Map::new()) } else { walk.file(0, &[])? };
        Ok((root, walk.mounts))
    }

    /// Carries out a change of the whole value on the files.
    ///
    /// # Errors
    /// One sentence: it cannot be done file by file, or an edit cannot be proven. Nothing is changed then.
    pub fn change(&self, change: &dyn Fn(&mut Value)) -> Result<Vec<(usize, Edited)>, String> {
        let joined = self.joined()?;
        let mut wanted = joined.root.clone();
        change(&mut wanted);
        if wanted == joined.root {
            return Ok(Vec::new());
        }
        let new: Vec<Value> =
            (0..joined.values.len()).map(|at| alone(&joined.values[at], &joined.mounts[at], change)).collect();
        let (root, _) = self.join(&new)?;
        let new = if root == wanted { Some(new) } else { self.in_one_file(&joined, &wanted) };
        let Some(new) = new else {
            return Err("it concerns several files at once, and no value is moved from one file to another".to_owned());
        };
        let mut edits = Vec::new();
        for (at, value) in new.iter().enumerate().filter(|(at, value)| **value != joined.values[*at]) {
            let edited =
                verify::edit(&self.0[at].text, value).map_err(|why| format!("{}: {why}", self.0[at].path.display()))?;
            edits.push((at, edited));
        }
        Ok(edits)
    }

    /// A change that only adds members, because of what other files say, is one of the file that is to hold them.
    fn in_one_file(&self, joined: &Joined, wanted: &Value) -> Option<Vec<Value>> {
        (0..joined.values.len()).find_map(|at| {
            let [mount] = joined.mounts[at].as_slice() else { return None };
            let (old, new) = (at_way(&joined.root, mount)?, at_way(wanted, mount)?);
            let mut values = joined.values.clone();
            add_members(&mut values[at], old, new)?;
            let (root, _) = self.join(&values).ok()?;
            (root == *wanted).then_some(values)
        })
    }

    /// Takes edits over.
    pub fn accept(&mut self, edits: Vec<(usize, Edited)>) {
        for (at, edited) in edits {
            self.0[at].text = edited.text;
        }
    }
}

/// The change of one file alone. A file that is included at several places is changed only if it comes to the same at each
/// of them.
fn alone(value: &Value, mounts: &[Vec<String>], change: &dyn Fn(&mut Value)) -> Value {
    let mut results = mounts.iter().map(|mount| {
        let frame = wrapped(Value::Null, mount);
        let mut whole = wrapped(value.clone(), mount);
        change(&mut whole);
        let new = at_mut(&mut whole, mount).map(std::mem::take);
        new.filter(|_| whole == frame).unwrap_or_else(|| value.clone())
    });
    let first = results.next().unwrap_or_else(|| value.clone());
    if results.all(|other| other == first) { first } else { value.clone() }
}

/// A value with nothing round it but the way that leads to it.
fn wrapped(value: Value, way: &[String]) -> Value {
    way.iter().rev().fold(value, |inner, name| match name.strip_prefix(ELEMENT).and_then(|n| n.parse::<usize>().ok()) {
        Some(at) => {
            let mut items = vec![Value::Null; at];
            items.push(inner);
            Value::Array(items)
        }
        None => Value::Object(Map::from_iter([(name.clone(), inner)])),
    })
}

fn at_mut<'v>(value: &'v mut Value, way: &[String]) -> Option<&'v mut Value> {
    way.iter().try_fold(value, |value, name| match (value, name.strip_prefix(ELEMENT)) {
        (Value::Array(items), Some(at)) => items.get_mut(at.parse::<usize>().ok()?),
        (Value::Object(map), _) => map.get_mut(name),
        _ => None,
    })
}

fn at_way<'v>(value: &'v Value, way: &[String]) -> Option<&'v Value> {
    way.iter().try_fold(value, |value, name| match (value, name.strip_prefix(ELEMENT)) {
        (Value::Array(items), Some(at)) => items.get(at.parse::<usize>().ok()?),
        (Value::Object(map), _) => map.get(name),
        _ => None,
    })
}

/// Gives `target` the members that `new` has and `old` has not; `None` if they differ in anything else.
fn add_members(target: &mut Value, old: &Value, new: &Value) -> Option<()> {
    let (Value::Object(old), Value::Object(new)) = (old, new) else { return (old == new).then_some(()) };
    if old.keys().any(|key| !new.contains_key(key)) {
        return None;
    }
    for (key, value) in new {
        match old.get(key) {
            Some(same) if same == value => {}
            Some(below) => add_members(target.as_object_mut()?.get_mut(key)?, below, value)?,
            None => drop(target.as_object_mut()?.insert(key.clone(), value.clone())),
        }
    }
    Some(())
}

struct Walk<'a> {
    sources: &'a Sources,
    values: &'a [Value],
    mounts: Mounts,
    open: Vec<usize>,
}

impl Walk<'_> {
    fn file(&mut self, at: usize, way: &[String]) -> Result<Value, String> {
        if self.open.contains(&at) {
            return Err(format!("{} includes itself", self.sources.0[at].path.display()));
        }
        self.mounts[at].push(way.to_vec());
        self.open.push(at);
        let value = self.resolve(&self.values[at], way);
        self.open.pop();
        value
    }

    fn resolve(&mut self, value: &Value, way: &[String]) -> Result<Value, String> {
        let below = |name: String| [way, &[name]].concat();
        match value {
            Value::Array(items) => {
                let items =
                    items.iter().enumerate().map(|(at, item)| self.resolve(item, &below(format!("{ELEMENT}{at}"))));
                Ok(Value::Array(items.collect::<Result<_, _>>()?))
            }
            Value::Object(map) => {
                let mut siblings = Map::new();
                for (key, item) in map.iter().filter(|(key, _)| *key != KEY) {
                    siblings.insert(key.clone(), self.resolve(item, &below(key.clone()))?);
                }
                match map.get(KEY) {
                    None => Ok(Value::Object(siblings)),
                    Some(names) => self.include(names, siblings, way),
                }
            }
            scalar => Ok(scalar.clone()),
        }
    }

    fn include(&mut self, names: &Value, siblings: Map<String, Value>, way: &[String]) -> Result<Value, String> {
        let from = self.open.last().map_or(Path::new(""), |at| &self.sources.0[*at].path).to_owned();
        let mut joined: Option<Value> = None;
        for name in include::names(names, &from).map_err(|e| e.message)? {
            let path = include::resolved(name, &from);
            let found = self.sources.0.iter().position(|s| s.path == path);
            let at = found.ok_or_else(|| format!("{} is not read", path.display()))?;
            let next = self.file(at, way)?;
            joined = Some(match joined {
                Some(before) => include::merge_values(before, next),
                None => next,
            });
        }
        let joined = joined.unwrap_or_else(|| Value::Object(Map::new()));
        if siblings.is_empty() {
            return Ok(joined);
        }
        Ok(include::merge_values(joined, Value::Object(siblings)))
    }
}
