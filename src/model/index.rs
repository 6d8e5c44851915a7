//! `sessions.json` as spans into one buffer.
//!
//! Unknown fields, number text, key order, duplicate keys, lone surrogates and invalid UTF-8 survive because rows are
//! never turned into values: a row is the bytes between two offsets, plus the few fields that policies look at.

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;

use super::Ms;
use super::fingerprint::Fingerprint;

/// Half-open byte range in the index buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The bytes of this span.
    pub fn of(self, buf: &[u8]) -> &[u8] {
        &buf[self.start as usize..self.end as usize]
    }

    /// Length in bytes.
    pub fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    /// Whether the span has no bytes.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }
}

/// A JSON string in the buffer: the span between its quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Text {
    /// Bytes between the quotes, escapes untouched.
    pub span: Span,
    /// Whether the bytes hold an escape or are not plain UTF-8, so that reading needs a decode.
    pub escaped: bool,
}

impl Text {
    /// The string. Lone surrogates and invalid UTF-8 read as U+FFFD; compare spans, not text, where identity matters.
    pub fn get<'a>(&self, buf: &'a [u8]) -> Cow<'a, str> {
        let raw = self.span.of(buf);
        if self.escaped {
            return Cow::Owned(crate::units::json_text::unescape(raw));
        }
        // Validating is faster than looking for what to replace, and nearly always enough.
        std::str::from_utf8(raw).map_or_else(|_| String::from_utf8_lossy(raw), Cow::Borrowed)
    }
}

/// A time field of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TimeField {
    /// No such field, or `null`.
    #[default]
    Missing,
    /// Plausible epoch milliseconds.
    Ms(Ms),
    /// Present but not believable: seconds, text, negative, not finite. Such a row is kept and reported.
    Suspect,
}

impl TimeField {
    /// The time, if it is a usable number.
    pub fn ms(self) -> Option<Ms> {
        match self {
            Self::Ms(v) => Some(v),
            _ => None,
        }
    }
}

/// How another file is named by a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Via {
    /// `sessionFile` (or the legacy `transcriptPath`).
    SessionFile,
    /// `sessionId`: `<id>.jsonl` and `<id>-topic-*.jsonl` for a topic key.
    SessionId,
    /// `usageFamilySessionIds[]`.
    UsageFamily,
    /// `compactionCheckpoints[].*.sessionFile` (any side).
    Checkpoint,
    /// Trajectory pointer of an owned transcript.
    Pointer,
    /// Trajectory or pointer beside an owned transcript.
    Sidecar,
    /// `parentSession` in the header of an owned transcript: weak.
    Parent,
}

/// A reference of a row to something outside itself.
#[derive(Debug, Clone, Copy)]
pub struct Reference {
    /// Which field holds it.
    pub via: Via,
    /// A path or a session id, by `via`.
    pub text: Text,
}

/// Why a row is not an ordinary session entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Odd {
    /// The value is not an object (null, string, number, array, bool).
    NotAnObject,
    /// `sessionId` is there but is not a string, or not one the gateway accepts.
    BadSessionId,
}

/// One row of the index.
#[derive(Debug, Clone)]
pub struct Row {
    /// Key text.
    pub key: Text,
    /// The value, from its first to its last byte.
    pub value: Span,
    /// Decoded `sessionId`, if a string.
    pub session_id: Option<Text>,
    /// `sessionFile` (or `transcriptPath`), if a string.
    pub session_file: Option<Text>,
    /// `chatType`, if present and not null; falls back to `origin.chatType` (spec 4.1).
    pub chat_type: Option<Text>,
    /// `status`, if a string.
    pub status: Option<Text>,
    /// `updatedAt`.
    pub updated_at: TimeField,
    /// `lastInteractionAt`.
    pub last_interaction_at: TimeField,
    /// `sessionStartedAt`.
    pub session_started_at: TimeField,
    /// `usageFamilySessionIds` and checkpoint references, as a range in [`IndexFacts::references`].
    pub refs: Span,
    /// What is odd about the row.
    pub odd: Option<Odd>,
    /// A later row with the same decoded key wins in the gateway's eyes; this one is shadowed.
    pub shadowed: bool,
}

