//! Transcripts that no row leads to.

use crate::doctor::rule::{Check, Findings, Rule};
use crate::model::doctor::{FolderFix, Remedy, StateFacts, StoreState, Version};
use crate::model::effect::{Effect, FileRef, NewName};
use crate::model::finding::{Finding, FindingId, Severity};
use crate::report::command::select_words;
use crate::units::{bytes, time};

/// The rule.
pub const RULE: Rule = Rule {
    id: "orphan-transcripts",
    severity: Severity::Warning,
    since: Version(2026, 5, 0),
    what: "transcripts are not led to by any row",
    why: "Each reset of a conversation leaves its transcript without a row: that is history, not waste. The gateway shows \
          none of it, and its own maintenance deletes such files by age.",
    fix: "Nothing unless --archive-orphans is given; then each is renamed to <name>.deleted.<time>, which \
          `clawkeep sessions undo` takes back. `clawkeep sessions repair --adopt ID` makes one a session again.",
    before: "",
    after: "",
    check: Check::State(check),
};

fn check(facts: &StateFacts, out: &mut Findings) {
    for (at, store) in facts.stores.iter().enumerate() {
        let orphan = |f: &&Finding| matches!(f.id, FindingId::OrphanHistory | FindingId::OrphanJunk);
        let orphans: Vec<&Finding> = store.findings.iter().filter(orphan).collect();
        let Some(seen) = store.facts.as_ref().filter(|_| !orphans.is_empty()) else { continue };
        let folder = seen.seen.folder();
        let files: Vec<_> = orphans
            .iter()
            .filter_map(|f| folder.find(f.place.path.file_name()?).map(|ix| &folder.entries[ix]))
            .collect();
        let history = orphans.iter().filter(|f| f.id == FindingId::OrphanHistory).count();
        let total: u64 = files.iter().map(|f| f.fp.size).sum();
        let oldest = files.iter().map(|f| f.fp.mtime_ms()).min().unwrap_or(facts.now);
        let message = format!(
            "{} ({}, the oldest {}), {history} of them with what a user wrote",
            crate::report::plural::count(files.len() as u64, "transcript"),
            bytes::human(total),
            time::ago(facts.now, oldest),
        );
        let mut found = RULE.found(&store.target.agent_id, message).at(folder.path.clone());
        found.details = files.iter().map(|f| f.name.to_string_lossy().into_owned()).collect();
        if history == 0 {
            found.severity = Severity::Info;
        }
        found.remedy = remedy(facts, store, at, &files);
        out.push(found);
    }
}

fn remedy(facts: &StateFacts, store: &StoreState, at: usize, files: &[&crate::model::folder::Artefact]) -> Remedy {
    let doubted = |f: &Finding| matches!(f.id, FindingId::IndexSuspect | FindingId::OwnershipIncomplete);
    if store.findings.iter().any(doubted) {
        return Remedy::Command(format!("clawkeep sessions check{}", select_words(&store.target)));
    }
    let young = |f: &crate::model::folder::Artefact| facts.now - f.fp.mtime_ms() < store.policy.grace.value;
    let archived = |f: &&&crate::model::folder::Artefact| !young(f);
    let effects: Vec<Effect> = files
        .iter()
        .filter(archived)
        .map(|f| Effect::Move {
            file: FileRef { name: f.name.to_os_string(), fp: f.fp },
            to: NewName::Deleted(facts.now),
        })
        .collect();
    if effects.is_empty() {
        return Remedy::None;
    }
    let folder = store.facts.as_ref().map(|f| f.seen.folder().path.clone()).unwrap_or_default();
    let fixes = vec![FolderFix { folder, effects, store: Some(at) }];
    Remedy::Effects {
        what: "archives them under their name and .deleted.<time>".to_owned(),
        fixes,
        flag: Some("--archive-orphans"),
    }
}
