//! Replacing the index (SAFETY 2): never by a moment's trust, and never losing what somebody else wrote.
//!
//! The new text goes to a temp file in the real index's own folder and gets owner, mode, ACLs and attributes before it is
//! made durable. Then both names are exchanged in one step and what came out is compared with the bytes the plan was
//! made from. If a writer was faster, the exchange is taken back and the run reports a [`Conflict`]: the caller reads and
//! plans again. Where there is no exchange (NFS, some overlays) it is check, rename, check, and the report says so.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs::File;
use std::io::{self, BufWriter, Read, Write};

use super::input::ApplyInput;
use crate::error::{Error, Kind, Result};
use crate::fsx::mutate::preserve::Attributes;
use crate::fsx::mutate::{Dir, NewFile, stat_file};
use crate::journal::write::Journal;
use crate::model::effect::SwapIndex;
use crate::model::fingerprint::{Fingerprint, Kind as FileKind};
use crate::model::index::IndexFacts;
use crate::store::write::{render_into, rendered_len};

/// Somebody else wrote the index between plan and swap. Nothing of the plan's rows was changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Conflict {
    /// Files that were already reclaimed (phase 0), with the bytes freed: the next plan will not list them.
    pub reclaimed: Vec<(OsString, u64)>,
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the index was changed by another program in the meantime")
    }
}

impl std::error::Error for Conflict {}

/// The conflict behind an error, if that is what it is: read and plan again, three times at most.
pub fn conflict(error: &Error) -> Option<&Conflict> {
    error.source.as_ref()?.downcast_ref()
}

/// The error for a conflict.
pub(super) fn conflict_error(path: &std::path::Path) -> Error {
    let mut error =
        Error::new(Kind::Busy, format!("{} is being written by another program", path.display())).hint("--wait 60s");
    error.source = Some(Box::new(Conflict::default()));
    error
}

/// A new index that lies beside the old one.
#[derive(Debug)]
pub(super) struct NewIndex {
    dir: Dir,
    name: OsString,
    temp: OsString,
    /// State of the old index after our own hard link was added.
    before: Fingerprint,
    /// State of the new one.
    pub fp: Fingerprint,
}

/// What the swap did.
pub(super) enum Swapped {
    /// Done; a remark if the guarantees were weaker.
    Done(Option<String>),
    /// Somebody else wrote; the index is theirs.
    Conflict,
}

/// Opens the folder of the index.
pub(super) fn index_folder(input: &ApplyInput<'_>, swap: &SwapIndex) -> Result<(Dir, OsString)> {
    let path = &swap.path;
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(Error::failed(format!("{} is not the path of a file", path.display())));
    };
    let dir = Dir::open(parent, &input.ctx.faults).map_err(|e| Error::io("open", parent, e))?;
    Ok((dir, name.to_owned()))
}

/// Whether the index is still what the plan was made from.
pub(super) fn still_planned(dir: &Dir, name: &OsStr, swap: &SwapIndex) -> io::Result<bool> {
    still_there(dir, name, &swap.fp)
}

/// Whether the file of this name is still this one, with its content.
pub(super) fn still_there(dir: &Dir, name: &OsStr, fp: &Fingerprint) -> io::Result<bool> {
    match dir.stat(name) {
        Ok(now) => Ok(now.kind == FileKind::File && fp.same_file(&now)),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(e) => Err(e),
    }
}

/// Bytes the new index needs.
pub(super) fn needed(swap: &SwapIndex, index: &IndexFacts, text: Option<&[u8]>) -> u64 {
    text.map_or_else(|| rendered_len(index, &swap.drop, &swap.insert), |text| text.len() as u64)
}

impl NewIndex {
    /// Writes the new index beside the old one. On an error nothing is left behind.
    pub(super) fn build(
        input: &ApplyInput<'_>,
        swap: &SwapIndex,
        index: &IndexFacts,
        text: Option<&[u8]>,
        journal: &Journal,
    ) -> Result<Self, BuildError> {
        let (dir, name) = index_folder(input, swap).map_err(BuildError::Final)?;
        let io = |e| BuildError::Io(e, swap.path.clone());
        let before = dir.stat(&name).map_err(io)?;
        if !swap.fp.same_file(&before) {
            return Err(BuildError::Final(conflict_error(&swap.path)));
        }
        let temp = OsString::from(format!(".clawkeep-{}.tmp", journal.id()));
        let file = dir.create(&temp, 0o600).map_err(io)?;
        let mut new = Self { dir, name, temp, before, fp: before };
        match new.fill(file, input, swap, (index, text)) {
            Ok(fp) => {
                new.fp = fp;
                Ok(new)
            }
            Err(e) => {
                let _ = new.remove_temp();
                Err(e)
            }
        }
    }

