//! The plan of a repair: a new index if one is needed, edits of its rows, files.

use std::collections::HashSet;
use std::ffi::OsString;

use crate::model::effect::{Effect, ReplaceIndex, RowInsert, SwapIndex};
use crate::model::finding::RepairId;
use crate::model::folder::Class;
use crate::model::index::{IndexFacts, Row};
use crate::model::repair::{Compared, Forced, Repair, RepairFacts, RepairPlan, RepairWishes, SourceKind, Undecided};
use crate::report::command::quote;
use crate::report::plural::count;
use crate::store::parse::parse;
use crate::store::refs::FolderIndex;
use crate::store::salvage::render;
use crate::store::write::render_into;

use super::choose::{self, Chosen};
use super::rebuild::{Rebuilt, raw_key, rebuild};
use super::rows::RowEdits;
use super::{adopt, doubt, end_runs, files, missing, repoint, strip};

/// A byte order mark: the gateway takes an index that begins with one for an empty store.
const BOM: &[u8] = b"\xef\xbb\xbf";

/// Why rows stay whose transcripts are all gone.
const NOT_ONE_HERE: &str =
    "its transcript is nowhere, nor is that of any other session: is a volume not mounted? Bring the files back";

/// Sessions that lost their key which a plan names one by one.
const LISTED: usize = 5;

/// Plans everything that was asked for.
pub fn plan(facts: &RepairFacts, wishes: &RepairWishes) -> RepairPlan {
    let mut plan = RepairPlan::default();
    let lookup = FolderIndex::new(&facts.folder);
    match &facts.live {
        Some(live) => whole(facts, wishes, live, &lookup, &mut plan),
        None => damaged(facts, wishes, &lookup, &mut plan),
    }
    if wishes.wants(RepairId::StaleLocks) {
        files::locks(facts, &mut plan);
    }
    if wishes.wants(RepairId::Leftovers) {
        files::leftovers(facts, &mut plan);
    }
    if wishes.modes && wishes.wants(RepairId::Modes) {
        files::modes(facts, &mut plan);
    }
    plan
}

/// A whole index: rows that an earlier one had, then edits.
fn whole(
    facts: &RepairFacts,
    wishes: &RepairWishes,
    live: &IndexFacts,
    lookup: &FolderIndex<'_>,
    plan: &mut RepairPlan,
) {
    plan.rows_before = live.live_rows() as u64;
    plan.here = live.rows.iter().filter(|row| !row.shadowed).map(|row| row.updated_at.ms()).collect();
    let mut edits = RowEdits::default();
    let mut added = 0;
    if let Some(forced) = wishes.from.as_ref().filter(|_| wishes.wants(RepairId::FromSnapshots)) {
        added += bring_back(facts, live, forced, lookup, &mut edits, plan);
    } else {
        plan.undecided.extend(doubt::doubt(facts, live, lookup));
    }
    let gone = edit(facts, wishes, live, lookup, &mut edits, plan);
    plan.rows_after = plan.rows_before + added + adopted(plan) - gone;
    if live.layout.bom && wishes.wants(RepairId::SalvageIndex) {
        plan.repairs.insert(
            0,
            Repair {
                kind: RepairId::SalvageIndex,
                subject: facts.path.display().to_string(),
                detail: "it begins with a byte order mark; the same text without it".to_owned(),
                effect: None,
            },
        );
        replace(facts, live, edits, plan);
    } else if !edits.is_empty() {
        plan.effects.push(Effect::SwapIndex(edits.into_swap(live)));
    }
}

fn adopted(plan: &RepairPlan) -> u64 {
    plan.repairs.iter().filter(|r| r.kind == RepairId::Adopt).count() as u64
}

