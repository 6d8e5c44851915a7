//! Recovery of a file whose content was being replaced.

use std::io;

use super::input::Recheck;
use super::recover::outcome;
use crate::fsx::mutate::Dir;
use crate::journal::write::Journal;
use crate::model::fingerprint::Fingerprint;
use crate::model::run::{RunLine, RunOutcome, RunRecord, RunResult};

/// The lock that a killed run held while it replaced a transcript, once nobody believes it any more.
pub(super) fn put_away_lock(folder: &Dir, journal: &Journal, line: &RunLine, recheck: &Recheck<'_>) {
    let name = line.from.to_os();
    let lock = crate::lock::transcript::file_name(&name);
    if folder.stat(&lock).is_ok() && !(recheck.locked_now)(&name) {
        let _ = twice(|| folder.rename(&lock, journal.dir(), format!("rewrite-{}.lock", line.seq)));
    }
}

/// A file whose content was being replaced. The temp file tells how far that came: it holds new content that has no name
/// yet, or, after the exchange, the old file. If somebody wrote to the old file between the last look and the exchange,
/// their text comes back. Either way what has the temp name leaves the live folder for the run folder. Where the old file
/// has neither name, somebody put their own in its place, before the exchange or after the last look: nobody can tell then
/// which of the two texts is theirs, and it is said where the other one is.
pub(super) fn rewrite(folder: &Dir, journal: &Journal, record: &RunRecord, line: &RunLine) -> io::Result<RunOutcome> {
    let name = line.from.to_os();
    let temp = super::splice::temp_name(journal.id(), &line.kept_name());
    let beside = folder.stat(&temp).ok();
    let mut taken_back = false;
    if let Some(old) = beside.as_ref().filter(|beside| record.is_inode(Some(beside), line.fp.as_ref()))
        && !line.fp.is_some_and(|fp| record.is_untouched(&fp, old))
        && folder.stat(&name).is_ok()
    {
        if !folder.exchange(&temp, &name)? {
            folder.replace(&temp, &name)?;
        }
        folder.sync()?;
        taken_back = true;
    }
    let mut stray = None;
    if beside.is_some() {
        // Where no link could be made, the old file itself is what is kept.
        let kept = line.kept_name();
        let is_old = !taken_back && record.is_inode(beside.as_ref(), line.fp.as_ref());
        let keeps = is_old && journal.files().stat(&kept).is_err();
        let aside = format!("rewrite-{}.temp", line.seq);
        let put_away = twice(|| match keeps {
            true => folder.rename(&temp, journal.files(), &kept),
            false => folder.rename(&temp, journal.dir(), &aside),
        });
        let replaced = folder.stat(&name).is_ok_and(|now| !record.is_inode(Some(&now), line.fp.as_ref()));
        if replaced && !taken_back && !is_old {
            stray = Some(if put_away.is_ok() { journal.dir().path().join(aside) } else { folder.path().join(&temp) });
        }
    }
    if let Some(at) = stray {
        let why =
            format!("another program wrote it meanwhile; its text, or the new one, is {}: compare both", at.display());
        return Ok(outcome(line, RunResult::Skipped, Some(&why)));
    }
    Ok(match folder.stat(&name) {
        Err(_) => outcome(line, RunResult::Skipped, Some("gone")),
        Ok(_) if taken_back => outcome(line, RunResult::Skipped, Some("changed")),
        Ok(now) if rewritten(folder, journal, record, line, &now) => outcome(line, RunResult::Done, None),
        Ok(_) => outcome(line, RunResult::NotReached, Some("its content was not replaced")),
    })
}

/// Once more, if it fails: nobody comes back for what is left in the live folder.
fn twice(mut put_away: impl FnMut() -> io::Result<()>) -> io::Result<()> {
    put_away().or_else(|_| put_away())
}

/// Whether the content was replaced before the run was interrupted: the run folder has the old content, linked or copied,
/// and another file has the name.
fn rewritten(folder: &Dir, journal: &Journal, record: &RunRecord, line: &RunLine, now: &Fingerprint) -> bool {
    let name = line.kept_name();
    let Ok(kept) = journal.files().stat(&name) else { return false };
    let is_old = line.fp.is_some_and(|fp| fp.same_file(&kept) || fp.size == kept.size);
    // In a copy only the text tells.
    let has_old_text = || {
        let old = journal.files().read(&name);
        record.copied && old.is_ok_and(|old| folder.read(line.from.to_os()).is_ok_and(|now| now == old))
    };
    is_old && !record.is_inode(Some(now), line.fp.as_ref()) && !has_old_text()
}
