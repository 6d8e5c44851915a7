//! `transcript context`: what the model sees next turn.

use std::cell::RefCell;
use std::io;

use serde::ser::{Error as _, SerializeSeq as _};
use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::cli::GlobalFlags;
use crate::cli::transcript_read::ContextArgs;
use crate::cmd::transcript::opened::{self, Opened, made_up_id};
use crate::cmd::transcript::pager;
use crate::cmd::transcript::target::{self, Chosen};
use crate::config::load::Loaded;
use crate::context::Context;
use crate::error::{Error, Result};
use crate::exit;
use crate::model::context_report::{
    CompactionLine, ContextReport, CutLine, MessageLine, ModelInForce, Threshold, Tokens,
};
use crate::model::conversation::SCHEMA_VERSION;
use crate::model::index::IndexState;
use crate::report::json;
use crate::report::style::Style;
use crate::report::transcript::context as report;
use crate::store;
use crate::transcript::context::{self, Message};
use crate::transcript::cut;
use crate::transcript::present;
use crate::transcript::reader::Records;
use crate::transcript::tree::{Tree, View};

/// `reserveTokensFloor` of the gateway.
const RESERVE: u64 = 20_000;
/// `softThresholdTokens` of the gateway.
const SOFT: u64 = 4000;
/// `keepRecentTokens` of the gateway.
const KEEP_RECENT: u64 = 20_000;

/// A number, and where it was found.
type Found = (u64, String);

/// What the command line, the row and the configuration say about limits.
#[derive(Debug, Default)]
struct Limits {
    window: Option<Found>,
    reserve: Option<Found>,
    keep_recent: Option<u64>,
    /// `reserveTokensFloor`, which the check before a run keeps free.
    floor: Option<Found>,
    /// `memoryFlush.softThresholdTokens`.
    soft: Option<u64>,
    /// What the row says about its tokens, if there is one.
    total: Option<Total>,
}

/// `totalTokens` and `totalTokensFresh` of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Total {
    Fresh,
    Stale(u64),
    Missing,
}

/// Runs the command.
///
/// # Errors
/// The transcript cannot be found or read.
pub fn run(ctx: &mut Context, g: &GlobalFlags, a: &ContextArgs) -> Result<u8> {
    let Opened { chosen, source, index } = opened::open(ctx, g, &a.one, a.cache)?;
    let limits = limits(ctx, g, a, &chosen);
    let tree = Tree::of(&index, View::Gateway);
    let mut records = Records::of(&source);
    let active = tree.active();
    let head = opened::head(&chosen, &source, &tree, &active, true, &mut records)?;
    let io = |e| Error::io("read", &source.path, e);
    let built = context::build(&tree, &mut records).map_err(io)?;
    let mut view = Building { tree: &tree, records };
    let keep_recent = a.keep_recent.or(limits.keep_recent).unwrap_or(KEEP_RECENT);
    let (estimated, reported) = (built.estimated, built.reported);
    let (compaction, next_cut) = (view.compaction(&built).map_err(io)?, view.cut(&built, keep_recent).map_err(io)?);
    let view = RefCell::new(view);
    let listed = |at, what| Listed { view: &view, at, what };
    let deciding = reported.unwrap_or(estimated);
    let report = ContextReport {
        schema_version: SCHEMA_VERSION,
        transcript: head,
        estimate: "chars/4",
        thinking_level: built.thinking_level.clone(),
        model: built.model.clone().map(|(provider, model_id)| ModelInForce { provider, model_id }),
        active_path: listed(&active.entries, What::Id),
        messages: listed(&built.sent, What::Message),
        compaction,
        tokens: Tokens { estimated, reported, deciding },
        next_cut,
        threshold: threshold(&limits, a, deciding),
        breaks_at_line: built.breaks_at.map(|at| u64::from(index.entries.get(at).line)),
    };
    if ctx.output.json {
        json::print(ctx, &report)?;
    } else {
        let (style, width) = (Style::stdout(ctx), ctx.width());
        pager::through(ctx, true, |out| {
            out.write_all(report::head(&report, style).as_bytes())?;
            messages(out, &report, style, width)
        })?;
    }
    Ok(exit::DONE)
}

/// The table of the messages. Each is read twice more, to measure it and to write it: none is kept.
fn messages(out: &mut dyn io::Write, report: &ContextReport<Listed<'_>>, style: Style, width: usize) -> io::Result<()> {
    let Listed { view, at, .. } = report.messages;
    if at.is_empty() {
        return out.write_all(report::EMPTY.as_bytes());
    }
    let mut table = report::table();
    let mut rows = report::Rows::of(report);
    for at in at {
        table.measure(&rows.next(&view.borrow_mut().message(*at)?));
    }
    let lines = table.lines(width);
    writeln!(out, "{}", lines.header(style))?;
    let mut rows = report::Rows::of(report);
    for at in at {
        writeln!(out, "{}", lines.line(&rows.next(&view.borrow_mut().message(*at)?)))?;
    }
    Ok(())
}

