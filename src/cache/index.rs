//! Indexes of transcripts, kept from run to run.
//!
//! An index is used again if the file is the one it was made of: same device and inode, and either nothing changed (size,
//! modification and change time) or the file only grew, which is believed if its first bytes and the last record that was
//! indexed still hash as they did. Then only what is new is read. A file that was modified within two seconds of being
//! indexed is read anew: it may have been rewritten in the same tick of its clock.
//!
//! # Failure story
//!
//! A cache can only cost time. Entries are written beside and renamed, so concurrent runs see whole ones; what does not
//! match its checksum is no entry; where the folder cannot be written nothing is said. The folder is bounded by
//! [`MOST_BYTES`], the least recently written go first.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use crate::context::Context;
use crate::fsx::{read, scratch};
use crate::model::Ms;
use crate::transcript::entries::{ENTRY, Entries, Entry, MOST, Place};
use crate::transcript::index::{Compaction, Faults, First, Header, Index};
use crate::transcript::source::Source;

/// Bytes of all entries together.
pub const MOST_BYTES: u64 = 512 << 20;
/// Smaller transcripts are read anew: that is as fast.
pub const LEAST: u64 = 256 * 1024;
/// Bytes at the start of a file, and of its last record, that are hashed.
const HASHED: usize = 4096;
/// An index of so many bytes is written whenever its file has grown.
const CHEAP: u64 = 1 << 20;
/// A file that was written this shortly before it was indexed is not trusted.
const RACY: Ms = 2000;
const MAGIC: &[u8; 16] = b"clawkeep-index-3";

/// What an index was made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Key {
    dev: u64,
    ino: u64,
    size: u64,
    mtime_ns: i64,
    ctime_ns: i64,
    head: u64,
    /// Offset and length of the last indexed line, and its hash.
    last_at: u64,
    last_len: u64,
    last: u64,
    built_at: Ms,
}

/// The index of a transcript, from the cache as far as it can be. `use_cache`: whether it may be.
///
/// # Errors
/// What reading the transcript gives. `Ok(None)`: stopped by `went_on`.
pub fn load(
    ctx: &Context,
    source: &Source,
    use_cache: bool,
    went_on: &mut dyn FnMut(u64) -> bool,
) -> io::Result<Option<Index>> {
    load_above(ctx, source, use_cache, MOST, went_on)
}

/// As [`load`]; of more than `most` entries the newest are held.
fn load_above(
    ctx: &Context,
    source: &Source,
    use_cache: bool,
    most: usize,
    went_on: &mut dyn FnMut(u64) -> bool,
) -> io::Result<Option<Index>> {
    let file = (use_cache && !source.packed && source.size >= LEAST).then(|| file_of(ctx, &source.path)).flatten();
    let known = file.as_deref().and_then(|file| usable(file, source, most));
    let (was, held) = known.as_ref().map_or((0, 0), |index| (index.size, index.entries.len()));
    let mut index = known.unwrap_or_else(|| Index { entries: Entries::with_most(most), ..Index::default() });
    if was != source.size && !index.extend(source, went_on)? {
        return Ok(None);
    }
    if let (true, Some(file)) = (is_worth_writing(source.size - was, held), file) {
        // Whatever goes wrong here, the index at hand is good.
        let _ = save(ctx, &file, source, &index);
    }
    index.migrate();
    Ok(Some(index))
}

/// Whether so many bytes were read beside so many cached entries that the index should be written anew. It is written as
/// a whole: for a large one that would cost more than reading a short end again, until that has grown to a fourth of it.
fn is_worth_writing(read: u64, cached: usize) -> bool {
    let bytes = cached as u64 * ENTRY as u64;
    read > 0 && (bytes <= CHEAP || read >= bytes / 4)
}

fn file_of(ctx: &Context, path: &Path) -> Option<PathBuf> {
    let digest = Sha256::digest(path.as_os_str().as_encoded_bytes());
    let name: String = digest.iter().take(12).map(|b| format!("{b:02x}")).collect();
    Some(super::folder::folder(ctx)?.join("transcripts").join(format!("{name}.idx")))
}

fn hash(bytes: &[u8]) -> u64 {
    let digest = Sha256::digest(bytes);
    u64::from_le_bytes(std::array::from_fn(|at| digest[at]))
}

