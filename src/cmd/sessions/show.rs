//! `sessions show`: one row or file in full.

use std::ffi::OsStr;
use std::path::Path;

use crate::cli::GlobalFlags;
use crate::cli::select::SelectArgs;
use crate::cli::show::ShowArgs;
use crate::cmd::start;
use crate::cmd::transcript::related;
use crate::config::load::Loaded;
use crate::context::Context;
use crate::discover::agent_id;
use crate::error::{Error, Result};
use crate::exit;
use crate::lock::shown::Locks;
use crate::model::decision::Reason;
use crate::model::folder::{Artefact, Class};
use crate::model::index::{IndexFacts, Row, Via};
use crate::model::policy::Policy;
use crate::model::stores::{Generation, Roots, Target};
use crate::plan::draft::index32;
use crate::plan::ownership::{Owner, Ownership};
use crate::plan::policy::{self, PolicyFlags};
use crate::plan::{decide, keys};
use crate::report::cleanup::items::class_word;
use crate::report::show::{Fate, RowHere, SCHEMA_VERSION, Shown, ShownFile, ShownRow, Tokens, file_goes_by, text};
use crate::report::style::Style;
use crate::report::{command, escape, json, kind, source};

use crate::transcript::names;

use super::key_agent;
use super::pass::{Pass, Planned};
use super::remote::{self, Remote};
use super::unread;

/// Runs the command.
///
/// # Errors
/// Nothing by that name, or a store that cannot be read.
pub fn run(ctx: &mut Context, g: &GlobalFlags, a: &ShowArgs) -> Result<u8> {
    let (roots, loaded) = start::configured(ctx, g, &a.select)?;
    if remote::is_meant(&loaded, &a.select, &a.reach)? {
        let shown = by_gateway(ctx, a, &roots, &loaded)?;
        return print(ctx, &shown);
    }
    let start = if key_agent::of_key(&a.what).is_some() && a.select == SelectArgs::default() {
        // The configuration was read, and what there is to warn of was said.
        let quiet = std::mem::replace(&mut ctx.output.quiet, 2);
        let start = key_agent::with_stores_of(ctx, g, &a.select, start::reading, std::iter::once(a.what.as_str()));
        ctx.output.quiet = quiet;
        start?
    } else {
        start::chosen(ctx, roots, loaded, &a.select)?
    };
    start::refuse_absent_state(g, &a.select, &start)?;
    // Advice must not depend on values that cannot be read: those limits count as off here.
    let mut settings = start.loaded.settings.clone();
    settings.problems.clear();
    let mut found = Vec::new();
    let locks = Locks::new(&ctx.env, ctx.run_time());
    for target in &start.selection.targets {
        let policy = policy::resolve(&settings, &PolicyFlags::default(), &target.agent_id)?;
        let pass = Pass {
            ctx,
            start: &start,
            target,
            policy: &policy,
            overrides: &[],
            planner: &decide::decide,
            command: "sessions show",
            reclaim_by_unlink: false,
            greeting: std::cell::RefCell::default(),
        };
        if let Some(planned) = pass.plan()? {
            found.extend(find((target, &locks), &planned, &policy, &a.what)?);
        }
    }
    if let Some(error) = found.is_empty().then(|| unread::may_hold(&start, &a.what)).flatten() {
        return Err(error);
    }
    let mut shown = single(found, &a.what)?;
    let transcript = shown.files.iter().find(|file| file.bytes.is_some() && file.class == "transcript");
    shown.related = transcript.map(|file| related::lineage(Path::new(&file.path))).unwrap_or_default();
    print(ctx, &shown)
}

fn print(ctx: &Context, shown: &Shown) -> Result<u8> {
    if ctx.output.json {
        json::print(ctx, shown)?;
    } else {
        ctx.write_stdout(text(shown, ctx.run_time(), Style::stdout(ctx)).as_bytes())?;
    }
    Ok(exit::DONE)
}

