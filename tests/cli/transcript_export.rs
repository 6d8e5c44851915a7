//! `transcript export`: what a page may hold, what it looks like in a browser, and what is left out of it.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::common::{DAY, Folder, World, id};

#[path = "../shared/html.rs"]
mod html;

/// A picture that browsers draw: one red pixel.
const PIXEL: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

/// Entries of a conversation with everything in it; the last one is the active leaf.
fn conversation() -> Vec<Value> {
    let at = |n: usize| format!("2026-05-01T08:00:{n:02}.000Z");
    let message = |n: usize, parent: Value, message: Value| json!({"type": "message", "id": format!("e{n}"), "parentId": parent, "timestamp": at(n), "message": message});
    vec![
        json!({"type": "session", "version": 3, "id": id(1), "timestamp": at(0), "cwd": "/work"}),
        json!({"type": "session_info", "id": "e1", "parentId": null, "timestamp": at(1), "name": "<script>alert('name')</script>"}),
        message(
            2,
            json!("e1"),
            json!({"role": "user", "content": [{"type": "text", "text": "Look <img src=x onerror=alert(1)>\n```\n</pre><script>\n```"}, {"type": "image", "mimeType": "image/png", "data": PIXEL}, {"type": "image", "mimeType": "image/png", "data": "\"onload=\"alert(1)"}]}),
        ),
        message(
            3,
            json!("e2"),
            json!({"role": "assistant", "provider": "acme", "model": "m<1>", "content": [{"type": "thinking", "thinking": "</details>"}, {"type": "text", "text": "# Plan\n**bold** `code`"}, {"type": "toolCall", "id": "c", "name": "exec\"", "arguments": {"command": "echo sk-ant-REDACTME0123456789abcdef"}}]}),
        ),
        message(
            4,
            json!("e3"),
            json!({"role": "toolResult", "toolCallId": "c", "toolName": "exec", "isError": true, "content": [{"type": "text", "text": "gateway says the-config-secret"}]}),
        ),
        message(5, json!("e2"), json!({"role": "user", "content": "the other way"})),
        message(
            6,
            json!("e5"),
            json!({"role": "assistant", "content": [{"type": "text", "text": "NO_REPLY"}], "stopReason": "error", "errorMessage": "429 <b>"}),
        ),
        json!({"type": "compaction", "id": "e7", "parentId": "e6", "timestamp": at(7), "summary": "## Goal\n<i>", "firstKeptEntryId": "e5", "tokensBefore": 9}),
        json!({"type": "<new>", "id": "e8", "parentId": "e7", "timestamp": "<time>"}),
        message(9, json!("e8"), json!({"role": "user", "content": "last words \u{202e}"})),
    ]
}

fn world() -> (World, Folder) {
    let world = World::new();
    world.config(&json!({"gateway": {"auth": {"token": "the-config-secret"}}}));
    let text: String = conversation().iter().map(|value| format!("{value}\n")).collect();
    let main = world.agent("main");
    main.row("agent:main:main", 1, DAY, json!({})).file(&format!("{}.jsonl", id(1)), text, DAY).save();
    (world, main)
}

fn export(world: &World, flags: &str) -> String {
    let out = world.line(&format!("transcript export agent:main:main {flags}")).exits(0);
    String::from_utf8(out.stdout.clone().into()).unwrap()
}

#[test]
fn a_page_holds_nothing_that_came_as_markup() {
    let (world, _) = world();
    for flags in ["", "--all-branches", "--redact", "--all-branches --images reference"] {
        let page = export(&world, flags);
        html::holds_only_its_own(&page);
        assert!(page.contains("&lt;script&gt;alert(&#39;name&#39;)&lt;/script&gt;</h1>"), "{page}");
        assert_eq!(page.contains(PIXEL), !flags.contains("reference"), "{flags}");
        assert!(!page.contains("onload=\"alert"), "{page}");
        assert!(page.contains("prefers-color-scheme:dark") && page.contains("default-src 'none'"));
        assert_eq!(page.contains("Branch that was left: 2 entries"), flags.contains("all"), "{flags}");
        assert_eq!(page.contains("exec&quot;"), flags.contains("all"), "the call is on the other branch");
    }
}

#[test]
fn secrets_are_left_out_on_request() {
    let (world, _) = world();
    for format in ["html", "markdown", "jsonl"] {
        let open = export(&world, &format!("--format {format} --all-branches"));
        let closed = export(&world, &format!("--format {format} --all-branches --redact"));
        for secret in ["sk-ant-REDACTME0123456789abcdef", "the-config-secret"] {
            assert!(open.contains(secret), "{format}: {secret}");
            assert!(!closed.contains(secret), "{format}: {secret}");
        }
        assert!(closed.contains("[redacted]"), "{format}");
    }
}