fn hash_of(source: &Source, at: u64, len: u64) -> io::Result<u64> {
    let len = usize::try_from(len).unwrap_or(HASHED);
    let mut bytes = source.bytes(at, len.min(HASHED))?;
    if len > HASHED {
        bytes.extend(source.bytes(at + (len - HASHED) as u64, HASHED)?);
    }
    Ok(hash(&bytes))
}

/// The cached index, if it was made of this file or of its beginning.
fn usable(file: &Path, source: &Source, most: usize) -> Option<Index> {
    let (opened, _) = read::open_regular(file).ok()?;
    let mut reader = Sum { inner: io::BufReader::with_capacity(256 * 1024, opened), sum: START };
    let key = read_key(&mut reader).ok()??;
    let fp = &source.fp;
    let same = key.dev == fp.dev && key.ino == fp.ino;
    let racy = key.mtime_ns.div_euclid(1_000_000) > key.built_at - RACY;
    let unchanged = key.size == fp.size && key.mtime_ns == fp.mtime_ns && key.ctime_ns == fp.ctime_ns;
    if !same || racy || !(unchanged || key.size < fp.size) {
        return None;
    }
    let head = hash_of(source, 0, key.size.min(HASHED as u64)).ok()?;
    let last = hash_of(source, key.last_at, key.last_len).ok()?;
    if head != key.head || last != key.last {
        return None;
    }
    let index = read_index(&mut reader, key.size, most).ok()?;
    let sum = reader.sum;
    let mut stored = [0; 8];
    reader.inner.read_exact(&mut stored).ok()?;
    (u64::from_le_bytes(stored) == sum).then_some(index)
}

fn save(ctx: &Context, file: &Path, source: &Source, index: &Index) -> crate::error::Result<()> {
    // A last line without its newline may go on.
    if index.faults.torn_tail || index.faults.no_newline {
        return Ok(());
    }
    let Some(key) = key(ctx, source, index) else { return Ok(()) };
    let Some(folder) = file.parent() else { return Ok(()) };
    scratch::create_dir(folder)?;
    scratch::write_with(file, |out| {
        let mut out = Sum { inner: out, sum: START };
        write_index(&mut out, &key, index)?;
        let sum = out.sum.to_le_bytes();
        out.inner.write_all(&sum)
    })?;
    bound(folder, file);
    Ok(())
}

fn key(ctx: &Context, source: &Source, index: &Index) -> Option<Key> {
    let last = index.entries.iter().next_back()?;
    let (last_at, last_len) = (last.offset(), u64::from(last.len));
    Some(Key {
        dev: source.fp.dev,
        ino: source.fp.ino,
        size: index.size,
        mtime_ns: source.fp.mtime_ns,
        ctime_ns: source.fp.ctime_ns,
        head: hash_of(source, 0, index.size.min(HASHED as u64)).ok()?,
        last_at,
        last_len,
        last: hash_of(source, last_at, last_len).ok()?,
        built_at: ctx.now(),
    })
}

/// Removes the oldest entries, and what killed runs left, until all fit.
fn bound(folder: &Path, keep: &Path) {
    let Ok(items) = std::fs::read_dir(folder) else { return };
    let mut files: Vec<(std::time::SystemTime, u64, PathBuf)> = items
        .filter_map(|item| {
            let item = item.ok()?;
            let meta = item.metadata().ok().filter(std::fs::Metadata::is_file)?;
            Some((meta.modified().ok()?, meta.len(), item.path()))
        })
        .collect();
    files.sort();
    let mut total: u64 = files.iter().map(|(_, len, _)| len).sum();
    for (_, len, path) in files.iter().filter(|(_, _, path)| path != keep) {
        if total <= MOST_BYTES {
            return;
        }
        if scratch::remove(path).is_ok() {
            total -= len;
        }
    }
}

const START: u64 = 0x9E37_79B9_7F4A_7C15;

/// Passes bytes through and sums them up: enough to notice a torn or foreign file.
struct Sum<T> {
    inner: T,
    sum: u64,
}

impl<T> Sum<T> {
    fn take(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.sum = (self.sum.rotate_left(5) ^ u64::from_le_bytes(word)).wrapping_mul(START | 1);
        }
    }
}

impl<W: Write> Sum<W> {
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.take(bytes);
        self.inner.write_all(bytes)
    }

    fn put_word(&mut self, value: u64) -> io::Result<()> {
        self.put(&value.to_le_bytes())
    }
}

