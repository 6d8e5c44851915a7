//! Verified compressed copies outside the live folder (`--archive-to`).
//!
//! An archive folder is made once with `clawkeep archive init DIR`, which leaves a marker ([`marker`]). A folder without
//! it is refused: the usual reason is a disk that is not mounted, and packing into the mount point would fill the very
//! volume that is to be relieved.
//!
//! ```text
//! DIR/.clawkeep-archive            marker: format, id, creation time
//! DIR/manifest.jsonl               one line per packed file
//! DIR/<label>/<name>.zst           one zstd frame per file
//! ```
//!
//! # Failure story
//! A file counts as packed only after the copy was written, synced, read back from the device, decompressed and found to
//! have the size, SHA-256 and line count of the source, which itself must not have changed meanwhile; then it gets its
//! final name (never over another file), and folder and manifest are synced. [`Archive::pack`] returns only then, so a
//! crash at any instant leaves the original, and at worst a `.zst.tmp` that the next run replaces. Readers need nothing
//! of ours: `zstd -d` opens every copy.

pub mod manifest;
pub mod marker;
pub mod pack;
pub mod read;

pub use marker::init;
pub use pack::{Archive, Job, Packed, open};
pub use read::read;
