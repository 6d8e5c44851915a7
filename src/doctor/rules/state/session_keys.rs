//! Keys of rows in a form that the gateway no longer looks up.

use std::collections::{BTreeMap, HashSet};

use crate::doctor::rule::{Check, Findings, Rule};
use crate::doctor::rules::support::canonical::Keys;
use crate::doctor::rules::support::rows::{self, Changes};
use crate::model::Ms;
use crate::model::check::Seen;
use crate::model::doctor::{FolderFix, Remedy, StateFacts, StoreState, Version};
use crate::model::effect::Effect;
use crate::model::finding::{FindingId, Severity};
use crate::model::index::{IndexFacts, Row};
use crate::model::stores::Generation;
use crate::report::check::mending;

/// The rule.
pub const RULE: Rule = Rule {
    id: "session-keys",
    severity: Severity::Warning,
    since: Version(2026, 5, 0),
    what: "keys of sessions have an old form",
    why: "Gateways of earlier versions wrote keys without the agent, or in mixed case. The gateway looks a conversation up \
          under its canonical key: one under another key is not found, and a new one begins beside it.",
    fix: "Renames the rows; nothing else of them changes but `room`, which is called `groupChannel` now. Where two rows come \
          to one key, the one that was used last stays; the transcript of the other stays where it is, and \
          `clawkeep sessions repair --adopt ID` makes it a session again. Ids that differ by case alone, and \
          rows whose times are not to be believed, are left to a person.",
    before: "{ \"main\": { \"sessionId\": \"a\" }, \"group:x\": { \"sessionId\": \"b\" } }",
    after: "{ \"agent:main:main\": { \"sessionId\": \"a\" }, \"agent:main:unknown:group:x\": { \"sessionId\": \"b\" } }",
    check: Check::State(check),
};

fn check(facts: &StateFacts, out: &mut Findings) {
    for (at, store) in facts.stores.iter().enumerate() {
        let Some(Seen::Whole(whole)) = store.facts.as_ref().map(|f| &f.seen) else { continue };
        let folded = fold(&whole.index, &keys(facts, store), facts.now);
        if !folded.changes.is_empty() {
            let count = crate::report::plural::count(folded.lines.len() as u64, "key");
            let mut found =
                RULE.found(&store.target.agent_id, format!("{count} in a form that is no longer looked up"));
            found.details = folded.lines;
            found.file = Some(store.target.store_path.clone());
            let effects = vec![Effect::SwapIndex(folded.changes.into_swap())];
            let fix = FolderFix { folder: whole.folder.path.clone(), effects, store: Some(at) };
            found.remedy = remedy(store, fix);
            out.push(found);
        }
        if !folded.left.is_empty() {
            let mut found = RULE.found(
                &store.target.agent_id,
                "keys that would become one: different sessions, or times that are not to be believed",
            );
            found.details = folded.left;
            found.file = Some(store.target.store_path.clone());
            found.severity = Severity::Info;
            found.remedy = Remedy::Manual("decide which of them is in use; both stay as they are".to_owned());
            out.push(found);
        }
    }
}

fn remedy(store: &StoreState, fix: FolderFix) -> Remedy {
    if matches!(store.target.generation, Generation::Sqlite { .. }) {
        return Remedy::Manual(
            "the sessions are in the database of a newer gateway; this index is a leftover".to_owned(),
        );
    }
    if let Some(doubt) = store.findings.iter().find(|f| f.id == FindingId::IndexSuspect) {
        let command = mending(&store.target.store_path, doubt);
        return command.map_or_else(|| Remedy::Manual("bring the lost rows back first".to_owned()), Remedy::Command);
    }
    Remedy::Effects { what: "renames the rows".to_owned(), fixes: vec![fix], flag: None }
}

/// What keys of a store are measured by.
pub fn keys<'a>(facts: &'a StateFacts, store: &'a StoreState) -> Keys<'a> {
    let template = facts.settings.session.store.as_ref();
    Keys {
        agent: &store.target.agent_id,
        main_key: &facts.settings.session.main_key.value,
        global: facts.seen.config.pointer("/session/scope").and_then(|v| v.as_str()) == Some("global"),
        shared: facts.settings.agents.len() > 1 && template.is_some_and(|t| !t.value.contains("{agentId}")),
    }
}

