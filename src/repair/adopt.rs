//! `--adopt ID`: a row for a transcript that nothing leads to.

use crate::model::finding::RepairId;
use crate::model::index::IndexFacts;
use crate::model::repair::{Repair, RepairFacts, RepairPlan, Undecided};

use super::rebuild::{raw_key, rebuild};
use super::rows::RowEdits;

/// Makes a row for the transcript with this session id or file name.
pub fn adopt(facts: &RepairFacts, index: &IndexFacts, wanted: &str, edits: &mut RowEdits, plan: &mut RepairPlan) {
    let name = |file: u32| facts.folder.entries[file as usize].name.to_string_lossy();
    let is_it = |file: u32, id: &str| id == wanted || name(file) == wanted || name(file) == format!("{wanted}.jsonl");
    let Some(unowned) = facts.unowned.iter().find(|u| is_it(u.file, &u.id)) else {
        let used = index.rows.iter().any(|row| row.session_id.is_some_and(|id| id.get(&index.bytes) == wanted));
        if !used {
            plan.undecided.push(Undecided {
                subject: wanted.to_owned(),
                why: "no transcript without a row has this session id or name, or it has no session header".to_owned(),
                hint: Some("clawkeep sessions list".to_owned()),
            });
        }
        return;
    };
    let row = rebuild(facts, unowned, |key| index.rows.iter().any(|row| index.key(row) == key));
    plan.repairs.push(Repair {
        kind: RepairId::Adopt,
        subject: name(unowned.file).into_owned(),
        detail: format!("is the session {} now ({})", row.key, row.confidence()),
        effect: None,
    });
    plan.back.push(Some(row.updated_at));
    edits.add(raw_key(&row.key), row.value.into_bytes());
}
