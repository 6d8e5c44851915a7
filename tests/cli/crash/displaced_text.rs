//! A repair that is killed beside a program that puts its own file in the place of the one that is mended.

use serde_json::json;

use crate::common::{DAY, HOUR, World, body, id};

#[test]
fn a_text_that_a_killed_repair_took_the_place_of_is_named() {
    let name = format!("{}.jsonl", id(1));
    let good = body(&id(1), 1_777_622_400_000, 3, 0);
    let theirs = format!("{good}{{\"type\":\"custom\",\"id\":\"theirs\",\"parentId\":null}}\n");
    let made = || {
        let world = World::new();
        let main = world.agent("main");
        main.row("agent:main:main", 1, DAY, json!({})).file(&name, format!("{good}{{\"torn"), DAY).save();
        (world, main)
    };
    let repair = ["transcript", "repair", "agent:main:main"];
    let (world, _) = made();
    let log = world.home().join("log");
    let mut command = world.command(repair);
    command.env("CLAWKEEP_FAULT_LOG", &log);
    let _ = world.finish(command).exits(0);
    let log = std::fs::read_to_string(log).unwrap();
    let exchange = log.lines().position(|line| line.split('\t').nth(1) == Some("exchange")).unwrap() + 1;

    // Killed after the exchange (their text has the temp name), and before it (the new one has).
    for (kill, stands) in [(exchange + 1, good.as_str()), (exchange, theirs.as_str())] {
        let (world, main) = made();
        let go = world.home().join("go");
        let mut command = world.command(repair);
        command.env("CLAWKEEP_PAUSE_AT", format!("before-exchange:{}", go.display()));
        command.env("CLAWKEEP_FAULT", format!("{kill}:kill"));
        std::thread::scope(|scope| {
            let run = scope.spawn(|| world.finish(command));
            while !world.home().join("go.reached").exists() && !run.is_finished() {
                std::thread::yield_now();
            }
            let new = main.path("new");
            std::fs::write(&new, &theirs).unwrap();
            std::fs::rename(new, main.path(&name)).unwrap();
            std::fs::write(&go, "").unwrap();
            drop(run.join().unwrap());
        });
        assert_eq!(std::fs::read_to_string(main.path(&name)).unwrap(), stands);
        // The lock of the program that is gone is no longer new.
        let lock = format!("{name}.lock");
        main.file(&lock, std::fs::read(main.path(&lock)).unwrap_or_default(), HOUR);
        let out = world.line("transcript repair agent:main:main").ends().says("compare both");
        let said = format!("{}{}", out.stdout, out.stderr);
        let at = said.split_whitespace().find(|word| word.contains("rewrite-")).unwrap();
        let at = at.trim_end_matches(':').replace('~', world.home().to_str().unwrap());
        let other = std::fs::read_to_string(&at).unwrap_or_else(|e| panic!("{at}: {e}\n{said}"));
        let both = [std::fs::read_to_string(main.path(&name)).unwrap(), other];
        assert!(both.contains(&theirs), "{said}");
        assert_eq!(both[0], stands, "{said}");
    }
}
