//! Who may write: the gateway, or we (SAFETY 5).
//!
//! [`collect`] takes evidence (it opens one socket and reads lock files, and changes nothing), [`verdict`] judges it,
//! [`refusal`] words the error. Absence has to be proven: nothing listens **and** no lock lives. In a container or on a
//! volume that other hosts mount, where neither proves much, the folder must also have been quiet for five minutes.
//! Everything else counts as owned.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::context::Context;
use crate::error::{Error, Kind};
use crate::gateway::endpoint::{self, Endpoint};
use crate::gateway::probe;
use crate::model::gateway::StateProof;
use crate::model::owner::{Connect, GatewayLock, Greeting, OwnerEvidence, OwnerVerdict, Writer};
use crate::model::probe::LockState;
use crate::model::settings::Settings;
use crate::model::stores::Roots;
use crate::model::{MINUTE, Ms};
use crate::units::duration;

use super::container::HostView;
use super::gateway_lock;

/// How long a folder must have been quiet where a writer may be invisible.
pub const QUIET: Ms = 5 * MINUTE;

/// Takes the evidence about one folder. Blocks for about a second at most when nothing answers.
///
/// `newest_write` is the newest modification time in the folder in epoch ms, writes of our own left out (else a run
/// would see itself). `store_flag`: the target was named by `--store`, so that in remote mode the leftovers on this
/// host are meant and a gateway is looked for here.
pub fn collect(
    ctx: &Context,
    roots: &Roots,
    settings: &Settings,
    folder: &Path,
    newest_write: Option<Ms>,
    network_fs: bool,
    store_flag: bool,
) -> OwnerEvidence {
    let view = HostView::gather(&ctx.env).on_volume(network_fs);
    let states = state_dirs(roots, folder);
    let now = ctx.now();
    let newest = newest_write.max(gateway_lock::newest_heartbeat(&states));
    let tried = try_endpoints(ctx, roots, settings, store_flag, probe::TIMEOUT);
    let locks = gateway_lock::find(&ctx.env, roots, &states, &view, now);
    let holder = locks.iter().find(|l| !l.foreign && matches!(l.state, LockState::Live { .. })).and_then(|l| l.pid);
    OwnerEvidence {
        endpoint: tried.endpoint,
        endpoint_origin: tried.origin,
        connect: tried.connect,
        several_listen: tried.accepted > 1,
        greeting: None,
        stop: holder.and_then(super::stopper::of),
        locks,
        container: view.container.is_some(),
        network_fs,
        newest_write_age: newest.map(|at| now - at),
        remote_mode: endpoint::is_remote(settings),
    }
}

/// The state folder of the run, and the one that the folder at hand lies in (`<state>/agents/<id>/sessions`) if that
/// is another: `--store` may name a store of a second installation.
fn state_dirs(roots: &Roots, folder: &Path) -> Vec<PathBuf> {
    let mut states = vec![roots.state_dir.clone()];
    let agents = folder.parent().and_then(Path::parent);
    let shaped = folder.file_name().is_some_and(|n| n == "sessions")
        && agents.and_then(Path::file_name).is_some_and(|n| n == "agents");
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    if let Some(state) = agents.and_then(Path::parent).filter(|_| shaped)
        && real(state) != real(&roots.state_dir)
    {
        states.push(state.to_owned());
    }
    states
}

/// What connecting gave.
struct Tried {
    endpoint: String,
    origin: String,
    connect: Connect,
    /// How many places accepted.
    accepted: usize,
}

