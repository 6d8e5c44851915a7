//! Beside real gateways and through them. Ignored by default: a start takes from 10 s to minutes. `.ci/run` runs those
//! whose name begins with `quick`, `scripts/full-proof` all.

use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};

use super::real::{NEW, OLD, Peer, Running, peer};
use super::scripted::TOKEN;
use super::spoken_to::speaks;
use crate::common::{DAY, Folder, HOUR, Output, Tree, World};

const CLEANUP: &str = "sessions cleanup --enforce --json";
const STALE: std::ops::Range<u64> = 10..15;

fn world() -> (World, Folder) {
    world_with(0)
}

/// A world whose session ids begin after `first`.
fn world_with(first: u64) -> (World, Folder) {
    let world = World::new();
    let tmp = world.home().join("tmp");
    std::fs::create_dir_all(&tmp).unwrap();
    let world = world.var("OPENCLAW_GATEWAY_TOKEN", TOKEN).var("TMPDIR", tmp);
    let main = world.agent("main");
    main.session("agent:main:main", first + 1, HOUR).session("agent:main:telegram:direct:2", first + 2, DAY);
    for n in STALE {
        main.session(&stale(n), first + n, 60 * DAY);
    }
    main.save();
    main.transcript(20, 60 * DAY).checkpoint(1, 21, 60 * DAY).archive(22, "deleted", 60 * DAY).transcript(23, 2 * DAY);
    (world, main)
}

fn each_stale(holds: impl Fn(u64) -> bool) -> bool {
    STALE.into_iter().all(holds)
}

fn stale(n: u64) -> String {
    format!("agent:main:subagent:{n}")
}

/// The gateway prunes on every write of its own unless it is told not to.
fn quiet() -> Value {
    json!({"session": {"maintenance": {"mode": "warn", "pruneAfter": "30d"}}})
}

/// No row leads to a file that is not there.
#[track_caller]
fn rows_have_files(main: &Folder) {
    let root: Value = serde_json::from_slice(&std::fs::read(main.index()).unwrap()).unwrap();
    for (key, row) in root.as_object().unwrap() {
        let name = format!("{}.jsonl", row["sessionId"].as_str().unwrap());
        assert!(main.has(&name), "{key} leads to {name}, which is not there");
    }
}

fn label(gateway: &Running, key: &str, label: &str) {
    gateway.call("sessions.patch", &json!({"key": key, "label": label}));
}

fn label_of(main: &Folder, key: &str) -> Value {
    let root: Value = serde_json::from_slice(&std::fs::read(main.index()).unwrap()).unwrap();
    root[key]["label"].clone()
}

#[test]
#[ignore = "starts a real gateway"]
fn quick_old_generation() {
    let Some(peer) = peer(OLD) else { return };
    let (world, main) = world();
    let gateway = peer.start(&world, &quiet());
    let world = speaks(world, OLD);
    // A dry run asks nobody, a named store beside a live gateway is refused, and neither changes a byte.
    let before = Tree::of(&world.state().join("agents"));
    let _ = world.line("sessions cleanup --enforce --dry-run --json").exits(0).has("/pruned", 5);
    let _ = world.line("sessions cleanup --enforce --store {store}").exits(11).says("live-gateway");
    before.is_still(&world.state().join("agents"));

    is_listed_from_elsewhere(&world, &gateway, "sessions.json");
    files_only_while_it_writes(&world, &main, &gateway);

    // It does the cleanup, and its own list agrees.
    let out = world.line(CLEANUP).exits(0).has("/executor", "gateway").has("/gateway/version", OLD).has("/pruned", 5);
    let keys = gateway.keys();
    assert!(each_stale(|n| !keys.contains(&stale(n))), "{keys:?}");
    assert!(keys.contains(&"agent:main:telegram:direct:2".to_owned()));
    assert!(each_stale(|n| !main.keys().contains(&stale(n)) && !main.is_live(n)));
    rows_have_files(&main);
    assert_eq!(out.json()["decisions"].as_array().unwrap().len(), 10, "five rows with their files, by name");
    let _ = world.line("sessions undo --yes").exits(11).says("stop the gateway");

    gateway.stop();
    let _ = world.line("sessions undo --yes").exits(0);
    assert!(each_stale(|n| main.keys().contains(&stale(n)) && main.is_live(n)));
    rows_have_files(&main);

    // It comes back, and knows them again.
    let gateway = peer.start_as_configured(&world);
    let keys = gateway.keys();
    assert!(each_stale(|n| keys.contains(&stale(n))), "{keys:?}");
}