/// What a gateway elsewhere tells of a row: its files and its fate are not among it.
fn by_gateway(ctx: &Context, a: &ShowArgs, roots: &Roots, loaded: &Loaded) -> Result<Shown> {
    let mut remote = Remote::open(ctx, roots, loaded, &a.reach)?;
    let index = remote.find(&a.what)?;
    let by = remote.close();
    let agents: Vec<String> = a.select.agents.iter().map(|agent| agent_id::normalize(agent)).collect();
    let agent_of =
        |key: &str| kind::agent_of(key).map_or_else(|| agent_id::MAIN.to_owned(), |(id, _)| id.to_lowercase());
    let index = index.filter(|index| {
        let key = index.rows.first().map(|row| index.key(row).into_owned()).unwrap_or_default();
        agents.is_empty() || agents.contains(&agent_of(&key))
    });
    let Some((row, index)) = index.as_ref().and_then(|index| Some((index.rows.first()?, index))) else {
        let text = format!("the gateway on {} knows no session {}", by.endpoint, escape::line(&a.what));
        let error = Error::failed(text).hint("clawkeep sessions list --all-agents --limit all");
        return Err(remote::leftovers_hint(error));
    };
    let row = shown_row(index, row, None);
    Ok(Shown {
        schema_version: SCHEMA_VERSION,
        source: source::GATEWAY,
        gateway: Some(by),
        agent_id: agent_of(&row.key),
        store_path: None,
        row: Some(row),
        files: Vec::new(),
        related: Vec::new(),
        newer_generation: None,
        warnings: vec!["its files, and which rule would take it when, are for the gateway's host to tell".to_owned()],
    })
}

/// The fields of a row.
fn shown_row(index: &IndexFacts, row: &Row, here: Option<RowHere>) -> ShownRow {
    let entry = crate::store::entry::read(index, row);
    let key = index.key(row).into_owned();
    let text = |value: Option<crate::model::index::Text>| value.map(|text| text.get(&index.bytes).into_owned());
    ShownRow {
        kind: kind::fine(&key, entry.chat_type.as_deref()),
        key,
        session_id: text(row.session_id),
        status: text(row.status),
        updated_at: row.updated_at.ms(),
        last_interaction_at: row.last_interaction_at.ms(),
        session_started_at: row.session_started_at.ms(),
        model: entry.model_override.or(entry.model),
        tokens: Tokens {
            input: entry.input_tokens,
            output: entry.output_tokens,
            total: entry.total_tokens,
            context: entry.context_tokens,
        },
        compaction_count: entry.compaction_count,
        here,
    }
}

fn single(mut found: Vec<Shown>, what: &str) -> Result<Shown> {
    let Some(shown) = found.pop() else {
        return Err(Error::failed(format!("no session or file is called {}", escape::line(what)))
            .hint("clawkeep sessions list --all-agents --limit all"));
    };
    if found.is_empty() {
        return Ok(shown);
    }
    let mut error = Error::failed(format!("{} names {} things", escape::line(what), found.len() + 1));
    for other in found.iter().chain([&shown]) {
        let name = other.row.as_ref().map(|r| r.key.as_str()).or(other.files.first().map(|f| f.path.as_str()));
        error.hints.push(format!(
            "clawkeep sessions show --store {} {}",
            command::quote(other.store_path.as_deref().unwrap_or_default()),
            command::operand(name.unwrap_or_default())
        ));
    }
    Err(error)
}

/// Everything called `what` in one store: a key exactly, else the key in another letter case, else a session id, else a
/// file by name or path, else the transcript of a session that has no row.
///
/// # Errors
/// What is called so is no regular file.
fn find((target, locks): (&Target, &Locks<'_>), planned: &Planned, policy: &Policy, what: &str) -> Result<Vec<Shown>> {
    let view = View { target, planned, policy, ownership: Ownership::of(&planned.facts, &planned.probes), locks };
    let index = &planned.facts.index;
    let rows_where = |wanted: &dyn Fn(&Row) -> bool| -> Vec<u32> {
        let rows = index.rows.iter().enumerate().filter(|(_, row)| !row.shadowed && wanted(row));
        rows.map(|(ix, _)| index32(ix)).collect()
    };
    let by_key = rows_where(&|row| index.key(row) == what);
    let by_folded = rows_where(&|row| index.key(row).eq_ignore_ascii_case(what));
    let by_id = rows_where(&|row| row.session_id.is_some_and(|id| id.get(&index.bytes) == what));
    let rows = [by_key, by_folded, by_id].into_iter().find(|rows| !rows.is_empty());
    if let Some(rows) = rows {
        return Ok(rows.into_iter().map(|row| view.row(row)).collect());
    }
    if let Some(file) = view.named(what) {
        let entry = &planned.facts.folder.entries[file as usize];
        if !entry.is_file() {
            let path = planned.facts.folder.path.join(&*entry.name);
            return Err(Error::failed(format!("{} is not a regular file", escape::path(&path)))
                .hint("clawkeep sessions list --all-agents --limit all"));
        }
        return Ok(vec![view.file_alone(file)]);
    }
    let forks = view.of_session(what);
    if !forks.is_empty() {
        return Ok(forks.into_iter().map(|file| view.file_alone(file)).collect());
    }
    // Of a session that left, what is kept of it.
    let archives = view.archives(what);
    Ok(if archives.is_empty() { Vec::new() } else { vec![view.shown(None, archives)] })
}

struct View<'a> {
    target: &'a Target,
    planned: &'a Planned,
    policy: &'a Policy,
    ownership: Ownership,
    locks: &'a Locks<'a>,
}

