//! Recorded runs of the reference gateway 2026.5.12: same input, same answer, except where a row of the design says
//! otherwise. Such rows stand in `deviations.toml`; an entry that no run needs is a failure, as is a difference
//! without an entry.
//!
//! Cases come in two forms: a folder each (`state/`, `cmd`, `why`, `meta.json`, `expect.json`), kept outside the
//! project, and a JSON file each under `cases/`, our own. The recorded trees have fresh file times and the
//! gateway's default mode is enforce, so `--enforce --grace 0` is added to cleanups other than warn-mode ones.
//! We do not copy the gateway's wording: a text case is run with `--json`, and the counts of the text are compared.

mod case;
mod compare;
mod deviations;
mod folder_case;
mod text;

use std::path::PathBuf;

use case::Case;
use deviations::Table;

/// A folder of material that is kept beside the project, if it is there: `$CLAWKEEP_SHARED` or `../shared`.
pub fn shared(path: &str) -> Option<PathBuf> {
    let root = std::env::var_os("CLAWKEEP_SHARED")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared"), PathBuf::from);
    Some(root.join(path)).filter(|path| path.is_dir())
}

#[test]
fn our_own_cases() {
    let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/cli/compat/cases");
    let cases = sorted(&dir).into_iter().map(|path| Case::from_json(&path)).collect::<Vec<_>>();
    assert!(cases.len() >= 6);
    check(&cases);
}

#[test]
fn recorded_cases() {
    let Some(dir) = shared("cases/cleanup") else {
        println!("skipped: no shared cases");
        return;
    };
    let folders = sorted(&dir).into_iter().filter(|path| path.join("cmd").is_file());
    let cases = folders.map(|path| folder_case::load(&path)).collect::<Vec<_>>();
    assert!(cases.len() >= 50, "{}", cases.len());
    check(&cases);
}

fn sorted(dir: &std::path::Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn check(cases: &[Case]) {
    let table = Table::load();
    let mut report = String::new();
    for case in cases {
        let differences = case.run();
        report += &table.judge(&case.name, &case.why, &differences);
    }
    let ran = cases.iter().map(|case| case.name.as_str()).collect();
    report += &table.unused(&ran);
    assert!(report.is_empty(), "\n{report}");
}
