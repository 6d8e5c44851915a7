//! `sessions restore`: the copies that are left, and what came back, for people and as JSON.

use serde::Serialize;

use super::escape;
use super::plural::count;
use crate::hints::Given;
use crate::model::Ms;
use crate::model::candidate::{Candidate, CopySource, Found, RowSource};
use crate::model::outcome::{Applied, Outcome};
use crate::order::Order as _;
use crate::plan::restore::{Refusal, RestoreFacts, RestorePlan, RowText, plan_copy};
use crate::units::bytes::human;
use crate::units::time::{ago, iso};

/// One copy, as reported.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ListedCopy {
    /// `run`, `archive`, `packed` or `orphan`.
    pub source: &'static str,
    /// The run that holds it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// Where it was found.
    pub path: String,
    /// Name it gets back.
    pub name: String,
    /// Session id.
    pub session_id: Option<String>,
    /// Key under which it would come back.
    pub key: Option<String>,
    /// Last written, ISO 8601.
    pub written_at: String,
    #[serde(skip)]
    written: Ms,
    /// When it left the live folder, ISO 8601.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub taken_at: Option<String>,
    /// Bytes.
    pub bytes: u64,
    /// Messages of a user that were seen.
    pub turns: u64,
    /// All of it was looked at; else there may be more turns.
    pub turns_complete: bool,
    /// First line that a user wrote.
    pub first_line: Option<String>,
    /// Which text of the row would be used: `run`, `snapshot`, `rebuilt`, `live`; `null` if it cannot come back.
    pub row: Option<&'static str>,
    /// The run or snapshot that the row is from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row_from: Option<String>,
    /// This copy comes back if nothing more is said.
    pub chosen: bool,
    /// Why it cannot come back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
}

/// The copies in one store, newest first.
pub fn listed(facts: &RestoreFacts<'_>, chosen: Option<usize>) -> Vec<ListedCopy> {
    let all = facts.found.copies.iter().enumerate();
    let mut out: Vec<ListedCopy> = all.map(|(ix, copy)| one(facts, ix, copy, chosen == Some(ix))).collect();
    out.order_by_key(|c| std::cmp::Reverse((c.written, c.chosen)));
    out
}

fn one(facts: &RestoreFacts<'_>, ix: usize, copy: &Candidate, chosen: bool) -> ListedCopy {
    let plan = plan_copy(facts, ix);
    let (row, row_from) = plan.as_ref().map_or((None, None), |p| {
        let (word, from) = row_words(&p.row);
        (Some(word), from)
    });
    ListedCopy {
        source: copy.source.word(),
        run: match &copy.source {
            CopySource::Run(id) => Some(id.clone()),
            _ => None,
        },
        path: escape::path(&copy.path),
        name: escape::name(&copy.name),
        session_id: plan.as_ref().map_or_else(|_| copy.ids.last().cloned(), |p| Some(p.id.clone())),
        key: plan.as_ref().ok().map(|p| p.key.clone()),
        written_at: iso(copy.written_at),
        written: copy.written_at,
        taken_at: copy.taken_at.map(iso),
        bytes: copy.bytes,
        turns: copy.preview.turns,
        turns_complete: copy.preview.whole,
        first_line: copy.preview.first.clone(),
        row,
        row_from,
        chosen,
        refused: plan.err().map(|r| refusal(&r)),
    }
}

fn row_words(row: &RowText) -> (&'static str, Option<String>) {
    match row {
        RowText::Kept(RowSource::Run(id)) => ("run", Some(id.clone())),
        RowText::Kept(RowSource::Snapshot(name)) => ("snapshot", Some(name.clone())),
        RowText::Rebuilt => ("rebuilt", None),
        RowText::Live => ("live", None),
    }
}

/// A refusal as a sentence.
pub fn refusal(refusal: &Refusal) -> String {
    match refusal {
        Refusal::NothingLeft => "nothing is left of it".to_owned(),
        Refusal::NoTranscript => "its row is known, but no copy of its transcript is left".to_owned(),
        Refusal::NoneBefore(oldest) => format!("the oldest copy was last written at {}", iso(*oldest)),
        Refusal::Live(key) => format!("the session is live, under the key {}", escape::line(key)),
        Refusal::KeyTaken(key) => format!("another session has the key {} now; it stays", escape::line(key)),
        Refusal::NameTaken(name) => format!("a file called {} is there; it stays", escape::line(name)),
        Refusal::NoKey(id) => format!("no row of session {} is known, so its key must be given", escape::line(id)),
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ListJson<'a> {
    schema_version: u32,
    what: &'a str,
    copies: &'a [ListedCopy],
    warnings: &'a [String],
}

/// The list as a value for JSON.
pub fn list_json<'a>(what: &'a str, copies: &'a [ListedCopy], warnings: &'a [String]) -> impl Serialize + 'a {
    ListJson { schema_version: super::json::SCHEMA_VERSION, what, copies, warnings }
}

