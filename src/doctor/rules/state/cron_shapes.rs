//! Cron jobs in the shapes of earlier gateways, and the state of jobs in a file of its own.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::config::edit::verify;
use crate::doctor::rule::{Check, Findings, Rule};
use crate::doctor::rules::support::{folders, job_state, jobs};
use crate::model::doctor::{Remedy, StateFacts, Version};
use crate::model::effect::{Effect, FileRef};
use crate::model::finding::Severity;
use crate::model::state_seen::FileSeen;

/// The rule.
pub const RULE: Rule = Rule {
    id: "cron-shapes",
    severity: Severity::Warning,
    since: Version(2026, 5, 0),
    what: "cron jobs have shapes of earlier gateways",
    why: "The scheduler reads jobs in the form of today. Others run late, with the wrong model, without delivery, or not at \
          all; newer gateways refuse them.",
    fix: "Puts the jobs in order: only the fields that change are written, comments and unknown fields stay. The state of \
          the jobs moves to jobs-state.json. The old text is kept as jobs.json.bak. What could mean two things is left to a \
          person: an `enabled` that is neither true nor false, a top-level timeout, two jobs with one id, a \
          delivery or a schedule that is said in two ways, fields of an agent turn in a job that is none. A value that no \
          gateway of today reads and that goes is named.",
    before: "{ jobs: [{ jobId: \"a\", schedule: \"0 8 * * *\", message: \"hi\" }] }",
    after: "{ jobs: [{ id: \"a\", name: \"Cron: 0 8 * * *\", schedule: { kind: \"cron\", expr: \"0 8 * * *\" }, payload: \
            { kind: \"agentTurn\", message: \"hi\" }, ... }] }",
    check: Check::State(check),
};

fn check(facts: &StateFacts, out: &mut Findings) {
    let Some(store) = &facts.seen.cron else { return };
    let subject = "jobs.json";
    let found = |message: String| RULE.found(subject, message).at(store.path.clone());
    let tree = match store.text().ok_or_else(|| "it is not UTF-8, or cannot be read".to_owned()).and_then(verify::read)
    {
        Ok(tree) => tree,
        Err(why) => {
            let mut one = found(format!("the cron store cannot be read: {why}"));
            one.severity = Severity::Error;
            out.push(one.remedy(Remedy::Manual("mend the text; nothing replaces it".to_owned())));
            return;
        }
    };
    let mut root = tree.root.value();
    let webhook = facts.seen.config.pointer("/cron/webhook").and_then(Value::as_str);
    let Some(shapes) = jobs::normalise(&mut root, webhook.filter(|hook| !hook.contains("${"))) else {
        let what = if root.is_array() { "a bare list" } else { "not of the form { jobs: [...] }" };
        let one = found(format!("the cron store is {what}: the gateway takes it for empty"));
        let how = "put the list under `jobs` in an object if these jobs are to run".to_owned();
        out.push(one.remedy(Remedy::Manual(how)));
        return;
    };
    let count = |n: u64| crate::report::plural::count(n, "job");
    let each = |shapes: &BTreeMap<&str, u64>| -> Vec<String> {
        shapes.iter().map(|(issue, n)| format!("{}: {issue}", count(*n))).collect()
    };
    if !shapes.left.is_empty() {
        let mut one = found("cron jobs have what only you can decide".to_owned());
        one.details = each(&shapes.left);
        one.details.extend(shapes.manual.iter().cloned());
        out.push(
            one.remedy(Remedy::Manual("decide it in each of these jobs; what is named here stays as it is".to_owned())),
        );
    }
    // What is left to a person alone is no reason to write.
    if !shapes.issues.is_empty() {
        let mut one = found("cron jobs have shapes of earlier gateways".to_owned());
        one.details = each(&shapes.issues);
        one.details.extend(shapes.dropped.iter().cloned());
        let mut lost = Vec::new();
        one.remedy = remedy(facts, store, root, &mut lost);
        if matches!(one.remedy, Remedy::Effects { .. }) {
            one.details.extend(lost);
        }
        out.push(one);
    }
}

fn remedy(facts: &StateFacts, store: &FileSeen, mut root: Value, lost: &mut Vec<String>) -> Remedy {
    if let Some(newer) =
        facts.seen.newer.iter().find(|p| p.to_string_lossy().ends_with(".migrated") || p.ends_with("openclaw.sqlite"))
    {
        return Remedy::Manual(format!("{} shows that a newer gateway took the jobs over", newer.display()));
    }
    let old_state = facts.seen.cron_state.as_ref();
    let parsed = match old_state.map(|file| file.text().ok_or(()).and_then(|text| verify::read(text).map_err(|_| ()))) {
        Some(Err(())) => return Remedy::Manual("jobs-state.json cannot be read; mend it first".to_owned()),
        Some(Ok(tree)) => Some(tree.root.value()),
        None => None,
    };
    let state = job_state::split_state(&mut root, parsed.as_ref(), lost);
    let text = store.content.as_deref().ok().and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or_default();
    let edited = match verify::edit(text, &root) {
        Ok(edited) => edited.text,
        Err(why) => return Remedy::Manual(format!("the edit cannot be proven ({why}); put the jobs in order by hand")),
    };
    let (Some(folder), Some(name)) = (store.path.parent(), store.path.file_name()) else {
        return Remedy::Manual("the store has no folder".to_owned());
    };
    let mut fixes = Vec::new();
    match (old_state, parsed) {
        (Some(file), Some(old)) if old != state => {
            let file_text = file.content.as_deref().ok().and_then(|b| std::str::from_utf8(b).ok()).unwrap_or_default();
            match (verify::edit(file_text, &state), file.path.parent()) {
                (Ok(edited), Some(folder)) => fixes.push(folders::fix(folder, vec![rewrite(file, edited.text)])),
                _ => return Remedy::Manual("jobs-state.json cannot be edited with it".to_owned()),
            }
        }
        (Some(_), _) => {}
        // Beside the name by which the gateway knows the store, which may be a link to it.
        (None, _) => {
            let Some((folder, to)) = facts.seen.cron_state_place.clone() else {
                return Remedy::Manual("the folder of the store cannot be looked at".to_owned());
            };
            let content = serde_json::to_vec_pretty(&state).unwrap_or_default();
            fixes.push(folders::fix(&folder, vec![Effect::Create { to, content, mode: 0o600 }]));
        }
    }
    let file = FileRef { name: name.to_owned(), fp: store.fp };
    let jobs = vec![Effect::Backup { file }, rewrite(store, edited)];
    match fixes.iter_mut().find(|fix| fix.folder == folder) {
        Some(fix) => fix.effects.extend(jobs),
        None => fixes.push(folders::fix(folder, jobs)),
    }
    Remedy::Effects { what: "puts the jobs in order".to_owned(), fixes, flag: None }
}

fn rewrite(file: &FileSeen, text: String) -> Effect {
    let name = file.path.file_name().unwrap_or_default().to_owned();
    Effect::Rewrite { file: FileRef { name, fp: file.fp }, content: text.into_bytes() }
}