impl View<'_> {
    /// The entry called `what`: a name in the folder, a path to it, or a session id without a row.
    fn named(&self, what: &str) -> Option<u32> {
        let folder = &self.planned.facts.folder;
        let path = Path::new(what);
        let name = path.file_name()?;
        let elsewhere = path
            .parent()
            .filter(|dir| !dir.as_os_str().is_empty())
            .is_some_and(|dir| dir.canonicalize().map_or(true, |dir| dir != folder.path));
        if elsewhere {
            return None;
        }
        let transcript = format!("{what}.jsonl");
        let by_name = folder.find(name).or_else(|| folder.find(OsStr::new(&transcript)));
        by_name.map(index32)
    }

    /// Transcripts with the session id in their names (`<time>_<id>.jsonl`, topics).
    fn of_session(&self, id: &str) -> Vec<u32> {
        let entries = self.planned.facts.folder.entries.iter().enumerate();
        let is = |entry: &Artefact| {
            entry.class == Class::Transcript
                && entry.is_file()
                && names::ids(entry.stem()).any(|own| own == id.as_bytes())
        };
        entries.filter(|(_, entry)| is(entry)).map(|(ix, _)| index32(ix)).collect()
    }

    /// What the plan has to say about the index as a whole, and about this row.
    fn notes(&self, row: Option<&ShownRow>) -> Vec<String> {
        let facts = &self.planned.facts;
        let keys: Vec<_> = facts.index.rows.iter().map(|row| facts.index.key(row)).collect();
        // A note about a row begins with its key.
        let about = |note: &str, key: &str| {
            !key.is_empty() && note.strip_prefix(key).is_some_and(|rest| rest.starts_with([' ', ',']))
        };
        let is_wanted = |note: &&String| match row {
            Some(row) if about(note, &row.key) => true,
            _ => !keys.iter().any(|key| about(note, key)),
        };
        let mut notes: Vec<String> = self.planned.plan.warnings.iter().filter(is_wanted).cloned().collect();
        if let Some(row) = row {
            // One note stands for all such rows; it names the first of them.
            let own = format!("{} says that it is running, but was not touched for a day (stuck-run)", row.key);
            notes.retain(|note| !note.ends_with("(stuck-run)"));
            let ix = facts.index.rows.iter().position(|r| !r.shadowed && facts.index.key(r) == row.key.as_str());
            let says_so = row.status.as_deref() == Some("running");
            if says_so && ix.is_some_and(|ix| self.planned.plan.decisions[ix].reason != Reason::Running) {
                notes.push(own);
            }
        }
        notes
    }

    fn shown(&self, row: Option<ShownRow>, files: Vec<ShownFile>) -> Shown {
        let warnings = self.notes(row.as_ref());
        Shown {
            schema_version: SCHEMA_VERSION,
            source: source::FILES,
            gateway: None,
            agent_id: self.target.agent_id.clone(),
            store_path: Some(self.target.store_path.display().to_string()),
            row,
            files,
            related: Vec::new(),
            newer_generation: match &self.target.generation {
                Generation::Json => None,
                Generation::Sqlite { database } => Some(database.display().to_string()),
            },
            warnings,
        }
    }

    fn row(&self, ix: u32) -> Shown {
        let facts = &self.planned.facts;
        let row = &facts.index.rows[ix as usize];
        let checkpoints = facts.index.refs_of(row).iter().filter(|r| r.via == Via::Checkpoint).count() as u64;
        let key = facts.index.key(row).into_owned();
        let decision = &self.planned.plan.decisions[ix as usize];
        let by_cron = decision.goes_at.is_some_and(|at| {
            let limit = self.policy.cron_retention.value.at();
            keys::cron(&key).is_some() && limit.zip(row.updated_at.ms()).is_some_and(|(limit, from)| from + limit == at)
        });
        let goes_by = if by_cron { "cron.sessionRetention" } else { "session.maintenance.pruneAfter" };
        let here = RowHere { checkpoints, bytes: decision.bytes, fate: Fate::of(decision, goes_by) };
        let shown = shown_row(&facts.index, row, Some(here));
        let mut files: Vec<ShownFile> = self.ownership.files_of(ix).map(|link| self.file(link.file)).collect();
        let has_transcript = files.iter().any(|f| f.class == "transcript");
        if let (false, Some(id)) = (has_transcript, &shown.session_id) {
            files.insert(0, self.missing(id));
        }
        files.extend(shown.session_id.iter().flat_map(|id| self.archives(id)));
        self.shown(Some(shown), files)
    }

    /// Earlier transcripts of the session, kept as archives.
    fn archives(&self, id: &str) -> Vec<ShownFile> {
        let entries = self.planned.facts.folder.entries.iter().enumerate();
        let archives = entries.filter(|(_, f)| matches!(f.class, Class::Archive(_)) && f.stem() == id.as_bytes());
        archives.map(|(ix, _)| self.file(index32(ix))).collect()
    }

    fn missing(&self, id: &str) -> ShownFile {
        let path = self.planned.facts.folder.path.join(format!("{id}.jsonl"));
        ShownFile {
            path: escape::path(&path),
            class: "transcript",
            owners: Vec::new(),
            bytes: None,
            modified_at: None,
            stamp: None,
            hard_linked: false,
            lock: None,
            fate: None,
        }
    }

    fn file_alone(&self, ix: u32) -> Shown {
        self.shown(None, vec![self.file(ix)])
    }

    fn file(&self, ix: u32) -> ShownFile {
        let facts = &self.planned.facts;
        let entry = &facts.folder.entries[ix as usize];
        let decision = &self.planned.plan.decisions[facts.index.rows.len() + ix as usize];
        ShownFile {
            path: escape::path(&facts.folder.path.join(&*entry.name)),
            class: class_word(entry.class),
            owners: self.ownership.links(ix).iter().map(|link| self.owner(link.owner, link.via)).collect(),
            bytes: entry.is_file().then_some(entry.fp.size),
            modified_at: Some(entry.fp.mtime_ms()),
            stamp: entry.stamp,
            hard_linked: entry.is_file() && entry.fp.nlink > 1,
            lock: self.lock(ix),
            fate: Some(Fate::of(decision, file_goes_by(decision.reason, decision.verdict))),
        }
    }

    fn owner(&self, owner: Owner, via: Via) -> String {
        let facts = &self.planned.facts;
        let who = match owner {
            Owner::Row(row) => facts.index.key(&facts.index.rows[row as usize]).into_owned(),
            Owner::Member(at) => facts.members[usize::from(at)].path.display().to_string(),
        };
        format!("{who} ({})", via_word(via))
    }

    fn lock(&self, ix: u32) -> Option<String> {
        let folder = &self.planned.facts.folder;
        let mut name = folder.entries[ix as usize].name.to_os_string();
        name.push(".lock");
        let lock = index32(folder.find(&name)?);
        let path = folder.path.join(&*folder.entries[ix as usize].name);
        folder.entries[lock as usize].is_file().then(|| self.locks.text(&path))?
    }
}

fn via_word(via: Via) -> &'static str {
    match via {
        Via::SessionFile => "sessionFile",
        Via::SessionId => "sessionId",
        Via::UsageFamily => "usageFamilySessionIds",
        Via::Checkpoint => "compactionCheckpoints",
        Via::Pointer => "trajectory pointer",
        Via::Sidecar => "name beside its transcript",
        Via::Parent => "parentSession",
    }
}
