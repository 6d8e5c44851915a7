//! What a check found: one fact about the state that somebody should know, where it is, how we know, and what mends it.
//!
//! Ids are stable and closed: scripts compare them, docs/FINDINGS.md explains them, and a repair is chosen by them. The
//! gravity of an id never changes with the place where it is found.

use std::path::PathBuf;

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// History is lost, hidden or in danger: exit 4.
    Error,
    /// Something is wrong, and nothing is lost by waiting.
    Warning,
    /// Worth knowing.
    Info,
}

impl Severity {
    /// The word in JSON and in the report.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
        }
    }
}

/// Which part of the state a finding is about; the report is grouped by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Group {
    /// The index as a file, and copies of it.
    Index,
    /// Rows of the index.
    Rows,
    /// Files of the sessions folder.
    Files,
    /// Content of transcripts.
    Transcripts,
    /// Lock files.
    Locks,
    /// Modes and owners.
    Access,
    /// Several stores, folders, generations and interrupted runs.
    State,
}

impl Group {
    /// The word in JSON; also the heading of the report.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Index => "index",
            Self::Rows => "rows",
            Self::Files => "files",
            Self::Transcripts => "transcripts",
            Self::Locks => "locks",
            Self::Access => "access",
            Self::State => "state",
        }
    }
}

macro_rules! repairs {
    ($(#[doc = $doc:literal] $name:ident = $id:literal, $command:literal;)+) => {
        /// What mends a finding. Stable ids.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum RepairId { $(#[doc = $doc] $name,)+ }

        impl RepairId {
            /// Every repair there is.
            pub const ALL: &'static [Self] = &[$(Self::$name,)+];

            /// Stable id.
            pub fn id(self) -> &'static str {
                match self { $(Self::$name => $id,)+ }
            }

            /// The command that does it, without the flags that choose the store. A word in capitals stands for the
            /// operand of the finding ([`Finding::operand`]).
            pub fn command(self) -> &'static str {
                match self { $(Self::$name => $command,)+ }
            }

            /// Whether `sessions repair` does it, so that its `--only` takes the id.
            pub fn of_sessions(self) -> bool {
                self.command().starts_with("clawkeep sessions repair")
            }

            /// What it does.
            pub fn explain(self) -> &'static str {
                match self { $(Self::$name => $doc.trim_ascii(),)+ }
            }
        }
    };
}

repairs! {
    /// Rebuilds a damaged or missing index from its whole rows, an earlier copy or transcript headers, whichever proves best.
    SalvageIndex = "salvage-index", "clawkeep sessions repair";
    /// Brings back the rows that an earlier snapshot of the index has.
    FromSnapshots = "from-snapshots", "clawkeep sessions repair --from snapshots";
    /// Drops rows that a later row of the same key hides from the gateway.
    DropShadowed = "drop-shadowed", "clawkeep sessions repair";
    /// Drops rows whose transcript is nowhere.
    DropMissing = "drop-missing", "clawkeep sessions repair --drop-missing";
    /// Sets rows that say for more than a day that they are running to failed.
    EndRuns = "end-runs", "clawkeep sessions repair --end-runs";
    /// Rewrites the path of a former home to the file that lies here.
    RepointPaths = "repoint-paths", "clawkeep sessions repair";
    /// Makes a row for a transcript that no row leads to.
    Adopt = "adopt", "clawkeep sessions repair --adopt ID";
    /// Removes locks whose owner is proven dead.
    StaleLocks = "stale-locks", "clawkeep sessions repair";
    /// Removes temp files of interrupted writes.
    Leftovers = "leftovers", "clawkeep sessions repair";
    /// Removes a field that the gateway rebuilds from every row.
    StripField = "strip-field", "clawkeep sessions repair --strip-field FIELD";
    /// Takes group and world rights from transcripts and index.
    Modes = "modes", "clawkeep sessions repair --modes";
    /// Completes or rolls back an interrupted run.
    FinishRun = "finish-run", "clawkeep sessions repair";
    /// Mends a transcript and keeps every undamaged byte of it.
    Transcript = "transcript", "clawkeep transcript repair FILE";
    /// Rewrites a transcript of version 1 or 2 as version 3.
    UpgradeTranscript = "upgrade-transcript", "clawkeep transcript repair --upgrade FILE";
    /// Nothing is broken: the retention rules take it when its time comes.
    Cleanup = "cleanup", "clawkeep sessions cleanup";
}

