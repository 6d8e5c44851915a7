//! What one piece of a transcript holds, counted: the inner loop of `transcript stats`.
//!
//! One pass over the bytes. Nothing is made of a record that is not counted: strings are skipped by the lexer, names are
//! compared where they stand. A line counts only once it is known to be whole; whole records on damaged lines count too, the
//! gateway having paid for them.
//!
//! # Performance
//!
//! The lexer's string skipping is the work; everything else here is a few compares a field. Keep it free of allocation.

use std::io;

use super::lines::{Body, Lines};
use super::node::Node;
use super::record::{self, hash};
use super::slim::{Cut, missing};
use super::source::Source;
use super::usage;
use crate::model::Ms;
use crate::model::index::Text;
use crate::model::transcript::{Kind, Role};
use crate::model::transcript_usage::Usage;
use crate::store::identity::identity;
use crate::store::lexer::{Fault, Lexer};
use crate::store::parse::BOM;
use crate::units::time::iso_ms;

/// Answers that are collected before they are handed over.
const PART: usize = 1 << 14;
/// Longest pause, in ms, that still counts as being at work.
pub const PAUSE: Ms = 10 * 60_000;
/// Large results that are remembered.
pub const LARGEST: usize = 64;

/// Bytes by kind of content.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ContentBytes {
    /// Text of users.
    pub user_text: u64,
    /// Text of the model.
    pub answer_text: u64,
    /// What the model thought.
    pub thinking: u64,
    /// Arguments of calls.
    pub arguments: u64,
    /// Text of tool results and of commands.
    pub results: u64,
    /// Images as text.
    pub images: u64,
    /// Summaries of compactions and branches.
    pub summaries: u64,
    /// Messages that plug-ins put in.
    pub custom: u64,
}

impl ContentBytes {
    /// All of them.
    pub fn total(&self) -> u64 {
        self.user_text
            + self.answer_text
            + self.thinking
            + self.arguments
            + self.results
            + self.images
            + self.summaries
            + self.custom
    }

    /// Adds another.
    pub fn add(&mut self, o: &Self) {
        self.user_text += o.user_text;
        self.answer_text += o.answer_text;
        self.thinking += o.thinking;
        self.arguments += o.arguments;
        self.results += o.results;
        self.images += o.images;
        self.summaries += o.summaries;
        self.custom += o.custom;
    }
}

/// An answer of a model.
#[derive(Debug, Clone, Copy)]
pub struct Answer {
    /// Two answers with the same one are one.
    pub key: u64,
    /// Model, as a position in [`Tally::models`].
    pub model: u32,
    /// When, epoch ms.
    pub at: Option<Ms>,
    /// It ended with an error or was aborted.
    pub failed: bool,
    /// What it used.
    pub usage: Usage,
}

/// Calls and results of one tool.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToolTally {
    /// Name.
    pub name: Box<[u8]>,
    /// Calls.
    pub calls: u64,
    /// Results.
    pub results: u64,
    /// Results that are errors.
    pub errors: u64,
    /// Bytes of results.
    pub bytes: u64,
}

/// A large tool result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LargeResult {
    /// Bytes.
    pub bytes: u64,
    /// Offset of its record.
    pub at: u64,
    /// Its line within the piece, from 1.
    pub line: u64,
    /// Its tool, as a position in [`Tally::tools`].
    pub tool: u32,
}

/// A compaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Compacted {
    /// When, epoch ms.
    pub at: Option<Ms>,
    /// Tokens before it.
    pub tokens_before: Option<u64>,
    /// Bytes of its summary.
    pub summary: u64,
    /// Offset of its record.
    pub offset: u64,
    /// Its line within the piece, from 1.
    pub line: u64,
}

