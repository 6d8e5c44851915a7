//! The lock of a transcript, for commands that show rows: who holds it, and for how long.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::context::Env;
use crate::fsx::read::lstat;
use crate::model::Ms;
use crate::model::probe::LockShown;
use crate::scan::volume;

use super::container::HostView;
use super::peer;
use super::transcript::file_name;

/// Looks at locks. What it takes to judge one is gathered when the first is met: most lists meet none.
pub struct Locks<'a> {
    env: &'a Env,
    now: Ms,
    view: OnceLock<HostView>,
}

impl<'a> Locks<'a> {
    /// `now` in epoch ms.
    pub fn new(env: &'a Env, now: Ms) -> Self {
        Self { env, now, view: OnceLock::new() }
    }

    /// The lock of this transcript, if there is a lock file.
    pub fn of(&self, transcript: &Path) -> Option<LockShown> {
        let path = PathBuf::from(file_name(transcript.as_os_str()));
        let since = lstat(&path).ok()?.mtime_ms();
        let view = self.view.get_or_init(|| HostView::gather(self.env));
        let view = view.on_volume(path.parent().is_some_and(|folder| volume::facts(folder).network));
        let (record, state) = peer::look(&path, &view, self.now, peer::NO_PID_GRACE);
        // A lock that is renewed is as old as it says.
        Some(LockShown { state, since: record.created_at.map_or(since, |at| at.min(since)) })
    }

    /// That in words.
    pub fn text(&self, transcript: &Path) -> Option<String> {
        self.of(transcript).map(|lock| lock.text(self.now))
    }
}