/// What is listed from elsewhere is what the gateway lists itself.
fn is_listed_from_elsewhere(world: &World, gateway: &Running, store: &str) {
    std::fs::write(world.home().join("token"), TOKEN).unwrap();
    let reach = format!("--json --gateway-url ws://127.0.0.1:{} --gateway-token-file token", world.port());
    let all = world.line(&format!("sessions list --limit all {reach}")).exits(0).has("/source", "gateway").hides(TOKEN);
    assert!(all.json()["path"].as_str().unwrap().ends_with(store), "{}", all.picture());
    let (mut ours, mut theirs) = (keys_of(&all), gateway.keys());
    ours.sort();
    theirs.sort();
    assert_eq!(ours, theirs);
    let cut = world.line(&format!("sessions list --limit 1 {reach}")).exits(0).has("/hasMore", true);
    let _ = cut.has("/totalCount", theirs.len()).has("/count", 1);
    for agent in ["--agent main", "--all-agents"] {
        let _ = world.line(&format!("sessions list {agent} {reach}")).exits(0).has("/totalCount", theirs.len());
    }
    let _ = world.line(&format!("sessions list --agent nope {reach}")).exits(2).silent().says("has no agent");
    let key = "agent:main:telegram:direct:2";
    let by_key = world.line(&format!("sessions show {key} {reach}")).exits(0).has("/row/key", key);
    let id = by_key.json()["row"]["sessionId"].as_str().unwrap().to_owned();
    let _ = world.line(&format!("sessions show {id} {reach}")).exits(0).has("/row/key", key);
    let _ = world.line(&format!("sessions show nothing {reach}")).exits(1).silent().says("knows no session");
}

fn keys_of(list: &Output) -> Vec<String> {
    list.json()["sessions"].as_array().unwrap().iter().map(|s| s["key"].as_str().unwrap().to_owned()).collect()
}

fn files_only_while_it_writes(world: &World, main: &Folder, gateway: &Running) {
    let done = AtomicBool::new(false);
    let (runs, writes) = std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            let mut writes = 0;
            while !done.load(Ordering::SeqCst) || writes == 0 {
                writes += 1;
                label(gateway, "agent:main:telegram:direct:2", &format!("write {writes}"));
            }
            writes
        });
        let runs: Vec<Output> = (0..5).map(|_| world.line("sessions cleanup --files-only --enforce --json")).collect();
        done.store(true, Ordering::SeqCst);
        (runs, writer.join().unwrap())
    });
    for run in runs {
        let _ = run.exits(0);
    }
    assert_eq!(label_of(main, "agent:main:telegram:direct:2"), format!("write {writes}"), "an update was lost");
    assert!(main.is_archived(20) && main.is_live(23), "the old orphan went, the young one stays");
    assert!(main.of_session(22, "").is_empty() && main.of_session(1, ".checkpoint").is_empty());
    assert_eq!(main.keys().len(), 7);
    rows_have_files(main);
}

