//! Which owner and group a file that this process makes can have, told beforehand. Reads only.
//!
//! A new file belongs to whoever makes it; only who may `chown` can give it away, and only to users that exist where this
//! runs: inside a user namespace the others all look like one that nothing can be given to.

use std::path::Path;

use crate::model::fingerprint::Fingerprint;

/// What a new file in `folder` could not have of `old`, in the words of a refusal; `None` if it can have its owner.
pub fn not_kept(folder: &Path, old: &Fingerprint) -> Option<String> {
    (!can_have(folder, old.uid, old.gid)).then(|| said(old.uid, old.gid))
}

/// An owner, as a refusal names it.
pub fn said(uid: u32, gid: u32) -> String {
    format!("owner {uid}:{gid}")
}

#[cfg(unix)]
fn can_have(folder: &Path, uid: u32, gid: u32) -> bool {
    use rustix::process::{getegid, geteuid, getgroups};
    let own_group = || {
        let folder = super::read::lstat(folder).ok().filter(|f| inherits_group(f.mode));
        folder.map_or(getegid().as_raw(), |f| f.gid)
    };
    if (uid, gid) == (geteuid().as_raw(), own_group()) {
        return true;
    }
    if may_chown() {
        return is_known("/proc/self/uid_map", uid) && is_known("/proc/self/gid_map", gid);
    }
    let member = || gid == getegid().as_raw() || getgroups().is_ok_and(|all| all.iter().any(|g| g.as_raw() == gid));
    uid == geteuid().as_raw() && (gid == own_group() || member())
}

/// Whether new entries of a folder get its group: where its mode asks for it, and on BSDs always.
#[cfg(unix)]
fn inherits_group(mode: u32) -> bool {
    cfg!(not(target_os = "linux")) || mode & 0o2000 != 0
}

/// Whether this process may give files away: root may, unless that was taken from it (containers).
#[cfg(unix)]
fn may_chown() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let effective = status.lines().find_map(|line| line.strip_prefix("CapEff:"));
    match effective.and_then(|hex| u64::from_str_radix(hex.trim(), 16).ok()) {
        // CAP_CHOWN is the first of all.
        Some(bits) => bits & 1 != 0,
        None => rustix::process::geteuid().is_root(),
    }
}

/// Whether an id exists in the user namespace that this runs in: lines of `first-inside first-outside how-many`.
#[cfg(unix)]
fn is_known(map: &str, id: u32) -> bool {
    std::fs::read_to_string(map).map_or(true, |map| maps(&map, id))
}

#[cfg(unix)]
fn maps(map: &str, id: u32) -> bool {
    let holds = |line: &str| {
        let mut numbers = line.split_ascii_whitespace().map(|n| n.parse::<u64>().ok());
        let (first, _, count) = (numbers.next()??, numbers.next()??, numbers.next()??);
        Some((first..first.saturating_add(count)).contains(&u64::from(id)))
    };
    map.lines().any(|line| holds(line).unwrap_or(false))
}

#[cfg(not(unix))]
fn can_have(_: &Path, _: u32, _: u32) -> bool {
    true
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_namespace_knows_the_ids_of_its_map() {
        assert!(maps("         0          0 4294967295\n", 65_534));
        let rootless = "         0       1000          1\n         1     100000      65536\n";
        assert!(maps(rootless, 0) && maps(rootless, 65_536));
        assert!(!maps(rootless, 65_537) && !maps("0 1000 1\n", 65_534) && !maps("", 0) && !maps("odd\n", 0));
    }

    #[test]
    fn what_we_made_ourselves_we_can_make_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::fs::write(&path, "a").unwrap();
        let fp = crate::fsx::read::lstat(&path).unwrap();
        assert_eq!(not_kept(folder.path(), &fp), None);
    }
}
