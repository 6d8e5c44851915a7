//! Where a transcript lies: its folder, the store whose folder that is, its lock.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use super::target::Chosen;
use crate::cmd::start::Start;
use crate::context::Context;
use crate::error::{Error, Result};
use crate::fsx::read as fsx;
use crate::lock::container::HostView;
use crate::lock::peer;
use crate::lock::transcript::file_name;
use crate::model::probe::LockState;
use crate::model::stores::Target;
use crate::report::command::quote;
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

    /// What a key leads to is mended only in the folder of its store, or of another agent beside it. Elsewhere the gateway does
    /// not follow it either, and the row of a copied state leads to the transcript of the original: that is mended only by its
    /// path.
    ///
    /// # Errors
    /// It lies elsewhere.
    pub fn is_of_its_state(&self, chosen: &Chosen) -> Result<()> {
        let Some(folder) = chosen.found.as_ref().and_then(|found| facts::artefact_folder(&found.target)) else {
            return Ok(());
        };
        let agents = folder.ancestors().nth(2).filter(|dir| dir.file_name() == Some(OsStr::new("agents")));
        if self.folder.starts_with(&folder) || agents.is_some_and(|agents| self.folder.starts_with(agents)) {
            return Ok(());
        }
        let shown = chosen.path.display();
        let quoted = quote(&chosen.path.to_string_lossy()).into_owned();
        Err(Error::failed(format!("the row leads to {shown}, outside of {}; nothing was changed", folder.display()))
            .hint(format!("clawkeep transcript repair {quoted}"))
            .hint("clawkeep sessions check"))
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