#[test]
#[ignore = "starts a real gateway"]
fn quick_new_generation() {
    let Some(peer) = peer(NEW) else { return };
    let (world, _) = world();
    let gateway = peer.start(&world, &json!({"session": {"maintenance": {"mode": "warn", "pruneAfter": "30d"}}}));
    let world = speaks(world, NEW);
    let before = gateway.keys();
    assert!(each_stale(|n| before.contains(&stale(n))), "imported: {before:?}");
    is_listed_from_elsewhere(&world, &gateway, ".sqlite");
    let out = world.line(CLEANUP).exits(0).has("/executor", "gateway").has("/gateway/version", NEW);
    let out = out.has("/gateway/undoable", false).has("/pruned", 5);
    let after = gateway.keys();
    assert!(each_stale(|n| !after.contains(&stale(n))), "{after:?}\n{}", out.picture());
    assert!(after.contains(&"agent:main:telegram:direct:2".to_owned()));
    // Of a leftover of the older generation it is not asked to do anything.
    let _ = world.line("sessions cleanup --enforce --store {store}").fails();
    gateway.stop();
}

/// Two runs of ours, and the gateway writes: each run is done by the gateway, one after the other, and no update is lost.
#[test]
#[ignore = "starts a real gateway"]
fn two_runs_and_a_gateway_at_once_are_one_writer() {
    let Some(peer) = peer(OLD) else { return };
    let (world, main) = world();
    let gateway = peer.start(&world, &quiet());
    let done = AtomicBool::new(false);
    let (runs, writes) = std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            let mut writes = 0;
            while !done.load(Ordering::SeqCst) || writes == 0 {
                writes += 1;
                label(&gateway, "agent:main:telegram:direct:2", &format!("write {writes}"));
            }
            writes
        });
        let start = || scope.spawn(|| world.line(&format!("{CLEANUP} --wait 120s")));
        let runs: Vec<Output> = [start(), start()].into_iter().map(|run| run.join().unwrap()).collect();
        done.store(true, Ordering::SeqCst);
        (runs, writer.join().unwrap())
    });
    let mut pruned = 0;
    for run in &runs {
        let run = run.clone().exits(0).has("/executor", "gateway");
        pruned += run.json()["gateway"]["result"]["pruned"].as_u64().unwrap();
    }
    assert_eq!(pruned, 5, "by one of them, not by both");
    assert_eq!(label_of(&main, "agent:main:telegram:direct:2"), format!("write {writes}"), "an update was lost");
    rows_have_files(&main);
    lists_what_is_there(&gateway, &main);
    gateway.stop();
    let _ = world.line("sessions undo --yes").exits(0);
    assert!(each_stale(|n| main.keys().contains(&stale(n)) && main.is_live(n)));
    rows_have_files(&main);
}

/// A gateway of another home on the port of ours: it is not asked, and does not hinder us.
#[test]
#[ignore = "starts a real gateway"]
fn a_gateway_of_another_state_is_not_asked() {
    let Some(peer) = peer(OLD) else { return };
    let (other, theirs) = world();
    let gateway = peer.start(&other, &quiet());
    let keys = theirs.keys();
    let tree = Tree::of(theirs.dir());
    let on_their_port = |world: World| world.var("OPENCLAW_GATEWAY_PORT", other.port().to_string());
    let (ours, main) = world_with(5000);
    let ours = on_their_port(ours);
    let _ = ours.line(CLEANUP).exits(0).has("/executor", "local").has("/pruned", 5);
    assert_eq!(main.keys().len(), 2);
    // A copy of that home has the same sessions: which is the original cannot be told.
    let (copy, main) = world();
    let copy = on_their_port(copy);
    let _ = copy.line(CLEANUP).exits(11).silent().says("not known");
    assert_eq!(main.keys().len(), 7);
    assert_eq!(theirs.keys(), keys);
    tree.is_still(theirs.dir());
    drop(gateway);
}

