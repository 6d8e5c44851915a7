//! What mending a transcript comes to: changes by offset, and the words for them.
//!
//! A mended transcript is the old one with [`Edit`]s. What no edit names is copied byte for byte, in order: that is how
//! every undamaged record survives, and it is true by construction.

/// One change of a file: `cut` bytes at `at` give way to `put`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// Offset in the old file.
    pub at: u64,
    /// Bytes of the old file that go.
    pub cut: u64,
    /// Bytes that come.
    pub put: Box<[u8]>,
}

/// Bytes of the old file that are kept beside the new one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    /// Offset in the old file.
    pub at: u64,
    /// Length.
    pub len: u64,
    /// A newline follows it in the new file.
    pub newline: bool,
}

macro_rules! kinds {
    ($(#[doc = $doc:literal] $name:ident = $id:literal;)+) => {
        /// Ways to mend. Stable ids, documented in docs/TRANSCRIPTS.md.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum MendKind { $(#[doc = $doc] $name,)+ }

        impl MendKind {
            /// Every kind, in the order of reports.
            pub const ALL: &'static [Self] = &[$(Self::$name,)+];

            /// Stable id.
            pub fn id(self) -> &'static str {
                match self { $(Self::$name => $id,)+ }
            }

            /// What is done, as a sentence without its subject.
            pub fn explain(self) -> &'static str {
                match self { $(Self::$name => $doc.trim_ascii(),)+ }
            }
        }
    };
}

kinds! {
    /// The session header is rebuilt.
    Header = "header";
    /// The session header comes to the first line.
    MoveHeader = "move-header";
    /// A second header of the same session goes.
    DuplicateHeader = "duplicate-header";
    /// The byte order mark goes.
    Bom = "bom";
    /// NUL bytes go; records beside them stay.
    Nuls = "nuls";
    /// Records that share a line get a line each.
    Split = "split";
    /// A fragment at the end of the file moves to the .torn file.
    TornTail = "torn-tail";
    /// A fragment moves to the .torn file.
    Fragment = "fragment";
    /// A value that is no record moves to the .torn file.
    NotARecord = "not-a-record";
    /// A message without a role, which the gateway drops, moves to the .torn file.
    NoRole = "no-role";
    /// An entry without content takes the place of a damaged one, so that its branch holds together.
    Placeholder = "placeholder";
    /// Control characters inside a string are escaped.
    Control = "control-characters";
    /// Half surrogate pairs and bytes that are not UTF-8 become U+FFFD.
    Unicode = "unicode";
    /// A circle of parents is cut.
    Cycle = "cycle";
    /// A compaction of the first version counts entries; its number becomes the one that the same entry has now.
    Counted = "counted-entry";
    /// The last line gets its newline.
    FinalNewline = "final-newline";
    /// Entries get the ids and fields of version 3.
    Upgrade = "upgrade";
}

/// One place that is mended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mended {
    /// How.
    pub kind: MendKind,
    /// Physical line of the old file, from 1.
    pub line: u64,
    /// Byte offset in the old file.
    pub offset: u64,
    /// Bytes that it is about.
    pub bytes: u64,
    /// What is known about it. Not escaped.
    pub detail: Option<String>,
}

/// Damage that is left as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftAlone {
    /// Physical line of the old file, from 1; 0 for the file as a whole.
    pub line: u64,
    /// Byte offset.
    pub offset: u64,
    /// Why. Not escaped.
    pub why: String,
    /// A person must look at it: the gateway would lose something.
    pub grave: bool,
}

/// What the first record of the mended file will be.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum HeaderSeen {
    /// Nothing was found: it must be rebuilt.
    #[default]
    Missing,
    /// A good one.
    Good {
        /// Format version; 1 if it says none.
        version: u64,
    },
    /// A good one, but not in front.
    Late {
        /// Its offset.
        at: u64,
        /// Bytes that go there.
        cut: u64,
        /// Its text.
        text: Vec<u8>,
        /// Format version.
        version: u64,
    },
    /// A header without a usable id: the id alone is put in.
    WithoutId {
        /// Offset of the text.
        at: u64,
        /// Its text.
        text: Vec<u8>,
        /// Format version.
        version: u64,
    },
}

