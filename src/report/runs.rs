//! `sessions runs`: the runs of a folder, for people and as JSON.

use std::path::PathBuf;

use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use serde::Serialize;

use super::command::quote;
use super::not_looked_at;
use super::undo::{count, plain};
use crate::hints::Given;
use crate::journal::retention::{expires_at, own_bytes};
use crate::model::Ms;
use crate::model::run::{RowChange, RunOp, RunRecord, RunResult, RunState};
use crate::model::stores::Agent;
use crate::units::bytes::human;
use crate::units::time::{ago, iso};

/// State of runs of which something still stands, or never came back.
const IN_PART: &str = "undone in part";
/// State of a run that was interrupted.
const UNFINISHED: &str = "unfinished";
/// Version of the JSON.
const SCHEMA: u32 = 1;

/// One run, as reported.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RunView {
    /// Run id.
    pub id: String,
    /// Agent in whose folder it is recorded; empty for the state folder.
    #[serde(skip)]
    agent: String,
    /// Words that choose its store again.
    #[serde(skip)]
    select: String,
    /// When it started, ISO 8601.
    pub time: Option<String>,
    #[serde(skip)]
    started_at: Option<Ms>,
    /// What it was.
    pub command: String,
    /// Index it worked on.
    pub store: Option<String>,
    /// Rows it removed.
    pub rows: usize,
    /// Rows that its record had and that cannot be read any more.
    #[serde(skip_serializing_if = "is_none")]
    pub rows_missing: u64,
    /// That in words, and the file.
    #[serde(skip)]
    damage: Option<String>,
    /// The transcript that it was to mend.
    #[serde(skip)]
    mends: Option<PathBuf>,
    /// There is no index where it is recorded: no cleanup can finish it.
    #[serde(skip)]
    unindexed: bool,
    /// Files it took (renamed, stowed, removed, rewritten).
    pub files: usize,
    /// Their bytes.
    pub bytes: u64,
    /// `done`, `undone`, `unfinished`, `rolled-back`, `abandoned`, `too-new`, `unreadable`.
    pub state: &'static str,
    /// The run that undid it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undone_by: Option<String>,
    /// That one left something behind.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub undone_in_part: bool,
    /// The run that it undid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undoes: Option<String>,
    /// First run of the command that made this one and others: they are undone together. Absent for the first itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// How many runs of the command came before this one.
    #[serde(skip)]
    nr: u32,
    /// `sessions undo` can bring something back.
    pub undoable: bool,
    /// Bytes that only this run folder holds.
    pub held_bytes: u64,
    /// When it goes by age at the latest.
    pub expires: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature serde asks for")]
fn is_none(n: &u64) -> bool {
    *n == 0
}

/// What is reported about a run. `select` are the words that choose its store, with a blank before them.
pub fn view(run: &RunRecord, agent: &str, select: &str) -> RunView {
    let done =
        |seq| run.outcome(seq).is_some_and(|o| matches!(o.result, RunResult::Done | RunResult::UnlinkedForSpace));
    let inward = |op| matches!(op, RunOp::Swap | RunOp::Restore | RunOp::Unpack | RunOp::Create | RunOp::MakeDir);
    let files: Vec<_> = run.lines.iter().filter(|l| !inward(l.op) && done(l.seq)).collect();
    let meta = run.meta.as_ref();
    RunView {
        id: run.id.clone(),
        agent: agent.to_owned(),
        select: select.to_owned(),
        time: meta.map(|m| iso(m.started_at)),
        started_at: meta.map(|m| m.started_at),
        command: meta.map(|m| m.command.clone()).unwrap_or_default(),
        store: meta.and_then(|m| m.store.as_ref()).map(crate::model::run::Raw::lossy),
        rows: run.rows.iter().filter(|r| r.change == RowChange::Dropped).count(),
        rows_missing: run.rows_missing,
        mends: mends(run),
        unindexed: false,
        damage: run.rows_lost().map(|lost| format!("{lost} ({})", run.dir.display())),
        files: files.len(),
        bytes: files.iter().filter_map(|l| l.fp).map(|fp| fp.size).sum(),
        state: match &run.state {
            RunState::Done | RunState::Abandoned if run.undone_by.is_some() => "undone",
            RunState::Done => "done",
            RunState::Unfinished => UNFINISHED,
            RunState::RolledBack => "rolled-back",
            RunState::Abandoned => "abandoned",
            RunState::TooNew(_) => "too-new",
            RunState::Unreadable(_) => "unreadable",
        },
        undone_by: run.undone_by.clone(),
        undone_in_part: run.undone_in_part,
        undoes: meta.and_then(|m| m.undoes.clone()),
        group: meta.and_then(|m| m.group.as_ref()).map(|group| group.first.clone()),
        nr: run.group().1,
        undoable: run.undoable(),
        held_bytes: own_bytes(run),
        expires: expires_at(run).map(iso),
    }
}

