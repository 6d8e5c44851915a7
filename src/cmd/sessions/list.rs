//! `sessions list`: the rows of one or more stores. Writes nothing, anywhere.
//!
//! In remote mode, or with `--gateway-url`, the rows are those that the gateway lists ([`super::remote`]): read like an
//! index, filtered and ordered in the same way. What it cannot filter itself is filtered here, from all of its rows. The
//! one thing that this may write is our device identity, where that gateway wants one.
//!
//! Only the rows that are printed are read in full and have their transcripts looked up: a list of 100 rows out of
//! 50 000 costs one read of the index and 100 lookups. Sorting by size needs all lookups, sorting by tokens and
//! filtering by kind all fields.
//!
//! A store that fails does not stop the others: it is named, and the exit code is 3. A store that `--store` names and
//! that does not exist is exit 10; an agent without a sessions folder is absent, which is no failure.

use std::cmp::Reverse;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::cli::GlobalFlags;
use crate::cli::list::{KindFilter, ListArgs, SortBy};
use crate::cmd::start;
use crate::config::load::Loaded;
use crate::context::{Context, Level};
use crate::error::{Error, Kind, Result};
use crate::exit;
use crate::lock::shown::Locks;
use crate::model::Ms;
use crate::model::entry::Entry;
use crate::model::folder::Class;
use crate::model::index::{IndexFacts, IndexState, Row};
use crate::model::sourced::Limit;
use crate::model::stores::{Agent, Generation, Roots, Target, TargetOrigin};
use crate::report::found::Found;
use crate::report::list::json::{List, ListedStore, Rows};
use crate::report::list::row::{ListedRow, ModelDefaults, TranscriptState};
use crate::report::source::ByGateway;
use crate::report::style::Style;
use crate::report::{escape, json, kind, list, plural};
use crate::scan::facts;
use crate::scan::threads::in_threads;
use crate::transcript::locate;
use crate::units::glob;

use super::remote::{self, Remote};

/// Rows shown when `--limit` says nothing.
const DEFAULT_LIMIT: u64 = 100;
/// From this many rows on, threads help.
const MANY: usize = 512;
/// So many rows a thread takes at once.
const SHARE: usize = 64;

/// A store whose index is whole.
struct Store {
    agent_id: String,
    index: IndexFacts,
    /// Its files are on this host.
    here: bool,
}

/// Everything that was read.
struct Read<'a> {
    stores: Vec<Store>,
    listed: Vec<ListedStore>,
    aggregate: bool,
    not_looked_at: &'a [Agent],
    defaults: ModelDefaults,
    now: Ms,
    /// Rows that pass the filters and were not sent.
    unseen: usize,
    gateway: Option<ByGateway>,
}

/// A row that passed the filters.
struct Candidate {
    store: usize,
    row: u32,
    /// Read early only if a filter or an order needs it.
    entry: Option<Entry>,
    size: u64,
}

/// Lists the rows.
///
/// # Errors
/// Wrong selection, unreadable configuration, or the only store failed.
pub fn run(ctx: &mut Context, g: &GlobalFlags, args: &ListArgs) -> Result<u8> {
    let (roots, loaded) = start::configured(ctx, g, &args.select)?;
    if remote::is_meant(&loaded, &args.select, &args.reach)? {
        return by_gateway(ctx, args, &roots, &loaded);
    }
    let start = start::chosen(ctx, roots, loaded, &args.select)?;
    start::refuse_absent_state(g, &args.select, &start)?;
    let aggregate = args.select.all_agents || start.selection.targets.len() > 1;
    let mut listed = Vec::new();
    let mut stores = Vec::new();
    let mut code = exit::DONE;
    for target in &start.selection.targets {
        let found = Found::of(target, &start.roots.state_origin);
        match open(target, &found) {
            Ok((store, shown)) => {
                listed.push(shown);
                stores.extend(store);
            }
            Err(error) if aggregate => {
                ctx.log(Level::Error, &error.message);
                code = exit::PARTIAL;
                listed.push(shown(target, &found, "failed", Some(error.message)));
            }
            Err(error) => return Err(error),
        }
    }
    let read = Read {
        stores,
        listed,
        aggregate,
        not_looked_at: &start.selection.not_looked_at,
        defaults: ModelDefaults::of(&start.loaded.settings),
        now: ctx.run_time(),
        unseen: 0,
        gateway: None,
    };
    print(ctx, args, &read)?;
    Ok(code)
}

