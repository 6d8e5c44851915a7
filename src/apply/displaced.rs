//! A text of somebody else that an exchange took out of its place.
//!
//! New content and old file exchange their names in one step. If what comes out is not the file that was planned from,
//! another program wrote in between, and its text has to stand: the exchange is taken back. Should that fail as well, its
//! text has the temp name, which others take for a leftover. It is never unlinked then: it goes to the run folder, or stays
//! under the temp name if not even that can be done, and the outcome says where it is.

use std::ffi::OsStr;

use super::state::Stop;
use crate::fsx::mutate::Dir;
use crate::model::fingerprint::Fingerprint;
use crate::report::escape;

/// Takes an exchange back, once more if it fails. `ours` is the new file. `false` if what has the temp name then is
/// somebody else's: the exchange failed, or a writer came in once more, whose newest text is the one that has to stand.
pub(super) fn go_back(folder: &Dir, temp: &OsStr, name: &OsStr, ours: &Fingerprint) -> bool {
    let is_ours = |name: &OsStr| folder.stat(name).is_ok_and(|now| (now.dev, now.ino) == (ours.dev, ours.ino));
    let exchange = || folder.exchange(temp, name).is_ok_and(|done| done);
    if ours.ino != 0 && !is_ours(name) || !(exchange() || exchange()) {
        return false;
    }
    let whole = ours.ino == 0 || is_ours(temp);
    if !whole {
        let _ = exchange() || exchange();
    }
    whole
}

/// Puts the text that could not go back where nothing takes it for a leftover. Gives what is to be said about it.
pub(super) fn keep(folder: &Dir, run: &Dir, temp: &OsStr, name: &OsStr, ix: usize) -> Stop {
    // The name that recovery uses, too.
    let kept = format!("rewrite-{ix}.temp");
    let put_away = || folder.rename(temp, run, &kept);
    let at = match put_away().or_else(|_| put_away()) {
        Ok(()) => run.path().join(kept),
        Err(_) => folder.path().join(temp),
    };
    let (shown, at) = (escape::path(&folder.path().join(name)), escape::path(&at));
    Stop::Other(format!(
        "{shown} was written by another program meanwhile, and that text could not be put back: it is {at}; compare both \
         before you go on"
    ))
}
