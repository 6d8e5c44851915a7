//! The published JSON Schemas against what the program really prints.
//!
//! Every command runs on states made for this; every output must be what its schema allows, and every property of every
//! schema must have been there at least once: a property that nothing prints is a promise that nobody keeps.

#![cfg(unix)]

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::common::{DAY, Folder, HOUR, World, closed_port, id, stamp};
use crate::gateway::faulty::{Fault, Faulty};
use crate::gateway::remote;
use crate::gateway::scripted::{Reply, Says, Scripted, owned};

/// Properties that this test cannot bring about, with the reason. An entry that occurs after all fails the test.
const NOT_HERE: &[(&str, &str, &str)] = &[
    ("transcript-stats.json", "/properties/duplicatesIncomplete", "a million answers"),
    ("cron-prune.json", "/unreadable/items/properties/path", "a file that root cannot read"),
    ("cron-prune.json", "/unreadable/items/properties/error", "a file that root cannot read"),
    ("cron-prune.json", "/ofDeletedJobs/items/properties/error", "a file that root cannot read"),
    ("cron-status.json", "/log/properties/error", "a file that root cannot read"),
    ("disk.json", "/unreadable/items/properties/path", "a file that root cannot read"),
    ("disk.json", "/unreadable/items/properties/error", "a file that root cannot read"),
];

/// Schemas, what they allow, and what of them was seen.
struct Gallery {
    schemas: BTreeMap<String, Schema>,
}

struct Schema {
    document: Value,
    validator: jsonschema::Validator,
    seen: BTreeSet<String>,
}

impl Gallery {
    fn new() -> Self {
        let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("docs/schema");
        let one = |entry: std::io::Result<std::fs::DirEntry>| {
            let entry = entry.unwrap();
            let document: Value = serde_json::from_slice(&std::fs::read(entry.path()).unwrap()).unwrap();
            let validator = jsonschema::draft202012::new(&document).unwrap();
            (entry.file_name().into_string().unwrap(), Schema { document, validator, seen: BTreeSet::new() })
        };
        Self { schemas: std::fs::read_dir(dir).unwrap().map(one).collect() }
    }

    /// Takes an output: it must be valid.
    #[track_caller]
    fn take(&mut self, name: &str, value: &Value) {
        let schema = self.schemas.get_mut(&format!("{name}.json")).unwrap_or_else(|| panic!("no schema {name}"));
        let errors: Vec<String> =
            schema.validator.iter_errors(value).map(|e| format!("{}: {e}", e.instance_path)).collect();
        assert!(errors.is_empty(), "{name}: {errors:#?}\n{value:#}");
        visit(&schema.document, &schema.document, "", value, &mut schema.seen);
    }

    /// What never occurred, and entries of [`NOT_HERE`] that did.
    fn complaints(&self) -> Vec<String> {
        let mut out = Vec::new();
        for (name, schema) in &self.schemas {
            let mut all = BTreeSet::new();
            promised(&schema.document, "", &mut all, &mut out);
            for property in &all {
                let excused = NOT_HERE.iter().any(|(n, tail, _)| n == name && property.ends_with(tail));
                if schema.seen.contains(property) == excused {
                    out.push(format!("{name}{property}: {}", if excused { "does occur" } else { "never occurred" }));
                }
            }
        }
        out
    }
}

/// Every property of a schema, by its place; schemas of objects that let anything through are complained about.
fn promised(schema: &Value, at: &str, all: &mut BTreeSet<String>, complaints: &mut Vec<String>) {
    let Some(map) = schema.as_object() else { return };
    if let Some(properties) = map.get("properties").and_then(Value::as_object) {
        if map.get("additionalProperties") != Some(&json!(false)) {
            complaints.push(format!("{at}: additionalProperties is not false"));
        }
        for (name, inner) in properties {
            let place = format!("{at}/properties/{name}");
            promised(inner, &place, all, complaints);
            all.insert(place);
        }
    }
    for key in ["items", "additionalProperties"] {
        if let Some(inner) = map.get(key) {
            promised(inner, &format!("{at}/{key}"), all, complaints);
        }
    }
    for key in ["oneOf", "anyOf"] {
        for (ix, inner) in map.get(key).and_then(Value::as_array).into_iter().flatten().enumerate() {
            promised(inner, &format!("{at}/{key}/{ix}"), all, complaints);
        }
    }
    for (name, inner) in map.get("$defs").and_then(Value::as_object).into_iter().flatten() {
        promised(inner, &format!("/$defs/{name}"), all, complaints);
    }
}

