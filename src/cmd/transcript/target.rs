//! From what a user typed to a transcript: a path, a session key, a session id, or the name of a file in a sessions folder.
//!
//! A path is taken as it is and nothing else is read: no configuration, no index. Anything else is looked for in the chosen
//! stores, or in those of all agents if none was chosen: first as a key, then as a session id, then as a file name. A session
//! whose transcript is gone is found as its newest archive. Two answers are none: the user is asked to choose.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::cache;
use crate::cli::GlobalFlags;
use crate::cli::select::SelectArgs;
use crate::cli::transcript::OneTranscript;
use crate::cmd::start::{self, Start};
use crate::context::{Context, Level};
use crate::error::{Error, Kind, Result};
use crate::model::Ms;
use crate::model::folder::{Artefact, Class, FolderFacts};
use crate::model::index::{IndexFacts, IndexState, Row};
use crate::model::stores::{Target, TargetOrigin};
use crate::order::Order as _;
use crate::report::{command, escape};
use crate::scan::{facts, folder, names};
use crate::store;
use crate::transcript::locate;
use crate::transcript::names as transcript_names;
use crate::transcript::source::Source;

/// A transcript that was chosen.
#[derive(Debug, Clone)]
pub struct Chosen {
    /// Its real path: links are followed once, here.
    pub path: PathBuf,
    /// What its name says, a trailing `.zst` left out.
    pub class: Class,
    /// The part of the name that names the session file.
    pub stem: String,
    /// Time in the name of an archive.
    pub stamp: Option<Ms>,
    /// Where it was found; `None` for a path.
    pub found: Option<Found>,
}

/// The place of a transcript that was looked for.
#[derive(Debug, Clone)]
pub struct Found {
    /// The store.
    pub target: Target,
    /// Key of its row.
    pub key: Option<String>,
    /// Session id of its row.
    pub session_id: Option<String>,
}

impl Chosen {
    /// The transcript at a path; links are followed.
    ///
    /// # Errors
    /// Nothing is there.
    pub fn at(path: &Path) -> Result<Self> {
        let real = path.canonicalize().map_err(|e| Error::io("open", path, e))?;
        if real.is_dir() {
            let shown = real.display();
            let quoted = command::quote(&real.to_string_lossy()).into_owned();
            return Err(Error::failed(format!("{shown} is a folder, and this reads one transcript"))
                .hint(format!("clawkeep transcript stats {quoted}")));
        }
        let name = real.file_name().unwrap_or_default();
        let plain = OsStr::new(name.to_str().and_then(|n| n.strip_suffix(".zst")).unwrap_or_default());
        let name = if plain.is_empty() { name } else { plain };
        let named = names::classify(name, None);
        let stem = &name.as_encoded_bytes()[..usize::from(named.stem_len)];
        let stem = String::from_utf8_lossy(stem).into_owned();
        Ok(Self { path: real, class: named.class, stem, stamp: named.stamp, found: None })
    }

    /// Refuses what is something else by its name: nothing that a transcript must have is missing in it.
    ///
    /// # Errors
    /// An index, a trajectory, a lock, or a copy of one.
    pub fn refuse_other(&self) -> Result<()> {
        match self.class {
            Class::Index
            | Class::IndexBackup
            | Class::Trajectory
            | Class::TrajectoryPointer
            | Class::Lock
            | Class::Damaged
            | Class::Own => Err(self.no_transcript()),
            _ => Ok(()),
        }
    }

    /// The refusal of a file that is no transcript.
    pub fn no_transcript(&self) -> Error {
        Error::failed(format!("{} is no transcript", self.path.display()))
    }

    /// Opens it.
    ///
    /// # Errors
    /// What [`Source::open`] gives.
    pub fn open(&self, ctx: &Context) -> Result<Source> {
        Source::open(&self.path, &cache::folder::scratch(ctx))
    }
}

