//! The transcript of the main session.

use crate::doctor::rule::{Check, Findings, Rule};
use crate::doctor::rules::state::session_keys;
use crate::model::check::Seen;
use crate::model::doctor::{Remedy, StateFacts, Version};
use crate::model::finding::{FindingId, Severity};
use crate::report::command::{quote, select_words};

/// The rule.
pub const RULE: Rule = Rule {
    id: "main-session",
    severity: Severity::Warning,
    since: Version(2026, 5, 0),
    what: "the transcript of the main session is missing or holds nothing",
    why: "The main session is the conversation that goes on for months. Without its transcript the agent begins anew; one \
          of a single line may mean that what is said is not written down.",
    fix: "Nothing by itself: `clawkeep sessions restore` looks for the transcript everywhere it could be.",
    before: "",
    after: "",
    check: Check::State(check),
};

fn check(facts: &StateFacts, out: &mut Findings) {
    for store in &facts.stores {
        let Some(seen) = &store.facts else { continue };
        let Seen::Whole(whole) = &seen.seen else { continue };
        let main = session_keys::keys(facts, store).main();
        let index = &whole.index;
        let row = (0_u32..).zip(&index.rows).find(|(_, r)| !r.shadowed && index.key(r) == main);
        let Some((at, _)) = row.filter(|(_, r)| r.session_id.is_some()) else { continue };
        let missing = |f: &crate::model::finding::Finding| {
            f.id == FindingId::MissingTranscript && f.place.key.as_deref() == Some(main.as_str())
        };
        let (select, quoted) = (select_words(&store.target), quote(&main));
        if store.findings.iter().any(missing) {
            let found = RULE.found(&main, "its transcript is missing: history will appear to be reset");
            let command = format!("clawkeep sessions restore{select} {quoted} --list");
            out.push(found.at(store.target.store_path.clone()).remedy(Remedy::Command(command)));
            continue;
        }
        let mut files = whole.row_files.iter().filter(|rf| rf.row == at);
        let reading = files.find_map(|rf| {
            seen.transcripts.iter().find(|(file, _)| *file == rf.file).and_then(|(_, r)| r.as_ref().ok())
        });
        if let Some(reading) = reading.filter(|r| r.size > 0 && r.lines <= 1 && r.whole) {
            let mut found = RULE.found(&main, format!("its transcript has {} line", reading.lines));
            found.severity = Severity::Info;
            let command = format!("clawkeep sessions show{select} {quoted}");
            out.push(found.at(store.target.store_path.clone()).remedy(Remedy::Command(command)));
        }
    }
}
