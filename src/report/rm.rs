//! `sessions rm`: what became of each name, for people and as JSON.

use serde::Serialize;

use super::escape;
use super::plural::count;
use crate::hints::Given;
use crate::journal::purge::Purged;
use crate::units::bytes::human;

/// One name, or one row that a pattern matched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RmResult {
    /// As given.
    pub asked: String,
    /// Key of the row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// Index of the store.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub store_path: Option<String>,
    /// `planned`, `removed`, `purged`, `held`, `not-found`, `failed`.
    pub result: &'static str,
    /// Reason id, or the error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// One file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RmFile {
    /// Name in the folder.
    pub name: String,
    /// `archive`, `stow` or `unlink`.
    pub action: &'static str,
    /// Bytes.
    pub bytes: u64,
    /// `planned`, `done`, or why not.
    pub outcome: String,
}

/// One store.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RmStore {
    /// Agent.
    pub agent_id: String,
    /// Index.
    pub path: String,
    /// The run, if one was recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run_id: Option<String>,
    /// Rows that left, or would.
    pub rows: u64,
    /// Files.
    pub files: Vec<RmFile>,
    /// What was taken out of earlier records (purge).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub purged: Option<Purged>,
    /// Places that still hold something of it, and that this command does not touch (purge).
    pub remains: Vec<String>,
    /// Remarks.
    pub warnings: Vec<String>,
}

/// The whole report.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RmReport {
    /// Version.
    pub schema_version: u32,
    /// Nothing was changed.
    pub dry_run: bool,
    /// Removed for good.
    pub purge: bool,
    /// In the order of the names.
    pub results: Vec<RmResult>,
    /// Stores in which something was found.
    pub stores: Vec<RmStore>,
}

/// What a purge makes final, for the question.
pub fn final_text(stores: &[RmStore]) -> String {
    let rows: u64 = stores.iter().map(|s| s.rows).sum();
    let files = stores.iter().flat_map(|s| &s.files);
    let bytes: u64 = files.clone().map(|f| f.bytes).sum();
    let mut out = format!(
        "Removed for good, without undo: {}, {} ({}), and every recorded row, link and snapshot copy of them.\n",
        count(rows, "row"),
        count(files.clone().count() as u64, "file"),
        human(bytes)
    );
    for file in files {
        out.push_str(&format!("  {} ({})\n", escape::line(&file.name), human(file.bytes)));
    }
    out
}

/// For people.
pub fn human_text(report: &RmReport, given: &Given) -> String {
    let mut out = String::new();
    for item in &report.results {
        let name = escape::line(item.key.as_ref().unwrap_or(&item.asked));
        let why = item.why.as_ref().map_or_else(String::new, |w| format!(" ({})", escape::line(w)));
        let said = match item.result {
            "planned" if report.purge => "would be purged",
            "planned" => "would be removed",
            "removed" => "removed",
            "purged" => "purged",
            "held" => "held",
            "not-found" => "not found",
            _ => "failed",
        };
        out.push_str(&format!("{name}: {said}{why}\n"));
    }
    if report.dry_run && report.purge && report.stores.iter().any(|s| s.rows > 0 || !s.files.is_empty()) {
        out.push_str(&final_text(&report.stores).replacen("Removed", "Would be removed", 1));
    }
    for store in &report.stores {
        if !report.purge {
            for file in &store.files {
                let outcome = if file.outcome == "done" { "" } else { &format!(", {}", escape::line(&file.outcome)) };
                let name = escape::line(&file.name);
                out.push_str(&format!("  {name}: {} ({}){outcome}\n", file.action, human(file.bytes)));
            }
        } else if let Some(purged) = store.purged {
            let bytes = store.files.iter().filter(|f| f.outcome == "done").map(|f| f.bytes).sum();
            out.push_str(&format!(
                "Gone for good: {} ({}), {}, {}; {} rewritten, {} dropped\n",
                count(store.files.iter().filter(|f| f.outcome == "done").count() as u64, "file"),
                human(bytes),
                count(purged.rows, "recorded row"),
                count(purged.links, "kept link"),
                count(purged.snapshots_rewritten, "snapshot"),
                purged.snapshots_dropped
            ));
            for file in store.files.iter().filter(|f| f.outcome != "done") {
                out.push_str(&format!("  {}: {}\n", escape::line(&file.name), escape::line(&file.outcome)));
            }
        }
        for place in &store.remains {
            out.push_str(&format!("Not touched, and may still hold some of it: {}\n", escape::line(place)));
        }
        if let (Some(run), false) = (&store.run_id, report.purge) {
            let words = given.complete(&format!("clawkeep sessions undo {run}"));
            out.push_str(&format!("This can be undone: {words}\n"));
        }
    }
    if report.dry_run {
        out.push_str("Nothing was changed (dry run).\n");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(purge: bool, dry_run: bool) -> RmReport {
        let item = |asked: &str, key: Option<&str>, result, why: Option<&str>| RmResult {
            asked: asked.into(),
            key: key.map(Into::into),
            store_path: key.map(|_| "/s/sessions.json".into()),
            result,
            why: why.map(Into::into),
        };
        let done = if dry_run { "planned" } else { "removed" };
        RmReport {
            schema_version: 1,
            dry_run,
            purge,
            results: vec![
                item("agent:*", Some("agent:main:\u{1b}[2J"), done, None),
                item("nobody", None, "not-found", None),
                item("busy", Some("busy"), "held", Some("live-lock")),
            ],
            stores: vec![RmStore {
                agent_id: "main".into(),
                path: "/s/sessions.json".into(),
                run_id: Some("R".into()),
                rows: 1,
                files: vec![
                    RmFile { name: "a.jsonl".into(), action: "unlink", bytes: 2048, outcome: "done".into() },
                    RmFile { name: "b.jsonl".into(), action: "unlink", bytes: 1, outcome: "locked-now".into() },
                ],
                purged: purge.then_some(Purged { rows: 1, links: 2, snapshots_rewritten: 3, snapshots_dropped: 0 }),
                remains: vec!["/attic/a.jsonl.zst".into()],
                warnings: vec!["w".into()],
            }],
        }
    }

    #[test]
    fn every_name_has_its_own_line_and_the_schema_holds() {
        for (purge, dry_run) in [(false, false), (true, false), (true, true)] {
            let report = report(purge, dry_run);
            let text = human_text(&report, Default::default());
            assert!(!text.contains('\u{1b}'), "{text}");
            assert!(text.contains("nobody: not found\nbusy: held (live-lock)\n"), "{text}");
            assert_eq!(text.contains("sessions undo"), !purge, "{text}");
            let value = serde_json::to_value(&report).unwrap();
            crate::report::schema_tests::assert_valid("sessions-rm.json", &value);
        }
    }

    #[test]
    fn what_is_final_is_said_exactly() {
        let text = final_text(&report(true, true).stores);
        assert!(text.contains("1 row, 2 files (2.0 KiB)") && text.contains("a.jsonl (2.0 KiB)"), "{text}");
    }
}