/// Finds the one transcript that a command works on.
///
/// # Errors
/// Nothing by that name, or several things.
pub fn one(ctx: &mut Context, g: &GlobalFlags, args: &OneTranscript) -> Result<Chosen> {
    not_empty(&args.target)?;
    if let Some(path) = as_path(ctx, &args.target) {
        return Chosen::at(&path);
    }
    let start = stores(ctx, g, &args.select)?;
    if let [only] = start.selection.targets.as_slice() {
        is_there(only)?;
    }
    named(ctx, &start, &args.target)
}

/// Without a word nothing is meant: an empty variable of a script must not become the folder one stands in.
///
/// # Errors
/// The text is empty.
pub fn not_empty(text: &str) -> Result<()> {
    if text.is_empty() {
        return Err(Error::failed("an empty name is no transcript").hint("clawkeep sessions list --all-agents"));
    }
    Ok(())
}

/// A store that was named must be there; an agent that is configured may have none yet.
///
/// # Errors
/// It is absent.
pub fn is_there(target: &Target) -> Result<()> {
    let named = matches!(target.origin, TargetOrigin::StoreFlag);
    let there =
        target.store_path.symlink_metadata().is_ok() || facts::artefact_folder(target).is_some_and(|d| d.is_dir());
    if !named || there {
        return Ok(());
    }
    let path = target.store_path.display();
    Err(Error::new(Kind::Absent, format!("{path} is not there")).hint("clawkeep sessions list --all-agents"))
}

/// The stores to look in: those that were chosen, else those of all agents.
///
/// # Errors
/// A wrong selection.
pub fn stores(ctx: &mut Context, g: &GlobalFlags, select: &SelectArgs) -> Result<Start> {
    let mut select = select.clone();
    if select == SelectArgs::default() {
        select.all_agents = true;
        select.include_unconfigured = true;
    }
    start::reading(ctx, g, &select)
}

/// The path that the text names, if it can only be one, or if there is a file by that name.
pub fn as_path(ctx: &Context, text: &str) -> Option<PathBuf> {
    let path = ctx.cwd.join(text);
    // Keys may hold slashes.
    let looks = (text.contains('/') || (cfg!(windows) && text.contains('\\'))) && !text.starts_with("agent:");
    // A folder may be called like a key, but not like a file.
    let file = |dir: bool| !dir || text.ends_with(".jsonl");
    (looks || path.symlink_metadata().is_ok_and(|meta| file(meta.is_dir()))).then_some(path)
}

/// Finds a key, an id or a name in the stores.
///
/// # Errors
/// Nothing by that name, or several things.
pub fn named(ctx: &Context, start: &Start, what: &str) -> Result<Chosen> {
    let mut found = Vec::new();
    for target in &start.selection.targets {
        found.extend(in_store(ctx, target, what));
    }
    if found.is_empty()
        && let Some(archive) = &start.loaded.settings.own.archive_to
    {
        found.extend(packed_copies(&archive.value, what));
    }
    // The same file can be found through two rows or two stores.
    let mut paths = Vec::new();
    found.retain(|chosen| {
        let new = !paths.contains(&chosen.path);
        paths.push(chosen.path.clone());
        new
    });
    match (found.pop(), found.is_empty()) {
        (Some(chosen), true) => Ok(chosen),
        (None, _) => Err(nothing(start, what)),
        (Some(last), false) => {
            let mut error = Error::failed(format!("{} names {} transcripts", escape::line(what), found.len() + 1));
            for chosen in found.iter().chain([&last]) {
                error
                    .hints
                    .push(format!("clawkeep transcript show {}", command::quote(&chosen.path.to_string_lossy())));
            }
            Err(error)
        }
    }
}

