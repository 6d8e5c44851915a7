//! `sessions cleanup` where a gateway owns the state: the gateway does it, and we keep what it may take.
//!
//! Three ends only: nobody owns the state, and the run is ours; the gateway did it, and what went is told by name; or the
//! gateway is there and cannot be asked, and nothing was changed. After the request was sent no failure turns into a run of
//! our own: two writers are worse than none.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::OsString;

use serde_json::{Value, json};

use super::pass::{Done, Pass, Planned};
use crate::apply::delegate::{Asked, Ended};
use crate::cli::cleanup::CleanupArgs;
use crate::cmd::start::Start;
use crate::context::{Context, Level};
use crate::error::{Error, Kind, Result};
use crate::gateway::access::{self, Access};
use crate::gateway::client::{Ask, Client, Deadlines};
use crate::gateway::failure::CallError;
use crate::gateway::{endpoint, whose};
use crate::lock::owner;
use crate::model::effect::Effect;
use crate::model::gateway::{ADMIN, CLEANUP, StateProof};
use crate::model::outcome::Applied;
use crate::model::owner::{Greeting, OwnerVerdict, Writer};
use crate::model::policy::Policy;
use crate::model::stores::{Generation, TargetOrigin};
use crate::plan::{decide, delegated};
use crate::report::cleanup::ByGateway;
use crate::report::{command, escape, policy as words};
use crate::scan::facts;

/// The way to the gateway, for all stores of one command: one connection, made when it is first needed.
pub struct Door<'a> {
    ctx: &'a Context,
    start: &'a Start,
    args: &'a CleanupArgs,
    open: RefCell<Option<Open>>,
}

/// A gateway that let us in.
struct Open {
    access: Access,
    client: Client,
}

/// Who carries out a cleanup.
pub enum Way {
    /// We do.
    Ours,
    /// The gateway does; the text says how it is known to serve this state.
    Gateways(String),
}

/// A cleanup that the gateway did.
pub struct ByTheGateway {
    /// What our plan and the disk say about it; `None` where we cannot see the state.
    pub done: Option<Done>,
    /// What the gateway says.
    pub gateway: ByGateway,
}

impl<'a> Door<'a> {
    /// A closed door.
    pub fn new(ctx: &'a Context, start: &'a Start, args: &'a CleanupArgs) -> Self {
        Self { ctx, start, args, open: RefCell::new(None) }
    }

    /// Who carries out the cleanup of this store. Asks the gateway only if one may own the state; sends nothing for a dry
    /// run, `--store`, `--files-only`, mode warn, or where the refusal is overridden.
    ///
    /// # Errors
    /// [`Kind::Busy`]: somebody may own the state and cannot be asked.
    pub fn way(&self, pass: &Pass<'_>) -> Result<Way> {
        if pass.target.origin == TargetOrigin::StoreFlag || pass.policy.files_only {
            return Ok(Way::Ours);
        }
        let folder = facts::artefact_folder(pass.target);
        let folder = folder.as_deref().unwrap_or(self.start.roots.state_dir.as_path());
        let verdict = pass.owner(folder, None);
        // A gateway that the user names is asked, whatever is seen from here: it may listen where nobody looked.
        let named_url = self.args.gateway.reach.gateway_url.is_some();
        if verdict.allows(pass.overrides) && !verdict.evidence.remote_mode && !named_url {
            return Ok(Way::Ours);
        }
        self.knock(&verdict)?;
        if verdict.evidence.remote_mode {
            return Ok(Way::Gateways("gateway.mode is remote".to_owned()));
        }
        let proof = self.proof(pass);
        let named = || {
            format!("the gateway that was asked is another one ({}): --gateway-url names the right one", proof.why())
        };
        if let StateProof::Same(why) = &proof {
            return Ok(Way::Gateways(why.clone()));
        }
        if named_url {
            return Err(self.not_the_one(&proof));
        }
        pass.greeting.replace(Some(Greeting { version: self.version(), state: proof.clone() }));
        let verdict = pass.owner(folder, None);
        match (&proof, verdict.writer) {
            (_, Writer::Offline | Writer::Foreign) => {
                self.ctx.log(Level::Info, &verdict.why);
                Ok(Way::Ours)
            }
            // A live lock of this state is a gateway of this state, whoever answers on the port.
            (_, Writer::Owns) => Err(owner::refusal(&verdict).hint(named())),
            (StateProof::Foreign(_), Writer::Unknown) => Err(owner::refusal(&verdict).hint(named())),
            (_, Writer::Unknown) => Err(self.not_the_one(&proof).token(crate::model::owner::TOKEN_LIVE)),
        }
    }