/// What one piece holds.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    /// Bytes read.
    pub bytes: u64,
    /// Lines.
    pub lines: u64,
    /// Lines that cannot be read.
    pub bad_lines: u64,
    /// Whole records on them.
    pub recovered: u64,
    /// Records by type; the position is the number of the kind.
    pub kinds: [u64; 12],
    /// Values that are no record.
    pub non_records: u64,
    /// Messages by role; the position is the number of the role.
    pub roles: [u64; 9],
    /// Bytes by kind of content.
    pub content: ContentBytes,
    /// Images.
    pub images: u64,
    /// Providers and models.
    pub models: Vec<(Box<[u8]>, Box<[u8]>)>,
    /// Answers.
    pub answers: Vec<Answer>,
    /// Tools.
    pub tools: Vec<ToolTally>,
    /// Large results, in no order; a few times [`LARGEST`] at most.
    pub large: Vec<LargeResult>,
    /// Compactions.
    pub compactions: Vec<Compacted>,
    /// Time of the first entry that has one.
    pub first_at: Option<Ms>,
    /// Time of the last entry that has one.
    pub last_at: Option<Ms>,
    /// Earliest and latest time.
    pub span: Option<(Ms, Ms)>,
    /// Time between entries, longer pauses left out.
    pub busy: Ms,
    /// What is left of the piece.
    pub rest: Option<(u64, u64)>,
}

/// Counts the lines that begin between two offsets. As in [`super::index`], a piece that does not begin at `from` leaves the
/// line it begins in to its neighbour.
///
/// # Errors
/// What reading gives.
pub fn piece(source: &Source, start: u64, end: u64, from: u64) -> io::Result<Tally> {
    let mut tally = Tally::default();
    let begin = if start == from { start } else { start - 1 };
    let mut lines = Lines::new(source.range(begin, source.size), begin);
    if start != from && !lines.skip_line()?.1 {
        tally.bytes = end - start;
        return Ok(tally);
    }
    while lines.offset() < end {
        let Some(line) = lines.next_line()? else { break };
        tally.lines += 1;
        match line.body {
            Body::Short(bytes) => {
                let text = if line.at == 0 { bytes.strip_prefix(BOM).unwrap_or(bytes) } else { bytes };
                tally.line(text, &[], line.at);
            }
            Body::Long(long) => match long.0.line {
                record::Line::Record(_) => tally.line(&long.1.text, &long.1.cuts, line.at),
                record::Line::Blank => {}
                record::Line::Null | record::Line::NonObject => tally.non_records += 1,
                record::Line::Bad(_) => tally.bad_lines += 1,
            },
        }
        let at = lines.offset();
        if tally.answers.len() + tally.compactions.len() >= PART && at < end {
            tally.rest = Some((at, end));
            tally.bytes = at - start;
            return Ok(tally);
        }
    }
    tally.bytes = end - start;
    Ok(tally)
}

/// Fields of one record, as they are found.
#[derive(Default)]
struct Seen {
    kind: Kind,
    id: Option<Text>,
    at: Option<Ms>,
    raw_time: Option<Text>,
    message: Option<Message>,
    summary: u64,
    custom: Parts,
    tokens_before: Option<u64>,
}

/// Sizes of content.
#[derive(Default, Clone, Copy)]
struct Parts {
    text: u64,
    thinking: u64,
    arguments: u64,
    image_bytes: u64,
    images: u64,
}

#[derive(Default)]
struct Message {
    role: Role,
    parts: Parts,
    provider: Option<Text>,
    model: Option<Text>,
    response_id: Option<Text>,
    tool: Option<Text>,
    failed: bool,
    error: bool,
    bash: u64,
    usage: Option<Usage>,
}

/// A record at hand.
#[derive(Clone, Copy)]
struct Record<'a> {
    text: &'a [u8],
    cuts: &'a [Cut],
}

impl Record<'_> {
    /// Bytes between two offsets, in the file.
    fn size(&self, start: usize, end: usize) -> u64 {
        let here = (end - start) as u64;
        if self.cuts.is_empty() { here } else { here + missing(self.cuts, start, end + 1) }
    }

    fn string(&self, lexer: &mut Lexer<'_>) -> Result<u64, Fault> {
        Ok(match lexer.string_or_skip()? {
            Some(text) => self.size(text.span.start as usize, text.span.end as usize),
            None => 0,
        })
    }
}

impl Tally {
    fn line(&mut self, text: &[u8], cuts: &[Cut], at: u64) {
        let calls_before = self.tools.len();
        if self.record(Record { text, cuts }, at) {
            return;
        }
        debug_assert!(calls_before == self.tools.len(), "a line that cannot be read counts for nothing");
        if text.trim_ascii().is_empty() {
            return;
        }
        match record::line(text) {
            record::Line::Null | record::Line::NonObject => self.non_records += 1,
            _ => {
                self.bad_lines += 1;
                for (start, end) in record::whole_records(text) {
                    if self.record(Record { text: &text[start..end], cuts: &[] }, at + start as u64) {
                        self.recovered += 1;
                    }
                }
            }
        }
    }

