//! Which command stops a gateway: its own, unless it runs as a unit or in a container.

use super::process;

/// The command that stops the process that owns the state, as its control group tells; `None` if that says nothing.
pub fn of(pid: u32) -> Option<String> {
    let group = process::control_group(pid)?;
    // In the same group as we are: that of a terminal, or of the container around both.
    if process::control_group(std::process::id()).as_deref() == Some(&group) {
        return None;
    }
    stop_command(&group)
}

/// The command for a control group (`/proc/<pid>/cgroup`). Only units that are named after the gateway are ever named: a
/// unit around it may do other things too.
fn stop_command(group: &str) -> Option<String> {
    let path = group.lines().find_map(|line| line.strip_prefix("0::")).or_else(|| group.lines().next())?;
    for part in path.rsplit('/') {
        let scope = part.strip_suffix(".scope").unwrap_or(part);
        let container = |id: &str| id.len() == 64 && id.bytes().all(|b| b.is_ascii_hexdigit());
        for (head, program) in [("docker-", "docker"), ("libpod-", "podman"), ("", "docker")] {
            let by_parent = !head.is_empty() || path.contains("/docker/");
            if let Some(id) = scope.strip_prefix(head).filter(|id| by_parent && container(id)) {
                return Some(format!("{program} stop {}", &id[..12]));
            }
        }
    }
    let unit = path.rsplit('/').find_map(|part| part.strip_suffix(".service"))?;
    let name = unit.to_ascii_lowercase();
    let plain = unit.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.@".contains(&b));
    let gateways = ["openclaw", "clawdbot", "moltbot", "gateway"].iter().any(|word| name.contains(word));
    let user = path.contains("/user@");
    (plain && gateways).then(|| format!("systemctl {}stop {unit}.service", if user { "--user " } else { "" }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_and_containers_are_stopped_by_what_runs_them() {
        let id = "0123456789abcdef".repeat(4);
        let of = |group: &str| stop_command(group);
        assert_eq!(
            of("0::/user.slice/user-1000.slice/user@1000.service/app.slice/openclaw-gateway.service\n").as_deref(),
            Some("systemctl --user stop openclaw-gateway.service")
        );
        assert_eq!(
            of("0::/system.slice/openclaw-gateway.service").as_deref(),
            Some("systemctl stop openclaw-gateway.service")
        );
        assert_eq!(of(&format!("0::/system.slice/docker-{id}.scope")).as_deref(), Some("docker stop 0123456789ab"));
        assert_eq!(
            of(&format!("12:pids:/docker/{id}\n1:name=systemd:/docker/{id}")).as_deref(),
            Some("docker stop 0123456789ab")
        );
        assert_eq!(
            of(&format!("0::/machine.slice/libpod-{id}.scope/container")).as_deref(),
            Some("podman stop 0123456789ab")
        );
        for nothing in ["", "0::/", "0::/user.slice/user-1000.slice/session-2.scope", "0::/system.slice/ssh.service"] {
            assert_eq!(of(nothing), None, "{nothing}");
        }
    }
}
