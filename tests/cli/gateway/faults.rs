//! Every fault ends within its deadline, with its exit code and its own words, and touches nothing.

use super::faulty::{Fault, Faulty};
use super::scripted::{TOKEN, owned};
use crate::common::{DAY, Folder, HOUR, Tree, World};

const STATUS: &str = "gateway status --json";
const CLEANUP: &str = "sessions cleanup --enforce --json";
/// Deadlines for faults that hang: connect, handshake, call, silence, ms.
const SHORT: &str = "5000,300,500,200";
/// Deadlines for what has to get as far as the call on a loaded machine.
const SHORT_CALL: &str = "5000,60000,500,250";

fn populate(main: &Folder) {
    main.session("agent:main:main", 1, HOUR).session("agent:main:subagent:stale", 2, 60 * DAY);
}

/// A world with a fault on the gateway's port.
fn with(fault: Fault, deadlines: &str) -> (World, Folder, Faulty) {
    let (world, main) = owned(populate);
    let world = world.var("CLAWKEEP_TEST_GATEWAY_DEADLINES_MS", deadlines);
    let state = world.state().to_str().unwrap().to_owned();
    let faulty = Faulty::start(fault, world.port(), &state);
    (world, main, faulty)
}

/// Runs both commands: `kind` is what the session failed with, `words` is said by both, and nothing is touched.
#[track_caller]
fn no_session(fault: Fault, deadlines: &str, kind: &str, words: &str) {
    let (world, _main, faulty) = with(fault, deadlines);
    let before = Tree::of(&world.home());
    let status = world.line(STATUS).exits(4).has("/writer", "unknown").has("/connect", "accepted");
    let status = status.has("/session/ok", false).has("/session/kind", kind).has("/cleanup/by", "nobody");
    let said = status.json()["session"]["message"].as_str().unwrap().to_owned();
    assert!(said.contains(words), "{fault:?}: {said}");
    let cleanup = world.line(CLEANUP).exits(11).silent().says(words).hides(TOKEN);
    assert_eq!(cleanup.error_json()["kind"], "busy", "{fault:?}");
    let _ = status.hides(TOKEN);
    before.is_still(&world.home());
    assert_eq!(faulty.calls(), 0, "{fault:?}: nothing was asked");
}

#[test]
fn what_never_lets_us_in_is_no_gateway_and_no_absence() {
    no_session(Fault::Closes, SHORT, "silent", "closed the connection");
    no_session(Fault::HangsBeforeUpgrade, SHORT, "silent", "did not answer the WebSocket upgrade within 0.3 s");
    no_session(Fault::HangsBeforeChallenge, SHORT, "silent", "did not answer the challenge within 0.3 s");
    no_session(Fault::HangsAfterConnect, SHORT, "silent", "did not answer the connect request within 0.3 s");
    no_session(Fault::Trickles, SHORT, "silent", "did not answer the WebSocket upgrade within 0.3 s");
}

#[test]
fn what_speaks_otherwise_is_told_so() {
    const LONG: &str = "5000,60000,60000,60000";
    no_session(Fault::Http(404), LONG, "not-a-gateway", "HTTP 404");
    no_session(Fault::Http(401), LONG, "refused", "HTTP 401 (unauthorized)");
    no_session(Fault::Noise, LONG, "not-a-gateway", "does not speak as a gateway does");
    no_session(Fault::NoJson, LONG, "not-a-gateway", "no challenge");
    no_session(Fault::GiantFrame, LONG, "not-a-gateway", "a frame of 1073741824 bytes");
    no_session(Fault::RefusesProtocol, LONG, "refused", "protocol mismatch");
    no_session(Fault::HelloOfAnotherProtocol, LONG, "not-a-gateway", "speaks protocol 5");
}

#[test]
fn a_gateway_that_starts_is_waited_for_within_the_budget() {
    let (world, _main, faulty) = with(Fault::Starting(2), "5000,60000,60000,60000");
    let _ = world.line(STATUS).exits(11).has("/session/ok", true).has("/writer", "owns");
    assert_eq!(faulty.upgrades(), 3, "two refusals and a hello");
    no_session(Fault::Starting(usize::MAX), SHORT, "starting", "is starting and was not ready within 0.3 s");
}

/// A call that was sent and has no answer: outcome unknown, and nothing of ours is done in its place.
#[track_caller]
fn lost(fault: Fault, words: &str) {
    let (world, main, faulty) = with(fault, SHORT_CALL);
    let before = std::fs::read(main.index()).unwrap();
    // The list of sessions, which proves whose state it is, is lost first; the name of the folder is proof as well.
    let out = world.line(CLEANUP).exits(11).silent().hides(TOKEN);
    assert!(faulty.calls() > 0, "{fault:?}");
    assert_eq!(std::fs::read(main.index()).unwrap(), before, "{fault:?}");
    let _ = out.says(words);
}

#[test]
fn a_connection_that_is_lost_never_turns_into_a_run_of_our_own() {
    for fault in
        [Fault::ClosesMidCall, Fault::SilentMidCall, Fault::BusyForEver, Fault::NoJsonMidCall, Fault::GiantAnswer]
    {
        lost(fault, "lost");
    }
}

#[test]
fn a_session_without_scopes_is_of_no_use() {
    let (world, _main, faulty) = with(Fault::WrongScopes, "5000,60000,60000,60000");
    let status = world.line(STATUS).has("/session/ok", true).has("/cleanup/by", "nobody");
    assert!(status.json()["cleanup"]["why"].as_str().unwrap().contains("operator.admin"));
    let before = Tree::of(&world.home());
    let calls = faulty.calls();
    let _ = world.line(CLEANUP).exits(11).says("did not grant operator.admin");
    assert_eq!(faulty.calls(), calls);
    before.is_still(&world.home());
}