    /// Counts one record; `false` if the text is none.
    fn record(&mut self, record: Record<'_>, at: u64) -> bool {
        let mut seen = Seen::default();
        let mut calls = Vec::new();
        if u32::try_from(record.text.len()).is_err() || read(record, &mut seen, &mut calls).is_err() {
            return false;
        }
        self.count(record, &seen, at);
        for name in calls {
            let tool = self.tool(&identity(name, record.text));
            self.tools[tool].calls += 1;
        }
        true
    }

    fn count(&mut self, record: Record<'_>, seen: &Seen, at: u64) {
        self.kinds[seen.kind as usize] += 1;
        if let Some(now) = seen.at {
            self.time(now);
        }
        match seen.kind {
            Kind::Compaction | Kind::BranchSummary => {
                self.content.summaries += seen.summary;
                if seen.kind == Kind::Compaction {
                    self.compactions.push(Compacted {
                        at: seen.at,
                        tokens_before: seen.tokens_before,
                        summary: seen.summary,
                        offset: at,
                        line: self.lines,
                    });
                }
            }
            Kind::CustomMessage => {
                self.content.custom += seen.custom.text;
                self.content.images += seen.custom.image_bytes;
                self.images += seen.custom.images;
            }
            Kind::Message => {
                if let Some(message) = &seen.message {
                    self.message(record, seen, message, at);
                }
            }
            _ => {}
        }
    }

    fn time(&mut self, now: Ms) {
        if let Some(last) = self.last_at {
            let pause = now - last;
            if (0..=PAUSE).contains(&pause) {
                self.busy += pause;
            }
        }
        self.first_at = self.first_at.or(Some(now));
        self.last_at = Some(now);
        self.span = Some(self.span.map_or((now, now), |(from, to)| (from.min(now), to.max(now))));
    }

    fn message(&mut self, record: Record<'_>, seen: &Seen, message: &Message, at: u64) {
        self.roles[message.role as usize] += 1;
        let parts = &message.parts;
        let content = &mut self.content;
        content.images += parts.image_bytes;
        content.thinking += parts.thinking;
        content.arguments += parts.arguments;
        self.images += parts.images;
        match message.role {
            Role::User => content.user_text += parts.text,
            Role::Assistant => {
                content.answer_text += parts.text;
                self.answer(record, seen, message);
            }
            Role::ToolResult => {
                content.results += parts.text;
                self.result(record, message, parts.text + parts.image_bytes, at);
            }
            Role::Bash => content.results += message.bash,
            _ => content.custom += parts.text,
        }
    }

    fn answer(&mut self, record: Record<'_>, seen: &Seen, message: &Message) {
        let text = |text: Option<Text>| text.map(|text| identity(text, record.text)).unwrap_or_default();
        let usage = message.usage.unwrap_or_default();
        let (provider, model) = (text(message.provider), text(message.model));
        // Copies of what was delivered: no model spoke.
        let mirror = &*provider == b"openclaw" && matches!(&*model, b"delivery-mirror" | b"gateway-injected");
        if mirror && usage.is_zero() {
            return;
        }
        let response = text(message.response_id);
        let key = if response.is_empty() {
            // Forks and checkpoints copy records with their ids and times.
            let (id, time) = (text(seen.id), text(seen.raw_time));
            hash(&[&*id, b"\0", &*time, b"\0", &usage.context().to_le_bytes()].concat())
        } else {
            hash(&[&*provider, b"\0", &*response].concat())
        };
        let model = self.model(&provider, &model);
        self.answers.push(Answer { key, model, at: seen.at, failed: message.failed, usage });
    }

    fn model(&mut self, provider: &[u8], model: &[u8]) -> u32 {
        let known = self.models.iter().rposition(|(p, m)| **p == *provider && **m == *model);
        let at = known.unwrap_or_else(|| {
            self.models.push((provider.into(), model.into()));
            self.models.len() - 1
        });
        u32::try_from(at).unwrap_or(0)
    }

