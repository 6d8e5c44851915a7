//! `sessions repair`: what is mended, from where, what it costs and what needs a person.

use std::path::PathBuf;

use serde::Serialize;

use super::plural::count;
use super::undo::plain;
use crate::context::Context;
use crate::error::{Error, Result};
use crate::hints::Given;
use crate::model::index::Damage;
use crate::model::outcome::{Applied, Outcome};
use crate::model::repair::{Compared, RepairPlan};
use crate::model::stores::Target;
use crate::units::time::iso;

/// Version of the JSON.
const SCHEMA: u32 = 1;
/// Items of one kind that are listed without `-v`.
const LISTED: usize = 20;

/// One store.
#[derive(Debug)]
pub struct StoreRepair {
    /// Agent.
    pub agent_id: String,
    /// Its index.
    pub path: PathBuf,
    /// What was wrong with the index, if it could not be read.
    pub damage: Option<Damage>,
    /// The plan.
    pub plan: RepairPlan,
    /// What was done; `None` if nothing was executed.
    pub applied: Option<Applied>,
    /// Rows that the gateway would remove again.
    pub pruned_again: u64,
    /// What would stop a run of what was only planned.
    pub obstacles: Vec<String>,
    /// Why the store was not repaired.
    pub error: Option<Error>,
}

impl StoreRepair {
    /// A store that is not there.
    pub fn nothing(target: &Target) -> Self {
        Self {
            agent_id: target.agent_id.clone(),
            path: target.store_path.clone(),
            damage: None,
            plan: RepairPlan::default(),
            applied: None,
            pruned_again: 0,
            obstacles: Vec::new(),
            error: None,
        }
    }

    /// A store that could not be repaired.
    pub fn failed(target: &Target, error: Error) -> Self {
        Self { error: Some(error), ..Self::nothing(target) }
    }

    fn outcome(&self, effect: Option<u32>) -> Option<&Outcome> {
        let outcomes = &self.applied.as_ref()?.outcomes;
        match effect {
            Some(ix) => outcomes.get(ix as usize),
            // Rows share the fate of the new index.
            None => outcomes.get(self.plan.index_effect()?),
        }
    }
}

/// The report.
#[derive(Debug)]
pub struct RepairReport {
    /// Stores, in order.
    pub stores: Vec<StoreRepair>,
    /// Nothing was to be done.
    pub dry_run: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Json<'a> {
    schema_version: u32,
    dry_run: bool,
    stores: Vec<Store<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Store<'a> {
    agent_id: &'a str,
    path: String,
    damage: Option<&'static str>,
    repairs: Vec<Item<'a>>,
    sources: Vec<SourceItem<'a>>,
    rows_before: u64,
    rows_after: u64,
    lost: &'a [String],
    kept_as: Option<String>,
    undecided: Vec<UndecidedItem<'a>>,
    pruned_again: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    run_id: Option<&'a str>,
    warnings: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Item<'a> {
    id: &'static str,
    subject: &'a str,
    detail: &'a str,
    outcome: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SourceItem<'a> {
    kind: &'static str,
    name: &'a str,
    at: String,
    rows: u64,
    with_transcript: u64,
    newest: Option<String>,
    chosen: bool,
    merged: u64,
}

#[derive(Serialize)]
struct UndecidedItem<'a> {
    subject: &'a str,
    why: &'a str,
    hint: Option<&'a str>,
}

fn outcome_word(outcome: Option<&Outcome>) -> &'static str {
    match outcome {
        None => "planned",
        Some(Outcome::Done { .. } | Outcome::UnlinkedForSpace { .. }) => "done",
        Some(Outcome::Skipped(_)) => "skipped",
        Some(Outcome::Failed(_)) => "failed",
        Some(Outcome::NotReached) => "not-reached",
    }
}

fn source_item(c: &Compared) -> SourceItem<'_> {
    SourceItem {
        kind: c.kind.id(),
        name: &c.name,
        at: iso(c.at),
        rows: c.rows,
        with_transcript: c.with_transcript,
        newest: c.newest.map(iso),
        chosen: c.chosen,
        merged: c.merged,
    }
}

impl RepairReport {
    /// Prints the report as it was asked for.
    ///
    /// # Errors
    /// stdout cannot be written.
    pub fn print(&self, ctx: &Context) -> Result<()> {
        let text = if ctx.output.json {
            self.json().map_err(|e| Error::failed(format!("cannot format the report: {e}")))?
        } else if ctx.output.quiet > 0 {
            return Ok(());
        } else {
            self.human(ctx.output.verbose > 0, &ctx.given)
        };
        ctx.write_stdout(text.as_bytes())
    }

    /// One JSON value.
    ///
    /// # Errors
    /// Never in practice.
    pub fn json(&self) -> serde_json::Result<String> {
        let stores = self.stores.iter().map(store_json).collect();
        let value = Json { schema_version: SCHEMA, dry_run: self.dry_run, stores };
        Ok(serde_json::to_string_pretty(&value)? + "\n")
    }

