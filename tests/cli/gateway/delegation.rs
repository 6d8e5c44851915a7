//! `sessions cleanup` done by the gateway that owns the state.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::scripted::{Reply, Says, Scripted, TOKEN, clean_up, owned};
use crate::common::{DAY, Folder, HOUR, Tree, World, id, names};

const CLEANUP: &str = "sessions cleanup --enforce --json";
const STALE: &str = "agent:main:subagent:stale";
const TOPIC: &str = "agent:main:telegram:group:7:topic:9";

fn populate(main: &Folder) {
    main.session("agent:main:main", 1, HOUR)
        .session(STALE, 2, 60 * DAY)
        .session(TOPIC, 3, 60 * DAY)
        .transcript(4, 60 * DAY)
        .archive(5, "deleted", 3 * DAY)
        .trajectory(2, 60 * DAY);
}

/// A gateway that takes what a 5.12 would: the stale row, and the orphan for good.
fn usual(world: &World, main: &Folder) -> Scripted {
    let (dir, now) = (main.dir().to_owned(), world.now());
    Scripted::start(Says::of(world), world.port(), move |_, _| {
        let trajectory = format!("{}.trajectory.jsonl", id(2));
        Reply::Result(clean_up(&dir, now, &[STALE], &[format!("{}.jsonl", id(4)), trajectory]))
    })
}

#[test]
fn the_gateway_does_it_and_what_went_is_told_by_name() {
    let (world, main) = owned(populate);
    let gateway = usual(&world, &main);
    let out = world.line(CLEANUP).exits(0).has("/executor", "gateway").has("/gateway/version", "2026.5.12");
    let out = out.has("/pruned", 1).has("/beforeCount", 3).has("/afterCount", 2).has("/gateway/result/pruned", 1);
    assert_eq!(
        gateway.cleanups(),
        [json!({"enforce": true, "fixMissing": false, "fixDmScope": false, "agent": "main"})]
    );
    let decisions = out.json()["decisions"].as_array().unwrap().clone();
    let of = |what: &str| -> Vec<Value> {
        let text = |d: &Value| d["key"].as_str().or(d["path"].as_str()).unwrap_or_default().to_owned();
        decisions.iter().filter(|d| text(d).contains(what)).cloned().collect()
    };
    assert_eq!(of(STALE)[0]["reason"], "stale");
    assert_eq!(of(&format!("{}.jsonl", id(2)))[0]["reason"], "session-removed");
    assert_eq!(of(&format!("{}.jsonl", id(4)))[0]["reason"], "orphan-history");
    assert!(main.keys().contains(&TOPIC.to_owned()));
    // Nothing of ours but the record: no link to anything that is still there.
    let run = out.json()["runId"].as_str().unwrap().to_owned();
    let kept = names(&main.path(&format!(".clawkeep/runs/{run}/files")));
    assert_eq!(kept.len(), 3, "the transcript, the orphan and the trajectory: {kept:?}");
    let text = world.line("sessions runs").exits(0).stdout;
    assert!(text.contains(&run), "{text}");
    let _ = world.line("sessions cleanup --enforce").ends().says("Done by the gateway 2026.5.12");
}

#[test]
fn what_the_gateway_took_comes_back_when_it_is_stopped() {
    let (world, main) = owned(populate);
    let before = std::fs::read(main.path(&format!("{}.jsonl", id(4)))).unwrap();
    let index = std::fs::read_to_string(main.index()).unwrap();
    let gateway = usual(&world, &main);
    let run = world.line(CLEANUP).exits(0).json()["runId"].as_str().unwrap().to_owned();
    let _ = world.line("sessions undo --yes").exits(11).says("live-gateway");
    drop(gateway);
    // The scripted gateway's port stays open; a port of nobody stands for a gateway that was stopped.
    let world = world.var("OPENCLAW_GATEWAY_PORT", crate::common::closed_port().to_string());
    let _ = world.line(&format!("sessions undo {run} --yes --json")).exits(0);
    let value: Value = serde_json::from_str(&std::fs::read_to_string(main.index()).unwrap()).unwrap();
    assert_eq!(value, serde_json::from_str::<Value>(&index).unwrap());
    assert!(main.is_live(2) && !main.is_archived(2));
    assert_eq!(std::fs::read(main.path(&format!("{}.jsonl", id(4)))).unwrap(), before);
    assert!(main.has(&format!("{}.trajectory.jsonl", id(2))));
}

