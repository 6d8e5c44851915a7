//! What the tree of entries needs once single lines are mended: circles are cut, and damaged entries that others name as
//! their parent are replaced by placeholders.
//!
//! An append-only file cannot hold a circle: a parent is written before its child. So each circle has a step that leads
//! forward in the file, or to the entry itself, and that step is the wrong one. If an earlier entry has the id that the
//! step names, the later one of that id is the intruder, and it gets an id of its own; otherwise the step becomes a root.
//!
//! A placeholder keeps the undamaged children byte for byte: they name the same parent as before, and it leads on.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io;

use crate::model::mend::{Edit, LeftAlone, MendKind, Mended, Survey};
use crate::store::identity::{identity, identity_of};
use crate::store::lexer::Lexer;
use crate::transcript::record::{IdHash, Parent, Record, hash};
use crate::units::json_text::unescape;

use super::lines::Bytes;

/// Most entries whose parents are followed.
pub const MOST: usize = 1_000_000;
/// Most damaged entries that are remembered.
pub const MOST_LOST: usize = 10_000;
/// Bytes of a record in which its `id` and `parentId` are looked for.
const LOOK: usize = 1 << 20;

/// After so many rounds circles are cut by making roots alone, which ends for certain.
const RENAMING_ROUNDS: u32 = 8;

/// One entry that stays.
#[derive(Debug, Clone, Copy)]
struct Node {
    id: IdHash,
    /// 0: a root.
    parent: IdHash,
    at: u64,
    line: u64,
}

/// A damaged entry that still says who it was.
#[derive(Debug)]
pub struct Lost {
    /// Raw text of its id.
    pub id: Vec<u8>,
    /// Raw text of its parent's id.
    pub parent: Option<Vec<u8>>,
    /// Raw text of its time.
    pub timestamp: Option<Vec<u8>>,
    /// Offset of what is cut.
    pub at: u64,
    /// Bytes that are cut.
    pub bytes: u64,
    /// Physical line.
    pub line: u64,
    /// A placeholder needs a newline before it.
    pub newline_before: bool,
    /// A placeholder needs a newline after it.
    pub newline_after: bool,
}

/// Entries in file order.
#[derive(Debug, Default)]
pub struct Tree {
    nodes: Vec<Node>,
    too_many: bool,
}

impl Tree {
    /// Takes one entry whose record begins at `at`.
    pub fn add(&mut self, record: &Record, line: u64, at: u64) {
        if record.key == 0 {
            return;
        }
        if self.nodes.len() == MOST {
            self.too_many = true;
            return;
        }
        let parent = if let Parent::Id(parent) = record.parent { parent } else { 0 };
        self.nodes.push(Node { id: record.key, parent, at, line });
    }
}

/// Adds what is needed to the survey.
///
/// # Errors
/// What reading gives.
pub fn mend(out: &mut Survey, tree: &Tree, lost: &[Lost], file: &(impl Bytes + ?Sized)) -> io::Result<()> {
    if tree.too_many {
        out.leave(0, 0, format!("more than {MOST} entries: circles are not looked for"));
        return Ok(());
    }
    placeholders(out, tree, lost);
    cycles(out, tree, file)
}

fn placeholders(out: &mut Survey, tree: &Tree, lost: &[Lost]) {
    if lost.is_empty() {
        return;
    }
    let mut wanted: HashSet<IdHash> = tree.nodes.iter().map(|n| n.parent).filter(|p| *p != 0).collect();
    let mut there: HashSet<IdHash> = tree.nodes.iter().map(|n| n.id).collect();
    // From the end: a placeholder can itself be the child of a lost entry before it.
    let mut needed = Vec::new();
    for (ix, lost) in lost.iter().enumerate().rev() {
        let id = hash(&identity_of(&lost.id));
        if wanted.contains(&id) && there.insert(id) {
            needed.push(ix);
            wanted.extend(lost.parent.as_ref().map(|p| hash(&identity_of(p))));
        }
    }
    let by_place: BTreeMap<u64, usize> = out.edits.iter().enumerate().map(|(ix, e)| (e.at, ix)).collect();
    for ix in needed.into_iter().rev() {
        let lost = &lost[ix];
        let Some(edit) = by_place.get(&lost.at).map(|ix| &mut out.edits[*ix]) else { continue };
        edit.put = placeholder(lost).into();
        out.note(Mended {
            kind: MendKind::Placeholder,
            line: lost.line,
            offset: lost.at,
            bytes: lost.bytes,
            detail: Some(format!("entry {}", unescape(&lost.id))),
        });
    }
}

