//! Where a transcript lies: its folder, the store whose folder that is, its lock.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use crate::cmd::start::Start;
use crate::context::Context;
use crate::error::{Error, Result};
use crate::fsx::read as fsx;
use crate::lock::container::HostView;
use crate::lock::peer;
use crate::lock::transcript::file_name;
use crate::model::probe::LockState;
use crate::model::stores::Target;
use crate::scan::facts;

/// A file by folder and name.
#[derive(Debug, Clone)]
pub struct Place {
    /// Canonical folder.
    pub folder: PathBuf,
    /// Name in it.
    pub name: OsString,
}

impl Place {
    /// The place of a real path.
    ///
    /// # Errors
    /// The path names no file.
    pub fn of(path: &Path) -> Result<Self> {
        match (path.parent(), path.file_name()) {
            (Some(folder), Some(name)) => Ok(Self { folder: folder.to_owned(), name: name.to_owned() }),
            _ => Err(Error::failed(format!("{} is not the path of a file", path.display()))),
        }
    }

    /// The path.
    pub fn path(&self) -> PathBuf {
        self.folder.join(&self.name)
    }

    /// The store among those of this installation whose folder it is.
    pub fn store<'a>(&self, start: &'a Start) -> Option<&'a Target> {
        start.selection.targets.iter().find(|t| facts::artefact_folder(t).is_some_and(|dir| dir == self.folder))
    }

    /// Whether a gateway may use the folder: it is that of a store, or looks like one.
    pub fn is_sessions_folder(&self, start: &Start) -> bool {
        let agents = self.folder.parent().and_then(Path::parent).and_then(Path::file_name);
        self.store(start).is_some()
            || self.folder.join("sessions.json").symlink_metadata().is_ok()
            || (agents == Some(OsStr::new("agents")) && self.folder.ends_with("sessions"))
    }

    /// The lock file of the transcript, if there is one.
    pub fn lock(&self, ctx: &Context) -> Option<(OsString, LockState)> {
        let name = file_name(&self.name);
        let path = self.folder.join(&name);
        fsx::lstat(&path).ok()?;
        let network = crate::scan::volume::facts(&self.folder).network;
        let view = HostView::gather(&ctx.env).on_volume(network);
        Some((name, peer::state(&path, &view, ctx.now())))
    }
}
