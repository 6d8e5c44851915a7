//! Packing: write, sync, read back, name, record. See the failure story in [`crate::archive`].

use std::collections::{BTreeSet, HashSet};
use std::ffi::{OsStr, OsString};
use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Component, Path, PathBuf};

use crate::error::{Error, Kind, Result};
use crate::fsx::read as fsx;
use crate::fsx::scratch::copies;
use crate::model::Ms;
use crate::model::fingerprint::Fingerprint;

use super::manifest;
use super::marker::{self, Marker, explain};
use super::read::{Digest, Digester, pump, unpack};

/// Files whose syncs are batched: all are written before the first sync, so that a journalling file system commits once.
const BATCH_FILES: usize = 64;
/// Source bytes after which a batch ends.
const BATCH_BYTES: u64 = 256 * 1024 * 1024;
/// Names tried before giving up on a collision.
const MAX_SUFFIX: u32 = 1000;
/// Longest file name, less the room for a collision suffix and `.zst.tmp`.
const MAX_NAME: usize = 240;

/// One file to pack.
#[derive(Debug, Clone)]
pub struct Job {
    /// The original.
    pub source: PathBuf,
    /// Folder inside the archive: agent id or store label. Made safe for a file name.
    pub label: String,
    /// Name of the copy, without `.zst`; normally the name of the original.
    pub name: OsString,
    /// What must be true of the original, before and after it was read.
    pub expect: Fingerprint,
    /// Run that asks for it, for the manifest.
    pub run_id: String,
}

/// A verified, durable copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Packed {
    /// The copy.
    pub path: PathBuf,
    /// SHA-256 of the original, lower-case hex.
    pub sha256: String,
    /// Lines of the original.
    pub lines: u64,
    /// Bytes of the original.
    pub bytes: u64,
    /// Bytes of the copy.
    pub packed_bytes: u64,
    /// The same content was there already under this name.
    pub reused: bool,
}

/// An archive folder that is open for packing. One process at a time where the file system has locks.
#[derive(Debug)]
pub struct Archive {
    root: PathBuf,
    marker: Marker,
    log: File,
    locked: bool,
    #[cfg(test)]
    before_verify: Option<fn(&Path)>,
}

/// Opens an archive for packing.
///
/// # Errors
/// No marker (an unmounted disk), a newer format, a read-only or full disk, or another run that packs into it
/// ([`Kind::Busy`]).
pub fn open(dir: &Path) -> Result<Archive> {
    let marker = marker::load(dir)?;
    let root = dir.canonicalize().map_err(|e| Error::io("open", dir, e))?;
    copies::refuse_live(&root)?;
    if copies::free_bytes(&root) == Some(0) {
        return Err(explain("write to", &root, &io::ErrorKind::StorageFull.into()));
    }
    let log_path = root.join(manifest::NAME);
    let log = copies::open_log(&log_path).map_err(|e| explain("write to", &log_path, &e))?;
    let locked = match log.try_lock() {
        Ok(()) => true,
        Err(TryLockError::WouldBlock) => {
            return Err(Error::new(Kind::Busy, format!("another run packs into {}", root.display()))
                .hint("repeat the command when it has ended, or add --wait 5m"));
        }
        // A file system without locks. Exclusive creates still keep two runs apart.
        Err(TryLockError::Error(_)) => false,
    };
    Ok(Archive {
        root,
        marker,
        log,
        locked,
        #[cfg(test)]
        before_verify: None,
    })
}

/// A copy under its temporary name.
struct Staged {
    temp: PathBuf,
    file: File,
    digest: Digest,
}

impl Archive {
    /// Canonical path of the archive.
    pub fn path(&self) -> &Path {
        &self.root
    }

    /// The marker.
    pub fn marker(&self) -> &Marker {
        &self.marker
    }

    /// Packs one file. When this returns `Ok` the copy is verified and durable and the original may go.
    ///
    /// # Errors
    /// The original changed, or the copy could not be written, synced or verified. Nothing is left under a final name.
    pub fn pack(&mut self, job: &Job, now: Ms) -> Result<Packed> {
        self.pack_batch(std::slice::from_ref(job), now)
            .pop()
            .unwrap_or_else(|| Err(Error::failed(format!("{} was not packed", job.source.display()))))
    }

    /// Packs many files with batched syncs; one result per job, in order, each as for [`Archive::pack`].
    pub fn pack_all(&mut self, jobs: &[Job], now: Ms) -> Vec<Result<Packed>> {
        batches(jobs).into_iter().flat_map(|range| self.pack_batch(&jobs[range], now)).collect()
    }

