//! `gateway status`: who may write now, and how we know.

use serde_json::json;

use super::faulty::{Fault, Faulty};
use super::scripted::{Reply, Says, Scripted, TOKEN, owned};
use crate::common::{Folder, HOUR, Tree, World, closed_port};

const STATUS: &str = "gateway status --json";

fn populate(main: &Folder) {
    main.session("agent:main:main", 1, HOUR).session("agent:main:x", 2, 2 * HOUR);
}

fn gateway(says: Says, port: u16) -> Scripted {
    Scripted::start(says, port, |_, _| Reply::Error("INVALID_REQUEST", "unknown method", json!(null)))
}

#[test]
fn nobody_listens_and_this_program_may_write() {
    let (world, _main) = owned(populate);
    let before = Tree::of(&world.home());
    let out = world.line(STATUS).exits(0).has("/writer", "offline").has("/connect", "refused");
    let out = out.has("/cleanup/by", "clawkeep").has("/endpointOrigin", "$OPENCLAW_GATEWAY_PORT");
    let _ = out.has("/session", json!(null)).has("/health", json!(null)).hides(TOKEN);
    let _ = world.line("gateway status").exits(0).says("Who may write now: this program; no gateway is running");
    let _ = world.line("gateway status -q").exits(0).silent();
    before.is_still(&world.home());
}

#[test]
fn a_gateway_of_this_state_owns_it_and_may_be_asked() {
    let (world, _main) = owned(populate);
    let scripted = gateway(Says::of(&world), world.port());
    let before = Tree::of(&world.home());
    let out = world.line(STATUS).exits(11).has("/writer", "owns").has("/cleanup/by", "gateway");
    let out = out.has("/session/version", "2026.5.12").has("/session/protocol", 4).has("/sameState/verdict", "same");
    let out = out.has("/session/stateDir", world.state().to_str().unwrap()).has("/session/offersCleanup", true);
    let _ = out.has("/credentials/0/found", "used").hides(TOKEN);
    assert_eq!(scripted.requests().iter().map(|(m, _)| m.as_str()).collect::<Vec<_>>(), ["sessions.list"]);
    let text = world.line("gateway status").exits(11).says("Who may write now: the gateway").hides(TOKEN);
    let _ = text.says("would be done by the gateway").says("$OPENCLAW_GATEWAY_TOKEN: used");
    before.is_still(&world.home());
}

#[test]
fn a_gateway_of_another_state_does_not_own_this_one() {
    let (world, _main) = owned(populate);
    let other = World::new();
    other.agent("main").session("agent:main:main", 77, HOUR).save();
    let _gateway = gateway(Says { state_dir: other.state(), ..Says::of(&world) }, world.port());
    let out = world.line(STATUS).exits(0).has("/writer", "foreign").has("/sameState/verdict", "foreign");
    let _ = out.has("/cleanup/by", "clawkeep");
}

#[test]
fn a_declared_name_of_the_folder_is_taken_for_it() {
    let (world, main) = owned(|_| ());
    std::fs::remove_file(main.index()).unwrap();
    let _gateway = gateway(Says { state_dir: "/home/node/.openclaw".into(), ..Says::of(&world) }, world.port());
    let out = world.line(STATUS).exits(4).has("/writer", "unknown").has("/sameState/verdict", "unknown");
    let _ = out.has("/cleanup/by", "nobody");
    let line = format!("{STATUS} --gateway-state-dir /home/node/.openclaw/");
    let _ = world.line(&line).exits(11).has("/writer", "owns").has("/sameState/verdict", "same");
}

#[test]
fn without_a_token_every_place_that_was_looked_at_is_named() {
    let world = World::new();
    world.config(&json!({"gateway": {"auth": {"token": "${NOT_SET_HERE}"}, "remote": {"token": {"source": "exec"}}}}));
    let _faulty = Faulty::start(Fault::AnswersLate, world.port(), "/state");
    let out = world.line(STATUS).exits(4).has("/session/kind", "no-credentials");
    let message = out.json()["session"]["message"].as_str().unwrap().to_owned();
    for place in [
        "$OPENCLAW_GATEWAY_TOKEN: not set",
        "gateway.auth.token: holds a ${VARIABLE}",
        "gateway.remote.token: is a reference",
    ] {
        assert!(message.contains(place), "{message}");
    }
    let _ = world.line("gateway status").exits(4).says("--gateway-token-file FILE");
}

