//! What the tree of entries needs once single lines are mended: circles are cut, and damaged entries that others name as
//! their parent are replaced by placeholders.
//!
//! An append-only file cannot hold a circle: a parent is written before its child. So each circle has a step that leads
//! forward in the file, or to the entry itself, and that step is the wrong one. If an earlier entry has the id that the
//! step names, the later one of that id is the intruder, and it gets an id of its own; otherwise the step becomes a root.
//!
//! A placeholder keeps the undamaged children byte for byte: they name the same parent as before, and it leads on.

use std::collections::HashSet;
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
pub fn mend(out: &mut Survey, tree: Tree, lost: &[Lost], file: &(impl Bytes + ?Sized)) -> io::Result<()> {
    if tree.too_many {
        out.leave(0, 0, format!("more than {MOST} entries: circles are not looked for"));
        return Ok(());
    }
    placeholders(out, &tree, lost);
    cycles(out, tree.nodes, file)
}

fn placeholders(out: &mut Survey, tree: &Tree, lost: &[Lost]) {
    if lost.is_empty() {
        return;
    }
    // Of all entries only those count that have to do with a lost one.
    let ids: HashSet<IdHash> = lost.iter().map(|lost| hash(&identity_of(&lost.id))).collect();
    let among = |id: &IdHash| ids.contains(id);
    let mut wanted: HashSet<IdHash> = tree.nodes.iter().map(|n| n.parent).filter(among).collect();
    let mut there: HashSet<IdHash> = tree.nodes.iter().map(|n| n.id).filter(among).collect();
    // From the end: a placeholder can itself be the child of a lost entry before it.
    let mut needed = Vec::new();
    for (ix, lost) in lost.iter().enumerate().rev() {
        let id = hash(&identity_of(&lost.id));
        if wanted.contains(&id) && there.insert(id) {
            needed.push(ix);
            wanted.extend(lost.parent.as_ref().map(|p| hash(&identity_of(p))));
        }
    }
    for ix in needed.into_iter().rev() {
        let lost = &lost[ix];
        let behind = out.edits.partition_point(|e| e.at <= lost.at);
        let Some(edit) = out.edits[..behind].last_mut().filter(|e| e.at == lost.at) else { continue };
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
    Root,
    /// The entry gets an id of its own.
    Rename,
}

fn cycles(out: &mut Survey, mut nodes: Vec<Node>, file: &(impl Bytes + ?Sized)) -> io::Result<()> {
    let cuts = cuts(&mut nodes);
    let mut ids = Ids::default();
    if cuts.iter().any(|(cut, _)| *cut == Cut::Rename) {
        ids = Ids::of(&nodes, cuts.iter().map(|(_, node)| node));
    }
    for (cut, node) in cuts {
        let field = match cut {
            Cut::Root => &b"parentId"[..],
            Cut::Rename => &b"id"[..],
        };
        let Some((at, len, id)) = value(file, node.at, field)? else {
            let why = "it closes a circle of parents, and its fields lie too far apart".to_owned();
            out.leave_it(LeftAlone { line: node.line, offset: node.at, why, grave: true });
            continue;
        };
        let (put, how) = match cut {
            Cut::Root => (b"null".to_vec(), "becomes a root; what came before it is no longer on its branch"),
            Cut::Rename => (ids.fresh(node), "gets an id of its own; an earlier entry has its old one"),
        };
        out.edits.push(Edit { at, cut: len, put: put.into() });
        let detail = Some(format!("entry {id} {how}"));
        out.note(Mended { kind: MendKind::Cycle, line: node.line, offset: node.at, bytes: len, detail });
    }
    Ok(())
}

/// Cuts every circle of `nodes`. Each cut comes with the entry as it was before it.
fn cuts(nodes: &mut [Node]) -> Vec<(Cut, Node)> {
    let mut cuts = Vec::new();
    // Renaming changes where a step leads, which may close another circle.
    for round in 0.. {
        let index = Index::of(nodes);
        // Circles have no entry in common, so that no cut changes what another one is chosen by.
        let chosen: Vec<(Cut, usize)> =
            circles(&index).into_iter().map(|member| choose(&index, member, round < RENAMING_ROUNDS)).collect();
        if chosen.is_empty() {
            break;
        }
        for (cut, ix) in chosen {
            cuts.push((cut, nodes[ix]));
            match cut {
                Cut::Root => nodes[ix].parent = 0,
                // No hash of an id is 0, and none leads here any more.
                Cut::Rename => nodes[ix].id = 0,
            }
        }
    }
    cuts
}

/// Entries by their ids, as positions: 8 bytes an entry.
#[derive(Debug)]
struct Index<'a> {
    nodes: &'a [Node],
    /// Sorted by id, then by place in the file.
    by_id: Vec<u32>,
    /// Sorted by the id of the parent, then by place in the file.
    by_parent: Vec<u32>,
}