#[test]
fn without_the_configuration_nothing_is_redacted_by_halves() {
    let (world, _) = world();
    let _ =
        world.line("--config missing.json transcript export agent:main:main --redact").exits(1).says("no such file");
    std::fs::write(world.home().join("broken.json"), "{ nope").unwrap();
    let out = world.line("--config broken.json transcript export agent:main:main --redact").exits(1);
    assert_eq!(out.stdout, "");
    let _ = world.line("--config broken.json transcript export agent:main:main").exits(0);
}

#[test]
fn a_version_beyond_counting_is_a_newer_one() {
    let world = World::new();
    for version in ["99999999999999999999", "1e400", "3.5", "\"4\""] {
        let text = format!("{{\"type\":\"session\",\"version\":{version},\"id\":\"s\",\"cwd\":\"/w\"}}\nnoise\n");
        std::fs::write(world.home().join("t.jsonl"), &text).unwrap();
        for flags in ["", "--upgrade"] {
            let _ = world.line(&format!("transcript repair t.jsonl {flags}")).exits(12);
        }
        assert_eq!(std::fs::read_to_string(world.home().join("t.jsonl")).unwrap(), text);
    }
}

#[test]
fn a_secret_is_found_however_it_is_written() {
    let world = World::new();
    let secret = "p\"a\\s <b>é9";
    world.config(&json!({"gateway": {"auth": {"token": secret}}}));
    let header =
        json!({"type": "session", "version": 3, "id": "s", "timestamp": "2026-05-01T08:00:00.000Z", "cwd": "/w"});
    let units: String = secret.encode_utf16().map(|u| format!("\\u{u:04x}")).collect();
    let quoted = json!({"k": secret}).to_string();
    let words = format!("FOO_TOKEN=\"two words9\" run --token flagTok1 --password=pw12 {quoted}");
    let message = |id: &str, parent: &str, content: &str| {
        format!(r#"{{"type":"message","id":{id},"parentId":{parent},"message":{{"role":"user","content":{content}}}}}"#)
    };
    let own = json!(secret).to_string();
    let lines = [
        header.to_string(),
        message(&own, "null", &json!(words).to_string()),
        message("\"b\"", &own, &format!("\"{units}\"")),
    ];
    std::fs::write(world.home().join("t.jsonl"), lines.join("\n") + "\n").unwrap();
    for format in ["html", "markdown", "jsonl"] {
        let out = world.line(&format!("transcript export t.jsonl --format {format} --redact")).exits(0);
        for gone in [secret, "two words9", "flagTok1", "pw12", &own[1..own.len() - 1], &units, "s <b>", "s &lt;b"] {
            assert!(!out.stdout.contains(gone), "{format}: {gone} in {}", out.stdout);
        }
        if format == "jsonl" {
            let values: Vec<Value> = out.stdout.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
            assert_eq!(values.len(), 3);
            assert_eq!(values[1]["id"], values[2]["parentId"], "still one branch");
        }
    }
}

#[test]
fn colours_and_dollar_signs_hide_no_secret() {
    let world = World::new();
    world.config(&json!({"gateway": {"auth": {"password": "$Tr0ub4dor&3"}}}));
    let words = "\u{1b}[34mpassword\u{1b}[0m: \u{1b}[32mQz7Kp2Lm9Xr4Tv8W\u{1b}[0m, gateway says $Tr0ub4dor&3";
    let lines = [
        json!({"type": "session", "version": 3, "id": "s", "timestamp": "2026-05-01T08:00:00.000Z", "cwd": "/w"}),
        json!({"type": "message", "id": "a", "parentId": null, "message": {"role": "user", "content": words}}),
    ];
    std::fs::write(world.home().join("t.jsonl"), lines.map(|line| format!("{line}\n")).concat()).unwrap();
    for format in ["html", "markdown", "jsonl"] {
        let out = world.line(&format!("transcript export t.jsonl --format {format} --redact")).exits(0);
        assert!(out.stdout.contains("redacted") && out.stdout.contains("gateway says"), "{format}: {}", out.stdout);
        for gone in ["Qz7Kp2Lm9Xr4Tv8W", "Tr0ub4dor"] {
            assert!(!out.stdout.contains(gone), "{format}: {gone} in {}", out.stdout);
        }
    }
}

#[test]
fn the_active_branch_as_records_is_a_transcript() {
    let (world, main) = world();
    let text = export(&world, "--format jsonl");
    let ids: Vec<Value> = text.lines().map(|l| serde_json::from_str::<Value>(l).unwrap()["id"].clone()).collect();
    assert_eq!(
        ids,
        [json!(id(1)), json!("e1"), json!("e2"), json!("e5"), json!("e6"), json!("e7"), json!("e8"), json!("e9")]
    );
    let file = std::fs::read_to_string(main.path(&format!("{}.jsonl", id(1)))).unwrap();
    assert!(text.lines().all(|line| file.lines().any(|other| other == line)), "byte for byte");
}

#[test]
fn markdown_reads_as_a_conversation() {
    let (world, _) = world();
    let text = export(&world, "--format markdown");
    assert!(text.starts_with("# &lt;script&gt;alert('name')&lt;/script&gt;\n"), "{text}");
    assert!(text.contains("### User (2026-05-01 08:00:02)\n\nLook &lt;img src=x onerror=alert(1)>\n"), "{text}");
    assert!(text.contains("silent: nothing was sent") && text.contains("> Error: 429 &lt;b&gt;"), "{text}");
    assert!(!text.contains('\u{202e}'));
}

#[test]
fn an_export_goes_to_a_new_file_and_never_into_a_sessions_folder() {
    let (world, main) = world();
    let _ = world.line("transcript export agent:main:main --json").exits(2);
    let report = world.line("transcript export agent:main:main -o page.html --redact --json").exits(0).json();
    assert_eq!(
        (&report["format"], &report["redacted"]),
        (&json!("html"), &json!(0)),
        "the secrets are on the other branch"
    );
    let page = world.home().join("page.html");
    let before = std::fs::read(&page).unwrap();
    assert_eq!(report["bytes"], before.len());
    let _ = world.line("transcript export agent:main:main -o page.html").exits(1).says("it is left alone");
    assert_eq!(std::fs::read(&page).unwrap(), before);
    let inside = main.path("page.html");
    let out = world.run(["transcript", "export", "agent:main:main", "-o", inside.to_str().unwrap()]);
    assert_eq!(out.code, Some(1), "{}", out.picture());
    assert!(!inside.exists());
}

/// A browser, if there is one.
fn chromium() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let names = ["chromium", "chromium-browser", "google-chrome"];
    std::env::split_paths(&path).flat_map(|dir| names.map(|name| dir.join(name))).find(|file| file.is_file())
}

