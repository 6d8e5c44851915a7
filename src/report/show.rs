//! One row or one file in full: what it is, why it is still here, and when it will go by which rule.

use std::fmt::Write as _;

use serde::Serialize;

use crate::model::Ms;
use crate::model::conversation::Related;
use crate::model::decision::{Decision, Reason, Verdict};
use crate::units::{bytes, time};

use super::cleanup::items::verdict_word;
use super::command::quote;
use super::escape;
use super::source::ByGateway;
use super::style::{Role, Style};

/// Version of the JSON form.
pub const SCHEMA_VERSION: u32 = 1;

/// What was found.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Shown {
    /// Version of this form.
    pub schema_version: u32,
    /// `files` or `gateway`.
    pub source: &'static str,
    /// The gateway that told the row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gateway: Option<ByGateway>,
    /// Agent label of the store.
    pub agent_id: String,
    /// Index of the store; a gateway does not tell it of one row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub store_path: Option<String>,
    /// The row, if one was asked for or leads to the file that was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row: Option<ShownRow>,
    /// Files, each with its own fate.
    pub files: Vec<ShownFile>,
    /// What the transcript came from (`parent`), and what came of it (`fork`, `successor`).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub related: Vec<Related>,
    /// A folder beside the store whose database is the truth now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub newer_generation: Option<String>,
    /// Remarks.
    pub warnings: Vec<String>,
}

/// A row.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ShownRow {
    /// Key.
    pub key: String,
    /// Kind (`direct`, `group`, `cron`, ...).
    pub kind: &'static str,
    /// Session id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// `status`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// Last update, epoch ms, if believable.
    pub updated_at: Option<Ms>,
    /// Last interaction, epoch ms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_interaction_at: Option<Ms>,
    /// Start of the session, epoch ms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_started_at: Option<Ms>,
    /// Model, where the row names one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Token counters, as written.
    pub tokens: Tokens,
    /// Completed compactions, as the row counts them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compaction_count: Option<f64>,
    /// What only the index here tells.
    #[serde(flatten)]
    pub here: Option<RowHere>,
}

/// What is known of a row whose store is on this host.
#[derive(Debug, Clone, Serialize)]
pub struct RowHere {
    /// Checkpoints that the row refers to.
    pub checkpoints: u64,
    /// Bytes of the row in the index.
    pub bytes: u64,
    /// What will happen to it.
    pub fate: Fate,
}

/// Token counters of a row.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Tokens {
    /// `inputTokens`.
    pub input: Option<f64>,
    /// `outputTokens`.
    pub output: Option<f64>,
    /// `totalTokens`.
    pub total: Option<f64>,
    /// `contextTokens`.
    pub context: Option<f64>,
}

/// A file.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ShownFile {
    /// Path, with what is not UTF-8 escaped.
    pub path: String,
    /// Class (`transcript`, `deleted archive`, ...).
    pub class: &'static str,
    /// Which field of which row leads to it.
    pub owners: Vec<String>,
    /// Length in bytes; absent if there is no such file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// Last modification, epoch ms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modified_at: Option<Ms>,
    /// Time in the name, epoch ms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stamp: Option<Ms>,
    /// Other hard links exist.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub hard_linked: bool,
    /// State of its lock, if there is a lock file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lock: Option<String>,
    /// What will happen to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fate: Option<Fate>,
}

/// What a cleanup with the policy in force would do, and why.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Fate {
    /// `keep`, `hold`, `drop`, `archive`, `stow` or `unlink`.
    pub verdict: &'static str,
    /// Stable id of the reason.
    pub reason: &'static str,
    /// The reason as a sentence.
    pub why: &'static str,
    /// Key or flag behind it.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub rule: &'static str,
    /// When its time comes, epoch ms, if an age rule will take it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goes_at: Option<Ms>,
    /// The age rule that will.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goes_by: Option<&'static str>,
}

impl Fate {
    /// The fate that a decision spells.
    pub fn of(decision: &Decision, goes_by: &'static str) -> Self {
        Self {
            verdict: verdict_word(decision.verdict),
            reason: decision.reason.id(),
            why: decision.reason.explain(),
            rule: decision.reason.rule(),
            goes_at: decision.goes_at,
            goes_by: decision.goes_at.map(|_| goes_by),
        }
    }

    fn text(&self, now: Ms) -> String {
        let mut text = match self.verdict {
            "keep" => "stays".to_owned(),
            "hold" => "wanted by a rule, held back".to_owned(),
            "drop" => "goes with the next enforced cleanup".to_owned(),
            "archive" => "will be renamed to a .deleted archive by the next enforced cleanup".to_owned(),
            "stow" => "leaves with its session; undo can bring it back".to_owned(),
            _ => "will be unlinked by the next enforced cleanup".to_owned(),
        };
        let _ = write!(text, ": {} [{}]", self.why, self.reason);
        if !self.rule.is_empty() {
            let _ = write!(text, " by {}", self.rule);
        }
        if let (Some(at), Some(by)) = (self.goes_at, self.goes_by) {
            let left = at - now;
            let span = if left > 0 { format!("in {}", super::span::short(left)) } else { "now".to_owned() };
            let _ = write!(text, "; goes {} ({span}) by {by}, unless it is used again", time::iso(at));
        }
        text
    }
}

