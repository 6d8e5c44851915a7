//! Run folders: what a run did, kept so that it can be undone or finished.
//!
//! ```text
//! .clawkeep/
//!   lock  reserve  audit.jsonl
//!   index/<time>-<rows>-<hash>[-suspect].json.zst     snapshots of the index
//!   runs/<id>/
//!     open | done            the marker: `open` is renamed to `done` when the run is closed
//!     meta.json plan.jsonl   the intent, durable before anything changes
//!     index.before           hard link of the old index, or:
//!     rows.jsonl             the rows that left or came, in their exact bytes
//!     files/000012           hard link of the file of effect 12
//!     outcome.jsonl          what really happened
//!     rolled-back | abandoned  why it was closed otherwise
//! ```
//!
//! # Failure story
//! A folder with neither marker or with an incomplete intent belongs to a run that changed nothing. `open` with a whole
//! intent is an interrupted run (killed, or stopped by a signal after its swap): [`crate::apply::recover`] decides by the
//! inode of the index. `rows.jsonl` gets its name only when it is whole and durable, and `index.before` goes only after
//! that; a record with fewer rows than its plan says takes them from `index.before`, or is reported as damaged. A record that cannot be
//! written in full stops the run before its first change.

pub mod audit;
pub mod forget;
pub mod layout;
mod place;
pub mod purge;
pub mod read;
pub mod record;
pub mod reserve;
pub mod retention;
mod rows_text;
pub mod snapshot;
pub mod write;