/// Notes every property of the schema that a valid value has.
fn visit(root: &Value, schema: &Value, at: &str, value: &Value, seen: &mut BTreeSet<String>) {
    if let Some(pointer) = schema.get("$ref").and_then(Value::as_str).and_then(|r| r.strip_prefix('#')) {
        return visit(root, root.pointer(pointer).unwrap(), pointer, value, seen);
    }
    for key in ["oneOf", "anyOf"] {
        for (ix, branch) in schema.get(key).and_then(Value::as_array).into_iter().flatten().enumerate() {
            let mut alone = branch.clone();
            if let (Some(map), Some(defs)) = (alone.as_object_mut(), root.get("$defs")) {
                map.insert("$defs".to_owned(), defs.clone());
            }
            if jsonschema::draft202012::new(&alone).unwrap().is_valid(value) {
                visit(root, branch, &format!("{at}/{key}/{ix}"), value, seen);
            }
        }
    }
    match value {
        Value::Object(map) => {
            for (name, inner) in map {
                let place = format!("{at}/properties/{name}");
                if let Some(of) = schema.get("properties").and_then(|p| p.get(name)) {
                    visit(root, of, &place, inner, seen);
                    seen.insert(place);
                } else if let Some(of) = schema.get("additionalProperties") {
                    visit(root, of, &format!("{at}/additionalProperties"), inner, seen);
                }
            }
        }
        Value::Array(items) => {
            for item in items {
                visit(root, schema.get("items").unwrap_or(&Value::Null), &format!("{at}/items"), item, seen);
            }
        }
        _ => {}
    }
}

#[test]
fn every_output_is_what_its_schema_allows_and_every_property_occurs() {
    let mut gallery = Gallery::new();
    lists(&mut gallery);
    shows(&mut gallery);
    cleanups(&mut gallery);
    delegated(&mut gallery);
    doubts(&mut gallery);
    several(&mut gallery);
    runs_and_undo(&mut gallery);
    groups(&mut gallery);
    by_name(&mut gallery);
    repairs(&mut gallery);
    disks(&mut gallery);
    rooms(&mut gallery);
    crons(&mut gallery);
    configs(&mut gallery);
    checks(&mut gallery);
    named(&mut gallery);
    crate::transcripts::outputs(&mut |name, value| gallery.take(name, value));
    doctors(&mut gallery);
    transcripts(&mut gallery);
    gateways(&mut gallery);
    let complaints = gallery.complaints();
    assert!(complaints.is_empty(), "{complaints:#?}");
}

/// Nobody, a gateway of this state, something else on its port, and a lock.
fn gateways(gallery: &mut Gallery) {
    const STATUS: &str = "gateway status --json";
    let (world, _main) = owned(|main| {
        let _ = main.session("agent:main:main", 1, HOUR);
    });
    gallery.take("gateway-status", &world.line(STATUS).exits(0).json());
    let tmp = world.state().join(format!("tmp/openclaw-{}", world.state().metadata().unwrap().uid()));
    std::fs::create_dir_all(&tmp).unwrap();
    std::fs::write(tmp.join("gateway.state.lock"), json!({"pid": std::process::id()}).to_string()).unwrap();
    let _gateway = Scripted::start(Says::of(&world), world.port(), |_, _| Reply::Nothing);
    gallery.take("gateway-status", &world.line(STATUS).exits(11).json());
    let (world, _main) = owned(|_| ());
    let _faulty = Faulty::start(Fault::Http(404), world.port(), "/state");
    gallery.take("gateway-status", &world.line(STATUS).exits(4).json());
}

/// A row with every field that a report shows.
fn full_row(world: &World, main: &Folder, n: u64) {
    let now = world.now();
    let more = json!({
        "systemSent": true, "abortedLastRun": false, "thinkingLevel": "high", "verboseLevel": "on", "traceLevel": "on",
        "reasoningLevel": "on", "elevatedLevel": "on", "responseUsage": "on", "groupActivation": "always",
        "inputTokens": 1, "outputTokens": 2, "totalTokens": 3, "contextTokens": 4, "model": "m", "modelProvider": "p",
        "providerOverride": "p", "modelOverride": "m", "status": "done", "lastInteractionAt": now - HOUR,
        "sessionStartedAt": now - 2 * HOUR, "compactionCount": 1,
    });
    main.row("agent:main:main", n, HOUR, more).transcript(n, HOUR);
}

