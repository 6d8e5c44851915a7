//! Bringing one session back from what is left of it.
//!
//! One copy of its transcript is chosen, the newest or the newest before a given time, and one text of its row: that of
//! the same session that is newest, or was in force at that time. Nothing that lives is displaced: not a row of the same
//! key, not a file of the same name, not a session that is live under another key. Where no text of the row is left a
//! minimal one is rebuilt, and said to be. Files come before the row, by the order of phases.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::Path;

use crate::model::Ms;
use crate::model::candidate::{Candidate, CopySource, Found, RowSource, RowVersion};
use crate::model::effect::{Effect, RowInsert, SwapIndex};
use crate::model::folder::FolderFacts;
use crate::model::index::{IndexFacts, Row};
use crate::model::plan::{Plan, PlannedEffect};
use crate::store::identity::{identity, identity_of};
use crate::transcript::names;
use crate::units::json_text::unescape;

/// What a restore is planned from.
#[derive(Clone, Copy)]
pub struct RestoreFacts<'a> {
    /// The index now.
    pub index: &'a IndexFacts,
    /// The folder now.
    pub folder: &'a FolderFacts,
    /// What is left of the session.
    pub found: &'a Found,
    /// What was asked for: key, id or file.
    pub what: &'a str,
    /// `--as`.
    pub as_key: Option<&'a str>,
    /// `--at`.
    pub at: Option<Ms>,
}

/// Where the row comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RowText {
    /// Exact bytes that were kept.
    Kept(RowSource),
    /// Made from what the transcript says.
    Rebuilt,
    /// A row of this session is there and only lacks its file.
    Live,
}

/// The plan to bring one session back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RestorePlan {
    /// Position of the copy in [`Found::copies`].
    pub copy: usize,
    /// Session id.
    pub id: String,
    /// Key of its row, decoded.
    pub key: String,
    /// Where the row comes from.
    pub row: RowText,
    /// Names of files that come back.
    pub files: Vec<String>,
    /// Their bytes.
    pub bytes: u64,
    /// Files that left with it and cannot come back because their name is taken.
    pub left: Vec<String>,
    /// Changes.
    pub effects: Vec<PlannedEffect>,
}

/// Why a session cannot be brought back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// Nothing is left of it.
    NothingLeft,
    /// Its row is known, but no copy of its transcript is left.
    NoTranscript,
    /// Every copy was last written after the time asked for; the oldest at this time.
    NoneBefore(Ms),
    /// The session is live, under this key.
    Live(String),
    /// A live row has the key.
    KeyTaken(String),
    /// A file has the name.
    NameTaken(String),
    /// No key is known for it.
    NoKey(String),
}

impl RestorePlan {
    /// As a plan for the executor.
    pub fn to_plan(&self, facts: &RestoreFacts<'_>, now: Ms) -> Plan {
        let rows = facts.index.live_rows() as u64;
        Plan {
            folder: facts.folder.path.clone(),
            now,
            decisions: Vec::new(),
            effects: self.effects.clone(),
            rows_before: rows,
            rows_after: rows + u64::from(self.row != RowText::Live),
            budget: None,
            cap_shortfall: 0,
            suspicion: None,
            ownership_incomplete: Vec::new(),
            max_remove_hit: None,
            warnings: Vec::new(),
        }
    }
}

/// Plans the restore.
///
/// # Errors
/// Whatever is in the way.
pub fn plan(facts: &RestoreFacts<'_>) -> Result<RestorePlan, Refusal> {
    let at = choose(facts)?;
    plan_copy(facts, at)
}