    /// It is not known to serve this state, or known to serve another one.
    fn not_the_one(&self, proof: &StateProof) -> Error {
        let place = self.place();
        let text = match proof {
            StateProof::Foreign(why) => format!("the gateway on {place} serves another state: {why}"),
            other => format!("whether the gateway on {place} serves this state is not known: {}", other.why()),
        };
        Error::new(Kind::Busy, text)
            .hint("--gateway-state-dir DIR, if the gateway sees this state folder under another name")
            .hint("clawkeep sessions cleanup --files-only --enforce")
    }

    /// Opens the door.
    fn knock(&self, verdict: &OwnerVerdict) -> Result<()> {
        if self.open.borrow().is_some() {
            return Ok(());
        }
        let access = access::resolve(self.ctx, &self.start.roots, &self.start.loaded, &self.args.gateway.flags())?;
        let ask = Ask { scopes: &[ADMIN], create_identity: true };
        let client = match Client::connect(&access, &ask, Deadlines::of(&self.ctx.env), &self.ctx.cancel) {
            Ok(client) => client,
            // Nobody listens, and yet the state is not free: a lock lives, or a writer may be out of sight.
            Err(e)
                if e.is_absent() && !verdict.evidence.remote_mode && self.args.gateway.reach.gateway_url.is_none() =>
            {
                return Err(owner::refusal(verdict));
            }
            Err(e) => {
                let error = e.into_error(&access);
                return Err(match (error.token, verdict.token()) {
                    (None, Some(token)) if !verdict.evidence.remote_mode => error.token(token),
                    _ => error,
                });
            }
        };
        let hello = client.hello();
        let refuse = |what: &str| {
            Err(Error::new(
                Kind::Busy,
                format!("the gateway {} on {} {what}; nothing was changed", hello.version, client.endpoint()),
            )
            .hint("clawkeep gateway status")
            .hint("clawkeep sessions cleanup --files-only --enforce"))
        };
        if !hello.grants(ADMIN) {
            return refuse(&format!("did not grant {ADMIN}"));
        }
        if !hello.offers(CLEANUP) {
            return refuse(&format!("has no method {CLEANUP}"));
        }
        self.open.replace(Some(Open { access, client }));
        Ok(())
    }

    fn is_remote(&self) -> bool {
        endpoint::is_remote(&self.start.loaded.settings)
    }

    fn version(&self) -> String {
        self.open.borrow().as_ref().map(|open| open.client.hello().version.clone()).unwrap_or_default()
    }

    fn place(&self) -> String {
        self.open.borrow().as_ref().map(|open| open.client.endpoint().to_string()).unwrap_or_default()
    }

    /// Does the gateway serve the state of this store?
    fn proof(&self, pass: &Pass<'_>) -> StateProof {
        let mut open = self.open.borrow_mut();
        let Some(Open { access, client }) = open.as_mut() else {
            return StateProof::Unknown("it was not asked".to_owned());
        };
        let index = matches!(pass.target.generation, Generation::Json).then_some(pass.target.store_path.as_path());
        whose::ask(client, access, &self.start.roots, &pass.target.agent_id, index)
    }