    /// Text for people.
    pub fn human(&self, verbose: bool, given: &Given) -> String {
        let mut out = String::new();
        for store in &self.stores {
            human_store(store, (self.dry_run, verbose), given, &mut out);
        }
        if self.dry_run {
            out.push_str("Nothing was changed (dry run).\n");
        }
        out
    }
}

fn store_json(store: &StoreRepair) -> Store<'_> {
    let plan = &store.plan;
    Store {
        agent_id: &store.agent_id,
        path: store.path.to_string_lossy().into_owned(),
        damage: store.damage.as_ref().map(|d| d.kind.describe()),
        repairs: plan
            .repairs
            .iter()
            .map(|r| Item {
                id: r.kind.id(),
                subject: &r.subject,
                detail: &r.detail,
                outcome: outcome_word(store.outcome(r.effect)),
            })
            .collect(),
        sources: plan.compared.iter().map(source_item).collect(),
        rows_before: plan.rows_before,
        rows_after: plan.rows_after,
        lost: &plan.lost,
        kept_as: plan.kept_as.as_ref().map(|n| n.to_string_lossy().into_owned()),
        undecided: plan
            .undecided
            .iter()
            .map(|u| UndecidedItem { subject: &u.subject, why: &u.why, hint: u.hint.as_deref() })
            .collect(),
        pruned_again: store.pruned_again,
        run_id: store.applied.as_ref().map(|a| a.run_id.as_str()).filter(|id| !id.is_empty()),
        warnings: store.applied.as_ref().map_or(&store.obstacles, |a| &a.warnings),
        error: store.error.as_ref().map(ToString::to_string),
    }
}

fn human_store(store: &StoreRepair, (dry_run, verbose): (bool, bool), given: &Given, out: &mut String) {
    let plan = &store.plan;
    out.push_str(&format!("{}\n", plain(&store.path.display().to_string())));
    if let Some(error) = &store.error {
        out.push_str(&format!("  not repaired: {}\n", plain(&error.to_string())));
        return;
    }
    if plan.repairs.is_empty() && plan.undecided.is_empty() {
        out.push_str("  nothing to repair\n");
        return;
    }
    if !plan.compared.is_empty() {
        out.push_str("  Where rows can come from:\n");
        for c in &plan.compared {
            let use_of = match (c.chosen, c.merged) {
                (true, _) => "  <- taken".to_owned(),
                (false, 0) => String::new(),
                (false, n) => format!("  <- {}", count(n, "row")),
            };
            out.push_str(&format!(
                "    {:<9} {}, {} with a transcript here ({}){use_of}\n",
                c.kind.id(),
                count(c.rows, "row"),
                c.with_transcript,
                plain(&c.name)
            ));
        }
    }
    let items = plan.repairs.iter().map(|r| {
        let failed = match store.outcome(r.effect) {
            Some(Outcome::Failed(why)) => format!(" (failed: {why})"),
            Some(Outcome::Skipped(_)) => " (skipped: it changed meanwhile)".to_owned(),
            _ => String::new(),
        };
        format!("{}: {}: {}{failed}", r.kind.id(), r.subject, r.detail)
    });
    list(out, if dry_run { "Would repair" } else { "Repaired" }, items, verbose);
    list(out, "Lost, only there in part", plan.lost.iter().cloned(), verbose);
    let undecided = plan.undecided.iter().map(|u| {
        let hint = u.hint.as_ref().map_or_else(String::new, |h| format!(" -> {}", given.complete(h)));
        format!("{}: {}{hint}", u.subject, u.why)
    });
    list(out, "Needs you", undecided, verbose);
    if plan.index_effect().is_some() {
        out.push_str(&format!("  Rows: {} before, {} after\n", plan.rows_before, plan.rows_after));
    }
    if dry_run && (!plan.lost.is_empty() || store.pruned_again > 0) {
        let what = if plan.lost.is_empty() { "the gateway would remove rows again" } else { "rows would be lost" };
        out.push_str(&format!("  The repair itself asks, or needs --yes where nobody can be asked: {what}\n"));
    }
    list(out, "Remarks", store.obstacles.iter().cloned(), true);
    if let Some(kept_as) = &plan.kept_as {
        out.push_str(&format!("  The damaged index stays as {}\n", plain(&kept_as.to_string_lossy())));
    }
    if let Some(applied) = &store.applied {
        list(out, "Remarks", applied.warnings.iter().cloned(), true);
        if !applied.run_id.is_empty() {
            let undo = format!("clawkeep sessions undo {}", applied.run_id);
            out.push_str(&format!("  This can be undone: {}\n", given.complete(&undo)));
        }
    }
}

fn list(out: &mut String, title: &str, items: impl Iterator<Item = String>, verbose: bool) {
    let items: Vec<String> = items.collect();
    if items.is_empty() {
        return;
    }
    out.push_str(&format!("  {title}:\n"));
    let shown = if verbose { items.len() } else { LISTED };
    for item in items.iter().take(shown) {
        out.push_str(&format!("    {}\n", plain(item)));
    }
    if items.len() > shown {
        out.push_str(&format!("    {} more: -v or --json\n", items.len() - shown));
    }
}
