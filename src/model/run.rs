//! What a finished or interrupted run left in its run folder: the record that undo and recovery work from.
//!
//! These are the types on disk (`.clawkeep/runs/<id>/`). Fields are only ever added; a reader ignores what it does not
//! know; [`FORMAT`] grows when an old program could no longer undo or recover a run correctly.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Ms;
use super::effect::Phase;
use super::fingerprint::Fingerprint;

/// Version of the run folder that this program writes.
pub const FORMAT: u32 = 1;

/// Bytes that are usually text: a JSON string if they are UTF-8, else `{"hex": "..."}`. Nothing is ever lost.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Raw(pub Vec<u8>);

impl Raw {
    /// The bytes of a name or path.
    pub fn of(name: &OsStr) -> Self {
        Self(name.as_encoded_bytes().to_vec())
    }

    /// Back to a name. Elsewhere than on Unix, bytes that are not text read as U+FFFD and match no file.
    pub fn to_os(&self) -> OsString {
        #[cfg(unix)]
        return std::os::unix::ffi::OsStringExt::from_vec(self.0.clone());
        #[cfg(not(unix))]
        return String::from_utf8_lossy(&self.0).into_owned().into();
    }

    /// Back to a path.
    pub fn to_path(&self) -> PathBuf {
        self.to_os().into()
    }

    /// For people.
    pub fn lossy(&self) -> String {
        String::from_utf8_lossy(&self.0).into_owned()
    }
}

impl From<&Path> for Raw {
    fn from(path: &Path) -> Self {
        Self::of(path.as_os_str())
    }
}

#[derive(Serialize, Deserialize)]
struct Hex {
    hex: String,
}

impl Serialize for Raw {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match std::str::from_utf8(&self.0) {
            Ok(text) => s.serialize_str(text),
            Err(_) => Hex { hex: self.0.iter().map(|b| format!("{b:02x}")).collect() }.serialize(s),
        }
    }
}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let value = serde_json::Value::deserialize(d)?;
        if let serde_json::Value::String(text) = value {
            return Ok(Self(text.into_bytes()));
        }
        let Hex { hex } = Hex::deserialize(value).map_err(D::Error::custom)?;
        let digit = |b: u8| char::from(b).to_digit(16).and_then(|d| u8::try_from(d).ok());
        let pair = |p: &[u8]| match p {
            [a, b] => Some(digit(*a)? << 4 | digit(*b)?),
            _ => None,
        };
        let bytes: Option<Vec<u8>> = hex.as_bytes().chunks(2).map(pair).collect();
        bytes.map(Self).ok_or_else(|| D::Error::custom("odd hex text"))
    }
}

/// `meta.json`: what the run was.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunMeta {
    /// [`FORMAT`] of the writer.
    pub format: u32,
    /// Run id, also the name of the folder.
    pub run_id: String,
    /// Command, in our words (`sessions cleanup`).
    pub command: String,
    /// Arguments as given.
    #[serde(default)]
    pub argv: Vec<String>,
    /// Process id.
    pub pid: u32,
    /// When it started, epoch ms.
    pub started_at: Ms,
    /// Canonical artefact folder.
    pub folder: Raw,
    /// The folder whose `.clawkeep` keeps this record; old records do not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<RunBase>,
    /// Real path of the index, if the run changes it.
    #[serde(default)]
    pub store: Option<Raw>,
    /// Index as planned from.
    #[serde(default)]
    pub index: Option<Fingerprint>,
    /// The new index, once written: its inode tells a swap that happened from one that did not.
    #[serde(default)]
    pub new_index: Option<Fingerprint>,
    /// SHA-256 of the text of the new index, in hex, where the record keeps the old one whole: as long as nobody changes
    /// the index, that text is what an undo puts back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_text: Option<String>,
    /// Name of the temp file of the new index.
    #[serde(default)]
    pub temp: Option<Raw>,
    /// Policy in force, as reported.
    #[serde(default)]
    pub policy: serde_json::Value,
    /// Override tokens that were given.
    #[serde(default)]
    pub overrides: Vec<String>,
    /// Rows before and after.
    #[serde(default)]
    pub rows_before: u64,
    /// Rows the plan leaves.
    #[serde(default)]
    pub rows_after: u64,
    /// The index was doubted.
    #[serde(default)]
    pub suspect: bool,
    /// Lines that `plan.jsonl` must have.
    pub effects: u32,
    /// Run that this one undoes.
    #[serde(default)]
    pub undoes: Option<String>,
    /// That run was undone in part only: it stays undoable for the rest.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub partly: bool,
    /// Something of that run stayed as it was, because it was in the way or is gone for good.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub leaves: bool,
    /// Another program was asked to carry it out: what is gone is told by the disk.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub delegated: bool,
    /// The runs that one command made before this one, if it made any: they are undone together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<RunGroup>,
}

