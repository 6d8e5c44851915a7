//! `--fix-dm-scope`: direct-message rows of a former scope, once direct messages share the main session.

use crate::model::decision::Reason;

use super::draft::Draft;
use super::keys;

/// Retires direct rows of the target's agent. The flag has no effect unless `session.dmScope` is absent or `main`.
pub fn apply(draft: &mut Draft<'_>) {
    if !draft.policy.fix_dm_scope {
        return;
    }
    let rows: Vec<u32> = draft.standing_rows().collect();
    for row in rows {
        let key = draft.facts.index.key(&draft.facts.index.rows[row as usize]).into_owned();
        if keys::is_direct_of(&key, &draft.policy.agent_id) {
            let shield = draft.traits[row as usize].shield_from_dm_scope();
            draft.take_row(row, shield, Reason::DmScope);
        }
    }
}
