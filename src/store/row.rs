//! One row of the index: its spans and the few fields that policies look at.
//!
//! A row is scanned once. Fields that no policy needs are skipped without decoding; of a field that comes twice the last
//! one counts, as it does for the gateway. Only lists of references add up: an extra reference can keep a file, never
//! lose one.

use crate::model::Ms;
use crate::model::index::{Odd, Reference, Row, Span, Text, TimeField, Via};
use crate::transcript::names;

use super::identity::identity;
use super::lexer::{Fault, Lexer};

/// Times before this (September 2001) are taken for seconds or nonsense.
const FIRST_MS: f64 = 1e12;
/// Times from this on (the year 2255) are nonsense.
const LAST_MS: f64 = 9e15;

/// Reads rows from wherever its lexer stands. A salvage of a damaged index sets a new position and goes on.
#[derive(Debug)]
pub struct RowScanner<'a> {
    /// Position in the text.
    pub lexer: Lexer<'a>,
    /// References of all rows read so far.
    pub references: Vec<Reference>,
}

impl<'a> RowScanner<'a> {
    /// Starts at `pos`.
    pub fn new(buf: &'a [u8], pos: usize) -> Self {
        Self { lexer: Lexer::new(buf, pos), references: Vec::new() }
    }

    /// Reads `"key": value`. On a fault no reference of the broken row is left behind.
    pub fn row(&mut self) -> Result<Row, Fault> {
        let first = self.references.len();
        self.row_from(first).inspect_err(|_| self.references.truncate(first))
    }

    fn row_from(&mut self, first: usize) -> Result<Row, Fault> {
        let key = self.lexer.key()?;
        let start = self.lexer.pos();
        let mut fields = Fields::default();
        let object = self.lexer.peek() == Some(b'{');
        if object {
            let references = &mut self.references;
            self.lexer.members(|lexer, name| fields.member(lexer, name, references))?;
        } else {
            self.lexer.value()?;
        }
        let refs = Span { start: offset(first), end: offset(self.references.len()) };
        let odd = if object { fields.odd } else { Some(Odd::NotAnObject) };
        Ok(fields.into_row(key, self.lexer.span_from(start), refs, odd))
    }
}

/// What has been seen of a row so far.
#[derive(Default)]
struct Fields {
    session_id: Option<Text>,
    session_file: Option<Text>,
    transcript_path: Option<Text>,
    chat_type: Option<Text>,
    origin_chat_type: Option<Text>,
    status: Option<Text>,
    updated_at: TimeField,
    last_interaction_at: TimeField,
    session_started_at: TimeField,
    odd: Option<Odd>,
}

impl Fields {
    fn member(&mut self, lexer: &mut Lexer<'_>, name: Text, references: &mut Vec<Reference>) -> Result<(), Fault> {
        let buf = lexer.buf();
        match &*identity(name, buf) {
            b"sessionId" => self.session_id(lexer, references)?,
            b"sessionFile" => self.session_file = lexer.string_or_skip()?.filter(|text| !is_blank(*text, buf)),
            b"transcriptPath" => self.transcript_path = lexer.string_or_skip()?.filter(|text| !is_blank(*text, buf)),
            b"chatType" => self.chat_type = chat_type(lexer)?,
            b"origin" => self.origin_chat_type = origin_chat_type(lexer)?,
            b"status" => self.status = lexer.string_or_skip()?,
            b"updatedAt" => self.updated_at = time(lexer)?,
            b"lastInteractionAt" => self.last_interaction_at = time(lexer)?,
            b"sessionStartedAt" => self.session_started_at = time(lexer)?,
            b"usageFamilySessionIds" => family(lexer, references)?,
            b"compactionCheckpoints" => checkpoints(lexer, references)?,
            _ => lexer.value()?,
        }
        Ok(())
    }

    fn session_id(&mut self, lexer: &mut Lexer<'_>, references: &mut Vec<Reference>) -> Result<(), Fault> {
        let start = lexer.pos();
        self.session_id = None;
        self.odd = None;
        match lexer.peek() {
            Some(b'"') => {
                self.session_id = Some(lexer.string()?).filter(|text| !is_blank(*text, lexer.buf()));
                // The gateway refuses such an id (spec/cleanup.md 4.6): nothing may be concluded from it.
                let sound = |text: Text| names::is_session_id(text.get(lexer.buf()).trim().as_bytes());
                self.odd = self.session_id.filter(|text| !sound(*text)).map(|_| Odd::BadSessionId);
            }
            Some(b'n') => lexer.value()?,
            Some(first) => {
                lexer.value()?;
                self.odd = Some(Odd::BadSessionId);
                // A number as id: the file of that name may well be its transcript.
                if first.is_ascii_digit() {
                    let text = Text { span: lexer.span_from(start), escaped: false };
                    references.push(Reference { via: Via::SessionId, text });
                }
            }
            None => return Err(lexer.fault()),
        }
        Ok(())
    }