/// The agents `work` (damaged), `old` (newer generation) and `new` (nothing yet) beside `main`.
fn neighbours(world: &World, more: &Value) {
    let mut config = json!({"agents": {"list": [{"id": "main"}, {"id": "work"}, {"id": "old"}, {"id": "new"}]}});
    config.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    world.config(&config);
    world.agent("work").file("sessions.json", "{\"agent:work:main\": {", DAY);
    world.agent("old").session("agent:old:main", 900, HOUR).save();
    let database = world.state().join("agents/old/agent");
    std::fs::create_dir_all(&database).unwrap();
    std::fs::write(database.join("openclaw-agent.sqlite"), "SQLite format 3\0").unwrap();
}

fn transcripts(gallery: &mut Gallery) {
    let world = World::new();
    let main = world.agent("main");
    let name = format!("{}.jsonl", id(1));
    let good = crate::common::body(&id(1), 1_777_622_400_000, 2, 0);
    let entries = good.split_once('\n').unwrap().1;
    let other = "{\"type\":\"session\",\"version\":3,\"id\":\"other\"}\n";
    let third = other.replace("other", "third");
    let damaged = format!("{{\"type\":\"session\",\"ver\n{entries}{entries}null\n{other}{other}{third}{{\"torn");
    main.row("agent:main:main", 1, DAY, json!({})).file(&name, &damaged, DAY).save();
    gallery.take("transcript-check", &world.line("transcript check agent:main:main --json").exits(4).json());
    gallery.take("transcript-repair", &world.line("transcript repair agent:main:main -n --json").ends().json());
    let world = world.var("CLAWKEEP_FAULT", "exchange:kill");
    drop(world.line("transcript repair agent:main:main"));
    let world = world.var("CLAWKEEP_FAULT", "");
    let lock = format!("{name}.lock");
    main.file(&lock, std::fs::read(main.path(&lock)).unwrap_or_default(), HOUR);
    gallery.take("transcript-check", &world.line("transcript check agent:main:main --json").exits(4).json());
    gallery.take("transcript-repair", &world.line("transcript repair agent:main:main --json").ends().json());
    let page = "transcript export agent:main:main -o page.html --json";
    gallery.take("transcript-export", &world.line(page).exits(0).json());
}

fn lists(gallery: &mut Gallery) {
    let world = World::new();
    let main = world.agent("main");
    full_row(&world, &main, 1);
    main.row("agent:main:gone", 2, DAY, json!({})).raw_row("agent:main:seconds", json!({"updatedAt": 1.7e9}));
    main.raw_row("agent:main:odd", json!(5)).lock(1, std::process::id(), 0).save();
    neighbours(&world, &json!({}));
    gallery.take("sessions-list", &world.line("sessions --json --agent main").exits(0).json());
    gallery.take("sessions-list", &world.line("sessions --json --all-agents").exits(3).json());
    gallery.take("sessions-list", &world.line("sessions --json --agent new").exits(0).json());
    let (away, port) = far_away();
    let _gateway = remote::gateway(&away, port);
    gallery.take("sessions-list", &away.line("sessions --json").exits(0).json());
    gallery.take("sessions-list", &away.line("sessions --json --all-agents").exits(0).json());
    gallery.take("exit-error", &world.line("sessions --json --agent work").exits(1).error_json());
    gallery.take("exit-error", &world.line("sessions cleanup --json --enforce --agent old").fails().error_json());
}

