//! What one piece of a transcript holds, counted: the inner loop of `transcript stats`.
//!
//! One pass over the bytes. Nothing is made of a record that is not counted: strings are skipped by the lexer, names are
//! compared where they stand. A line counts only once it is known to be whole; whole records on damaged lines count too, the
//! gateway having paid for them.
//!
//! # Performance
//!
//! The lexer's string skipping is the work; everything else here is a few compares a field. Keep it free of allocation.

use std::hash::BuildHasher;
use std::io;

use foldhash::quality::FixedState;

use super::inside;
use super::lines::{Body, Lines};
use super::record;
use super::slim::Cut;
use super::source::{RecordText, Source};
use super::tally_record::{Message, Record, Seen, read};
use crate::model::Ms;
use crate::model::index::Text;
use crate::model::transcript::{Kind, Role};
use crate::model::transcript_usage::Usage;
use crate::store::identity::identity;
use crate::store::parse::BOM;

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

/// Provider and model.
pub type ModelName = (Box<[u8]>, Box<[u8]>);

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

/// The longest line, the first of equal ones.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Longest {
    /// Bytes, without the newline; 0: there is no line.
    pub bytes: u64,
    /// Its offset.
    pub at: u64,
    /// Its number within the piece, from 1.
    pub line: u64,
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
    /// The longest of them.
    pub longest: Longest,
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
    pub models: Vec<ModelName>,
    /// Answers.
    pub answers: Vec<Answer>,
    /// Tools.
    pub tools: Vec<ToolTally>,
    /// Large results, in no order; a few times [`LARGEST`] at most.
    pub large: Vec<LargeResult>,
    /// Results up to this size are not among the largest.
    large_floor: u64,
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
        tally.bytes = end.saturating_sub(start);
        return Ok(tally);
    }
    while lines.offset() < end {
        let Some(line) = lines.next_line()? else { break };
        tally.lines += 1;
        if line.len > tally.longest.bytes {
            tally.longest = Longest { bytes: line.len, at: line.at, line: tally.lines };
        }
        match &line.body {
            Body::Short(bytes) => {
                let text = if line.at == 0 { bytes.strip_prefix(BOM).unwrap_or(bytes) } else { bytes };
                tally.line(text, &[], line.at);
            }
            Body::Long(long) => match long.0.line {
                record::Line::Record(_) => tally.line(&long.1.text, &long.1.cuts, line.at),
                record::Line::Blank => {}
                record::Line::Null | record::Line::NonObject => tally.non_records += 1,
                record::Line::Bad(_) => {
                    tally.bad_lines += 1;
                    for found in inside::records(source, &line)? {
                        let RecordText { text, cuts } = source.record(found.at, found.len)?;
                        tally.recovered += u64::from(tally.record(Record { text: &text, cuts: &cuts }, found.at));
                    }
                }
            },
        }
        let at = lines.offset();
        if tally.answers.len() + tally.compactions.len() >= PART && at < end {
            tally.rest = Some((at, end));
            tally.bytes = at - start;
            return Ok(tally);
        }
    }
    tally.bytes = end.saturating_sub(start);
    Ok(tally)
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
            FixedState::default().hash_one((&*id, &*time, usage.context()))
        } else {
            FixedState::default().hash_one((&*provider, &*response))
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
        if bytes <= self.large_floor {
            return;
        }
        let tool = u32::try_from(tool).unwrap_or(0);
        self.large.push(LargeResult { bytes, at, line: self.lines, tool });
        if self.large.len() >= 4 * LARGEST {
            keep_largest(&mut self.large);
            self.large_floor = self.large.last().map_or(0, |l| l.bytes);
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

#[cfg(test)]
#[path = "tally_tests.rs"]
mod tests;
