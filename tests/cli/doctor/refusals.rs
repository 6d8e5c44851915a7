//! What is not edited, and what is said then.

use std::net::TcpListener;

use crate::common::World;

#[test]
fn a_text_that_does_not_parse_is_shown_and_never_replaced() {
    for text in ["{\n  gateway: { mode: \"local\"\n  session: ", "{ a: 1 }\n{ b: 2 }\n", "", "{ a: 'x\n' }"] {
        let world = World::new();
        world.config_text(text);
        let _ = world.line("doctor --fix --config-only").exits(4).says("line ").says("config-unreadable");
        assert_eq!(std::fs::read_to_string(world.config_path()).unwrap(), text);
        assert!(!world.state().join("openclaw.json.bak").exists());
    }
}

#[test]
fn a_managed_file_is_left_and_the_change_for_its_template_is_shown() {
    let text = "// Ansible managed\n{ session: { maintenance: { rotateBytes: 5 } } }\n";
    let world = World::new();
    world.config_text(text);
    let read = |world: &World| std::fs::read_to_string(world.config_path()).unwrap();
    let _ = world
        .line("doctor --fix --config-only")
        .exits(4)
        .says("managed-config")
        .says("+{ session: { maintenance: { } } }");
    assert_eq!(read(&world), text);
    let _ = world.line("doctor --fix --config-only --override managed-config").exits(0);
    assert_eq!(read(&world), "// Ansible managed\n{ session: { maintenance: { } } }\n");
    let nix = World::new().var("OPENCLAW_NIX_MODE", "1");
    nix.config_text(text);
    let _ = nix.line("doctor --fix --config-only --override managed-config").exits(4).says("Nix");
    assert_eq!(read(&nix), text);
    assert!(!nix.state().join(".clawkeep").exists());
}

#[cfg(unix)]
#[test]
fn a_read_only_file_is_not_ours_to_write() {
    use std::os::unix::fs::PermissionsExt;
    let text = "{ session: { maintenance: { rotateBytes: 5 } } }";
    let world = World::new();
    world.config_text(text);
    std::fs::set_permissions(world.config_path(), std::fs::Permissions::from_mode(0o444)).unwrap();
    let _ = world.line("doctor --fix --config-only").exits(4).says("read-only");
    assert_eq!(std::fs::read_to_string(world.config_path()).unwrap(), text);
}

#[test]
fn a_bad_value_stays_and_does_not_stop_the_rest() {
    let world = World::new();
    world.config_text(
        "{ gateway: { port: 'not-a-port' }, session: { maintenance: { mode: 'delete', rotateBytes: 5 } } }",
    );
    let _ = world.line("doctor --fix --config-only").exits(4).says("gateway.port").says("one of \"enforce\", \"warn\"");
    assert_eq!(
        std::fs::read_to_string(world.config_path()).unwrap(),
        "{ gateway: { port: 'not-a-port' }, session: { maintenance: { mode: 'delete' } } }"
    );
}

#[test]
fn a_value_is_not_moved_from_one_file_to_another() {
    let world = World::new();
    let main = "{ tools: { $include: 'tools.json' } }";
    world.config_text(main);
    let include = world.state().join("tools.json");
    let text = "{ web: { search: { apiKey: 'very-private' } } }";
    std::fs::write(&include, text).unwrap();
    let _ = world
        .line("doctor --fix --config-only")
        .exits(4)
        .says("by hand: remove tools.web.search.apiKey")
        .hides("very-private");
    assert_eq!(std::fs::read_to_string(world.config_path()).unwrap(), main);
    assert_eq!(std::fs::read_to_string(&include).unwrap(), text);
}

#[test]
fn an_include_outside_the_folder_is_an_error_and_stays() {
    let world = World::new();
    let text = "{ session: { $include: '../outside.json5' }, memorySearch: {} }";
    world.config_text(text);
    std::fs::write(world.home().join("outside.json5"), "{ scope: 'global' }").unwrap();
    let _ = world.line("doctor --fix --config-only").exits(4).says("outside");
    assert_eq!(std::fs::read_to_string(world.config_path()).unwrap(), text);
}

#[test]
fn beside_a_running_gateway_consent_is_needed() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    let world = World::new().var("OPENCLAW_GATEWAY_PORT", port);
    let text = "{ session: { parentForkMaxTokens: 5 } }";
    world.config_text(text);
    let read = || std::fs::read_to_string(world.config_path()).unwrap();
    let _ = world.line("doctor --fix --config-only").exits(11).says("at once").says("--yes");
    assert_eq!(read(), text);
    let _ = world.line("doctor --fix --config-only --yes").exits(0).says("at once");
    assert_eq!(read(), "{ session: { } }");
}

#[test]
fn without_a_configuration_nothing_is_made() {
    let world = World::new();
    let _ = world.line("doctor --fix --config-only").exits(0).says("nothing");
    assert!(!world.config_path().exists() && !world.state().join(".clawkeep").exists());
}