fn shows(gallery: &mut Gallery) {
    let world = World::new();
    let main = world.agent("main");
    full_row(&world, &main, 1);
    main.session("agent:main:telegram:direct:7", 2, 3 * DAY);
    main.lock(1, std::process::id(), 0).archive(10, "deleted", 3 * DAY).save();
    std::fs::hard_link(main.path(&format!("{}.jsonl", id(2))), world.home().join("other-name")).unwrap();
    neighbours(&world, &json!({}));
    let archive = format!("{}.jsonl.deleted.{}", id(10), stamp(world.now() - 3 * DAY));
    for what in ["agent:main:main", "agent:main:telegram:direct:7", archive.as_str()] {
        gallery
            .take("sessions-show", &world.line(&format!("sessions show --json --agent main {what}")).exits(0).json());
    }
    gallery.take("sessions-show", &world.line("sessions show --json --agent old agent:old:main").exits(0).json());
    let kin = World::new();
    let main = kin.agent("main");
    let fork = format!("2026-05-02T08-00-00-000Z_{}.jsonl", id(2));
    let from = format!("{{\"type\":\"session\",\"parentSession\":\"/x/{}.jsonl\"", id(1));
    let text = crate::common::body(&id(2), 1_777_622_400_000, 1, 0).replacen("{\"type\":\"session\"", &from, 1);
    main.session("agent:main:main", 1, DAY).file(&fork, text, DAY).save();
    gallery.take("sessions-show", &kin.line("sessions show --json agent:main:main").exits(0).json());
    let (away, port) = far_away();
    let _gateway = remote::gateway(&away, port);
    gallery.take("sessions-show", &away.line("sessions show --json agent:ops:main").exits(0).json());
}

/// A world whose gateway is on another host, and the port of that one.
fn far_away() -> (World, u16) {
    let port = closed_port();
    (remote::away(port).0, port)
}

/// Old and young rows, orphans and archives, above its budget.
fn crowded(world: &World) -> Folder {
    let main = world.agent("main");
    full_row(world, &main, 1);
    main.session("agent:main:telegram:group:-1", 2, 90 * DAY);
    for n in 3..9 {
        let age = i64::try_from(n).unwrap() * 20 * DAY;
        main.row(&format!("agent:main:telegram:direct:{n}"), n, age, json!({})).fat_transcript(n, age, 20_000);
    }
    main.row("agent:main:nothing", 9, 2 * DAY, json!({}));
    main.archive(30, "deleted", 50 * DAY).archive(31, "deleted", 5 * DAY).transcript(40, 60 * DAY);
    main.save();
    main
}

fn cleanups(gallery: &mut Gallery) {
    let budget = json!({"session": {"maintenance": {
        "pruneAfter": "30d", "maxEntries": 2, "maxDiskBytes": 30_000, "highWaterBytes": 20_000}}});
    let world = World::new();
    let main = crowded(&world);
    world.config(&budget);
    gallery.take("archive-init", &world.line("archive init attic --json").exits(0).json());
    gallery.take("sessions-cleanup", &world.plan("--max-remove 90% --fix-missing --archive-to attic").ends().json());
    let bare = World::new();
    bare.agent("main").row("agent:main:a", 1, HOUR, json!({})).row("agent:main:b", 2, HOUR, json!({})).save();
    gallery.take("sessions-cleanup", &bare.plan("--fix-missing").exits(4).json());
    bare.maintenance(&json!({"maxDiskBytes": 2000}));
    bare.agent("main").file("memory.sqlite", vec![1; 5000], DAY);
    gallery.take("sessions-cleanup", &bare.plan("").exits(0).json());
    gallery.take("sessions-cleanup", &world.line("sessions cleanup --json").exits(0).json());
    main.lock(4, std::process::id(), 0);
    gallery.take("sessions-cleanup", &world.enforce("--max-remove 90% --fix-missing --archive-to attic").ends().json());
    gallery.take("sessions-undo", &world.line("sessions undo --dry-run --json").ends().json());

    // A rename that fails, and a run that is killed and then recovered.
    let world = World::new();
    crowded(&world);
    world.config(&budget);
    let world = world.var("CLAWKEEP_FAULT", "rename:EXDEV");
    gallery.take("sessions-cleanup", &world.enforce("").ends().json());
    let world = World::new();
    crowded(&world);
    let world = world.var("CLAWKEEP_FAULT", "exchange:kill");
    drop(world.enforce(""));
    let world = world.var("CLAWKEEP_FAULT", "");
    gallery.take("sessions-cleanup", &world.plan("").ends().json());
    gallery.take("sessions-cleanup", &world.enforce("").ends().json());
}

