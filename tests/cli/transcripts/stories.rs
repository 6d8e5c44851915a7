//! What people ask of a transcript, and what they get.

use serde_json::{Value, json};

use crate::common::{DAY, HOUR, World, body, id, stamp};

use super::{answer, entry, header, json_lines, text, user, write};

#[test]
fn a_conversation_is_found_by_key_id_name_and_path() {
    let world = World::new();
    let main = world.agent("main");
    main.session("agent:main:main", 1, HOUR).archive(2, "deleted", DAY).save();
    let (live, archive) = (format!("{}.jsonl", id(1)), format!("{}.jsonl.deleted.{}", id(2), stamp(world.now() - DAY)));
    let path = main.path(&live).display().to_string();
    for what in ["agent:main:main", "AGENT:main:main", &id(1), &live, &path] {
        let out = world.run(["transcript", "show", what]).exits(0);
        assert!(out.stdout.contains("question 0") && out.stdout.contains("── assistant"), "{what}: {}", out.stdout);
    }
    for what in [&id(2), &archive] {
        let shown = json_lines(&world.run(["transcript", "show", "--json", what]).exits(0));
        assert_eq!(shown[0]["class"], "deleted archive", "{what}");
    }
    let error = world.run(["transcript", "show", "nobody"]).exits(1);
    assert!(error.stderr.contains("no transcript is called nobody"), "{}", error.stderr);
}

#[test]
fn a_compressed_copy_reads_like_the_file_it_is_of() {
    let world = World::new();
    let plain = text(&[header(), user("a", Value::Null, "hello"), answer("b", "a", "fine")]);
    write(&world, "t.jsonl", &plain);
    write(&world, "t.jsonl.zst", zstd::encode_all(plain.as_bytes(), 3).unwrap());
    let show = |name: &str, verb: &str| {
        let out = world.line(&format!("transcript {verb} ./{name} --json")).exits(0);
        out.stdout.replace("t.jsonl.zst", "t.jsonl")
    };
    for verb in ["show", "tree", "context", "stats"] {
        assert_eq!(show("t.jsonl", verb), show("t.jsonl.zst", verb), "{verb}");
    }
}

