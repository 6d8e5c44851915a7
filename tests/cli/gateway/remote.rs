//! `sessions list`, `sessions show` and `sessions cleanup` where the sessions are on another host: the gateway there is
//! asked, and what is left on this host is not taken for its answer.

use std::path::Path;

use serde_json::{Value, json};

use super::scripted::{Reply, Says, Scripted, TOKEN, owned};
use crate::common::{Folder, HOUR, Output, Tree, World, closed_port, id};

const LEFTOVER: &str = "agent:main:leftover";

fn populate(main: &Folder) {
    main.session(LEFTOVER, 1, HOUR);
}

/// A world whose configuration names a gateway elsewhere, on `port`.
pub fn away(port: u16) -> (World, Folder) {
    let (world, main) = owned(populate);
    let url = format!("ws://127.0.0.1:{port}");
    world.config(&json!({"gateway": {"mode": "remote", "remote": {"url": url, "token": TOKEN}}}));
    (world, main)
}

fn row(key: &str, n: u64, at: i64) -> Value {
    json!({"key": key, "kind": "direct", "sessionId": id(n), "updatedAt": at, "totalTokens": 15, "model": "m1",
        "modelProvider": "p1", "agentRuntime": {"id": "pi", "source": "implicit"}, "hasActiveRun": false})
}

/// The rows of an agent on the other host, newest first: three of `main`, one of `ops`, which only it knows.
fn rows(agent: &str, now: i64) -> Vec<Value> {
    match agent {
        "main" => vec![
            row("agent:main:main", 11, now - HOUR),
            row("agent:main:cron:nightly", 12, now - 2 * HOUR),
            row("agent:main:telegram:direct:42", 13, now - 3 * HOUR),
        ],
        "ops" => vec![row("agent:ops:main", 21, now - 30)],
        _ => Vec::new(),
    }
}

/// A gateway of another state, whose clock is an hour ahead.
pub fn gateway(world: &World, port: u16) -> Scripted {
    let now = world.now() + HOUR;
    let says = Says {
        state_dir: "/home/remote/.openclaw".into(),
        scopes: vec!["operator.read"],
        elsewhere: true,
        ..Says::of(world)
    };
    Scripted::start(says, port, move |method, params| {
        Reply::Result(match method {
            "agents.list" => json!({"defaultId": "main", "agents": [{"id": "main"}, {"id": "ops"}]}),
            "sessions.list" => {
                let agent = params["agentId"].as_str().unwrap();
                let all = rows(agent, now);
                let limit = usize::try_from(params["limit"].as_u64().unwrap()).unwrap();
                let cut: Vec<_> = all.iter().take(limit).cloned().collect();
                json!({"ts": now, "path": format!("/home/remote/.openclaw/agents/{agent}/sessions/sessions.json"),
                    "count": cut.len(), "totalCount": all.len(), "limitApplied": limit, "hasMore": cut.len() < all.len(),
                    "defaults": {"modelProvider": "p1", "model": "m0", "contextTokens": 1000}, "sessions": cut})
            }
            "sessions.describe" => {
                let all = [rows("main", now), rows("ops", now)].concat();
                json!({"session": all.into_iter().find(|row| row["key"] == params["key"])})
            }
            "sessions.resolve" if params["sessionId"] == id(21) => json!({"ok": true, "key": "agent:ops:main"}),
            "sessions.resolve" => return Reply::Error("INVALID_REQUEST", "No session found: x", json!(null)),
            _ => return Reply::Error("INVALID_REQUEST", "unknown method", json!(null)),
        })
    })
}

