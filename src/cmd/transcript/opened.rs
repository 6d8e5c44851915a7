//! An opened transcript with its index, and what is said about it as a whole.

use crate::cache;
use crate::cli::GlobalFlags;
use crate::cli::transcript::OneTranscript;
use crate::cli::transcript_read::CacheArgs;
use crate::cmd::transcript::target::{self, Chosen};
use crate::context::Context;
use crate::error::{Error, Kind as ErrorKind, Result};
use crate::model::conversation::{Head, Opening, SCHEMA_VERSION};
use crate::model::transcript::{IdKind, Kind, Role};
use crate::report::cleanup::items::class_word;
use crate::report::escape;
use crate::report::progress::Progress;
use crate::transcript::entries::{Entry, SCALAR};
use crate::transcript::index::{First, Index};
use crate::transcript::node::Node;
use crate::transcript::reader::Records;
use crate::transcript::source::Source;
use crate::transcript::tree::{self, Leaf, Path, Tree};
use crate::transcript::{present, usage};

/// A transcript, open and indexed.
#[derive(Debug)]
pub struct Opened {
    /// Which one.
    pub chosen: Chosen,
    /// Its bytes.
    pub source: Source,
    /// Its entries.
    pub index: Index,
}

/// Finds, opens and indexes a transcript.
///
/// # Errors
/// It cannot be found or read; the run was asked to stop.
pub fn open(ctx: &mut Context, g: &GlobalFlags, one: &OneTranscript, cache: CacheArgs) -> Result<Opened> {
    let chosen = target::one(ctx, g, one)?;
    let source = chosen.open(ctx)?;
    let index = index(ctx, &source, !cache.no_cache)?;
    Ok(Opened { chosen, source, index })
}

/// The index of an open transcript.
///
/// # Errors
/// It cannot be read; the run was asked to stop.
pub fn index(ctx: &Context, source: &Source, use_cache: bool) -> Result<Index> {
    let bar = Progress::bar(ctx, "reading", source.size);
    let mut went_on = |read: u64| {
        bar.advance(read);
        ctx.cancel.get().is_none()
    };
    let index = cache::index::load(ctx, source, use_cache, &mut went_on);
    match index.map_err(|e| Error::io("read", &source.path, e))? {
        Some(index) => Ok(index),
        None => Err(Error::new(ErrorKind::Interrupted, "interrupted")),
    }
}

/// What is said about a transcript as a whole. `whole`: all of it was indexed, not only its end.
///
/// # Errors
/// What reading gives.
pub fn head(
    opened: &Chosen,
    source: &Source,
    tree: &Tree<'_>,
    active: &Path,
    whole: bool,
    records: &mut Records<'_>,
) -> Result<Head> {
    let io = |e| Error::io("read", &source.path, e);
    let index = tree.index;
    let mut head = Head {
        record: "transcript",
        schema_version: SCHEMA_VERSION,
        path: escape::path(&opened.path),
        bytes: source.size,
        class: class_word(opened.class),
        agent_id: opened.found.as_ref().map(|found| found.target.agent_id.clone()),
        key: opened.found.as_ref().and_then(|found| found.key.clone()),
        session_id: None,
        version: None,
        started_at: None,
        cwd: None,
        parent_session: None,
        name: None,
        lines: whole.then_some(index.lines),
        values: whole.then_some(index.values),
        entries: whole.then_some((index.entries.len() as u64 + index.entries.dropped) - index.faults.recovered),
        recovered: index.faults.recovered,
        leaf_id: None,
        active_entries: whole.then_some(active.entries.len() as u64),
        roots: whole.then(|| tree.roots().len() as u64),
        gateway: Opening::Reads,
        last_usage: None,
        notes: Vec::new(),
        related: Vec::new(),
    };
    let first = if whole { index.first } else { first_line(source).map_err(io)? };
    if let First::Header(header) = first {
        let record = source.record(header.place.at, header.place.len).map_err(io)?;
        if let Some(node) = Node::new(&record.text, &record.cuts) {
            let text = |name: &str| node.text_of(name).map(|text| text.into_owned());
            head.session_id = text("id");
            head.started_at = text("timestamp");
            head.cwd = text("cwd");
            head.parent_session = text("parentSession");
        }
        head.version = Some(header.version);
    }
    head.gateway = opening(tree, first);
    from_entries(&mut head, tree, active, whole, records).map_err(io)?;
    notes(&mut head, tree, active, first, whole);
    Ok(head)
}

/// The first value, when only the end of the file was indexed.
fn first_line(source: &Source) -> std::io::Result<First> {
    const HEAD: usize = 8192;
    let bytes = source.bytes(0, HEAD)?;
    if (bytes.len() as u64) < source.size && memchr::memchr(b'\n', &bytes).is_none() {
        // A header longer than what was read: the line decides.
        let record = source.record(0, u64::from(u32::MAX))?;
        return Ok(Index::of_end(&record.text, 0)?.first);
    }
    Ok(Index::of_end(&bytes, 0)?.first)
}

