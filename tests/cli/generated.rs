//! Files that are made from the program, and are checked in: they must say what it says. `BLESS=1 cargo test` rewrites.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clawkeep::cli::usage::{Parsed, parse};
use clawkeep::exit;
use clawkeep::model::decision::Reason;
use clawkeep::model::finding::{FindingId, RepairId};
use clawkeep::model::gateway_does::gateway_does;
use clawkeep::model::mend::MendKind;

use crate::common::World;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Compares a file of the project with what it should be, or rewrites it.
fn same(path: &Path, want: &str) {
    if std::env::var_os("BLESS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, want).unwrap();
        return;
    }
    let have = std::fs::read_to_string(path).unwrap_or_default();
    if have == want {
        return;
    }
    let first = have.lines().zip(want.lines()).position(|(h, w)| h != w).unwrap_or(0);
    let near = |text: &str| text.lines().skip(first.saturating_sub(2)).take(8).collect::<Vec<_>>().join("\n");
    panic!(
        "{} differs from line {}; BLESS=1 rewrites it\n--- is\n{}\n--- should be\n{}",
        path.display(),
        first + 1,
        near(&have),
        near(want)
    );
}

#[test]
fn completions_are_those_of_the_program() {
    let world = World::new();
    for (shell, name) in [
        ("bash", "clawkeep.bash"),
        ("zsh", "_clawkeep"),
        ("fish", "clawkeep.fish"),
        ("powershell", "_clawkeep.ps1"),
        ("elvish", "clawkeep.elv"),
    ] {
        let out = world.run(["completions", shell]).exits(0);
        same(&root().join("completions").join(name), &out.stdout);
    }
}

#[test]
fn man_pages_are_those_of_the_program() {
    let world = World::new();
    let made = world.home().join("man");
    std::fs::create_dir(&made).unwrap();
    let _ = world.command(["man"]);
    let _ = world.run(["man".as_ref(), made.as_os_str()]).exits(0);
    let read = |dir: &Path| -> BTreeMap<String, String> {
        let Ok(entries) = std::fs::read_dir(dir) else { return BTreeMap::new() };
        let paths = entries.map(|e| e.unwrap().path()).filter(|p| p.extension().is_some_and(|e| e == "1"));
        paths
            .map(|p| (p.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read_to_string(p).unwrap()))
            .collect()
    };
    let (want, dir) = (read(&made), root().join("man"));
    assert!(want.len() > 10, "one page per command: {:?}", want.keys());
    for (name, text) in &want {
        same(&dir.join(name), text);
    }
    for name in read(&dir).keys().filter(|name| !want.contains_key(*name)) {
        assert!(std::env::var_os("BLESS").is_some(), "man/{name} is of no command");
        std::fs::remove_file(dir.join(name)).unwrap();
    }
}

#[test]
fn every_reason_is_explained() {
    let mut text = String::from(
        "# Reasons\n\nEvery decision about a row or a file carries one of these ids. `clawkeep sessions show` prints it, `--json` has it\nas `reason`. The setting is what to change if you disagree; where there is none, the rule cannot be turned off.\n\n\
         What is done: `drop` takes a row out of the index; `archive` renames a file to `<name>.deleted.<time>`; `stow` takes a\nfile out of the sessions folder and keeps it in the folder of the run for undo; `unlink` deletes it; `hold` leaves what a\nrule wants; `keep` leaves what no rule wants.\n\n\
         | id | setting | meaning |\n|---|---|---|\n",
    );
    for reason in Reason::ALL {
        let rule = reason.rule();
        let rule = if rule.is_empty() { String::new() } else { format!("`{rule}`") };
        text.push_str(&format!("| `{}` | {rule} | {} |\n", reason.id(), reason.explain()));
    }
    same(&root().join("docs/REASONS.md"), &text);
}

#[test]
fn every_finding_is_explained() {
    let mut text = String::from(
        "# Findings\n\n`clawkeep sessions check` and `clawkeep transcript check` report these. An error means that history is lost, hidden or in danger, and makes the\nexit code 4; warnings and remarks (info) do not. `--only ID` reports one kind. The repair is what `clawkeep sessions repair` or\n`clawkeep transcript repair` does about it; where there is none, a person has to decide.\n\n\
         | id | part | gravity | repair | meaning |\n|---|---|---|---|---|\n",
    );
    for id in FindingId::ALL {
        let repair = id.repair().map_or(String::new(), |r| format!("`{}`", r.id()));
        let (group, severity) = (id.group().as_str(), id.severity().as_str());
        text.push_str(&format!("| `{}` | {group} | {severity} | {repair} | {} |\n", id.id(), id.explain()));
    }
    text.push_str("\n## Repairs\n\n| id | command | what it does |\n|---|---|---|\n");
    for repair in RepairId::ALL {
        text.push_str(&format!("| `{}` | `{}` | {} |\n", repair.id(), repair.command(), repair.explain()));
    }
    text.push_str(
        "\n## What the gateway does with a damaged transcript\n\n`clawkeep transcript check` says it with each finding.\n\n| id | does | how |\n|---|---|---|\n",
    );
    for id in FindingId::ALL {
        if let Some((does, how)) = gateway_does(*id) {
            text.push_str(&format!("| `{}` | {does} | {how} |\n", id.id()));
        }
    }
    text.push_str(
        "\n## What `clawkeep transcript repair` does\n\nThe ids in its report ([TRANSCRIPTS](TRANSCRIPTS.md) has the whole story).\n\n| id | what it does |\n|---|---|\n",
    );
    for kind in MendKind::ALL {
        text.push_str(&format!("| `{}` | {} |\n", kind.id(), kind.explain()));
    }
    same(&root().join("docs/FINDINGS.md"), &text);
}

