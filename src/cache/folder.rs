//! Where caches and unpacked copies go.

use std::path::PathBuf;

use crate::context::Context;
use crate::discover::home;

/// The cache folder of this user and program; it need not exist. `None` for a user without a home.
pub fn folder(ctx: &Context) -> Option<PathBuf> {
    let absolute = |name: &str| ctx.env.raw(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let home = home::os_home(ctx);
    let base = absolute("XDG_CACHE_HOME").or_else(|| {
        if cfg!(windows) {
            absolute("LOCALAPPDATA")
        } else if cfg!(target_os = "macos") {
            home.map(|home| home.join("Library/Caches"))
        } else {
            home.map(|home| home.join(".cache"))
        }
    });
    base.map(|base| base.join("clawkeep"))
}

/// Folders for unpacked copies, the best first.
pub fn scratch(ctx: &Context) -> Vec<PathBuf> {
    let named = ["TMPDIR", "TEMP", "TMP"].iter().filter_map(|name| ctx.env.raw(name).map(PathBuf::from));
    let system = if cfg!(unix) { vec![PathBuf::from("/var/tmp"), PathBuf::from("/tmp")] } else { Vec::new() };
    named.filter(|path| path.is_absolute()).chain(system).chain(folder(ctx)).collect()
}