/// Plans the restore of one copy.
///
/// # Errors
/// Whatever is in the way.
pub fn plan_copy(facts: &RestoreFacts<'_>, at: usize) -> Result<RestorePlan, Refusal> {
    let copy = &facts.found.copies[at];
    let version = row_of(facts, copy);
    let id = session_id(copy, version);
    let live = live_row(facts.index, copy, &id);
    let name_is_free = facts.folder.find(&copy.name).is_none();
    if let Some(row) = live
        && (!name_is_free || has_file(facts, row))
    {
        return Err(Refusal::Live(facts.index.key(row).into_owned()));
    }
    if !name_is_free && copy.source != CopySource::Orphan {
        return Err(Refusal::NameTaken(copy.name.to_string_lossy().into_owned()));
    }
    let mut plan = RestorePlan {
        copy: at,
        key: String::new(),
        row: RowText::Live,
        files: Vec::new(),
        bytes: 0,
        left: Vec::new(),
        effects: Vec::new(),
        id,
    };
    files(facts, copy, &mut plan);
    if let Some(row) = live {
        plan.key = facts.index.key(row).into_owned();
        return Ok(plan);
    }
    let insert = new_row(facts, copy, version, &plan.id)?;
    if let Some(taken) = facts.index.rows.iter().find(|r| same_key(facts.index, r, &insert.key)) {
        return Err(Refusal::KeyTaken(facts.index.key(taken).into_owned()));
    }
    plan.key = unescape(&insert.key);
    plan.row = version.map_or(RowText::Rebuilt, |v| RowText::Kept(v.source.clone()));
    let index = facts.index;
    let swap = SwapIndex { path: index.path.clone(), fp: index.fp, drop: Vec::new(), insert: vec![insert] };
    plan.effects.push(PlannedEffect { decision: None, effect: Effect::SwapIndex(swap) });
    Ok(plan)
}

/// The copy to use: of those that fit, the one written last; of equals, the one that needs least.
fn choose(facts: &RestoreFacts<'_>) -> Result<usize, Refusal> {
    let copies = &facts.found.copies;
    if copies.is_empty() {
        let live = facts.index.rows.iter().find(|r| !r.shadowed && is_what(facts, r) && has_file(facts, r));
        return Err(match live {
            Some(row) => Refusal::Live(facts.index.key(row).into_owned()),
            None if facts.found.rows.is_empty() => Refusal::NothingLeft,
            None => Refusal::NoTranscript,
        });
    }
    let named = |c: &Candidate| {
        let name = Path::new(facts.what).file_name().unwrap_or(OsStr::new(facts.what));
        c.path.file_name() == Some(name) || c.archive.as_deref() == Some(name) || c.path == Path::new(facts.what)
    };
    // A name of one copy means that copy, whenever it was written.
    let exact: Vec<usize> = (0..copies.len()).filter(|ix| named(&copies[*ix])).collect();
    let pool = if exact.is_empty() { (0..copies.len()).collect() } else { exact };
    let in_time = |ix: &usize| facts.at.is_none_or(|at| copies[*ix].written_at <= at);
    let rank = |c: &Candidate| match c.source {
        CopySource::Packed => 0,
        CopySource::Archive(_) if c.packed.is_some() => 0,
        CopySource::Run(_) => 1,
        CopySource::Archive(_) => 2,
        CopySource::Orphan => 3,
    };
    let order = |ix: &usize| (copies[*ix].written_at, copies[*ix].taken_at, rank(&copies[*ix]), *ix);
    let oldest = pool.iter().map(|ix| copies[*ix].written_at).min().unwrap_or(0);
    pool.into_iter().filter(in_time).max_by_key(order).ok_or(Refusal::NoneBefore(oldest))
}

fn is_what(facts: &RestoreFacts<'_>, row: &Row) -> bool {
    let id = row.session_id.map(|t| t.get(&facts.index.bytes));
    // A session that two rows led to lives on under the other key.
    let is_it = |id: &str| id == facts.what || facts.found.ids.iter().any(|known| known == id);
    facts.index.key(row) == facts.what || id.is_some_and(|id| is_it(&id))
}

/// The text of the row that belongs to the copy: the newest that was taken by the time asked for, else the first after it.
fn row_of<'a>(facts: &RestoreFacts<'a>, copy: &Candidate) -> Option<&'a RowVersion> {
    let mine = |r: &&RowVersion| {
        r.id.as_ref().is_some_and(|id| copy.ids.contains(id))
            || r.file.as_deref().is_some_and(|f| OsStr::new(f) == copy.name)
    };
    let all: Vec<&RowVersion> = facts.found.rows.iter().filter(mine).collect();
    // A session can have had several keys; the one asked for counts.
    let asked: Vec<&RowVersion> = all.iter().copied().filter(|r| unescape(&r.key) == facts.what).collect();
    let pool = if asked.is_empty() { all } else { asked };
    match facts.at {
        None => pool.last().copied(),
        Some(at) => pool.iter().rev().find(|r| r.at <= at).or(pool.first()).copied(),
    }
}