#[test]
fn one_session_that_the_gateway_took_can_be_found_again() {
    let (world, main) = owned(populate);
    let _gateway = usual(&world, &main);
    let _ = world.line(CLEANUP).exits(0);
    let out = world.line(&format!("sessions restore {} --list", id(4))).exits(0);
    assert!(out.stdout.contains(&id(4)), "{}", out.picture());
}

#[test]
fn what_goes_by_a_rule_of_the_gateways_own_is_said_to() {
    let (world, main) = owned(populate);
    let (dir, now) = (main.dir().to_owned(), world.now());
    let _gateway =
        Scripted::start(Says::of(&world), world.port(), move |_, _| Reply::Result(clean_up(&dir, now, &[TOPIC], &[])));
    let out = world.line(CLEANUP).exits(0);
    let decisions = out.json()["decisions"].as_array().unwrap().clone();
    let topic = decisions.iter().find(|d| d["key"] == TOPIC).unwrap();
    assert_eq!(topic["reason"], "gateway-took");
    assert_eq!(out.json()["kept"]["gateway-left"]["rows"], 1, "the stale row was left\n{}", out.picture());
}

#[test]
fn a_dry_run_warn_mode_files_only_and_a_named_store_send_no_frame() {
    let (world, main) = owned(populate);
    let gateway = usual(&world, &main);
    let _ = world.line("sessions cleanup --enforce --dry-run --json").exits(0).has("/executor", "local");
    let _ = world.line("sessions cleanup --json").exits(0);
    let _ = world.line("sessions cleanup --enforce --json --store {store}").exits(11).says("live-gateway");
    let _ = world.line("sessions cleanup --enforce --json --files-only").exits(0);
    assert_eq!(gateway.requests(), [], "nothing was to be asked");
    assert_eq!(main.keys().len(), 3);
}

#[test]
fn options_without_a_parameter_are_refused_before_anything_is_sent() {
    let (world, main) = owned(populate);
    let gateway = usual(&world, &main);
    let before = Tree::of(&world.state());
    for (option, named) in [
        ("--keep agent:main:subagent:*", "--keep"),
        ("--prune-after 10d", "--prune-after 10d"),
        ("--max-entries 5", "--max-entries"),
        ("--max-disk 1gb", "--max-disk"),
        ("--deleted-retention 10d", "--deleted-retention"),
        ("--grace 0", "--grace"),
        ("--max-remove 10", "--max-remove"),
        ("--archive-to /archive", "--archive-to"),
        ("--active-key a --active-key b", "--active-key more than once"),
    ] {
        let _ = world.line(&format!("{CLEANUP} {option}")).exits(11).silent().says(named).says("--files-only");
    }
    assert_eq!(gateway.cleanups(), [] as [Value; 0]);
    before.is_still(&world.state());
    let _ = world.line(&format!("{CLEANUP} --active-key {TOPIC} --fix-missing")).exits(0);
    let params = &gateway.cleanups()[0];
    assert_eq!((&params["activeKey"], &params["fixMissing"]), (&json!(TOPIC), &json!(true)));
}

#[test]
fn a_kept_row_that_the_gateway_would_take_stops_the_call() {
    let (world, main) = owned(populate);
    let gateway = usual(&world, &main);
    std::fs::write(world.state().join("clawkeep.json5"), "{keep: ['*:stale']}").unwrap();
    let _ = world.line(CLEANUP).exits(11).says(STALE).says("keep pattern");
    std::fs::write(world.state().join("clawkeep.json5"), "{keep: ['*:main']}").unwrap();
    assert_eq!(gateway.cleanups().len(), 0);
    let _ = world.line(CLEANUP).exits(0);
}