    fn fill(
        &self,
        mut file: NewFile,
        input: &ApplyInput<'_>,
        swap: &SwapIndex,
        (index, text): (&IndexFacts, Option<&[u8]>),
    ) -> Result<Fingerprint, BuildError> {
        let io = |e| BuildError::Io(e, swap.path.clone());
        file.allocate(needed(swap, index, text)).map_err(io)?;
        let mut out = BufWriter::with_capacity(1 << 18, &mut file);
        let written = match text {
            Some(text) => out.write_all(text),
            None => render_into(index, &swap.drop, &swap.insert, &mut out).map(drop),
        };
        written.and_then(|()| out.flush()).map_err(io)?;
        drop(out);
        let old = self.dir.open_file(&self.name).map_err(io)?;
        let lost = Attributes::of(&old).and_then(|a| a.give_to(&file)).map_err(io)?;
        if !lost.is_empty() && !input.overrides.iter().any(|o| o == "owner-change") {
            return Err(BuildError::Final(
                Error::failed(format!("the new {} could not keep its {}", swap.path.display(), lost.join(", ")))
                    .hint("run this as the user that owns the state")
                    .token("owner-change"),
            ));
        }
        // The gateway caches the index by size and mtime.
        let new = file.stat().map_err(io)?;
        if new.size == self.before.size && new.mtime_ms() == self.before.mtime_ms() {
            file.set_mtime_ns(self.before.mtime_ns + 1_000_000).map_err(io)?;
        }
        file.sync().map_err(io)?;
        file.stat().map_err(io)
    }

    /// Name of the temp file.
    pub(super) fn temp(&self) -> &OsStr {
        &self.temp
    }

    /// The folder of the index.
    pub(super) fn dir(&self) -> &Dir {
        &self.dir
    }

    /// Our own hard link changed the old index's link count and ctime; from here on those count.
    pub(super) fn old_was_linked(&mut self) -> io::Result<()> {
        let now = self.dir.stat(&self.name)?;
        if self.before.same_file(&now) {
            self.before = now;
        }
        Ok(())
    }

    /// Takes the temp file away: the index was not swapped, or what it holds is no longer needed.
    pub(super) fn remove_temp(&self) -> io::Result<()> {
        self.dir.unlink(&self.temp)
    }

    /// The swap. After an error the index is the old one, or (said in the text) cannot be told.
    pub(super) fn swap(&self, index: &IndexFacts) -> io::Result<Swapped> {
        if !self.before.unchanged(&self.dir.stat(&self.name)?) {
            return Ok(Swapped::Conflict);
        }
        if self.dir.exchange(&self.temp, &self.name)? {
            let out = self.dir.open_file(&self.temp).and_then(|f| same_bytes(&f, &index.bytes));
            return match out {
                Ok(true) => Ok(Swapped::Done(None)),
                Ok(false) => self.take_back(),
                Err(e) => self.take_back().and(Err(e)),
            };
        }
        // Link counts tell nothing here, bytes do.
        let old = self.dir.open_file(&self.name)?;
        if !same_bytes(&old, &index.bytes)? || !self.before.same_file(&stat_file(&old)?) {
            return Ok(Swapped::Conflict);
        }
        self.dir.replace(&self.temp, &self.name)?;
        if !self.is_ours()? {
            return Ok(Swapped::Conflict);
        }
        Ok(Swapped::Done(Some(format!(
            "{} lies on a file system without atomic exchange: a writer within the same millisecond would not have been noticed",
            self.dir.path().display()
        ))))
    }

    /// Puts the other writer's file back, unless it wrote once more and the index is not ours any longer.
    fn take_back(&self) -> io::Result<Swapped> {
        if self.is_ours()? {
            self.dir.exchange(&self.temp, &self.name)?;
            // What came out must be our own text. If it is not, somebody wrote once more between the look and the
            // exchange, and the newest text is the one that has to stand.
            if !self.temp_is_ours() {
                self.dir.exchange(&self.temp, &self.name)?;
            }
        }
        Ok(Swapped::Conflict)
    }

    /// Whether the index is the file we wrote.
    pub(super) fn is_ours(&self) -> io::Result<bool> {
        let now = self.dir.stat(&self.name)?;
        Ok(if self.fp.ino == 0 { self.fp.same_file(&now) } else { (now.dev, now.ino) == (self.fp.dev, self.fp.ino) })
    }

    /// Whether the temp name holds the file we wrote.
    pub(super) fn temp_is_ours(&self) -> bool {
        self.dir.stat(&self.temp).is_ok_and(|now| (now.dev, now.ino) == (self.fp.dev, self.fp.ino))
    }
}

/// Why no new index could be written.
#[derive(Debug)]
pub(super) enum BuildError {
    /// I/O; a full disk can be helped.
    Io(io::Error, std::path::PathBuf),
    /// Anything else.
    Final(Error),
}

/// Whether a file has exactly these bytes, without holding it in memory twice.
fn same_bytes(mut file: &File, bytes: &[u8]) -> io::Result<bool> {
    if stat_file(file)?.size != bytes.len() as u64 {
        return Ok(false);
    }
    let mut buf = vec![0; 1 << 18];
    let mut rest = bytes;
    loop {
        match file.read(&mut buf) {
            Ok(0) => return Ok(rest.is_empty()),
            Ok(n) => match rest.strip_prefix(&buf[..n]) {
                Some(after) => rest = after,
                None => return Ok(false),
            },
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
}