/// How the text is laid out, so that a rewrite looks like what was there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Layout {
    /// A UTF-8 byte order mark comes first.
    pub bom: bool,
    /// Lines end with CRLF.
    pub crlf: bool,
    /// Bytes before the first row: `{` and its white space.
    pub head: Span,
    /// Bytes after the last row: white space, `}` and whatever follows.
    pub tail: Span,
}

/// A complete, well-formed index.
#[derive(Debug, Clone)]
pub struct IndexFacts {
    /// Path as resolved (the file itself, symlinks followed).
    pub path: PathBuf,
    /// State of the file when it was read.
    pub fp: Fingerprint,
    /// The whole text.
    pub bytes: Arc<Vec<u8>>,
    /// Layout of the text.
    pub layout: Layout,
    /// Rows in file order, duplicates included.
    pub rows: Vec<Row>,
    /// References of all rows; [`Row::refs`] are ranges in here.
    pub references: Vec<Reference>,
}

impl IndexFacts {
    /// An index without a row or a byte.
    pub fn without_rows(path: PathBuf, fp: Fingerprint) -> Self {
        let (bytes, layout) = (Arc::default(), Layout::default());
        Self { path, fp, bytes, layout, rows: Vec::new(), references: Vec::new() }
    }

    /// References of one row.
    pub fn refs_of(&self, row: &Row) -> &[Reference] {
        &self.references[row.refs.start as usize..row.refs.end as usize]
    }

    /// Decoded key of one row.
    pub fn key(&self, row: &Row) -> Cow<'_, str> {
        row.key.get(&self.bytes)
    }

    /// Number of rows the gateway would see (duplicate keys counted once).
    pub fn live_rows(&self) -> usize {
        self.rows.iter().filter(|r| !r.shadowed).count()
    }
}

/// Why an index cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    /// What is wrong.
    pub kind: DamageKind,
    /// Byte offset where reading stopped.
    pub offset: u64,
    /// 1-based line of that offset.
    pub line: u64,
    /// 1-based column (bytes) of that offset.
    pub column: u64,
    /// Rows that are whole before the damage.
    pub whole_rows: u64,
}

/// Kinds of index damage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DamageKind {
    /// No such file, although there are transcripts. Only a repair calls that damage.
    Missing,
    /// No bytes, or only white space.
    Empty,
    /// The text ends inside a value.
    Truncated,
    /// NUL bytes where JSON should be.
    NulBytes,
    /// The root is an array, string, number, bool or null.
    NotAnObject,
    /// A second value follows the first.
    TrailingData,
    /// Anything else that is not JSON.
    Syntax,
    /// Nesting beyond what a sane index has.
    TooDeep,
    /// Larger than the 4 GiB that spans can address.
    TooLarge,
}

impl DamageKind {
    /// Short description for messages.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Missing => "there is no such file",
            Self::Empty => "the file is empty",
            Self::Truncated => "the text ends in the middle of a row",
            Self::NulBytes => "NUL bytes where JSON should be (power cut?)",
            Self::NotAnObject => "the root is not an object",
            Self::TrailingData => "a second value follows the first",
            Self::Syntax => "not valid JSON",
            Self::TooDeep => "nested too deeply",
            Self::TooLarge => "larger than 4 GiB",
        }
    }
}

/// What became of reading an index.
#[derive(Debug, Clone)]
pub enum IndexState {
    /// Read and whole.
    Whole(IndexFacts),
    /// No such file.
    Absent,
    /// There, but not a usable index.
    Damaged(Damage),
    /// There, but could not be read (error text).
    Unreadable(String),
}
