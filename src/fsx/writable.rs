//! What cannot be changed, told beforehand. Reads only.

use std::path::Path;

/// Why the content and the name of a file cannot change, if its flags say so.
#[cfg(target_os = "linux")]
pub fn immutable(file: &Path) -> Option<String> {
    use rustix::fs::{AtFlags, CWD, StatxAttributes, StatxFlags, statx};
    let immutable = StatxAttributes::IMMUTABLE | StatxAttributes::APPEND;
    let flags = AtFlags::SYMLINK_NOFOLLOW;
    let is_it = statx(CWD, file, flags, StatxFlags::empty()).is_ok_and(|s| s.stx_attributes.intersects(immutable));
    is_it.then(|| format!("{} is immutable", file.display()))
}

/// Why the content and the name of a file cannot change, if its flags say so.
#[cfg(not(target_os = "linux"))]
pub fn immutable(_: &Path) -> Option<String> {
    None
}

/// Why no name in a folder can change.
pub fn refused(folder: &Path) -> Option<String> {
    refuses(folder).then(|| format!("nothing can be written in {}", folder.display()))
}

#[cfg(unix)]
fn refuses(folder: &Path) -> bool {
    rustix::fs::access(folder, rustix::fs::Access::WRITE_OK).is_err()
}

#[cfg(not(unix))]
fn refuses(folder: &Path) -> bool {
    folder.metadata().is_ok_and(|meta| meta.permissions().readonly())
}
