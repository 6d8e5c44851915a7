//! How much of the host we can see.
//!
//! A lock names a process. Whether that process lives can only be told by somebody who sees it: in a pid namespace of
//! our own, or beside a volume that another host mounts, the owner of a lock may be alive and invisible. Such a view is
//! *doubtful*, and doubt counts as alive ([`crate::lock::peer`]).
//!
//! On Linux the pid namespace decides. In the initial one every process of this kernel is visible, those of containers
//! included, so a mere `/.dockerenv` (virtual machines made from container images have it) does not make us blind.
//! Elsewhere only the marks that container engines leave are there to go by.

use std::path::Path;
use std::sync::{Arc, Mutex};

use crate::context::Env;
use crate::model::{Ms, SECOND};

use super::process::Nested;

/// Inode of the initial pid namespace (`PROC_PID_INIT_INO` of the kernel).
const INITIAL_PID_NAMESPACE: u64 = 0xEFFF_FFFC;

/// What this process can see of the host. Gathered once per run; [`HostView::on_volume`] fits it to a folder.
#[derive(Debug, Clone, Default)]
pub struct HostView {
    /// Why processes may be invisible, if they may.
    pub container: Option<String>,
    /// The folder at hand lies on a network or shared file system: other hosts may write to it.
    pub network_fs: bool,
    /// When the kernel booted, epoch ms.
    pub boot: Option<Ms>,
    /// Inode of our pid namespace.
    pub pid_namespace: Option<u64>,
    /// Name of this host.
    pub name: Option<String>,
    /// Processes of pid namespaces below ours, read when first needed.
    pub(super) nested: Arc<Mutex<Nested>>,
}

impl HostView {
    /// Looks at the host. Never fails: what cannot be read is unknown.
    pub fn gather(env: &Env) -> Self {
        let marks = Marks::read(env);
        Self {
            container: container(&marks).map(str::to_owned),
            network_fs: false,
            boot: boot_time(),
            pid_namespace: marks.pid_namespace,
            name: host_name(),
            nested: Arc::default(),
        }
    }

    /// The same view for a folder on a volume that is shared with other hosts, or not.
    #[must_use]
    pub fn on_volume(&self, network_fs: bool) -> Self {
        Self { network_fs, ..self.clone() }
    }

    /// Why a process that we do not see may live all the same; `None` if we would see it.
    pub fn doubt(&self) -> Option<&str> {
        if self.network_fs { Some("network or shared file system") } else { self.container.as_deref() }
    }
}

/// The marks that a container leaves.
#[derive(Debug, Clone, Default)]
struct Marks {
    pid_namespace: Option<u64>,
    docker_file: bool,
    podman_file: bool,
    kubernetes: bool,
    overlay_root: bool,
    init_cgroup: bool,
}

impl Marks {
    fn read(env: &Env) -> Self {
        let text = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
        Self {
            pid_namespace: pid_namespace(),
            docker_file: Path::new("/.dockerenv").exists(),
            podman_file: Path::new("/run/.containerenv").exists(),
            kubernetes: env.text("KUBERNETES_SERVICE_HOST").is_some(),
            overlay_root: root_is_overlay(&text("/proc/self/mountinfo")),
            init_cgroup: names_a_container(&text("/proc/1/cgroup")),
        }
    }
}

/// Says why we may be blind to processes of others.
fn container(marks: &Marks) -> Option<&'static str> {
    let sees_all = marks.pid_namespace == Some(INITIAL_PID_NAMESPACE);
    if marks.pid_namespace.is_some() && !sees_all {
        return Some("container (own pid namespace)");
    }
    if marks.kubernetes {
        return Some("container (KUBERNETES_SERVICE_HOST is set)");
    }
    if marks.podman_file {
        return Some("container (/run/.containerenv exists)");
    }
    // All processes are visible, but the temp folder and the loopback network of the host may not be.
    if marks.docker_file && (!sees_all || marks.overlay_root) {
        return Some("container (/.dockerenv exists)");
    }
    (marks.init_cgroup && !sees_all).then_some("container (control group of process 1)")
}