/// Connects to the endpoint, and where that is not this host also to the ports of this host. Gives the one that says
/// least for absence.
fn try_endpoints(ctx: &Context, roots: &Roots, settings: &Settings, store_flag: bool, timeout: Duration) -> Tried {
    let not_tried = |endpoint: String, origin: String, why: String| Tried {
        endpoint,
        origin,
        connect: Connect::NotTried(why),
        accepted: 0,
    };
    let mut candidates = Vec::new();
    let remote = endpoint::is_remote(settings);
    if !remote || !store_flag {
        match endpoint::resolve(&ctx.env, settings) {
            Ok(first) => candidates.push(first),
            Err(e) => return not_tried(String::new(), "configuration".to_owned(), e.message),
        }
    }
    if remote && !store_flag {
        let first = candidates.remove(0);
        return not_tried(first.to_string(), first.origin, "gateway.mode is remote".to_owned());
    }
    for local in endpoint::local_candidates(&ctx.env, &settings.gateway, roots.profile.as_deref()) {
        if !candidates.iter().any(|c| c.host == local.host && c.port == local.port) {
            candidates.push(local);
        }
    }
    weightiest(candidates.into_iter().map(|e| {
        let result = match endpoint::insecure(&e, &ctx.env) {
            Some(why) => Connect::NotTried(why),
            None => probe::connect(&e, timeout),
        };
        (e, result)
    }))
}

fn weightiest(results: impl Iterator<Item = (Endpoint, Connect)>) -> Tried {
    let mut best: Option<(Endpoint, Connect)> = None;
    let mut accepted = 0;
    for (endpoint, connect) in results {
        accepted += usize::from(connect == Connect::Accepted);
        if best.as_ref().is_none_or(|(_, b)| probe::weight(&connect) > probe::weight(b)) {
            best = Some((endpoint, connect));
        }
    }
    let (endpoint, origin, connect) = match best {
        Some((endpoint, connect)) => (endpoint.to_string(), endpoint.origin, connect),
        None => (String::new(), String::new(), Connect::NotTried("no endpoint is known".to_owned())),
    };
    Tried { endpoint, origin, connect, accepted }
}

/// Judges the evidence. Pure. `store_flag` as in [`collect`].
pub fn verdict(evidence: OwnerEvidence, store_flag: bool) -> OwnerVerdict {
    let (writer, why) = judge(&evidence, store_flag);
    OwnerVerdict { writer, why, evidence }
}

fn judge(evidence: &OwnerEvidence, store_flag: bool) -> (Writer, String) {
    if evidence.remote_mode && !store_flag {
        if let Some(greeting) = &evidence.greeting {
            let why = format!("gateway.mode is remote: the gateway {} there owns the sessions", greeting.version);
            return (Writer::Owns, why);
        }
        let why = "gateway.mode is remote: the sessions live on the remote host; use --store for local leftovers";
        return (Writer::Unknown, why.to_owned());
    }
    let ours = || evidence.locks.iter().filter(|l| !l.foreign);
    if let Some(lock) = ours().find(|l| matches!(l.state, LockState::Live { .. })) {
        return (Writer::Owns, held_by(lock));
    }
    if let Some(greeting) = &evidence.greeting {
        return judge_greeting(evidence, greeting);
    }
    match &evidence.connect {
        Connect::Accepted => return judge_accepted(evidence),
        Connect::TimedOut => {
            return (Writer::Unknown, format!("{} did not answer in time", place(evidence)));
        }
        Connect::NotTried(why) => {
            return (Writer::Unknown, format!("{} could not be tried: {why}", place(evidence)));
        }
        Connect::Refused | Connect::Unreachable(_) => {}
    }
    let unknown = ours().find_map(|l| match &l.state {
        LockState::Unknown { why } => Some((l, why)),
        _ => None,
    });
    if let Some((lock, why)) = unknown {
        return (Writer::Unknown, format!("the lock {} may be held: {why}", lock.path.display()));
    }
    if let Some(why) = not_quiet(evidence) {
        return (Writer::Unknown, why);
    }
    (Writer::Offline, format!("nothing listens on {} and no gateway lock is held", place(evidence)))
}

/// A gateway was asked whose state it serves.
fn judge_greeting(evidence: &OwnerEvidence, greeting: &Greeting) -> (Writer, String) {
    let says = |why: &str| format!("the gateway {}: {why}", greeting.version);
    match &greeting.state {
        StateProof::Same(why) => (Writer::Owns, says(why)),
        StateProof::Foreign(_) if evidence.several_listen => {
            (Writer::Unknown, says("it serves another state, but something else listens on this host too"))
        }
        StateProof::Foreign(why) => (Writer::Foreign, says(why)),
        StateProof::Unknown(why) => (Writer::Unknown, says(why)),
    }
}