/// Loads a page without a window; gives what the browser logs, and makes a picture of it.
fn look(browser: &Path, home: &Path, page: &Path, picture: &Path, dark: bool) -> String {
    let scheme = if dark { "0" } else { "1" };
    let out = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"])
        .args(["--window-size=900,1400", "--enable-logging=stderr", "--v=0", "--virtual-time-budget=2000"])
        .arg(format!("--blink-settings=preferredColorScheme={scheme}"))
        .arg(format!("--user-data-dir={}", home.join("browser").display()))
        .arg(format!("--screenshot={}", picture.display()))
        .arg(format!("file://{}", page.display()))
        .env("HOME", home)
        .output()
        .unwrap();
    String::from_utf8_lossy(&out.stderr).into_owned()
}

#[test]
fn a_browser_draws_the_page_without_a_word_on_its_console() {
    let Some(browser) = chromium() else {
        println!("skipped: no chromium here; apt-get install chromium makes this test run");
        return;
    };
    let (world, _) = world();
    let _ = world.line("transcript export agent:main:main --all-branches -o page.html").exits(0);
    let page = world.home().join("page.html");
    let mut sizes = Vec::new();
    for dark in [false, true] {
        let picture = world.home().join(format!("{dark}.png"));
        let log = look(&browser, &world.home(), &page, &picture, dark);
        let console: Vec<&str> = log.lines().filter(|line| line.contains("CONSOLE")).collect();
        assert!(console.is_empty(), "{console:#?}");
        let png = std::fs::read(&picture).unwrap_or_else(|e| panic!("no picture: {e}\n{log}"));
        assert_eq!(&png[16..24], [900u32.to_be_bytes(), 1400u32.to_be_bytes()].concat(), "width and height");
        // An empty page is a few hundred bytes.
        assert!(png.len() > 20_000, "{} bytes", png.len());
        sizes.push(png);
    }
    assert_ne!(sizes[0], sizes[1], "dark is not light");
}
