//! Small things about names and texts.

use std::ffi::{OsStr, OsString};

/// Name of the file that keeps the state of the jobs of a cron store.
pub fn cron_state_name(store: &OsStr) -> OsString {
    let name = store.to_string_lossy();
    let stem = name.strip_suffix(".json").unwrap_or(&name);
    format!("{stem}-state.json").into()
}

/// The first few of a list, and how many more there are.
pub fn some_of(names: &[String], most: usize) -> String {
    let shown = names.iter().take(most).map(String::as_str).collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(most) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