/// The folder that keeps a record, as it was when the run was made: its path, and what tells it from a copy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunBase {
    /// Canonical path.
    pub folder: Raw,
    /// Device number.
    pub dev: u64,
    /// Inode number; 0 where there are none.
    pub ino: u64,
}

/// The place of a run among the runs of one command. The first of them says nothing: it does not know of the others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunGroup {
    /// Id of the first run, by which the group is called.
    pub first: String,
    /// How many runs came before this one.
    pub nr: u32,
}

impl RunGroup {
    /// The place of the next run of a command that has made these.
    pub fn after(runs: &[String]) -> Option<Self> {
        Some(Self { first: runs.first()?.clone(), nr: u32::try_from(runs.len()).unwrap_or(u32::MAX) })
    }
}

/// Kinds of effects in a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum RunOp {
    /// The index was replaced.
    Swap,
    /// Renamed.
    Move,
    /// Taken from its name, kept in the run folder.
    Stow,
    /// Unlinked for good.
    Unlink,
    /// Packed, then unlinked.
    Pack,
    /// Content replaced; the old content is kept in the run folder.
    Rewrite,
    /// Copied beside itself, as a backup that stays.
    Backup,
    /// Brought back.
    Restore,
    /// Brought back from a compressed copy.
    Unpack,
    /// Written anew, or made of pieces of another file, under the name in `to`.
    Create,
    /// Given other permission bits; `to` holds them in octal, `fp` the old ones.
    Mode,
    /// An empty folder was made.
    MakeDir,
    /// An empty folder was removed.
    RemoveDir,
    /// A folder was renamed from one path to another.
    MoveDir,
    /// The same, and the old path became a link to the new one.
    MoveDirLinked,
    /// Kept for the case that another program takes it. Done means that it did; an archive name that the file has since is
    /// in the outcome.
    Guard,
}

/// A line of `plan.jsonl`: one effect that was going to happen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunLine {
    /// Position in the plan.
    pub seq: u32,
    /// Phase it runs in.
    pub phase: Phase,
    /// What.
    pub op: RunOp,
    /// Name before (for a restore: the path it comes from).
    pub from: Raw,
    /// Name after (planned), or the archive folder of a pack; for a swap that replaced a damaged index, the name under which
    /// its text stays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Raw>,
    /// For a restore: archive name that goes away. (An unpacked file has none.)
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaces: Option<Raw>,
    /// State of the file when planned; for a restore, of the one it comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fp: Option<Fingerprint>,
    /// For the swap: positions of the rows that leave.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub drop: Vec<u32>,
    /// For the swap: rows that come.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub insert: Vec<RunRow>,
    /// For the swap: rows that left and were taken out of the record since, on purpose. For a file: 1 if all that was kept
    /// of it was.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub purged: u64,
    /// Reason id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Session key, if one is behind it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// Session id, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
}

impl RunLine {
    /// Name of the hard link (or copy) in `files/`.
    pub fn kept_name(&self) -> String {
        format!("{:06}", self.seq)
    }