/// What of an entry is listed.
#[derive(Debug, Clone, Copy)]
enum What {
    Id,
    Message,
}

/// A list that is read while it is written.
#[derive(Clone, Copy)]
struct Listed<'a> {
    view: &'a RefCell<Building<'a>>,
    at: &'a [u32],
    what: What,
}

impl Serialize for Listed<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> std::result::Result<S::Ok, S::Error> {
        let failed = S::Error::custom::<io::Error>;
        let mut list = to.serialize_seq(Some(self.at.len()))?;
        for at in self.at {
            let mut view = self.view.borrow_mut();
            match self.what {
                What::Id => list.serialize_element(&view.id(*at).map_err(failed)?)?,
                What::Message => list.serialize_element(&view.message(*at).map_err(failed)?)?,
            }
        }
        list.end()
    }
}

struct Building<'a> {
    tree: &'a Tree<'a>,
    records: Records<'a>,
}

impl Building<'_> {
    fn id(&mut self, at: u32) -> io::Result<Option<String>> {
        let entry = self.tree.index.entries.get(at);
        if self.tree.index.version() < 2 {
            return Ok(Some(made_up_id(entry)));
        }
        self.records.at(entry, |node| node.and_then(|node| present::id(&node, "id")))
    }

    fn message(&mut self, at: u32) -> io::Result<MessageLine> {
        // It was one when the context was built; of a file that was cut off meanwhile nothing is left but its place.
        let m = context::read(self.tree, at, &mut self.records)?.unwrap_or_else(|| Message::nothing(at));
        let entry = self.tree.index.entries.get(at);
        Ok(MessageLine {
            entry_id: self.id(at)?,
            role: m.role,
            line: u64::from(entry.line),
            offset: entry.offset(),
            bytes: u64::from(entry.len),
            tokens: m.tokens,
            images: m.images,
            usage: m.usage,
            left_out: m.left_out,
        })
    }

    fn compaction(&mut self, built: &context::Context) -> io::Result<Option<CompactionLine>> {
        let Some(place) = built.compaction else { return Ok(None) };
        let path = &built.path.entries;
        let kept = built.kept_from.map(|from| self.id(path[from])).transpose()?;
        Ok(Some(CompactionLine {
            entry_id: self.id(path[place])?,
            kept_from: kept.flatten(),
            dropped_messages: built.dropped,
            dropped_tokens: built.dropped_tokens,
        }))
    }

    fn cut(&mut self, built: &context::Context, keep_recent: u64) -> io::Result<Option<CutLine>> {
        let Some(cut) = cut::next(self.tree, built, keep_recent) else { return Ok(None) };
        let path = &built.path.entries;
        let first = path[cut.first_kept];
        let before = cut.from..cut.first_kept;
        let summarised = built.path_tokens.get(before).unwrap_or_default();
        let turn = cut.turn_start.map(|start| self.id(path[start])).transpose()?;
        Ok(Some(CutLine {
            first_kept_entry_id: self.id(first)?,
            line: u64::from(self.tree.index.entries.get(first).line),
            turn_start_entry_id: turn.flatten(),
            summarised_messages: summarised.iter().filter(|n| **n > 0).count() as u64,
            summarised_tokens: summarised.iter().map(|n| u64::from(*n)).sum(),
            keep_recent,
        }))
    }
}

fn threshold(limits: &Limits, a: &ContextArgs, tokens: u64) -> Option<Threshold> {
    let said = |value: Option<u64>, flag: &str| value.map(|n| (n, flag.to_owned()));
    let (window, window_from) = said(a.window, "--window").or_else(|| limits.window.clone())?;
    let reserve = said(a.reserve, "--reserve").or_else(|| limits.reserve.clone());
    let (reserve, reserve_from) = reserve.unwrap_or_else(|| {
        // The gateway never reserves so much that no room for a prompt is left (spec/transcripts.md 4.1).
        let prompt = (window / 2).clamp(1, 8000);
        (RESERVE.min(window.saturating_sub(prompt)), "default".to_owned())
    });
    let at = window.saturating_sub(reserve);
    let left = distance(at, tokens);
    let after_turn =
        Threshold { window, window_from, reserve, reserve_from, soft: None, before_run: None, at, tokens, left };
    Some(match before_run(limits, a, tokens, &after_turn) {
        Some(before) if before.left < after_turn.left => before,
        _ => after_turn,
    })
}

/// Tokens that are left below a limit.
fn distance(at: u64, tokens: u64) -> i64 {
    i64::try_from(at).unwrap_or(i64::MAX).saturating_sub(i64::try_from(tokens).unwrap_or(i64::MAX))
}

