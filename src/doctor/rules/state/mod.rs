//! Rules about the state folder. They judge what `sessions check`, `disk` and `cron` already read.

pub mod checked;
pub mod codex_sessions;
pub mod cron_context;
pub mod cron_shapes;
pub mod legacy_agent_dir;
pub mod legacy_sessions;
pub mod memory_split;
pub mod old_state_dir;
pub mod sandbox_registry;
pub mod session_keys;
pub mod wedged;
