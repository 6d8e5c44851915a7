//! Sessions that still go to the `openai-codex` provider.

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
    id: "codex-sessions",
    severity: Severity::Warning,
    since: Version(2026, 5, 0),
    what: "sessions go to the provider openai-codex, which is called openai now",
    why: "A session that names the old provider, or the old runtime, fails with an unknown model until it is reset. The \
          login stays as it is pinned.",
    fix: "Renames the provider in those rows and takes the runtime and the notices about it out.",
    before: "{ \"modelProvider\": \"openai-codex\", \"model\": \"gpt-5.5\", \"agentHarnessId\": \"codex\" }",
    after: "{ \"modelProvider\": \"openai\", \"model\": \"gpt-5.5\" }",
    check: Check::State(check),
};

const OLD: &str = "openai-codex";
const NOTICES: [&str; 3] = ["fallbackNoticeSelectedModel", "fallbackNoticeActiveModel", "fallbackNoticeReason"];

fn check(facts: &StateFacts, out: &mut Findings) {
    for (at, store) in facts.stores.iter().enumerate() {
        let Some(Seen::Whole(whole)) = store.facts.as_ref().map(|f| &f.seen) else { continue };
        let index = &whole.index;
        if memchr::memmem::find(&index.bytes, OLD.as_bytes()).is_none() {
            continue;
        }
        let mut changes = Changes::of(index);
        let mut lines = Vec::new();
        for (ix, row) in (0..).zip(&index.rows).filter(|(_, row)| !row.shadowed && row.odd.is_none()) {
            let value = rows::value(index, row);
            if memchr::memmem::find(value, OLD.as_bytes()).is_none() {
                continue;
            }
            if let Some(new) = moved(value) {
                lines.push(index.key(row).into_owned());
                changes.set(ix, index.key(row).into_owned(), new);
            }
        }
        if lines.is_empty() {
            continue;
        }
        let count = crate::report::plural::count(lines.len() as u64, "session");
        let effects = vec![Effect::SwapIndex(changes.into_swap())];
        let fixes = vec![FolderFix { folder: whole.folder.path.clone(), effects, store: Some(at) }];
        let mut found = RULE.found(&store.target.agent_id, format!("{count} with {OLD}"));
        found.details = lines;
        found.file = Some(store.target.store_path.clone());
        out.push(found.remedy(Remedy::Effects { what: "moves them to openai".to_owned(), fixes, flag: None }));
    }
}

/// The row with the provider of today; `None` if it does not name the old one.
fn moved(value: &[u8]) -> Option<Vec<u8>> {
    let entry: Value = serde_json::from_slice(value).ok()?;
    let text = |field: &str| entry.get(field).and_then(Value::as_str).map(str::trim);
    let mut new = value.to_vec();
    let mut any = false;
    let mut put = |field: &str, text: &str| {
        if let Some(changed) = splice::with_string(&new, field, text) {
            new = changed;
            any = true;
        }
    };
    for (provider, model) in [("modelProvider", "model"), ("providerOverride", "modelOverride")] {
        let named = text(provider);
        if named == Some(OLD) {
            put(provider, "openai");
        }
        if let Some(bare) = text(model).and_then(|m| m.strip_prefix("openai-codex/")) {
            match named {
                Some(OLD | "openai") => put(model, bare),
                _ => put(model, &format!("openai/{bare}")),
            }
        }
    }
    let notices = NOTICES.iter().any(|f| text(f).is_some_and(|t| t.contains(OLD)));
    if !any && !notices {
        return None;
    }
    let gone =
        NOTICES.iter().filter(|_| notices).chain(["agentHarnessId", "agentRuntimeOverride"].iter().filter(|_| any));
    for field in gone {
        if let Some(without) = splice::without_member(&new, field) {
            new = without;
        }
    }
    Some(new)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_rows_that_name_the_old_provider_change() {
        for (before, after) in [
            (
                r#"{"modelProvider":"openai-codex","model":"openai-codex/gpt","agentHarnessId":"codex","x":1.50}"#,
                Some(r#"{"modelProvider":"openai","model":"gpt","x":1.50}"#),
            ),
            (r#"{"modelOverride":"openai-codex/gpt"}"#, Some(r#"{"modelOverride":"openai/gpt"}"#)),
            (r#"{"fallbackNoticeActiveModel":"openai-codex/x","fallbackNoticeReason":"r","a":1}"#, Some(r#"{"a":1}"#)),
            (r#"{"label":"about openai-codex","modelProvider":"openai","agentHarnessId":"pi"}"#, None),
        ] {
            let got = moved(before.as_bytes()).map(|v| String::from_utf8(v).unwrap());
            assert_eq!(got.as_deref(), after, "{before}");
        }
    }
}
