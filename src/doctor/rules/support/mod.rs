//! What several rules about the state share. Pure.

pub mod canonical;
pub mod folders;
mod job_delivery;
pub mod job_state;
mod job_values;
pub mod jobs;
pub mod rows;
pub mod texts;