fn session_id(copy: &Candidate, version: Option<&RowVersion>) -> String {
    let of_row = version.and_then(|v| v.id.clone());
    let of_header = copy.preview.header_id.clone().filter(|id| names::is_session_id(id.as_bytes()));
    of_row.or(of_header).or_else(|| copy.ids.last().cloned()).unwrap_or_default()
}

/// The live row of the session.
fn live_row<'a>(index: &'a IndexFacts, copy: &Candidate, id: &str) -> Option<&'a Row> {
    let mine = |r: &&Row| {
        let of = r.session_id.map(|t| t.get(&index.bytes));
        !r.shadowed && of.is_some_and(|of| of == id || copy.ids.iter().any(|c| *c == of))
    };
    index.rows.iter().find(mine)
}

/// Whether a transcript of the row is in the folder.
fn has_file(facts: &RestoreFacts<'_>, row: &Row) -> bool {
    let buf = &facts.index.bytes;
    let by_id = row.session_id.map(|id| format!("{}.jsonl", id.get(buf)));
    let by_path = row.session_file.map(|p| p.get(buf).into_owned());
    let named = by_path.as_deref().and_then(|p| p.rsplit(['/', '\\']).next());
    by_id.as_deref().into_iter().chain(named).any(|n| facts.folder.find(OsStr::new(n)).is_some())
}

fn same_key(index: &IndexFacts, row: &Row, key: &[u8]) -> bool {
    identity(row.key, &index.bytes) == identity_of(key)
}

fn files(facts: &RestoreFacts<'_>, copy: &Candidate, plan: &mut RestorePlan) {
    let effect = match (&copy.source, &copy.packed) {
        (CopySource::Orphan, _) => None,
        (_, Some(content)) => {
            Some(Effect::Unpack { copy: copy.path.clone(), content: content.clone(), to: copy.name.clone() })
        }
        _ => {
            let from = copy.link.as_ref().unwrap_or(&copy.path).clone();
            Some(Effect::Restore { from, to: copy.name.clone(), replaces: copy.archive.clone() })
        }
    };
    if let Some(effect) = effect {
        plan.effects.push(PlannedEffect { decision: None, effect });
        plan.files.push(copy.name.to_string_lossy().into_owned());
        plan.bytes += copy.bytes;
    }
    let mut claimed = BTreeSet::new();
    for sidecar in &copy.sidecars {
        let shown = sidecar.name.to_string_lossy().into_owned();
        if facts.folder.find(&sidecar.name).is_some() || !claimed.insert(&sidecar.name) {
            plan.left.push(shown);
            continue;
        }
        let effect = Effect::Restore { from: sidecar.from.clone(), to: sidecar.name.clone(), replaces: None };
        plan.effects.push(PlannedEffect { decision: None, effect });
        plan.files.push(shown);
        plan.bytes += sidecar.bytes;
    }
}

fn new_row(
    facts: &RestoreFacts<'_>,
    copy: &Candidate,
    version: Option<&RowVersion>,
    id: &str,
) -> Result<RowInsert, Refusal> {
    let as_key = facts.as_key.map(raw_key);
    match version {
        Some(version) => Ok(RowInsert {
            key: as_key.unwrap_or_else(|| version.key.clone()),
            value: version.value.clone(),
            after: Some(version.after.clone().unwrap_or_else(|| RowInsert::FIRST.to_vec())),
        }),
        None => {
            let key = as_key.ok_or_else(|| Refusal::NoKey(id.to_owned()))?;
            Ok(RowInsert { key, value: rebuilt(facts, copy, id), after: None })
        }
    }
}

/// The bytes between the quotes of a key.
fn raw_key(key: &str) -> Vec<u8> {
    let text = serde_json::Value::from(key).to_string();
    text.as_bytes()[1..text.len() - 1].to_vec()
}

/// A row that leads to the transcript and says when it was last written, laid out as the gateway does.
fn rebuilt(facts: &RestoreFacts<'_>, copy: &Candidate, id: &str) -> Vec<u8> {
    let mut row = serde_json::json!({ "sessionId": id, "updatedAt": copy.written_at });
    let default = format!("{id}.jsonl");
    if copy.name != OsStr::new(&default) {
        row["sessionFile"] = facts.folder.path.join(&copy.name).to_string_lossy().into();
    }
    format!("{row:#}").replace('\n', "\n  ").into_bytes()
}

#[cfg(test)]
#[path = "restore_tests.rs"]
mod tests;