    fn into_row(self, key: Text, value: Span, refs: Span, odd: Option<Odd>) -> Row {
        Row {
            key,
            value,
            session_id: self.session_id,
            session_file: self.session_file.or(self.transcript_path),
            chat_type: self.chat_type.or(self.origin_chat_type),
            status: self.status,
            updated_at: self.updated_at,
            last_interaction_at: self.last_interaction_at,
            session_started_at: self.session_started_at,
            refs,
            odd,
            shadowed: false,
        }
    }
}

fn is_blank(text: Text, buf: &[u8]) -> bool {
    text.span.of(buf).trim_ascii().is_empty() || (text.escaped && text.get(buf).trim().is_empty())
}

/// `null` counts as absent; what is not a string counts as an empty one, which hides `origin.chatType` (spec 4.1).
fn chat_type(lexer: &mut Lexer<'_>) -> Result<Option<Text>, Fault> {
    let start = lexer.pos();
    match lexer.peek() {
        Some(b'"') => lexer.string().map(Some),
        Some(b'n') => lexer.value().map(|()| None),
        _ => {
            lexer.value()?;
            let span = Span { start: offset(start), end: offset(start) };
            Ok(Some(Text { span, escaped: false }))
        }
    }
}

fn origin_chat_type(lexer: &mut Lexer<'_>) -> Result<Option<Text>, Fault> {
    let mut found = None;
    if lexer.peek() != Some(b'{') {
        lexer.value()?;
        return Ok(found);
    }
    lexer.members(|lexer, name| {
        if &*identity(name, lexer.buf()) == b"chatType" {
            found = chat_type(lexer)?;
            Ok(())
        } else {
            lexer.value()
        }
    })?;
    Ok(found)
}

fn family(lexer: &mut Lexer<'_>, references: &mut Vec<Reference>) -> Result<(), Fault> {
    if lexer.peek() != Some(b'[') {
        return lexer.value();
    }
    lexer.elements(|lexer| {
        if let Some(text) = lexer.string_or_skip()? {
            references.push(Reference { via: Via::UsageFamily, text });
        }
        Ok(())
    })
}

/// `sessionFile` of each item and of every object in it: `preCompaction`, `postCompaction` and what may yet come.
fn checkpoints(lexer: &mut Lexer<'_>, references: &mut Vec<Reference>) -> Result<(), Fault> {
    if lexer.peek() != Some(b'[') {
        return lexer.value();
    }
    lexer.elements(|lexer| {
        if lexer.peek() != Some(b'{') {
            return lexer.value();
        }
        lexer.members(|lexer, name| {
            if lexer.peek() == Some(b'{') {
                lexer.members(|lexer, name| checkpoint_file(lexer, name, references))
            } else {
                checkpoint_file(lexer, name, references)
            }
        })
    })
}

fn checkpoint_file(lexer: &mut Lexer<'_>, name: Text, references: &mut Vec<Reference>) -> Result<(), Fault> {
    let wanted = &*identity(name, lexer.buf()) == b"sessionFile";
    if let Some(text) = lexer.string_or_skip()?
        && wanted
    {
        references.push(Reference { via: Via::Checkpoint, text });
    }
    Ok(())
}

fn time(lexer: &mut Lexer<'_>) -> Result<TimeField, Fault> {
    let start = lexer.pos();
    match lexer.peek() {
        Some(b'-' | b'0'..=b'9') => {
            lexer.number()?;
            Ok(milliseconds(&lexer.buf()[start..lexer.pos()]))
        }
        Some(b'n') => lexer.value().map(|()| TimeField::Missing),
        _ => lexer.value().map(|()| TimeField::Suspect),
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the range was checked")]
fn milliseconds(number: &[u8]) -> TimeField {
    // The usual form: 13 digits.
    if number.len() == 13 && number[0] != b'0' && number.iter().all(u8::is_ascii_digit) {
        return TimeField::Ms(number.iter().fold(0, |ms, digit| ms * 10 + Ms::from(digit - b'0')));
    }
    match std::str::from_utf8(number).ok().and_then(|text| text.parse::<f64>().ok()) {
        Some(ms) if (FIRST_MS..LAST_MS).contains(&ms) => TimeField::Ms(ms.floor() as i64),
        _ => TimeField::Suspect,
    }
}

#[expect(clippy::cast_possible_truncation, reason = "buffers over 4 GiB are refused before they are read")]
fn offset(n: usize) -> u32 {
    n as u32
}