/// Somebody listens and was not asked, or did not answer. Only a live lock that records this port and another state proves
/// that it is not our gateway.
fn judge_accepted(evidence: &OwnerEvidence) -> (Writer, String) {
    let port = evidence.endpoint.rsplit_once(':').and_then(|(_, p)| p.parse::<u16>().ok());
    let other = evidence
        .locks
        .iter()
        .find(|l| l.foreign && matches!(l.state, LockState::Live { .. }) && port.is_some() && l.port == port);
    match other {
        Some(lock) => (
            Writer::Foreign,
            format!("the gateway on {} serves another state, as {} records", place(evidence), lock.path.display()),
        ),
        None => (Writer::Unknown, format!("something answers on {}, and nothing proves whose it is", place(evidence))),
    }
}

/// Where a writer may be invisible, a folder that was written to just now has one.
fn not_quiet(evidence: &OwnerEvidence) -> Option<String> {
    let view = match (evidence.network_fs, evidence.container) {
        (true, _) => "on a network or shared file system",
        (false, true) => "in a container",
        (false, false) => return None,
    };
    let age = evidence.newest_write_age.filter(|age| *age < QUIET)?;
    Some(format!(
        "the state was written to {} ago, and {view} a gateway may be out of sight",
        duration::human(age.max(0))
    ))
}

fn held_by(lock: &GatewayLock) -> String {
    match lock.pid {
        Some(pid) => format!("process {pid} holds {}", lock.path.display()),
        None => format!("a process holds {}", lock.path.display()),
    }
}

/// The endpoint and where it comes from.
fn place(evidence: &OwnerEvidence) -> String {
    let endpoint = if evidence.endpoint.is_empty() { "the gateway" } else { &evidence.endpoint };
    match evidence.endpoint_origin.as_str() {
        "default" => format!("{endpoint} (default port)"),
        "" => endpoint.to_owned(),
        origin => format!("{endpoint} (from {origin})"),
    }
}

/// The command that stops the gateway. One that was started by hand has no unit that its own command could stop.
pub fn stop_command(evidence: &OwnerEvidence) -> String {
    let holder = evidence.locks.iter().find(|l| !l.foreign && matches!(l.state, LockState::Live { .. }));
    match (&evidence.stop, holder.and_then(|l| l.pid)) {
        (Some(command), _) => command.clone(),
        (None, Some(pid)) => format!("openclaw gateway stop  (if it was started by hand: end process {pid})"),
        (None, None) => "openclaw gateway stop".to_owned(),
    }
}

/// The error that stops a change of rows; exit 11. Only for verdicts other than `Offline` and `Foreign`.
pub fn refusal(verdict: &OwnerVerdict) -> Error {
    let evidence = &verdict.evidence;
    let answers = evidence.connect == Connect::Accepted;
    let busy = |message: String| Error::new(Kind::Busy, message);
    let error = match verdict.writer {
        Writer::Owns => busy(format!("a running gateway owns this state: {}", verdict.why)),
        _ if answers => busy(format!("a gateway may own this state, nothing was changed: {}", verdict.why)),
        _ => busy(format!("cannot rule out that a gateway owns this state, nothing was changed: {}", verdict.why)),
    };
    let error = match verdict.token() {
        Some(token) => error.token(token),
        None => error,
    };
    let error = if answers {
        error.hint(format!(
            "a gateway answers on {}: `clawkeep sessions cleanup --enforce` without --store has it clean up (with its \
             token, OPENCLAW_GATEWAY_TOKEN or gateway.auth.token)",
            evidence.endpoint
        ))
    } else {
        error
    };
    let local = !evidence.remote_mode || verdict.writer == Writer::Owns || answers;
    let error = if local { error.hint(format!("stop the gateway first: {}", stop_command(evidence))) } else { error };
    error.hint("see what would be done, beside a running gateway too: repeat the command with --dry-run")
}

#[cfg(test)]
#[path = "owner_tests.rs"]
mod tests;
