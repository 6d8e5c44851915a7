//! Giving a new file what its predecessor had: owner, group, mode, ACLs and other extended attributes.
//!
//! A swap must not change who can read an index. What cannot be given stops the write (token `owner-change`); times are
//! never carried over, because the gateway caches an index by its mtime.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;

use super::{NewFile, sys};
use crate::fsx::owner;

/// Attributes of a file that its replacement must have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attributes {
    uid: u32,
    gid: u32,
    mode: u32,
    xattrs: Vec<(OsString, Vec<u8>)>,
}

impl Attributes {
    /// Attributes of an open file.
    ///
    /// # Errors
    /// I/O errors.
    pub fn of(file: &File) -> io::Result<Self> {
        let fp = sys::stat_file(file)?;
        Ok(Self { uid: fp.uid, gid: fp.gid, mode: fp.mode, xattrs: sys::xattrs(file)? })
    }

    /// Gives them to `new`. Returns what could not be given, in words; empty if all is well.
    ///
    /// # Errors
    /// I/O errors other than a refusal.
    pub fn give_to(&self, new: &NewFile) -> io::Result<Vec<String>> {
        let mut lost = Vec::new();
        let has = Self::of(new.file())?;
        // Owner first: changing it clears mode bits. ACLs last: a mode change edits their mask.
        if (has.uid, has.gid) != (self.uid, self.gid) {
            let result = new.set_owner(self.uid, self.gid).map_err(unknown_here);
            note(&mut lost, result, || owner::said(self.uid, self.gid))?;
        }
        if sys::stat_file(new.file())?.mode != self.mode {
            let result = new.set_mode(self.mode);
            note(&mut lost, result, || format!("mode {:o}", self.mode))?;
        }
        // A default ACL of the folder may have given the new file what the old one does not have.
        for (name, _) in has.xattrs.iter().filter(|(n, _)| self.value(n).is_none() && is_acl(n)) {
            let result = new.remove_xattr(name);
            note(&mut lost, result, || format!("absence of {}", name.display()))?;
        }
        for (name, value) in self.xattrs.iter().filter(|(n, v)| has.value(n) != Some(v)) {
            let result = new.set_xattr(name, value);
            note(&mut lost, result, || format!("attribute {}", name.display()))?;
        }
        Ok(lost)
    }

    fn value(&self, name: &OsStr) -> Option<&Vec<u8>> {
        self.xattrs.iter().find(|(n, _)| n == name).map(|(_, v)| v)
    }
}

/// A user that the user namespace does not know cannot be given anything: that is a refusal too.
fn unknown_here(e: io::Error) -> io::Error {
    if e.kind() == io::ErrorKind::InvalidInput { io::ErrorKind::PermissionDenied.into() } else { e }
}

fn is_acl(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b"system.posix_acl")
}

/// Turns a refusal into an entry of `lost`; other errors pass.
fn note(lost: &mut Vec<String>, result: io::Result<()>, what: impl FnOnce() -> String) -> io::Result<()> {
    match result {
        Err(e) if matches!(e.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::Unsupported) => {
            lost.push(what());
            Ok(())
        }
        other => other,
    }
}
