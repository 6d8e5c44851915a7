//! `manifest.jsonl`: what was packed, from where, when. Append-only; a torn last line is skipped by readers.

use std::io;
use std::path::Path;

use crate::fsx::read as fsx;
use crate::model::Ms;
use crate::units::time;

use super::pack::{Job, Packed};

/// Name of the manifest inside the archive.
pub const NAME: &str = "manifest.jsonl";
/// A manifest beyond this size is not read whole (about a million lines).
const MAX_BYTES: usize = 1 << 30;

/// One line.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// Format version of the line.
    pub format: u64,
    /// When it was packed (ISO time).
    pub at: String,
    /// Run that packed it; empty outside a run.
    pub run_id: String,
    /// Path of the original. Non-UTF-8 bytes are shown as U+FFFD; then `original_hex` has the exact bytes.
    pub original: String,
    /// Bytes of the path of the original in hex, if it is not UTF-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub original_hex: Option<String>,
    /// Length of the original in bytes.
    pub size: u64,
    /// Modification time of the original, epoch ms.
    pub mtime_ms: Ms,
    /// Permission bits of the original.
    pub mode: u32,
    /// SHA-256 of the original, lower-case hex.
    pub sha256: String,
    /// Lines of the original.
    pub lines: u64,
    /// Path of the copy, relative to the archive.
    pub packed: String,
    /// Length of the copy in bytes.
    pub packed_bytes: u64,
}

impl Entry {
    pub(super) fn of(root: &Path, job: &Job, packed: &Packed, now: Ms) -> Self {
        let path = job.source.as_os_str();
        let copy = packed.path.strip_prefix(root).unwrap_or(&packed.path);
        Self {
            format: super::marker::FORMAT,
            at: time::iso(now),
            run_id: job.run_id.clone(),
            original: path.to_string_lossy().into_owned(),
            original_hex: path
                .to_str()
                .is_none()
                .then(|| path.as_encoded_bytes().iter().map(|b| format!("{b:02x}")).collect()),
            size: packed.bytes,
            mtime_ms: job.expect.mtime_ms(),
            mode: job.expect.mode,
            sha256: packed.sha256.clone(),
            lines: packed.lines,
            packed: copy.to_string_lossy().into_owned(),
            packed_bytes: packed.packed_bytes,
        }
    }
}

/// Every entry of the archive at `root`, oldest first. Lines that do not parse (torn by a crash, of a later format) are
/// left out. An archive without a manifest has none.
pub fn entries(root: &Path) -> io::Result<Vec<Entry>> {
    let bytes = match fsx::read_head(&root.join(NAME), MAX_BYTES) {
        Ok(head) if !head.whole => return Err(io::Error::other("unexpectedly large")),
        Ok(head) => head.bytes,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) => return Err(e),
    };
    Ok(bytes.split(|b| *b == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect())
}
