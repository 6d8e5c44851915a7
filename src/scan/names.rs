//! What a name in a sessions folder means (spec/cleanup.md 4.3, spec/transcripts.md 3.3 and 3.4).
//!
//! The name alone decides. A name that fits none of the shapes exactly is [`Class::Foreign`], which nothing touches: a
//! stamp that is not a date, an archive of a newer generation (`<stamp>.<generation>.zst`) or a suffix made by hand stay what
//! they are. A deleted or reset transcript that was compressed later, `.zst` behind its whole name, is the archive that it was:
//! the same class, stem and time, so that every command that looks for a session finds both forms. By age it never goes.

use std::ffi::OsStr;

use crate::model::Ms;
use crate::model::folder::{ArchiveReason, Class};
use crate::transcript::names::is_uuid;
use crate::units::time::parse_stamp;

pub use crate::transcript::names::generated_id;

/// Name of the folder we keep beside a store.
pub const OWN_FOLDER: &str = ".clawkeep";

const INDEX: &[u8] = b"sessions.json";

/// What a name says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Named {
    /// The class.
    pub class: Class,
    /// Length of the stem (see [`crate::model::folder::Artefact::stem_len`]).
    pub stem_len: u16,
    /// Time in the name, for archives and repair backups.
    pub stamp: Option<Ms>,
}

/// Classifies a base name. `store_name` is the index of this run, if it is not called `sessions.json`.
pub fn classify(name: &OsStr, store_name: Option<&OsStr>) -> Named {
    let bytes = name.as_encoded_bytes();
    let whole = |class| Named { class, stem_len: len(bytes), stamp: None };
    let stores = [Some(INDEX), store_name.map(OsStr::as_encoded_bytes)];
    let stores = || stores.iter().copied().flatten();
    if stores().any(|store| store == bytes) {
        return whole(Class::Index);
    }
    // Most names end here; none of the searches below can match them.
    if bytes.ends_with(b".jsonl") {
        return by_suffix(bytes).unwrap_or_else(|| whole(Class::Foreign));
    }
    if bytes == OWN_FOLDER.as_bytes() {
        return whole(Class::Own);
    }
    if let Some(named) = stores().find_map(|store| beside_index(bytes, store)) {
        return named;
    }
    if is_index_backup(bytes) {
        return whole(Class::IndexBackup);
    }
    if is_temp(bytes) {
        return whole(Class::Temp);
    }
    archive(bytes)
        .or_else(|| packed_archive(bytes))
        .or_else(|| repair_backup(bytes))
        .or_else(|| by_suffix(bytes))
        .unwrap_or_else(|| whole(Class::Foreign))
}

/// Files named after the index: `<store>.bak.<digits or stamp>`, `<store>.damaged.<stamp>`, `<store>.tmp` and
/// `<store>.<pid>.<uuid>.tmp`.
fn beside_index(name: &[u8], store: &[u8]) -> Option<Named> {
    let rest = name.strip_prefix(store)?.strip_prefix(b".")?;
    let found = |class, stamp| Some(Named { class, stem_len: len(name), stamp });
    if let Some(mark) = rest.strip_prefix(b"bak.")
        && (is_digits(mark) || parse_stamp(mark).is_some())
    {
        return found(Class::IndexBackup, None);
    }
    if let Some(stamp) = rest.strip_prefix(b"damaged.").and_then(parse_stamp) {
        return found(Class::Damaged, Some(stamp));
    }
    if rest == b"tmp" || rest.strip_suffix(b".tmp").is_some_and(is_pid_uuid) {
        return found(Class::Temp, None);
    }
    None
}

/// Copies of the configuration that ended up here.
fn is_index_backup(name: &[u8]) -> bool {
    name.strip_prefix(b"openclaw.json.bak").is_some_and(|rest| rest.is_empty() || rest.starts_with(b"."))
}

/// `.fs-safe-replace.<pid>.<uuid>.tmp`, `.clawkeep-<run>.tmp`, `<transcript>.jsonl.<...>.tmp`.
fn is_temp(name: &[u8]) -> bool {
    let Some(rest) = name.strip_suffix(b".tmp") else { return false };
    if let Some(made) = rest.strip_prefix(b".fs-safe-replace.") {
        return is_pid_uuid(made);
    }
    if let Some(run) = rest.strip_prefix(b".clawkeep-") {
        return !run.is_empty();
    }
    memchr::memmem::rfind(rest, b".jsonl.").is_some_and(|at| at > 0 && at + b".jsonl.".len() < rest.len())
}