/// Why nothing was found: no session is called that, or one is and its transcript is not there.
fn nothing(start: &Start, what: &str) -> Error {
    let keys = start.selection.targets.iter().find_map(|target| {
        let IndexState::Whole(index) = store::read::read(&target.store_path) else { return None };
        let row = *rows(&index, what).first()?;
        let file = session_id(&index, row).map(|id| format!("{id}.jsonl"));
        let written = row.session_file.map(|file| file.get(&index.bytes).into_owned());
        Some((index.key(row).into_owned(), written.or(file)))
    });
    match keys {
        None => Error::failed(format!("no transcript is called {}", escape::line(what)))
            .hint("clawkeep sessions list --all-agents --limit all"),
        Some((key, None)) => Error::failed(format!("{} has a row without a session", escape::line(&key)))
            .hint(format!("clawkeep sessions show {}", command::operand(&key))),
        Some((key, Some(file))) => {
            let text = format!("the transcript of {} is missing: {}", escape::line(&key), escape::line(&file));
            Error::failed(text)
                .hint(format!("clawkeep sessions restore --list {}", command::operand(&key)))
                .hint(format!("clawkeep sessions show {}", command::operand(&key)))
        }
    }
}

/// Everything called `what` in one store.
fn in_store(ctx: &Context, target: &Target, what: &str) -> Vec<Chosen> {
    let Some(dir) = facts::artefact_folder(target) else { return Vec::new() };
    let index = match store::read::read(&target.store_path) {
        IndexState::Whole(index) => Some(index),
        IndexState::Absent => None,
        IndexState::Damaged(_) | IndexState::Unreadable(_) => {
            let path = target.store_path.display();
            ctx.log(Level::Warning, &format!("{path} cannot be read, so only file names are looked at there"));
            None
        }
    };
    if let Some(index) = &index {
        let rows = rows(index, what);
        if !rows.is_empty() {
            return rows.into_iter().filter_map(|row| of_row(ctx, target, &dir, index, row)).collect();
        }
    }
    let Ok(folder) = folder::scan(&dir, target.store_path.file_name()) else { return Vec::new() };
    by_name(ctx, target, &folder, what).into_iter().collect()
}

/// Rows by key, else by key in another letter case, else by session id.
fn rows<'i>(index: &'i IndexFacts, what: &str) -> Vec<&'i Row> {
    let live = || index.rows.iter().filter(|row| !row.shadowed);
    let by_key: Vec<_> = live().filter(|row| index.key(row) == what).collect();
    let by_folded = || live().filter(|row| index.key(row).eq_ignore_ascii_case(what)).collect::<Vec<_>>();
    let by_id = || live().filter(|row| session_id(index, row).is_some_and(|id| id == what)).collect::<Vec<_>>();
    [by_key]
        .into_iter()
        .chain(std::iter::once_with(by_folded))
        .chain(std::iter::once_with(by_id))
        .find(|rows| !rows.is_empty())
        .unwrap_or_default()
}

fn session_id(index: &IndexFacts, row: &Row) -> Option<String> {
    row.session_id.map(|id| id.get(&index.bytes).into_owned())
}

fn of_row(ctx: &Context, target: &Target, dir: &Path, index: &IndexFacts, row: &Row) -> Option<Chosen> {
    let key = index.key(row).into_owned();
    let id = session_id(index, row);
    let found = Found { target: target.clone(), key: Some(key), session_id: id.clone() };
    if let Some(located) = locate::locate(dir, index, row) {
        return Chosen::at(&located.path).ok().map(|chosen| Chosen { found: Some(found), ..chosen });
    }
    let folder = folder::scan(dir, target.store_path.file_name()).ok()?;
    let chosen = by_session(ctx, &folder, id?.as_bytes())?;
    Some(Chosen { found: Some(found), ..chosen })
}

/// A file by its name, with or without `.jsonl` or `.zst`; else the newest archive of a session.
fn by_name(ctx: &Context, target: &Target, folder: &FolderFacts, what: &str) -> Option<Chosen> {
    let found = Found { target: target.clone(), key: None, session_id: None };
    let spellings = [what.to_owned(), format!("{what}.jsonl"), format!("{what}.zst"), format!("{what}.jsonl.zst")];
    let entry = spellings.iter().find_map(|name| folder.find(OsStr::new(name))).map(|at| &folder.entries[at]);
    let file = entry.filter(|entry| entry.is_file() && is_transcript(entry));
    let chosen = match file {
        Some(entry) => Chosen::at(&folder.path.join(&*entry.name)).ok(),
        None => by_session(ctx, folder, what.as_bytes()).or_else(|| by_checkpoint(folder, what)),
    };
    chosen.map(|chosen| Chosen { found: Some(found), ..chosen })
}

