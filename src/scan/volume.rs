//! What the volume of a folder has left, and what kind it is.
//!
//! The only place that uses `fs2`, fully qualified: its lock methods would shadow the standard library's.

use std::path::Path;

use crate::model::folder::VolumeFacts;

/// Facts of the volume that holds `path`. What cannot be learned stays unknown.
pub fn facts(path: &Path) -> VolumeFacts {
    VolumeFacts {
        free_bytes: fs2::available_space(path).ok(),
        total_bytes: fs2::total_space(path).ok(),
        free_inodes: free_inodes(path),
        network: is_network(path),
    }
}

/// File systems without a fixed number of inodes (btrfs) report none at all.
#[cfg(unix)]
fn free_inodes(path: &Path) -> Option<u64> {
    let stat = rustix::fs::statvfs(path).ok()?;
    (stat.f_files > 0).then_some(stat.f_favail)
}

#[cfg(not(unix))]
fn free_inodes(_: &Path) -> Option<u64> {
    None
}

/// Magic numbers from the kernel's headers of file systems whose other side we cannot see: processes there are
/// invisible, and times and inodes may change under us.
#[cfg(target_os = "linux")]
const SHARED: &[u64] = &[
    0x6969,      // NFS
    0x517B,      // SMB
    0xFE53_4D42, // SMB2
    0xFF53_4D42, // CIFS
    0x0102_1997, // 9p
    0x6573_5546, // FUSE, virtiofs
    0x5346_414F, // AFS
    0x6B41_4653, // kAFS
    0x00C3_6400, // Ceph
    0x7375_7245, // Coda
    0x0116_1970, // GFS2
    0x7461_636F, // OCFS2
    0x0BD0_0BD0, // Lustre
    0x4750_4653, // GPFS
    0x786F_4256, // VirtualBox shared folder
    0xBACB_ACBC, // VMware shared folder
    0x1980_0202, // FhGFS, BeeGFS
];

#[cfg(target_os = "linux")]
fn is_network(path: &Path) -> bool {
    // The type of the field differs between architectures; the numbers are 32 bits wide.
    rustix::fs::statfs(path).is_ok_and(|stat| SHARED.contains(&(stat.f_type as u64 & 0xFFFF_FFFF)))
}

#[cfg(not(target_os = "linux"))]
fn is_network(_: &Path) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_local_folder_has_bytes_and_a_missing_one_has_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let facts = facts(dir.path());
        assert!(facts.total_bytes > Some(0));
        assert!(facts.free_bytes <= facts.total_bytes);
        let gone = super::facts(&dir.path().join("gone"));
        assert_eq!((gone.free_bytes, gone.free_inodes, gone.network), (None, None, false));
    }
}