/// Lists what a gateway lists. One agent that fails ends the command: it is one gateway.
fn by_gateway(ctx: &Context, args: &ListArgs, roots: &Roots, loaded: &Loaded) -> Result<u8> {
    if args.sort == Some(SortBy::Size) {
        return Err(Error::usage("a gateway does not tell the sizes of transcripts: there is no --sort size")
            .hint("--sort updated, age, tokens or key"));
    }
    let mut remote = Remote::open(ctx, roots, loaded, &args.reach)?;
    let (agents, others) = remote.choose(&args.select)?;
    // The cut is the gateway's if filter and order are.
    let by_itself = args.kinds.is_empty() && args.key.is_none() && args.sort.unwrap_or_default() == SortBy::Updated;
    let limit = limit(args).filter(|_| by_itself);
    let others: Vec<Agent> = others.into_iter().map(|id| Agent { id, configured: true }).collect();
    let mut read = Read {
        stores: Vec::new(),
        listed: Vec::new(),
        aggregate: args.select.all_agents || agents.len() > 1,
        not_looked_at: &others,
        defaults: ModelDefaults::default(),
        now: ctx.run_time(),
        unseen: 0,
        gateway: None,
    };
    for agent_id in agents {
        let listing = remote.list(&agent_id, limit, args.active)?;
        read.unseen += listing.total.saturating_sub(listing.index.rows.len());
        // Ages by the clock that the times are from.
        read.now = listing.now.unwrap_or(read.now);
        read.defaults.agents.extend(listing.model.map(|model| (agent_id.clone(), model)));
        read.defaults.context_tokens = read.defaults.context_tokens.or(listing.context_tokens);
        read.listed.push(ListedStore {
            agent_id: agent_id.clone(),
            path: listing.index.path.clone(),
            found: Found::at_gateway(&agent_id, &remote.by),
            state: "ok",
            detail: None,
        });
        read.stores.push(Store { agent_id, index: listing.index, here: false });
    }
    read.gateway = Some(remote.close());
    print(ctx, args, &read)?;
    Ok(exit::DONE)
}

/// Reads one store. `None` for one that has nothing to list and is no failure.
fn open(target: &Target, found: &Found) -> Result<(Option<Store>, ListedStore)> {
    let path = &target.store_path;
    let index = match crate::store::read::read(path) {
        IndexState::Whole(index) => index,
        IndexState::Absent => return absent(target).map(|detail| (None, shown(target, found, "absent", Some(detail)))),
        IndexState::Damaged(damage) => return Err(facts::damaged(path, &damage)),
        IndexState::Unreadable(why) => {
            return Err(Error::failed(format!("cannot read {}", escape::line(&why))).hint(crate::hints::DAMAGED_INDEX));
        }
    };
    let line = match &target.generation {
        Generation::Json => shown(target, found, "ok", nobodys(target, &index)),
        Generation::Sqlite { database } => {
            let detail = format!(
                "the sessions are in {} (SQLite); this JSON store is a leftover of an older generation",
                database.display()
            );
            shown(target, found, "leftover", Some(detail))
        }
    };
    Ok((Some(Store { agent_id: target.agent_id.clone(), index, here: true }), line))
}

/// Of an index without a row: that transcripts lie beside it.
fn nobodys(target: &Target, index: &IndexFacts) -> Option<String> {
    let transcripts = if index.rows.is_empty() { transcripts_beside(target) } else { 0 };
    let files = plural::count(transcripts as u64, "transcript");
    (transcripts > 0).then(|| format!("no row, beside {files}: clawkeep sessions check"))
}

fn transcripts_beside(target: &Target) -> usize {
    let path = &target.store_path;
    let folder = path.parent().unwrap_or(Path::new(""));
    crate::scan::folder::scan(folder, path.file_name())
        .map_or(0, |facts| facts.entries.iter().filter(|e| e.class == Class::Transcript && e.is_file()).count())
}

