//! The cleanup report as JSON: the gateway's fields with their meaning, and ours beside them.
//!
//! Decisions are written while they are walked; nothing is collected.

use serde::ser::{Serialize, SerializeSeq, SerializeStruct, Serializer};
use serde_json::json;

use super::input::{ByGateway, CleanupReport, StoreReport};
use super::items::{Fate, Fates, class_word, verdict_word};
use super::vocabulary::{Budget, Tally};
use crate::error::Error;
use crate::model::decision::{Decision, Subject};
use crate::model::folder::Class;
use crate::model::plan::Suspicion;
use crate::model::stores::Agent;
use crate::report::json::SCHEMA_VERSION;
use crate::report::policy;

/// A whole run: a bare summary for one store, a wrapper for several.
pub struct Report<'a, 'r>(pub &'r CleanupReport<'a>);

impl Serialize for Report<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let report = self.0;
        if let [store] = report.stores.as_slice() {
            return Summary { store, not_looked_at: Some(report.not_looked_at) }.serialize(serializer);
        }
        let first = report.stores.first();
        let mut s = serializer.serialize_struct("report", 6)?;
        s.serialize_field("schemaVersion", &SCHEMA_VERSION)?;
        s.serialize_field("allAgents", &report.all_agents)?;
        s.serialize_field("mode", &first.map(|f| f.policy.mode.value.as_str()))?;
        s.serialize_field("dryRun", &first.is_some_and(|f| f.dry_run))?;
        s.serialize_field("stores", &Stores(report))?;
        s.serialize_field("notLookedAt", &NotLookedAt(report.not_looked_at))?;
        s.end()
    }
}

struct Stores<'a, 'r>(&'r CleanupReport<'a>);

impl Serialize for Stores<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.stores.iter().map(|store| Summary { store, not_looked_at: None }))
    }
}

struct NotLookedAt<'a>(&'a [Agent]);

impl Serialize for NotLookedAt<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|a| json!({"agentId": a.id, "configured": a.configured})))
    }
}

/// One store.
struct Summary<'a, 'r> {
    store: &'r StoreReport<'a>,
    not_looked_at: Option<&'a [Agent]>,
}

impl Serialize for Summary<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let store = self.store;
        let mut s = serializer.serialize_struct("store", 48)?;
        s.serialize_field("schemaVersion", &SCHEMA_VERSION)?;
        s.serialize_field("agentId", &store.target.agent_id)?;
        s.serialize_field("storePath", &store.target.store_path.to_string_lossy())?;
        s.serialize_field("storeOrigin", &store.found.origin)?;
        s.serialize_field("mode", store.policy.mode.value.as_str())?;
        s.serialize_field("modeSource", &policy::origin_full(&store.policy.mode.origin))?;
        s.serialize_field("dryRun", &store.dry_run)?;
        if let Some(error) = store.error {
            s.serialize_field("error", &ErrorJson(error))?;
        }
        if let Some((reason, detail)) = &store.skipped {
            s.serialize_field("storeSkipped", &json!({"reason": reason, "detail": detail}))?;
        }
        s.serialize_field("executor", if store.gateway.is_some() { "gateway" } else { "local" })?;
        if let Some(gateway) = store.gateway {
            s.serialize_field("gateway", &by_gateway(gateway))?;
        }
        // A store that failed before it was planned has no numbers: zeros would read as "nothing to do".
        if let (None, Some(gateway)) = (store.plan, store.gateway) {
            its_fields(&mut s, gateway)?;
        } else if store.plan.is_some() || store.error.is_none() {
            let tally = Tally::of(store);
            gateway_fields(&mut s, store, &tally)?;
            own_numbers(&mut s, store, &tally)?;
        }
        own_lists(&mut s, store)?;
        if let Some(agents) = self.not_looked_at {
            s.serialize_field("notLookedAt", &NotLookedAt(agents))?;
        }
        s.end()
    }
}

fn by_gateway(by: &ByGateway) -> serde_json::Value {
    json!({
        "version": by.version,
        "endpoint": by.endpoint,
        "sameState": by.proof,
        "undoable": by.kept,
        "result": by.result,
    })
}

/// The numbers of a gateway whose state we cannot see, as it gave them.
fn its_fields<S: SerializeStruct>(s: &mut S, by: &ByGateway) -> Result<(), S::Error> {
    for name in [
        "beforeCount",
        "afterCount",
        "missing",
        "dmScopeRetired",
        "pruned",
        "capped",
        "unreferencedArtifacts",
        "diskBudget",
        "wouldMutate",
        "applied",
        "appliedCount",
    ] {
        if let Some(value) = by.result.get(name) {
            s.serialize_field(name, value)?;
        }
    }
    Ok(())
}

