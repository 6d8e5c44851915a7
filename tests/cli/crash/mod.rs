//! "Crash anywhere, lose nothing", proved with the real program.
//!
//! * `scene`: one state that makes every kind of effect happen, the commands that are proved, and what must hold after
//!   any fault.
//! * `displaced_text`: a repair that is killed beside a program that puts its own file in the same place.
//! * `doctor_write`: the same for an edit of the configuration.
//! * `delegated`: a fault at every operation of a cleanup that the gateway does.
//! * `fault_matrix`: an error or a kill at every operation of every command, and of the recovery from that.
//! * `missing_index`: the same for an index that is made where there was none.
//! * `power_cut`: what a disk may hold after a power cut, by replaying the log of operations on a model of one
//!   (`disk_model`).
//! * `purge`: what is forgotten on purpose, and nothing else.
//! * `transcript_repair`: the same for the repair of one transcript: its content is the old one or the new one.
//! * `processes`: several runs at once beside a gateway that knows nothing of our lock.
//!
//! Each proof has a quick form that runs with every `cargo test`, and a full one: `CLAWKEEP_PROOF=full`. All print their
//! size.

mod delegated;
#[cfg(unix)]
mod disk_model;
mod displaced_text;
mod doctor_write;
mod fault_matrix;
mod index_lost_too;
mod missing_index;
#[cfg(unix)]
mod power_cut;
mod processes;
mod purge;
pub mod scene;
mod transcript_repair;

/// Whether the full form was asked for.
pub fn full() -> bool {
    std::env::var_os("CLAWKEEP_PROOF").is_some_and(|v| v == "full")
}