/// An index with its keys folded.
struct Folded<'a> {
    changes: Changes<'a>,
    /// One line a row.
    lines: Vec<String>,
    /// Rows that are left to a person.
    left: Vec<String>,
}

fn fold<'a>(index: &'a IndexFacts, keys: &Keys<'_>, now: Ms) -> Folded<'a> {
    let mut folded = Folded { changes: Changes::of(index), lines: Vec::new(), left: Vec::new() };
    let twice: HashSet<_> = index.rows.iter().filter(|r| r.shadowed).map(|r| index.key(r)).collect();
    let mut groups: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    for (ix, row) in (0..).zip(&index.rows) {
        let key = index.key(row);
        // What is no session keeps its key: nothing is known about it. Doubles are for `sessions repair`.
        if row.odd.is_none() && row.session_id.is_some() && !twice.contains(&key) {
            groups.entry(keys.of(&key).into_owned()).or_default().push(ix);
        }
    }
    let taken: HashSet<_> = index.rows.iter().map(|r| index.key(r)).collect();
    for (canonical, members) in &groups {
        let is_canonical = |ix: &u32| index.key(&index.rows[*ix as usize]) == *canonical;
        if members.iter().all(is_canonical) {
            continue;
        }
        // A row that is no session has the key already.
        let blocked = taken.contains(canonical.as_str()) && !members.iter().any(is_canonical);
        // Which of two was used last cannot be told by a time that no clock has written.
        let times: Vec<_> = members.iter().map(|ix| (index, &index.rows[*ix as usize])).collect();
        let undecided = members.len() > 1 && !rows::are_comparable(&times, now);
        if blocked || undecided || by_case_alone(index, members) {
            folded.left.extend(members.iter().map(|ix| index.key(&index.rows[*ix as usize]).into_owned()));
            continue;
        }
        merge(index, canonical, members, &mut folded);
    }
    folded
}

fn merge(index: &IndexFacts, canonical: &str, members: &[u32], folded: &mut Folded<'_>) {
    let row = |ix: u32| &index.rows[ix as usize];
    let is_canonical = |ix: u32| index.key(row(ix)) == canonical;
    // The last of equals wins `max_by_key`: the canonical one, else the first.
    let rank = |ix: &u32| (rows::updated(index, row(*ix)), is_canonical(*ix), std::cmp::Reverse(*ix));
    let Some(winner) = members.iter().copied().max_by_key(rank) else { return };
    for ix in members.iter().copied() {
        let key = index.key(row(ix));
        if ix != winner {
            folded.changes.drop_row(ix);
            folded.lines.push(format!(
                "{key} gives way to {} as {canonical}{}",
                index.key(row(winner)),
                hidden(index, row(ix))
            ));
        } else if !is_canonical(ix) {
            let value = rows::with_group_channel(rows::value(index, row(ix)));
            folded.changes.set(ix, canonical.to_owned(), value);
            folded.lines.push(format!("{key} -> {canonical}"));
        }
    }
}

fn hidden(index: &IndexFacts, row: &Row) -> String {
    row.session_id.map_or_else(String::new, |id| format!(" (its transcript, session {}, stays)", id.get(&index.bytes)))
}

/// Agent keys of different sessions that differ by case alone: perhaps two conversations whose ids tell case apart.
fn by_case_alone(index: &IndexFacts, members: &[u32]) -> bool {
    let rest = |ix: &u32| {
        let key = index.key(&index.rows[*ix as usize]).trim().to_owned();
        let mut parts = key.splitn(3, ':');
        let agent = parts.next()?.eq_ignore_ascii_case("agent");
        parts.next()?;
        agent.then(|| parts.next().map(str::to_owned)).flatten()
    };
    let rests: Vec<Option<String>> = members.iter().map(rest).collect();
    members.len() > 1
        && rests.iter().enumerate().any(|(at, a)| {
            rests[..at].iter().any(|b| match (a, b) {
                (Some(a), Some(b)) => a != b && a.eq_ignore_ascii_case(b),
                _ => false,
            })
        })
}