macro_rules! findings {
    ($(#[doc = $doc:literal] $name:ident = $id:literal, $group:ident, $severity:ident, $repair:expr;)+) => {
        /// What was found. Stable ids, documented in docs/FINDINGS.md.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum FindingId { $(#[doc = $doc] $name,)+ }

        impl FindingId {
            /// Every finding there is, in the order of the report.
            pub const ALL: &'static [Self] = &[$(Self::$name,)+];

            /// Stable id, as printed and as used in JSON.
            pub fn id(self) -> &'static str {
                match self { $(Self::$name => $id,)+ }
            }

            /// Part of the state it is about.
            pub fn group(self) -> Group {
                match self { $(Self::$name => Group::$group,)+ }
            }

            /// How much it matters.
            pub fn severity(self) -> Severity {
                match self { $(Self::$name => Severity::$severity,)+ }
            }

            /// What mends it, as a rule; a single finding may have none.
            pub fn repair(self) -> Option<RepairId> {
                match self { $(Self::$name => $repair,)+ }
            }

            /// The sentence that explains it.
            pub fn explain(self) -> &'static str {
                match self { $(Self::$name => $doc.trim_ascii(),)+ }
            }

            /// The finding with this id.
            pub fn parse(id: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|f| f.id() == id)
            }
        }
    };
}

