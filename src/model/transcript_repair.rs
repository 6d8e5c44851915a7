//! The repair of one transcript: what it is decided from, and what was decided.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

use super::Ms;
use super::effect::Effect;
use super::fingerprint::Fingerprint;
use super::mend::{HeaderFields, Survey};

/// What a repair is decided from.
#[derive(Debug, Clone)]
pub struct TranscriptFacts {
    /// The folder (real path).
    pub folder: PathBuf,
    /// Name of the transcript in it.
    pub name: OsString,
    /// Its state when it was read.
    pub fp: Fingerprint,
    /// What was found in it, edits included.
    pub survey: Survey,
    /// Why no header can be made, if none can.
    pub no_header: Option<String>,
    /// What the file will have wrong with it after the edits: ids of findings that are errors.
    pub errors_after: Vec<&'static str>,
    /// A copy with the same bytes that an earlier repair left.
    pub backup: Option<OsString>,
    /// Names that are taken in the folder.
    pub taken: Vec<OsString>,
    /// Our process id.
    pub pid: u32,
    /// The time.
    pub now: Ms,
}

/// Where the header's fields came from, in words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HeaderSources {
    /// The fields.
    pub fields: HeaderFields,
    /// Where each of them comes from, by what people call it.
    pub origins: BTreeMap<&'static str, String>,
    /// Session ids that name, row, pointer and copies give: the header of another session is not its own. A name that
    /// somebody chose proves nothing.
    pub ids: Vec<String>,
    /// Its name is a generated one, or a row leads to it: proof that it is a transcript.
    pub proven: bool,
}

/// What is going to be done.
#[derive(Debug, Clone, Default)]
pub struct TranscriptPlan {
    /// Changes, in order.
    pub effects: Vec<Effect>,
    /// Name of the copy of the old file, new or from an earlier repair.
    pub backup: Option<OsString>,
    /// Name of the file for fragments.
    pub torn: Option<OsString>,
    /// Bytes afterwards.
    pub size_after: u64,
}