/// The list for people.
pub fn list_text(what: &str, copies: &[ListedCopy], now: Ms) -> String {
    let mut out = format!("{} of {}\n", count(copies.len() as u64, "copy"), escape::line(what));
    for copy in copies {
        let mark = if copy.chosen { '*' } else { ' ' };
        let more = if copy.turns_complete { "" } else { " or more" };
        let turns = format!("{}{more}", count(copy.turns, "turn"));
        let run = copy.run.as_ref().map_or_else(String::new, |r| format!(" {r}"));
        out.push_str(&format!(
            "{mark} {}{run}, last written {} ({}), {}, {turns}\n",
            copy.source,
            copy.written_at,
            ago(now, copy.written),
            human(copy.bytes)
        ));
        let id = copy.session_id.as_deref().unwrap_or("?");
        out.push_str(&format!("    session {}, {}\n", escape::line(id), copy.path));
        if let Some(line) = &copy.first_line {
            out.push_str(&format!("    \u{201c}{}\u{201d}\n", escape::line(line)));
        }
        let row = match (&copy.refused, copy.row, &copy.row_from) {
            (Some(why), ..) => format!("cannot come back as it is: {why}"),
            (_, Some("rebuilt"), _) => "row: rebuilt from the transcript".to_owned(),
            (_, Some("live"), _) => "row: the one that is there".to_owned(),
            (_, Some(word), Some(from)) => format!("row: from {word} {}", escape::line(from)),
            _ => String::new(),
        };
        let key = copy.key.as_ref().map_or_else(String::new, |k| format!("{}, ", escape::line(k)));
        out.push_str(&format!("    {key}{row}\n"));
    }
    if copies.iter().any(|c| c.chosen) {
        out.push_str("* comes back if nothing more is said\n");
    }
    out
}

/// Everything the report of a restore is made of.
#[derive(Debug, Clone, Copy)]
pub struct RestoreReport<'a> {
    /// What was asked for.
    pub what: &'a str,
    /// Index of the store.
    pub store: &'a std::path::Path,
    /// The plan.
    pub plan: &'a RestorePlan,
    /// What was found.
    pub found: &'a Found,
    /// What was done; `None` for a dry run.
    pub applied: Option<&'a Applied>,
    /// Rows that the gateway would remove again.
    pub pruned_again: u64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Json<'a> {
    schema_version: u32,
    what: &'a str,
    dry_run: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    run_id: Option<&'a str>,
    store_path: String,
    key: &'a str,
    session_id: &'a str,
    source: &'static str,
    path: String,
    row: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    row_from: Option<String>,
    files_restored: &'a [String],
    bytes_restored: u64,
    files_left: &'a [String],
    other_copies: usize,
    pruned_again: u64,
    failed: Vec<&'a str>,
    warnings: Vec<&'a str>,
}

fn failures<'a>(report: &RestoreReport<'a>) -> Vec<&'a str> {
    let outcomes = report.applied.map_or(&[][..], |a| &a.outcomes);
    let failed = |o: &'a Outcome| match o {
        Outcome::Failed(why) => Some(why.as_str()),
        _ => None,
    };
    outcomes.iter().filter_map(failed).collect()
}

/// As a value for JSON.
pub fn json<'a>(report: &RestoreReport<'a>) -> impl Serialize + 'a {
    let (plan, copy) = (report.plan, &report.found.copies[report.plan.copy]);
    let (row, row_from) = row_words(&plan.row);
    let remarks = report.applied.map_or(&[][..], |a| &a.warnings);
    Json {
        schema_version: super::json::SCHEMA_VERSION,
        what: report.what,
        dry_run: report.applied.is_none(),
        run_id: report.applied.map(|a| a.run_id.as_str()).filter(|id| !id.is_empty()),
        store_path: escape::path(report.store),
        key: &plan.key,
        session_id: &plan.id,
        source: copy.source.word(),
        path: escape::path(&copy.path),
        row,
        row_from,
        files_restored: &plan.files,
        bytes_restored: plan.bytes,
        files_left: &plan.left,
        other_copies: report.found.copies.len() - 1,
        pruned_again: report.pruned_again,
        failed: failures(report),
        warnings: remarks.iter().chain(&report.found.warnings).map(String::as_str).collect(),
    }
}