/// Rows of earlier states, or of headers, that a whole index lacks.
fn bring_back(
    facts: &RepairFacts,
    live: &IndexFacts,
    forced: &Forced,
    lookup: &FolderIndex<'_>,
    edits: &mut RowEdits,
    plan: &mut RepairPlan,
) -> u64 {
    if *forced == Forced::Headers {
        let rebuilt = rebuilt(facts, live.rows.iter().map(|row| live.key(row).into_owned()).collect());
        for row in &rebuilt {
            plan.repairs.push(from_header(row));
            plan.back.push(Some(row.updated_at));
            edits.add(raw_key(&row.key), row.value.clone().into_bytes());
        }
        return rebuilt.len() as u64;
    }
    let mut compared = choose::compare(&facts.sources, lookup);
    let back = choose::lacking(live, &facts.sources, forced, lookup, &mut compared);
    for Chosen { index, row } in &back {
        plan.back.push(row.updated_at.ms());
        plan.repairs.push(Repair {
            kind: RepairId::FromSnapshots,
            subject: index.key(row).into_owned(),
            detail: format!("comes back from {}", source_of(facts, index)),
            effect: None,
        });
        let (key, value) = Chosen { index, row }.bytes();
        edits.add(key.to_vec(), value.to_vec());
    }
    let displaced = choose::displaced(live, &facts.sources, forced, lookup);
    for row in displaced.iter().take(LISTED) {
        let (key, id) = (row.index.key(row.row).into_owned(), row.session().unwrap_or_default());
        plan.undecided.push(Undecided {
            subject: key,
            why: format!(
                "another session has the key now; session {id}, which had it, and its transcript are here too"
            ),
            hint: Some(format!("clawkeep sessions restore {} --as KEY", quote(&id))),
        });
    }
    if displaced.len() > LISTED {
        let more = count((displaced.len() - LISTED) as u64, "more session");
        plan.undecided.push(Undecided {
            subject: facts.path.display().to_string(),
            why: format!("{more} whose key another session has now"),
            hint: Some("clawkeep sessions check --only orphan-history".to_owned()),
        });
    }
    if back.is_empty() && displaced.is_empty() {
        plan.undecided.push(Undecided {
            subject: facts.path.display().to_string(),
            why: "the source has no row with a transcript here that the index lacks".to_owned(),
            hint: doubt::best(facts, live, lookup),
        });
    }
    plan.compared = used(facts, compared, Some(forced));
    back.len() as u64
}

fn source_of(facts: &RepairFacts, index: &IndexFacts) -> String {
    let source = facts.sources.iter().find(|s| std::ptr::eq(&raw const s.index, index));
    source.map_or_else(String::new, |s| s.name.clone())
}

fn used(facts: &RepairFacts, compared: Vec<Compared>, forced: Option<&Forced>) -> Vec<Compared> {
    let keep = |ix: &usize| choose::allowed(&facts.sources, *ix, forced);
    compared.into_iter().enumerate().filter(|(ix, _)| keep(ix)).map(|(_, c)| c).collect()
}

/// A damaged index: a new one from whatever proves best.
fn damaged(facts: &RepairFacts, wishes: &RepairWishes, lookup: &FolderIndex<'_>, plan: &mut RepairPlan) {
    let forced = wishes.from.as_ref();
    if !wishes.wants(RepairId::SalvageIndex) {
        plan.undecided.push(undecided_index(facts, "the index is damaged, and its repair was not asked for"));
        return;
    }
    let mut compared = choose::compare(&facts.sources, lookup);
    let base = choose::best(&facts.sources, &compared, forced);
    let chosen = choose::put_together(facts, base, forced, lookup, &mut compared);
    let mut rows: Vec<(Vec<u8>, Vec<u8>)> =
        chosen.iter().map(|c| (c.bytes().0.to_vec(), c.bytes().1.to_vec())).collect();
    let complete = base.is_some_and(|ix| facts.sources[ix].complete);
    // Headers are asked only if nothing else can be trusted to be all there was.
    let headers = match forced {
        Some(Forced::Headers) => true,
        Some(_) => false,
        None => !complete,
    };
    if headers {
        let taken = chosen.iter().map(|c| c.index.key(c.row).into_owned()).collect();
        for row in rebuilt(facts, taken) {
            plan.repairs.push(from_header(&row));
            rows.push((raw_key(&row.key), row.value.into_bytes()));
        }
    }
    plan.compared = used(facts, compared, forced);
    if rows.is_empty() && facts.is_missing() && !holds_transcripts(facts) {
        return empty(facts, plan);
    }
    if rows.is_empty() {
        plan.undecided
            .push(undecided_index(facts, "no row was found in it, in a copy, in a snapshot or by a transcript"));
        return;
    }
    let text = render(&rows.iter().map(|(k, v)| (k.as_slice(), v.as_slice())).collect::<Vec<_>>());
    let Ok(index) = parse(facts.path.clone(), facts.fp, text.into()) else {
        plan.undecided.push(undecided_index(facts, "the rows that were found do not make an index"));
        return;
    };
    plan.lost = lost(facts, &index);
    if let Some(recorded) = facts.shrunk_from.filter(|recorded| (index.live_rows() as u64) < *recorded) {
        let (had, found) = (count(recorded, "row"), index.live_rows());
        let why = format!("it had {had} when it was last recorded, and {found} could be found");
        let hint = "clawkeep sessions repair --from FILE, if there is a backup of the index elsewhere";
        plan.undecided.push(Undecided { hint: Some(hint.to_owned()), ..undecided_index(facts, &why) });
    }
    plan.back = index.rows.iter().map(|row| row.updated_at.ms()).collect();
    plan.repairs.insert(0, new_index(facts, plan, &index));
    let mut edits = RowEdits::default();
    edit(facts, wishes, &index, lookup, &mut edits, plan);
    replace(facts, &index, edits, plan);
}

