//! What is said where something is not there, not shown or not what it is called, and commands that work as printed.

use serde_json::{Value, json};

use crate::common::{DAY, HOUR, World, id};

use super::{answer, header, json_lines, text, user, write};

#[test]
fn no_export_goes_into_a_sessions_folder_with_or_without_an_index() {
    let world = World::new();
    let main = world.agent("main");
    main.session("agent:main:main", 1, HOUR).save();
    let transcript = main.path(&format!("{}.jsonl", id(1)));
    std::fs::remove_file(main.index()).unwrap();
    let empty = world.state().join("agents/new/sessions");
    std::fs::create_dir_all(&empty).unwrap();
    std::fs::create_dir(main.path(".clawkeep")).unwrap();
    for dir in [main.dir(), &empty, &main.path(".clawkeep")] {
        let to = dir.join("page.html");
        let out = world.run([
            "transcript".as_ref(),
            "export".as_ref(),
            transcript.as_os_str(),
            "-o".as_ref(),
            to.as_os_str(),
        ]);
        let out = out.exits(1);
        assert!(out.stderr.contains("is a sessions folder") && !to.exists(), "{}", out.picture());
    }
}

#[test]
fn a_total_that_is_not_fresh_is_checked_before_the_run() {
    let world = World::new();
    let main = world.agent("main");
    let stale = json!({"contextTokens": 50_000, "totalTokens": 27_000, "totalTokensFresh": false});
    main.row("agent:main:main", 1, HOUR, stale).transcript(1, HOUR);
    let fresh = json!({"contextTokens": 50_000, "totalTokens": 27_000, "totalTokensFresh": true});
    main.row("agent:main:fresh", 2, HOUR, fresh).transcript(2, HOUR);
    main.row("agent:main:none", 3, HOUR, json!({"contextTokens": 50_000})).transcript(3, HOUR).save();
    let out = world.line("transcript context agent:main:main --json").exits(0);
    let out = out.has("/threshold/at", 26_000).has("/threshold/tokens", 27_000).has("/threshold/left", -1000);
    drop(out.has("/threshold/beforeRun", "the row's total of tokens is not fresh"));
    let _ = world
        .line("transcript context agent:main:main")
        .exits(0)
        .says("memory flush 4 000")
        .says("passed by 1 000 tokens: the next turn compacts");
    let _ = world.line("transcript context agent:main:fresh --json").exits(0).has("/threshold/at", 30_000);
    let _ = world.line("transcript context agent:main:none --json").exits(0).has("/threshold/at", 26_000);
}

#[test]
fn sessions_show_finds_what_transcript_show_finds_and_notes_nothing_else() {
    let world = World::new();
    let old = json!({"status": "running"});
    world
        .agent("main")
        .session("agent:main:main", 1, HOUR)
        .row("agent:main:g", 2, 3 * DAY, old)
        .transcript(2, 3 * DAY)
        .save();
    let ops = world.agent("ops");
    ops.session("agent:ops:main", 3, HOUR).save();
    let _ = world.line("sessions show agent:ops:main").exits(0).says("agent:ops:main");
    world.config(&json!({"agents": {"list": [{"id": "main"}, {"id": "ops"}]}}));
    let _ = world.line("sessions show agent:ops:main").exits(0).says("agent:ops:main");
    // A fork without a row.
    let main = world.agent("main");
    let fork = format!("2026-05-01T08-00-00-000Z_{}.jsonl", id(7));
    main.file(&fork, text(&[header(), user("a", Value::Null, "hello")]), HOUR);
    let _ = world.line(&format!("sessions show {}", id(7))).exits(0).says(&fork);
    // A note is about what is shown.
    let _ = world.line("sessions show agent:main:main").exits(0).hides("running");
    let _ = world.line("sessions show agent:main:g").exits(0).says("agent:main:g says that it is running");
    // A folder is no file that is missing.
    std::fs::create_dir(main.path("folder.jsonl")).unwrap();
    let out = world.line("sessions show folder.jsonl").exits(1);
    assert!(out.stderr.contains("folder.jsonl is not a regular file"), "{}", out.picture());
}