fn keys(out: &Output) -> Vec<String> {
    out.json()["sessions"].as_array().unwrap().iter().map(|s| s["key"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn in_remote_mode_the_rows_are_those_of_the_remote_gateway() {
    let port = closed_port();
    let (world, main) = away(port);
    let before = Tree::of(&world.home());
    let gateway = gateway(&world, port);
    let out = world.line("sessions --json").exits(0).hides(TOKEN);
    let out = out.has("/source", "gateway").has("/gateway/version", "2026.5.12").has("/totalCount", 3);
    let out = out.has("/gateway/endpoint", format!("ws://127.0.0.1:{port}"));
    let out = out.has("/gateway/endpointOrigin", "gateway.remote.url").has("/storeOrigin", "gateway.remote.url");
    let out = out.has("/path", "/home/remote/.openclaw/agents/main/sessions/sessions.json");
    assert_eq!(keys(&out), ["agent:main:main", "agent:main:cron:nightly", "agent:main:telegram:direct:42"]);
    // Ages by its clock; nothing is said of files that are not here.
    let first = &out.json()["sessions"][0];
    assert_eq!((&first["ageMs"], &first["suspect"], &first["missing"]), (&json!(HOUR), &Value::Null, &Value::Null));
    assert_eq!((&first["model"], &first["contextTokens"]), (&json!("m1"), &json!(1000)));
    let out = out.has("/notLookedAt/0/agentId", "ops");
    assert!(!out.stdout.contains("leftover"));
    assert_eq!(gateway.requests()[1].1["limit"], 100);
    let people = world.line("sessions list").exits(0).says("Session store: /home/remote/.openclaw/agents/main");
    let _ = people.says("gateway 2026.5.12 on ws://127.0.0.1").says("from gateway.remote.url").hides("leftover");
    // What is here is shown when it is named, and says what it is.
    let here = world.line("sessions list --json --store {store}").exits(0).has("/source", "files");
    assert_eq!(keys(&here), [LEFTOVER]);
    assert!(main.is_live(1));
    before.is_still(&world.home());
}

#[test]
fn agents_are_those_that_the_remote_gateway_knows() {
    let port = closed_port();
    let (world, _main) = away(port);
    let gateway = gateway(&world, port);
    let one = world.line("sessions list --json --agent OPS").exits(0);
    assert_eq!(keys(&one), ["agent:ops:main"]);
    assert_eq!(one.json()["notLookedAt"][0]["agentId"], "main");
    let all = world.line("sessions list --json --all-agents").exits(0);
    assert_eq!(keys(&all).first().unwrap(), "agent:ops:main", "in one order over all agents");
    assert_eq!((&all.json()["totalCount"], all.json()["stores"].as_array().unwrap().len()), (&json!(4), 2));
    let _ = world.line("sessions list --json --agent nope").exits(2).silent().says("has no agent").says("main, ops");
    let _ = world.line("sessions list --json --agent nope --include-unconfigured").exits(0).has("/count", 0);
    let _ = world.line("sessions list --all-agents --include-unconfigured").exits(2);
    let _ = world.line("sessions list --agent ops --all-agents").exits(2);
    drop(gateway);
}

#[test]
fn what_the_gateway_does_not_filter_is_filtered_here_from_all_of_its_rows() {
    let port = closed_port();
    let (world, _main) = away(port);
    let gateway = gateway(&world, port);
    let cut = world.line("sessions list --json --limit 1").exits(0).has("/totalCount", 3).has("/hasMore", true);
    assert_eq!(keys(&cut), ["agent:main:main"]);
    let cron = world.line("sessions list --json --limit 1 --kind cron").exits(0).has("/totalCount", 1);
    assert_eq!(keys(&cron), ["agent:main:cron:nightly"]);
    let glob = world.line("sessions list --json --limit 1 --key *telegram*").exits(0).has("/totalCount", 1);
    assert_eq!(keys(&glob), ["agent:main:telegram:direct:42"]);
    let oldest = world.line("sessions list --json --limit 1 --sort age").exits(0).has("/totalCount", 3);
    assert_eq!(keys(&oldest), ["agent:main:telegram:direct:42"]);
    let _ = world.line("sessions list --json --active 90").exits(0).has("/totalCount", 1);
    let _ = world.line("sessions list --sort size").exits(2).says("does not tell the sizes");
    let lists: Vec<_> = gateway.requests().into_iter().filter(|(method, _)| method == "sessions.list").collect();
    assert_eq!(lists[0].1["limit"], 1);
    assert!(lists[1..4].iter().all(|(_, params)| params["limit"].as_u64().unwrap() > 100_000), "{lists:?}");
    assert_eq!(lists[4].1["activeMinutes"], 90);
}

#[test]
fn one_session_is_described_by_key_and_by_id() {
    let port = closed_port();
    let (world, _main) = away(port);
    let _gateway = gateway(&world, port);
    for what in ["agent:ops:main".to_owned(), id(21)] {
        let out = world.line(&format!("sessions show --json {what}")).exits(0);
        let out = out.has("/source", "gateway").has("/row/key", "agent:ops:main").has("/agentId", "ops");
        let _ = out.has("/row/sessionId", id(21)).has("/gateway/endpointOrigin", "gateway.remote.url");
    }
    let people = world.line("sessions show agent:ops:main").exits(0).says("gateway 2026.5.12 on ws://127.0.0.1");
    let _ = people.hides("fate");
    // A row that is here is not on the gateway, and the other way round.
    let _ = world.line(&format!("sessions show {LEFTOVER}")).exits(1).says("knows no session").says("--store");
    let _ = world.line("sessions show agent:ops:main --agent main").exits(1).says("knows no session");
    let here = world.line(&format!("sessions show --json {LEFTOVER} --store {{store}}")).exits(0);
    let _ = here.has("/source", "files");
}

#[test]
fn a_url_on_the_command_line_means_that_gateway_whatever_is_configured() {
    let port = closed_port();
    let (world, _main) = owned(populate);
    let gateway = gateway(&world, port);
    let url = format!("ws://127.0.0.1:{port}");
    std::fs::write(world.home().join("token"), TOKEN).unwrap();
    let line = format!("sessions list --json --gateway-url {url}");
    let _ = world.line(&line).exits(1).silent().says("--gateway-token-file").hides(TOKEN);
    assert_eq!(gateway.requests(), []);
    let out = world.line(&format!("{line} --gateway-token-file token")).exits(0);
    let _ = out.has("/gateway/endpointOrigin", "--gateway-url").has("/totalCount", 3);
    let before_the_verb = format!("sessions --gateway-url {url} --gateway-token-file token show --json agent:ops:main");
    let _ = world.line(&before_the_verb).exits(0).has("/row/key", "agent:ops:main");
    let _ = world.line(&format!("{line} --store {{store}}")).exits(2).says("--store and --gateway-url");
    let _ = world.line("sessions list --json").exits(0).has("/source", "files");
}

#[test]
fn leftovers_are_never_shown_for_a_gateway_that_cannot_be_asked() {
    let port = closed_port();
    let (world, _main) = away(port);
    for line in ["sessions list --json", "sessions show --json agent:main:leftover"] {
        let _ = world.line(line).exits(1).silent().says("nothing listens").says("--store FILE");
    }
    let says = Says { scopes: Vec::new(), elsewhere: true, ..Says::of(&world) };
    let _gateway = Scripted::start(says, port, |_, _| Reply::Nothing);
    let _ = world.line("sessions list --json").exits(1).silent().says("did not grant operator.read");
    let world = world.var("OPENCLAW_GATEWAY_TOKEN", "wrong");
    let url = format!("ws://127.0.0.1:{port}");
    world.config(&json!({"gateway": {"mode": "remote", "remote": {"url": url}}}));
    let _ = world.line("sessions list --json").exits(1).silent().says("unauthorized").says("$OPENCLAW_GATEWAY_TOKEN");
}

#[test]
fn a_gateway_that_refuses_to_list_or_leaves_is_a_failure() {
    for reply in [|| Reply::Error("UNAVAILABLE", "busy\u{1b}[31m", json!(null)), || Reply::Close] {
        let port = closed_port();
        let (world, _main) = away(port);
        let says = Says { elsewhere: true, ..Says::of(&world) };
        let _gateway = Scripted::start(says, port, move |method, _| match method {
            "agents.list" => Reply::Error("INVALID_REQUEST", "unknown method: agents.list", json!(null)),
            _ => reply(),
        });
        let _ = world.line("sessions list --json").exits(1).silent().says("did not answer").hides("\u{1b}");
        let _ = world.line("sessions list --all-agents").exits(1).says("does not tell its agents");
    }
}

/// The cleanup of an agent that only the other host has.
#[test]
fn a_cleanup_asks_for_an_agent_that_is_not_configured_here() {
    let port = closed_port();
    let (world, main) = away(port);
    let here = Tree::of(main.dir());
    let says = Says { state_dir: "/home/remote/.openclaw".into(), ..Says::of(&world) };
    let gateway = Scripted::start(says, port, |_, _| Reply::Result(json!({"agentId": "ops", "pruned": 2})));
    let _ = world.line("sessions cleanup --enforce --json --agent ops").exits(0).has("/executor", "gateway");
    assert_eq!(gateway.cleanups()[0]["agent"], "ops");
    here.is_still(main.dir());
    // Of leftovers that are named it is another question.
    let _ = world.line("sessions check --agent ops").exits(2).says("unknown agent");
}

/// A gateway that is named and cannot be asked, or serves another state, is not replaced by us.
#[test]
fn a_cleanup_by_a_named_gateway_is_done_by_that_one_or_not_at_all() {
    let port = closed_port();
    let (world, main) = owned(populate);
    std::fs::write(world.home().join("token"), TOKEN).unwrap();
    let before = Tree::of(main.dir());
    let url = format!("ws://127.0.0.1:{port}");
    let line = format!("sessions cleanup --enforce --json --gateway-url {url} --gateway-token-file token");
    let _ = world.line(&line).exits(11).silent().says("nothing listens");
    let says = Says { state_dir: "/home/remote/.openclaw".into(), elsewhere: true, ..Says::of(&world) };
    let other = Scripted::start(says, port, |method, _| {
        assert_eq!(method, "sessions.list", "it is not asked to clean up");
        Reply::Result(json!({"ts": 1, "count": 1, "sessions": [{"key": "agent:main:x", "sessionId": id(99)}]}))
    });
    let _ = world.line(&line).exits(11).silent().says("serves another state");
    assert_eq!(other.cleanups(), [] as [Value; 0]);
    before.is_still(main.dir());
    // One that serves this state does it, wherever it listens.
    let port = closed_port();
    let gateway = Scripted::start(Says::of(&world), port, |_, _| Reply::Result(json!({"agentId": "main"})));
    let _ = world.line(&line.replace(&url, &format!("ws://127.0.0.1:{port}"))).exits(0).has("/executor", "gateway");
    assert_eq!(gateway.cleanups().len(), 1);
}

/// Answers that real gateways of both generations gave.
#[test]
fn recorded_lists_of_both_generations_are_shown() {
    for (version, count, state) in [("2026.5.12", 3, "sessions.json"), ("2026.9.6", 0, "openclaw-agent.sqlite")] {
        let port = closed_port();
        let (world, _main) = away(port);
        let list = recorded(version, "sessions-list", "sessions.list");
        let described = recorded(version, "sessions-preview-describe-resolve", "sessions.describe");
        let says = Says { elsewhere: true, ..Says::of(&world) };
        let _gateway = Scripted::start(says, port, move |method, _| match method {
            "agents.list" => Reply::Result(json!({"defaultId": "main", "mainKey": "main", "scope": "per-sender",
                "agents": [{"id": "main", "workspace": "/home/user/.openclaw/workspace"}]})),
            "sessions.list" => Reply::Result(list.clone()),
            "sessions.describe" => Reply::Result(described.clone()),
            _ => Reply::Error("INVALID_REQUEST", "No session found: x", json!(null)),
        });
        let out = world.line("sessions list --json").exits(0).has("/count", count).has("/source", "gateway");
        assert!(out.json()["path"].as_str().unwrap().ends_with(state));
        let shown = world.line("sessions show --json agent:main:main");
        if count == 0 {
            let _ = shown.exits(1).says("knows no session");
            continue;
        }
        let _ = shown.exits(0).has("/row/tokens/total", 15.0).has("/row/model", "gpt-5.5");
        let row = &out.json()["sessions"][1];
        assert_eq!(row["key"], "agent:main:telegram:direct:42");
        assert_eq!((&row["totalTokens"], &row["modelProvider"]), (&json!(15), &json!("openai")));
        assert_eq!(out.json()["sessions"][2]["kind"], "group");
    }
}

/// The answer to the first request of a method in a recording.
fn recorded(version: &str, name: &str, method: &str) -> Value {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/gateway").join(version);
    let text = std::fs::read_to_string(dir.join(format!("{name}.jsonl"))).unwrap();
    let frames: Vec<Value> = text.lines().map(|l| serde_json::from_str::<Value>(l).unwrap()["frame"].take()).collect();
    let request = frames.iter().find(|f| f["method"] == method).unwrap();
    frames.iter().find(|f| f["type"] == "res" && f["id"] == request["id"]).unwrap()["payload"].clone()
}
