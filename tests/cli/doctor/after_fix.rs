//! A fix is whole: a second one finds nothing, nothing that one rule moves is dropped by another, and the state is judged by
//! the configuration that the fix leaves.

use serde_json::{Value, json};

use crate::common::{DAY, HOUR, World, id};

fn fix(world: &World, more: &str) -> Value {
    world.line(&format!("doctor --fix --json {more}")).ends().json()
}

fn config(world: &World) -> Value {
    serde_json::from_slice(&std::fs::read(world.config_path()).unwrap()).unwrap()
}

fn of_rule<'v>(report: &'v Value, rule: &str) -> Vec<&'v Value> {
    report["found"].as_array().unwrap().iter().filter(|f| f["rule"] == rule).collect()
}

#[test]
fn what_a_rule_brings_to_a_place_is_migrated_there_by_the_same_fix() {
    for text in [
        r#"{"agent":{"model":"claude-cli/claude-opus-4-5"}}"#,
        r#"{"agent":{"sandbox":{"perSession":true}}}"#,
        r#"{"routing":{"agents":{"ops":{"sandbox":{"perSession":false},"agentRuntime":{"id":"x"}}}}}"#,
        r#"{"agent":{"model":"openai-codex/gpt-5.4"}}"#,
    ] {
        let world = World::new();
        world.config_text(text);
        assert_eq!(fix(&world, "--config-only")["changed"], true, "{text}");
        let once = config(&world);
        let second = fix(&world, "--config-only");
        assert_eq!(second["changed"], false, "{text}: {second:#}");
        assert_eq!(config(&world), once, "{text}");
        assert!(!once.to_string().contains("perSession"), "{once}");
    }
}