/// The check before a run (spec/transcripts.md 4.3). It acts where the row's total of tokens is missing or not fresh, and
/// counts the total that is not fresh as well: the larger one decides. The words of the next prompt come on top.
fn before_run(limits: &Limits, a: &ContextArgs, tokens: u64, after: &Threshold) -> Option<Threshold> {
    let total = limits.total?;
    let why = match total {
        Total::Fresh => return None,
        Total::Stale(_) => "the row's total of tokens is not fresh",
        Total::Missing => "the row has no total of tokens",
    };
    let (reserve, reserve_from) = match (a.reserve, &limits.floor) {
        (Some(said), _) => (said, "--reserve".to_owned()),
        (None, Some((floor, from))) => (*floor, from.clone()),
        (None, None) => (RESERVE, "default".to_owned()),
    };
    let soft = limits.soft.unwrap_or(SOFT);
    let at = after.window.checked_sub(reserve.saturating_add(soft)).filter(|at| *at > 0)?;
    let tokens = if let Total::Stale(total) = total { tokens.max(total) } else { tokens };
    let (window, window_from) = (after.window, after.window_from.clone());
    let left = distance(at, tokens);
    Some(Threshold {
        window,
        window_from,
        reserve,
        reserve_from,
        soft: Some(soft),
        before_run: Some(why),
        at,
        tokens,
        left,
    })
}

/// Limits from the row of the session and from the configuration. For a path nothing is read if the command line says all.
fn limits(ctx: &mut Context, g: &GlobalFlags, a: &ContextArgs, chosen: &Chosen) -> Limits {
    if chosen.found.is_none() && a.window.is_some() && a.reserve.is_some() && a.keep_recent.is_some() {
        return Limits::default();
    }
    let Ok(start) = target::stores(ctx, g, &a.one.select) else { return Limits::default() };
    let (row, total) = of_row(chosen).unwrap_or_default();
    let configured = start.loaded.settings.context_tokens.as_ref();
    Limits {
        window: row.or_else(|| configured.map(|c| (c.value, "agents.defaults.contextTokens".to_owned()))),
        reserve: reserve(&start.loaded),
        keep_recent: number(&start.loaded, &["keepRecentTokens"]).filter(|n| *n > 0),
        floor: number(&start.loaded, &["reserveTokensFloor"])
            .map(|floor| (floor, "agents.defaults.compaction".to_owned())),
        soft: number(&start.loaded, &["memoryFlush", "softThresholdTokens"]),
        total,
    }
}

/// A number of `agents.defaults.compaction`.
fn number(loaded: &Loaded, keys: &[&str]) -> Option<u64> {
    let path = ["agents", "defaults", "compaction"];
    let value = path.iter().chain(keys).try_fold(loaded.root(), |value: &Value, key| value.get(key))?;
    value.as_f64().filter(|n| *n >= 0.0).map(|n| n as u64)
}

/// What the gateway reserves: `reserveTokens`, and never less than its floor.
fn reserve(loaded: &Loaded) -> Option<Found> {
    let (said, floor) = (number(loaded, &["reserveTokens"]), number(loaded, &["reserveTokensFloor"]));
    match (said, floor) {
        (None, None) => None,
        (said, floor) => {
            let floor = floor.unwrap_or(RESERVE);
            Some((said.unwrap_or(0).max(floor), "agents.defaults.compaction".to_owned()))
        }
    }
}

/// `contextTokens` of the row that leads to the transcript, and what it says about its tokens.
fn of_row(chosen: &Chosen) -> Option<(Option<Found>, Option<Total>)> {
    let beside = || chosen.path.parent().map(|dir| dir.join("sessions.json"));
    let store = chosen.found.as_ref().map(|found| found.target.store_path.clone()).or_else(beside)?;
    let IndexState::Whole(index) = store::read::read(&store) else { return None };
    let key = chosen.found.as_ref().and_then(|found| found.key.as_deref());
    let stem = chosen.stem.as_str();
    let row = index.rows.iter().filter(|row| !row.shadowed).find(|row| match key {
        Some(key) => index.key(row) == key,
        None => row.session_id.is_some_and(|id| id.get(&index.bytes) == stem),
    })?;
    let entry = store::entry::read(&index, row);
    let window = entry.context_tokens.filter(|n| *n > 0.0).map(|n| (n as u64, "row of the session".to_owned()));
    let total = match entry.total_tokens.filter(|n| *n > 0.0) {
        None => Total::Missing,
        Some(total) if entry.total_tokens_fresh == Some(false) => Total::Stale(total as u64),
        Some(_) => Total::Fresh,
    };
    Some((window, Some(total)))
}