    fn result(&mut self, record: Record<'_>, message: &Message, bytes: u64, at: u64) {
        let name = message.tool.map(|tool| identity(tool, record.text)).unwrap_or_default();
        let tool = self.tool(&name);
        let tally = &mut self.tools[tool];
        tally.results += 1;
        tally.errors += u64::from(message.error);
        tally.bytes += bytes;
        let tool = u32::try_from(tool).unwrap_or(0);
        self.large.push(LargeResult { bytes, at, line: self.lines, tool });
        if self.large.len() >= 4 * LARGEST {
            keep_largest(&mut self.large);
        }
    }

    fn tool(&mut self, name: &[u8]) -> usize {
        self.tools.iter().position(|tool| *tool.name == *name).unwrap_or_else(|| {
            self.tools.push(ToolTally { name: name.into(), ..ToolTally::default() });
            self.tools.len() - 1
        })
    }
}

/// Keeps the [`LARGEST`] largest; of equal ones those that come first in the file.
pub fn keep_largest(large: &mut Vec<LargeResult>) {
    large.sort_by_key(|l| (std::cmp::Reverse(l.bytes), l.at));
    large.truncate(LARGEST);
}

fn read(record: Record<'_>, seen: &mut Seen, calls: &mut Vec<Text>) -> Result<(), Fault> {
    let mut lexer = Lexer::new(record.text, 0);
    lexer.space();
    lexer.members(|lexer, name| {
        let buf = lexer.buf();
        match &*identity(name, buf) {
            b"type" => {
                let kind = lexer.string_or_skip()?;
                seen.kind = kind.map_or(Kind::Unknown, |kind| Kind::of(&identity(kind, buf)));
            }
            b"id" => seen.id = lexer.string_or_skip()?,
            b"timestamp" => {
                seen.raw_time = lexer.string_or_skip()?;
                seen.at = seen.raw_time.and_then(|time| iso_ms(time.span.of(buf)));
            }
            b"message" if lexer.peek() == Some(b'{') => {
                let mut message = Message::default();
                calls.clear();
                read_message(record, lexer, &mut message, calls)?;
                seen.message = Some(message);
            }
            b"summary" => seen.summary = record.string(lexer)?,
            b"content" => seen.custom = content(record, lexer, &mut Vec::new())?,
            b"tokensBefore" => seen.tokens_before = whole_number(lexer)?,
            _ => lexer.value()?,
        }
        Ok(())
    })?;
    lexer.space();
    if lexer.peek().is_some() { Err(lexer.fault()) } else { Ok(()) }
}

fn read_message(
    record: Record<'_>,
    lexer: &mut Lexer<'_>,
    m: &mut Message,
    calls: &mut Vec<Text>,
) -> Result<(), Fault> {
    lexer.members(|lexer, name| {
        let buf = lexer.buf();
        match &*identity(name, buf) {
            b"role" => {
                let role = lexer.string_or_skip()?;
                m.role = role.map_or(Role::None, |role| Role::of(&identity(role, buf)));
            }
            b"content" => m.parts = content(record, lexer, calls)?,
            b"provider" => m.provider = lexer.string_or_skip()?,
            b"model" => m.model = lexer.string_or_skip()?,
            b"responseId" => m.response_id = lexer.string_or_skip()?,
            b"toolName" => m.tool = lexer.string_or_skip()?,
            b"isError" => {
                m.error = lexer.peek() == Some(b't');
                lexer.value()?;
            }
            b"stopReason" => {
                let stop = lexer.string_or_skip()?;
                m.failed = stop.is_some_and(|stop| matches!(stop.span.of(buf), b"error" | b"aborted"));
            }
            b"command" | b"output" => m.bash += record.string(lexer)?,
            b"usage" if lexer.peek() == Some(b'{') => m.usage = Some(read_usage(lexer)?),
            _ => lexer.value()?,
        }
        Ok(())
    })
}