/// Whether a file holds what a transcript holds. Indexes, locks and pointers do not.
pub fn is_transcript(entry: &Artefact) -> bool {
    match entry.class {
        Class::Transcript | Class::Checkpoint | Class::Archive(_) | Class::RepairBackup | Class::DoctorBackup => true,
        Class::Foreign => entry.name.as_encoded_bytes().ends_with(b".zst"),
        _ => false,
    }
}

/// A transcript of a session by the id in its name (`<time>_<id>.jsonl`, topics); else its newest archive.
fn by_session(ctx: &Context, folder: &FolderFacts, stem: &[u8]) -> Option<Chosen> {
    let is = |own: &[u8]| transcript_names::ids(own).any(|id| id == stem);
    let of_session = |e: &&Artefact| e.is_file() && is(e.stem());
    let live = folder.entries.iter().filter(of_session).filter(|e| matches!(e.class, Class::Transcript));
    if let Some(newest) = live.max_by_key(|e| e.fp.mtime_ns) {
        return Chosen::at(&folder.path.join(&*newest.name)).ok();
    }
    // A compressed copy is what its name says without the last suffix.
    let stamp = |e: &Artefact| {
        let plain = e.name.to_str().and_then(|name| name.strip_suffix(".zst")).map(OsStr::new);
        let named = plain.map(|plain| (plain, names::classify(plain, None)));
        match (e.class, named) {
            (Class::Archive(_), _) if is(e.stem()) => Some(e.stamp),
            (Class::Foreign, Some((plain, named))) if matches!(named.class, Class::Archive(_) | Class::Transcript) => {
                is(&plain.as_encoded_bytes()[..usize::from(named.stem_len)]).then_some(named.stamp)
            }
            _ => None,
        }
    };
    let archives = folder.entries.iter().filter(|e| e.is_file()).filter_map(|e| Some((stamp(e)?, e)));
    // Of two of the same time the one that need not be unpacked.
    let (_, newest) = archives.max_by_key(|(stamp, e)| (*stamp, !e.is_packed()))?;
    let path = folder.path.join(&*newest.name);
    let said = format!("{} has no live transcript; this is its newest archive", String::from_utf8_lossy(stem));
    ctx.log(Level::Info, &said);
    Chosen::at(&path).ok()
}

/// A checkpoint by its own id (`<session>.checkpoint.<id>.jsonl`).
fn by_checkpoint(folder: &FolderFacts, what: &str) -> Option<Chosen> {
    let suffix = format!(".checkpoint.{what}.jsonl");
    let is = |e: &&Artefact| e.class == Class::Checkpoint && e.is_file() && e.name.to_string_lossy().ends_with(&suffix);
    let found = folder.entries.iter().find(is)?;
    Chosen::at(&folder.path.join(&*found.name)).ok()
}

/// Copies called `what` in the folder for compressed copies: `DIR/<label>/<name>.zst`.
fn packed_copies(dir: &Path, what: &str) -> Vec<Chosen> {
    let Ok(labels) = std::fs::read_dir(dir) else { return Vec::new() };
    let labels = labels.filter_map(|label| label.ok().map(|label| label.path()));
    let spelled = |label: PathBuf| {
        let names = [what.to_owned(), format!("{what}.zst"), format!("{what}.jsonl.zst")];
        names.map(|name| label.join(name)).into_iter().find(|path| path.is_file())
    };
    let mut found: Vec<Chosen> = labels.filter_map(spelled).filter_map(|path| Chosen::at(&path).ok()).collect();
    found.order_by(|a, b| a.path.cmp(&b.path));
    found
}
