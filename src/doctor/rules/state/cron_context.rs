//! Base rows of cron jobs that carry the context of a conversation.

use std::collections::BTreeMap;

use crate::doctor::rule::{Check, Findings, Rule};
use crate::doctor::rules::support::rows::{self, Changes};
use crate::model::check::Seen;
use crate::model::doctor::{FolderFix, Remedy, StateFacts, Version};
use crate::model::effect::Effect;
use crate::model::finding::Severity;
use crate::plan::keys;
use crate::store::splice;

/// The rule.
pub const RULE: Rule = Rule {
    id: "cron-context",
    severity: Severity::Warning,
    since: Version(2026, 5, 0),
    what: "rows of cron jobs carry the context of a conversation",
    why: "A fresh isolated run begins from the row of its job. What an earlier run left there (where to deliver, elevated \
          rights, how messages queue, the origin, the binding to a runtime) would be inherited: the answer goes to the wrong \
          chat, or with rights that nobody gave.",
    fix: "Takes those fields out of the rows of jobs. Thinking level, labels, model and login that a person chose stay.",
    before: "{ \"sessionId\": \"a\", \"lastChannel\": \"telegram\", \"lastTo\": \"42\", \"thinkingLevel\": \"high\" }",
    after: "{ \"sessionId\": \"a\", \"thinkingLevel\": \"high\" }",
    check: Check::State(check),
};

/// Fields that belong to a conversation.
const AMBIENT: &[&str] = &[
    "channel",
    "lastChannel",
    "lastProvider",
    "lastTo",
    "lastAccountId",
    "lastThreadId",
    "deliveryContext",
    "groupId",
    "groupChannel",
    "room",
    "space",
    "subject",
    "chatType",
    "sendPolicy",
    "queueMode",
    "queueDebounceMs",
    "queueCap",
    "queueDrop",
    "elevatedLevel",
    "execHost",
    "execSecurity",
    "execAsk",
    "execNode",
    "origin",
    "acp",
];

fn check(facts: &StateFacts, out: &mut Findings) {
    for (at, store) in facts.stores.iter().enumerate() {
        let Some(Seen::Whole(whole)) = store.facts.as_ref().map(|f| &f.seen) else { continue };
        let index = &whole.index;
        let mut changes = Changes::of(index);
        let mut fields: BTreeMap<&str, u64> = BTreeMap::new();
        let mut count = 0;
        for (ix, row) in (0..).zip(&index.rows).filter(|(_, row)| !row.shadowed && row.odd.is_none()) {
            let key = index.key(row);
            let running = row.status.is_some_and(|s| s.get(&index.bytes) == "running");
            if running || !matches!(keys::cron(&keys::lower(&key)), Some(keys::CronKey::Base(_))) {
                continue;
            }
            let mut value = rows::value(index, row).to_vec();
            let before = value.len();
            for field in AMBIENT {
                if let Some(without) = splice::without_member(&value, field) {
                    value = without;
                    *fields.entry(field).or_insert(0) += 1;
                }
            }
            if value.len() != before {
                count += 1;
                changes.set(ix, key.into_owned(), value);
            }
        }
        if count == 0 {
            continue;
        }
        let rows_text = crate::report::plural::count(count, "row");
        let mut found =
            RULE.found(&store.target.agent_id, format!("{rows_text} of cron jobs that a fresh run would inherit from"));
        found.details =
            fields.iter().map(|(field, n)| format!("{field}: {}", crate::report::plural::count(*n, "row"))).collect();
        found.file = Some(store.target.store_path.clone());
        let effects = vec![Effect::SwapIndex(changes.into_swap())];
        let fixes = vec![FolderFix { folder: whole.folder.path.clone(), effects, store: Some(at) }];
        let what = "takes the context of conversations out of them".to_owned();
        out.push(found.remedy(Remedy::Effects { what, fixes, flag: None }));
    }
}