/// The usual words are read where they stand; a usage in other words is read in full.
fn read_usage(lexer: &mut Lexer<'_>) -> Result<Usage, Fault> {
    let mut usage = Usage::default();
    let mut odd = false;
    let start = lexer.pos();
    lexer.members(|lexer, name| {
        let slot = match name.span.of(lexer.buf()) {
            b"input" => &mut usage.input,
            b"output" => &mut usage.output,
            b"cacheRead" => &mut usage.cache_read,
            b"cacheWrite" => &mut usage.cache_write,
            b"totalTokens" => &mut usage.total,
            b"cost" if lexer.peek() == Some(b'{') => return cost(lexer, &mut usage.cost),
            _ => {
                odd = true;
                return lexer.value();
            }
        };
        *slot = whole_number(lexer)?.unwrap_or(0);
        Ok(())
    })?;
    if odd {
        let text = lexer.span_from(start).of(lexer.buf());
        return Ok(Node::new(text, &[]).and_then(|node| usage::of(&node)).unwrap_or_default());
    }
    Ok(usage)
}

fn cost(lexer: &mut Lexer<'_>, total: &mut f64) -> Result<(), Fault> {
    lexer.members(|lexer, name| {
        let is_total = name.span.of(lexer.buf()) == b"total";
        let start = lexer.pos();
        lexer.value()?;
        if is_total {
            let text = std::str::from_utf8(lexer.span_from(start).of(lexer.buf()));
            *total = text.ok().and_then(|t| t.parse().ok()).filter(|n: &f64| n.is_finite() && *n > 0.0).unwrap_or(0.0);
        }
        Ok(())
    })
}

/// A number cut to a whole one; 0 for a negative one, nothing for anything else.
fn whole_number(lexer: &mut Lexer<'_>) -> Result<Option<u64>, Fault> {
    let start = lexer.pos();
    lexer.value()?;
    let text = lexer.span_from(start).of(lexer.buf());
    if !text.first().is_some_and(|b| *b == b'-' || b.is_ascii_digit()) {
        return Ok(None);
    }
    let digits = text.iter().try_fold(0u64, |n, b| {
        b.is_ascii_digit().then(|| n.checked_mul(10)?.checked_add(u64::from(b - b'0'))).flatten()
    });
    let float = || std::str::from_utf8(text).ok().and_then(|t| t.parse::<f64>().ok()).map(|n| n.max(0.0) as u64);
    Ok(digits.or_else(float))
}

/// Content: text, or a list of blocks. Names of calls go to `calls`.
fn content(record: Record<'_>, lexer: &mut Lexer<'_>, calls: &mut Vec<Text>) -> Result<Parts, Fault> {
    let mut parts = Parts::default();
    match lexer.peek() {
        Some(b'"') => parts.text = record.string(lexer)?,
        Some(b'[') => lexer.elements(|lexer| block(record, lexer, &mut parts, calls))?,
        _ => lexer.value()?,
    }
    Ok(parts)
}

fn block(record: Record<'_>, lexer: &mut Lexer<'_>, parts: &mut Parts, calls: &mut Vec<Text>) -> Result<(), Fault> {
    if lexer.peek() != Some(b'{') {
        return lexer.value();
    }
    let mut kind = None;
    let mut name_of = None;
    let (mut text, mut thinking, mut data, mut arguments) = (0, 0, 0, 0);
    lexer.members(|lexer, name| {
        match &*identity(name, lexer.buf()) {
            b"type" => kind = lexer.string_or_skip()?,
            b"text" => text = record.string(lexer)?,
            b"thinking" => thinking = record.string(lexer)?,
            b"data" => data = record.string(lexer)?,
            b"name" => name_of = lexer.string_or_skip()?,
            b"arguments" | b"input" => {
                let start = lexer.pos();
                lexer.value()?;
                arguments = record.size(start, lexer.pos());
            }
            _ => lexer.value()?,
        }
        Ok(())
    })?;
    match kind.map(|kind| kind.span.of(lexer.buf())) {
        Some(b"text" | b"output_text" | b"input_text") => parts.text += text,
        Some(b"thinking") => parts.thinking += thinking,
        Some(b"image") => {
            parts.images += 1;
            parts.image_bytes += data;
        }
        Some(b"toolCall" | b"toolUse" | b"functionCall" | b"tool_call" | b"tool_use" | b"function_call") => {
            parts.arguments += arguments;
            calls.extend(name_of);
        }
        _ => {}
    }
    Ok(())
}

#[cfg(test)]
#[path = "tally_tests.rs"]
mod tests;