/// What a missing index means: nothing yet, or history without an index.
fn absent(target: &Target) -> Result<String> {
    facts::refuse_dangling(target)?;
    let path = &target.store_path;
    if target.origin == TargetOrigin::StoreFlag {
        return Err(Error::new(Kind::Absent, format!("{} does not exist", path.display()))
            .hint("clawkeep sessions list --all-agents"));
    }
    let transcripts = transcripts_beside(target);
    if transcripts > 0 && target.generation == Generation::Json {
        return Err(Error::failed(format!(
            "{} is missing beside {}",
            path.display(),
            plural::count(transcripts as u64, "transcript")
        ))
        .hint(crate::hints::DAMAGED_INDEX));
    }
    Ok(match &target.generation {
        Generation::Json => "no sessions yet".to_owned(),
        Generation::Sqlite { database } => format!("the sessions are in {}", database.display()),
    })
}

fn shown(target: &Target, found: &Found, state: &'static str, detail: Option<String>) -> ListedStore {
    let (agent_id, path) = (target.agent_id.clone(), target.store_path.clone());
    ListedStore { agent_id, path, found: found.clone(), state, detail }
}

/// The highest number of rows.
fn limit(args: &ListArgs) -> Option<u64> {
    args.limit.unwrap_or(Limit::At(DEFAULT_LIMIT)).at()
}

fn print(ctx: &Context, args: &ListArgs, read: &Read<'_>) -> Result<()> {
    let stores = read.stores.as_slice();
    let mut candidates = candidates(args, stores, read.now);
    sort(args.sort.unwrap_or_default(), stores, &mut candidates);
    let total = candidates.len() + read.unseen;
    let limit = limit(args);
    candidates.truncate(limit.map_or(usize::MAX, |n| usize::try_from(n).unwrap_or(usize::MAX)));
    let count = candidates.len();
    if count < total && args.limit.is_none() && !ctx.stdout_tty {
        ctx.log(Level::Warning, &format!("{count} of {total} rows are listed; --limit all lists the rest"));
    }
    let locks = Locks::new(&ctx.env, read.now);
    let make = |some: Range<usize>| listed_rows(stores, &candidates[some], &locks);
    let list = List {
        stores: &read.listed,
        aggregate: read.aggregate,
        rows: Rows { count, make: &make },
        total,
        limit,
        active_minutes: args.active,
        not_looked_at: read.not_looked_at,
        defaults: &read.defaults,
        now: read.now,
        gateway: read.gateway.as_ref(),
    };
    if ctx.output.json {
        json::print(ctx, &list)
    } else if ctx.output.quiet == 0 {
        ctx.write_stdout(list::human::text(&list, Style::stdout(ctx), ctx.width()).as_bytes())
    } else {
        Ok(())
    }
}

/// Rows that pass the filters, in the gateway's order of each store.
fn candidates(args: &ListArgs, stores: &[Store], now: Ms) -> Vec<Candidate> {
    let mut out = Vec::new();
    let sizes = args.sort == Some(SortBy::Size);
    let entries = !args.kinds.is_empty() || args.sort == Some(SortBy::Tokens);
    for (at, store) in stores.iter().enumerate() {
        let index = &store.index;
        for ix in crate::store::order::js_order(index) {
            let Some(row) = index.rows.get(ix as usize).filter(|row| !row.shadowed) else { continue };
            if !is_active(row, args.active, now) || !has_key(index, row, args.key.as_deref()) {
                continue;
            }
            let entry = entries.then(|| crate::store::entry::read(index, row));
            if !args.kinds.is_empty() && !entry.as_ref().is_some_and(|e| is_kind(&args.kinds, &index.key(row), e)) {
                continue;
            }
            let size = if sizes { size_of(index, row) } else { 0 };
            out.push(Candidate { store: at, row: ix, entry, size });
        }
    }
    out
}

/// Updated within `minutes`. A time in the future passes, no time does not: as in the gateway.
fn is_active(row: &Row, minutes: Option<u64>, now: Ms) -> bool {
    let Some(minutes) = minutes else { return true };
    let span = Ms::try_from(minutes).unwrap_or(Ms::MAX).saturating_mul(crate::model::MINUTE);
    row.updated_at.ms().is_some_and(|at| now.saturating_sub(at) <= span)
}

