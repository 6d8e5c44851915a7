//! Only the bytes of the named keys change; everything round them, and the file itself, stays.

use serde_json::json;

use crate::common::World;

const TEXT: &str = "\u{feff}// gateway on the shelf\r\n{\r\n\tgateway: { mode: 'local', auth: { token: \"${CASE_TOKEN}\" } },\r\n\t/* keep two weeks */\r\n\tsession: { maintenance: { rotateBytes: 0x10, pruneAfter: '14d' }, },\r\n\todd: [Infinity, +.5, 1e400,],\r\n}\r\n";

#[test]
fn one_key_goes_and_no_other_byte_changes() {
    let world = World::new().var("CASE_TOKEN", "s3cr3t-value");
    world.config_text(TEXT);
    let out = world.line("doctor --fix --config-only --diff").exits(0).says("fixed").hides("s3cr3t");
    assert!(out.stdout.contains("(line not shown: it names a secret)"), "{}", out.stdout);
    let after = std::fs::read_to_string(world.config_path()).unwrap();
    assert_eq!(after, TEXT.replace("rotateBytes: 0x10, ", ""));
    assert_eq!(std::fs::read_to_string(world.state().join("openclaw.json.bak")).unwrap(), TEXT);
    // Nothing is left to do: no byte, no backup, no run.
    let runs = || std::fs::read_dir(world.state().join(".clawkeep/runs")).unwrap().count();
    assert_eq!(runs(), 1);
    let _ = world.line("doctor --fix --config-only").exits(0).says("nothing was changed");
    assert_eq!(runs(), 1);
    assert!(!world.state().join("openclaw.json.bak.1").exists());
}

#[test]
fn the_report_for_programs_says_what_was_done() {
    let world = World::new();
    world.config_text("{ session: { parentForkMaxTokens: 5 }, gateway: { port: 'x' } }");
    let found = world.line("doctor --json --config-only").exits(4).json();
    assert_eq!((&found["changed"], &found["remaining"]["errors"]), (&json!(false), &json!(2)));
    let planned = world.line("doctor --json --config-only --fix --dry-run").exits(4).json();
    assert_eq!((&planned["changed"], &planned["found"][0]["state"]), (&json!(false), &json!("planned")));
    assert!(planned["files"][0]["diff"].as_str().unwrap().contains("-{ session: { parentForkMaxTokens"));
    let fixed = world.line("doctor --json --config-only --fix").exits(4).json();
    assert_eq!((&fixed["changed"], &fixed["remaining"]["errors"]), (&json!(true), &json!(1)));
    assert_eq!(fixed["fixed"][0]["rule"], "session-parent-fork-max-tokens");
    assert_eq!(std::fs::read_to_string(world.config_path()).unwrap(), "{ session: { }, gateway: { port: 'x' } }");
    let _ = world.line("doctor --config-only --fail-on never").exits(0);
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link_and_modes_stay_as_they_are() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let world = World::new();
    let dotfiles = world.home().join("dotfiles");
    std::fs::create_dir(&dotfiles).unwrap();
    let real = dotfiles.join("oc.json");
    std::fs::write(&real, "{ session: { maintenance: { rotateBytes: 5 } } }").unwrap();
    std::fs::set_permissions(&real, std::fs::Permissions::from_mode(0o660)).unwrap();
    symlink(&real, world.config_path()).unwrap();
    let _ = world.line("doctor --fix --config-only").exits(0);
    assert!(world.config_path().symlink_metadata().unwrap().file_type().is_symlink());
    assert_eq!(std::fs::read_to_string(&real).unwrap(), "{ session: { maintenance: { } } }");
    assert_eq!(real.metadata().unwrap().permissions().mode() & 0o7777, 0o660);
    assert!(dotfiles.join("oc.json.bak").is_file());
}

#[test]
fn five_backups_and_no_more_and_none_of_others() {
    let world = World::new();
    let put = |name: &str, text: &str| std::fs::write(world.state().join(name), text).unwrap();
    let get = |name: &str| std::fs::read_to_string(world.state().join(name)).unwrap();
    for (name, text) in [(".bak", "0"), (".bak.1", "1"), (".bak.2", "2"), (".bak.3", "3"), (".bak.4", "4")] {
        put(&format!("openclaw.json{name}"), text);
    }
    put("openclaw.json.bak.17", "17");
    put("openclaw.json.bak.before-x", "x");
    let text = "{ session: { maintenance: { rotateBytes: 5 } } }";
    world.config_text(text);
    let _ = world.line("doctor --fix --config-only").exits(0);
    assert_eq!(get("openclaw.json.bak"), text);
    for (name, was) in [(".bak.1", "0"), (".bak.2", "1"), (".bak.3", "2"), (".bak.4", "3"), (".bak.17", "17")] {
        assert_eq!(get(&format!("openclaw.json{name}")), was, "{name}");
    }
    assert_eq!(get("openclaw.json.bak.before-x"), "x");
}

#[test]
fn a_key_in_an_included_file_is_fixed_there() {
    let world = World::new();
    let main = "{ session: { $include: './session.json5' }, memorySearch: { enabled: false } } // main";
    world.config_text(main);
    let include = world.state().join("session.json5");
    std::fs::write(&include, "{\n  parentForkMaxTokens: 3, // was big\n  scope: '${SCOPE}',\n}\n").unwrap();
    let _ = world.line("doctor --fix --config-only").exits(0);
    assert_eq!(std::fs::read_to_string(&include).unwrap(), "{\n  // was big\n  scope: '${SCOPE}',\n}\n");
    assert_eq!(
        std::fs::read_to_string(world.config_path()).unwrap(),
        "{ session: { $include: './session.json5' }, agents: { defaults: { memorySearch: { enabled: false } } } } // main"
    );
    assert!(world.state().join("session.json5.bak").is_file());
}

#[test]
fn unknown_keys_are_named_and_go_only_when_asked() {
    let world = World::new();
    let text = "{ myTool: { key: 1 }, session: { x_note: 'mine', parentForkMaxTokens: 1 } }";
    world.config_text(text);
    let _ = world.line("doctor --fix --config-only").exits(0).says("myTool").says("session.x_note");
    assert_eq!(std::fs::read_to_string(world.config_path()).unwrap(), text.replace(", parentForkMaxTokens: 1", ""));
    let _ = world.line("doctor --fix --config-only --drop-unknown").exits(0);
    assert_eq!(std::fs::read_to_string(world.config_path()).unwrap(), "{ session: { } }");
}

#[test]
fn one_rule_can_be_chosen_or_left_out() {
    let world = World::new();
    let text = "{ session: { parentForkMaxTokens: 1, maintenance: { rotateBytes: 1 } } }";
    world.config_text(text);
    let _ = world.line("doctor --fix --config-only --only session-rotate-bytes").exits(0);
    let read = || std::fs::read_to_string(world.config_path()).unwrap();
    assert_eq!(read(), "{ session: { parentForkMaxTokens: 1, maintenance: { } } }");
    let _ = world.line("doctor --fix --config-only --skip session-parent-fork-max-tokens").ends();
    assert!(read().contains("parentForkMaxTokens"));
}
