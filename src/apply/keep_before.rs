//! The index that an interrupted run had read, before the record lets go of it.
//!
//! An undisturbed run keeps a snapshot of that index. After a crash `index.before` may be the one whole text of it that is
//! left: a power cut that stopped the run may have taken the live index too. So recovery takes the same snapshot first,
//! and where it cannot, the record keeps its link.

use super::recover::is_inode;
use crate::context::{Context, Level};
use crate::fsx::read::lstat;
use crate::journal::snapshot;
use crate::journal::write::{BEFORE, Journal};
use crate::model::run::{RunMeta, RunOp, RunRecord};
use crate::store::parse::parse;

/// Keeps a snapshot of `index.before`, as if the run had not been interrupted. Gives whether the record may let go of it:
/// the text is in a snapshot now, is the live index still, or was a damaged one.
pub(super) fn keep(ctx: &Context, record: &RunRecord, meta: &RunMeta, journal: &Journal) -> bool {
    let Ok(fp) = journal.dir().stat(BEFORE) else { return true };
    let Some(store) = meta.store.as_ref().map(|store| store.to_path()) else { return true };
    // A repair put a damaged text away under another name.
    let is_damaged = record.lines.iter().any(|line| line.op == RunOp::Swap && line.to.is_some());
    if is_damaged || is_inode(lstat(&store).ok().as_ref(), Some(&fp)) {
        return true;
    }
    let (Ok(bytes), Some(own_dir)) = (journal.dir().read(BEFORE), journal.own().dir().path().parent()) else {
        return false;
    };
    let Ok(index) = parse(store, fp, bytes.into()) else { return true };
    let doubted = meta.suspect && !meta.overrides.iter().any(|token| token == "suspect-index");
    let keep = snapshot::Keep {
        store: &index.path,
        bytes: &index.bytes,
        rows: index.live_rows() as u64,
        now: meta.started_at,
        suspect: doubted,
    };
    match snapshot::keep(own_dir, &ctx.faults, &keep) {
        Ok(()) => true,
        Err(e) => {
            ctx.log(Level::Warning, &format!("run {} keeps the index it had read: no snapshot: {e}", record.id));
            false
        }
    }
}