#[test]
fn a_variable_that_is_missing_here_is_a_remark() {
    let world = World::new();
    world.config_text(
        "{ gateway: { auth: { token: '${NOT_SET_HERE}' } }, session: { maintenance: { rotateBytes: 1 } } }",
    );
    let _ = world.line("doctor --fix --config-only").exits(0).says("NOT_SET_HERE");
    let after = std::fs::read_to_string(world.config_path()).unwrap();
    assert!(after.contains("${NOT_SET_HERE}") && !after.contains("rotateBytes"), "{after}");
}

#[test]
fn a_file_that_changes_meanwhile_stays_as_it_is() {
    let world = World::new();
    world.config_text("{ session: { parentForkMaxTokens: 5 } }");
    let go = world.home().join("go");
    let mut command = world.command(["doctor", "--fix", "--config-only"]);
    command.env("CLAWKEEP_PAUSE_AT", format!("before-renames:{}", go.display()));
    let theirs = "{ session: { parentForkMaxTokens: 6, scope: 'global' } }";
    let out = std::thread::scope(|scope| {
        let run = scope.spawn(|| world.finish(command));
        while !world.home().join("go.reached").exists() && !run.is_finished() {
            std::thread::yield_now();
        }
        world.config_text(theirs);
        std::fs::write(&go, "").unwrap();
        run.join().unwrap()
    });
    let _ = out.fails().says("meanwhile");
    assert_eq!(std::fs::read_to_string(world.config_path()).unwrap(), theirs);
    assert!(!world.state().join("openclaw.json.bak").exists());
}

/// Two faults at once: somebody writes the file between the last look and the exchange of names, and the exchange cannot be
/// taken back. What they wrote has the name of a temporary file by then.
#[cfg(target_os = "linux")]
#[test]
fn a_text_that_could_not_go_back_is_kept_and_named() {
    let text = "{ session: { parentForkMaxTokens: 5 } }";
    let theirs = "{ session: { parentForkMaxTokens: 6, scope: 'global' } }";
    let world = World::new();
    world.config_text(text);
    let log = world.home().join("log");
    let mut command = world.command(["doctor", "--fix", "--config-only"]);
    command.env("CLAWKEEP_FAULT_LOG", &log);
    let _ = world.finish(command).exits(0);
    let log = std::fs::read_to_string(log).unwrap();
    let exchange = log.lines().map(|line| line.split('\t')).find_map(|mut words| {
        let number: u64 = words.next()?.parse().ok()?;
        (words.next()? == "exchange").then_some(number)
    });
    // Everything after the exchange fails, or only the first try to take it back.
    for more in ["+", ""] {
        let world = World::new();
        world.config_text(text);
        let go = world.home().join("go");
        let mut command = world.command(["doctor", "--fix", "--config-only"]);
        command.env("CLAWKEEP_PAUSE_AT", format!("before-exchange:{}", go.display()));
        command.env("CLAWKEEP_FAULT", format!("{}{more}:EIO", exchange.unwrap() + 1));
        let out = std::thread::scope(|scope| {
            let run = scope.spawn(|| world.finish(command));
            while !world.home().join("go.reached").exists() && !run.is_finished() {
                std::thread::yield_now();
            }
            let new = world.state().join("new");
            std::fs::write(&new, theirs).unwrap();
            std::fs::rename(new, world.config_path()).unwrap();
            std::fs::write(&go, "").unwrap();
            run.join().unwrap()
        });
        let out = out.fails();
        let items = walkdir::WalkDir::new(world.state()).into_iter().flatten();
        let holders: Vec<_> =
            items.filter(|item| std::fs::read(item.path()).is_ok_and(|t| t == theirs.as_bytes())).collect();
        assert_eq!(holders.len(), 1, "{}", out.picture());
        if more.is_empty() {
            assert_eq!(holders[0].path(), world.config_path());
        } else {
            let _ = out.says("by another program").says(holders[0].file_name().to_str().unwrap());
        }
    }
}

/// A link is followed where somebody keeps the file elsewhere on purpose, and left where it leads to another installation.
#[cfg(unix)]
#[test]
fn a_linked_configuration_is_written_where_it_is_and_never_in_another_state() {
    let text = "{ session: { maintenance: { rotateBytes: 5 } } }";
    for other in [false, true] {
        let world = World::new();
        let kept = world.home().join("kept");
        std::fs::create_dir(&kept).unwrap();
        let real = kept.join("openclaw.json");
        std::fs::write(&real, text).unwrap();
        if other {
            std::fs::create_dir(kept.join("agents")).unwrap();
        }
        std::os::unix::fs::symlink(&real, world.config_path()).unwrap();
        let shown = format!("a link to {}", real.display());
        let plan = world.line("doctor --fix --dry-run --config-only").ends();
        let done = world.line("doctor --fix --config-only").exits(if other { 4 } else { 0 });
        if other {
            let _ = done.says("another state folder").says("cp -p --remove-destination");
            assert_eq!(std::fs::read_to_string(&real).unwrap(), text);
            assert_eq!(std::fs::read_dir(&kept).unwrap().count(), 2);
            let _ = world.line("doctor --fix --config-only --override managed-config").exits(0);
        } else {
            let _ = (plan.says(&shown), done.says(&shown));
        }
        assert!(!std::fs::read_to_string(&real).unwrap().contains("rotateBytes"));
        assert!(world.config_path().symlink_metadata().unwrap().is_symlink());
    }
}