impl RunView {
    /// The same where there is no index, if that is so.
    #[must_use]
    pub fn unindexed(self, unindexed: bool) -> Self {
        Self { unindexed, ..self }
    }
}

/// The command that finishes an interrupted run, beside the undo that always can.
fn finisher(run: &RunView, select: &str) -> Option<String> {
    match (&run.mends, run.command.as_str()) {
        // The path says where it is, also in a folder without an index.
        (Some(path), _) => Some(format!("transcript repair {}", quote(&path.to_string_lossy()))),
        (None, "doctor") => Some("doctor --fix".to_owned()),
        (None, "cron prune") if run.unindexed => Some("cron prune --enforce".to_owned()),
        (None, _) if run.unindexed => None,
        (None, _) => Some(format!("sessions cleanup --enforce{select}")),
    }
}

/// The file of a `transcript repair`.
fn mends(run: &RunRecord) -> Option<PathBuf> {
    let meta = run.meta.as_ref().filter(|meta| meta.command == "transcript repair")?;
    let line = run.lines.iter().find(|line| line.op == RunOp::Rewrite)?;
    Some(meta.folder.to_path().join(line.from.to_os()))
}

impl RunView {
    /// What an undo of it is called by.
    fn name(&self) -> &str {
        self.group.as_deref().unwrap_or(&self.id)
    }
}

/// Newest first; of the runs of one command the last.
pub fn newest_first(a: &RunView, b: &RunView) -> std::cmp::Ordering {
    // Ids tell seconds apart; what happened within one is told by the record.
    fn at(run: &RunView) -> (&str, Option<Ms>, &str, u32, &str) {
        (run.id.split('-').next().unwrap_or_default(), run.started_at, run.name(), run.nr, &run.id)
    }
    at(b).cmp(&at(a))
}

/// What the undo of the last one is called by.
pub fn last(runs: &[RunView]) -> Option<&str> {
    runs.iter().find(|run| run.undoable && run.undoes.is_none()).map(RunView::name)
}

/// Runs of one command together, at the place of the newest of them.
fn grouped(runs: &[RunView]) -> Vec<Vec<&RunView>> {
    let mut out: Vec<Vec<&RunView>> = Vec::new();
    for run in runs {
        match out.iter_mut().find(|group| group[0].name() == run.name()) {
            Some(group) => group.push(run),
            None => out.push(vec![run]),
        }
    }
    out
}

/// The state of a command's runs: the one they share, or what a person has to know of first.
fn state_of(group: &[&RunView]) -> &'static str {
    if group.iter().any(|run| run.undone_in_part) {
        return IN_PART;
    }
    let state = group[0].state;
    if group.iter().all(|run| run.state == state) {
        return state;
    }
    let has = |wanted: &str| group.iter().any(|run| run.state == wanted);
    match () {
        () if has(UNFINISHED) => UNFINISHED,
        () if has("undone") && has("done") => IN_PART,
        () if has("abandoned") => "abandoned",
        () => "done",
    }
}

/// One JSON value, newest run first.
///
/// # Errors
/// Never in practice.
pub fn json(runs: &[RunView]) -> serde_json::Result<String> {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Json<'a> {
        schema_version: u32,
        runs: &'a [RunView],
    }
    Ok(serde_json::to_string_pretty(&Json { schema_version: SCHEMA, runs })? + "\n")
}

