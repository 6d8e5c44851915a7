//! A fault at every operation of a doctor's write: the configuration is always the old text or the new one, whole, and the
//! next run ends in the new one.

use crate::common::World;

const OLD: &str =
    "// mine\n{\n  session: { $include: './s.json5' }, // there\n  memorySearch: { enabled: false },\n}\n";
const NEW: &str = "// mine\n{\n  session: { $include: './s.json5' }, // there\n  agents: {\n    defaults: {\n      memorySearch: { enabled: false }\n    }\n  },\n}\n";
const OLD_INCLUDE: &str = "{ parentForkMaxTokens: 5, scope: 'global' }\n";
const NEW_INCLUDE: &str = "{ scope: 'global' }\n";
const LINE: &str = "doctor --fix --config-only";
const ERRORS: &[&str] = &["EIO", "ENOSPC", "EDQUOT", "EACCES", "EXDEV", "ENOENT", "EINTR"];

fn prepared() -> World {
    let world = World::new();
    world.config_text(OLD);
    std::fs::write(world.state().join("s.json5"), OLD_INCLUDE).unwrap();
    // A full ring: the oldest backup goes.
    for (name, text) in [("", "b0"), (".1", "b1"), (".2", "b2"), (".3", "b3"), (".4", "b4")] {
        std::fs::write(world.state().join(format!("openclaw.json.bak{name}")), text).unwrap();
    }
    world
}

fn texts(world: &World) -> (String, String) {
    let read = |name: &str| std::fs::read_to_string(world.state().join(name)).unwrap();
    (read("openclaw.json"), read("s.json5"))
}

fn ring(world: &World) -> Vec<String> {
    let read = |tail: &str| std::fs::read_to_string(world.state().join(format!("openclaw.json.bak{tail}")));
    ["", ".1", ".2", ".3", ".4"].iter().map(|tail| read(tail).unwrap_or_default()).collect()
}

fn with(world: &World, name: &str, value: &str) -> crate::common::Output {
    let mut command = world.command(LINE.split(' '));
    command.env(name, value);
    world.finish(command)
}

fn operations() -> u64 {
    let world = prepared();
    let log = world.home().join("operations");
    let _ = with(&world, "CLAWKEEP_FAULT_LOG", log.to_str().unwrap()).exits(0);
    assert_eq!(texts(&world), (NEW.to_owned(), NEW_INCLUDE.to_owned()));
    std::fs::read_to_string(&log).unwrap().lines().count() as u64
}

#[test]
fn the_configuration_is_the_old_or_the_new_text_whatever_happens() {
    let operations = operations();
    assert!(operations > 20, "only {operations} operations");
    let mut faults = 0;
    for n in 1..=operations {
        let error = ERRORS[usize::try_from(n).unwrap() % ERRORS.len()];
        let all: Vec<&str> =
            if super::full() { ERRORS.iter().copied().chain(["kill"]).collect() } else { vec!["kill", error] };
        for what in all {
            let world = prepared();
            let out = with(&world, "CLAWKEEP_FAULT", &format!("{n}:{what}"));
            let context = format!("{n}:{what}\n{}", out.picture());
            let (main, include) = texts(&world);
            assert!([OLD, NEW].contains(&main.as_str()), "{context}\n{main}");
            assert!([OLD_INCLUDE, NEW_INCLUDE].contains(&include.as_str()), "{context}\n{include}");
            // The ring of backups turns for an edit that stands, and for no other.
            if main == OLD {
                assert_eq!(ring(&world), ["b0", "b1", "b2", "b3", "b4"], "{context}");
            } else if out.stdout.contains("openclaw.json.bak") {
                assert_eq!(ring(&world), [OLD, "b0", "b1", "b2", "b3"], "{context}");
            }
            let again = world.line(LINE).ends();
            let said = format!("{context}\nthe next run:\n{}", again.picture());
            assert_eq!(texts(&world), (NEW.to_owned(), NEW_INCLUDE.to_owned()), "{said}");
            assert_eq!(world.line(LINE).ends().code, Some(0), "{said}");
            // The text that anybody may want back is somewhere.
            let kept = walkdir::WalkDir::new(world.state()).into_iter().flatten().filter(|e| e.file_type().is_file());
            let contents: Vec<String> = kept.filter_map(|e| std::fs::read_to_string(e.path()).ok()).collect();
            for precious in [OLD, OLD_INCLUDE, "b0", "b1", "b2", "b3"] {
                assert!(contents.iter().any(|c| c == precious), "{said}\n{precious} is lost");
            }
            faults += 1;
        }
    }
    println!("fault matrix: doctor: {operations} operations, {faults} faults, all survived");
}