/// The gateway's own fields, in its order.
fn gateway_fields<S: SerializeStruct>(s: &mut S, store: &StoreReport, t: &Tally) -> Result<(), S::Error> {
    s.serialize_field("beforeCount", &t.before)?;
    s.serialize_field("afterCount", &t.after)?;
    s.serialize_field("missing", &t.missing)?;
    s.serialize_field("dmScopeRetired", &t.dm_scope)?;
    s.serialize_field("pruned", &t.stale)?;
    s.serialize_field("capped", &t.capped)?;
    s.serialize_field(
        "unreferencedArtifacts",
        &json!({
            "scannedFiles": t.scanned_files,
            "removedFiles": t.orphan_files,
            "freedBytes": t.orphan_freed,
            "olderThanMs": store.policy.prune_after.value.at(),
        }),
    )?;
    match store.gateway.and_then(|by| by.result.get("diskBudget")) {
        Some(budget) => s.serialize_field("diskBudget", budget)?,
        None => s.serialize_field("diskBudget", &t.budget.as_ref().map(budget))?,
    }
    s.serialize_field("wouldMutate", &store.plan.is_some_and(|p| p.would_mutate()))?;
    if !store.dry_run {
        s.serialize_field("applied", &store.applied.is_some())?;
        let now = if store.applied.is_some() { t.after } else { t.before };
        s.serialize_field("appliedCount", &now)?;
    }
    Ok(())
}

fn budget(b: &Budget) -> serde_json::Value {
    json!({
        "totalBytesBefore": b.before,
        "totalBytesAfter": b.after,
        "removedFiles": b.removed_files,
        "removedEntries": b.removed_rows,
        "freedBytes": b.freed,
        "maxBytes": b.max,
        "highWaterBytes": b.high_water,
        "overBudget": b.over_before(),
        "pendingBytes": b.pending,
    })
}

fn own_numbers<S: SerializeStruct>(s: &mut S, store: &StoreReport, t: &Tally) -> Result<(), S::Error> {
    s.serialize_field("cronPruned", &t.cron)?;
    s.serialize_field("archivedFiles", &t.archived.files)?;
    s.serialize_field("archivedBytes", &t.archived.bytes)?;
    s.serialize_field("stowedFiles", &t.stowed.files)?;
    s.serialize_field("stowedBytes", &t.stowed.bytes)?;
    s.serialize_field("unlinkedFiles", &t.unlinked.files)?;
    s.serialize_field("unlinkedForSpace", &t.for_space.files)?;
    s.serialize_field("expiredArchives", &t.expired.files)?;
    s.serialize_field("expiredArchiveBytes", &t.expired.bytes)?;
    s.serialize_field("tempLeftovers", &t.temp.files)?;
    s.serialize_field("bytesFreedNow", &t.freed_now)?;
    s.serialize_field("bytesFreedLater", &t.freed_later)?;
    s.serialize_field("overBudgetAfter", &t.budget.is_some_and(|b| b.over_after()))?;
    s.serialize_field("shortfallBytes", &t.budget.map_or(0, |b| b.shortfall()))?;
    s.serialize_field("capShortfall", &store.plan.map_or(0, |p| p.cap_shortfall))?;
    s.serialize_field("heldBy", &t.held_by)?;
    s.serialize_field("kept", &t.kept)?;
    s.serialize_field("held", &t.held)
}

fn own_lists<S: SerializeStruct>(s: &mut S, store: &StoreReport) -> Result<(), S::Error> {
    s.serialize_field("policy", &policy::Echo(store.policy))?;
    s.serialize_field("overrides", store.overrides)?;
    let run = store.applied.map(|a| a.run_id.as_str()).filter(|id| !id.is_empty());
    s.serialize_field("runId", &run)?;
    s.serialize_field("pendingRun", &store.pending_run)?;
    let recovered = store.applied.map(|a| a.recovered.as_slice()).unwrap_or_default();
    let recovered: Vec<_> =
        recovered.iter().map(|r| json!({"runId": r.run_id, "result": r.result, "detail": r.detail})).collect();
    s.serialize_field("recovered", &recovered)?;
    s.serialize_field("cancelled", &store.applied.is_some_and(|a| a.cancelled))?;
    s.serialize_field("suspectIndex", &store.plan.and_then(|p| p.suspicion.as_ref()).map(suspicion))?;
    s.serialize_field("maxRemoveHit", &store.plan.and_then(|p| p.max_remove_hit))?;
    let incomplete = store.plan.map(|p| p.ownership_incomplete.as_slice()).unwrap_or_default();
    let incomplete: Vec<_> =
        incomplete.iter().map(|(path, why)| json!({"path": path.to_string_lossy(), "error": why})).collect();
    s.serialize_field("ownershipIncomplete", &incomplete)?;
    s.serialize_field("warnings", &store.all_warnings().collect::<Vec<_>>())?;
    s.serialize_field("skipped", &Decisions { store, undone_only: true })?;
    s.serialize_field("decisions", &Decisions { store, undone_only: false })
}