fn has_key(index: &IndexFacts, row: &Row, pattern: Option<&str>) -> bool {
    pattern.is_none_or(|p| glob::matches_ignoring_case(p, &index.key(row)))
}

fn is_kind(kinds: &[KindFilter], key: &str, entry: &Entry) -> bool {
    let own = kind::of(key, entry.chat_type.as_deref());
    kinds.iter().any(|k| k.as_str() == own)
}

/// All orders are stable: equal rows stay in target and file order.
fn sort(by: SortBy, stores: &[Store], candidates: &mut [Candidate]) {
    let row = |c: &Candidate| stores.get(c.store).and_then(|s| s.index.rows.get(c.row as usize));
    let updated = |c: &Candidate| row(c).and_then(|r| r.updated_at.ms()).unwrap_or(0);
    match by {
        SortBy::Updated => candidates.sort_by_key(|c| Reverse(updated(c))),
        SortBy::Age => candidates.sort_by_key(|c| match updated(c) {
            0 => Ms::MAX,
            at => at,
        }),
        SortBy::Size => candidates.sort_by_key(|c| Reverse(c.size)),
        SortBy::Tokens => candidates.sort_by(|a, b| {
            let total = |c: &Candidate| c.entry.as_ref().and_then(|e| e.total_tokens).unwrap_or(-1.0);
            total(b).total_cmp(&total(a))
        }),
        SortBy::Key => candidates.sort_by_cached_key(|c| {
            stores.get(c.store).and_then(|s| row(c).map(|r| s.index.key(r).into_owned())).unwrap_or_default()
        }),
    }
}

fn size_of(index: &IndexFacts, row: &Row) -> u64 {
    locate::locate(folder_of(index), index, row).map_or(0, |found| found.fp.size)
}

fn folder_of(index: &IndexFacts) -> &Path {
    index.path.parent().unwrap_or(Path::new(""))
}

/// [`listed_row`] of all candidates, in their order.
fn listed_rows(stores: &[Store], candidates: &[Candidate], locks: &Locks<'_>) -> Vec<ListedRow> {
    if candidates.len() < MANY {
        return candidates.iter().map(|c| listed_row(stores, c, locks)).collect();
    }
    let next = AtomicUsize::new(0);
    let mut rows = in_threads(MANY, &|| {
        let mut done = Vec::new();
        loop {
            let from = next.fetch_add(SHARE, Ordering::Relaxed);
            let Some(rest) = candidates.get(from..).filter(|rest| !rest.is_empty()) else { return done };
            let share = rest.iter().take(SHARE).enumerate();
            done.extend(share.map(|(at, c)| (from + at, listed_row(stores, c, locks))));
        }
    });
    rows.sort_unstable_by_key(|(at, _)| *at);
    rows.into_iter().map(|(_, row)| row).collect()
}

/// Reads a row in full and looks up its transcript.
fn listed_row(stores: &[Store], c: &Candidate, locks: &Locks<'_>) -> ListedRow {
    let store = &stores[c.store];
    let index = &store.index;
    let row = &index.rows[c.row as usize];
    let found = if store.here { locate::locate(folder_of(index), index, row) } else { None };
    let lock = found.as_ref().and_then(|found| locks.of(&found.path));
    let transcript = match found {
        _ if !store.here => TranscriptState::Elsewhere,
        Some(found) => TranscriptState::Found { path: found.path, bytes: found.fp.size },
        None if locate::expected(row) => TranscriptState::Missing,
        None => TranscriptState::NotExpected,
    };
    ListedRow {
        store_agent: store.agent_id.clone(),
        key: index.key(row).into_owned(),
        session_id: row.session_id.map(|id| id.get(&index.bytes).into_owned()),
        updated: row.updated_at,
        entry: c.entry.clone().unwrap_or_else(|| crate::store::entry::read(index, row)),
        transcript,
        lock,
        odd: row.odd.is_some(),
    }
}

#[cfg(test)]
#[path = "list_tests.rs"]
mod tests;