fn holds_transcripts(facts: &RepairFacts) -> bool {
    facts.folder.entries.iter().any(|f| f.is_file() && f.class == Class::Transcript)
}

/// No session is left, and no index: what lies in archives needs one to come back to.
fn empty(facts: &RepairFacts, plan: &mut RepairPlan) {
    plan.repairs.push(Repair {
        kind: RepairId::SalvageIndex,
        subject: facts.path.display().to_string(),
        detail: "there is no such file; an empty index, so that undo and restore can bring sessions back".to_owned(),
        effect: None,
    });
    let to = facts.path.file_name().unwrap_or_default().to_os_string();
    plan.effects.push(Effect::Create { to, content: render(&[]), mode: mode_of_files(facts) });
}

fn undecided_index(facts: &RepairFacts, why: &str) -> Undecided {
    Undecided { subject: facts.path.display().to_string(), why: why.to_owned(), hint: None }
}

/// Keys of rows that are there in part and did not come back whole.
fn lost(facts: &RepairFacts, index: &IndexFacts) -> Vec<String> {
    let back = |key: &&String| index.rows.iter().any(|row| index.key(row) == key.as_str());
    facts.cut.iter().filter(|key| !back(key)).cloned().collect()
}

fn new_index(facts: &RepairFacts, plan: &RepairPlan, index: &IndexFacts) -> Repair {
    let from = plan.compared.iter().find(|c| c.chosen);
    let from = from.map_or_else(|| SourceKind::Headers.id().to_owned(), |c| format!("{} ({})", c.kind.id(), c.name));
    let what = facts.damage.as_ref().map_or("it is damaged", |damage| damage.kind.describe());
    Repair {
        kind: RepairId::SalvageIndex,
        subject: facts.path.display().to_string(),
        detail: format!("{what}; a new index with {} from {from}", count(index.rows.len() as u64, "row")),
        effect: None,
    }
}

/// The effects of a new index: the damaged text gets a second name, then the new one takes its place. Where no index is,
/// it is a new file, and a gateway that is faster with its own keeps that.
fn replace(facts: &RepairFacts, index: &IndexFacts, edits: RowEdits, plan: &mut RepairPlan) {
    let swap = edits.into_swap(index);
    let mut text = Vec::new();
    // Writing to memory does not fail.
    let _ = render_into(index, &swap.drop, &swap.insert, &mut text);
    if text.starts_with(BOM) {
        text.drain(..BOM.len());
    }
    let Ok(last) = parse(facts.path.clone(), facts.fp, text.clone().into()) else { return };
    plan.rows_after = last.live_rows() as u64;
    if facts.is_missing() {
        let to = facts.path.file_name().unwrap_or_default().to_os_string();
        plan.effects.push(Effect::Create { to, content: text, mode: mode_of_files(facts) });
        return;
    }
    let mut before = RowInsert::FIRST.to_vec();
    let mut insert = Vec::with_capacity(last.rows.len());
    for row in &last.rows {
        let key = row.key.span.of(&last.bytes).to_vec();
        let after = Some(std::mem::replace(&mut before, key.clone()));
        insert.push(RowInsert { key, value: row.value.of(&last.bytes).to_vec(), after });
    }
    let kept_as = damaged_name(facts);
    plan.effects.push(Effect::Restore { from: facts.path.clone(), to: kept_as.clone(), replaces: None });
    plan.effects.push(Effect::ReplaceIndex(Box::new(ReplaceIndex {
        swap: SwapIndex { path: facts.path.clone(), fp: facts.fp, drop: Vec::new(), insert },
        text,
        kept_as: Some(kept_as.clone()),
    })));
    plan.kept_as = Some(kept_as);
}

