//! What the import of a newer gateway does to this state.

use std::ffi::OsStr;

use crate::doctor::rule::{Check, Findings, Rule};
use crate::doctor::rules::support::texts;
use crate::model::check::Seen;
use crate::model::doctor::{Remedy, StateFacts, StoreState, Version};
use crate::model::finding::{Finding, FindingId, Severity};
use crate::model::folder::{Artefact, Class};
use crate::report::command::select_words;

/// The rule.
pub const RULE: Rule = Rule {
    id: "next-import",
    severity: Severity::Warning,
    since: Version(2026, 8, 0),
    what: "the import of a newer gateway would cut, adopt or refuse something",
    why: "Gateways from 2026.8 on import sessions into SQLite once. A transcript is imported up to its first broken line; \
          a transcript without a row becomes a session of its own; a file with a second hard link is refused; a row whose \
          transcript is missing arrives empty. What is mended before the update is imported whole.",
    fix: "Nothing by itself: each line names the command that mends it now.",
    before: "",
    after: "",
    check: Check::State(check),
};

/// Damage at which the import stops reading.
const CUTS: &[FindingId] = &[
    FindingId::DamagedHeader,
    FindingId::TornTail,
    FindingId::NulRun,
    FindingId::GluedRecords,
    FindingId::BadLine,
    FindingId::NullLine,
    FindingId::NonObjectLine,
    FindingId::TranscriptBom,
    FindingId::ParentCycle,
];

fn check(facts: &StateFacts, out: &mut Findings) {
    for (at, store) in facts.stores.iter().enumerate() {
        let Some(seen) = &store.facts else { continue };
        let (agent, select) = (&store.target.agent_id, select_words(&store.target));
        let mut say = |message: String, remedy: Remedy| {
            let found = RULE.found(agent, message).at(seen.seen.folder().path.clone());
            out.push(found.remedy(remedy));
        };
        if let Seen::Broken(..) = &seen.seen {
            let command = format!("clawkeep sessions repair{select}");
            say("the index is not whole: nothing of it would be imported".to_owned(), Remedy::Command(command));
        }
        let cut = names(store, |f| CUTS.contains(&f.id));
        if !cut.is_empty() {
            let message = format!("cut at their first broken line: {}", texts::some_of(&cut, 5));
            say(message, Remedy::Command(format!("clawkeep sessions check{select}")));
        }
        let adopted = names(store, |f| matches!(f.id, FindingId::OrphanHistory | FindingId::OrphanJunk));
        if !adopted.is_empty() {
            let message = format!("would become sessions of their own: {}", texts::some_of(&adopted, 5));
            say(message, Remedy::Command(format!("clawkeep sessions repair{select} --adopt ID")));
        }
        let missing = store.findings.iter().filter(|f| f.id == FindingId::MissingTranscript).count();
        if missing > 0 {
            let rows = crate::report::plural::count(missing as u64, "row");
            let message = format!("{rows} would arrive without history");
            say(message, Remedy::Command(format!("clawkeep sessions check{select}")));
        }
        let folder = seen.seen.folder();
        let linked = |e: &&crate::model::folder::Artefact| {
            e.is_file() && e.fp.nlink > 1 && matches!(e.class, Class::Transcript | Class::Index | Class::Trajectory)
        };
        let ours = |name: &OsStr| facts.seen.own_links.iter().any(|(store, file, _)| *store == at && file == name);
        let mut runs: Vec<&str> =
            facts.seen.own_links.iter().filter(|(store, ..)| *store == at).map(|(.., run)| run.as_str()).collect();
        runs.sort_unstable();
        runs.dedup();
        if !runs.is_empty() {
            let files: Vec<String> = folder.entries.iter().filter(linked).filter(|e| ours(&e.name)).map(name).collect();
            let message =
                format!("refused for a second hard link, in our own record of a run: {}", texts::some_of(&files, 5));
            let command = format!("clawkeep sessions runs{select} --forget {} --yes", runs.join(" --forget "));
            say(message, Remedy::Command(command));
        }
        let linked: Vec<String> = folder.entries.iter().filter(linked).filter(|e| !ours(&e.name)).map(name).collect();
        if !linked.is_empty() {
            let message = format!("refused for a second hard link: {}", texts::some_of(&linked, 5));
            say(
                message,
                Remedy::Manual(
                    "copy each of them over itself, or remove the other name (a snapshot tool made it)".to_owned(),
                ),
            );
        }
    }
}

fn name(entry: &Artefact) -> String {
    entry.name.to_string_lossy().into_owned()
}

/// Names of the files of the findings that `wanted` picks, each once.
fn names(store: &StoreState, wanted: impl Fn(&Finding) -> bool) -> Vec<String> {
    let mut names: Vec<String> = store
        .findings
        .iter()
        .filter(|f| wanted(f))
        .filter_map(|f| Some(f.place.path.file_name()?.to_string_lossy().into_owned()))
        .collect();
    names.sort();
    names.dedup();
    names
}