/// By a gateway whose state we see, and by one whose state we do not.
fn delegated(gallery: &mut Gallery) {
    use crate::gateway::scripted::{Reply, Says, Scripted, clean_up, owned};
    let (world, main) = owned(|main| {
        main.session("agent:main:main", 1, HOUR).session("agent:main:subagent:stale", 2, 60 * DAY);
    });
    let (dir, now) = (main.dir().to_owned(), world.now());
    let _gateway = Scripted::start(Says::of(&world), world.port(), move |_, _| {
        Reply::Result(clean_up(&dir, now, &["agent:main:subagent:stale"], &[]))
    });
    gallery.take("sessions-cleanup", &world.line("sessions cleanup --json --enforce").exits(0).json());
    world.folder(".openclaw/agents/main/agent").file("openclaw-agent.sqlite", "", HOUR);
    gallery.take("sessions-cleanup", &world.line("sessions cleanup --json --enforce").exits(0).json());
}

fn doubts(gallery: &mut Gallery) {
    // An index that shrank since it was last recorded, and a store beside it that cannot be read.
    let world = World::new();
    let main = world.agent("main");
    for n in 1..40 {
        main.session(&format!("agent:main:telegram:direct:{n}"), n, HOUR);
    }
    main.save();
    let _ = world.enforce("").ends();
    std::fs::write(main.index(), "{}").unwrap();
    gallery.take("sessions-cleanup", &world.plan("").ends().json());
    neighbours(&world, &json!({}));
    gallery.take("sessions-cleanup", &world.plan("").ends().json());
    // The same without a record.
    let world = World::new();
    let main = world.agent("main");
    for n in 1..40 {
        main.transcript(n, HOUR);
    }
    main.file("sessions.json", "{}", 0);
    gallery.take("sessions-cleanup", &world.plan("").ends().json());
    // Old history that no row leads to, and rows that are none.
    let world = World::new();
    let main = world.agent("main");
    for n in 1..40 {
        main.transcript(n, 60 * DAY);
    }
    main.file("sessions.json", "{}", 0);
    gallery.take("sessions-cleanup", &world.plan("").ends().json());
    let world = World::new();
    let main = world.agent("main");
    for n in 0..6 {
        main.raw_row(&format!("agent:main:odd:{n}"), json!(n));
    }
    main.save();
    gallery.take("sessions-cleanup", &world.plan("").ends().json());
    // More than may go.
    let world = World::new();
    crowded(&world);
    gallery.take("sessions-cleanup", &world.plan("--max-remove 1").ends().json());
}

fn several(gallery: &mut Gallery) {
    let world = World::new();
    crowded(&world);
    neighbours(&world, &json!({}));
    gallery.take("sessions-cleanup", &world.line("sessions cleanup --json --all-agents --enforce").ends().json());
    let line = "sessions cleanup --json --agent main --agent old --enforce";
    gallery.take("sessions-cleanup", &world.line(line).ends().json());
}

fn runs_and_undo(gallery: &mut Gallery) {
    let world = World::new();
    let main = crowded(&world);
    world.maintenance(&json!({"pruneAfter": "30d", "mode": "warn"}));
    let run = world.enforce("").ends().json()["runId"].as_str().unwrap().to_owned();
    let rows = main.dir().join(".clawkeep/runs").join(&run).join("rows.jsonl");
    let text = std::fs::read(&rows).unwrap();
    std::fs::write(&rows, &text[..text.len() / 2]).unwrap();
    gallery.take("sessions-runs", &world.line("sessions runs --json").exits(0).json());
    std::fs::write(&rows, text).unwrap();
    // In the way of what comes back.
    main.file(&format!("{}.jsonl", id(4)), "another\n", HOUR);
    gallery.take("sessions-undo", &world.line("sessions undo --dry-run --json").exits(3).json());
    gallery.take("sessions-undo", &world.line("sessions undo --yes --json").ends().json());
    gallery.take("sessions-runs", &world.line("sessions runs --json").exits(0).json());
    gallery.take("exit-error", &world.line(&format!("sessions undo {run} --json")).fails().error_json());

    // What a budget unlinked cannot come back, and what had expired was not to; a second undo after an interruption.
    let world = World::new();
    crowded(&world);
    world.maintenance(&json!({"maxDiskBytes": 30_000, "highWaterBytes": 20_000, "mode": "warn"}));
    let _ = world.enforce("").ends();
    let world = world.var("CLAWKEEP_FAULT", "exchange:kill");
    drop(world.line("sessions undo --yes --json"));
    let world = world.var("CLAWKEEP_FAULT", "");
    gallery.take("sessions-undo", &world.line("sessions undo --yes --json").ends().json());
}

