//! One record as far as it is counted: fields where they stand, sizes of content.

use super::node::Node;
use super::slim::{Cut, missing};
use super::usage;
use crate::model::Ms;
use crate::model::index::Text;
use crate::model::transcript::{Kind, Role};
use crate::model::transcript_usage::Usage;
use crate::store::identity::identity;
use crate::store::lexer::{Fault, Lexer};
use crate::store::likely_key::{LikelyKey, likely_keys};
use crate::units::time::iso_ms;

// As the gateway writes them.
static RECORD: [LikelyKey; 5] = likely_keys([b"type", b"id", b"parentId", b"timestamp", b"message"]);
static ANSWER: [LikelyKey; 8] =
    likely_keys([b"role", b"content", b"api", b"provider", b"model", b"usage", b"stopReason", b"timestamp"]);
static RESULT: [LikelyKey; 7] =
    likely_keys([b"role", b"toolCallId", b"toolName", b"content", b"details", b"isError", b"timestamp"]);
static USAGE: [LikelyKey; 6] = likely_keys([b"input", b"output", b"cacheRead", b"cacheWrite", b"totalTokens", b"cost"]);
static COST: [LikelyKey; 5] = likely_keys([b"input", b"output", b"cacheRead", b"cacheWrite", b"total"]);
static BLOCK: [LikelyKey; 5] = likely_keys([b"type", b"text", b"id", b"name", b"arguments"]);

/// The year 10000, epoch ms.
const LAST_MOMENT: Ms = 253_402_300_800_000;

/// Fields of one record, as they are found.
#[derive(Debug, Default)]
pub struct Seen {
    /// `type`.
    pub kind: Kind,
    /// `id`.
    pub id: Option<Text>,
    /// `timestamp`, epoch ms; if it is no time, `message.timestamp`.
    pub at: Option<Ms>,
    /// `timestamp` as it stands.
    pub raw_time: Option<Text>,
    /// `message`.
    pub message: Option<Message>,
    /// Bytes of `summary`.
    pub summary: u64,
    /// Sizes of `content`.
    pub custom: Parts,
    /// `tokensBefore`.
    pub tokens_before: Option<u64>,
}

/// Sizes of content.
#[derive(Debug, Default, Clone, Copy)]
pub struct Parts {
    /// Text.
    pub text: u64,
    /// What the model thought.
    pub thinking: u64,
    /// Arguments of calls.
    pub arguments: u64,
    /// Images as text.
    pub image_bytes: u64,
    /// Images.
    pub images: u64,
}

/// A `message`.
#[derive(Debug, Default)]
pub struct Message {
    /// `role`.
    pub role: Role,
    /// Sizes of `content`.
    pub parts: Parts,
    /// `provider`.
    pub provider: Option<Text>,
    /// `model`.
    pub model: Option<Text>,
    /// `responseId`.
    pub response_id: Option<Text>,
    /// `toolName`.
    pub tool: Option<Text>,
    /// `stopReason` is `error` or `aborted`.
    pub failed: bool,
    /// `isError` is true.
    pub error: bool,
    /// Bytes of `command` and `output`.
    pub bash: u64,
    /// `timestamp`, epoch ms.
    pub at: Option<Ms>,
    /// `usage`.
    pub usage: Option<Usage>,
}

/// A record at hand.
#[derive(Debug, Clone, Copy)]
pub struct Record<'a> {
    /// Its text.
    pub text: &'a [u8],
    /// What is missing in it.
    pub cuts: &'a [Cut],
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

/// Reads one record; names of tools that are called go to `calls`.
///
/// # Errors
/// The text is no record; nothing that was read counts then.
pub fn read(record: Record<'_>, seen: &mut Seen, calls: &mut Vec<Text>) -> Result<(), Fault> {
    let mut lexer = Lexer::new(record.text, 0);
    lexer.space();
    lexer.members_in_order(&RECORD, |lexer, name| {
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
    seen.at = seen.at.or_else(|| seen.message.as_ref()?.at);
    lexer.space();
    if lexer.peek().is_some() { Err(lexer.fault()) } else { Ok(()) }
}

fn read_message(
    record: Record<'_>,
    lexer: &mut Lexer<'_>,
    m: &mut Message,
    calls: &mut Vec<Text>,
) -> Result<(), Fault> {
    let result = lexer.buf()[lexer.pos()..].starts_with(br#"{"role":"toolResult""#);
    let order: &[LikelyKey] = if result { &RESULT } else { &ANSWER };
    lexer.members_in_order(order, |lexer, name| {
        let buf = lexer.buf();
        match &*identity(name, buf) {
            b"role" => {
                let role = lexer.string_or_skip()?;
                m.role = role.map_or(Role::None, |role| Role::of(&identity(role, buf)));
            }
            b"content" => m.parts = content(record, lexer, calls)?,
            b"provider" => m.provider = lexer.string_or_skip()?,
            b"model" => m.model = lexer.string_or_skip()?,
            b"timestamp" => m.at = whole_number(lexer)?.and_then(moment),
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
    lexer.members_in_order(&USAGE, |lexer, name| {
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
    lexer.members_in_order(&COST, |lexer, name| {
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

/// A time in epoch ms; 0, and what no calendar shows, is none.
fn moment(number: u64) -> Option<Ms> {
    Ms::try_from(number).ok().filter(|ms| (1..LAST_MOMENT).contains(ms))
}

/// A number cut to a whole one; 0 for a negative one, nothing for one without bounds (`1e400`) and for anything else.
fn whole_number(lexer: &mut Lexer<'_>) -> Result<Option<u64>, Fault> {
    if let Some(number) = lexer.short_whole_number() {
        return Ok(Some(number));
    }
    let start = lexer.pos();
    lexer.value()?;
    let text = lexer.span_from(start).of(lexer.buf());
    if !text.first().is_some_and(|b| *b == b'-' || b.is_ascii_digit()) {
        return Ok(None);
    }
    Ok(std::str::from_utf8(text)
        .ok()
        .and_then(|t| t.parse::<f64>().ok())
        .filter(|n| n.is_finite())
        .map(|n| n.max(0.0) as u64))
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
    lexer.members_in_order(&BLOCK, |lexer, name| {
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
