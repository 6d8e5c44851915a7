//! The repair of one transcript, as effects.
//!
//! First a copy of the old file, named as the gateway's own repair names it, then a file for what is taken out, then the
//! new content. The gateway leaves a copy with each repair, also if nothing comes
//! of it; here there is none unless something changes, and none beside one that has the same bytes.

use std::ffi::{OsStr, OsString};

use crate::model::effect::{Effect, FileRef};
use crate::model::mend::edited_len;
use crate::model::transcript_repair::{TranscriptFacts, TranscriptPlan};

/// Plans it. Nothing is planned if no header can be made, or if errors would be left that the edits should have mended.
pub fn plan(facts: &TranscriptFacts) -> TranscriptPlan {
    let survey = &facts.survey;
    let mut plan = TranscriptPlan { size_after: facts.fp.size, ..TranscriptPlan::default() };
    if survey.is_clean() || facts.no_header.is_some() {
        return plan;
    }
    plan.size_after = edited_len(survey.size, &survey.edits);
    let file = FileRef { name: facts.name.clone(), fp: facts.fp };
    plan.backup = Some(facts.backup.clone().unwrap_or_else(|| {
        let name = backup_name(facts);
        let from = facts.folder.join(&facts.name);
        plan.effects.push(Effect::Restore { from, to: name.clone(), replaces: None });
        name
    }));
    if !survey.torn.is_empty() {
        let name = torn_name(facts);
        let pieces = survey.torn.clone();
        plan.effects.push(Effect::Extract { file: file.clone(), pieces, to: name.clone() });
        plan.torn = Some(name);
    }
    plan.effects.push(Effect::Splice { file, source: None, edits: survey.edits.clone() });
    plan
}

/// `<file>.bak-<pid>-<ms>`.
fn backup_name(facts: &TranscriptFacts) -> OsString {
    let mut at = facts.now;
    free(facts, || {
        let suffix = format!(".bak-{}-{at}", facts.pid);
        at += 1;
        suffix
    })
}

/// `<file>.torn`, or with a number if that is taken.
fn torn_name(facts: &TranscriptFacts) -> OsString {
    let mut n = 0;
    free(facts, || {
        n += 1;
        if n == 1 { ".torn".to_owned() } else { format!(".torn-{n}") }
    })
}

fn free(facts: &TranscriptFacts, mut suffix: impl FnMut() -> String) -> OsString {
    loop {
        let mut name = facts.name.clone();
        name.push(suffix());
        if !facts.taken.iter().any(|taken| taken.as_os_str() == OsStr::new(&name)) {
            return name;
        }
    }
}