#[test]
fn a_doubted_or_damaged_index_stops_the_call() {
    let (world, main) = owned(|main| {
        main.session("agent:main:main", 1, HOUR);
        for n in 100..130 {
            main.transcript(n, DAY);
        }
    });
    let gateway = usual(&world, &main);
    let _ = world.line(CLEANUP).exits(4).silent().says("suspect-index");
    std::fs::write(main.index(), "{\"cut\":").unwrap();
    let _ = world.line(CLEANUP).fails().silent();
    assert_eq!(gateway.cleanups().len(), 0);
    assert!(!main.has(".clawkeep"), "nothing was written");
}

fn refused(says: impl FnOnce(&mut Says), reply: fn() -> Reply) -> (World, Folder, Scripted) {
    let (world, main) = owned(populate);
    let mut what = Says::of(&world);
    says(&mut what);
    let gateway = Scripted::start(what, world.port(), move |_, _| reply());
    (world, main, gateway)
}

#[test]
fn a_gateway_that_cannot_be_asked_is_not_worked_around() {
    let nothing: fn() -> Reply = || Reply::Result(json!({}));
    for (says, words) in [
        (Box::new(|s: &mut Says| s.scopes = vec![]) as Box<dyn FnOnce(&mut Says)>, "operator.admin"),
        (Box::new(|s: &mut Says| s.methods = vec!["health"]), "sessions.cleanup"),
    ] {
        let (world, main, gateway) = refused(says, nothing);
        let before = Tree::of(&world.state());
        let _ = world.line(CLEANUP).exits(11).silent().says(words);
        assert_eq!(gateway.cleanups().len(), 0);
        before.is_still(&world.state());
        assert_eq!(main.keys().len(), 3);
    }
    let (world, _, gateway) = refused(|_| (), nothing);
    let world = world.var("OPENCLAW_GATEWAY_TOKEN", "wrong-secret");
    let before = Tree::of(&world.state());
    let _ = world.line(CLEANUP).exits(11).silent().says("OPENCLAW_GATEWAY_TOKEN").hides("wrong-secret").hides(TOKEN);
    assert_eq!(gateway.requests().len(), 0);
    before.is_still(&world.state());
}

#[test]
fn a_gateway_of_another_state_does_not_hinder_us_and_is_not_asked() {
    let other = World::new();
    let there = other.agent("main");
    there.session("agent:main:other", 77, HOUR).save();
    let (world, main, gateway) = refused(|says| says.state_dir = other.state(), || Reply::Result(json!({})));
    let _ = world.line(CLEANUP).exits(0).has("/executor", "local").has("/pruned", 1);
    assert_eq!(gateway.cleanups().len(), 0);
    assert!(!main.keys().contains(&STALE.to_owned()));
}

#[test]
fn a_gateway_of_which_nothing_can_be_told_is_left_alone() {
    let (world, main, gateway) = refused(|says| says.state_dir = PathBuf::from("/nowhere"), || Reply::Close);
    let before = Tree::of(&world.state());
    let _ = world.line(CLEANUP).exits(11).silent().says("--gateway-state-dir");
    assert_eq!(gateway.cleanups().len(), 0);
    before.is_still(&world.state());
    assert_eq!(main.keys().len(), 3);
}

#[test]
fn an_error_of_the_gateway_is_an_error_and_leaves_no_trace() {
    let reply = || Reply::Error("INVALID_REQUEST", "Unknown agent id \"main\".", Value::Null);
    let (world, main, _gateway) = refused(|_| (), reply);
    let _ = world.line(CLEANUP).exits(1).silent().says("Unknown agent id");
    assert!(names(&main.path(".clawkeep/runs")).is_empty());
    let reply = || Reply::Error("UNAVAILABLE", "gateway starting", Value::Null);
    let (world, ..) = refused(|_| (), reply);
    let _ = world.line(CLEANUP).exits(11).silent();
}

#[test]
fn a_part_of_it_is_partial() {
    let reply = || {
        let partial = json!({"failingAgentId": "main", "message": "disk I/O error", "lifecycleCommitted": true});
        Reply::Error("INVALID_REQUEST", "cleanup failed", json!({"pruned": 1, "partialError": partial}))
    };
    let (world, ..) = refused(|_| (), reply);
    let _ = world.line(CLEANUP).exits(3).has("/gateway/result/partialError/message", "disk I/O error");
    let _ = world.line("sessions cleanup --enforce").exits(3).says("disk I/O error");
}