fn placeholder(lost: &Lost) -> Vec<u8> {
    let mut text = Vec::new();
    if lost.newline_before {
        text.push(b'\n');
    }
    text.extend_from_slice(br#"{"type":"custom","customType":"clawkeep.lost-entry","data":{"bytes":"#);
    text.extend_from_slice(lost.bytes.to_string().as_bytes());
    text.extend_from_slice(br#"},"id":""#);
    text.extend_from_slice(&lost.id);
    text.extend_from_slice(br#"","parentId":"#);
    match &lost.parent {
        Some(parent) => {
            text.push(b'"');
            text.extend_from_slice(parent);
            text.push(b'"');
        }
        None => text.extend_from_slice(b"null"),
    }
    text.extend_from_slice(br#","timestamp":""#);
    text.extend_from_slice(lost.timestamp.as_deref().unwrap_or(b"1970-01-01T00:00:00.000Z"));
    text.extend_from_slice(br#""}"#);
    if lost.newline_after {
        text.push(b'\n');
    }
    text
}

/// How a circle is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cut {
    /// The entry becomes a root.
    Root(usize),
    /// The entry gets an id of its own.
    Rename(usize),
}

fn cycles(out: &mut Survey, tree: &Tree, file: &(impl Bytes + ?Sized)) -> io::Result<()> {
    let mut nodes = tree.nodes.clone();
    let cuts = cuts(&mut nodes);
    let mut ids: HashSet<IdHash> = HashSet::new();
    if cuts.iter().any(|cut| matches!(cut, Cut::Rename(_))) {
        ids = tree.nodes.iter().flat_map(|n| [n.id, n.parent]).collect();
    }
    for cut in cuts {
        let (ix, field) = match cut {
            Cut::Root(ix) => (ix, &b"parentId"[..]),
            Cut::Rename(ix) => (ix, &b"id"[..]),
        };
        let node = tree.nodes[ix];
        let Some((at, len, id)) = value(file, node.at, field)? else {
            let why = "it closes a circle of parents, and its fields lie too far apart".to_owned();
            out.leave_it(LeftAlone { line: node.line, offset: node.at, why, grave: true });
            continue;
        };
        let (put, how) = match cut {
            Cut::Root(_) => (b"null".to_vec(), "becomes a root; what came before it is no longer on its branch"),
            Cut::Rename(_) => (fresh_id(&mut ids, node), "gets an id of its own; an earlier entry has its old one"),
        };
        out.edits.push(Edit { at, cut: len, put: put.into() });
        let detail = Some(format!("entry {id} {how}"));
        out.note(Mended { kind: MendKind::Cycle, line: node.line, offset: node.at, bytes: len, detail });
    }
    Ok(())
}

/// Cuts every circle of `nodes`.
fn cuts(nodes: &mut [Node]) -> Vec<Cut> {
    let mut cuts = Vec::new();
    // Renaming changes where a step leads, which may close another circle.
    for round in 0.. {
        let index = Index::of(nodes);
        let circles = circles(nodes, &index);
        if circles.is_empty() {
            break;
        }
        for member in circles {
            let cut = choose(nodes, &index, member, round < RENAMING_ROUNDS);
            match cut {
                Cut::Root(ix) => nodes[ix].parent = 0,
                // No hash of an id is 0, and none leads here any more.
                Cut::Rename(ix) => nodes[ix].id = 0,
            }
            cuts.push(cut);
        }
    }
    cuts
}

/// Entries by id, as positions.
#[derive(Debug)]
struct Index {
    /// Where an id leads: the last entry that has it, as for the gateway.
    last: HashMap<IdHash, u32>,
    /// The first entry that has an id.
    first: HashMap<IdHash, u32>,
    /// The last entry that names an id as its parent.
    last_child: HashMap<IdHash, u32>,
}

impl Index {
    fn of(nodes: &[Node]) -> Self {
        let mut index = Self {
            last: HashMap::with_capacity(nodes.len()),
            first: HashMap::with_capacity(nodes.len()),
            last_child: HashMap::with_capacity(nodes.len()),
        };
        for (node, ix) in nodes.iter().zip(0..) {
            if node.id != 0 {
                index.last.insert(node.id, ix);
                index.first.entry(node.id).or_insert(ix);
            }
            index.last_child.insert(node.parent, ix);
        }
        index
    }

    fn parent(&self, nodes: &[Node], ix: usize) -> Option<usize> {
        self.last.get(&nodes[ix].parent).map(|ix| *ix as usize)
    }
}

/// One member of each circle.
fn circles(nodes: &[Node], index: &Index) -> Vec<usize> {
    let mut seen = vec![0u32; nodes.len()];
    let mut found = Vec::new();
    for (start, walk) in (0..nodes.len()).zip(1u32..) {
        let mut at = Some(start);
        while let Some(ix) = at.filter(|ix| seen[*ix] == 0) {
            seen[ix] = walk;
            at = index.parent(nodes, ix);
        }
        if let Some(ix) = at.filter(|ix| seen[*ix] == walk) {
            found.push(ix);
        }
    }
    found
}

fn choose(nodes: &[Node], index: &Index, member: usize, may_rename: bool) -> Cut {
    let is_before = |map: &HashMap<IdHash, u32>, id, ix: usize| map.get(&id).is_some_and(|at| (*at as usize) < ix);
    let mut forward: Option<usize> = None;
    let mut at = member;
    loop {
        let Some(parent) = index.parent(nodes, at) else { return Cut::Root(at) };
        if parent >= at {
            let has_earlier = is_before(&index.first, nodes[at].parent, at);
            let has_later_child = !is_before(&index.last_child, nodes[parent].id, parent + 1);
            if may_rename && has_earlier && !has_later_child {
                return Cut::Rename(parent);
            }
            // The intruder itself, if there is one; it was written last.
            let cut = if has_earlier { parent } else { at };
            forward = Some(forward.map_or(cut, |other| other.min(cut)));
        }
        at = parent;
        if at == member {
            return Cut::Root(forward.unwrap_or(member));
        }
    }
}

/// Place, length and text of a top-level field of the record at `at`.
pub(super) fn value(file: &(impl Bytes + ?Sized), at: u64, field: &[u8]) -> io::Result<Option<(u64, u64, String)>> {
    let mut buffer = vec![0; LOOK];
    let got = file.read_at(&mut buffer, at)?;
    let text = &buffer[..got];
    let (mut found, mut id) = (None, String::new());
    let mut lexer = Lexer::new(text, 0);
    // What was read before a fault stands: the buffer may end in the middle of the record.
    let _ = lexer.members(|lexer, name| {
        let buf = lexer.buf();
        let name = identity(name, buf);
        let start = lexer.pos();
        let string = lexer.string_or_skip()?;
        if &*name == b"id" {
            id = string.map(|t| t.get(buf).into_owned()).unwrap_or_default();
        }
        if &*name == field {
            found = Some((at + start as u64, (lexer.pos() - start) as u64));
        }
        Ok(())
    });
    Ok(found.map(|(at, len)| (at, len, id)))
}

/// An id that no entry has, as JSON text. The same file gives the same one each time.
fn fresh_id(ids: &mut HashSet<IdHash>, node: Node) -> Vec<u8> {
    for salt in 0u64.. {
        let number = hash(&[node.id.to_le_bytes(), node.at.to_le_bytes(), salt.to_le_bytes()].concat());
        let id = format!("{:08x}", number >> 32);
        if ids.insert(hash(id.as_bytes())) {
            return format!("\"{id}\"").into_bytes();
        }
    }
    Vec::new()
}
