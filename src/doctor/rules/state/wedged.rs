//! Sub-agents that the gateway gave up restarting.

use serde_json::Value;

use crate::doctor::rule::{Check, Findings, Rule};
use crate::doctor::rules::support::rows::{self, Changes};
use crate::model::check::Seen;
use crate::model::doctor::{FolderFix, Remedy, StateFacts, Version};
use crate::model::effect::Effect;
use crate::model::finding::Severity;
use crate::store::splice;

/// The rule.
pub const RULE: Rule = Rule {
    id: "wedged-subagents",
    severity: Severity::Warning,
    since: Version(2026, 5, 0),
    what: "sub-agents are given up",
    why: "After several failed restarts the gateway marks a sub-agent and does not resume it any more. Its task waits for \
          an end that never comes; as long as the row says that the last run was aborted, each start looks at it again.",
    fix: "Clears the mark of an aborted run. The task itself is settled by `openclaw tasks maintenance --apply`.",
    before: "{ \"abortedLastRun\": true, \"subagentRecovery\": { \"wedgedAt\": 1796024955087 } }",
    after: "{ \"abortedLastRun\": false, \"subagentRecovery\": { \"wedgedAt\": 1796024955087 } }",
    check: Check::State(check),
};

fn check(facts: &StateFacts, out: &mut Findings) {
    for (at, store) in facts.stores.iter().enumerate() {
        let Some(Seen::Whole(whole)) = store.facts.as_ref().map(|f| &f.seen) else { continue };
        let index = &whole.index;
        let mut changes = Changes::of(index);
        let (mut lines, mut marked) = (Vec::new(), 0);
        for (ix, row) in (0..).zip(&index.rows).filter(|(_, row)| !row.shadowed) {
            let value = rows::value(index, row);
            // Few rows have it: the others are not parsed.
            if memchr::memmem::find(value, b"wedgedAt").is_none() {
                continue;
            }
            let Some(Value::Object(entry)) = serde_json::from_slice(value).ok() else { continue };
            let recovery = entry.get("subagentRecovery");
            if !recovery.and_then(|r| r.get("wedgedAt")).and_then(Value::as_f64).is_some_and(|t| t > 0.0) {
                continue;
            }
            let why = recovery.and_then(|r| ["wedgedReason", "reason"].iter().find_map(|f| r.get(*f)?.as_str()));
            lines.push(why.map_or_else(|| index.key(row).into_owned(), |why| format!("{}: {why}", index.key(row))));
            if entry.get("abortedLastRun") == Some(&Value::Bool(true))
                && let Some(new) = splice::with_raw(value, "abortedLastRun", b"false")
            {
                marked += 1;
                changes.set(ix, index.key(row).into_owned(), new);
            }
        }
        if lines.is_empty() {
            continue;
        }
        let count = crate::report::plural::count(lines.len() as u64, "sub-agent");
        let message = format!("{count} that the gateway does not resume, {marked} still marked as aborted");
        let mut found = RULE.found(&store.target.agent_id, message).at(store.target.store_path.clone());
        found.details = lines;
        found.remedy = Remedy::Manual("settle their tasks: openclaw tasks maintenance --apply".to_owned());
        if !changes.is_empty() {
            let effects = vec![Effect::SwapIndex(changes.into_swap())];
            let fixes = vec![FolderFix { folder: whole.folder.path.clone(), effects, store: Some(at) }];
            found.remedy = Remedy::Effects { what: "clears the mark of an aborted run".to_owned(), fixes, flag: None };
        }
        out.push(found);
    }
}