#[test]
fn after_the_request_was_sent_a_loss_is_an_unknown_outcome() {
    let (world, main) = owned(populate);
    let (dir, now) = (main.dir().to_owned(), world.now());
    // It does the work, and nobody hears of it.
    let gateway = Scripted::start(Says::of(&world), world.port(), move |_, _| {
        clean_up(&dir, now, &[STALE], &[format!("{}.jsonl", id(4))]);
        Reply::Close
    });
    let out = world.line(CLEANUP).exits(11).silent().says("outcome unknown").says("sessions undo");
    assert_eq!(gateway.cleanups().len(), 1, "it is not asked again\n{}", out.picture());
    // While it may still be at it nobody else begins.
    let _ = world.line(CLEANUP).exits(11).silent().says("may still be at it");
    assert_eq!(gateway.cleanups().len(), 1);
    // Stopped: the run is settled, and undone.
    let world = world.var("OPENCLAW_GATEWAY_PORT", crate::common::closed_port().to_string());
    let _ = world.line("sessions undo --yes --json").exits(0);
    assert!(main.keys().contains(&STALE.to_owned()));
    assert!(main.is_live(2) && main.is_live(4) && !main.is_archived(2));
}

#[test]
fn no_answer_in_time_is_an_unknown_outcome_too() {
    let (world, main) = owned(populate);
    let gateway = Scripted::start(Says::of(&world), world.port(), |_, _| Reply::Nothing);
    let world = world.var("CLAWKEEP_TEST_GATEWAY_DEADLINES_MS", "2000,2000,700,700");
    let _ = world.line(CLEANUP).exits(11).silent().says("outcome unknown");
    assert_eq!(gateway.cleanups().len(), 1);
    assert_eq!(main.keys().len(), 3);
    // Nothing had happened: the next run, of ours, closes it without a trace of its links.
    let world = world.var("OPENCLAW_GATEWAY_PORT", crate::common::closed_port().to_string());
    let _ = world.line(CLEANUP).exits(0).has("/executor", "local").has("/pruned", 1);
    assert!(clawkeep::journal::read::unfinished(main.dir()).unwrap().is_empty());
}

#[test]
fn two_clawkeeps_and_a_gateway_are_never_two_writers() {
    let (world, main) = owned(|main| {
        populate(main);
        for n in 100..200 {
            main.session(&format!("agent:main:subagent:{n}"), n, 60 * DAY);
        }
    });
    let (dir, now, busy) = (main.dir().to_owned(), world.now(), std::sync::Mutex::new(()));
    let gateway = Scripted::start(Says::of(&world), world.port(), move |_, _| {
        let Ok(_alone) = busy.try_lock() else {
            return Reply::Error("INVALID_REQUEST", "two at once", Value::Null);
        };
        let keys: Vec<String> = (100..200).map(|n| format!("agent:main:subagent:{n}")).collect();
        let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
        Reply::Result(clean_up(&dir, now, &keys, &[]))
    });
    let runs: Vec<_> = std::thread::scope(|scope| {
        let start = || scope.spawn(|| world.line(&format!("{CLEANUP} --wait 60s")));
        [start(), start()].into_iter().map(|run| run.join().unwrap()).collect()
    });
    for run in &runs {
        let _ = run.clone().exits(0);
        assert!(!run.stdout.contains("two at once"), "{}", run.picture());
    }
    assert_eq!(gateway.cleanups().len(), 2);
    assert!((100..200).all(|n| main.is_archived(n)));
    assert_eq!(main.keys().len(), 3);
}