/// A fix of the doctor is several runs: put back together, or stopped on the way.
fn groups(gallery: &mut Gallery) {
    for fault in ["", "rename:EACCES", "unlink:EACCES", "exchange:EACCES", "rmdir:EACCES"] {
        let world = crate::doctor::old_state();
        world.config_text("{ session: { maintenance: { mode: \"warn\", rotateBytes: 1 } } }\n");
        let _ = world.line("doctor --fix --json").ends();
        gallery.take("sessions-runs", &world.line("sessions runs --json").exits(0).json());
        let world = world.var("CLAWKEEP_FAULT", fault);
        let undone = world.line("sessions undo --yes --json").ends();
        if !undone.stdout.is_empty() {
            gallery.take("sessions-undo", &undone.json());
        }
    }
}

fn by_name(gallery: &mut Gallery) {
    let world = World::new();
    let main = crowded(&world);
    world.maintenance(&json!({"pruneAfter": "30d", "mode": "warn"}));
    let key = "agent:main:telegram:direct:4";
    let rm = format!("sessions rm {key} agent:main:nobody agent:main:main --active-key agent:main:main --json");
    gallery.take("sessions-rm", &world.line(&format!("{rm} --dry-run")).exits(3).json());
    let run = world.line(&rm).exits(3);
    gallery.take("sessions-rm", &run.json());
    let run = run.json()["stores"][0]["runId"].as_str().unwrap().to_owned();
    // One session whose archive was swept, one that is an archive without a row.
    std::fs::remove_file(main.path(&main.of_session(4, ".jsonl.deleted.").remove(0))).unwrap();
    gallery.take("sessions-restore", &world.line(&format!("sessions restore {key} --list --json")).exits(0).json());
    let bare = format!("sessions restore {} --list --json", id(31));
    gallery.take("sessions-restore", &world.line(&bare).exits(0).json());
    gallery.take("sessions-restore", &world.line(&format!("sessions restore {key} --json")).exits(0).json());
    let as_key = format!("sessions restore {} --as agent:main:back --json", id(31));
    gallery.take("sessions-restore", &world.line(&as_key).exits(0).json());
    gallery.take("sessions-rm", &world.line(&format!("sessions rm {key} --purge --yes --json")).exits(0).json());
    let forget = format!("sessions runs --forget {run} --yes --json");
    let world = world.var("CLAWKEEP_FAULT", "rmdir:EIO");
    gallery.take("sessions-runs", &world.line(&forget).exits(3).json());
}

fn repairs(gallery: &mut Gallery) {
    let world = World::new();
    world.config(&json!({"agents": {"list": [{"id": "main", "default": true}, {"id": "work"}]}}));
    let main = world.agent("main");
    main.session("agent:main:main", 1, HOUR).row("agent:main:gone", 2, HOUR, json!({})).save();
    let whole = std::fs::read(main.index()).unwrap();
    main.file("sessions.json", [&whole[..], b"{"].concat(), 0);
    // An index that is a folder cannot be read, let alone repaired.
    std::fs::create_dir_all(world.agent("work").index()).unwrap();
    gallery.take("sessions-repair", &world.line("sessions repair --json --all-agents --dry-run").fails().json());
    gallery.take("sessions-repair", &world.line("sessions repair --json --agent main").exits(4).json());
    gallery.take("exit-error", &world.line("sessions repair --json --agent work").exits(1).error_json());
}

fn disks(gallery: &mut Gallery) {
    let world = World::new();
    crowded(&world);
    neighbours(&world, &json!({"session": {"maintenance": {"maxDiskBytes": 30_000}}}));
    let _ = world.folder(".openclaw/logs").file("gateway.log", "x\n", DAY);
    gallery.take("disk", &world.line("disk --json --top 100").ends().json());
    gallery.take("disk", &world.line("disk --json --agent main").ends().json());
    // Two agents whose index lies in one folder.
    world.config(&json!({
        "agents": {"list": [{"id": "main"}, {"id": "work"}]},
        "session": {"store": "~/shared/{agentId}.json"},
    }));
    let shared = world.folder("shared");
    shared.session("agent:main:main", 1, HOUR).save();
    std::fs::copy(shared.index(), shared.path("main.json")).unwrap();
    std::fs::rename(shared.index(), shared.path("work.json")).unwrap();
    gallery.take("disk", &world.line("disk --json").ends().json());
}