fn opening(tree: &Tree<'_>, first: First) -> Opening {
    match tree::opening(first, &tree.index.faults) {
        tree::Opening::Wipes => Opening::Wipes,
        tree::Opening::Throws => Opening::Throws,
        // Bringing the first version up to date sets fields, which only objects and lists have.
        tree::Opening::Reads if tree.index.version() < 2 && tree.index.entries.iter().any(|e| e.is(SCALAR)) => {
            Opening::Throws
        }
        tree::Opening::Reads if tree.path(tree.leaf().context()).cycle.is_some() => Opening::Hangs,
        tree::Opening::Reads => Opening::Reads,
    }
}

fn from_entries(
    head: &mut Head,
    tree: &Tree<'_>,
    active: &Path,
    whole: bool,
    records: &mut Records<'_>,
) -> std::io::Result<()> {
    let entry = |at: u32| tree.index.entries.get(at);
    if let Some(at) = tree.leaf().entry() {
        let migrated = tree.index.version() < 2;
        head.leaf_id = records.at(entry(at), |node| node.and_then(|n| present::id(&n, "id")))?;
        if migrated {
            head.leaf_id = Some(made_up_id(entry(at)));
        }
    }
    if let Some(at) = tree.last_of(Kind::SessionInfo).filter(|_| whole) {
        let name = records.at(entry(at), |node| node.and_then(|n| n.text_of("name").map(|t| t.trim().to_owned())))?;
        head.name = name.filter(|name| !name.is_empty());
    }
    for at in active.entries.iter().rev().filter(|at| entry(**at).role() == Role::Assistant).take(20) {
        let used = records.at(entry(*at), |node| usage::of(&node?.get("message")?.get("usage")?))?;
        if let Some(used) = used.filter(|used| !used.is_zero()) {
            head.last_usage = Some(used);
            break;
        }
    }
    Ok(())
}

/// How an entry of a first-version file is called: such a file has no ids before the gateway opens it.
pub fn made_up_id(entry: &Entry) -> String {
    format!("line-{}", entry.line)
}

fn notes(head: &mut Head, tree: &Tree<'_>, active: &Path, first: First, whole: bool) {
    let faults = &tree.index.faults;
    let mut note = |text: String| head.notes.push(text);
    match (head.gateway, first) {
        (Opening::Wipes, First::Nothing) => {
            note("there is no record at all: the gateway starts the file anew".to_owned())
        }
        (Opening::Wipes, _) => {
            note(
                "the first record is no session header: the gateway would discard everything and start the file anew"
                    .into(),
            );
        }
        (Opening::Throws, _) if !whole => note("a line is null: the gateway fails to open the file".to_owned()),
        (Opening::Throws, _) if faults.first_null == 0 => {
            note("a value that is no record: the gateway fails to bring the first version up to date".to_owned());
        }
        (Opening::Throws, _) => note(format!("line {} is null: the gateway fails to open the file", faults.first_null)),
        (Opening::Hangs, _) => {
            note("the parents of the leaf run in a circle: the gateway would never return from reading it".to_owned());
        }
        (Opening::Reads, _) => {}
    }
    if faults.bad > 0 && whole {
        let at = faults.first_bad;
        note(format!("{} cannot be read, the first is line {at}", crate::report::plural::count(faults.bad, "line")));
    }
    if faults.recovered > 0 {
        note(format!(
            "{} on such lines are whole but not seen by the gateway; transcript show --recovered shows them",
            crate::report::plural::count(faults.recovered, "record")
        ));
    }
    if faults.torn_tail {
        note("the last line is torn".to_owned());
    }
    if active.cut && whole {
        note(format!("of more than {} entries only the newest are followed", crate::transcript::entries::MOST));
    } else if active.dangling && whole {
        note("the active branch begins at an entry whose parent is not in the file".to_owned());
    }
    match tree.leaf() {
        Leaf::Unnamed(_) => note("the last entry has no usable id: the gateway sees no active branch".to_owned()),
        Leaf::Null(_) => note("the id of the last entry is null: the gateway has an empty context".to_owned()),
        Leaf::Nothing | Leaf::At(_) => {}
    }
    if tree.leaf().entry().is_some_and(|at| tree.index.entries.get(at).kind() == Kind::Leaf) {
        note("the last entry moves the leaf; only gateways newer than 2026.5.12 follow it".to_owned());
    }
    if whole && !tree.index.entries.is_empty() && linear(tree) {
        note("no entry has a parentId: the gateway's model context is the last entry alone".to_owned());
    }
    if head.version.is_some_and(|version| version > 3) {
        note("the format is newer than version 3: it is only read".to_owned());
    }
}

fn linear(tree: &Tree<'_>) -> bool {
    use crate::transcript::entries::{HAS_PARENT, NON_OBJECT};
    tree.index.version() >= 2
        && tree.index.entries.len() > 1
        && tree.index.entries.iter().all(|e| !e.is(HAS_PARENT) && !e.is(NON_OBJECT) && e.named() == IdKind::Usable)
}