#[test]
fn a_printed_command_takes_a_key_that_begins_like_a_flag() {
    let world = World::new();
    for agent in ["main", "ops"] {
        let folder = world.agent(agent);
        folder.row("--json", if agent == "main" { 1 } else { 2 }, HOUR, json!({}));
        folder.save();
    }
    let out = world.line("sessions show --all-agents --include-unconfigured -- --json").exits(1);
    let said: Vec<&str> = out.stderr.lines().filter(|line| line.contains("sessions show --store")).collect();
    assert_eq!(said.len(), 2, "{}", out.picture());
    assert!(said.iter().all(|line| line.ends_with(" -- --json")), "{}", out.picture());
    let words = said[0].split_once("clawkeep ").unwrap().1;
    let _ = world.line(words).exits(0).says("--json");
}

#[test]
fn what_is_called_compressed_and_is_empty_has_no_bytes() {
    let world = World::new();
    write(&world, "e0.jsonl.zst", "");
    let out = world.line("transcript stats ./e0.jsonl.zst --json").ends();
    assert!(!out.stdout.contains("18446744073709551615"), "{}", out.picture());
    let _ = world.line("transcript search x ./e0.jsonl.zst --json").ends().hides("18446744073709551615");
}

#[test]
fn it_is_said_why_nothing_is_shown() {
    let world = World::new();
    let lines = [
        header(),
        user("u1", Value::Null, "one"),
        answer("b1", "u1", "left behind"),
        user("u2", json!("u1"), "two"),
        answer("u3", "u2", "three"),
    ];
    write(&world, "t.jsonl", text(&lines));
    let out = world.line("transcript show ./t.jsonl --from b1").exits(0);
    assert!(out.stderr.contains("on another branch") && out.stderr.contains("--entry=b1"), "{}", out.picture());
    let out = world.line("transcript show ./t.jsonl --from u3 --to u1").exits(0);
    assert!(out.stderr.contains("nothing lies between --from and --to"), "{}", out.picture());
    assert_eq!(world.line("transcript show ./t.jsonl --from u2 --to u3").exits(0).stderr, "");
    let out = world.run(["transcript", "search", ""]).exits(2);
    assert!(out.stderr.contains("transcript search --help"), "{}", out.picture());
}

#[test]
fn a_row_whose_transcript_is_gone_is_no_unknown_name() {
    let world = World::new();
    world.agent("main").row("agent:main:gone", 4, DAY, json!({})).save();
    let out = world.line("transcript show agent:main:gone").exits(1);
    let missing = format!("the transcript of agent:main:gone is missing: {}.jsonl", id(4));
    assert!(out.stderr.contains(&missing), "{}", out.picture());
    assert!(
        out.stderr.contains("sessions restore ") && out.stderr.contains("--list agent:main:gone"),
        "{}",
        out.picture()
    );
}

#[test]
fn a_day_of_show_is_that_of_the_time_zone() {
    let world = World::new();
    let at = |entry: Value, time: &str| {
        let mut entry = entry;
        entry["timestamp"] = json!(time);
        entry
    };
    let lines = [
        header(),
        at(user("a", Value::Null, "the day before"), "2026-05-01T14:59:59.000Z"),
        at(answer("b", "a", "the day"), "2026-05-01T15:00:00.000Z"),
        at(user("c", json!("b"), "the day after"), "2026-05-02T15:00:00.000Z"),
    ];
    write(&world, "t.jsonl", text(&lines));
    let ids = |more: &str| -> Vec<String> {
        let mut show = world.command(format!("transcript show --json ./t.jsonl {more}").split_whitespace());
        show.env("TZ", "Asia/Tokyo");
        let lines = json_lines(&world.finish(show).exits(0));
        lines[1..].iter().map(|line| line["id"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(ids("--from 2026-05-02 --to 2026-05-02"), ["b"]);
    assert_eq!(ids("--from 2026-05-03T00:00:00"), ["c"]);
    assert_eq!(ids("--from 2026-05-01T15:00:00Z"), ["b", "c"]);
}
