//! One executor of closed effects in phase order.

mod backup;
mod beside;
mod close;
mod create;
pub mod delegate;
mod displaced;
pub mod execute;
pub mod input;
mod keep_before;
mod move_dir;
mod phase0;
mod put_away;
pub mod recover;
mod recover_index;
mod recover_rewrite;
mod remove;
mod second_name;
pub mod space;
mod splice;
mod state;
mod swap;
pub mod whose_index;

pub use execute::execute;
pub use input::{ApplyInput, Label, Pack, Recheck};
pub use swap::{Conflict, conflict};

#[cfg(test)]
mod tests;