fn rooms(gallery: &mut Gallery) {
    let world = World::new();
    crowded(&world);
    neighbours(&world, &json!({"session": {"maintenance": {"maxDiskBytes": 30_000, "highWaterBytes": 20_000}}}));
    for goal in ["--need 1b", "--keep-free 1b", "--keep-free 1%", "--to-budget"] {
        gallery
            .take("disk-free", &world.line(&format!("disk free --json --dry-run {goal} --agent main")).ends().json());
    }
    gallery.take("disk-free", &world.line("disk free --json --need 100gb --all-agents --dry-run").ends().json());
    let world = world.var("CLAWKEEP_FAULT", "unlink:EIO");
    gallery.take("disk-free", &world.line("disk free --json --need 100gb --agent main").ends().json());
    let world = world.var("CLAWKEEP_FAULT", "");
    gallery.take("disk-free", &world.line("disk free --json --to-budget --agent main").ends().json());
}

fn crons(gallery: &mut Gallery) {
    let cron_world = || {
        let world = World::new();
        neighbours(&world, &json!({"cron": {"sessionRetention": "24h", "runLog": {"keepLines": 2}}}));
        world.folder(".openclaw/cron").file("jobs.json", r#"{"version":1,"jobs":[{"id":"live"}]}"#, DAY);
        let main = world.agent("main");
        main.session("agent:main:cron:live", 1, 3 * DAY).session("agent:main:cron:live:run:r1", 2, 2 * DAY).save();
        let runs = world.folder(".openclaw/cron/runs");
        runs.file("live.jsonl", "1\n2\n3\n", HOUR).file("gone.jsonl", "1\n", HOUR);
        world
    };
    let world = cron_world();
    gallery.take("cron-status", &world.line("cron status --json").ends().json());
    gallery.take("cron-prune", &world.line("cron prune --json").ends().json());
    world.agent("main").lock(2, std::process::id(), 0);
    gallery.take("cron-prune", &world.line("cron prune --json").ends().json());
    std::fs::remove_file(world.agent("main").path(&format!("{}.jsonl.lock", id(2)))).unwrap();
    gallery.take("cron-status", &world.line("cron status --json --all-agents").ends().json());
    gallery.take("cron-prune", &world.line("cron prune --json --all-agents").ends().json());
    gallery.take("cron-prune", &world.line("cron prune --json --enforce --all-agents").ends().json());
    std::fs::write(world.state().join("cron/jobs.json"), "{").unwrap();
    gallery.take("cron-status", &world.line("cron status --json --all-agents").ends().json());
    for fault in ["exchange:EIO", "link:EIO", "mkdir:EIO"] {
        let world = cron_world().var("CLAWKEEP_FAULT", fault);
        gallery.take("cron-prune", &world.line("cron prune --json --enforce --all-agents").ends().json());
    }
    // Somebody answers on the gateway's port: nothing is changed, and each part says so.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let world = cron_world().var("OPENCLAW_GATEWAY_PORT", listener.local_addr().unwrap().port().to_string());
    gallery.take("cron-prune", &world.line("cron prune --json --enforce --all-agents").ends().json());
}

fn configs(gallery: &mut Gallery) {
    let world = World::new();
    world.config(&json!({"session": {"maintenance": {"pruneAfter": "1Y", "rotateBytes": 5}}}));
    std::fs::write(world.state().join("clawkeep.json5"), "{keepFree: '1gb'}").unwrap();
    gallery.take("config-validate", &world.line("config validate --json").ends().json());
    gallery.take("config-get", &world.line("config get --json").ends().json());
    gallery.take("config-path", &world.line("config path --json").exits(0).json());
    let world = world.var("OPENCLAW_STATE_DIR", "~/.openclaw");
    gallery.take("config-path", &world.line("config path --json").exits(0).json());
    gallery.take("config-get", &world.line("config get --json").ends().json());
}

fn checks(gallery: &mut Gallery) {
    let world = World::new();
    let main = crowded(&world);
    main.lock(3, std::process::id(), 0);
    neighbours(&world, &json!({}));
    // A folder that is none, and the lock of a gateway that runs.
    std::fs::remove_dir_all(world.state().join("agents/old")).unwrap();
    std::fs::create_dir_all(world.state().join("agents/old")).unwrap();
    std::fs::write(world.state().join("agents/old/sessions"), "a file").unwrap();
    let locks = world.state().join("tmp").join(format!("openclaw-{}", world.state().metadata().unwrap().uid()));
    std::fs::create_dir_all(&locks).unwrap();
    std::fs::write(locks.join("gateway.state.lock"), json!({"pid": std::process::id()}).to_string()).unwrap();
    gallery.take("sessions-check", &world.line("sessions check --json --all-agents").ends().json());
    std::fs::remove_dir_all(locks).unwrap();
    // Lines that are no JSON, a path outside, an interrupted run, a port that does not answer.
    let mut text = std::fs::read(main.path(&format!("{}.jsonl", id(1)))).unwrap();
    text.extend_from_slice(b"{\"type\": \n{}\n");
    main.file(&format!("{}.jsonl", id(1)), text, HOUR);
    main.row("agent:main:outside", 50, HOUR, json!({"sessionFile": "/absent/volume/x.jsonl"})).save();
    let world = world.var("CLAWKEEP_FAULT", "exchange:kill");
    drop(world.line("sessions cleanup --agent main --enforce"));
    let world = world.var("CLAWKEEP_FAULT", "").var("OPENCLAW_GATEWAY_URL", "ws://no.such.host.invalid:1");
    gallery.take("sessions-check", &world.line("sessions check --json --full --agent main").ends().json());
}

/// Commands on sessions that a person names.
fn named(gallery: &mut Gallery) {
    let key = "agent:main:telegram:direct:8";
    let world = World::new();
    crowded(&world);
    let _ = world.enforce("").ends();
    let list = world.run(["sessions", "restore", key, "--list", "--json", "--agent", "main"]).ends();
    gallery.take("sessions-restore", &list.json());
    let back = world.run(["sessions", "restore", key, "--yes", "--json", "--agent", "main"]).ends();
    gallery.take("sessions-restore", &back.json());
    let gone = world.run(["sessions", "rm", key, "agent:main:nobody", "--json", "--agent", "main"]).ends();
    gallery.take("sessions-rm", &gone.json());
    let purged = ["sessions", "rm", "--purge", "--yes", key, "agent:main:main", "--json", "--agent", "main"];
    gallery.take("sessions-rm", &world.run(purged).ends().json());
}

/// Findings, edits, refusals and a managed file.
/// A fix of several folders that is undone as one, and one whose undo stops on the way.
fn undone_fix(gallery: &mut Gallery) {
    let fixed = || {
        let world = crate::doctor::state::old_state();
        let _ = world.line("doctor --fix").ends();
        world
    };
    let world = fixed();
    let log = world.home().join("operations");
    let undo = |world: &World, name: &str, value: &str| {
        let mut command = world.command(["sessions", "undo", "--yes", "--json"]);
        command.env(name, value);
        world.finish(command).json()
    };
    gallery.take("sessions-undo", &undo(&world, "CLAWKEEP_FAULT_LOG", log.to_str().unwrap()));
    gallery.take("sessions-runs", &world.line("sessions runs --json").exits(0).json());
    let half = std::fs::read_to_string(&log).unwrap().lines().count() / 2;
    gallery.take("sessions-undo", &undo(&fixed(), "CLAWKEEP_FAULT", &format!("{half}+:EIO")));
}

fn doctors(gallery: &mut Gallery) {
    let world = World::new();
    world.config_text(
        "{ session: { parentForkMaxTokens: 1 }, tools: { $include: 'tools.json' }, gateway: { port: 'x' } }",
    );
    std::fs::write(world.state().join("tools.json"), "{ web: { search: { apiKey: 'k' } } }").unwrap();
    let main = world.agent("main");
    std::fs::write(main.path("sessions.json"), "{ \"a\": ").unwrap();
    gallery.take("doctor", &world.line("doctor --json").exits(4).json());
    gallery.take("doctor", &world.line("doctor --fix --dry-run --json").exits(4).json());
    gallery.take("doctor", &world.line("doctor --fix --json").exits(4).json());
    let managed = World::new();
    managed.config_text("// Ansible managed\n{ session: { parentForkMaxTokens: 1 } }");
    gallery.take("doctor", &managed.line("doctor --fix --json").exits(4).json());
    gallery.take("doctor-rules", &world.line("doctor --list --json").exits(0).json());
    undone_fix(gallery);
    gallery.take("doctor-rules", &world.line("doctor --explain heartbeat-root --json").exits(0).json());
}