    /// Name of an unpacked file in `files/`, until it is known to stay under its own name.
    pub fn unpacked_name(seq: u32) -> String {
        format!("{seq:06}.unpacked")
    }
}

/// Whether a row left or came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum RowChange {
    /// It left the index.
    Dropped,
    /// It was put into the index.
    Inserted,
}

/// A line of `rows.jsonl`: one row, in the exact bytes of the index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunRow {
    /// Left or came.
    pub change: RowChange,
    /// Raw key between the quotes.
    pub key: Raw,
    /// Raw value.
    pub value: Raw,
    /// Raw key of the row before it in the old index, dropped or not; `None` if it was the first.
    #[serde(default)]
    pub after: Option<Raw>,
    /// Reason id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl RunRow {
    /// Reason of a row that a later one of the same key hid from the gateway.
    pub const SHADOWED: &'static str = "shadowed-row";
}

/// How an effect ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum RunResult {
    /// Done.
    Done,
    /// A planned rename became an unlink, because the disk was too full for the record of the run.
    UnlinkedForSpace,
    /// Skipped by a rule.
    Skipped,
    /// Failed.
    Failed,
    /// Never reached.
    NotReached,
}

/// A line of `outcome.jsonl`. A later line for the same effect wins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunOutcome {
    /// Effect.
    pub seq: u32,
    /// How it ended.
    pub result: RunResult,
    /// Name it has now, where that differs from the plan; path of the packed copy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Raw>,
    /// Bytes freed.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub freed: u64,
    /// Reason of a skip or failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature serde asks for")]
fn is_zero(n: &u64) -> bool {
    *n == 0
}

/// State of a run folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunState {
    /// Interrupted: the next mutating run finishes it or rolls it back.
    Unfinished,
    /// Closed in good order.
    Done,
    /// Closed without having changed the index or any file.
    RolledBack,
    /// Closed by recovery with effects that were given up.
    Abandoned,
    /// Written by a newer program: can be listed, not undone or recovered.
    TooNew(u32),
    /// Its files cannot be read (text says why).
    Unreadable(String),
}

/// One run as read back.
#[derive(Debug, Clone, PartialEq)]
pub struct RunRecord {
    /// Run id.
    pub id: String,
    /// Run folder.
    pub dir: PathBuf,
    /// State.
    pub state: RunState,
    /// `meta.json`; `None` if it was never finished or cannot be read.
    pub meta: Option<RunMeta>,
    /// `plan.jsonl`, in order.
    pub lines: Vec<RunLine>,
    /// Rows that left or came.
    pub rows: Vec<RunRow>,
    /// Rows that left or came and that no part of the record has any more: it is damaged.
    pub rows_missing: u64,
    /// The last outcome of each effect in `outcome.jsonl`, by effect, ascending.
    pub outcomes: Vec<RunOutcome>,
    /// Names and states of what `files/` keeps, ascending.
    pub kept: Vec<(OsString, Fingerprint)>,
    /// Run that undid this one and was not undone itself.
    pub undone_by: Option<String>,
    /// That one left something behind.
    pub undone_in_part: bool,
    /// When the folder was closed (epoch ms of its marker), or last touched.
    pub closed_at: Ms,
    /// The folder that keeps the record is not the one it was made in, but a copy: inode numbers in it mean nothing here.
    pub copied: bool,
    /// Why what it changed is not to be touched from here.
    pub astray: Option<String>,
}

impl RunRecord {
    /// Whether a file is the one that was recorded, untouched since. In a copy length and modification time tell.
    pub fn is_untouched(&self, recorded: &Fingerprint, now: &Fingerprint) -> bool {
        recorded.same_file(now) || self.copied && is_copy_of(recorded, now)
    }