/// The age rule that will take a file that stays for this reason.
pub fn file_goes_by(reason: Reason, verdict: Verdict) -> &'static str {
    match (reason, verdict) {
        (Reason::WithinRetention, _) => "its retention",
        (Reason::Young, Verdict::Keep) => "the rule for leftovers",
        _ => "session.maintenance.pruneAfter",
    }
}

/// The report for people.
pub fn text(shown: &Shown, now: Ms, style: Style) -> String {
    let mut out = String::new();
    let mut field = |name: &str, value: &str| {
        let _ = writeln!(out, "{}{value}", style.paint(Role::Muted, &format!("{name:<15} ")));
    };
    if let Some(row) = &shown.row {
        row_text(row, now, &mut field);
    }
    match (&shown.store_path, &shown.gateway) {
        (Some(path), _) => field("store", &format!("{} (agent {})", escape::line(path), escape::line(&shown.agent_id))),
        (None, Some(gateway)) => {
            field("told by", &format!("{} (agent {})", gateway.text(), escape::line(&shown.agent_id)))
        }
        (None, None) => {}
    }
    if let Some(database) = &shown.newer_generation {
        field("generation", &format!("this store is a leftover; the sessions live in {}", escape::line(database)));
    }
    for file in &shown.files {
        file_text(file, now, &mut field);
    }
    for other in &shown.related {
        let size = other.bytes.map_or_else(|| "missing".to_owned(), bytes::human);
        field(other.kind, &format!("{} ({size})", escape::line(&other.path)));
    }
    for warning in &shown.warnings {
        field("note", &escape::line(warning));
    }
    if let Some(path) = shown.files.iter().find(|f| f.class == "transcript" && f.bytes.is_some()).map(|f| &f.path) {
        let _ = writeln!(out, "\nRead the conversation: clawkeep transcript show {}", quote(&escape::line(path)));
    }
    out
}

fn row_text(row: &ShownRow, now: Ms, field: &mut impl FnMut(&str, &str)) {
    let when = |at: Option<Ms>| at.map(|at| format!("{} ({})", time::iso(at), time::ago(now, at)));
    field("key", &escape::line(&row.key));
    field("kind", row.kind);
    field("session id", &escape::line(row.session_id.as_deref().unwrap_or("none")));
    field("updated", &when(row.updated_at).unwrap_or_else(|| "unknown".to_owned()));
    for (name, at) in [("interaction", row.last_interaction_at), ("started", row.session_started_at)] {
        if let Some(text) = when(at) {
            field(name, &text);
        }
    }
    for (name, text) in [("status", &row.status), ("model", &row.model)] {
        if let Some(text) = text {
            field(name, &escape::line(text));
        }
    }
    let t = &row.tokens;
    let counters = [("input", t.input), ("output", t.output), ("total", t.total), ("window", t.context)];
    let counters: Vec<String> = counters.iter().filter_map(|(name, n)| n.map(|n| format!("{name} {n}"))).collect();
    if !counters.is_empty() {
        field("tokens", &counters.join(", "));
    }
    let checkpoints = row.here.as_ref().map_or(0, |here| here.checkpoints);
    if row.compaction_count.is_some() || checkpoints > 0 {
        let count = row.compaction_count.unwrap_or(0.0);
        field("compactions", &format!("{count}, {}", super::plural::count(checkpoints, "checkpoint")));
    }
    if let Some(here) = &row.here {
        field("in the index", &bytes::human(here.bytes));
        field("fate", &here.fate.text(now));
    }
}

fn file_text(file: &ShownFile, now: Ms, field: &mut impl FnMut(&str, &str)) {
    let Some(size) = file.bytes else {
        field(file.class, &format!("{}: missing", escape::line(&file.path)));
        return;
    };
    let modified = file.modified_at.map_or(String::new(), |at| format!(", written {}", time::ago(now, at)));
    field(file.class, &format!("{} ({}{modified})", escape::line(&file.path), bytes::human(size)));
    if !file.owners.is_empty() {
        field("  owned by", &escape::line(&file.owners.join(", ")));
    }
    if file.hard_linked {
        field("  links", "other hard links exist: removing this name frees nothing while they do");
    }
    if let Some(lock) = &file.lock {
        field("  lock", &escape::line(lock));
    }
    if let Some(fate) = &file.fate {
        field("  fate", &fate.text(now));
    }
}
