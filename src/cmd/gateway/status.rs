//! `gateway status`: who may write now, and how we know. Changes nothing, here or there.
//!
//! The exit code is the verdict: 0 this program may (nothing owns the state, or what listens serves another one), 11 a
//! gateway owns the state, 4 it cannot be told and a person has to look.

use std::time::Duration;

use crate::cli::GlobalFlags;
use crate::cli::gateway::GatewayStatusArgs;
use crate::cli::select::SelectArgs;
use crate::cmd::start::{self, Start};
use crate::context::Context;
use crate::error::{Error, Kind, Result};
use crate::exit;
use crate::gateway::access::{self, Access};
use crate::gateway::client::{Ask, Client, ConnectError, ConnectFailure, Deadlines};
use crate::gateway::{endpoint, health, whose};
use crate::lock::owner;
use crate::model::gateway::{ADMIN, CLEANUP, CleanupBy, GatewayStatus, Hello, NoSession, StateProof};
use crate::model::owner::{Connect, Greeting, OwnerEvidence, OwnerVerdict, Writer};
use crate::model::stores::Generation;
use crate::report::gateway::{human, json};
use crate::report::style::Style;
use crate::scan::facts;

/// Longest wait for the list of sessions: a status is no place to wait ten minutes.
const CALL: Duration = Duration::from_secs(60);

/// Runs the command.
///
/// # Errors
/// A URL, a fingerprint or a token file that is none; remote mode without a URL; a signal.
pub fn run(ctx: &mut Context, g: &GlobalFlags, args: &GatewayStatusArgs) -> Result<u8> {
    let start = start::reading(ctx, g, &SelectArgs::default())?;
    let flags = args.gateway.flags();
    let access = access::resolve(ctx, &start.roots, &start.loaded, &flags)?;
    let mut evidence = evidence(ctx, &start);
    let ask = flags.url.is_some() || evidence.remote_mode || access.forbidden.is_some();
    let asked = (ask || evidence.connect == Connect::Accepted).then(|| session(ctx, &start, &access));
    if ctx.cancel.get().is_some() {
        return Err(Error::new(Kind::Interrupted, "interrupted"));
    }
    let health = asked.as_ref().filter(|_| reachable(&evidence, &asked)).map(|asked| {
        let place = asked.endpoint.as_ref().unwrap_or(&access.endpoint);
        health::ask(place, access.pin.as_ref(), Deadlines::of(&ctx.env).connect.min(health::TIMEOUT), &ctx.cancel)
    });
    if let Some(asked) = &asked {
        evidence.greeting = greeting(asked, &evidence);
    }
    let verdict = owner::verdict(evidence, false);
    let (session, state, place) = match asked {
        Some(asked) => (Some(asked.session), asked.state, asked.endpoint),
        None => (None, None, None),
    };
    let place = place.unwrap_or_else(|| access.endpoint.clone());
    let status = GatewayStatus {
        endpoint: place.to_string(),
        origin: place.origin.clone(),
        pin: access.pin.as_ref().map(ToString::to_string),
        health,
        cleanup: cleanup(&verdict, session.as_ref(), state.as_ref()),
        session,
        state,
        looked: access.credentials.looked.clone(),
        state_dir: start.roots.state_dir.clone(),
        verdict,
    };
    if ctx.output.json {
        crate::report::json::print(ctx, &json::value(&status, &ctx.given))?;
    } else if ctx.output.quiet == 0 {
        ctx.write_stdout(human::text(&status, &ctx.given, Style::stdout(ctx)).as_bytes())?;
    }
    Ok(match status.verdict.writer {
        Writer::Offline | Writer::Foreign => exit::DONE,
        Writer::Owns => exit::BUSY,
        Writer::Unknown => exit::FINDINGS,
    })
}

/// What was learnt by talking.
struct Asked {
    endpoint: Option<endpoint::Endpoint>,
    session: Result<Hello, NoSession>,
    state: Option<StateProof>,
}