/// The gateway dies with our request in its socket.
#[test]
#[ignore = "starts a real gateway"]
fn a_gateway_that_dies_in_the_call_leaves_an_unknown_outcome_that_is_settled_later() {
    let Some(peer) = peer(OLD) else { return };
    let (world, main) = world();
    let gateway = std::cell::RefCell::new(Some(peer.start(&world, &quiet())));
    let stop = || gateway.borrow().as_ref().unwrap().signal("STOP");
    let out = paused(&world, CLEANUP, "before-call", stop, || gateway.take().unwrap().kill());
    let _ = out.exits(11).silent().says("outcome unknown").says("sessions undo");
    assert_eq!(main.keys().len(), 7, "it had not begun");
    let _ = world.line("sessions runs").exits(0);
    let _ = world.line(CLEANUP).exits(0).has("/executor", "local").has("/pruned", 5);
    rows_have_files(&main);
}

/// A gateway that is stopped while it is asked.
#[test]
#[ignore = "starts a real gateway"]
fn a_gateway_that_is_stopped_before_the_call_is_not_replaced_by_us() {
    let Some(peer) = peer(OLD) else { return };
    let (world, main) = world();
    let gateway = peer.start(&world, &quiet());
    let out = paused(&world, CLEANUP, "before-call", || gateway.stop(), || ());
    let _ = out.exits(11).silent();
    assert_eq!(main.keys().len(), 7);
    let _ = world.line(CLEANUP).exits(0).has("/executor", "local").has("/pruned", 5);
}