    /// Has the gateway clean up this store. `proof` says how it is known to be the right one.
    ///
    /// # Errors
    /// What the gateway has no parameter for; a doubted or damaged index; a refusal of the gateway; and, once the request
    /// was sent, an unknown outcome ([`Kind::Busy`]).
    /// `None` if the agent has no store yet.
    pub fn delegate(&self, pass: &Pass<'_>, proof: String) -> Result<Option<ByTheGateway>> {
        self.refuse_parameters(pass)?;
        if self.is_remote() || matches!(pass.target.generation, Generation::Sqlite { .. }) {
            let answer = self.call(pass);
            let result = self.answer(pass, answer, None)?;
            return Ok(Some(ByTheGateway { done: None, gateway: self.by(proof, result, false) }));
        }
        let answer = RefCell::new(None);
        let ended = pass.through(&|planned| self.vet(pass, planned), &mut || {
            let got = self.call(pass);
            let asked = match &got {
                Err(CallError::NotSent(_)) => Asked::NotSent,
                Err(CallError::OutcomeUnknown(_)) => Asked::Unknown,
                Err(CallError::Refused { .. }) | Ok(_) => Asked::Answered,
            };
            answer.replace(Some(got));
            asked
        })?;
        let Some((planned, ended)) = ended else { return Ok(None) };
        let Some(answer) = answer.into_inner() else {
            return Err(Error::failed("the gateway was not asked"));
        };
        let run = if let Ended::Open(run) = &ended { Some(run.as_str()) } else { None };
        let result = self.answer(pass, answer, run)?;
        let done = done(planned, ended);
        Ok(Some(ByTheGateway { gateway: self.by(proof, result, true), done: Some(done) }))
    }

    fn by(&self, proof: String, result: Value, kept: bool) -> ByGateway {
        ByGateway { version: self.version(), endpoint: self.place(), proof, result, kept }
    }

    fn call(&self, pass: &Pass<'_>) -> Result<Value, CallError> {
        let mut open = self.open.borrow_mut();
        let Some(Open { client, .. }) = open.as_mut() else {
            return Err(CallError::NotSent("there is no connection".to_owned()));
        };
        let result = client.call(CLEANUP, &parameters(pass.policy, self.args, self.is_remote()));
        if matches!(result, Err(CallError::OutcomeUnknown(_) | CallError::NotSent(_))) {
            *open = None;
        }
        result
    }

    /// The result, or the error that the answer is.
    fn answer(&self, pass: &Pass<'_>, answer: Result<Value, CallError>, open_run: Option<&str>) -> Result<Value> {
        let select = command::select_words(pass.target);
        match answer {
            Ok(result) => {
                if let Some(run) = open_run {
                    let text = format!("run {run} is not settled yet: the next cleanup or undo does that");
                    self.ctx.log(Level::Warning, &text);
                }
                Ok(result)
            }
            Err(CallError::Refused { details: Some(details), .. }) if details.get("partialError").is_some() => {
                Ok(details)
            }
            Err(CallError::Refused { code, message, .. }) => {
                let kind = if code == "UNAVAILABLE" { Kind::Busy } else { Kind::Failed };
                let text = escape::line(&message).into_owned();
                Err(Error::new(kind, format!("the gateway refused to clean up ({}): {text}", escape::line(&code)))
                    .hint("clawkeep gateway status"))
            }
            Err(CallError::NotSent(why)) => {
                Err(Error::new(Kind::Busy, format!("the gateway could not be asked, nothing was changed: {why}"))
                    .hint("clawkeep gateway status"))
            }
            Err(CallError::OutcomeUnknown(why)) => {
                let error = Error::new(
                    Kind::Busy,
                    format!(
                        "outcome unknown: the gateway was asked to clean up the sessions of agent {}, and its answer did \
                         not come: {why}; it may have done it, wholly or in part, or be still at it",
                        pass.target.agent_id
                    ),
                )
                .hint("clawkeep gateway status")
                .hint(format!("clawkeep sessions list{select}"));
                Err(match open_run {
                    Some(run) => error
                        .hint(format!("clawkeep sessions runs{select}  (run {run} keeps what may have gone)"))
                        .hint(format!("clawkeep sessions undo {run}{select}  (once the gateway is stopped)")),
                    None => error,
                })
            }
        }
    }

    /// What the gateway has no parameter for.
    fn refuse_parameters(&self, pass: &Pass<'_>) -> Result<()> {
        let Some(first) = unknown_to_the_gateway(pass.policy, self.args).into_iter().next() else { return Ok(()) };
        let hint = if first.starts_with("--active-key") {
            "the gateway takes one --active-key".to_owned()
        } else {
            "without it the gateway's own configuration decides".to_owned()
        };
        let select = command::select_words(pass.target);
        Err(Error::new(
            Kind::Busy,
            format!("a running gateway owns this state and does the cleanup, and it has no parameter for {first}"),
        )
        .hint(hint)
        .hint(format!("clawkeep sessions cleanup --files-only --enforce{select}  (files only, beside the gateway)"))
        .hint("stop the gateway, and run the same command again"))
    }