/// Whoever may read and write the newest transcript may do so with the index.
fn mode_of_files(facts: &RepairFacts) -> u32 {
    let transcripts = facts.folder.entries.iter().filter(|f| f.is_file() && f.class == Class::Transcript);
    transcripts.max_by_key(|f| f.fp.mtime_ns).map_or(0, |f| f.fp.mode & 0o660) | 0o600
}

fn damaged_name(facts: &RepairFacts) -> OsString {
    let mut at = facts.now;
    loop {
        let mut name = facts.path.file_name().unwrap_or_default().to_os_string();
        name.push(format!(".damaged.{}", crate::units::time::stamp(at)));
        if facts.folder.find(&name).is_none() {
            return name;
        }
        at += 1;
    }
}

/// Transcripts with a user's words that no source leads to, as rows. `taken` are the keys in use.
fn rebuilt(facts: &RepairFacts, mut taken: HashSet<String>) -> Vec<Rebuilt> {
    let mut rows: Vec<Rebuilt> = Vec::new();
    for unowned in facts.unowned.iter().filter(|u| u.history) {
        let row = rebuild(facts, unowned, |key| taken.contains(key));
        // Two files of one session (forks, topics): the id alone names no second row.
        if taken.insert(row.key.clone()) {
            rows.push(row);
        }
    }
    rows
}

fn from_header(row: &Rebuilt) -> Repair {
    Repair {
        kind: RepairId::SalvageIndex,
        subject: row.key.clone(),
        detail: format!("rebuilt from a transcript ({})", row.confidence()),
        effect: None,
    }
}

/// Edits of single rows. Gives how many rows the gateway sees less.
fn edit(
    facts: &RepairFacts,
    wishes: &RepairWishes,
    index: &IndexFacts,
    lookup: &FolderIndex<'_>,
    edits: &mut RowEdits,
    plan: &mut RepairPlan,
) -> u64 {
    if wishes.wants(RepairId::DropShadowed) {
        for (ix, row) in (0..).zip(&index.rows).filter(|(_, row)| row.shadowed) {
            edits.drop_row(ix);
            plan.repairs.push(of_row(RepairId::DropShadowed, index, row, "a later row of the same key hides this one"));
        }
    }
    let gone = missing::missing(facts, index, lookup);
    let all = gone.len() > 1 && missing::none_is_here(facts, index, lookup);
    if wishes.drop_missing && wishes.wants(RepairId::DropMissing) {
        plan.none_left = all.then_some(gone.len() as u64);
    }
    for ix in &gone {
        let row = &index.rows[*ix as usize];
        if wishes.drop_missing && wishes.wants(RepairId::DropMissing) {
            edits.drop_row(*ix);
            plan.repairs.push(of_row(RepairId::DropMissing, index, row, "its transcript is nowhere"));
        } else if wishes.wants(RepairId::DropMissing) {
            plan.undecided.push(Undecided {
                subject: index.key(row).into_owned(),
                why: if all { NOT_ONE_HERE } else { "its transcript is nowhere" }.to_owned(),
                hint: (!all).then(|| "clawkeep sessions repair --drop-missing".to_owned()),
            });
        }
    }
    if wishes.wants(RepairId::RepointPaths) {
        repoint::repoint(facts, index, lookup, edits, &mut plan.repairs);
    }
    if wishes.end_runs && wishes.wants(RepairId::EndRuns) {
        end_runs::end_runs(facts, index, lookup, edits, &mut plan.repairs);
    }
    if wishes.wants(RepairId::StripField) {
        for field in &wishes.strip {
            strip::strip(index, field, edits, &mut plan.repairs);
        }
    }
    if wishes.wants(RepairId::Adopt) {
        for id in &wishes.adopt {
            adopt::adopt(facts, index, id, edits, plan);
        }
    }
    gone.iter().filter(|ix| edits.is_dropped(**ix)).count() as u64
}

fn of_row(kind: RepairId, index: &IndexFacts, row: &Row, detail: &str) -> Repair {
    Repair { kind, subject: index.key(row).into_owned(), detail: detail.to_owned(), effect: None }
}

/// The index facts that the executor compares a damaged index with: its bytes, and no row.
pub fn as_planned(facts: &RepairFacts) -> IndexFacts {
    facts.live.clone().unwrap_or_else(|| IndexFacts {
        bytes: facts.bytes.clone(),
        ..IndexFacts::without_rows(facts.path.clone(), facts.fp)
    })
}
