//! The cases of users' reports that are kept outside this project, with their own runner, when they are there.

use std::path::PathBuf;
use std::process::Command;

use crate::common::World;
use crate::compat::shared;

/// Kinds that this generation of commands answers.
const KINDS: &[&str] = &["store-", "cleanup-", "budget-", "lock-", "cron-", "ux-", "gateway-01", "gateway-04"];

#[test]
fn cases_of_users_reports() {
    let runner = shared("cases/bugs").map(|dir| dir.join("run_case.py"));
    let Some(runner) = runner.filter(|r| r.is_file()) else {
        println!("skipped: no shared cases");
        return;
    };
    if Command::new("python3").arg("--version").output().is_err() {
        println!("skipped: no python3");
        return;
    }
    let mut cases: Vec<PathBuf> = std::fs::read_dir(runner.parent().unwrap())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir() && KINDS.iter().any(|kind| name(path).starts_with(kind)))
        .collect();
    cases.sort();
    assert!(cases.len() >= 20, "only {} cases found", cases.len());
    let world = World::new();
    let done = world
        .hermetic("python3".as_ref())
        // Cases bring ports of their own.
        .env_remove("OPENCLAW_GATEWAY_PORT")
        .arg(runner)
        .args(["--timeout", "60"])
        .args(&cases)
        .arg("--")
        .arg(env!("CARGO_BIN_EXE_clawkeep"))
        .output()
        .unwrap();
    assert!(
        done.status.success(),
        "{}{}",
        String::from_utf8_lossy(&done.stdout),
        String::from_utf8_lossy(&done.stderr)
    );
}

fn name(path: &std::path::Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The same cases, each of them put back; see `scripts/prove-undo`.
#[test]
#[ignore = "builds and runs every case several times; scripts/full-proof does"]
fn cases_of_users_reports_are_put_back() {
    let Some(root) = shared("cases/bugs").filter(|root| root.join("run_case.py").is_file()) else {
        println!("skipped: no shared cases");
        return;
    };
    let kinds = ["store-", "lock-", "cleanup-"];
    let cases = std::fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path());
    let mut cases: Vec<PathBuf> = cases.filter(|path| kinds.iter().any(|kind| name(path).starts_with(kind))).collect();
    cases.sort();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/prove-undo");
    let done = Command::new("python3")
        .arg(script)
        .args(&cases)
        .env("CLAWKEEP", env!("CARGO_BIN_EXE_clawkeep"))
        .output()
        .unwrap();
    let (out, err) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    assert!(done.status.success(), "{out}{err}");
    println!("{}", out.lines().last().unwrap_or_default());
}
