//! clawkeep keeps the on-disk state of an agent gateway healthy.
//!
//! Data flows one way: **discover -> read -> decide -> apply -> report**.

#![cfg_attr(test, expect(clippy::disallowed_methods, reason = "tests build their own files"))]

pub mod apply;
pub mod archive;
pub mod cli;
pub mod cmd;
pub mod config;
pub mod context;
pub mod cron;
pub mod discover;
pub mod error;
pub mod exit;
pub mod fsx;
pub mod gateway;
pub mod journal;
pub mod lock;
pub mod model;
pub mod plan;
pub mod report;
pub mod scan;
pub mod store;
pub mod transcript;
pub mod units;