/// `<transcript>.<deleted or reset>.<stamp>.zst`.
fn packed_archive(name: &[u8]) -> Option<Named> {
    let plain = name.strip_suffix(b".zst")?;
    let named = archive(plain)?;
    let mark: &[u8] = match named.class {
        Class::Archive(ArchiveReason::Deleted) => b".jsonl.deleted.",
        Class::Archive(ArchiveReason::Reset) => b".jsonl.reset.",
        _ => return None,
    };
    memchr::memmem::rfind(plain, mark).map(|_| named)
}

/// `<file>.<reason>.<stamp>`, the reason being the last one in the name that is followed by a stamp.
fn archive(name: &[u8]) -> Option<Named> {
    const REASONS: [(&[u8], ArchiveReason); 3] =
        [(b".deleted.", ArchiveReason::Deleted), (b".reset.", ArchiveReason::Reset), (b".bak.", ArchiveReason::Bak)];
    if !name.ends_with(b"Z") {
        return None;
    }
    REASONS.iter().find_map(|(mark, reason)| {
        let at = memchr::memmem::rfind(name, mark)?;
        let stamp = parse_stamp(&name[at + mark.len()..])?;
        Some(Named { class: Class::Archive(*reason), stem_len: stem_of_copied(&name[..at]), stamp: Some(stamp) })
    })
}

/// `<file>.bak-<pid>-<ms>`.
fn repair_backup(name: &[u8]) -> Option<Named> {
    const MARK: &[u8] = b".bak-";
    let at = memchr::memmem::rfind(name, MARK)?;
    let numbers = &name[at + MARK.len()..];
    let dash = memchr::memchr(b'-', numbers)?;
    let (pid, ms) = (&numbers[..dash], &numbers[dash + 1..]);
    if !is_digits(pid) || !is_digits(ms) {
        return None;
    }
    let stamp = std::str::from_utf8(ms).ok()?.parse().ok()?;
    Some(Named { class: Class::RepairBackup, stem_len: stem_of_copied(&name[..at]), stamp: Some(stamp) })
}

fn by_suffix(name: &[u8]) -> Option<Named> {
    let with_stem = |class, stem: &[u8]| Some(Named { class, stem_len: len(stem), stamp: None });
    if name.ends_with(b".bak") && memchr::memmem::find(name, b".pre-doctor-").is_some() {
        return with_stem(Class::DoctorBackup, name);
    }
    if name.ends_with(b".migrated") {
        return with_stem(Class::Migrated, name);
    }
    if let Some(stem) = name.strip_suffix(b".jsonl.lock") {
        return with_stem(Class::Lock, stem);
    }
    if let Some(stem) = checkpoint_stem(name) {
        return with_stem(Class::Checkpoint, stem);
    }
    if let Some(stem) = name.strip_suffix(b".trajectory.jsonl") {
        return with_stem(Class::Trajectory, stem);
    }
    if let Some(stem) = name.strip_suffix(b".trajectory-path.json") {
        return with_stem(Class::TrajectoryPointer, stem);
    }
    with_stem(Class::Transcript, name.strip_suffix(b".jsonl")?)
}

/// Stem of `^(.+)\.checkpoint\.(<uuid, versions 1 to 5>)\.jsonl$`, any letter case.
fn checkpoint_stem(name: &[u8]) -> Option<&[u8]> {
    const MARK: &[u8] = b".checkpoint.";
    let (rest, suffix) = name.split_at_checked(name.len().checked_sub(b".jsonl".len())?)?;
    let (rest, uuid) = rest.split_at_checked(rest.len().checked_sub(36)?)?;
    let (stem, mark) = rest.split_at_checked(rest.len().checked_sub(MARK.len())?)?;
    let fits = suffix.eq_ignore_ascii_case(b".jsonl") && is_uuid(uuid, b'1'..=b'5') && mark.eq_ignore_ascii_case(MARK);
    (fits && !stem.is_empty()).then_some(stem)
}

/// Length of the stem of a file that was copied or renamed: without `.jsonl`, and of a checkpoint the session's. A
/// trajectory keeps its suffix, so that it never passes for a copy of the transcript.
fn stem_of_copied(name: &[u8]) -> u16 {
    len(checkpoint_stem(name).or_else(|| name.strip_suffix(b".jsonl")).unwrap_or(name))
}

fn is_pid_uuid(text: &[u8]) -> bool {
    memchr::memchr(b'.', text).is_some_and(|dot| is_digits(&text[..dot]) && is_uuid(&text[dot + 1..], b'1'..=b'8'))
}

fn is_digits(text: &[u8]) -> bool {
    !text.is_empty() && text.iter().all(u8::is_ascii_digit)
}

/// Names are at most 255 bytes on the systems we know; a longer one keeps a shorter stem.
fn len(stem: &[u8]) -> u16 {
    u16::try_from(stem.len()).unwrap_or(u16::MAX)
}

#[cfg(test)]
#[path = "names_tests.rs"]
mod tests;