impl<'a> Index<'a> {
    fn of(nodes: &'a [Node]) -> Self {
        let sorted = |id: fn(&Node) -> IdHash| {
            let mut list: Vec<u32> = (0..).take(nodes.len()).collect();
            list.sort_unstable_by_key(|ix| (id(&nodes[*ix as usize]), *ix));
            list
        };
        Self { nodes, by_id: sorted(|node| node.id), by_parent: sorted(|node| node.parent) }
    }

    /// The last entry with this id: the one that counts for the gateway.
    fn last(&self, id: IdHash) -> Option<usize> {
        let behind = self.by_id.partition_point(|ix| self.nodes[*ix as usize].id <= id);
        let ix = *self.by_id[..behind].last()? as usize;
        (id != 0 && self.nodes[ix].id == id).then_some(ix)
    }

    /// Whether an entry before `ix` has this id.
    fn is_before(&self, id: IdHash, ix: usize) -> bool {
        let first = self.by_id.partition_point(|ix| self.nodes[*ix as usize].id < id);
        let first = self.by_id.get(first).map(|ix| *ix as usize).filter(|ix| self.nodes[*ix].id == id);
        id != 0 && first.is_some_and(|first| first < ix)
    }

    /// Whether no entry from `ix` on names this id as its parent, and an earlier one does.
    fn is_last_child_before(&self, id: IdHash, ix: usize) -> bool {
        let behind = self.by_parent.partition_point(|ix| self.nodes[*ix as usize].parent <= id);
        let last = self.by_parent[..behind].last().map(|ix| *ix as usize);
        last.is_some_and(|last| self.nodes[last].parent == id && last < ix)
    }

    fn parent(&self, ix: usize) -> Option<usize> {
        self.last(self.nodes[ix].parent)
    }
}

/// One member of each circle.
fn circles(index: &Index<'_>) -> Vec<usize> {
    let mut seen = vec![0u32; index.nodes.len()];
    let mut found = Vec::new();
    for (start, walk) in (0..seen.len()).zip(1u32..) {
        let mut at = Some(start);
        while let Some(ix) = at.filter(|ix| seen[*ix] == 0) {
            seen[ix] = walk;
            at = index.parent(ix);
        }
        if let Some(ix) = at.filter(|ix| seen[*ix] == walk) {
            found.push(ix);
        }
    }
    found
}

fn choose(index: &Index<'_>, member: usize, may_rename: bool) -> (Cut, usize) {
    let mut forward: Option<usize> = None;
    let mut at = member;
    loop {
        let Some(parent) = index.parent(at) else { return (Cut::Root, at) };
        if parent >= at {
            let has_earlier = index.is_before(index.nodes[at].parent, at);
            let has_later_child = !index.is_last_child_before(index.nodes[parent].id, parent + 1);
            if may_rename && has_earlier && !has_later_child {
                return (Cut::Rename, parent);
            }
            // The intruder itself, if there is one; it was written last.
            let cut = if has_earlier { parent } else { at };
            forward = Some(forward.map_or(cut, |other| other.min(cut)));
        }
        at = parent;
        if at == member {
            return (Cut::Root, forward.unwrap_or(member));
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

/// Ids that are taken.
#[derive(Debug, Default)]
struct Ids {
    /// Those of the file, sorted.
    old: Vec<IdHash>,
    new: HashSet<IdHash>,
}

impl Ids {
    /// Of entries and of what they name; `cut` are entries as they were.
    fn of<'a>(nodes: &[Node], cut: impl Iterator<Item = &'a Node>) -> Self {
        let mut old = Vec::with_capacity(2 * nodes.len());
        old.extend(nodes.iter().flat_map(|n| [n.id, n.parent]));
        old.sort_unstable();
        old.dedup();
        Self { old, new: cut.flat_map(|n| [n.id, n.parent]).collect() }
    }

    /// An id that no entry has, as JSON text. The same file gives the same one each time.
    fn fresh(&mut self, node: Node) -> Vec<u8> {
        for salt in 0u64.. {
            let number = hash(&[node.id.to_le_bytes(), node.at.to_le_bytes(), salt.to_le_bytes()].concat());
            let id = format!("{:08x}", number >> 32);
            let taken = hash(id.as_bytes());
            if self.old.binary_search(&taken).is_err() && self.new.insert(taken) {
                return format!("\"{id}\"").into_bytes();
            }
        }
        Vec::new()
    }
}