impl<R: Read> Sum<R> {
    fn get<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.inner.read_exact(&mut bytes)?;
        self.take(&bytes);
        Ok(bytes)
    }

    fn get_word(&mut self) -> io::Result<u64> {
        self.get().map(u64::from_le_bytes)
    }
}

fn read_key<R: Read>(reader: &mut Sum<R>) -> io::Result<Option<Key>> {
    if &reader.get::<16>()? != MAGIC {
        return Ok(None);
    }
    let mut words = [0; 10];
    for word in &mut words {
        *word = reader.get_word()?;
    }
    let [dev, ino, size, mtime, ctime, head, last_at, last_len, last, built_at] = words;
    let (mtime_ns, ctime_ns, built_at) = (mtime.cast_signed(), ctime.cast_signed(), built_at.cast_signed());
    Ok(Some(Key { dev, ino, size, mtime_ns, ctime_ns, head, last_at, last_len, last, built_at }))
}

fn write_index<W: Write>(out: &mut Sum<W>, key: &Key, index: &Index) -> io::Result<()> {
    out.put(MAGIC)?;
    let times = [key.mtime_ns, key.ctime_ns].map(i64::cast_unsigned);
    for word in [key.dev, key.ino, key.size, times[0], times[1], key.head, key.last_at, key.last_len, key.last] {
        out.put_word(word)?;
    }
    out.put_word(key.built_at.cast_unsigned())?;
    let (kind, version, place) = match index.first {
        First::Nothing => (0, 0, Place { at: 0, len: 0, line: 0 }),
        First::Header(header) => (1, header.version, header.place),
        First::Other(place) => (2, 0, place),
    };
    let f = &index.faults;
    let faults = [f.bad, f.first_bad, f.recovered, f.non_objects, f.first_null, f.more_headers];
    for word in [index.lines, index.values, kind, u64::from(version), place.at, place.len, place.line] {
        out.put_word(word)?;
    }
    for word in faults {
        out.put_word(word)?;
    }
    out.put_word(index.headers.len() as u64)?;
    for at in &index.headers {
        out.put_word(*at)?;
    }
    out.put_word(index.compactions.len() as u64)?;
    for c in &index.compactions {
        out.put_word(c.at)?;
        out.put_word(c.kept.unwrap_or(0))?;
        out.put_word(c.kept_index.map_or(u64::MAX, u64::from))?;
    }
    out.put_word(index.entries.dropped)?;
    out.put_word(index.entries.len() as u64)?;
    for entry in index.entries.iter() {
        out.put(&entry.to_bytes())?;
    }
    Ok(())
}

fn read_index<R: Read>(reader: &mut Sum<R>, size: u64, most: usize) -> io::Result<Index> {
    let mut words = [0; 13];
    for word in &mut words {
        *word = reader.get_word()?;
    }
    let [lines, values, kind, version, at, len, line, bad, first_bad, recovered, non_objects, first_null, more_headers] =
        words;
    let place = Place { at, len, line };
    let first = match kind {
        0 => First::Nothing,
        1 => First::Header(Header { place, version: u32::try_from(version).unwrap_or(u32::MAX) }),
        _ => First::Other(place),
    };
    let faults = Faults { bad, first_bad, recovered, non_objects, first_null, more_headers, ..Faults::default() };
    let entries = Entries::with_most(most);
    let mut index = Index { size, lines, values, first, faults, entries, ..Index::default() };
    for _ in 0..reader.get_word()? {
        index.headers.push(reader.get_word()?);
    }
    for _ in 0..reader.get_word()? {
        let (at, kept, by_index) = (reader.get_word()?, reader.get_word()?, reader.get_word()?);
        let kept_index = u32::try_from(by_index).ok();
        index.compactions.push(Compaction { at, kept: Some(kept).filter(|id| *id != 0), kept_index });
    }
    // Entries go by whole blocks, so those that are added later drive out the same ones as if all had been read at once.
    index.entries.dropped = reader.get_word()?;
    for _ in 0..reader.get_word()? {
        index.entries.push(Entry::from_bytes(&reader.get()?));
    }
    Ok(index)
}

#[cfg(test)]
#[path = "index_tests.rs"]
mod tests;
