//! Does a process live, and since when?
//!
//! Linux answers from `/proc`; other Unix systems only say whether the process exists. Everything that cannot be read
//! counts as alive: `hidepid` hides a process from `/proc`, but not from signal 0.

use crate::model::{Ms, SECOND};

/// What is known of a process id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Process {
    /// No such process in our view.
    Gone,
    /// It ended and waits to be reaped.
    Zombie {
        /// Start time in clock ticks since boot.
        start_ticks: Option<u64>,
    },
    /// It runs, or cannot be looked at.
    Alive {
        /// Start time in clock ticks since boot; `None` if it cannot be read.
        start_ticks: Option<u64>,
    },
}

/// Looks at a process.
#[cfg(target_os = "linux")]
pub fn look(pid: u32) -> Process {
    match std::fs::read_to_string(format!("/proc/{pid}/stat")) {
        Ok(stat) => parse_stat(&stat),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => signal_zero(pid),
        // The process went away between open and read.
        Err(e) if e.raw_os_error() == Some(rustix::io::Errno::SRCH.raw_os_error()) => Process::Gone,
        Err(_) => Process::Alive { start_ticks: None },
    }
}

/// Looks at a process.
#[cfg(all(unix, not(target_os = "linux")))]
pub fn look(pid: u32) -> Process {
    signal_zero(pid)
}

/// Looks at a process: cannot be told here, so it counts as alive.
#[cfg(not(unix))]
pub fn look(_pid: u32) -> Process {
    Process::Alive { start_ticks: None }
}

/// The control group of a process, as `/proc/<pid>/cgroup` has it.
#[cfg(target_os = "linux")]
pub fn control_group(pid: u32) -> Option<String> {
    std::fs::read_to_string(format!("/proc/{pid}/cgroup")).ok()
}

/// There are none here.
#[cfg(not(target_os = "linux"))]
pub fn control_group(_pid: u32) -> Option<String> {
    None
}

#[cfg(unix)]
fn signal_zero(pid: u32) -> Process {
    let Some(pid) = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw) else { return Process::Gone };
    match rustix::process::test_kill_process(pid) {
        Err(rustix::io::Errno::SRCH) => Process::Gone,
        // EPERM: it is there and belongs to somebody else.
        Ok(()) | Err(_) => Process::Alive { start_ticks: None },
    }
}

/// Reads `/proc/<pid>/stat`. The command name (field 2) may hold anything, so fields count from the last `)`.
#[cfg(target_os = "linux")]
fn parse_stat(stat: &str) -> Process {
    let mut fields = stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_ascii_whitespace();
    let state = fields.next();
    let start_ticks = fields.nth(18).and_then(|f| f.parse().ok());
    match state {
        Some("Z" | "X" | "x") => Process::Zombie { start_ticks },
        _ => Process::Alive { start_ticks },
    }
}

/// Processes of pid namespaces below ours, as they see themselves. A gateway in a container whose state is mounted from
/// this host writes the pid of *its* namespace; with the start time (ticks since the boot of the one kernel) it can be
/// found all the same.
#[derive(Debug, Default)]
pub struct Nested {
    read_at: Option<Ms>,
    found: Vec<(u32, u64)>,
}

impl Nested {
    /// Whether a process with this inner pid and start time runs. The list is read again if the lock is not older than
    /// the last reading: its owner may have started since.
    pub fn holds(&mut self, pid: u32, start_ticks: u64, lock_mtime: Ms, now: Ms) -> bool {
        // File times are coarse: two seconds on some file systems.
        if self.read_at.is_none_or(|at| lock_mtime + 2 * SECOND >= at) {
            self.found = read_nested();
            self.read_at = Some(now);
        }
        self.found.contains(&(pid, start_ticks))
    }
}

#[cfg(target_os = "linux")]
fn read_nested() -> Vec<(u32, u64)> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    entries
        .flatten()
        .filter_map(|entry| {
            let pid: u32 = entry.file_name().to_str()?.parse().ok()?;
            let inner = inner_pid(&std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?)?;
            match look(pid) {
                Process::Alive { start_ticks: Some(ticks) } => Some((inner, ticks)),
                _ => None,
            }
        })
        .collect()
}

#[cfg(not(target_os = "linux"))]
fn read_nested() -> Vec<(u32, u64)> {
    Vec::new()
}

/// The pid that a process has in its own namespace, if that is not ours.
#[cfg(target_os = "linux")]
fn inner_pid(status: &str) -> Option<u32> {
    let line = status.lines().find_map(|l| l.strip_prefix("NSpid:"))?;
    line.split_ascii_whitespace().skip(1).last()?.parse().ok()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn our_own_process_is_alive_and_has_a_start_time() {
        let Process::Alive { start_ticks: Some(ticks) } = look(std::process::id()) else { panic!("we live") };
        assert!(ticks > 0);
    }

    #[test]
    fn a_reaped_child_is_gone_and_an_unreaped_one_is_a_zombie() {
        let mut child = std::process::Command::new("true").spawn().unwrap();
        let pid = child.id();
        // Waits for the end without reaping.
        rustix::process::waitid(
            rustix::process::WaitId::Pid(rustix::process::Pid::from_child(&child)),
            rustix::process::WaitIdOptions::EXITED | rustix::process::WaitIdOptions::NOWAIT,
        )
        .unwrap();
        assert!(matches!(look(pid), Process::Zombie { start_ticks: Some(_) }));
        child.wait().unwrap();
        assert_eq!(look(pid), Process::Gone);
    }

    #[test]
    fn impossible_pids_are_gone() {
        assert_eq!(look(u32::MAX), Process::Gone);
    }

    #[test]
    fn a_command_name_cannot_forge_the_fields() {
        let fields: Vec<String> = (4..=30).map(|n| n.to_string()).collect();
        let stat = format!("7 (a) Z 1) S {}", fields.join(" "));
        assert_eq!(parse_stat(&stat), Process::Alive { start_ticks: Some(22) });
        assert_eq!(parse_stat(""), Process::Alive { start_ticks: None });
    }

    #[test]
    fn inner_pids_come_from_the_last_column() {
        assert_eq!(inner_pid("Name:\tx\nNSpid:\t4321\t19\t7\n"), Some(7));
        assert_eq!(inner_pid("NSpid:\t4321\n"), None);
        assert_eq!(inner_pid("Name:\tx\n"), None);
    }
}