fn suspicion(s: &Suspicion) -> serde_json::Value {
    match s {
        Suspicion::Shrunk { recorded, now, at } => {
            json!({"kind": "shrunk", "recordedRows": recorded, "rows": now, "recordedAt": at})
        }
        Suspicion::YoungHistory { files, rows } => json!({"kind": "young-history", "files": files, "rows": rows}),
        Suspicion::MostlyUnowned { files, rows } => json!({"kind": "mostly-unowned", "files": files, "rows": rows}),
        Suspicion::NoTranscripts { rows } => json!({"kind": "no-transcripts", "rows": rows}),
        Suspicion::OddRows { odd, rows } => json!({"kind": "odd-rows", "odd": odd, "rows": rows}),
    }
}

struct ErrorJson<'a>(&'a Error);

impl Serialize for ErrorJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let e = self.0;
        let mut s = serializer.serialize_struct("error", 5)?;
        s.serialize_field("code", &crate::exit::code(e.kind))?;
        s.serialize_field("kind", e.kind.as_str())?;
        s.serialize_field("message", &e.message)?;
        s.serialize_field("hints", &e.hints)?;
        if let Some(token) = e.token {
            s.serialize_field("token", token)?;
        }
        s.end()
    }
}

/// Decisions that act or are held back; or only those that were not carried out.
struct Decisions<'a, 'r> {
    store: &'r StoreReport<'a>,
    undone_only: bool,
}

impl Serialize for Decisions<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut seq = serializer.serialize_seq(None)?;
        if let (Some(plan), Some(_)) = (self.store.plan, self.store.facts) {
            let fates = Fates::new(plan, self.store.applied);
            for (decision, fate) in fates.notable() {
                if !self.undone_only || !fate.counts() {
                    seq.serialize_element(&Item { store: self.store, decision, fate })?;
                }
            }
        }
        seq.end()
    }
}

struct Item<'a, 'r> {
    store: &'r StoreReport<'a>,
    decision: &'r Decision,
    fate: Fate<'r>,
}

impl Serialize for Item<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let d = self.decision;
        let mut s = serializer.serialize_struct("decision", 12)?;
        if let Some(facts) = self.store.facts {
            match d.subject {
                Subject::Row(ix) => {
                    s.serialize_field("kind", "row")?;
                    if let Some(row) = facts.index.rows.get(ix as usize) {
                        s.serialize_field("key", &facts.index.key(row))?;
                        if let Some(id) = row.session_id {
                            s.serialize_field("sessionId", &id.get(&facts.index.bytes))?;
                        }
                        s.serialize_field("updatedAt", &row.updated_at.ms())?;
                    }
                }
                Subject::File(ix) => {
                    s.serialize_field("kind", "file")?;
                    if let Some(file) = facts.folder.entries.get(ix as usize) {
                        s.serialize_field("path", &facts.folder.path.join(&*file.name).to_string_lossy())?;
                        s.serialize_field("class", class_word(file.class))?;
                        if has_stem(file.class) {
                            s.serialize_field("sessionId", &String::from_utf8_lossy(file.stem()))?;
                        }
                    }
                }
            }
        }
        s.serialize_field("verdict", verdict_word(d.verdict))?;
        s.serialize_field("reason", d.reason.id())?;
        if !d.reason.rule().is_empty() {
            s.serialize_field("rule", d.reason.rule())?;
        }
        s.serialize_field("bytes", &d.bytes)?;
        s.serialize_field("finality", &self.fate.finality(d.finality))?;
        if let Some(word) = self.fate.word() {
            s.serialize_field("outcome", word)?;
        }
        if let Some(detail) = self.fate.explain() {
            s.serialize_field("detail", &detail)?;
        }
        s.end()
    }
}

/// Classes whose names begin with a session id (and perhaps a topic).
fn has_stem(class: Class) -> bool {
    matches!(
        class,
        Class::Transcript | Class::Checkpoint | Class::Trajectory | Class::TrajectoryPointer | Class::Archive(_)
    )
}