findings! {
    // the index
    /// The index cannot be read: rights, a folder in its place, a link that leads nowhere.
    IndexUnreadable = "index-unreadable", Index, Error, None;
    /// The index is not one whole JSON object. The gateway takes it for an empty store and then deletes the history.
    IndexDamaged = "index-damaged", Index, Error, Some(RepairId::SalvageIndex);
    /// There are transcripts and no index. The gateway takes that for an empty store.
    IndexMissing = "index-missing", Index, Error, Some(RepairId::SalvageIndex);
    /// The index is whole but far too small for this folder: a gateway that starts after a power cut writes such a one.
    IndexSuspect = "index-suspect", Index, Error, Some(RepairId::FromSnapshots);
    /// The index begins with a byte order mark. The gateway cannot read it and takes it for an empty store.
    IndexBom = "index-bom", Index, Error, Some(RepairId::SalvageIndex);
    /// A copy, temp file or snapshot with rows of an earlier text of the unusable index.
    IndexCopy = "index-copy", Index, Info, None;
    /// One field takes a large part of the index.
    IndexBloat = "index-bloat", Index, Warning, Some(RepairId::StripField);
    // rows
    /// The value of a row is no session entry, or its session id is none that the gateway accepts.
    OddRow = "odd-row", Rows, Warning, None;
    /// A row names neither a session id nor a transcript.
    NoSession = "no-session", Rows, Warning, None;
    /// The same key with the same value comes twice.
    DuplicateKey = "duplicate-key", Rows, Info, Some(RepairId::DropShadowed);
    /// A later row of the same key hides this one, and they differ: the gateway does not see what it says.
    ShadowedRow = "shadowed-row", Rows, Warning, Some(RepairId::DropShadowed);
    /// Two rows have one session id: both write to one transcript.
    DuplicateSession = "duplicate-session", Rows, Warning, None;
    /// No transcript exists anywhere the row leads to.
    MissingTranscript = "missing-transcript", Rows, Warning, Some(RepairId::DropMissing);
    /// A row says that it is running, and was not touched for a day: nothing clears that by itself.
    StuckRun = "stuck-run", Rows, Warning, Some(RepairId::EndRuns);
    /// The path of a row is that of a former home; the file of that name lies here.
    MovedPath = "moved-path", Rows, Warning, Some(RepairId::RepointPaths);
    /// The path of a row leads to a folder that is not there: another home, or a volume that is not mounted.
    PathElsewhere = "path-elsewhere", Rows, Warning, None;
    /// The path or id of a row leads out of the sessions folder. Nothing there is ever touched.
    PathEscapes = "path-escapes", Rows, Error, None;
    /// A time of a row is in seconds. Age rules of the gateway take the row for one of 1970.
    TimeInSeconds = "time-in-seconds", Rows, Warning, None;
    /// A time of a row is no number of milliseconds: text, negative, far out of range.
    TimeNotMs = "time-not-ms", Rows, Warning, None;
    /// A time of a row is in the future: to every age rule the row is fresh until then.
    TimeInFuture = "time-in-future", Rows, Warning, None;
    // files
    /// A file of the folder cannot be looked at or read.
    FileUnreadable = "file-unreadable", Files, Error, None;
    /// No row leads to this transcript, and it holds, or may hold, what a user wrote.
    OrphanHistory = "orphan-history", Files, Warning, Some(RepairId::Adopt);
    /// No row leads to this transcript, and no user wrote in it.
    OrphanJunk = "orphan-junk", Files, Info, Some(RepairId::Cleanup);
    /// No row leads to this file, and nothing proves that it is a transcript.
    NotProven = "not-proven", Files, Info, None;
    /// Checkpoints and trajectories of sessions that are gone.
    OrphanSidecars = "orphan-sidecars", Files, Info, Some(RepairId::Cleanup);
    /// Temp files of writes that were interrupted more than a day ago.
    LeftoverTemp = "leftover-temp", Files, Info, Some(RepairId::Leftovers);
    /// Copies left by the gateway's transcript repair; a newer one of the same transcript exists.
    LeftoverBackups = "leftover-backups", Files, Info, Some(RepairId::Cleanup);
    /// The damaged text of an index that was repaired: nothing reads it any more.
    DamagedCopy = "damaged-copy", Files, Info, None;
    /// A name of the gateway on something that is no regular file. It is never touched.
    NotRegular = "not-regular", Files, Warning, None;
    // content of transcripts
    /// The transcript has no byte.
    EmptyTranscript = "empty-transcript", Transcripts, Warning, None;
    /// The first record is no session header. The gateway writes the file anew when it opens it: total loss.
    DamagedHeader = "damaged-header", Transcripts, Error, Some(RepairId::Transcript);
    /// The transcript begins with a byte order mark, which the gateway's own repair takes for damage.
    TranscriptBom = "transcript-bom", Transcripts, Warning, Some(RepairId::Transcript);
    /// A second session header. The gateway ignores it.
    DuplicateHeader = "duplicate-header", Transcripts, Warning, Some(RepairId::Transcript);
    /// The last line is a fragment: the next append is glued to it, and lost.
    TornTail = "torn-tail", Transcripts, Error, Some(RepairId::Transcript);
    /// The last record has no newline: the next append is glued to it, and both are lost.
    NoFinalNewline = "no-final-newline", Transcripts, Error, Some(RepairId::Transcript);
    /// Runs of NUL bytes: blocks that a power cut left unwritten. A record on the same line is lost to the gateway.
    NulRun = "nul-run", Transcripts, Error, Some(RepairId::Transcript);
    /// Several records, or a fragment and a record, on one line: the gateway loses them.
    GluedRecords = "glued-records", Transcripts, Error, Some(RepairId::Transcript);
    /// A line that is not JSON. The gateway skips it in silence, and the context is cut there.
    BadLine = "bad-line", Transcripts, Warning, Some(RepairId::Transcript);
    /// A line that is `null`. The gateway fails when it opens the file.
    NullLine = "null-line", Transcripts, Error, Some(RepairId::Transcript);
    /// A line that is JSON but no object: the gateway counts it as an entry and loses the context.
    NonObjectLine = "non-object-line", Transcripts, Warning, Some(RepairId::Transcript);
    /// A message without a role. The gateway drops it before its next run, and the context is cut there.
    MessageWithoutRole = "message-without-role", Transcripts, Warning, Some(RepairId::Transcript);
    /// An entry without an id: nothing can be its child. As the last one it leaves the gateway without a branch.
    EntryWithoutId = "entry-without-id", Transcripts, Warning, None;
    /// Blank lines between records. Harmless.
    BlankLines = "blank-lines", Transcripts, Info, None;
    /// Text with bytes that are not UTF-8, or half a surrogate pair: providers refuse such a history.
    BadUnicode = "bad-unicode", Transcripts, Warning, Some(RepairId::Transcript);
    /// Two entries have one id; the later one wins.
    DuplicateEntry = "duplicate-entry", Transcripts, Warning, None;
    /// Entries are each other's parents. The gateway never returns from opening the file.
    ParentCycle = "parent-cycle", Transcripts, Error, Some(RepairId::Transcript);
    /// An entry names a parent that is not there: the context begins after the break.
    DanglingParent = "dangling-parent", Transcripts, Warning, None;
    /// A compaction keeps messages from an entry on that is not there: the kept ones are lost with the next compaction.
    KeptEntryMissing = "kept-entry-missing", Transcripts, Warning, None;
    /// The file has too many entries to follow their parents.
    TreeNotChecked = "tree-not-checked", Transcripts, Info, None;
    /// No assistant has answered yet. The gateway empties such a file at the start of its next run.
    NoAnswer = "no-answer", Transcripts, Warning, None;
    /// No entry names a parent, as older gateways wrote them: the context is the last entry alone until the next append.
    NoParents = "no-parents", Transcripts, Info, None;
    /// The format is older than version 3. The gateway rewrites the file when it opens it.
    OldVersion = "old-version", Transcripts, Info, Some(RepairId::UpgradeTranscript);
    /// The format is newer than version 3. It is read, and never written by this program.
    NewerVersion = "newer-version", Transcripts, Info, None;
    /// Lines so long that the gateway's own reader shows a placeholder for them.
    HugeLine = "huge-line", Transcripts, Info, None;
    /// A tool call has no result anywhere in the file.
    CallWithoutResult = "call-without-result", Transcripts, Info, None;
    /// A tool result belongs to no call in the file.
    ResultWithoutCall = "result-without-call", Transcripts, Info, None;
    /// The same response of a model is stored more than once.
    DuplicateTurn = "duplicate-turn", Transcripts, Info, None;
    // locks
    /// A transcript is locked by a process that is proven dead.
    StaleLock = "stale-lock", Locks, Warning, Some(RepairId::StaleLocks);
    /// Whether the owner of a lock lives cannot be told; it counts as alive.
    UnknownLock = "unknown-lock", Locks, Info, None;
    // modes and owners
    /// Other users can read these files: whole conversations, and the keys in them.
    ReadableByOthers = "readable-by-others", Access, Warning, Some(RepairId::Modes);
    /// These files belong to another user than their folder.
    ForeignOwner = "foreign-owner", Access, Warning, None;
    // the state as a whole
    /// An earlier run of this program was interrupted and is not closed.
    PendingRun = "pending-run", State, Error, Some(RepairId::FinishRun);
    /// The record of an earlier run cannot be read: it cannot be undone; sessions come back one by one, by `restore`.
    RunUnreadable = "run-unreadable", State, Warning, None;
    /// Another store that could refer to files of this folder cannot be read: which files are unowned cannot be told.
    OwnershipIncomplete = "ownership-incomplete", State, Error, None;
    /// Several stores keep their files in one folder.
    SharedFolder = "shared-folder", State, Info, None;
    /// The sessions are in the database of a newer gateway; this store is a leftover.
    NewerGeneration = "newer-generation", State, Warning, None;
    /// There is another state folder beside the one that was looked at.
    OtherStateDir = "other-state-dir", State, Warning, None;
}

