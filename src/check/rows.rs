//! Rows that are no ordinary session entries, come twice, or lead to nothing.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::model::check::CheckFacts;
use crate::model::finding::{Finding, FindingId, Place};
use crate::model::index::{IndexFacts, Odd, Row};
use crate::model::probe::OutsideState;
use crate::plan::draft::{Draft, index32};
use crate::plan::missing;
use crate::store::identity::identity;

/// Reports them.
pub fn findings(facts: &CheckFacts, draft: &Draft<'_>, found: &mut Vec<Finding>) {
    let index = &draft.facts.index;
    for (ix, row) in index.rows.iter().enumerate() {
        let place = || place(facts, index, index32(ix), row);
        let bytes = row.value.len() as u64;
        match row.odd {
            Some(Odd::NotAnObject) => {
                let evidence = format!("the value is {}, no object", kind(row, index));
                found.push(Finding::new(FindingId::OddRow, place(), evidence).bytes(bytes));
            }
            Some(Odd::BadSessionId) if !escapes(row, index) => {
                let evidence = "sessionId is none that the gateway accepts";
                found.push(Finding::new(FindingId::OddRow, place(), evidence).bytes(bytes));
            }
            Some(Odd::BadSessionId) => {}
            None if row.session_id.is_none() && row.session_file.is_none() => {
                found.push(Finding::new(FindingId::NoSession, place(), "no sessionId, no sessionFile").bytes(bytes));
            }
            None => {}
        }
        if !row.shadowed && is_missing(draft, index32(ix)) {
            let id = row.session_id.map(|id| id.get(&index.bytes).into_owned()).unwrap_or_default();
            let evidence = format!("no transcript of session {id}");
            found.push(Finding::new(FindingId::MissingTranscript, place(), evidence).operand(id));
        }
    }
    shadowed(facts, index, found);
    same_session(facts, index, found);
}

/// A row and where it is.
pub fn place(facts: &CheckFacts, index: &IndexFacts, ix: u32, row: &Row) -> Place {
    Place {
        key: Some(index.key(row).into_owned()),
        row: Some(ix),
        offset: Some(u64::from(row.value.start)),
        ..Place::file(&facts.target.store_path)
    }
}

fn kind(row: &Row, index: &IndexFacts) -> &'static str {
    match row.value.of(&index.bytes).first() {
        Some(b'n') => "null",
        Some(b'"') => "text",
        Some(b'[') => "a list",
        Some(b't' | b'f') => "true or false",
        _ => "a number",
    }
}

/// A session id that is a path: reported as such (see [`super::paths`]).
pub fn escapes(row: &Row, index: &IndexFacts) -> bool {
    row.session_id.is_some_and(|id| id.get(&index.bytes).contains(['/', '\\']))
}

/// No transcript is anywhere, and nothing says that the first answer is still to come.
fn is_missing(draft: &Draft<'_>, row: u32) -> bool {
    let elsewhere = matches!(
        draft.probes.outside.get(&row),
        Some(OutsideState::Elsewhere | OutsideState::Transcript | OutsideState::Other)
    );
    !elsewhere && missing::is_missing(draft, row) && draft.traits[row as usize].held.is_none()
}

/// Rows that a later one of the same key hides.
fn shadowed(facts: &CheckFacts, index: &IndexFacts, found: &mut Vec<Finding>) {
    if index.rows.iter().all(|row| !row.shadowed) {
        return;
    }
    let buf = &index.bytes[..];
    let visible: HashMap<Cow<'_, [u8]>, &Row> =
        index.rows.iter().filter(|row| !row.shadowed).map(|row| (identity(row.key, buf), row)).collect();
    for (ix, row) in index.rows.iter().enumerate().filter(|(_, row)| row.shadowed) {
        let wins = visible.get(&*identity(row.key, buf));
        let same = wins.is_some_and(|wins| wins.value.of(buf) == row.value.of(buf));
        let (id, evidence) = match (same, row.session_id) {
            (true, _) => (FindingId::DuplicateKey, "the key comes again later, with the same value".to_owned()),
            (false, Some(session)) => (
                FindingId::ShadowedRow,
                format!("the key comes again later; this one has session {}", session.get(buf)),
            ),
            (false, None) => (FindingId::ShadowedRow, "the key comes again later, with another value".to_owned()),
        };
        let bytes = (row.key.span.len() + row.value.len()) as u64;
        found.push(Finding::new(id, place(facts, index, index32(ix), row), evidence).bytes(bytes));
    }
}

/// Visible rows with one session id. A cron run shares the session of its job's row; that is how the gateway does it.
fn same_session(facts: &CheckFacts, index: &IndexFacts, found: &mut Vec<Finding>) {
    let buf = &index.bytes[..];
    let mut by_id: HashMap<Cow<'_, [u8]>, Vec<u32>> = HashMap::new();
    for (ix, row) in index.rows.iter().enumerate().filter(|(_, row)| !row.shadowed) {
        if let Some(id) = row.session_id {
            by_id.entry(identity(id, buf)).or_default().push(index32(ix));
        }
    }
    for (id, rows) in by_id {
        let mut keys: Vec<(Cow<'_, str>, u32)> =
            rows.iter().map(|ix| (index.key(&index.rows[*ix as usize]), *ix)).collect();
        let runs_of = |base: &str, key: &str| key.strip_prefix(base).is_some_and(|rest| rest.starts_with(":run:"));
        let bases: Vec<String> = keys.iter().map(|(key, _)| key.clone().into_owned()).collect();
        keys.retain(|(key, _)| !bases.iter().any(|base| runs_of(base, key)));
        let [(_, first), others @ ..] = &keys[..] else { continue };
        if others.is_empty() {
            continue;
        }
        let names: Vec<&str> = others.iter().map(|(key, _)| &**key).take(3).collect();
        let more = if others.len() > names.len() { ", ..." } else { "" };
        let id = String::from_utf8_lossy(&id);
        let evidence = format!("session {id} is also that of {}{more}", names.join(", "));
        let place = place(facts, index, *first, &index.rows[*first as usize]);
        found.push(Finding::new(FindingId::DuplicateSession, place, evidence).count(keys.len() as u64).operand(id));
    }
}