#[test]
fn every_rule_of_the_doctor_is_explained() {
    let rules = clawkeep::doctor::registry::RULES;
    same(&root().join("docs/DOCTOR.md"), &clawkeep::report::doctor::markdown(rules));
    let world = World::new();
    for rule in rules {
        let _ = world.line(&format!("doctor --explain {}", rule.id)).exits(0).says(rule.what);
    }
}

#[test]
fn reason_ids_are_unique_kebab_case() {
    let mut seen = std::collections::HashSet::new();
    for reason in Reason::ALL {
        assert!(seen.insert(reason.id()), "{} twice", reason.id());
        assert!(reason.id().bytes().all(|b| b.is_ascii_lowercase() || b == b'-'), "{}", reason.id());
    }
}

/// The part of a text between `<!-- name -->` and `<!-- /name -->`.
fn section<'a>(text: &'a str, name: &str) -> (&'a str, &'a str, &'a str) {
    let (open, close) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
    let (head, rest) = text.split_once(&open).unwrap_or_else(|| panic!("no {open}"));
    let (body, tail) = rest.split_once(&close).unwrap_or_else(|| panic!("no {close}"));
    (head, body, tail)
}

#[test]
fn the_readme_has_the_exit_codes_of_the_program() {
    let path = root().join("README.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let mut table = String::from("| code | meaning |\n|---|---|\n");
    for (code, meaning) in exit::TABLE {
        table.push_str(&format!("| {code} | {meaning} |\n"));
    }
    let (head, _, tail) = section(&text, "exit codes");
    same(&path, &format!("{head}<!-- exit codes -->\n{table}<!-- /exit codes -->{tail}"));
}

#[test]
fn the_manual_has_the_exit_codes_of_the_program() {
    let page = std::fs::read_to_string(root().join("man/clawkeep.1")).unwrap_or_default();
    for (code, meaning) in exit::TABLE {
        let words = meaning.split([';', ':', ',']).next().unwrap_or_default();
        assert!(page.contains(&code.to_string()) && page.replace("\\-", "-").contains(words), "{code} {meaning}");
    }
}

/// Commands of the README, the documents and the man pages can be typed as they stand there.
#[test]
fn every_command_of_the_documents_parses() {
    let mut files = vec![root().join("README.md")];
    for dir in ["docs", "man"] {
        files.extend(std::fs::read_dir(root().join(dir)).unwrap().map(|entry| entry.unwrap().path()));
    }
    let mut seen = 0;
    let mut wrong = Vec::new();
    for file in files.iter().filter(|file| file.is_file()) {
        let text = std::fs::read_to_string(file).unwrap().replace("\\-", "-");
        for command in commands(&text) {
            let words: Vec<std::ffi::OsString> = words(&command).into_iter().map(Into::into).collect();
            // A command that is only named.
            let is_name = words.iter().all(|word| word.to_string_lossy().chars().all(|c| c.is_ascii_lowercase()));
            let asked = || parse(&[&words[..], &["--help".into()]].concat());
            if let Parsed::Wrong(error) = parse(&words)
                && !(is_name && matches!(asked(), Parsed::Text { .. }))
            {
                wrong.push(format!("{}: {command}: {}", file.display(), error.message));
            }
            seen += 1;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(seen > 100, "{seen}");
}

/// Words as a shell makes them of a line with simple quotes. What stands for a value is given one.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (nr, part) in command.split(['\'', '"']).enumerate() {
        if nr % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(|word| match word {
                "SIZE" => "1gb".to_owned(),
                "N" => "3".to_owned(),
                word => word.to_owned(),
            }));
        }
    }
    words
}

/// Every code span and every line of code that begins with `clawkeep `.
fn commands(text: &str) -> Vec<String> {
    let spans = text.lines().flat_map(|line| line.split('`').skip(1).step_by(2));
    let mut fenced = false;
    let lines = text.lines().filter_map(|line| {
        fenced ^= line.starts_with("```");
        line.strip_prefix("    ").or(Some(line).filter(|_| fenced))
    });
    let begins = |span: &&str| span.starts_with("clawkeep ");
    let plain = |command: &str| command.split(" #").next().unwrap_or_default().trim().to_owned();
    let mut all: Vec<String> = spans.filter(begins).chain(lines.filter(begins)).map(plain).collect();
    // Synopses, and lines that are more than one command.
    all.retain(|command| !command.contains(['|', '&', '$', '<', '[', '>']) && !command.contains("..."));
    all.sort();
    all.dedup();
    all
}
