//! Rules about the state folder. They judge what `sessions check`, `disk` and `cron` already read.

pub mod checked;
pub mod cron_shapes;
pub mod legacy_agent_dir;
pub mod legacy_sessions;
pub mod session_keys;
