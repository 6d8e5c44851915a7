//! `transcript show`: the conversation as a person reads it.
//!
//! `--tail` reads the end of the file only, by a few bounded reads (see [`tail`]); everything else needs the index.

use std::io;

use crate::cli::GlobalFlags;
use crate::cli::transcript_read::ShowArgs;
use crate::cmd::transcript::opened::{self, made_up_id};
use crate::cmd::transcript::target::{self, Chosen};
use crate::cmd::transcript::{pager, related, zone};
use crate::context::{Context, Level};
use crate::error::{Error, Result};
use crate::exit;
use crate::model::Ms;
use crate::model::conversation::{Head, Item};
use crate::model::transcript::Kind;
use crate::report::escape;
use crate::report::style::Style;
use crate::report::transcript::show::{Look, item as item_text};
use crate::report::transcript::{head as head_report, lines};
use crate::transcript::entries::Entry;
use crate::transcript::index::Index;
use crate::transcript::present;
use crate::transcript::reader::Records;
use crate::transcript::record;
use crate::transcript::source::Source;
use crate::transcript::tail;
use crate::transcript::tree::{Path, Tree, View};

/// Runs the command.
///
/// # Errors
/// The transcript or an entry of it cannot be found or read.
pub fn run(ctx: &mut Context, g: &GlobalFlags, a: &ShowArgs) -> Result<u8> {
    let chosen = target::one(ctx, g, &a.one)?;
    let source = chosen.open(ctx)?;
    let view = if a.recovered { View::Recovered } else { View::Gateway };
    if let (Some(count), false) = (a.tail, a.all_branches)
        && let Some(tail) = tail_of(&source, view, count)?
    {
        let tree = Tree::of(&tail.index, view);
        let records = Records::with_window(&source, tail.start, tail.bytes);
        return Showing { ctx, a, chosen: &chosen, source: &source, tree: &tree, records, whole: tail.start == 0 }
            .run();
    }
    let index = opened::index(ctx, &source, !a.cache.no_cache)?;
    let tree = Tree::of(&index, view);
    let records = Records::of(&source);
    Showing { ctx, a, chosen: &chosen, source: &source, tree: &tree, records, whole: true }.run()
}

/// The end of the file, if it holds the last messages of the active branch.
fn tail_of(source: &Source, view: View, count: u64) -> Result<Option<tail::Tail>> {
    let enough = |index: &Index| {
        let tree = Tree::of(index, view);
        let path = tree.active();
        path.cycle.is_some()
            || path.entries.iter().filter(|at| is_turn(index.entries.get(**at))).count() as u64 >= count
    };
    let tail = tail::read(source, enough).map_err(|e| Error::io("read", &source.path, e))?;
    // A file of the first version has no parents to follow.
    Ok(tail.filter(|tail| tail.start > 0 || tail.index.version() >= 2))
}

/// Whether an entry counts for `--head` and `--tail`.
fn is_turn(entry: &Entry) -> bool {
    matches!(entry.kind(), Kind::Message | Kind::CustomMessage | Kind::Compaction | Kind::BranchSummary)
}

struct Showing<'a> {
    ctx: &'a Context,
    a: &'a ShowArgs,
    chosen: &'a Chosen,
    source: &'a Source,
    tree: &'a Tree<'a>,
    records: Records<'a>,
    /// All of the file was indexed.
    whole: bool,
}

