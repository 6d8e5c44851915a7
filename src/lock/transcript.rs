//! The gateway's own lock on one transcript, in the form that no gateway steals (spec/transcripts.md 2).
//!
//! A gateway takes a lock away whose process is not one of its own, however alive that is. A lock that names no process is
//! left alone while its modification time is less than five seconds old, so a thread touches it each second. It is
//! created exclusively and removed only while it still is the file that we made.

use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::fsx::mutate::{Dir, NewFile};
use crate::model::Ms;
use crate::model::fingerprint::Fingerprint;
use crate::units::time::iso;

/// How often the lock is touched.
const TOUCH: Duration = Duration::from_secs(1);

/// A lock that we hold. Released when dropped.
#[derive(Debug)]
pub struct TranscriptLock<'a> {
    folder: &'a Dir,
    name: OsString,
    fp: Fingerprint,
    stop: Option<Sender<()>>,
    toucher: Option<JoinHandle<()>>,
}

impl<'a> TranscriptLock<'a> {
    /// Takes the lock on the transcript `name` of `folder`. `now` is the clock, epoch ms.
    ///
    /// `held` says whether a lock that is there is held: one whose owner is proven dead makes room.
    ///
    /// # Errors
    /// `AlreadyExists` if somebody holds it; I/O errors.
    pub fn acquire(
        folder: &'a Dir,
        name: &OsStr,
        now: &dyn Fn() -> Ms,
        held: &dyn Fn(&OsStr) -> bool,
    ) -> io::Result<Self> {
        let lock = file_name(name);
        let mut file = match folder.create(&lock, 0o644) {
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {
                let before = folder.stat(&lock)?;
                if held(name) || !before.unchanged(&folder.stat(&lock)?) {
                    return Err(e);
                }
                folder.unlink(&lock)?;
                folder.create(&lock, 0o644)?
            }
            other => other?,
        };
        let text = format!("{{\n  \"createdAt\": \"{}\"\n}}\n", iso(now()));
        let made = file.write_all(text.as_bytes()).and_then(|()| file.stat());
        let fp = match made {
            Ok(fp) => fp,
            Err(e) => {
                let _ = folder.unlink(&lock);
                return Err(e);
            }
        };
        let (stop, stopped) = channel();
        // Where no thread can be had the lock is believed for five seconds, which is most often enough.
        let toucher = std::thread::Builder::new().spawn(move || touch(&file, &stopped)).ok();
        Ok(Self { folder, name: lock, fp, stop: Some(stop), toucher })
    }
}

/// Name of the lock file of a transcript.
pub fn file_name(transcript: &OsStr) -> OsString {
    let mut name = transcript.to_owned();
    name.push(".lock");
    name
}

fn touch(file: &NewFile, stopped: &Receiver<()>) {
    while stopped.recv_timeout(TOUCH) == Err(RecvTimeoutError::Timeout) {
        let _ = file.touch();
    }
}

impl Drop for TranscriptLock<'_> {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(toucher) = self.toucher.take() {
            let _ = toucher.join();
        }
        let ours = || self.folder.stat(&self.name).is_ok_and(|now| (now.dev, now.ino) == (self.fp.dev, self.fp.ino));
        // Once more if it fails: a lock that is left keeps others waiting for five seconds.
        if ours() && self.folder.unlink(&self.name).is_err() && ours() {
            let _ = self.folder.unlink(&self.name);
        }
    }
}
