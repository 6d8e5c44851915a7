//! `transcript stats`: entries, tokens, cost, tool calls and bytes.

use std::collections::HashMap;
use std::path::PathBuf;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::cache;
use crate::cli::GlobalFlags;
use crate::cli::transcript_read::StatsArgs;
use crate::cmd::transcript::files::{self, File, Piece};
use crate::cmd::transcript::zone;
use crate::context::Context;
use crate::error::{Error, Kind as ErrorKind, Result};
use crate::exit;
use crate::model::Ms;
use crate::model::conversation::SCHEMA_VERSION;
use crate::model::stats_report::{
    CompactionAt, Count, DayUsage, Large, LongestLine, ModelUsage, StatsReport, Tool, Unreadable,
};
use crate::model::transcript::{Kind, Role};
use crate::order::Order as _;
use crate::report::json;
use crate::report::progress::Progress;
use crate::report::style::Style;
use crate::report::transcript::stats as report;
use crate::transcript::parallel;
use crate::transcript::source::Source;
use crate::transcript::stats::{Stats, Used};
use crate::transcript::tally::{self, Tally};
use crate::units::time;

/// Runs the command.
///
/// # Errors
/// A file that is named cannot be found; the run was asked to stop.
pub fn run(ctx: &mut Context, g: &GlobalFlags, a: &StatsArgs) -> Result<u8> {
    let zone = zone::of(ctx, a.tz.as_deref())?;
    let files = files::list(ctx, g, &a.targets, &a.select, !a.no_archives)?;
    let (stats, unreadable) = count(ctx, &files, &zone)?;
    if let ([_], [one]) = (files.as_slice(), unreadable.as_slice()) {
        return Err(Error::failed(one.error.clone()));
    }
    let report = build(&stats, &files, unreadable, &zone, a.top);
    if ctx.output.json {
        json::print(ctx, &report)?;
    } else if ctx.output.quiet == 0 {
        ctx.write_stdout(report::text(&report, a.top, Style::stdout(ctx), ctx.width()).as_bytes())?;
    }
    Ok(if report.unreadable.is_empty() { exit::DONE } else { exit::PARTIAL })
}

/// A tally, or why there is none.
type Counted = std::result::Result<Tally, String>;

fn count(ctx: &Context, files: &[File], zone: &TimeZone) -> Result<(Stats, Vec<Unreadable>)> {
    let pieces = files::pieces(files);
    let scratch = cache::folder::scratch(ctx);
    let bar = Progress::bar(ctx, "reading", files.iter().map(|file| file.size).sum());
    let mut stats = Stats::default();
    let mut unreadable: Vec<Unreadable> = Vec::new();
    let mut days = Days { zone, known: HashMap::new() };
    let work = |piece: &Piece| (*piece, tally(files, *piece, &scratch));
    parallel::ordered(&pieces, work, |(piece, counted)| {
        let mut next = Some(counted);
        while let Some(counted) = next.take() {
            match counted {
                Ok(part) => {
                    if let Some((start, end)) = part.rest {
                        next = Some(tally(files, Piece { start, end, ..piece }, &scratch));
                    }
                    bar.advance(part.bytes);
                    stats.add(piece.file, part, &mut |at| days.of(at));
                }
                Err(error) => {
                    let path = files::shown(&files[piece.file]);
                    if unreadable.last().is_none_or(|last| last.path != path) {
                        unreadable.push(Unreadable { path, error });
                    }
                }
            }
        }
        ctx.cancel.get().is_none()
    });
    if ctx.cancel.get().is_some() {
        return Err(Error::new(ErrorKind::Interrupted, "interrupted"));
    }
    Ok((stats, unreadable))
}

/// Counts one piece. A piece that goes on where another stopped begins a line.
fn tally(files: &[File], piece: Piece, scratch: &[PathBuf]) -> Counted {
    let path = &files[piece.file].path;
    let source = Source::open(path, scratch).map_err(|e| e.message)?;
    // A compressed copy is one piece without an end; what is called one may be no such thing.
    let end = if source.packed { source.size } else { piece.end.min(source.size) };
    let from = if piece.start.is_multiple_of(files::PIECE) { 0 } else { piece.start };
    tally::piece(&source, piece.start, end, from).map_err(|e| Error::io("read", path, e).message)
}

/// Days of times. Asked once for every quarter of an hour: no zone moves by less.
struct Days<'a> {
    zone: &'a TimeZone,
    known: HashMap<Ms, i32>,
}

impl Days<'_> {
    fn of(&mut self, at: Ms) -> i32 {
        const QUARTER: Ms = 15 * 60_000;
        let quarter = at.div_euclid(QUARTER);
        *self.known.entry(quarter).or_insert_with(|| {
            let offset = Timestamp::from_millisecond(quarter * QUARTER).map_or(0, |t| self.zone.to_offset(t).seconds());
            let local = quarter * QUARTER + Ms::from(offset) * 1000;
            i32::try_from(local.div_euclid(86_400_000)).unwrap_or(0)
        })
    }
}

