//! `transcript search`: text in messages, tool calls and results, over one transcript or many.

use std::io;
use std::path::PathBuf;

use regex::RegexBuilder;

use crate::cache;
use crate::cli::GlobalFlags;
use crate::cli::transcript_read::{RoleArg, SearchArgs, since};
use crate::cmd::transcript::files::{self, File, Piece};
use crate::context::Context;
use crate::error::{Error, Kind, Result};
use crate::exit;
use crate::model::conversation::SCHEMA_VERSION;
use crate::model::search_report::{Match, Summary};
use crate::report::escape;
use crate::report::style::Style;
use crate::report::transcript::{lines, search as report};
use crate::transcript::find::{self, Found, Pattern, Query};
use crate::transcript::parallel;
use crate::transcript::source::Source;

/// Runs the command.
///
/// # Errors
/// A wrong expression; a file that is named cannot be found; the run was asked to stop.
pub fn run(ctx: &mut Context, g: &GlobalFlags, a: &SearchArgs) -> Result<u8> {
    let query = query(ctx, a)?;
    let files = files::list(ctx, g, &a.targets, &a.select, a.archives)?;
    let pieces = files::pieces(&files);
    let scratch = cache::folder::scratch(ctx);
    let mut summary =
        Summary { record: "summary", schema_version: SCHEMA_VERSION, files: files.len() as u64, ..Summary::default() };
    let style = Style::stdout(ctx);
    let (as_json, quiet) = (ctx.output.json, ctx.output.quiet > 0);
    let limit = a.limit.unwrap_or(u64::MAX);
    ctx.stream_stdout(|out| {
        let mut at = Place::default();
        let mut failed: Option<io::Error> = None;
        let work = |piece: &Piece| (*piece, look(&files, *piece, &query, &scratch));
        parallel::ordered(&pieces, work, |(piece, result)| {
            let mut next = Some(result);
            while let Some(result) = next.take() {
                match result {
                    Ok(found) => {
                        let before = at.lines_before(piece.file, found.lines);
                        summary.cut_records += found.cut_records;
                        for mut m in found.matches {
                            if summary.matches == limit {
                                summary.limited = true;
                                return false;
                            }
                            m.line += before;
                            m.path = files::shown(&files[piece.file]);
                            m.agent_id.clone_from(&files[piece.file].agent);
                            summary.matches += 1;
                            if let Err(e) = at.print(out, &m, as_json, style) {
                                failed = Some(e);
                                return false;
                            }
                        }
                        next = found
                            .rest
                            .map(|(start, end)| look(&files, Piece { start, end, ..piece }, &query, &scratch));
                    }
                    Err(error) => {
                        if summary.unreadable.last() != Some(&error) {
                            summary.unreadable.push(error);
                        }
                    }
                }
            }
            ctx.cancel.get().is_none()
        });
        if let Some(e) = failed {
            return Err(e);
        }
        if as_json {
            lines::write(out, &summary)
        } else if quiet {
            Ok(())
        } else {
            out.write_all(report::summary(&summary, style).as_bytes())
        }
    })?;
    if ctx.cancel.get().is_some() {
        return Err(Error::new(Kind::Interrupted, "interrupted"));
    }
    Ok(if summary.unreadable.is_empty() { exit::DONE } else { exit::PARTIAL })
}

/// Where the matches that are printed come from.
#[derive(Debug, Default)]
struct Place {
    file: Option<usize>,
    lines: u64,
    printed: Option<String>,
}

impl Place {
    /// Lines of the file before the piece at hand, which has so many itself.
    fn lines_before(&mut self, file: usize, lines: u64) -> u64 {
        if self.file != Some(file) {
            (self.file, self.lines) = (Some(file), 0);
        }
        let before = self.lines;
        self.lines += lines;
        before
    }

    fn print(&mut self, out: &mut dyn io::Write, m: &Match, as_json: bool, style: Style) -> io::Result<()> {
        if as_json {
            return lines::write(out, m);
        }
        let new = self.printed.as_deref() != Some(m.path.as_str());
        self.printed = Some(m.path.clone());
        out.write_all(report::line(m, new, style).as_bytes())
    }
}

fn look(files: &[File], piece: Piece, query: &Query, scratch: &[PathBuf]) -> std::result::Result<Found, String> {
    let path = &files[piece.file].path;
    let source = Source::open(path, scratch).map_err(|e| e.message)?;
    // A compressed copy is one piece without an end; what is called one may be no such thing.
    let end = if source.packed { source.size } else { piece.end.min(source.size) };
    let from = if piece.start.is_multiple_of(files::PIECE) { 0 } else { piece.start };
    find::piece(&source, query, piece.start, end, from).map_err(|e| Error::io("read", path, e).message)
}

fn query(ctx: &Context, a: &SearchArgs) -> Result<Query> {
    if a.pattern.is_empty() {
        return Err(Error::usage("an empty text is everywhere").hint("clawkeep transcript search --help"));
    }
    let pattern = if a.regex || a.ignore_case {
        let text = if a.regex { a.pattern.clone() } else { regex::escape(&a.pattern) };
        let built = RegexBuilder::new(&text).case_insensitive(a.ignore_case).multi_line(true).build();
        Pattern::Regex(built.map_err(|e| {
            let why = e.to_string();
            let why = why.lines().last().unwrap_or_default().trim();
            Error::usage(format!("{} is no regular expression: {}", escape::line(&a.pattern), escape::line(why)))
        })?)
    } else {
        Pattern::literal(&a.pattern)
    };
    let mut query = Query::new(pattern);
    query.roles = a.roles.iter().map(|role| role_name(*role)).collect();
    query.tools.clone_from(&a.tools);
    if let Some(text) = &a.since {
        let at =
            since(text, ctx.run_time()).map_err(|e| Error::usage(format!("--since {}: {e}", escape::line(text))))?;
        query.since = Some(at);
    }
    Ok(query)
}

fn role_name(role: RoleArg) -> &'static str {
    match role {
        RoleArg::User => "user",
        RoleArg::Assistant => "assistant",
        RoleArg::Tool => "toolResult",
        RoleArg::Summary => "summary",
        RoleArg::Custom => "custom",
        RoleArg::Bash => "bashExecution",
    }
}
