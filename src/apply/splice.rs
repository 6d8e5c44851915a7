//! Replacing the content of a file by itself with changes, streamed: a transcript may be larger than memory.
//!
//! The new content goes to a temp file beside the old one and gets its attributes before it is made durable; then both
//! names are exchanged in one step. What comes out must be the file that was planned from, unchanged; otherwise somebody
//! wrote to it meanwhile, and the exchange is taken back. Every byte that no edit names is copied.
//!
//! # Locking
//! The gateway's own lock on the transcript is held from before the last look until after the exchange. A writer that
//! opened the file before that without a lock, and writes after it, writes into the copy that the run folder keeps.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::displaced;
use super::state::{Exec, Stop};
use crate::fsx::mutate::preserve::Attributes;
use crate::fsx::mutate::{Dir, NewFile};
use crate::fsx::read as fsx;
use crate::lock::transcript::TranscriptLock;
use crate::model::effect::FileRef;
use crate::model::fingerprint::Fingerprint;
use crate::model::mend::{Edit, Piece, edited_len};
use crate::model::outcome::Skip;

/// Bytes written at once.
const PIECE: usize = 1 << 18;

/// One replacement.
pub(super) struct Splice<'a> {
    /// The file.
    pub file: &'a FileRef,
    /// Where the bytes come from; the file itself if nothing is said.
    pub source: Option<&'a Path>,
    /// Changes of them.
    pub edits: &'a [Edit],
    /// Name of the temp file.
    pub temp: &'a OsStr,
    /// Where the old file goes if it could not be given a link there before.
    pub keep: Option<(&'a Dir, &'a str)>,
}

/// Name of the temp file of an effect, for this run and for whoever recovers it.
pub(super) fn temp_name(run_id: &str, kept_name: &str) -> OsString {
    format!(".clawkeep-{run_id}-{kept_name}.tmp").into()
}

/// Carries it out. The old content has its link in the run folder by now, or goes there by [`Splice::keep`]. `put_away` is
/// for what somebody else wrote and could not go back: it has the temp name then.
pub(super) fn splice(run: &Exec<'_>, splice: &Splice<'_>, put_away: impl FnOnce() -> Stop) -> Result<u64, Stop> {
    let name = &splice.file.name;
    let ctx = run.input.ctx;
    let lock = name
        .as_encoded_bytes()
        .ends_with(b".jsonl")
        .then(|| TranscriptLock::acquire(&run.folder, name, &|| ctx.now(), run.input.recheck.locked_now))
        .transpose();
    let lock = match lock {
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => return Err(Stop::Skip(Skip::LockedNow)),
        other => other?,
    };
    let mut displaced = false;
    let result = replace(run, splice, &mut displaced);
    if displaced {
        return Err(put_away());
    }
    // Ours, or the old file, of which the run folder has a link.
    if run.folder.unlink(splice.temp).is_err() {
        let _ = run.folder.unlink(splice.temp);
    }
    drop(lock);
    result.map(|()| 0)
}

fn replace(run: &Exec<'_>, splice: &Splice<'_>, displaced: &mut bool) -> Result<(), Stop> {
    let (folder, file) = (&run.folder, splice.file);
    let before = run.same(file)?;
    let lost = write(folder, splice, &before)?;
    if !lost.is_empty() && !run.input.overrides.iter().any(|o| o == "owner-change") {
        return Err(Stop::Other(format!("{}: could not keep its {}", file.name.display(), lost.join(", "))));
    }
    let ours = folder.stat(splice.temp)?;
    run.same(file)?;
    folder.faults().pause("before-exchange");
    if !folder.exchange(splice.temp, &file.name)? {
        if splice.keep.is_some() {
            let why = format!("{}: this file system has neither hard links nor exchange", file.name.display());
            return Err(Stop::Other(why));
        }
        folder.replace(splice.temp, &file.name)?;
        return Ok(());
    }
    let kept = match splice.keep {
        _ if !folder.stat(splice.temp).is_ok_and(|old| file.fp.same_file(&old)) => Err(Stop::Skip(Skip::Changed)),
        Some((files, name)) => folder.rename(splice.temp, files, name).map_err(Stop::Io),
        None => Ok(()),
    };
    if kept.is_err() {
        *displaced = !displaced::go_back(folder, splice.temp, &file.name, &ours);
    }
    kept
}

/// Writes the new content beside the file, durably. Gives what could not be carried over.
fn write(folder: &Dir, splice: &Splice<'_>, before: &Fingerprint) -> Result<Vec<String>, Stop> {
    let old = folder.open_file(&splice.file.name)?;
    let (mut source, size, written) = match splice.source {
        Some(path) => {
            let (source, fp) = fsx::open_regular(path)?;
            (source, fp.size, Some(fp.mtime_ns))
        }
        None => (folder.open_file(&splice.file.name)?, before.size, None),
    };
    let mut new = folder.create(splice.temp, 0o600)?;
    new.allocate(edited_len(size, splice.edits))?;
    edited(&mut source, size, splice.edits, &mut new)?;
    let lost = Attributes::of(&old)?.give_to(&new)?;
    // A transcript that comes back whole is as old as it was: by its time it is pruned. One that was mended is new.
    let transcript = splice.file.name.as_encoded_bytes().ends_with(b".jsonl") && splice.edits.is_empty();
    if let Some(at) = written.filter(|_| transcript) {
        new.set_mtime_ns(at)?;
    }
    // The gateway caches what it read by size and mtime.
    let now = new.stat()?;
    if now.size == before.size && now.mtime_ms() == before.mtime_ms() {
        new.set_mtime_ns(before.mtime_ns + 1_000_000)?;
    }
    new.sync()?;
    Ok(lost)
}

fn edited(source: &mut File, size: u64, edits: &[Edit], new: &mut NewFile) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(PIECE, new);
    let mut at = 0;
    for edit in edits {
        copy(source, edit.at.saturating_sub(at), &mut out)?;
        out.write_all(&edit.put)?;
        at = edit.at + edit.cut;
        source.seek(SeekFrom::Start(at))?;
    }
    copy(source, size.saturating_sub(at), &mut out)?;
    out.flush()
}

fn copy(source: &mut File, len: u64, out: &mut impl Write) -> io::Result<()> {
    if io::copy(&mut Read::take(&mut *source, len), out)? == len {
        Ok(())
    } else {
        Err(io::ErrorKind::UnexpectedEof.into())
    }
}

/// Writes pieces of a file into a new one.
pub(super) fn extract(source: &mut File, pieces: &[Piece], new: &mut NewFile) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(PIECE, new);
    for piece in pieces {
        source.seek(SeekFrom::Start(piece.at))?;
        copy(source, piece.len, &mut out)?;
        if piece.newline {
            out.write_all(b"\n")?;
        }
    }
    out.flush()
}

/// Length of what [`extract`] writes.
pub(super) fn extracted_len(pieces: &[Piece]) -> u64 {
    pieces.iter().map(|p| p.len + u64::from(p.newline)).sum()
}
