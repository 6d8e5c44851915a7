//! Rules about the state folder. They judge what `sessions check`, `disk` and `cron` already read.

pub mod checked;