/// Where a finding is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Place {
    /// The file or folder.
    pub path: PathBuf,
    /// Physical line in it, from 1; blank lines count.
    pub line: Option<u64>,
    /// Byte offset in it.
    pub offset: Option<u64>,
    /// Key of the row, as decoded.
    pub key: Option<String>,
    /// Position of the row in the index; only for a whole index.
    pub row: Option<u32>,
}

impl Place {
    /// A whole file or folder.
    pub fn file(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), ..Self::default() }
    }

    /// A line of a file.
    pub fn line(path: impl Into<PathBuf>, line: u64, offset: u64) -> Self {
        Self { line: Some(line), offset: Some(offset), ..Self::file(path) }
    }
}

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What it is.
    pub id: FindingId,
    /// How much it matters.
    pub severity: Severity,
    /// Where it is.
    pub place: Place,
    /// How we know, for people. Not escaped.
    pub evidence: String,
    /// What mends it.
    pub repair: Option<RepairId>,
    /// What the repair works on where that is not the place: the session id to adopt, the field to strip, the new path.
    pub operand: Option<String>,
    /// Bytes that it is about.
    pub bytes: u64,
    /// How many things of the kind it stands for (lines, files, rows).
    pub count: u64,
}

impl Finding {
    /// A finding with the gravity and the repair of its id.
    pub fn new(id: FindingId, place: Place, evidence: impl Into<String>) -> Self {
        Self {
            id,
            severity: id.severity(),
            place,
            evidence: evidence.into(),
            repair: id.repair(),
            operand: None,
            bytes: 0,
            count: 1,
        }
    }

    /// Says how many bytes it is about.
    #[must_use]
    pub fn bytes(mut self, bytes: u64) -> Self {
        self.bytes = bytes;
        self
    }

    /// Says how many things it stands for.
    #[must_use]
    pub fn count(mut self, count: u64) -> Self {
        self.count = count;
        self
    }

    /// Says what the repair works on.
    #[must_use]
    pub fn operand(mut self, operand: impl Into<String>) -> Self {
        self.operand = Some(operand.into());
        self
    }

    /// Takes the repair away: here it does not apply.
    #[must_use]
    pub fn without_repair(mut self) -> Self {
        self.repair = None;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique_kebab_case_and_parse_back() {
        let mut seen = std::collections::HashSet::new();
        for id in FindingId::ALL {
            assert!(seen.insert(id.id()), "{} twice", id.id());
            assert!(id.id().bytes().all(|b| b.is_ascii_lowercase() || b == b'-'), "{}", id.id());
            assert_eq!(FindingId::parse(id.id()), Some(*id));
        }
        assert_eq!(FindingId::parse("no-such-finding"), None);
    }

    #[test]
    fn the_order_of_ids_keeps_groups_together() {
        assert!(FindingId::ALL.is_sorted_by_key(|id| id.group()));
        assert!(FindingId::ALL.is_sorted());
    }
}
