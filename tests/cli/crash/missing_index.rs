//! The repair of a missing index, with an error or a kill at every operation: there is no index, or a whole one; no
//! transcript changes; the same command, given again, ends with every row, and leaves no run open.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::fault_matrix::ERRORS;
use super::scene::restore;
use crate::common::{DAY, Folder, HOUR, Tree, World, names};

const LINE: &str = "sessions repair --yes";
/// In the quick form, one in so many operations gets an error, another one each time.
const EVERY: u64 = 3;

fn rows(main: &Folder) -> Value {
    serde_json::from_slice(&std::fs::read(main.index()).unwrap()).unwrap()
}

fn transcripts(main: &Folder) -> BTreeMap<String, Vec<u8>> {
    let all = names(main.dir()).into_iter().filter(|name| name.ends_with(".jsonl"));
    all.map(|name| (name.clone(), std::fs::read(main.path(&name)).unwrap())).collect()
}

#[test]
fn a_missing_index_comes_back_whatever_happens_on_the_way() {
    let world = World::new();
    world.maintenance(&json!({"mode": "warn"}));
    let main = world.agent("main");
    main.session("agent:main:main", 1, HOUR).session("agent:main:telegram:direct:2", 2, DAY).save();
    let _ = world.line("sessions cleanup --enforce").exits(0);
    main.transcript(3, HOUR);
    std::fs::remove_file(main.index()).unwrap();
    let (lost, files) = (Tree::of(&world.home()), transcripts(&main));
    let log = world.home().join("operations");
    let run = |vars: &[(&str, &str)]| {
        let mut command = world.command(LINE.split_whitespace());
        command.envs(vars.iter().copied());
        world.finish(command)
    };
    let _ = run(&[("CLAWKEEP_FAULT_LOG", log.to_str().unwrap())]).exits(0);
    let operations = std::fs::read_to_string(&log).unwrap().lines().count() as u64;
    let whole = rows(&main);
    assert_eq!(whole.as_object().unwrap().len(), 3);
    let mut faults = 0;
    for n in 1..=operations {
        let sampled = |at: usize| n % EVERY == 0 && (n / EVERY) as usize % ERRORS.len() == at;
        let errors = ERRORS.iter().enumerate().filter(|(at, _)| super::full() || sampled(*at));
        for what in std::iter::once("kill").chain(errors.map(|(_, error)| *error)) {
            restore(&world.home(), &lost);
            let faulty = run(&[("CLAWKEEP_FAULT", &format!("{n}:{what}"))]);
            let context = format!("{LINE} with {n}:{what}:\n{}", faulty.picture());
            assert!(!main.index().exists() || rows(&main) == whole, "{context}");
            assert_eq!(transcripts(&main), files, "{context}");
            let again = run(&[]).ends();
            let context = format!("{context}\nthe next run:\n{}", again.picture());
            assert_eq!(again.code, Some(0), "{context}");
            assert_eq!(rows(&main), whole, "{context}");
            assert_eq!(transcripts(&main), files, "{context}");
            let open = clawkeep::journal::read::unfinished(main.dir()).unwrap();
            assert!(open.is_empty(), "{context}: {open:?}");
            let _ = run(&[]).exits(0).says("nothing to repair");
            faults += 1;
        }
    }
    println!(
        "fault matrix: sessions repair of a missing index: {operations} operations, {faults} faults, all survived"
    );
}