#[test]
fn dropping_unknown_keys_drops_none_that_a_rule_moves() {
    let world = World::new();
    world.config_text(r#"{"agent":{"sandbox":{"perSession":true},"model":"x/y"},"routing":{"agents":{"ops":{"sandbox":{"perSession":false}}}}}"#);
    let report = fix(&world, "--drop-unknown --config-only");
    let after = config(&world);
    assert_eq!(after["agents"]["defaults"]["sandbox"], json!({ "scope": "session" }), "{after:#}\n{report:#}");
    let ops = after["agents"]["list"].as_array().unwrap().iter().find(|a| a["id"] == "ops").unwrap();
    assert_eq!(ops["sandbox"], json!({ "scope": "shared" }));
}

#[test]
fn identity_goes_to_the_agent_that_is_the_default() {
    let world = World::new();
    world.config_text(
        r#"{"identity":{"name":"C"},"routing":{"agents":{"ops":{"workspace":"~/o"}},"defaultAgentId":"ops"}}"#,
    );
    let _ = fix(&world, "--config-only");
    assert_eq!(
        config(&world)["agents"]["list"],
        json!([{ "id": "ops", "workspace": "~/o", "default": true, "identity": { "name": "C" } }])
    );
}

#[test]
fn across_files_no_rule_goes_on_as_if_another_had_been_carried_out() {
    let world = World::new();
    world.config_text(r#"{"routing":{"groupChat":{"requireMention":false}},"channels":{"$include":"./inc.json5"}}"#);
    let include = world.state().join("inc.json5");
    let text = r#"{"telegram":{"groupMentionsOnly":true}}"#;
    std::fs::write(&include, text).unwrap();
    for _ in 0..2 {
        let report = fix(&world, "--config-only");
        assert_eq!(std::fs::read_to_string(&include).unwrap(), text, "{report:#}");
        assert_eq!(config(&world)["routing"]["groupChat"]["requireMention"], false, "{report:#}");
        let skipped = report["skipped"].as_array().unwrap();
        let telegram = skipped.iter().find(|s| s["rule"] == "telegram-mentions").unwrap();
        assert!(telegram["reason"].as_str().unwrap().contains("routing-groups"), "{report:#}");
    }
}

#[test]
fn a_key_of_one_file_is_added_because_of_what_another_says() {
    let world = World::new();
    world.config_text(r#"{"channels":{"$include":"./inc.json5"}}"#);
    std::fs::write(world.state().join("inc.json5"), r#"{"telegram":{"streamMode":"partial"}}"#).unwrap();
    let report = fix(&world, "--config-only");
    assert_eq!(config(&world)["messages"]["groupChat"]["visibleReplies"], "message_tool", "{report:#}");
    assert_eq!(config(&world)["channels"], json!({ "$include": "./inc.json5" }));
}

#[test]
fn old_state_comes_to_the_agent_that_is_the_default_after_the_fix() {
    let make = || {
        let world = World::new();
        world.config_text(
            r#"{"routing":{"agents":{"ops":{"workspace":"~/ops"}},"defaultAgentId":"ops"},"session":{"maintenance":{"mode":"warn"}}}"#,
        );
        let old = world.folder(".openclaw/sessions");
        let file = world.state().join("sessions").join(format!("{}.jsonl", id(1)));
        old.row("main", 1, DAY, json!({ "sessionFile": file })).transcript(1, DAY).save();
        world.folder(".openclaw/agent").file("auth-profiles.json", "{}", DAY);
        world
    };
    for more in ["", " --fix --dry-run"] {
        let world = make();
        let told = world.line(&format!("doctor --json{more}")).ends().stdout;
        assert!(told.contains("auth-profiles.json -> agents/ops/agent"), "{more}: {told}");
    }
    let world = make();
    let report = fix(&world, "");
    let ops = world.agent("ops");
    assert!(ops.is_live(1) && ops.keys() == ["agent:ops:main"], "{report:#}");
    assert!(world.state().join("agents/ops/agent/auth-profiles.json").is_file());
    assert!(!world.state().join("agents/main").exists());
    // The row leads to where its transcript is now.
    let index: Value = serde_json::from_slice(&std::fs::read(ops.index()).unwrap()).unwrap();
    let file = index["agent:ops:main"]["sessionFile"].as_str().unwrap();
    assert!(std::path::Path::new(file).is_file() && file.contains("agents/ops"), "{file}");
    assert!(of_rule(&fix(&world, ""), "moved-path").is_empty());
}

#[test]
fn sessions_of_an_agent_that_is_listed_no_more_are_said() {
    let world = World::new();
    world.config_text(r#"{"agents":{"list":[{"id":"ops"}]},"session":{"maintenance":{"mode":"warn"}}}"#);
    world.agent("main").session("agent:main:main", 1, HOUR).save();
    let report = world.line("doctor --only unlisted-agents --json").ends().json();
    assert_eq!(of_rule(&report, "unlisted-agents")[0]["subject"], "main", "{report:#}");
}

#[test]
fn a_configuration_of_the_old_name_is_copied_and_can_be_fixed_later() {
    for named in [false, true] {
        let mut world = World::new();
        if named {
            let state = world.state();
            world = world.var("OPENCLAW_STATE_DIR", state);
        }
        std::fs::write(world.state().join("clawdbot.json"), r#"{"session":{"maintenance":{"mode":"warn"}}}"#).unwrap();
        let _ = world.line("doctor --fix --only old-config-name").exits(0);
        assert!(world.config_path().is_file(), "named: {named}");
        world.config_text(r#"{"session":{"parentForkMaxTokens":5}}"#);
        let _ = world.line("doctor --fix --config-only").exits(0);
        assert_eq!(config(&world), json!({ "session": {} }));
    }
}

#[test]
fn the_fix_of_an_old_name_leaves_two_files_and_not_two_names_of_one() {
    let world = World::new();
    std::fs::write(world.state().join("clawdbot.json"), r#"{"session":{"parentForkMaxTokens":5}}"#).unwrap();
    let _ = world.line("doctor --fix --only old-config-name").exits(0);
    let _ = world.line("doctor --fix --config-only").exits(0);
    assert_eq!(config(&world), json!({ "session": {} }));
}

#[test]
fn our_own_link_of_a_restored_transcript_is_called_by_its_run() {
    let world = World::new();
    world.maintenance(&json!({ "mode": "warn" }));
    let main = world.agent("main");
    main.session("agent:main:a", 1, DAY).session("agent:main:b", 2, DAY).save();
    let _ = world.line("sessions rm agent:main:a --yes").exits(0);
    let _ = world.line("sessions restore agent:main:a --yes").exits(0);
    let report = world.line("doctor --for 2026.9 --only next-import --json").ends().json();
    for found in of_rule(&report, "next-import") {
        let text = found.to_string();
        assert!(!text.contains("snapshot tool"), "{text}");
        if let Some(command) = found["command"].as_str().filter(|c| c.contains("--forget")) {
            let words = command.strip_prefix("clawkeep ").unwrap();
            let _ = world.line(words).exits(0);
        }
    }
    let report = world.line("doctor --for 2026.9 --only next-import --json").ends().json();
    assert!(!report.to_string().contains("hard link"), "{report:#}");
    assert!(main.is_live(1));
}

#[test]
fn what_is_said_of_odd_configurations_makes_sense() {
    let world = World::new();
    world.config_text("[]");
    let text = world.line("doctor --config-only").ends().stdout;
    assert!(!text.contains("set  to"), "{text}");
    world.config_text(r#"{"session":{"maintenance":{"mode":"warn","pruneAfter":"${PA}"}}}"#);
    let _ = world.line("doctor --config-only").exits(0).says("PA");
}

#[test]
fn a_state_folder_that_a_variable_names_has_to_be_there() {
    let world = World::new();
    let gone = world.home().join("no-such");
    let world = world.var("OPENCLAW_STATE_DIR", gone);
    let _ = world.line("doctor").exits(10).says("does not exist");
}