impl Showing<'_> {
    fn run(mut self) -> Result<u8> {
        let active = self.tree.active();
        let positions = self.positions(&active)?;
        if self.a.raw {
            self.raw(&positions)?;
            return Ok(exit::DONE);
        }
        let mut head = opened::head(self.chosen, self.source, self.tree, &active, self.whole, &mut self.records)?;
        if self.whole && self.a.tail.is_none() && self.a.entry.is_none() {
            head.related = related::of(self.chosen, &head);
        }
        self.print(&head, &active, &positions)?;
        Ok(exit::DONE)
    }

    /// Positions to show, in order.
    fn positions(&mut self, active: &Path) -> Result<Vec<u32>> {
        let entries = &self.tree.index.entries;
        if let Some(id) = &self.a.entry {
            return self.by_id(id).map(|at| vec![at]);
        }
        // Without an active branch the gateway shows nothing; a person still wants to see what there is.
        let mut all: Vec<u32> = if self.a.all_branches || active.entries.is_empty() {
            entries.positions().filter(|at| self.tree.counts(*at)).collect()
        } else {
            active.entries.clone()
        };
        let whole = all.clone();
        if let Some(from) = &self.a.from {
            let bound = self.bound(from, false)?;
            self.tell_absent("--from", from, bound, &whole);
            let first = all.iter().position(|at| bound.begins(*at, entries.get(*at))).unwrap_or(all.len());
            all.drain(..first);
        }
        if let Some(to) = &self.a.to {
            let bound = self.bound(to, true)?;
            self.tell_absent("--to", to, bound, &whole);
            let last = all.iter().rposition(|at| bound.ends(*at, entries.get(*at))).map_or(0, |last| last + 1);
            all.truncate(last);
        }
        if all.is_empty() && !whole.is_empty() {
            self.ctx.log(
                Level::Warning,
                match (&self.a.from, &self.a.to) {
                    (Some(_), Some(_)) => "nothing is shown: nothing lies between --from and --to",
                    (Some(_), None) => "nothing is shown: nothing comes at or after --from",
                    _ => "nothing is shown: nothing comes at or before --to",
                },
            );
        }
        let turns = |at: &u32| is_turn(entries.get(*at));
        if let Some(count) = self.a.head {
            let mut left = count;
            let end = all.iter().position(|at| {
                turns(at) && {
                    left = left.wrapping_sub(1);
                    left == u64::MAX
                }
            });
            all.truncate(end.unwrap_or(all.len()));
        }
        if let Some(count) = self.a.tail {
            let skip = (all.iter().filter(|at| turns(at)).count() as u64).saturating_sub(count);
            let mut seen = 0;
            let from = all.iter().position(|at| {
                turns(at) && {
                    seen += 1;
                    seen > skip
                }
            });
            all.drain(..from.unwrap_or(all.len()));
        }
        Ok(all)
    }

    /// Says of an entry that is in the file why nothing begins or ends with it.
    fn tell_absent(&self, flag: &str, text: &str, bound: Bound, shown: &[u32]) {
        let Bound::Entry(at) = bound else { return };
        if shown.contains(&at) {
            return;
        }
        let path = crate::report::command::quote(&self.chosen.path.to_string_lossy()).into_owned();
        let line = self.tree.index.entries.get(at).line;
        let (shown_id, id) = (escape::line(text), crate::report::command::quote(text));
        self.ctx.log(
            Level::Warning,
            &self.ctx.given.complete(&format!(
                "{flag} {shown_id}: that entry (line {line}) is on another branch than what is shown; try: clawkeep transcript \
                 show --entry={id} {path}, or --all-branches"
            )),
        );
    }

    fn by_id(&self, id: &str) -> Result<u32> {
        let entries = &self.tree.index.entries;
        let by_line = id.strip_prefix("line-").and_then(|n| n.parse::<u32>().ok());
        let by_line = by_line.and_then(|line| entries.positions().find(|at| entries.get(*at).line == line));
        let found = self.tree.find(record::hash(id.as_bytes())).or(by_line);
        found.ok_or_else(|| {
            let path = crate::report::command::quote(&self.chosen.path.to_string_lossy()).into_owned();
            Error::failed(format!("no entry of {} has the id {}", escape::path(&self.chosen.path), escape::line(id)))
                .hint(format!("clawkeep transcript tree --all {path}"))
        })
    }

    fn bound(&self, text: &str, end: bool) -> Result<Bound> {
        if let Ok(at) = self.by_id(text) {
            return Ok(Bound::Entry(at));
        }
        let now = self.ctx.run_time();
        // A day, and a time without a zone, are those of `stats`.
        let local = zone::local(text, end, &zone::of(self.ctx, None)?);
        let time = local.map_or_else(|| crate::cli::values::moment(text, now), Ok);
        time.map(Bound::Time).map_err(|_| {
            Error::usage(format!("{} is neither an entry of the transcript nor a time", escape::line(text)))
                .hint("use an entry id, a date such as 2026-05-01, or how long ago, such as 3d")
        })
    }

    fn raw(&mut self, positions: &[u32]) -> Result<()> {
        let source = self.source;
        pager::through(self.ctx, !self.a.no_pager, |out| {
            for at in positions {
                let entry = self.tree.index.entries.get(*at);
                let end = entry.offset() + u64::from(entry.len);
                io::copy(&mut source.range(entry.offset(), end), out)?;
                out.write_all(b"\n")?;
            }
            Ok(())
        })
    }

    fn print(&mut self, head: &Head, active: &Path, positions: &[u32]) -> Result<()> {
        let on_branch: Vec<u32> = {
            let mut sorted = active.entries.clone();
            sorted.sort_unstable();
            sorted
        };
        let style = Style::stdout(self.ctx);
        let full = self.a.full || self.a.entry.is_some();
        let look = Look { style, full, branches: self.a.all_branches };
        let as_json = self.ctx.output.json;
        let quiet = self.ctx.output.quiet > 0;
        let (records, tree) = (&mut self.records, self.tree);
        pager::through(self.ctx, !self.a.no_pager, |out| {
            if as_json {
                lines::write(out, head)?;
            } else if !quiet {
                out.write_all(head_report::text(head, style).as_bytes())?;
            }
            for at in positions {
                let active = on_branch.binary_search(at).is_ok();
                let item = item_at(tree, records, *at, active)?;
                if as_json {
                    lines::write(out, &Record { record: "entry", item: &item })?;
                } else {
                    out.write_all(item_text(&item, look).as_bytes())?;
                }
            }
            if !as_json && !quiet {
                out.write_all(head_report::related(&head.related, style).as_bytes())?;
            }
            Ok(())
        })
    }
}