    /// Whether a file is the one that was recorded, whatever was done to it. In a copy only an untouched one is known.
    pub fn is_inode(&self, now: Option<&Fingerprint>, recorded: Option<&Fingerprint>) -> bool {
        match (now, recorded) {
            // Systems without inode numbers go by size and time.
            (Some(now), Some(fp)) if fp.ino == 0 => fp.same_file(now),
            (Some(now), Some(fp)) => (now.dev, now.ino) == (fp.dev, fp.ino) || self.copied && is_copy_of(fp, now),
            _ => false,
        }
    }

    /// The last outcome recorded for an effect.
    pub fn outcome(&self, seq: u32) -> Option<&RunOutcome> {
        self.outcomes.binary_search_by_key(&seq, |o| o.seq).ok().and_then(|at| self.outcomes.get(at))
    }

    /// State of the kept link of an effect.
    pub fn kept(&self, line: &RunLine) -> Option<&Fingerprint> {
        let name = line.kept_name();
        let found = self.kept.binary_search_by(|(kept, _)| kept.as_encoded_bytes().cmp(name.as_bytes())).ok()?;
        self.kept.get(found).map(|(_, fp)| fp)
    }

    /// How many rows of a damaged record can be read, in words; `None` if none is missing.
    pub fn rows_lost(&self) -> Option<String> {
        let read = self.rows.len() as u64;
        (self.rows_missing > 0)
            .then(|| format!("only {read} of {} rows can be read in its rows.jsonl", read + self.rows_missing))
    }

    /// Id of the group that the run belongs to, and its place there. A run without others is a group of its own.
    pub fn group(&self) -> (&str, u32) {
        match self.meta.as_ref().and_then(|meta| meta.group.as_ref()) {
            Some(group) => (&group.first, group.nr),
            None => (&self.id, 0),
        }
    }

    /// Whether there is anything that undo could bring back.
    pub fn undoable(&self) -> bool {
        matches!(self.state, RunState::Done | RunState::Abandoned)
            && self.undone_by.is_none()
            && (!self.rows.is_empty() || self.lines.iter().any(|l| self.reversible(l)))
    }

    /// Whether it changed something that nobody can tell any more, and is no undo as far as can be seen.
    pub fn is_riddle(&self) -> bool {
        let held = !(self.rows.is_empty() && self.lines.is_empty() && self.kept.is_empty());
        matches!(self.state, RunState::Unreadable(_)) && held && self.meta.as_ref().is_none_or(|m| m.undoes.is_none())
    }

    /// Whether an effect was done and can be taken back.
    pub fn reversible(&self, line: &RunLine) -> bool {
        let done = self.outcome(line.seq).is_some_and(|o| o.result == RunResult::Done);
        let kept = matches!(
            line.op,
            RunOp::Move
                | RunOp::Stow
                | RunOp::Rewrite
                | RunOp::Restore
                | RunOp::Unpack
                | RunOp::Mode
                | RunOp::Create
                | RunOp::MakeDir
                | RunOp::RemoveDir
                | RunOp::MoveDir
                | RunOp::MoveDirLinked
                | RunOp::Guard
        );
        // What is kept all the same comes back: a purge may have been the wish of an earlier moment.
        let purged = line.op != RunOp::Swap && line.purged > 0 && self.kept(line).is_none();
        done && kept && !purged
    }
}

fn is_copy_of(recorded: &Fingerprint, now: &Fingerprint) -> bool {
    (recorded.size, recorded.mtime_ns, recorded.kind) == (now.size, now.mtime_ns, now.kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_survive_whatever_they_are() {
        for bytes in [&b"plain.jsonl"[..], "\u{e9}\"\\\n".as_bytes(), b"\xff\x00\x80", b""] {
            let text = serde_json::to_string(&Raw(bytes.to_vec())).unwrap();
            assert_eq!(serde_json::from_str::<Raw>(&text).unwrap().0, bytes, "{text}");
        }
        assert!(serde_json::from_str::<Raw>(r#"{"hex":"abc"}"#).is_err());
        assert!(serde_json::from_str::<Raw>(r#"{"hex":"zz"}"#).is_err());
    }
}