/// The gateway is elsewhere: nothing here is looked at, and its answer is all there is.
#[test]
fn in_remote_mode_the_remote_gateway_does_it() {
    let (world, main) = owned(populate);
    let here = Tree::of(main.dir());
    let mut says = Says::of(&world);
    says.state_dir = PathBuf::from("/home/remote/.openclaw");
    let gateway = Scripted::start(says, world.port(), |_, _| {
        Reply::Result(json!({"allAgents": true, "mode": "enforce", "pruned": 7, "stores": []}))
    });
    let url = format!("ws://127.0.0.1:{}", world.port());
    world.config(&json!({
        "gateway": {"mode": "remote", "remote": {"url": url, "token": TOKEN}},
        "agents": {"list": [{"id": "main"}, {"id": "ops"}]},
    }));
    let _ = world.line("sessions cleanup --json").exits(11).silent().says("no dry run").says("--store");
    let _ = world.line("sessions cleanup --enforce --dry-run --json").exits(11).silent().says("remote");
    assert_eq!(gateway.requests(), []);
    let _ = world.line(CLEANUP).exits(0).has("/executor", "gateway").has("/pruned", 7).has("/gateway/undoable", false);
    let _ = world.line(&format!("{CLEANUP} --all-agents")).exits(0);
    let _ = world.line(&format!("{CLEANUP} --agent ops")).exits(0);
    let asked: Vec<Value> = gateway.cleanups();
    assert_eq!((&asked[0]["agent"], &asked[0]["allAgents"]), (&Value::Null, &Value::Null));
    assert_eq!(asked[1]["allAgents"], true);
    assert_eq!(asked[2]["agent"], "ops");
    assert_eq!(asked.len(), 3);
    here.is_still(main.dir());
    // Leftovers here, when they are named: a run of our own, beside whatever listens on this host.
    let _ = world.line("sessions cleanup --store {store} --json").exits(0).has("/executor", "local");
}

/// A configured agent that has never been used is no failure.
#[test]
fn an_agent_without_a_store_is_absent() {
    let (world, main) = owned(populate);
    world.config(&json!({"agents": {"list": [{"id": "main"}, {"id": "idle"}]}}));
    let gateway = usual(&world, &main);
    let out = world.line(&format!("{CLEANUP} --all-agents")).exits(0);
    let json = out.json();
    assert_eq!(json["stores"][0]["executor"], "gateway");
    assert_eq!(json["stores"][1]["storeSkipped"]["reason"], "absent");
    assert_eq!(gateway.cleanups().len(), 1);
}

/// What a delegated cleanup costs beyond the call itself, on a gateway that answers at once: printed, not judged.
#[test]
#[ignore = "a figure for people"]
fn figure_of_the_own_cost_of_a_call() {
    const RUNS: usize = 15;
    for sessions in [10_u64, 1000] {
        let (world, main) = owned(|main| {
            main.session("agent:main:main", 1, HOUR);
            for n in 100..100 + sessions {
                main.session(&format!("agent:main:webchat:{n}"), n, DAY);
            }
        });
        let dir = main.dir().to_owned();
        let _gateway = Scripted::start(Says::of(&world), world.port(), move |_, _| {
            Reply::Result(json!({"agentId": "main", "pruned": 0, "storePath": dir.join("sessions.json")}))
        });
        let median = |line: &str| {
            let one = || {
                let begun = std::time::Instant::now();
                let _ = world.line(line).exits(0);
                begun.elapsed()
            };
            let mut times: Vec<_> = (0..RUNS).map(|_| one()).collect();
            times.sort();
            times[RUNS / 2]
        };
        let plan = median("sessions cleanup --enforce --dry-run --json");
        let call = median(CLEANUP);
        let scratch = world.folder("links");
        let begun = std::time::Instant::now();
        for (n, entry) in names(main.dir()).iter().enumerate() {
            std::fs::hard_link(main.path(entry), scratch.path(&n.to_string())).unwrap();
        }
        for n in 0..names(main.dir()).len() {
            std::fs::remove_file(scratch.path(&n.to_string())).unwrap();
        }
        let links = begun.elapsed();
        println!(
            "delegated cleanup, {sessions} sessions: dry run {plan:.1?}, through the gateway {call:.1?}; links made and \
             dropped {links:.1?}; own cost {:.1?}",
            call.saturating_sub(plan).saturating_sub(links)
        );
    }
}