#[test]
fn parts_of_a_conversation() {
    let world = World::new();
    let turns: Vec<Value> = (1..=40)
        .map(|n| {
            let parent = if n == 1 { Value::Null } else { json!(format!("e{}", n - 1)) };
            if n % 2 == 1 { user(&format!("e{n}"), parent, "ask") } else { answer(&format!("e{n}"), parent, "tell") }
        })
        .collect();
    write(&world, "t.jsonl", text(&[vec![header()], turns].concat()));
    let ids = |more: &str| -> Vec<String> {
        let lines = json_lines(&world.line(&format!("transcript show --json ./t.jsonl {more}")).exits(0));
        lines[1..].iter().map(|line| line["id"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(ids("--tail 2"), ["e39", "e40"]);
    assert_eq!(ids("--head 2"), ["e1", "e2"]);
    assert_eq!(ids("--from e39"), ["e39", "e40"]);
    assert_eq!(ids("--from e3 --to e4"), ["e3", "e4"]);
    assert_eq!(ids("--entry e7"), ["e7"]);
    assert!(ids("--to 2020-01-01").is_empty());
    assert_eq!(ids("").len(), 40);
    let _ = world.line("transcript show ./t.jsonl --entry e99").exits(1);
    let raw = world.line("transcript show ./t.jsonl --raw --tail 1").exits(0);
    assert_eq!(serde_json::from_str::<Value>(&raw.stdout).unwrap()["id"], "e40");
}

#[test]
fn control_characters_do_not_reach_the_terminal() {
    let world = World::new();
    let evil = "red \u{1b}[31m and \u{202e}back";
    let lines = [
        header(),
        user("\u{1b}[2J", Value::Null, evil),
        entry("label", "l", "x".into(), json!({"targetId": "a", "label": evil})),
    ];
    write(&world, "t.jsonl", text(&lines));
    for line in ["show", "show --all-branches", "tree --all", "context", "search red", "stats"] {
        let (verb, more) = line.split_once(' ').unwrap_or((line, ""));
        let line = if verb == "search" {
            format!("transcript search {more} ./t.jsonl")
        } else {
            format!("transcript {verb} ./t.jsonl {more}")
        };
        let out = world.line(&line).exits(0);
        assert!(!out.stdout.contains(['\u{1b}', '\u{202e}']), "{line}: {:?}", out.stdout);
    }
}

#[test]
fn a_tree_of_ten_thousand_entries_is_as_long_as_it_has_forks() {
    let world = World::new();
    let mut lines = vec![header()];
    let mut parent = Value::Null;
    for n in 0..10_000 {
        let id = format!("e{n}");
        lines.push(user(&id, parent, "x"));
        // Every thousandth entry has a side branch of three.
        if n % 1000 == 500 {
            for (m, of) in [(0, id.clone()), (1, format!("s{n}-0")), (2, format!("s{n}-1"))] {
                lines.push(user(&format!("s{n}-{m}"), of, "side"));
            }
        }
        parent = id.into();
    }
    write(&world, "t.jsonl", text(&lines));
    let out = world.line("transcript tree ./t.jsonl").exits(0);
    let tree: Vec<&str> = out.stdout.lines().filter(|line| line.contains('*') || line.contains('├')).collect();
    assert_eq!(tree.len(), 11 + 10, "{}", out.stdout);
    assert_eq!(tree.iter().filter(|line| line.contains("[left branch: 3 entries")).count(), 10);
    assert!(tree[20].contains("[active leaf]") && tree[20].contains("e9999"), "{}", tree[20]);
}

#[test]
fn the_context_says_how_far_the_threshold_is() {
    let world = World::new();
    let lines =
        [header(), user("a", Value::Null, &"x".repeat(400)), answer("b", "a", "fine"), user("c", "b", &"y".repeat(80))];
    write(&world, "t.jsonl", text(&lines));
    let json =
        world.line("transcript context ./t.jsonl --json --window 1000 --reserve 900 --keep-recent 10").exits(0).json();
    // 18 reported by the answer, 20 estimated for the question after it.
    assert_eq!(json["tokens"], json!({"estimated": 100 + 1 + 20, "reported": 38, "deciding": 38}));
    assert_eq!((&json["threshold"]["at"], &json["threshold"]["left"]), (&json!(100), &json!(62)));
    assert_eq!(json["nextCut"]["firstKeptEntryId"], "c");
    assert_eq!(json["nextCut"]["summarisedTokens"], 101);
}

#[test]
fn cost_counts_what_was_reset_and_deleted_and_each_response_once() {
    let world = World::new();
    let main = world.agent("main");
    let with = |id: &str| text(&[header(), answer(id, Value::Null, "x")]);
    main.row("agent:main:main", 1, HOUR, json!({})).file(&format!("{}.jsonl", id(1)), with("a"), HOUR);
    main.file(&format!("{}.jsonl.reset.{}", id(2), stamp(world.now())), with("b"), HOUR);
    main.file(&format!("{}.jsonl.deleted.{}", id(3), stamp(world.now())), with("c"), HOUR);
    // A copy made before a compaction, and a fork that begins with the answer of its parent.
    main.file(&format!("{}.checkpoint.{}.jsonl", id(1), id(5)), with("d"), HOUR);
    main.file(&format!("2026-05-01T08-00-00-000Z_{}.jsonl", id(6)), with("a"), HOUR).save();
    let json = world.line("transcript stats --json").exits(0).json();
    assert_eq!(
        (&json["answers"], &json["duplicateAnswers"], &json["usage"]["cost"]),
        (&json!(3), &json!(1), &json!(0.75))
    );
    let live = world.line("transcript stats --json --no-archives").exits(0).json();
    assert_eq!(live["usage"]["cost"], 0.25);
}

#[test]
fn stats_name_the_longest_line_and_every_compaction() {
    let world = World::new();
    let compaction = json!({"summary": "short", "firstKeptEntryId": "a", "tokensBefore": 12345});
    let long = user("b", json!("k"), &"x".repeat(5000));
    let lines = [header(), user("a", Value::Null, "x"), entry("compaction", "k", json!("a"), compaction), long.clone()];
    write(&world, "t.jsonl", text(&lines));
    let longest = &world.line("transcript stats ./t.jsonl --json").exits(0).json()["longestLine"];
    assert_eq!(longest["line"], 4);
    assert_eq!(longest["bytes"], long.to_string().len());
    assert_eq!(longest["offset"], text(&lines[..3]).len());
    let _ = world
        .line("transcript stats ./t.jsonl")
        .exits(0)
        .says("line 4, 5.")
        .says("compacted  1 time\n")
        .says("Tokens before")
        .says("12 345");
    let _ = world.line("transcript search --role toolResult x ./t.jsonl").exits(0).says("0 matches");
}

#[test]
fn a_checkpoint_is_found_by_its_own_id() {
    let world = World::new();
    let main = world.agent("main");
    let name = format!("{}.checkpoint.{}.jsonl", id(1), id(5));
    main.session("agent:main:main", 1, DAY).file(&name, body(&id(1), 1_777_622_400_000, 2, 0), DAY).save();
    let _ = world.line(&format!("transcript show {}", id(5))).exits(0).says(&name);
}

#[test]
fn a_day_is_that_of_the_time_zone() {
    let world = World::new();
    let mut late = answer("a", Value::Null, "x");
    late["timestamp"] = json!("2026-01-25T04:08:00.000Z");
    write(&world, "t.jsonl", text(&[header(), late]));
    for (zone, day) in [("America/Los_Angeles", "2026-01-24"), ("UTC", "2026-01-25")] {
        let json = world.line(&format!("transcript stats ./t.jsonl --json --tz {zone}")).exits(0).json();
        assert_eq!(json["days"][0]["day"], day, "{zone}");
    }
    let _ = world.line("transcript stats ./t.jsonl --tz Nowhere/Here").exits(2);
}

#[test]
fn an_image_of_many_megabytes_is_counted_and_never_printed() {
    let world = World::new();
    let image = "iVBORw0KGgo".repeat(2 << 20);
    let content = json!([{"type": "text", "text": "look"}, {"type": "image", "data": image, "mimeType": "image/png"}]);
    let message = json!({"role": "user", "content": content});
    write(&world, "t.jsonl", text(&[header(), entry("message", "a", Value::Null, json!({ "message": message }))]));
    let stats = world.line("transcript stats ./t.jsonl --json").exits(0).json();
    let images = stats["content"].as_array().unwrap().iter().find(|c| c["name"] == "images").unwrap();
    assert_eq!(images["count"], image.len());
    for verb in ["show", "show --json --full", "context", "tree", "stats"] {
        let (verb, more) = verb.split_once(' ').unwrap_or((verb, ""));
        let out = world.line(&format!("transcript {verb} ./t.jsonl {more}")).exits(0);
        assert!(out.stdout.len() < 200_000 && out.stderr.len() < 1000, "{verb}: {}", out.stdout.len());
    }
}

#[test]
fn a_search_finds_words_where_they_were_said() {
    let world = World::new();
    let main = world.agent("main");
    let lines =
        [header(), user("a", Value::Null, "where is the Needle"), answer("b", "a", "a needle \"here\"\nand there")];
    main.row("agent:main:main", 1, HOUR, json!({})).file(&format!("{}.jsonl", id(1)), text(&lines), HOUR);
    main.file(&format!("{}.jsonl.deleted.{}", id(2), stamp(world.now())), text(&lines), HOUR).save();
    let found = |args: &[&str]| {
        let args = [&["transcript", "search", "--json"], args].concat();
        let lines = json_lines(&world.run(args).exits(0));
        let ids = lines.iter().filter(|l| l["type"] == "match").map(|l| l["entryId"].as_str().unwrap().to_owned());
        ids.collect::<Vec<_>>()
    };
    assert_eq!(found(&["needle"]), ["b"]);
    assert_eq!(found(&["needle", "-i"]), ["a", "b"]);
    assert_eq!(found(&["needle", "-i", "--role", "user"]), ["a"]);
    assert_eq!(found(&["needle", "--archives"]), ["b", "b"]);
    assert_eq!(found(&["\"here\""]), ["b"]);
    assert_eq!(found(&["^and", "-E"]), ["b"]);
    assert_eq!(found(&["needle", "--agent", "main", "--since", "2026-06-01"]), [""; 0]);
    let _ = world.line("transcript search -E ( ./x").exits(2);
}

#[test]
fn what_the_gateway_would_do_to_a_damaged_file_is_said_and_the_file_is_left_alone() {
    let world = World::new();
    for (content, said) in [
        (text(&[user("a", Value::Null, "kept")]), "would discard everything"),
        (text(&[header(), user("a", Value::Null, "kept"), Value::Null]), "line 3 is null"),
        (text(&[header(), user("a", "a", "kept")]), "run in a circle"),
        (text(&[header(), user("a", Value::Null, "kept")]) + "{\"type\":\"mess", "the last line is torn"),
    ] {
        let path = write(&world, "t.jsonl", &content);
        let out = world.line("transcript show ./t.jsonl").exits(0);
        assert!(out.stdout.contains(said) && out.stdout.contains("kept"), "{said}: {}", out.stdout);
        assert_eq!(std::fs::read_to_string(path).unwrap(), content);
    }
}

#[test]
fn checkpoints_forks_and_archives_are_linked() {
    let world = World::new();
    let main = world.agent("main");
    let checkpoint = format!("{}.checkpoint.{}.jsonl", id(1), id(7));
    let row = json!({"compactionCheckpoints": [{"reason": "overflow-retry", "createdAt": world.now(),
        "preCompaction": {"sessionFile": format!("/old/home/{checkpoint}")}, "postCompaction": {"entryId": "c1"}}]});
    main.row("agent:main:main", 1, HOUR, row).transcript(1, HOUR).file(&checkpoint, text(&[header()]), HOUR);
    main.file(&format!("{}.trajectory.jsonl", id(1)), "{}\n", HOUR);
    let mut fork = header();
    fork["parentSession"] = json!(main.path(&format!("{}.jsonl", id(1))));
    fork["id"] = json!(id(3));
    main.file(&format!("2026-05-01T08-00-00-000Z_{}.jsonl", id(3)), text(&[fork]), HOUR);
    main.row("agent:main:next", 3, HOUR, json!({"usageFamilySessionIds": [id(1)]})).save();
    let mut own = header();
    own["id"] = json!(id(1));
    main.file(&format!("{}.jsonl", id(1)), text(&[own, user("a", Value::Null, "x")]), HOUR);
    let shown = json_lines(&world.line("transcript show --json agent:main:main").exits(0));
    let related = shown[0]["related"].as_array().unwrap();
    let of =
        |kind: &str| related.iter().find(|r| r["kind"] == kind).unwrap_or_else(|| panic!("no {kind}: {related:?}"));
    assert_eq!((&of("checkpoint")["reason"], &of("checkpoint")["entryId"]), (&json!("overflow-retry"), &json!("c1")));
    of("trajectory");
    of("successor");
    let child = world.run(["transcript", "show", "--json", &id(3)]).exits(0);
    assert_eq!(json_lines(&child)[0]["related"][0]["kind"], "parent");
}

#[test]
fn what_is_not_there_is_told_alike() {
    let world = World::new();
    let main = world.agent("main");
    main.session("agent:main:main", 1, DAY).save();
    let nowhere = world.home().join("nowhere/sessions.json");
    for verb in ["show", "check", "stats"] {
        let _ = world.line(&format!("transcript {verb} agent:main:main --store {}", nowhere.display())).exits(10);
        let _ = world.run(["transcript", verb, ""]).exits(1).says("empty name");
    }
    let _ = world.run(["transcript", "search", "x", ""]).exits(1).says("empty name");
    std::fs::create_dir(world.home().join("dir.jsonl")).unwrap();
    for what in ["dir.jsonl", "./dir.jsonl"] {
        let _ = world.line(&format!("transcript check {what}")).exits(1).says("is a folder");
    }
    #[cfg(unix)]
    for verb in ["show", "check", "stats", "search x"] {
        let _ = world.line(&format!("transcript {verb} /dev/null")).exits(1).says("is not a regular file");
    }
}

#[test]
fn a_packed_archive_is_found_by_the_id_of_its_session() {
    let world = World::new();
    let main = world.agent("main");
    main.session("agent:main:main", 1, DAY);
    let text = body(&id(2), 1_777_622_400_000, 2, 0);
    let packed = zstd::encode_all(text.as_bytes(), 3).unwrap();
    main.file(&format!("{}.jsonl.deleted.2026-05-02T08-00-00.000Z.zst", id(2)), packed, DAY).save();
    let _ = world.line(&format!("transcript show {}", id(2))).exits(0).says("newest archive").says(&id(2));
}

#[test]
fn sessions_show_links_what_a_transcript_came_from_and_what_came_of_it() {
    let world = World::new();
    let main = world.agent("main");
    let parent = format!("{}.jsonl", id(1));
    let child = |n: u64| format!("2026-05-02T08-00-00-000Z_{}.jsonl", id(n));
    let text = |n: u64| {
        body(&id(n), 1_777_622_400_000, 1, 0).replacen(
            "{\"type\":\"session\"",
            &format!("{{\"type\":\"session\",\"parentSession\":\"/elsewhere/{parent}\""),
            1,
        )
    };
    main.session("agent:main:main", 1, DAY);
    main.row("agent:main:fork", 2, DAY, json!({"sessionFile": child(2)})).file(&child(2), text(2), DAY);
    main.row("agent:main:next", 3, DAY, json!({"sessionFile": child(3), "usageFamilySessionIds": [id(1), id(3)]}));
    main.file(&child(3), text(3), DAY).save();
    let kinds = |key: &str| -> Vec<(String, String)> {
        let shown = world.line(&format!("sessions show {key} --json")).exits(0).json();
        let one = |r: &Value| {
            let path = r["path"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
            (r["kind"].as_str().unwrap().to_owned(), path)
        };
        shown["related"].as_array().into_iter().flatten().map(one).collect()
    };
    assert_eq!(kinds("agent:main:main"), [("fork".to_owned(), child(2)), ("successor".to_owned(), child(3))]);
    assert_eq!(kinds("agent:main:fork"), [("parent".to_owned(), parent)]);
    let _ = world.line("sessions show agent:main:main").exits(0).says("successor").says(&child(3));
}

#[test]
fn a_late_header_leads_an_export() {
    let world = World::new();
    let entries = [user("a", Value::Null, "one"), answer("b", "a", "two")];
    let [first, second] = &entries;
    let late = text(&[first.clone(), header(), second.clone()]);
    let glued = format!("{first}\n{{\"type\":\"mess{}{second}\n", text(&[header()]));
    for content in [late, glued] {
        write(&world, "t.jsonl", &content);
        for flags in ["", " --all-branches"] {
            let out = world.line(&format!("transcript export ./t.jsonl --format jsonl{flags}")).exits(0);
            assert_eq!(out.stdout, text(&[header(), first.clone(), second.clone()]), "{flags}");
        }
    }
}

#[test]
fn a_circle_of_parents_is_drawn_up_to_where_it_closes() {
    let world = World::new();
    let lines = [
        header(),
        user("a1", Value::Null, "first words"),
        answer("a2", "a1", "second words"),
        user("side", "a2", "on the side"),
        user("a3", "a2", "third words"),
        user("a1", "a3", "last words"),
    ];
    write(&world, "t.jsonl", text(&lines));
    let out = world.line("transcript tree --all ./t.jsonl").exits(0).stdout;
    for words in ["second words", "on the side", "third words", "last words"] {
        assert_eq!(out.matches(words).count(), 1, "{words}: {out}");
    }
    assert!(out.contains("a circle") && out.contains("active leaf"), "{out}");
    assert!(!out.contains("not shown") && out.contains("1 entry hidden"), "{out}");
}

#[test]
fn records_that_share_a_line_too_long_to_keep_are_shown_found_and_counted() {
    let world = World::new();
    for size in [1000, 1_100_000] {
        let glued = format!("{}{}", answer("a2", "a1", &"x".repeat(size)), answer("a3", "a2", "needle"));
        let lines = [header(), answer("a1", Value::Null, "one")];
        write(&world, "t.jsonl", format!("{}{glued}\n{}", text(&lines), text(&[answer("a4", "a3", "end")])));
        let stats = world.line("transcript stats ./t.jsonl").exits(0).stdout;
        assert!(stats.contains("$ 1.00") && stats.contains("2 whole records"), "{size}: {stats}");
        let shown = json_lines(&world.line("transcript show --recovered --json ./t.jsonl").exits(0));
        let ids: Vec<&Value> = shown[1..].iter().map(|line| &line["id"]).collect();
        assert_eq!(ids, ["a1", "a2", "a3", "a4"], "{size}");
        let found = json_lines(&world.line("transcript search needle --json ./t.jsonl").exits(0));
        assert_eq!((&found[0]["entryId"], &found[0]["line"]), (&json!("a3"), &json!(3)), "{size}");
    }
}
