//! What is left of a session that is no longer live: copies of its transcript, and texts of its row.

use std::ffi::OsString;
use std::path::PathBuf;

use super::Ms;
use super::effect::PackedContent;
use super::fingerprint::Fingerprint;

/// Where a copy of a transcript was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CopySource {
    /// Link in the folder of this run.
    Run(String),
    /// Archive in the live folder (`deleted`, `reset`, `bak`), compressed if [`Candidate::packed`] says what it must hold.
    Archive(&'static str),
    /// Compressed copy in an archive folder.
    Packed,
    /// A transcript under its own name that no row leads to.
    Orphan,
}

impl CopySource {
    /// The word used in reports.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Run(_) => "run",
            Self::Archive(_) => "archive",
            Self::Packed => "packed",
            Self::Orphan => "orphan",
        }
    }
}

/// What the beginning of a transcript shows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Preview {
    /// Messages of a user that were seen.
    pub turns: u64,
    /// The whole file was looked at; else there may be more.
    pub whole: bool,
    /// First line that a user wrote, cut.
    pub first: Option<String>,
    /// Id in the header, if there is one.
    pub header_id: Option<String>,
}

/// A trajectory or pointer that left with the transcript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sidecar {
    /// Link in the run folder.
    pub from: PathBuf,
    /// Name in the live folder.
    pub name: OsString,
    /// Bytes.
    pub bytes: u64,
}

/// One copy of a transcript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// Where it was found.
    pub source: CopySource,
    /// Where it was found.
    pub path: PathBuf,
    /// For an archive: our own link to the same file, which it is brought back by.
    pub link: Option<PathBuf>,
    /// Name it had, and gets back.
    pub name: OsString,
    /// Archive name that the same file has now and loses when it comes back.
    pub archive: Option<OsString>,
    /// Session ids that the name can stand for.
    pub ids: Vec<String>,
    /// When it was last written.
    pub written_at: Ms,
    /// When it left the live folder, if known.
    pub taken_at: Option<Ms>,
    /// Length in bytes, unpacked.
    pub bytes: u64,
    /// State of the file, if it is one in the live folder or a run folder.
    pub fp: Option<Fingerprint>,
    /// For a compressed copy: what it must hold.
    pub packed: Option<PackedContent>,
    /// Files that left with it.
    pub sidecars: Vec<Sidecar>,
    /// What is in it.
    pub preview: Preview,
}

/// Where the text of a row was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RowSource {
    /// Rows kept by this run.
    Run(String),
    /// Index snapshot of this name.
    Snapshot(String),
}

/// A row as it once was, in its exact bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowVersion {
    /// Where it was found.
    pub source: RowSource,
    /// When it left, or when the snapshot was taken.
    pub at: Ms,
    /// Raw key between the quotes.
    pub key: Vec<u8>,
    /// Raw value.
    pub value: Vec<u8>,
    /// Raw key of the row before it; `None` if it was the first.
    pub after: Option<Vec<u8>>,
    /// `sessionId`.
    pub id: Option<String>,
    /// Last component of `sessionFile`.
    pub file: Option<String>,
}

/// Everything that was found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Found {
    /// Copies, in the order in which they were found.
    pub copies: Vec<Candidate>,
    /// Texts of rows, oldest first.
    pub rows: Vec<RowVersion>,
    /// Session ids behind what was asked for.
    pub ids: Vec<String>,
    /// What could not be looked into.
    pub warnings: Vec<String>,
}