/// Everything the report is made of.
#[derive(Debug, Clone, Copy)]
pub struct RunsReport<'a> {
    /// Runs, newest first.
    pub runs: &'a [RunView],
    /// There are more, and the limit left them all out.
    pub left_out: bool,
    /// The stores of several agents were looked at.
    pub several: bool,
    /// How many runs the undo that is named puts back.
    pub together: usize,
    /// Agents that exist and were not looked at.
    pub not_looked_at: &'a [Agent],
    /// What commands that are named must carry.
    pub given: &'a Given,
}

/// What was let go: as JSON.
///
/// # Errors
/// Never in practice.
pub fn forgotten_json(runs: &[Forgotten]) -> serde_json::Result<String> {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Json<'a> {
        schema_version: u32,
        forgotten: &'a [Forgotten],
    }
    Ok(serde_json::to_string_pretty(&Json { schema_version: SCHEMA, forgotten: runs })? + "\n")
}

/// A run that was asked to be let go.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Forgotten {
    /// What it was.
    pub run: RunView,
    /// It is gone.
    pub gone: bool,
    /// Why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// What was let go, for people.
pub fn forgotten_text(runs: &[Forgotten]) -> String {
    let line = |f: &Forgotten| match &f.why {
        None => format!("Forgot run {}: {}\n", f.run.id, loses(&f.run)),
        Some(why) => format!("Kept run {}: {}\n", f.run.id, plain(why)),
    };
    runs.iter().map(line).collect()
}

/// What can no longer be undone without the record of a run.
pub fn loses(run: &RunView) -> String {
    if !run.undoable {
        return "it could not be undone any more anyway".to_owned();
    }
    format!(
        "{} and {} can no longer be put back; {} freed",
        count(run.rows, "row"),
        count(run.files, "file"),
        human(run.held_bytes)
    )
}

/// A table for people that fits `width` columns (0: no limit).
pub fn human_text(report: &RunsReport<'_>, now: Ms, width: usize) -> String {
    let mut out = match report.runs {
        [] if report.left_out => "No run is shown, because of the limit.\n".to_owned(),
        [] => "No runs are recorded here.\n".to_owned(),
        _ => listed(report, now, width),
    };
    if let Some(line) = not_looked_at::line(report.not_looked_at) {
        out.push_str(&format!("\n{line}\n"));
    }
    out
}

