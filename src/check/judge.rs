//! All findings of one store.

use crate::model::check::{CheckFacts, Seen};
use crate::model::finding::Finding;
use crate::model::policy::Policy;
use crate::order::Order as _;
use crate::plan::draft::Draft;

use super::{access, bloat, index, leftovers, locks, orphans, paths, rows, state, times, transcripts};

/// Judges. `policy` is the one in force for the agent; it only says what is young, main and protected.
pub fn judge(facts: &CheckFacts, policy: &Policy) -> Vec<Finding> {
    let mut found = Vec::new();
    match &facts.seen {
        Seen::Whole(whole) => {
            let draft = Draft::new(whole, &facts.probes, policy, facts.now);
            index::whole(facts, &draft, &mut found);
            bloat::findings(facts, &whole.index, &mut found);
            rows::findings(facts, &draft, &mut found);
            paths::findings(facts, &draft, &mut found);
            times::findings(facts, &draft, &mut found);
            orphans::findings(facts, &draft, &mut found);
            leftovers::findings(facts, &mut found);
            transcripts::findings(facts, Some(&draft), &mut found);
            state::members(facts, whole, &mut found);
        }
        Seen::Broken(broken, folder) => {
            index::broken(facts, broken, folder, &mut found);
            transcripts::findings(facts, None, &mut found);
        }
    }
    leftovers::irregular(facts, &mut found);
    locks::findings(facts, &mut found);
    access::findings(facts, &mut found);
    state::findings(facts, &mut found);
    // By id, then by place: the same facts give the same report.
    found.order_by(|a, b| {
        (a.id, &a.place.path, a.place.row, a.place.line).cmp(&(b.id, &b.place.path, b.place.row, b.place.line))
    });
    found
}