/// Evidence about the folder of the first store, which is the default agent's.
fn evidence(ctx: &Context, start: &Start) -> OwnerEvidence {
    let folder = start.selection.targets.first().and_then(facts::artefact_folder);
    let folder = folder.unwrap_or_else(|| start.roots.state_dir.clone());
    let network = crate::scan::volume::facts(&folder).network;
    let newest = newest_write(&folder);
    owner::collect(ctx, &start.roots, &start.loaded.settings, &folder, newest, network, false)
}

/// Newest modification of a file in the folder, epoch ms.
fn newest_write(folder: &std::path::Path) -> Option<crate::model::Ms> {
    let entries = std::fs::read_dir(folder).ok()?;
    entries.flatten().filter_map(|e| crate::fsx::read::lstat(&e.path()).ok()).map(|fp| fp.mtime_ms()).max()
}

fn session(ctx: &Context, start: &Start, access: &Access) -> Asked {
    let usual = Deadlines::of(&ctx.env);
    let deadlines = Deadlines { call: usual.call.min(CALL), ..usual };
    // The folder that a gateway serves is told to admins alone.
    let ask = Ask { scopes: &[ADMIN], create_identity: false };
    match Client::connect(access, &ask, deadlines, &ctx.cancel) {
        Err(error) => Asked { endpoint: None, session: Err(no_session(error, access)), state: None },
        Ok(mut client) => {
            let target = start.selection.targets.first();
            let agent = target.map_or(start.loaded.settings.default_agent.as_str(), |t| t.agent_id.as_str());
            let index = target.filter(|t| matches!(t.generation, Generation::Json)).map(|t| t.store_path.as_path());
            let state = whose::ask(&mut client, access, &start.roots, agent, index);
            let (endpoint, hello) = (client.endpoint().clone(), client.hello().clone());
            client.close();
            Asked { endpoint: Some(endpoint), session: Ok(hello), state: Some(state) }
        }
    }
}

fn no_session(error: ConnectError, access: &Access) -> NoSession {
    let kind = error.kind.as_str();
    let code = if let ConnectFailure::Refused(code) = &error.kind { Some(code.clone()) } else { None };
    let error = error.into_error(access);
    NoSession { kind, code, message: error.message, hints: error.hints }
}

/// Whether anybody listens who can be asked for its health.
fn reachable(evidence: &OwnerEvidence, asked: &Option<Asked>) -> bool {
    match asked.as_ref().map(|a| &a.session) {
        Some(Ok(_)) => true,
        Some(Err(no)) => !matches!(no.kind, "absent" | "unreached" | "not-allowed" | "interrupted"),
        None => evidence.connect == Connect::Accepted,
    }
}

/// What the gateway said, as evidence. That one at another place serves another state says nothing about the one that
/// listens here.
fn greeting(asked: &Asked, evidence: &OwnerEvidence) -> Option<Greeting> {
    let (Ok(hello), Some(state), Some(endpoint)) = (&asked.session, &asked.state, &asked.endpoint) else { return None };
    let here = endpoint.to_string() == evidence.endpoint;
    let counts = here || matches!(state, StateProof::Same(_));
    counts.then(|| Greeting { version: hello.version.clone(), state: state.clone() })
}

fn cleanup(
    verdict: &OwnerVerdict,
    session: Option<&Result<Hello, NoSession>>,
    state: Option<&StateProof>,
) -> CleanupBy {
    if matches!(verdict.writer, Writer::Offline | Writer::Foreign) {
        return CleanupBy::Ourselves;
    }
    let no = |why: &str| CleanupBy::Nobody(why.to_owned());
    let hello = match session {
        None => return no(&verdict.why),
        Some(Err(failed)) => return no(&failed.message),
        Some(Ok(hello)) => hello,
    };
    match state {
        Some(StateProof::Same(_)) => {}
        _ if verdict.evidence.remote_mode => {}
        Some(other) => return no(other.why()),
        None => return no(&verdict.why),
    }
    if !hello.grants(ADMIN) {
        return no("the gateway did not grant operator.admin, which a cleanup needs");
    }
    if !hello.offers(CLEANUP) {
        return no("the gateway has no method sessions.cleanup");
    }
    CleanupBy::Gateway
}
