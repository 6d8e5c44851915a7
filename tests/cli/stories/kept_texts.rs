//! Earlier texts of an index: which of them are of use is told by what is in them, and what nobody needs is listed.

use serde_json::{Value, json};

use crate::common::{DAY, HOUR, World, id};

/// A store whose index is cut off, with copies beside it of which some are of no use.
fn cut() -> World {
    let world = World::new();
    world.config(&json!({"session": {"maintenance": {"mode": "warn"}}}));
    let main = world.agent("main");
    main.session("agent:main:main", 1, HOUR).session("agent:main:a", 2, HOUR).session("agent:main:b", 3, HOUR).save();
    let text = std::fs::read_to_string(main.index()).unwrap();
    main.file("sessions.json.bak.1", &text, DAY);
    main.file("sessions.json.bak.2", &text[..text.len() / 2], DAY);
    main.file("sessions.json.bak.3", "\0".repeat(400), HOUR);
    main.file("sessions.json.bak.4", "not a word of JSON", HOUR);
    std::fs::write(main.index(), &text[..text.len() - 9]).unwrap();
    world
}

#[test]
fn a_hint_names_only_copies_that_hold_rows_and_says_how_many() {
    let world = cut();
    let out = world.line("sessions list").exits(1).says("sessions.json.bak.1  (an earlier text: 3 rows can be read)");
    let out = out.says("sessions.json.bak.2  (an earlier text: 1 row can be read)");
    let _ = out.hides(".bak.3").hides(".bak.4");
    let out = world.line("sessions check").exits(4).says("3 rows can be read in it").says("1 row can be read in it");
    let _ = out.hides(".bak.3").hides(".bak.4");
}

#[test]
fn the_way_back_from_a_tiny_index_is_no_copy_without_rows() {
    let world = World::new();
    world.config(&json!({"session": {"maintenance": {"mode": "warn"}}}));
    let main = world.agent("main");
    for n in 2..40 {
        main.transcript(n, HOUR);
    }
    main.session("agent:main:main", 1, HOUR).save();
    main.file("sessions.json.bak.9", "\0".repeat(100_000), HOUR);
    for line in ["sessions check", "sessions repair --dry-run"] {
        let _ =
            world.line(line).exits(4).says("--from headers").hides("--from sessions.json.bak").hides("bak.9 --dry-run");
    }
}

#[test]
fn what_a_repair_kept_is_listed_until_somebody_removes_it() {
    let world = cut();
    let main = world.agent("main");
    let _ = world.line("sessions repair --yes").ends();
    let kept = crate::common::names(main.dir()).into_iter().find(|name| name.contains(".damaged.")).unwrap();
    let size = std::fs::metadata(main.path(&kept)).unwrap().len();
    let report = world.line("sessions check --only damaged-copy --json").exits(0).json();
    let found = report["findings"].as_array().unwrap();
    assert_eq!(
        (found.len(), &found[0]["severity"], &found[0]["bytes"]),
        (1, &json!("info"), &json!(size)),
        "{report:#}"
    );
    let evidence = found[0]["evidence"].as_str().unwrap();
    assert!(found[0]["path"].as_str().unwrap().ends_with(&kept), "{report:#}");

    let class = |world: &World| {
        let usage: Value = world.line("disk --json").exits(0).json();
        usage.to_string().matches("\"backup\"").count()
    };
    assert!(class(&world) > 0);
    // The command that is named takes it away.
    let command = evidence.rsplit_once(": ").unwrap().1;
    let mut words = command.split(' ');
    assert_eq!(words.next(), Some("rm"), "{evidence}");
    std::fs::remove_file(words.next().unwrap()).unwrap();
    let report = world.line("sessions check --only damaged-copy --json").exits(0).json();
    assert_eq!(report["findings"], json!([]));
}

/// A gateway began anew over a lost index and took the main key for a new conversation: the old one is named, and each command that
/// is named brings it back.
#[test]
fn the_conversation_whose_key_a_new_one_took_is_named_and_comes_back() {
    let over = || {
        let world = World::new();
        world.config(&json!({"session": {"maintenance": {"mode": "warn"}}}));
        let main = world.agent("main");
        main.session("agent:main:main", 1, HOUR).session("agent:main:b", 2, HOUR).save();
        let _ = world.line("sessions cleanup --enforce").exits(0);
        let tiny = json!({"agent:main:main": {"sessionId": id(9), "updatedAt": world.now()}});
        main.transcript(9, HOUR);
        std::fs::write(main.index(), tiny.to_string()).unwrap();
        (world, main)
    };
    let (world, main) = over();
    let out = world.line("sessions repair --from snapshots").exits(4).says("agent:main:b").says(&id(1));
    let _ = out.says(&format!("clawkeep sessions restore {} --as KEY", id(1)));
    assert_eq!(main.keys().len(), 2);
    let _ = world.line(&format!("sessions restore {} --as agent:main:old --yes", id(1))).exits(0);
    assert_eq!(main.keys().len(), 3);
    let _ = world.line("sessions repair --from snapshots --dry-run").ends().hides(&id(1));
    // The check names another way.
    let (world, main) = over();
    let named = format!("sessions repair --adopt {}", id(1));
    let _ = world.line("sessions check").ends().says(&named);
    let _ = world.line(&format!("{named} --yes")).ends().says("adopt");
    assert_eq!(main.keys().len(), 2);
    // And so does a repair from headers.
    let (world, main) = over();
    let _ = world.line("sessions repair --from headers --yes").exits(0);
    assert_eq!(main.keys().len(), 3);
}
