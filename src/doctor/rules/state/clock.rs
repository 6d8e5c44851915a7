//! Times that no clock should have written.

use crate::doctor::rule::{Check, Findings, Rule};
use crate::doctor::rules::support::texts;
use crate::model::doctor::{Remedy, StateFacts, Version};
use crate::model::finding::{FindingId, Severity};
use crate::model::{HOUR, MINUTE};
use crate::report::command::select_words;
use crate::units::duration;

/// The rule.
pub const RULE: Rule = Rule {
    id: "clock",
    severity: Severity::Warning,
    since: Version(2026, 5, 0),
    what: "times of rows or files are not to be believed",
    why: "Age rules go by these times. A row with a time in seconds is one of 1970 to the gateway and goes at once; one in \
          the future never does. This program keeps both, and says so.",
    fix: "Nothing: the gateway writes a right time when the session is next used.",
    before: "",
    after: "",
    check: Check::State(check),
};

fn check(facts: &StateFacts, out: &mut Findings) {
    for store in &facts.stores {
        for (id, what) in [
            (FindingId::TimeInSeconds, "in seconds"),
            (FindingId::TimeInFuture, "in the future"),
            (FindingId::TimeNotMs, "that are no times"),
        ] {
            let keys: Vec<String> =
                store.findings.iter().filter(|f| f.id == id).filter_map(|f| f.place.key.clone()).collect();
            if !keys.is_empty() {
                let rows = crate::report::plural::count(keys.len() as u64, "row");
                let message = format!("{rows} with times {what}: {}", texts::some_of(&keys, 3));
                let found = RULE.found(&store.target.agent_id, message).at(store.target.store_path.clone());
                let command = format!("clawkeep sessions check{}", select_words(&store.target));
                out.push(found.remedy(Remedy::Command(command)));
            }
        }
        let Some(seen) = &store.facts else { continue };
        let folder = seen.seen.folder();
        let ahead = folder.entries.iter().filter(|e| e.is_file() && e.fp.mtime_ms() > facts.now + HOUR).count() as u64;
        if ahead > 0 {
            let files = crate::report::plural::count(ahead, "file");
            let found =
                RULE.found(&store.target.agent_id, format!("{files} written in the future")).at(folder.path.clone());
            out.push(found.remedy(Remedy::Manual("compare the clocks of this host and of its file server".to_owned())));
        }
        if folder.clock_skew_ms.abs() > 5 * MINUTE {
            let off = duration::human(folder.clock_skew_ms.abs());
            let found = RULE
                .found(&store.target.agent_id, format!("the file system's clock is {off} off"))
                .at(folder.path.clone());
            out.push(found.remedy(Remedy::Manual("set the clock of this host or of its file server".to_owned())));
        }
    }
}
