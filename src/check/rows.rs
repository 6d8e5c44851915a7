//! Rows that are no ordinary session entries, come twice, or lead to nothing.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::model::Ms;
use crate::model::check::CheckFacts;
use crate::model::decision::Reason;
use crate::model::finding::{Finding, FindingId, Place};
use crate::model::index::{IndexFacts, Odd, Row, TimeField};
use crate::model::probe::{HeaderState, OrphanProbe, OutsideState};
use crate::plan::draft::{Draft, index32};
use crate::plan::missing;
use crate::store::identity::identity;
use crate::units::time;

/// Two times this far apart, in ms, are of one moment.
const SECOND: Ms = 1000;

/// Reports them.
pub fn findings(facts: &CheckFacts, draft: &Draft<'_>, found: &mut Vec<Finding>) {
    let index = &draft.facts.index;
    let begun = begun(draft);
    let all_gone = none_is_here(draft);
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
        if !row.shadowed && draft.traits[ix].stuck_run && !is_locked(draft, index32(ix)) {
            let evidence = row.updated_at.ms().map_or_else(
                || "it says that it is running, and has no time".to_owned(),
                |at| format!("it says that it is running, and was last touched {}", time::ago(facts.now, at)),
            );
            found.push(Finding::new(FindingId::StuckRun, place(), evidence));
        }
        if !row.shadowed && is_missing(draft, index32(ix)) {
            let id = row.session_id.map(|id| id.get(&index.bytes).into_owned()).unwrap_or_default();
            let evidence = match same_second(&begun, row) {
                _ if all_gone => format!(
                    "no transcript of session {id}, nor of any other: is a volume not mounted? Bring the files back"
                ),
                None => format!("no transcript of session {id}"),
                Some(file) => format!(
                    "no transcript of session {id}; {}, which no row leads to, was begun in the same second and may belong \
                     to it: look before --drop-missing",
                    draft.file(file).name.to_string_lossy()
                ),
            };
            let finding = Finding::new(FindingId::MissingTranscript, place(), evidence).operand(id);
            found.push(if all_gone { finding.without_repair() } else { finding });
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

/// Transcripts that no row leads to, by the time in their header.
fn begun(draft: &Draft<'_>) -> Vec<(Ms, u32)> {
    let at = |(file, probe): (&u32, &OrphanProbe)| match probe.header {
        HeaderState::Valid { at: Some(at), .. } => Some((at, *file)),
        _ => None,
    };
    let mut all: Vec<(Ms, u32)> = draft.probes.orphans.iter().filter_map(at).collect();
    all.sort_unstable();
    all
}

/// The only such transcript that was begun in the second of one of the row's times: a row may have kept the id that it
/// had before its run got another (reports G4).
fn same_second(begun: &[(Ms, u32)], row: &Row) -> Option<u32> {
    let times = [row.session_started_at, row.updated_at, row.last_interaction_at];
    times.into_iter().filter_map(TimeField::ms).find_map(|at| {
        let near = &begun[begun.partition_point(|(begun, _)| *begun <= at - SECOND)..];
        match near.iter().take_while(|(begun, _)| *begun < at + SECOND).collect::<Vec<_>>()[..] {
            [(_, file)] => Some(*file),
            _ => None,
        }
    })
}

/// A process holds a transcript of the row: it may run after all.
fn is_locked(draft: &Draft<'_>, row: u32) -> bool {
    matches!(draft.traits[row as usize].held, Some(Reason::LiveLock | Reason::UnknownLock))
}

/// No transcript is anywhere, and nothing says that the first answer is still to come.
fn is_missing(draft: &Draft<'_>, row: u32) -> bool {
    let elsewhere = matches!(
        draft.probes.outside.get(&row),
        Some(OutsideState::Elsewhere | OutsideState::Transcript | OutsideState::Below | OutsideState::Other)
    );
    !elsewhere && missing::is_missing(draft, row) && draft.traits[row as usize].held.is_none()
}

/// Not one of several sessions has its transcript: they did not go one by one, and no row is dropped for it.
fn none_is_here(draft: &Draft<'_>) -> bool {
    let sessions = || draft.standing_rows().filter(|row| missing::names_session(draft, *row));
    let gone = |row| missing::is_missing(draft, row) && !missing::is_elsewhere(draft, row);
    sessions().nth(1).is_some() && sessions().all(gone)
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