/// One entry, read again.
///
/// # Errors
/// What reading gives.
pub fn item_at(tree: &Tree<'_>, records: &mut Records<'_>, at: u32, active: bool) -> io::Result<Item> {
    let entry = tree.index.entries.get(at);
    let version = tree.index.version();
    let mut item = records.at(entry, |node| present::item(entry, node, active, version < 3))?;
    if version < 2 {
        item.id = Some(made_up_id(entry));
        item.parent_id = tree.parent(at).map(|parent| made_up_id(tree.index.entries.get(parent)));
        // It counts entries; the index knows which one it means.
        let number = tree.index.entries.dropped + u64::from(at);
        let compaction = tree.index.compactions.binary_search_by_key(&number, |c| c.at).ok();
        let kept = compaction.and_then(|n| tree.index.compactions[n].kept).and_then(|id| tree.find(id));
        item.first_kept_entry_id = kept.map(|kept| made_up_id(tree.index.entries.get(kept)));
    }
    Ok(item)
}

/// A line of JSON for one entry.
#[derive(serde::Serialize)]
struct Record<'a> {
    #[serde(rename = "type")]
    record: &'static str,
    #[serde(flatten)]
    item: &'a Item,
}

/// Where `--from` and `--to` stand.
#[derive(Debug, Clone, Copy)]
enum Bound {
    Entry(u32),
    Time(Ms),
}

impl Bound {
    fn begins(self, at: u32, entry: &Entry) -> bool {
        match self {
            Self::Entry(wanted) => at == wanted,
            Self::Time(time) => entry.at().is_some_and(|at| at >= time),
        }
    }

    fn ends(self, at: u32, entry: &Entry) -> bool {
        match self {
            Self::Entry(wanted) => at == wanted,
            Self::Time(time) => entry.at().is_some_and(|at| at <= time),
        }
    }
}
