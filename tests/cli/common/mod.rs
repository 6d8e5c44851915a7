//! The harness.

mod env;
mod output;
mod state;
mod tree;

pub use env::{World, closed_port};
pub use output::Output;
pub use state::{DAY, Folder, HOUR, MINUTE, body, id, iso, set_age, stamp};
pub use tree::{Tree, names};
