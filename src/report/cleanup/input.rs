//! What a cleanup report is made of: borrowed values that were planned and executed, nothing computed for the report.

use crate::context::Context;
use crate::error::{Error, Result};
use crate::hints::{Given, NOTHING};
use crate::model::facts::Facts;
use crate::model::outcome::Applied;
use crate::model::plan::Plan;
use crate::model::policy::Policy;
use crate::model::sourced::Origin;
use crate::model::stores::{Agent, Target};
use crate::report::found::Found;

/// What happened to one store.
#[derive(Debug, Clone)]
pub struct StoreReport<'a> {
    /// The store.
    pub target: &'a Target,
    /// How the store was found.
    pub found: Found,
    /// Policy in force.
    pub policy: &'a Policy,
    /// What was read; `None` if the store could not be read or was skipped.
    pub facts: Option<&'a Facts>,
    /// What was decided; there if and only if `facts` is.
    pub plan: Option<&'a Plan>,
    /// What came of it; `None` for a plan that was not executed.
    pub applied: Option<&'a Applied>,
    /// `--dry-run` was given.
    pub dry_run: bool,
    /// Nothing was written: a dry run, or mode warn.
    pub planned_only: bool,
    /// An earlier run that was interrupted and is not recovered yet.
    pub pending_run: Option<String>,
    /// Why the store was not looked into (`absent`, `generation`), and a sentence about it.
    pub skipped: Option<(&'static str, String)>,
    /// What stopped work on this store.
    pub error: Option<&'a Error>,
    /// Override tokens that were given.
    pub overrides: &'a [String],
    /// What commands that are named must carry.
    pub given: &'a Given,
    /// The gateway did it.
    pub gateway: Option<&'a ByGateway>,
    /// Remarks beside those of plan and execution.
    pub warnings: Vec<String>,
}

/// A cleanup that a gateway carried out.
#[derive(Debug, Clone, PartialEq)]
pub struct ByGateway {
    /// Version of the gateway.
    pub version: String,
    /// Where it was asked.
    pub endpoint: String,
    /// How it is known to serve this state.
    pub proof: String,
    /// Its answer, as it came.
    pub result: serde_json::Value,
    /// What went is known by name and can be put back.
    pub kept: bool,
}

impl ByGateway {
    /// What went wrong on the gateway's side after it had begun.
    pub fn partial(&self) -> Option<&str> {
        self.result
            .get("partialError")
            .map(|e| e.get("message").and_then(|m| m.as_str()).unwrap_or("it did not say why"))
    }

    /// The counts of its answer that are not zero, in its own words.
    pub fn counts(&self) -> Vec<(&str, u64)> {
        const COUNTS: [&str; 7] =
            ["pruned", "capped", "missing", "dmScopeRetired", "archived", "capArchived", "modelRunPruned"];
        let number = |name: &'static str| Some((name, self.result.get(name)?.as_u64().filter(|n| *n > 0)?));
        COUNTS.into_iter().filter_map(number).collect()
    }
}

impl<'a> StoreReport<'a> {
    /// A report of a store about which nothing is known yet.
    /// `state` is the origin of the state folder.
    pub fn new(target: &'a Target, state: &Origin, policy: &'a Policy) -> Self {
        Self {
            target,
            found: Found::of(target, state),
            policy,
            facts: None,
            plan: None,
            applied: None,
            dry_run: false,
            planned_only: true,
            pending_run: None,
            skipped: None,
            error: None,
            overrides: &[],
            given: &NOTHING,
            gateway: None,
            warnings: Vec::new(),
        }
    }

    /// Remarks of plan, execution and command, each once, in this order.
    pub fn all_warnings(&self) -> impl Iterator<Item = String> {
        let plan = self.plan.iter().flat_map(|p| &p.warnings);
        let applied = self.applied.iter().flat_map(|a| &a.warnings);
        plan.chain(applied).chain(&self.warnings).map(|warning| self.given.complete(warning))
    }
}

/// A whole run.
#[derive(Debug, Clone)]
pub struct CleanupReport<'a> {
    /// Stores, in the order in which they were worked on; never empty.
    pub stores: Vec<StoreReport<'a>>,
    /// Agents that exist and were not looked at.
    pub not_looked_at: &'a [Agent],
    /// `--all-agents` was given.
    pub all_agents: bool,
}

impl CleanupReport<'_> {
    /// Prints the report as the output options ask: JSON, text, or (with `-q`) only what needs a person, as log lines.
    pub fn print(&self, ctx: &Context) -> Result<()> {
        if ctx.output.json {
            return ctx.stream_stdout(|out| super::super::json::write(out, &super::json::Report(self)));
        }
        if ctx.output.quiet > 0 {
            for store in &self.stores {
                super::problems::log(ctx, store);
            }
            return Ok(());
        }
        ctx.write_stdout(super::human::text(self, &super::human::Look::of(ctx)).as_bytes())
    }
}