/// For people.
pub fn human_text(report: &RestoreReport<'_>, given: &Given) -> String {
    let (plan, copy) = (report.plan, &report.found.copies[report.plan.copy]);
    let verb = if report.applied.is_some() { "Restored" } else { "Would restore" };
    let more = if copy.preview.whole { "" } else { " or more" };
    let mut out = format!(
        "{verb} {} (session {}): {}{more}, {}\n",
        escape::line(&plan.key),
        escape::line(&plan.id),
        count(copy.preview.turns, "turn"),
        human(copy.bytes)
    );
    if let Some(line) = &copy.preview.first {
        out.push_str(&format!("  \u{201c}{}\u{201d}\n", escape::line(line)));
    }
    let from = match &copy.source {
        CopySource::Orphan => format!("  file: {} was there, without a row", escape::name(&copy.name)),
        source => format!("  file: {} from {} {}", escape::name(&copy.name), source.word(), escape::path(&copy.path)),
    };
    out.push_str(&format!("{from}\n"));
    out.push_str(&match row_words(&plan.row) {
        ("rebuilt", _) => "  row: none was kept; a minimal one was rebuilt from the transcript\n".to_owned(),
        (word, Some(from)) => format!("  row: in its exact bytes, from {word} {}\n", escape::line(&from)),
        _ => "  row: the one that is there\n".to_owned(),
    });
    for left in &plan.left {
        out.push_str(&format!("  left: {} has its name taken\n", escape::line(left)));
    }
    let others = report.found.copies.len() - 1;
    if others > 0 {
        out.push_str(&format!("  {} left: --list shows them\n", count(others as u64, "other copy")));
    }
    for why in failures(report) {
        out.push_str(&format!("  failed: {}\n", escape::line(why)));
    }
    match report.applied {
        Some(applied) if !applied.run_id.is_empty() => {
            let words = given.complete(&format!("clawkeep sessions undo {}", applied.run_id));
            out.push_str(&format!("This can be undone: {words}\n"));
        }
        Some(_) => {}
        None => out.push_str("Nothing was changed (dry run).\n"),
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::candidate::Preview;

    fn found() -> Found {
        let preview = Preview { turns: 2, whole: false, first: Some("hi\u{1b}[31m".into()), header_id: None };
        let copy = Candidate {
            source: CopySource::Run("R".into()),
            path: "/s/.clawkeep/runs/R/files/000001".into(),
            link: None,
            name: "a.jsonl".into(),
            archive: None,
            ids: vec!["a".into()],
            written_at: 1_777_622_400_000,
            taken_at: Some(1_777_622_400_000),
            bytes: 2048,
            fp: None,
            packed: None,
            sidecars: vec![],
            preview,
        };
        Found { copies: vec![copy], ..Found::default() }
    }

    #[test]
    fn the_report_is_escaped_and_fits_its_schema() {
        let found = found();
        let plan = RestorePlan {
            copy: 0,
            id: "a".into(),
            key: "agent:main:\u{1b}x".into(),
            row: RowText::Rebuilt,
            files: vec!["a.jsonl".into()],
            bytes: 2048,
            left: vec!["a.trajectory.jsonl".into()],
            effects: vec![],
        };
        let applied = Applied {
            run_id: "U".into(),
            outcomes: vec![Outcome::Failed("x: no".into())],
            warnings: vec!["w".into()],
            ..Applied::default()
        };
        for applied in [None, Some(&applied)] {
            let store = std::path::Path::new("/s/sessions.json");
            let report = RestoreReport { what: "a", store, plan: &plan, found: &found, applied, pruned_again: 1 };
            let text = human_text(&report, Default::default());
            assert!(!text.contains('\u{1b}') && text.contains("2 turns or more, 2.0 KiB"), "{text}");
            assert!(text.contains("rebuilt from the transcript"), "{text}");
            let value = serde_json::to_value(json(&report)).unwrap();
            crate::report::schema_tests::assert_valid("sessions-restore.json", &value);
        }
    }

    #[test]
    fn a_list_names_what_would_come_back_and_what_is_in_the_way() {
        let found = found();
        let index = crate::store::parse::parse(
            "/s/sessions.json".into(),
            crate::model::fingerprint::Fingerprint {
                dev: 0,
                ino: 0,
                size: 0,
                mtime_ns: 0,
                ctime_ns: 0,
                blocks: 0,
                nlink: 0,
                uid: 0,
                gid: 0,
                mode: 0,
                kind: crate::model::fingerprint::Kind::File,
            },
            b"{}".to_vec().into(),
        )
        .unwrap();
        let folder = crate::model::folder::FolderFacts::default();
        let facts = RestoreFacts { index: &index, folder: &folder, found: &found, what: "a", as_key: None, at: None };
        let copies = listed(&facts, Some(0));
        let text = list_text("a", &copies, 1_777_622_400_000);
        assert!(text.starts_with("1 copy of a\n* run R, last written 2026-05-01"), "{text}");
        assert!(text.contains("its key must be given") && !text.contains('\u{1b}'), "{text}");
        let value = serde_json::to_value(list_json("a", &copies, &[])).unwrap();
        crate::report::schema_tests::assert_valid("sessions-restore.json", &value);
    }
}
