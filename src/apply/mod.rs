//! One executor of closed effects in phase order.

pub mod execute;
pub mod input;

pub use execute::execute;
pub use input::{ApplyInput, Label, Pack, Recheck};