#[cfg(target_os = "linux")]
fn pid_namespace() -> Option<u64> {
    let link = std::fs::read_link("/proc/self/ns/pid").ok()?;
    link.to_str()?.strip_prefix("pid:[")?.strip_suffix(']')?.parse().ok()
}

#[cfg(not(target_os = "linux"))]
fn pid_namespace() -> Option<u64> {
    None
}

/// Boot time from `/proc/stat` (`btime`, seconds).
fn boot_time() -> Option<Ms> {
    parse_boot_time(&std::fs::read_to_string("/proc/stat").ok()?)
}

fn parse_boot_time(stat: &str) -> Option<Ms> {
    let line = stat.lines().find_map(|l| l.strip_prefix("btime "))?;
    line.trim().parse::<Ms>().ok()?.checked_mul(SECOND)
}

/// Whether `/` is a union mount, as container engines make it.
fn root_is_overlay(mountinfo: &str) -> bool {
    mountinfo.lines().any(|line| {
        let mut fields = line.split(' ');
        fields.nth(4) == Some("/") && line.split(" - ").nth(1).is_some_and(|fs| fs.starts_with("overlay "))
    })
}

fn names_a_container(cgroup: &str) -> bool {
    ["docker", "kubepods", "containerd", "libpod", "lxc"].iter().any(|word| cgroup.contains(word))
}

#[cfg(unix)]
fn host_name() -> Option<String> {
    rustix::system::uname().nodename().to_str().ok().map(str::to_owned)
}

#[cfg(not(unix))]
fn host_name() -> Option<String> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_initial_pid_namespace_sees_everything() {
        let vm = Marks { pid_namespace: Some(INITIAL_PID_NAMESPACE), docker_file: true, ..Marks::default() };
        assert_eq!(container(&vm), None, "a virtual machine made from a container image");
        assert!(container(&Marks { overlay_root: true, ..vm.clone() }).is_some(), "host pids, but its own root");
        assert!(container(&Marks { kubernetes: true, ..vm.clone() }).is_some());
        assert!(container(&Marks { podman_file: true, ..vm.clone() }).is_some());
        assert_eq!(container(&Marks { init_cgroup: true, ..vm }), None);
    }

    #[test]
    fn another_pid_namespace_is_blind_even_without_marks() {
        let nested = Marks { pid_namespace: Some(4_026_532_178), ..Marks::default() };
        assert_eq!(container(&nested), Some("container (own pid namespace)"));
    }

    #[test]
    fn without_a_readable_namespace_the_marks_decide() {
        assert_eq!(container(&Marks::default()), None);
        for marks in [
            Marks { docker_file: true, ..Marks::default() },
            Marks { podman_file: true, ..Marks::default() },
            Marks { kubernetes: true, ..Marks::default() },
            Marks { init_cgroup: true, ..Marks::default() },
        ] {
            assert!(container(&marks).is_some(), "{marks:?}");
        }
    }

    #[test]
    fn proc_texts_are_read() {
        assert_eq!(parse_boot_time("cpu 1 2\nbtime 1796028977\nprocesses 5\n"), Some(1_796_028_977_000));
        assert_eq!(parse_boot_time("btime x"), None);
        assert!(root_is_overlay("22 1 0:21 / / rw - overlay overlay rw,lowerdir=/x\n"));
        assert!(!root_is_overlay("22 1 254:0 / / rw - ext4 /dev/vda rw\n23 22 0:2 / /x rw - overlay overlay rw\n"));
        assert!(names_a_container("0::/kubepods/pod1\n"));
        assert!(!names_a_container("0::/init.scope\n"));
    }

    #[test]
    fn a_shared_volume_is_a_doubt_of_its_own() {
        let view = HostView::default();
        assert_eq!(view.doubt(), None);
        assert!(view.on_volume(true).doubt().is_some());
        assert!(HostView { container: Some("container".to_owned()), ..view }.doubt().is_some());
    }
}
