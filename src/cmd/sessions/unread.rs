//! What a name that was not found may be called in an index that cannot be read.
//!
//! "Not found" is a promise: whoever purges believes that nothing is left. So before it is said, every index of the store
//! set that was not looked at is read, and one that is damaged or unreadable is named in its place.

use std::path::Path;

use crate::cmd::start::Start;
use crate::discover::store_path;
use crate::error::Error;
use crate::hints::Given;
use crate::model::index::IndexState;
use crate::report::command::quote;
use crate::report::{escape, kind};
use crate::scan::facts;
use crate::store;

/// The first index in which `name` may be and that cannot be read whole: a failure with what to do about it. A key names
/// its agent, so that the index of another one does not matter to it.
pub fn may_hold(start: &Start, name: &str) -> Option<Error> {
    let looked_at = |path: &&std::path::PathBuf| start.selection.targets.iter().any(|t| t.store_path == **path);
    let others = start.selection.set_paths.iter().filter(|path| !looked_at(path));
    others.filter(|path| may_be_in(path, name)).find_map(|path| fault(path))
}

fn may_be_in(path: &Path, name: &str) -> bool {
    let agent = store_path::agent_dir(path).and_then(Path::file_name).map(|dir| dir.to_string_lossy());
    match (kind::agent_of(name), agent) {
        (Some((wanted, _)), Some(agent)) => wanted.eq_ignore_ascii_case(&agent),
        _ => true,
    }
}

fn fault(path: &Path) -> Option<Error> {
    let error = match store::read::read(path) {
        IndexState::Damaged(damage) => facts::damaged(path, &damage),
        IndexState::Unreadable(why) => {
            Error::failed(format!("cannot read {}: {why}; nothing was changed", escape::path(path)))
                .hint(format!("ls -l {}", quote(&path.to_string_lossy())))
        }
        IndexState::Whole(_) | IndexState::Absent => return None,
    };
    Some(in_store(error, path))
}

/// The same failure; the commands that it names are about this store.
pub fn in_store(error: Error, path: &Path) -> Error {
    Given::store(&format!(" --store {}", quote(&path.to_string_lossy()))).error(error)
}
