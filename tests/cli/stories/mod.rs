//! Users' stories, by kind. Each test names what somebody lost, or could not find out, and asserts what is right.

mod archive_to;
mod copies;
mod counts;
mod cron;
mod cron_prune;
mod cut_records;
mod damaged_index;
mod disk;
mod growth;
mod hints;
mod history;
mod limits;
mod locks;
mod lost;
mod messages;
mod names;
mod ownership;
mod paths;
mod put_back;
mod restore;
mod rm;
mod scripts;
mod shared_cases;
mod undo;
mod whole;
mod words;