    fn pack_batch(&mut self, jobs: &[Job], now: Ms) -> Vec<Result<Packed>> {
        let staged: Vec<Result<Staged>> = jobs.iter().map(|job| self.stage(job)).collect();
        let mut results: Vec<Result<Packed>> =
            jobs.iter().zip(staged).map(|(job, staged)| staged.and_then(|s| self.finish(job, s))).collect();
        if let Err(e) = self.record(jobs, &results, now) {
            for result in results.iter_mut().filter(|r| r.is_ok()) {
                *result = Err(explain("record copies in", &self.root, &e));
            }
        }
        results
    }

    /// Compresses the original into a temporary file.
    fn stage(&self, job: &Job) -> Result<Staged> {
        let folder = self.folder(job)?;
        let base = base_name(&job.name)?;
        let temp = folder.join(suffixed(&base, 0, ".zst.tmp"));
        let (source, before) = fsx::open_regular(&job.source).map_err(|e| Error::io("read", &job.source, e))?;
        if !before.same_file(&job.expect) {
            return Err(changed(job));
        }
        if self.locked {
            // Ours is the only run here: a file of this name was left by a crash.
            copies::remove(&temp).map_err(|e| explain("remove", &temp, &e))?;
        }
        let file = copies::create_new(&temp).map_err(|e| explain("create", &temp, &e))?;
        let digest = compress(job, &source, &file, &temp).inspect_err(|_| {
            let _ = copies::remove(&temp);
        })?;
        Ok(Staged { temp, file, digest })
    }

    /// Folder of the label, created when missing.
    fn folder(&self, job: &Job) -> Result<PathBuf> {
        let folder = self.root.join(safe_label(&job.label));
        copies::make_dir(&folder).map_err(|e| explain("create", &folder, &e))?;
        // A link planted here would lead the copies elsewhere.
        match folder.symlink_metadata() {
            Ok(meta) if meta.is_dir() => Ok(folder),
            Ok(_) => Err(Error::failed(format!("{} is not a folder", folder.display()))),
            Err(e) => Err(Error::io("open", &folder, e)),
        }
    }

    /// Syncs, verifies and names a staged copy. On failure the temporary file goes.
    fn finish(&self, job: &Job, staged: Staged) -> Result<Packed> {
        let done = self.verify(job, &staged).and_then(|packed_bytes| publish(job, &staged, packed_bytes));
        if !matches!(&done, Ok(packed) if !packed.reused) {
            let _ = copies::remove(&staged.temp);
        }
        done
    }

    /// Reads the copy back from the device and compares it with what was read from the original. Gives its length.
    fn verify(&self, job: &Job, staged: &Staged) -> Result<u64> {
        staged.file.sync_all().map_err(|e| explain("sync", &staged.temp, &e))?;
        copies::forget_cache(&staged.file);
        #[cfg(test)]
        if let Some(damage) = self.before_verify {
            damage(&staged.temp);
        }
        let wrong = |why: String| {
            Error::failed(format!(
                "the copy of {} in {} is not whole: {why}",
                job.source.display(),
                self.root.display()
            ))
            .hint("check the archive disk; the original was kept")
        };
        let (file, fp) = fsx::open_regular(&staged.temp).map_err(|e| wrong(e.to_string()))?;
        let found = unpack(file, &mut io::sink()).map_err(|e| wrong(e.to_string()))?;
        if found != staged.digest {
            return Err(wrong("size, hash or line count differ".to_owned()));
        }
        Ok(fp.size)
    }

    /// Makes names durable and appends to the manifest.
    fn record(&mut self, jobs: &[Job], results: &[Result<Packed>], now: Ms) -> io::Result<()> {
        let mut lines = Vec::new();
        let mut folders = BTreeSet::new();
        for (job, packed) in jobs.iter().zip(results).filter_map(|(j, r)| r.as_ref().ok().map(|p| (j, p))) {
            serde_json::to_writer(&mut lines, &manifest::Entry::of(&self.root, job, packed, now))?;
            lines.push(b'\n');
            folders.extend(packed.path.parent());
        }
        if lines.is_empty() {
            return Ok(());
        }
        for folder in folders.into_iter().chain([self.root.as_path()]) {
            copies::sync_dir(folder)?;
        }
        if self.log_is_torn()? {
            lines.insert(0, b'\n');
        }
        self.log.write_all(&lines)?;
        self.log.sync_all()
    }

    /// Whether a crash cut the last line of the manifest.
    fn log_is_torn(&mut self) -> io::Result<bool> {
        if self.log.metadata()?.len() == 0 {
            return Ok(false);
        }
        self.log.seek(SeekFrom::End(-1))?;
        let mut last = [0];
        self.log.read_exact(&mut last)?;
        Ok(last != *b"\n")
    }
}

