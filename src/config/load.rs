//! From files to settings.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::document::Document;
use super::reader::Reader;
use super::{agents, cron, gateway, include, own, session, substitute, unknown};
use crate::context::{Context, Env};
use crate::error::{Error, Result};
use crate::model::settings::{OwnSettings, Problem, Settings};
use crate::model::stores::Roots;

/// The configuration as read.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The typed view: what the program acts on.
    pub settings: Settings,
    /// The gateway's configuration after includes and substitution.
    pub document: Document,
    /// Our own file, if there is one.
    pub own: Option<Document>,
    /// The environment with the `env` entries of the configuration, for whoever looks for credentials later.
    pub env: Env,
}

impl Loaded {
    /// The whole value of the gateway's configuration.
    pub fn root(&self) -> &Value {
        &self.document.root
    }

    /// The gateway's configuration files that were read, the main one first. Empty if there is none.
    pub fn files(&self) -> &[PathBuf] {
        if self.settings.config_found { &self.document.files } else { &[] }
    }

    /// The file that holds the value of a dotted key of the gateway's configuration.
    pub fn origin_of(&self, key: &str) -> Option<&Path> {
        self.document.origin_of(key)
    }
}

/// Reads the configuration and our own file. A missing one is an empty one.
///
/// # Errors
/// A file that exists cannot be read or parsed, or an `$include` breaks a rule. The caller decides whether it can go
/// on with [`without_config`]; a mutating command cannot.
pub fn load(ctx: &Context, roots: &Roots) -> Result<Loaded> {
    let mut warnings = Vec::new();
    let document = include::read(ctx, &roots.home, &roots.config_path, &mut warnings).map_err(with_hint)?;
    let own = own::load(roots, &mut warnings).map_err(with_hint)?;
    Ok(build(ctx, roots, document, own, Vec::new(), warnings))
}

/// What was read, with another value in place of that of the gateway's configuration: as it will be once an edit is
/// written. Where there is no edit, `root` is the value as it is.
///
/// # Errors
/// Our own file cannot be read.
pub fn with_root(ctx: &Context, roots: &Roots, document: &Document, root: Value) -> Result<Loaded> {
    let mut warnings = Vec::new();
    let own = own::load(roots, &mut warnings).map_err(with_hint)?;
    let document = Document { root, ..document.clone() };
    Ok(build(ctx, roots, Some(document), own, Vec::new(), warnings))
}

/// Defaults in place of what could not be read, with that as a problem, so that commands which only read can go on and
/// those that change something stop.
pub fn without_config(ctx: &Context, roots: &Roots, error: &Error) -> Loaded {
    let problem = Problem {
        key: "<root>".to_owned(),
        value: "(not readable)".to_owned(),
        allowed: error.message.clone(),
        path: roots.config_path.clone(),
    };
    let mut warnings = Vec::new();
    // What can be read still counts: a broken own file does not change where the stores are.
    let document = include::read(ctx, &roots.home, &roots.config_path, &mut warnings).ok().flatten();
    let own = own::load(roots, &mut warnings).ok().flatten();
    build(ctx, roots, document, own, vec![problem], warnings)
}

fn with_hint(error: Error) -> Error {
    error.hint("clawkeep config validate")
}

fn build(
    ctx: &Context,
    roots: &Roots,
    document: Option<Document>,
    own: Option<Document>,
    mut problems: Vec<Problem>,
    mut warnings: Vec<String>,
) -> Loaded {
    let config_found = document.is_some();
    let mut document = document.unwrap_or_else(|| Document::single(&roots.config_path, Value::Object(Map::new())));
    let mut env = ctx.env.clone();
    substitute::add_config_env(&document.root, &mut env);
    substitute::substitute(&mut document, &env, &mut warnings);
    unknown::check(&document, &mut warnings);

    let own_settings = match &own {
        Some(own) => own::read(own, roots, &mut problems, &mut warnings),
        None => OwnSettings::default(),
    };
    let r = &mut Reader::config(&document, &mut problems, &mut warnings);
    let session = session::read(r);
    let cron = cron::read(r, roots, &ctx.cwd);
    let (agents, default_agent) = agents::read(r);
    let context_tokens = agents::context_tokens(r);
    let default_model = agents::default_model(r);
    let gateway = gateway::read(r);
    // Keys and file names may hold anything; whoever prints a warning need not think of it.
    let warnings = warnings.iter().map(|w| crate::report::escape::line(w).to_string()).collect();
    let settings = Settings {
        session,
        cron,
        agents,
        default_agent,
        context_tokens,
        default_model,
        gateway,
        own: own_settings,
        config_found,
        problems,
        warnings,
    };
    Loaded { settings, document, own, env }
}

#[cfg(test)]
#[path = "load_tests.rs"]
mod tests;