    /// Looks at our own plan before the gateway is asked.
    fn vet(&self, pass: &Pass<'_>, planned: &Planned) -> Result<()> {
        let plan = &planned.plan;
        if plan.suspicion.is_some() && !pass.policy.override_suspect {
            return Err(Error::new(
                Kind::Findings,
                format!(
                    "{} is doubted, so the gateway was not asked to clean up",
                    escape::path(&planned.facts.index.path)
                ),
            )
            .hint("clawkeep sessions repair --from snapshots --dry-run")
            .hint("clawkeep sessions cleanup --dry-run  (says why)")
            .token("suspect-index"));
        }
        if let Some(n) = plan.max_remove_hit {
            return Err(Error::new(
                Kind::Findings,
                format!("the cleanup would take {n} sessions, more than maxRemove allows; the gateway was not asked"),
            )
            .token("large-removal"));
        }
        if pass.policy.keep.is_empty() {
            return Ok(());
        }
        let bare = Policy { keep: Vec::new(), ..pass.policy.clone() };
        let without = decide::decide(&planned.facts, &planned.probes, &bare, plan.now);
        match delegated::kept_by_pattern(&planned.facts, plan, &without).first() {
            None => Ok(()),
            Some(key) => Err(Error::new(
                Kind::Busy,
                format!(
                    "a keep pattern of clawkeep.json5 protects {}, and the gateway, which does the cleanup, knows no \
                     patterns and would take it",
                    escape::line(key)
                ),
            )
            .hint("clawkeep sessions cleanup --files-only --enforce  (files only, beside the gateway)")
            .hint("stop the gateway, and run the same command again")),
        }
    }
}

/// Parameters of the call. Which agents a remote gateway has is not in the configuration here.
fn parameters(policy: &Policy, args: &CleanupArgs, remote: bool) -> Value {
    let mut params = json!({
        "enforce": true,
        "fixMissing": policy.fix_missing,
        "fixDmScope": args.fix_dm_scope,
    });
    if !remote || !args.select.agents.is_empty() {
        params["agent"] = policy.agent_id.as_str().into();
    } else if args.select.all_agents {
        params["allAgents"] = true.into();
    }
    if let [key] = args.active_keys.as_slice() {
        params["activeKey"] = key.trim().into();
    }
    params
}

/// Options that were given and that the gateway has no parameter for.
fn unknown_to_the_gateway(policy: &Policy, args: &CleanupArgs) -> Vec<String> {
    let mut out: Vec<String> = args.keep.iter().map(|keep| format!("--keep {}", command::quote(keep))).collect();
    out.extend(words::settings(policy).iter().filter_map(words::Setting::flag));
    if let Some(dir) = &args.archive_to {
        out.push(format!("--archive-to {}", command::quote(&dir.to_string_lossy())));
    }
    if args.active_keys.len() > 1 {
        out.push("--active-key more than once".to_owned());
    }
    out
}

/// The run as the report sees it.
fn done(planned: Planned, ended: Ended) -> Done {
    let Ended::Settled(applied, gone) = ended else { return Done { planned, applied: None } };
    let guards = delegated::guards(&planned.facts, &planned.plan);
    let name = |ix: usize| match guards.effects.get(ix).map(|e| &e.effect) {
        Some(Effect::Guard { file }) => Some(file.name.clone()),
        _ => None,
    };
    let files: HashMap<OsString, Option<OsString>> =
        gone.files.into_iter().filter_map(|(ix, archive)| Some((name(ix)?, archive))).collect();
    let left = delegated::Left { rows: gone.rows, files: files.into_iter().collect() };
    let (plan, outcomes) = delegated::told(&planned.facts, &planned.plan, &left);
    let applied = Applied { outcomes, swapped: !left.rows.is_empty(), ..*applied };
    Done { planned: Planned { plan, ..planned }, applied: Some(applied) }
}
