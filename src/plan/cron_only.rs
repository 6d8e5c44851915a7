//! `cron prune`: the cron part of a cleanup and nothing else.

use crate::model::Ms;
use crate::model::decision::{Finality, Reason, Verdict};
use crate::model::facts::Facts;
use crate::model::plan::Plan;
use crate::model::policy::Policy;
use crate::model::probe::Probes;
use crate::model::sourced::{Limit, Sourced};

use super::decide;

/// The policy in which only `cron.sessionRetention` is in force, beside whatever protects rows.
#[must_use]
pub fn policy(base: &Policy, retention: Option<Limit<Ms>>) -> Policy {
    let mut policy = base.clone();
    policy.prune_after.value = Limit::Off;
    policy.max_entries.value = Limit::Off;
    policy.max_disk.value = Limit::Off;
    policy.high_water.value = Limit::Off;
    policy.deleted_retention.value = Limit::Off;
    policy.reset_retention.value = Limit::Off;
    policy.fix_missing = false;
    policy.fix_dm_scope = false;
    policy.files_only = false;
    if let Some(value) = retention {
        policy.cron_retention = Sourced::from_flag(policy.cron_retention.key, "--session-retention", value);
    }
    policy
}

/// Makes the plan. Temp leftovers, which a cleanup collects without any setting, stay.
pub fn plan(facts: &Facts, probes: &Probes, policy: &Policy, now: Ms) -> Plan {
    let mut plan = decide::without_age(facts, probes, policy, now);
    let mut stays = vec![false; plan.decisions.len()];
    for (decision, stays) in plan.decisions.iter_mut().zip(&mut stays) {
        if decision.verdict.acts() && !belongs_to_rows(decision.reason) {
            *stays = true;
            decision.verdict = Verdict::Keep;
            decision.reason = Reason::WithinLimits;
            decision.finality = Finality::None;
        }
    }
    plan.effects.retain(|effect| effect.decision.is_none_or(|at| !stays[at as usize]));
    plan
}

fn belongs_to_rows(reason: Reason) -> bool {
    matches!(
        reason,
        Reason::CronRun | Reason::CronJobGone | Reason::CronJobDone | Reason::SessionRemoved | Reason::SidecarRemoved
    )
}
