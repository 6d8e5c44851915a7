//! Copies beside an index that may hold an earlier text of it: backups, temp files, damaged texts that a repair kept.
//!
//! A name proves nothing: a copy may be torn itself, or hold no row. So each is read, and its rows are counted.

use std::path::Path;

use crate::fsx::read::read_shared;
use crate::model::folder::{Artefact, Class, FolderFacts};
use crate::order::Order as _;
use crate::store::count_rows;
use crate::store::parse::parse;

/// So many are read, the newest ones.
const MOST: usize = 16;

/// The copies with the rows that can be read in each, the newest first.
pub fn beside(folder: &FolderFacts) -> Vec<(u32, u64)> {
    let wanted = |f: &Artefact| {
        // `{}` is no copy of anything.
        f.is_file() && f.fp.size > 2 && matches!(f.class, Class::IndexBackup | Class::Temp | Class::Damaged)
    };
    let mut found: Vec<(u32, &Artefact)> = (0..).zip(&folder.entries).filter(|(_, f)| wanted(f)).collect();
    found.order_by_key(|(_, f)| std::cmp::Reverse(f.fp.mtime_ns));
    found.truncate(MOST);
    found.into_iter().map(|(ix, f)| (ix, rows(&folder.path.join(&*f.name)))).collect()
}

/// Rows that lie whole in a copy; 0 if it cannot be read.
fn rows(path: &Path) -> u64 {
    let Ok((bytes, fp)) = read_shared(path, u64::from(u32::MAX)) else { return 0 };
    match parse(path.to_owned(), fp, bytes.clone()) {
        Ok(index) => index.live_rows() as u64,
        Err(damage) => count_rows::count(&bytes).max(damage.whole_rows),
    }
}