/// What is left of a header, or can be had about one from elsewhere. Values are decoded.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HeaderFields {
    /// Session id.
    pub id: Option<String>,
    /// ISO time.
    pub timestamp: Option<String>,
    /// Working folder.
    pub cwd: Option<String>,
    /// Path of the transcript it was forked from.
    pub parent: Option<String>,
    /// Format version.
    pub version: Option<u64>,
    /// Members that no reader is known for: name, and value as JSON.
    pub more: Vec<(String, String)>,
}

/// Where a member of a rebuilt header comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeaderOrigin {
    /// What is left of the old header.
    Left,
    /// The surroundings of the transcript.
    Around,
    /// Its entries.
    Entries,
    /// Nobody says: a value that harms nobody.
    MadeUp,
}

/// A member of a rebuilt header: what people call it, its value and its origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeaderMember {
    /// What it is: `id`, `time`, `folder`, `parent` or `version`.
    pub what: &'static str,
    /// Its value. Not escaped.
    pub value: String,
    /// Where it comes from.
    pub origin: HeaderOrigin,
}

/// A transcript as read for mending.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Survey {
    /// Bytes of the file.
    pub size: u64,
    /// Physical lines.
    pub lines: u64,
    /// Entries that stay.
    pub entries: u64,
    /// Of these, entries that have an id.
    pub with_id: u64,
    /// Changes, ascending, none overlapping another.
    pub edits: Vec<Edit>,
    /// What moves to the `.torn` file, in file order.
    pub torn: Vec<Piece>,
    /// What is mended, in file order. At most [`Survey::SHOWN`] of a kind; all are counted.
    pub mended: Vec<Mended>,
    /// How many of each kind there are.
    pub counts: std::collections::BTreeMap<MendKind, u64>,
    /// What is not mended. At most [`Survey::SHOWN`].
    pub left: Vec<LeftAlone>,
    /// The header.
    pub header: HeaderSeen,
    /// What a damaged header still says.
    pub remains: HeaderFields,
    /// Time of the first entry that has one.
    pub first_time: Option<String>,
    /// The file begins with a byte order mark, which goes.
    pub bom: bool,
}

impl Survey {
    /// Most places of a kind that are listed one by one.
    pub const SHOWN: u64 = 1000;

    /// Notes one place.
    pub fn note(&mut self, mended: Mended) {
        let count = self.counts.entry(mended.kind).or_default();
        *count += 1;
        if *count <= Self::SHOWN {
            self.mended.push(mended);
        }
    }

    /// Notes something that stays as it is.
    pub fn leave(&mut self, line: u64, offset: u64, why: impl Into<String>) {
        self.leave_it(LeftAlone { line, offset, why: why.into(), grave: false });
    }

    /// Notes something that stays as it is, and what a person should know about it.
    pub fn leave_it(&mut self, left: LeftAlone) {
        if (self.left.len() as u64) < Self::SHOWN {
            self.left.push(left);
        }
    }

    /// Format version of the header; 1 if it says none. Of one that must be rebuilt what is left says it, else 3 if entries
    /// have ids.
    pub fn header_version(&self) -> u64 {
        match &self.header {
            HeaderSeen::Missing => self.remains.version.unwrap_or(if self.with_id > 0 { 3 } else { 1 }),
            HeaderSeen::Good { version } | HeaderSeen::Late { version, .. } | HeaderSeen::WithoutId { version, .. } => {
                *version
            }
        }
    }

    /// Nothing is to be changed.
    pub fn is_clean(&self) -> bool {
        self.edits.is_empty()
    }
}

/// Length of a file of `size` bytes after `edits`.
pub fn edited_len(size: u64, edits: &[Edit]) -> u64 {
    edits.iter().fold(size, |len, edit| len + edit.put.len() as u64 - edit.cut.min(len))
}
