//! Reads many transcripts for a check: at both ends, or whole, several at a time.
//!
//! # Performance
//!
//! A quick look reads at most 64 KiB from each end of a file; what is not larger than both together is read whole, because
//! that is no dearer. Files are shared out among threads one by one; each thread has one buffer.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::fsx::read::{Folder, fstat};
use crate::model::folder::FolderFacts;
use crate::model::transcript::Reading;
use crate::order::Order as _;
use crate::scan::threads::in_threads;
use crate::transcript::scan::{self, WINDOW};
use crate::transcript::source::FromStart;

/// From this many files on, threads help.
const MANY: usize = 16;

/// How to read.
pub struct How<'a> {
    /// Every line of every file.
    pub full: bool,
    /// Otherwise, most files that are looked into; the newest come first.
    pub most: usize,
    /// Hears, once, how many bytes and files there are.
    pub begin: &'a dyn Fn(u64, u64),
    /// Hears of bytes as they are read, and with 0 of each file; says whether to go on.
    pub went_on: &'a (dyn Fn(u64) -> bool + Sync),
}

/// Reads `files` of `folder`. A file that cannot be read gives the error text.
pub fn read(folder: &FolderFacts, files: &[u32], how: &How<'_>) -> Vec<(u32, Result<Reading, String>)> {
    let open = match Folder::open(&folder.path) {
        Ok(open) => open,
        Err(e) => return files.iter().map(|ix| (*ix, Err(e.to_string()))).collect(),
    };
    (how.begin)(files.iter().map(|ix| folder.entries[*ix as usize].fp.size).sum(), files.len() as u64);
    let (full, went_on) = (how.full, how.went_on);
    let next = AtomicUsize::new(0);
    let work = || {
        let mut answers = Vec::new();
        while let Some(ix) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            if !went_on(0) {
                break;
            }
            let listed = &folder.entries[*ix as usize];
            let reading = open.open_listed(&listed.name).and_then(|file| one(file, listed.fp.size, full, went_on));
            answers.push((*ix, reading.map_err(|e| e.to_string())));
        }
        answers
    };
    let mut all = if files.len() < MANY && !how.full { work() } else { in_threads(files.len(), &work) };
    all.order_by_key(|(ix, _)| *ix);
    all
}

/// `size` is the length that the listing saw: a file that is read to another end is being written to.
fn one(mut file: File, size: u64, full: bool, went_on: &dyn Fn(u64) -> bool) -> io::Result<Reading> {
    let ends_only = !full && size > 2 * WINDOW as u64;
    let mut reading =
        if ends_only { ends(&mut file, size)? } else { scan::whole(&mut FromStart::of(&file), &file, size, went_on)? };
    let now = if ends_only { fstat(&file)?.size } else { reading.size };
    reading.moving = now != size;
    Ok(reading)
}

fn ends(file: &mut File, size: u64) -> io::Result<Reading> {
    let mut head = Vec::with_capacity(WINDOW);
    file.by_ref().take(WINDOW as u64).read_to_end(&mut head)?;
    file.seek(SeekFrom::Start(size - WINDOW as u64))?;
    let mut tail = Vec::with_capacity(WINDOW);
    file.by_ref().take(WINDOW as u64).read_to_end(&mut tail)?;
    Ok(scan::ends(&head, &tail, size))
}