fn listed(report: &RunsReport<'_>, now: Ms, width: usize) -> String {
    let runs = report.runs;
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    let mut header = vec!["Run", "When", "Command", "Rows", "Files", "Bytes", "State"];
    if report.several {
        header.push("Agent");
    }
    table.set_header(header);
    if let Some(width) = u16::try_from(width).ok().filter(|w| *w > 0) {
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    }
    for group in grouped(runs) {
        let run = group[0];
        let several = if group.len() > 1 { format!(" ({} runs)", group.len()) } else { String::new() };
        let mut cells = vec![
            run.name().to_owned(),
            run.started_at.map_or_else(String::new, |t| ago(now, t)),
            format!("{}{several}", plain(&run.command)),
            group.iter().map(|run| run.rows).sum::<usize>().to_string(),
            group.iter().map(|run| run.files).sum::<usize>().to_string(),
            human(group.iter().map(|run| run.bytes).sum()),
            state_of(&group).to_owned(),
        ];
        if report.several {
            let mut agents: Vec<&str> = group.iter().map(|run| run.agent.as_str()).collect();
            agents.sort_unstable();
            agents.dedup();
            let name = |agent: &str| if agent.is_empty() { "(state folder)".to_owned() } else { plain(agent) };
            cells.push(agents.into_iter().map(name).collect::<Vec<_>>().join(", "));
        }
        table.add_row(cells);
    }
    for column in 3..6 {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let lines: Vec<String> = table.lines().map(|l| l.trim_end().to_owned()).collect();
    let held: u64 = runs.iter().map(|r| r.held_bytes).sum();
    let mut out = lines.join("\n");
    out.push_str(&format!("\n\n{}, {} held for undo only\n", count(runs.len(), "run"), human(held)));
    for run in runs.iter().filter(|r| r.undone_by.is_none()) {
        let Some(damage) = &run.damage else { continue };
        let words = format!("for each of the others: {}{}", crate::hints::ONE_SESSION, run.select);
        out.push_str(&format!("Run {}: {}; {}\n", run.id, plain(damage), report.given.complete(&words)));
    }
    for run in runs.iter().filter(|r| r.state == UNFINISHED) {
        let select = if report.several { run.select.as_str() } else { "" };
        let words = match finisher(run, select) {
            Some(finish) => format!(
                "Run {0} was interrupted: clawkeep {finish} finishes it (or takes it back) first, \
                 clawkeep sessions undo {0}{select} takes it back\n",
                run.id
            ),
            None => format!(
                "Run {0} was interrupted: clawkeep sessions undo {0}{select} finishes it or takes it back\n",
                run.id
            ),
        };
        out.push_str(&report.given.complete(&words));
    }
    if let Some(run) = runs.iter().find(|r| r.undoable && r.undoes.is_none()) {
        // One store is chosen again by the words that chose it; of several, the one with this run.
        let alone = runs.iter().filter(|other| other.name() == run.name()).count() == 1 && run.group.is_none();
        let select = if report.several && alone { run.select.as_str() } else { "" };
        let words = format!("clawkeep sessions undo {}{select}", run.name());
        // Of a command that worked on several stores, one list shows those of the chosen ones.
        let all = if report.together > 1 { format!("  ({} runs)", report.together) } else { String::new() };
        out.push_str(&format!("To put the last one back: {}{all}\n", report.given.complete(&words)));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run() -> RunRecord {
        RunRecord {
            id: "20260501T080000Z-0001".into(),
            dir: "/r".into(),
            state: RunState::Unfinished,
            meta: None,
            lines: vec![],
            rows: vec![],
            outcomes: vec![],
            kept: vec![],
            rows_missing: 0,
            undone_by: None,
            undone_in_part: false,
            closed_at: 0,
            copied: false,
            astray: None,
        }
    }

    #[test]
    fn of_two_runs_within_a_second_the_later_one_is_the_last() {
        let at = |salt: &str, started_at| {
            let run = RunRecord { id: format!("20260501T080000Z-{salt}"), state: RunState::Done, ..run() };
            RunView { started_at: Some(started_at), ..view(&run, "main", "") }
        };
        let mut views = [at("ffff", 1_777_622_400_100), at("0001", 1_777_622_400_900)];
        views.sort_by(newest_first);
        assert!(views[0].id.ends_with("0001"), "{}", views[0].id);
    }

    #[test]
    fn a_table_and_a_json_value() {
        let views = [view(&run(), "main", " --agent main")];
        let given = Given::default();
        let report =
            |runs| RunsReport { runs, left_out: false, several: false, together: 1, not_looked_at: &[], given: &given };
        let text = human_text(&report(&views), 0, 100);
        assert!(text.contains("was interrupted: clawkeep sessions cleanup --enforce"), "{text}");
        assert!(text.contains("clawkeep sessions undo 20260501T080000Z-0001"), "{text}");
        assert!(text.contains("unfinished") && text.contains("1 run, 0 B held"), "{text}");
        let value: serde_json::Value = serde_json::from_str(&json(&views).unwrap()).unwrap();
        assert_eq!(value["runs"][0]["state"], "unfinished");
        assert_eq!(value["runs"][0]["undoable"], false);
        assert_eq!(human_text(&report(&[]), 0, 0), "No runs are recorded here.\n");
        crate::report::schema_tests::assert_valid("sessions-runs.json", &value);
        let done = [
            Forgotten { run: views[0].clone(), gone: true, why: None },
            Forgotten { run: views[0].clone(), gone: false, why: Some("run x is not closed".into()) },
        ];
        let value: serde_json::Value = serde_json::from_str(&forgotten_json(&done).unwrap()).unwrap();
        crate::report::schema_tests::assert_valid("sessions-runs.json", &value);
        assert!(forgotten_text(&done).contains("Kept run") && forgotten_text(&done).contains("not closed"));
    }
}
