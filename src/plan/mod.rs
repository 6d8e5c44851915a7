//! Pure decisions: what the policies want, and why.
//!
//! Deciding is two pure steps round one I/O step: [`needs::needs`] says which files have to be looked into, the caller
//! does that, and [`decide::decide`] makes the plan. Neither reads a file, a clock or the environment, and neither
//! depends on the order in which the folder was listed.
//!
//! Every policy lives in the file named after it and works on one [`draft::Draft`]. A policy may only tighten: what an
//! earlier one decided to remove stays removed, what nothing asks for stays.

pub mod age;
pub mod archives;
pub mod budget;
pub mod cap;
pub mod cron;
pub mod cron_only;
pub mod decide;
pub mod delegated;
pub mod dm_scope;
pub mod draft;
pub mod effects;
pub mod free;
pub mod keys;
pub mod leftovers;
pub mod max_remove;
pub mod missing;
pub mod needs;
pub mod orphans;
pub mod ownership;
pub mod policy;
pub mod release;
pub mod restore;
pub mod rm;
pub mod suspect;
pub mod traits;
pub mod undo;
mod undo_dir;
pub mod undo_group;
mod undo_hidden;
pub mod undo_part;
mod undo_since;
pub mod undo_stuck;
pub mod usage;
