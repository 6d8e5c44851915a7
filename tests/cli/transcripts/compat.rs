//! Transcripts as the reference session manager reads them: the same entries, leaf, branch, context and settings. Where it
//! hangs, fails or writes over the file, we say so and read on: `deviations.toml` has these rules, and one that no case needs
//! is a failure.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Value, json};

use crate::common::World;
use crate::compat::shared;

#[derive(Debug, serde::Deserialize)]
struct Rules {
    rule: Vec<Rule>,
}

/// A kind of file that the reference does not read.
#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Rule {
    /// What we say about it (`gateway`).
    gateway: String,
    /// What the reference does.
    reference: String,
    /// What we do instead.
    we: String,
}

fn rules() -> Vec<Rule> {
    let rules: Rules = toml::from_str(include_str!("deviations.toml")).unwrap();
    assert!(rules.rule.iter().all(|rule| !rule.reference.is_empty() && !rule.we.is_empty()));
    rules.rule
}

#[test]
fn our_own_cases() {
    let cases: Value = serde_json::from_str(include_str!("cases.json")).unwrap();
    let world = World::new();
    let mut judge = Judge::default();
    for case in cases.as_array().unwrap() {
        let lines: Vec<&str> = case["lines"].as_array().unwrap().iter().map(|l| l.as_str().unwrap()).collect();
        let text = lines.join("\n") + "\n";
        judge.case(&world, case["case"].as_str().unwrap(), text.as_bytes(), &case["expect"]);
    }
    judge.verdict();
}

#[test]
fn recorded_cases() {
    let Some(dir) = shared("cases/transcripts") else {
        println!("skipped: no shared cases");
        return;
    };
    let world = World::new();
    let mut judge = Judge::default();
    let mut ran = 0;
    for entry in std::fs::read_dir(&dir).unwrap() {
        let path = entry.unwrap().path();
        let Some(name) = path.file_name().unwrap().to_str().unwrap().strip_suffix(".expect.json") else { continue };
        let expect: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        let text = std::fs::read(dir.join(format!("{name}.jsonl"))).unwrap();
        judge.case(&world, name, &text, &expect);
        ran += 1;
    }
    assert!(ran >= 25, "{ran}");
    judge.verdict();
}

#[derive(Default)]
struct Judge {
    differences: String,
    used: BTreeSet<String>,
}

impl Judge {
    fn case(&mut self, world: &World, name: &str, text: &[u8], expect: &Value) {
        let path = world.home().join("t.jsonl");
        std::fs::write(&path, text).unwrap();
        let got = context(world, &path);
        assert_eq!(std::fs::read(&path).unwrap(), text, "{name}: the file was changed");
        let mut differ = |field: &str, want: &Value, got: &Value| {
            if want != got {
                writeln!(self.differences, "{name}: {field}\n    the reference: {want}\n    we:            {got}")
                    .unwrap();
            }
        };
        let head = &got["transcript"];
        if let Some(rule) = rules().into_iter().find(|rule| applies(&rule.gateway, expect)) {
            differ("gateway", &json!(rule.gateway), &head["gateway"]);
            self.used.insert(rule.gateway);
            return;
        }
        differ("gateway", &json!("reads"), &head["gateway"]);
        let simple = [
            ("parsedValues", "values"),
            ("entriesLoaded", "entries"),
            ("sessionId", "sessionId"),
            ("sessionName", "name"),
        ];
        for (theirs, ours) in simple {
            if let Some(want) = expect.get(theirs) {
                differ(theirs, want, &head[ours]);
            }
        }
        // Entries of the first version have no ids; the reference makes some up.
        let first = head["version"] == 1;
        if let Some(want) = expect.get("activePathIds") {
            if first {
                differ("activePathIds", &json!(length(want)), &json!(length(&got["activePath"])));
            } else {
                differ("activePathIds", want, &got["activePath"]);
                let leaf = &expect["leafId"];
                differ("leafId", if leaf == "(undefined)" { &Value::Null } else { leaf }, &head["leafId"]);
            }
        }
        let Some(roles) = expect.get("contextRoles").filter(|roles| roles.is_array()) else {
            differ("breaks", &json!(true), &json!(got["breaksAtLine"].is_u64()));
            return;
        };
        let ours: Vec<&str> =
            got["messages"].as_array().unwrap().iter().map(|m| m["role"].as_str().unwrap_or("null")).collect();
        differ("contextRoles", roles, &json!(ours));
        differ("thinkingLevel", &expect["thinkingLevel"], &got["thinkingLevel"]);
        differ("model", &expect["model"], &got["model"]);
        if let Some(want) = expect.get("treeRoots") {
            differ("treeRoots", want, &head["roots"]);
        }
    }

    fn verdict(self) {
        assert!(self.differences.is_empty(), "\n{}", self.differences);
        for rule in rules() {
            assert!(self.used.contains(&rule.gateway), "no case needs the rule `{}`", rule.gateway);
        }
    }
}

fn length(list: &Value) -> usize {
    list.as_array().map_or(0, Vec::len)
}

/// Whether the reference did not read this file, in the way that `gateway` names.
fn applies(gateway: &str, expect: &Value) -> bool {
    match gateway {
        "throws" => expect["opened"] == false,
        "hangs" => expect["cycle"] == true,
        "wipes" => expect["fileRewrittenOnOpen"] == true && expect["linesAfterOpen"] == 1,
        other => panic!("no such rule: {other}"),
    }
}

fn context(world: &World, path: &Path) -> Value {
    let args = ["transcript", "context", path.to_str().unwrap(), "--json", "--no-cache"];
    world.run(args).exits(0).json()
}