/// Starts a run that stops at `point`; `meanwhile` is done there; `after` once it has been let go.
fn paused(world: &World, line: &str, point: &str, meanwhile: impl FnOnce(), after: impl FnOnce()) -> Output {
    let gate = world.home().join("gate");
    let reached = world.home().join("gate.reached");
    let out = std::thread::scope(|scope| {
        let run = scope.spawn(|| {
            let mut command = world.command(line.split_whitespace());
            command.env("CLAWKEEP_PAUSE_AT", format!("{point}:{}", gate.display()));
            world.finish(command)
        });
        while !reached.exists() {
            assert!(!run.is_finished(), "it did not get to {point}: {}", run.join().unwrap().picture());
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        meanwhile();
        std::fs::write(&gate, "").unwrap();
        std::thread::sleep(std::time::Duration::from_millis(300));
        after();
        run.join().unwrap()
    });
    let _ = (std::fs::remove_file(&gate), std::fs::remove_file(&reached));
    out
}

/// A real gateway starts while a run of ours is paused, and writes; then the run goes on.
fn started_at(point: &str, judge: impl FnOnce(&World, &Folder, &Output, &Peer, Running)) {
    let Some(peer) = peer(OLD) else { return };
    let (world, main) = world();
    world.config(&with_gateway(&world));
    let running = std::cell::RefCell::new(None);
    let out = paused(
        &world,
        CLEANUP,
        point,
        || {
            let gateway = peer.start_as_configured(&world);
            label(&gateway, "agent:main:telegram:direct:2", "written meanwhile");
            running.replace(Some(gateway));
        },
        || (),
    );
    let gateway = running.into_inner().unwrap();
    rows_have_files(&main);
    assert_eq!(label_of(&main, "agent:main:telegram:direct:2"), "written meanwhile", "{}", out.picture());
    judge(&world, &main, &out, &peer, gateway);
    rows_have_files(&main);
    assert_eq!(label_of(&main, "agent:main:telegram:direct:2"), "written meanwhile", "the update was lost later");
}

fn with_gateway(world: &World) -> Value {
    let mut config = quiet();
    config["gateway"] = json!({"mode": "local", "port": world.port(), "bind": "loopback",
        "auth": {"mode": "token", "token": TOKEN}, "controlUi": {"enabled": false}});
    config["discovery"] = json!({"mdns": {"mode": "off"}});
    config["update"] = json!({"checkOnStart": false});
    config["models"] = json!({"pricing": {"enabled": false}});
    config
}

fn lists_what_is_there(gateway: &Running, main: &Folder) {
    let mut listed = gateway.keys();
    let mut there = main.keys();
    listed.sort();
    there.sort();
    assert_eq!(listed, there, "the gateway's own list differs from its index");
}

#[test]
#[ignore = "starts a real gateway"]
fn a_gateway_that_starts_before_the_swap_stops_the_run() {
    started_at("before-swap", |world, main, out, _, gateway| {
        let _ = out.clone().exits(11).silent();
        assert_eq!(main.keys().len(), 7, "no row went");
        assert!(each_stale(|n| main.is_live(n)));
        lists_what_is_there(&gateway, main);
        // And then it does it itself.
        let _ = world.line(CLEANUP).exits(0).has("/executor", "gateway").has("/pruned", 5);
        lists_what_is_there(&gateway, main);
    });
}

#[test]
#[ignore = "starts a real gateway"]
fn a_gateway_that_starts_between_swap_and_renames_keeps_every_file() {
    started_at("before-renames", |world, main, out, _, gateway| {
        let _ = out.clone().exits(3);
        assert_eq!(main.keys().len(), 2, "the rows went before it came");
        assert!(each_stale(|n| main.is_live(n)), "no file is taken beside it");
        lists_what_is_there(&gateway, main);
        gateway.stop();
        // The next run finishes that one; both can be put back.
        let _ = world.line(CLEANUP).exits(0);
        assert!(each_stale(|n| main.is_archived(n)));
        let runs = clawkeep::journal::read::list(main.dir()).unwrap();
        let first = runs.iter().find(|r| !r.rows.is_empty()).unwrap();
        let _ = world.line(&format!("sessions undo {} --yes", first.id)).exits(0);
        assert!(each_stale(|n| main.is_live(n) && main.keys().contains(&stale(n))));
    });
}

#[test]
#[ignore = "starts a real gateway"]
fn a_gateway_that_starts_after_the_renames_finds_a_whole_state() {
    started_at("after", |_, main, out, _, gateway| {
        let _ = out.clone().exits(0).has("/pruned", 5);
        assert!(each_stale(|n| main.is_archived(n)));
        lists_what_is_there(&gateway, main);
    });
}

/// A state that the gateway made from nothing reads as it stands: every row, no finding, nothing to take.
#[test]
#[ignore = "starts a real gateway"]
fn a_state_that_the_gateway_made_is_read_as_it_stands() {
    let Some(peer) = peer(OLD) else { return };
    let world = World::new();
    let tmp = world.home().join("tmp");
    std::fs::create_dir_all(&tmp).unwrap();
    let world = world.var("OPENCLAW_GATEWAY_TOKEN", TOKEN).var("TMPDIR", tmp);
    let gateway = peer.start(&world, &quiet());
    for key in ["agent:main:main", "agent:main:telegram:direct:7", "agent:main:telegram:group:-8"] {
        label(&gateway, key, &format!("label of {key}"));
    }
    let mut theirs = gateway.keys();
    gateway.stop();
    theirs.sort();
    assert_eq!(theirs.len(), 3, "{theirs:?}");

    let before = Tree::of(&world.state().join("agents"));
    let list = world.line("sessions list --limit all --json").exits(0).json();
    let mut ours: Vec<String> =
        list["sessions"].as_array().unwrap().iter().map(|s| s["key"].as_str().unwrap().to_owned()).collect();
    ours.sort();
    assert_eq!(ours, theirs);
    let _ = world.line("sessions cleanup --json").exits(0).has("/beforeCount", 3).has("/afterCount", 3);
    let check = world.line("sessions check --full --json").ends();
    assert!(
        check.json()["findings"].as_array().unwrap().iter().all(|f| f["severity"] != "error"),
        "{}",
        check.picture()
    );
    before.is_still(&world.state().join("agents"));
    let _ = world.line("sessions cleanup --enforce --json").exits(0).has("/appliedCount", 3);
    let _ = world.line("config validate").exits(0);
}