/// Reads the original once: into the digest and into the compressor.
fn compress(job: &Job, source: &File, file: &File, temp: &Path) -> Result<Digest> {
    let write_error = |e: io::Error| explain("write", temp, &e);
    let mut encoder = zstd::stream::write::Encoder::new(file, zstd::DEFAULT_COMPRESSION_LEVEL).map_err(write_error)?;
    encoder.include_checksum(true).map_err(write_error)?;
    encoder.set_pledged_src_size(Some(job.expect.size)).map_err(write_error)?;
    let mut digester = Digester::default();
    let mut failed_write = false;
    let read = pump(&mut source.take(job.expect.size), |chunk| {
        digester.feed(chunk);
        encoder.write_all(chunk).inspect_err(|_| failed_write = true)
    });
    match read {
        Ok(()) => {}
        Err(e) if failed_write => return Err(write_error(e)),
        Err(e) => return Err(Error::io("read", &job.source, e)),
    }
    let digest = digester.finish();
    let after = fsx::fstat(source).map_err(|e| Error::io("read", &job.source, e))?;
    if digest.bytes != job.expect.size || !after.same_file(&job.expect) {
        return Err(changed(job));
    }
    encoder.finish().map_err(write_error)?;
    Ok(digest)
}

/// Gives the copy its final name, or uses an identical one that is there.
fn publish(job: &Job, staged: &Staged, packed_bytes: u64) -> Result<Packed> {
    let folder = staged.temp.parent().unwrap_or(Path::new(""));
    let base = base_name(&job.name)?;
    let digest = &staged.digest;
    for n in 0..MAX_SUFFIX {
        let path = folder.join(suffixed(&base, n, ".zst"));
        let packed = |reused, packed_bytes| Packed {
            path: path.clone(),
            sha256: digest.sha256.clone(),
            lines: digest.lines,
            bytes: digest.bytes,
            packed_bytes,
            reused,
        };
        match copies::rename_new(&staged.temp, &path) {
            Ok(()) => return Ok(packed(false, packed_bytes)),
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {
                if let Some(size) = identical(&path, digest) {
                    return Ok(packed(true, size));
                }
            }
            Err(e) => return Err(explain("rename", &path, &e)),
        }
    }
    Err(Error::failed(format!("{} has too many copies named {}", folder.display(), base.display())))
}

/// Length of the copy at `path` if it holds exactly this content, durably.
fn identical(path: &Path, digest: &Digest) -> Option<u64> {
    let (file, fp) = fsx::open_regular(path).ok()?;
    file.sync_all().ok()?;
    (unpack(file, &mut io::sink()).ok()? == *digest).then_some(fp.size)
}

fn changed(job: &Job) -> Error {
    Error::failed(format!("{} changed while it was packed; it was kept", job.source.display()))
}

/// Cuts the jobs into batches. Two jobs of one batch never share a target name.
fn batches(jobs: &[Job]) -> Vec<Range<usize>> {
    let mut cuts = Vec::new();
    let (mut start, mut bytes, mut names) = (0, 0_u64, HashSet::new());
    for (i, job) in jobs.iter().enumerate() {
        let target = (safe_label(&job.label), job.name.as_os_str());
        if i - start == BATCH_FILES || bytes >= BATCH_BYTES || names.contains(&target) {
            cuts.push(start..i);
            (start, bytes) = (i, 0);
            names.clear();
        }
        bytes = bytes.saturating_add(job.expect.size);
        names.insert(target);
    }
    if start < jobs.len() {
        cuts.push(start..jobs.len());
    }
    cuts
}

/// A label as a folder name: letters, digits, `_` and `-`; anything else becomes `-`.
fn safe_label(label: &str) -> String {
    let safe: String = label
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || c == '_' || c == '-' { c } else { '-' })
        .take(64)
        .collect();
    if safe.is_empty() { "store".to_owned() } else { safe }
}

/// The name of a copy without its suffix. Long names are cut and told apart by a hash.
fn base_name(name: &OsStr) -> Result<OsString> {
    let mut parts = Path::new(name).components();
    let plain = matches!(parts.next(), Some(Component::Normal(part)) if part == name) && parts.next().is_none();
    if !plain {
        return Err(Error::failed(format!("{} is not a file name", name.display())));
    }
    if name.len() <= MAX_NAME {
        return Ok(name.to_owned());
    }
    let mut digester = Digester::default();
    digester.feed(name.as_encoded_bytes());
    let text = name.to_string_lossy();
    let cut: String = text
        .chars()
        .scan(0, |len, c| {
            *len += c.len_utf8();
            (*len <= 200).then_some(c)
        })
        .collect();
    Ok(format!("{cut}-{}", &digester.finish().sha256[..16]).into())
}

/// `<base><suffix>`, `<base>-1<suffix>`, ...
fn suffixed(base: &OsStr, n: u32, suffix: &str) -> OsString {
    let mut name = base.to_owned();
    if n > 0 {
        name.push(format!("-{n}"));
    }
    name.push(suffix);
    name
}

#[cfg(test)]
#[path = "pack_tests.rs"]
mod tests;