#[test]
fn a_wrong_token_is_said_with_its_origin_and_without_its_value() {
    let (world, _main) = owned(populate);
    let _gateway = gateway(Says::of(&world), world.port());
    let world = world.var("OPENCLAW_GATEWAY_TOKEN", "wrong-secret");
    let out = world.line(STATUS).exits(4).has("/session/code", "AUTH_TOKEN_MISMATCH").hides("wrong-secret");
    let _ = out.says("$OPENCLAW_GATEWAY_TOKEN").says("unauthorized");
}

#[test]
fn a_token_file_wins_alone_and_a_url_gets_no_other_token() {
    let (world, _main) = owned(populate);
    let elsewhere = closed_port();
    let _gateway = gateway(Says::of(&world), elsewhere);
    let file = world.home().join("token");
    std::fs::write(&file, format!("{TOKEN}\nsecond line\n")).unwrap();
    let url = format!("ws://127.0.0.1:{elsewhere}");
    let without = world.run(["gateway", "status", "--json", "--gateway-url", &url]).exits(0);
    let without = without.has("/session/kind", "no-credentials").says("--gateway-token-file");
    assert_eq!(without.json()["credentials"][0]["found"], "other-url");
    let line = ["gateway", "status", "--json", "--gateway-url", &url, "--gateway-token-file", file.to_str().unwrap()];
    let with =
        world.run(line).exits(11).has("/writer", "owns").has("/session/ok", true).has("/sameState/verdict", "same");
    let _ = with.hides(TOKEN).hides("second line");
    let _ = world.line("gateway status --gateway-url ftp://h").exits(2).says("--gateway-url");
    let _ = world.line("gateway status --gateway-token-file /nonexistent").exits(1).says("/nonexistent");
    let _ = world.line("gateway status --gateway-tls-fingerprint abc").exits(2).says("fingerprint");
}

#[test]
fn our_own_settings_name_a_token_file_and_the_folder_on_the_other_side() {
    let (world, main) = owned(|_| ());
    std::fs::remove_file(main.index()).unwrap();
    let _gateway = gateway(Says { state_dir: "/home/node/.openclaw".into(), ..Says::of(&world) }, world.port());
    let world = world.var("OPENCLAW_GATEWAY_TOKEN", "of-something-else");
    std::fs::write(world.state().join("token"), TOKEN).unwrap();
    let own = r#"{gatewayTokenFile: "token", gatewayStateDir: "/home/node/.openclaw"}"#;
    std::fs::write(world.state().join("clawkeep.json5"), own).unwrap();
    let _ = world.line(STATUS).exits(11).has("/session/ok", true).has("/sameState/verdict", "same").hides(TOKEN);
    let url = format!("ws://127.0.0.1:{}", world.port());
    let world = world.var("OPENCLAW_GATEWAY_URL", url);
    let other = world.line(STATUS).has("/session/ok", false).has("/session/code", "AUTH_TOKEN_MISMATCH");
    let _ = other.has("/credentials/0/place", "$OPENCLAW_GATEWAY_TOKEN");
}

#[test]
fn plaintext_to_another_host_is_refused_before_a_socket_opens() {
    let (world, _main) = owned(populate);
    let world = world.var("OPENCLAW_GATEWAY_URL", "ws://user:hunter2@192.0.2.1:18789");
    let out = world.line(STATUS).exits(4).has("/session/kind", "not-allowed").hides("hunter2");
    let _ = out.says("plaintext ws://").says("wss://");
}

#[test]
fn in_remote_mode_the_remote_gateway_is_asked() {
    let (world, _main) = owned(populate);
    let elsewhere = closed_port();
    let url = format!("ws://127.0.0.1:{elsewhere}");
    world.config(&json!({"gateway": {"mode": "remote", "remote": {"url": url, "token": TOKEN}}}));
    let away = world.line(STATUS).exits(4).has("/remoteMode", true).has("/session/kind", "absent");
    let _ = away.has("/endpointOrigin", "gateway.remote.url");
    let _gateway = gateway(Says { state_dir: "/far/away".into(), ..Says::of(&world) }, elsewhere);
    let out = world.line(STATUS).exits(11).has("/writer", "owns").has("/cleanup/by", "gateway");
    let _ = out.has("/credentials/0/place", "gateway.remote.token").hides(TOKEN);
    world.config(&json!({"gateway": {"mode": "remote"}}));
    let _ = world.line(STATUS).exits(1).says("gateway.remote.url is missing");
}

#[test]
fn a_port_that_speaks_only_http_is_shown_with_its_health() {
    let (world, _main) = owned(populate);
    let _faulty = Faulty::start(Fault::Http(200), world.port(), "/state");
    let out = world.line(STATUS).exits(4).has("/health/live", true).has("/session/kind", "not-a-gateway");
    let _ = out.says("HTTP 200");
}
