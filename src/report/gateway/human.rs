//! `gateway status` for people: the verdict first, then what it rests on.

use std::fmt::Write as _;

use crate::hints::Given;
use crate::model::Ms;
use crate::model::gateway::{CleanupBy, GatewayStatus, Health, Hello, NoSession};
use crate::model::owner::{OwnerVerdict, Writer};
use crate::report::check::input::{connect_word, lock_word};
use crate::report::escape;
use crate::report::style::{Role, Style};
use crate::units::duration;

/// The whole report.
pub fn text(status: &GatewayStatus, given: &Given, style: Style) -> String {
    let mut out = String::new();
    let verdict = &status.verdict;
    let _ = writeln!(out, "Who may write now: {}", style.paint(role(verdict.writer), who(verdict.writer)));
    line(&mut out, "because", &verdict.why);
    let by = match &status.cleanup {
        CleanupBy::Ourselves => "would be done by this program".to_owned(),
        CleanupBy::Gateway => "would be done by the gateway, asked by this program".to_owned(),
        CleanupBy::Nobody(why) => format!("would be refused: {why}"),
    };
    line(&mut out, "sessions cleanup", &by);
    let _ = writeln!(out, "\nGateway: {} ({})", escape::line(&status.endpoint), escape::line(&origin(&status.origin)));
    line(&mut out, "state folder here", &status.state_dir.display().to_string());
    if let Some(pin) = &status.pin {
        line(&mut out, "pinned certificate", pin);
    }
    connection(&mut out, status);
    match &status.session {
        None => {}
        Some(Ok(hello)) => session(&mut out, status, hello),
        Some(Err(failed)) => no_session(&mut out, failed, given, style),
    }
    for looked in status.looked.iter().filter(|_| status.session.is_some()) {
        line(&mut out, &looked.place, looked.found.describe());
    }
    evidence(&mut out, verdict);
    out
}

fn line(out: &mut String, name: &str, text: &str) {
    let _ = writeln!(out, "  {}: {}", escape::line(name), escape::line(text));
}

fn origin(origin: &str) -> String {
    if origin == "default" { "default port".to_owned() } else { format!("from {origin}") }
}

/// Who may, in one phrase.
fn who(writer: Writer) -> &'static str {
    match writer {
        Writer::Offline => "this program; no gateway is running",
        Writer::Foreign => "this program; the gateway that runs serves another state",
        Writer::Owns => "the gateway",
        Writer::Unknown => "cannot be told, so nobody but a gateway",
    }
}

fn role(writer: Writer) -> Role {
    match writer {
        Writer::Offline | Writer::Foreign => Role::Good,
        Writer::Owns => Role::Warn,
        Writer::Unknown => Role::Bad,
    }
}

fn connection(out: &mut String, status: &GatewayStatus) {
    let evidence = &status.verdict.evidence;
    let tried = if evidence.endpoint.is_empty() { &status.endpoint } else { &evidence.endpoint };
    line(out, "connect", &format!("{} ({tried})", connect_word(&evidence.connect)));
    match &status.health {
        None => {}
        Some(Health::Live) => line(out, "health", "live"),
        Some(Health::Status(code)) => line(out, "health", &format!("HTTP {code}")),
        Some(Health::None(why)) => line(out, "health", &format!("no answer: {why}")),
    }
}

fn session(out: &mut String, status: &GatewayStatus, hello: &Hello) {
    let up = hello.uptime.map(|ms| format!(", up {}", duration::human(ms))).unwrap_or_default();
    line(out, "version", &format!("{}, protocol {}{up}", hello.version, hello.protocol));
    let scopes = if hello.scopes.is_empty() { "none".to_owned() } else { hello.scopes.join(", ") };
    line(out, "granted scopes", &scopes);
    if let Some(dir) = &hello.state_dir {
        line(out, "state folder there", dir);
    }
    if let Some(state) = &status.state {
        line(out, "same state", &format!("{} ({})", state.as_str(), state.why()));
    }
}

fn no_session(out: &mut String, failed: &NoSession, given: &Given, style: Style) {
    line(out, "session", &failed.message);
    for hint in &failed.hints {
        let hint = given.complete(hint);
        let _ = writeln!(out, "    {} {}", style.paint(Role::Muted, "try:"), escape::line(&hint));
    }
}

fn evidence(out: &mut String, verdict: &OwnerVerdict) {
    let e = &verdict.evidence;
    for lock in &e.locks {
        let pid = lock.pid.map(|pid| format!(", process {pid}")).unwrap_or_default();
        let foreign = if lock.foreign { ", of another state" } else { "" };
        let text = format!("{}{pid}{foreign} ({})", lock_word(&lock.state), lock.generation);
        line(out, &format!("lock {}", lock.path.display()), &text);
    }
    if e.locks.is_empty() {
        line(out, "locks", "none, of either generation");
    }
    if e.container {
        line(out, "view", "in a container: processes outside are out of sight");
    }
    if e.network_fs {
        line(out, "volume", "a network or shared file system: other hosts may write");
    }
    if let Some(age) = e.newest_write_age {
        line(out, "newest write", &format!("{} ago", duration::human(age.max(0 as Ms))));
    }
}