fn day_text(day: Option<i32>) -> String {
    let text = day.map(|day| time::iso(Ms::from(day) * 86_400_000));
    text.and_then(|text| text.get(..10).map(str::to_owned)).unwrap_or_else(|| "unknown".to_owned())
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn build(stats: &Stats, files: &[File], unreadable: Vec<Unreadable>, zone: &TimeZone, top: usize) -> StatsReport {
    let sum = &stats.sum;
    let path_of = |file: usize| files::shown(&files[file]);
    let mut compactions = stats.compactions.clone();
    compactions.order_by_key(|c| (std::cmp::Reverse(c.what.at), c.file, std::cmp::Reverse(c.what.offset)));
    StatsReport {
        schema_version: SCHEMA_VERSION,
        files: files.len() as u64 - unreadable.len() as u64,
        path: if let [one] = files { Some(files::shown(one)) } else { None },
        unreadable,
        bytes: sum.bytes,
        lines: sum.lines,
        longest_line: stats.longest.map(|longest| LongestLine {
            path: path_of(longest.file),
            line: longest.what.line,
            offset: longest.what.at,
            bytes: longest.what.bytes,
        }),
        bad_lines: sum.bad_lines,
        recovered: sum.recovered,
        entries: entries(stats),
        messages: roles(stats),
        content: content(stats),
        images: sum.images,
        time_zone: zone.iana_name().unwrap_or("local").to_owned(),
        answers: stats.all.answers,
        duplicate_answers: stats.duplicates,
        duplicates_incomplete: stats.incomplete,
        failed_answers: stats.failed,
        usage: stats.all.usage,
        models: models(stats),
        days: stats.days.iter().map(|(day, used)| day_usage(*day, used)).collect(),
        tools: tools(stats),
        largest_results: stats
            .large
            .iter()
            .take(top)
            .map(|l| Large {
                path: path_of(l.file),
                line: l.what.line,
                offset: l.what.at,
                tool: stats.tool_names.get(l.what.tool as usize).map(|name| lossy(name)).unwrap_or_default(),
                bytes: l.what.bytes,
            })
            .collect(),
        compaction_count: stats.compaction_count,
        compactions: compactions
            .iter()
            .map(|c| CompactionAt {
                path: path_of(c.file),
                line: c.what.line,
                offset: c.what.offset,
                at: c.what.at.map(time::iso),
                tokens_before: c.what.tokens_before,
                summary_bytes: c.what.summary,
            })
            .collect(),
        first_at: sum.span.map(|(from, _)| time::iso(from)),
        last_at: sum.span.map(|(_, to)| time::iso(to)),
        busy_ms: sum.busy,
    }
}

fn counts(pairs: impl Iterator<Item = (String, u64)>) -> Vec<Count> {
    pairs.filter(|(_, count)| *count > 0).map(|(name, count)| Count { name, count }).collect()
}

fn entries(stats: &Stats) -> Vec<Count> {
    let named = Kind::NAMED.iter().map(|(kind, name)| ((*name).to_owned(), stats.sum.kinds[*kind as usize]));
    let others = [("other".to_owned(), stats.sum.kinds[0]), ("no record".to_owned(), stats.sum.non_records)];
    counts(named.chain(others))
}

fn roles(stats: &Stats) -> Vec<Count> {
    let role = |(at, count): (usize, &u64)| {
        let role = Role::from_number(u8::try_from(at).unwrap_or(0));
        let name = role.as_str().unwrap_or(if role == Role::None { "none" } else { "other" });
        (name.to_owned(), *count)
    };
    counts(stats.sum.roles.iter().enumerate().map(role))
}

fn content(stats: &Stats) -> Vec<Count> {
    let c = &stats.sum.content;
    let pairs = [
        ("userText", c.user_text),
        ("answerText", c.answer_text),
        ("thinking", c.thinking),
        ("toolArguments", c.arguments),
        ("toolResults", c.results),
        ("images", c.images),
        ("summaries", c.summaries),
        ("custom", c.custom),
        ("other", stats.sum.bytes.saturating_sub(c.total())),
    ];
    counts(pairs.into_iter().map(|(name, count)| (name.to_owned(), count)))
}

fn models(stats: &Stats) -> Vec<ModelUsage> {
    let mut out: Vec<ModelUsage> = stats
        .models
        .iter()
        .map(|((provider, model), used)| ModelUsage {
            provider: lossy(provider),
            model: lossy(model),
            answers: used.answers,
            usage: used.usage,
        })
        .collect();
    out.order_by(|a, b| {
        b.usage.cost.total_cmp(&a.usage.cost).then(b.answers.cmp(&a.answers)).then_with(|| a.model.cmp(&b.model))
    });
    out
}

fn day_usage(day: Option<i32>, used: &Used) -> DayUsage {
    DayUsage { day: day_text(day), answers: used.answers, usage: used.usage }
}

fn tools(stats: &Stats) -> Vec<Tool> {
    let rate = |errors: u64, results: u64| if results == 0 { 0.0 } else { errors as f64 / results as f64 };
    let tools = stats.tools.iter().map(|(name, t)| Tool {
        name: lossy(name),
        calls: t.calls,
        results: t.results,
        errors: t.errors,
        error_rate: rate(t.errors, t.results),
        result_bytes: t.bytes,
    });
    let mut out: Vec<Tool> = tools.collect();
    out.order_by(|a, b| b.calls.cmp(&a.calls).then(b.results.cmp(&a.results)).then_with(|| a.name.cmp(&b.name)));
    out
}
