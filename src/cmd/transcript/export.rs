//! `transcript export`: a page, Markdown, or the records of a branch. Streamed: one record is held at a time.

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::Path as FsPath;

use super::opened;
use super::target::{self, Chosen};
use crate::cli::GlobalFlags;
use crate::cli::transcript::{ExportArgs, ExportFormat, ExportImages};
use crate::cmd::start::Start;
use crate::config::secrets;
use crate::context::{Context, Level};
use crate::error::{Error, Kind as ErrorKind, Result};
use crate::exit;
use crate::fsx::scratch;
use crate::model::conversation::Head;
use crate::model::export::{ExportHead, Fork};
use crate::report::export::html::Page;
use crate::report::export::markdown::Document;
use crate::report::export::words;
use crate::report::{escape, plural};
use crate::transcript::branches::{self, Step, Why};
use crate::transcript::entries::Entry;
use crate::transcript::index::First;
use crate::transcript::late_header;
use crate::transcript::lines::LONG;
use crate::transcript::node::Node;
use crate::transcript::reader::Records;
use crate::transcript::redact::cleaner::Cleaner;
use crate::transcript::redact::record::Sieve;
use crate::transcript::redact::redactor::Redactor;
use crate::transcript::source::Source;
use crate::transcript::tree::{Path, Tree, View};
use crate::transcript::turn::turn;
use crate::units::{bytes, time};

/// Longest record that is held as a whole, so that its image can be embedded. A longer one is shown shortened.
const WHOLE: u64 = 32 << 20;
/// Bytes copied at once.
const PIECE: usize = 1 << 20;

/// Runs the command.
///
/// # Errors
/// The transcript cannot be found or read; the output exists or cannot be written.
pub fn run(ctx: &mut Context, g: &GlobalFlags, a: &ExportArgs) -> Result<u8> {
    let output = a.output.as_ref().filter(|path| path.as_os_str() != "-").map(|path| ctx.cwd.join(path));
    if ctx.output.json && output.is_none() {
        return Err(Error::usage("--json reports about an export that goes to a file: name it with --output"));
    }
    if let Some(path) = output.as_deref().filter(|path| path.symlink_metadata().is_ok()) {
        return Err(Error::failed(format!("{} exists; it is left alone", path.display()))
            .hint("choose a name that does not exist yet"));
    }
    let chosen = target::one(ctx, g, &a.one)?;
    let redactor = if a.redact {
        let start = target::stores(ctx, g, &a.one.select)?;
        known_secrets(g, &start)?;
        let env = |name: &str| ctx.env.raw(name).map(|value| value.to_string_lossy().into_owned());
        Some(Redactor::new(secrets::values(&start.loaded, &env)))
    } else {
        None
    };
    let source = chosen.open(ctx)?;
    let index = opened::index(ctx, &source, true)?;
    let tree = Tree::of(&index, View::Gateway);
    let mut active = tree.active();
    if active.entries.is_empty() {
        // Without an active branch the gateway shows nothing; a person still wants to see what there is.
        active = tree.path(tree.leaf().entry());
    }
    let head = opened::head(&chosen, &source, &tree, &active, true, &mut Records::of(&source))?;
    let export = Export {
        ctx,
        a,
        chosen: &chosen,
        source: &source,
        tree: &tree,
        active: &active,
        cleaner: Cleaner::new(redactor),
    };
    export.write(&head, output.as_deref())
}

/// Refuses to look for the secrets of a configuration that could not be read: they would stay.
fn known_secrets(g: &GlobalFlags, start: &Start) -> Result<()> {
    let settings = &start.loaded.settings;
    let unread = settings.problems.iter().find(|problem| problem.key == "<root>");
    if let Some(problem) = unread {
        return Err(Error::failed(format!(
            "--redact does not know the secrets of the configuration: {}",
            problem.allowed
        ))
        .hint("clawkeep config validate"));
    }
    match &g.config {
        Some(path) if !settings.config_found => Err(Error::failed(format!(
            "--redact does not know the secrets of {}: there is no such file",
            path.display()
        ))
        .hint("clawkeep config path")),
        _ => Ok(()),
    }
}

struct Export<'a> {
    ctx: &'a Context,
    a: &'a ExportArgs,
    chosen: &'a Chosen,
    source: &'a Source,
    tree: &'a Tree<'a>,
    active: &'a Path,
    cleaner: Cleaner,
}

impl Export<'_> {
    fn write(&self, head: &Head, output: Option<&FsPath>) -> Result<u8> {
        let steps = if self.a.all_branches && self.a.format == ExportFormat::Jsonl {
            branches::in_file_order(self.tree, self.active)
        } else if self.a.all_branches {
            branches::steps(self.tree, self.active)
        } else {
            self.active.entries.iter().map(|at| Step::Entry(*at)).collect()
        };
        for note in &head.notes {
            self.ctx.log(Level::Warning, note);
        }
        let Some(path) = output else {
            self.ctx.stream_stdout(|out| self.to(out, head, &steps))?;
            return self.stopped().map_or(Ok(exit::DONE), Err);
        };
        scratch::write_with(path, |out| {
            self.to(out, head, &steps)?;
            // A stopped export leaves no file.
            if self.stopped().is_some() { Err(io::ErrorKind::Interrupted.into()) } else { Ok(()) }
        })
        .map_err(|e| self.stopped().unwrap_or(e))?;
        self.report(path, &steps)?;
        Ok(exit::DONE)
    }

    fn stopped(&self) -> Option<Error> {
        self.ctx.cancel.get().map(|_| Error::new(ErrorKind::Interrupted, "interrupted; nothing was written"))
    }

    fn report(&self, path: &FsPath, steps: &[Step]) -> Result<()> {
        let size = crate::fsx::read::lstat(path).map_or(0, |fp| fp.size);
        let entries = steps.iter().filter(|s| matches!(s, Step::Entry(_))).count() as u64;
        if self.ctx.output.json {
            let format = match self.a.format {
                ExportFormat::Html => "html",
                ExportFormat::Markdown => "markdown",
                ExportFormat::Jsonl => "jsonl",
            };
            return crate::report::json::print(
                self.ctx,
                &serde_json::json!({
                    "schemaVersion": crate::report::json::SCHEMA_VERSION,
                    "path": self.chosen.path.to_string_lossy(),
                    "output": path.to_string_lossy(),
                    "format": format,
                    "bytes": size,
                    "entries": entries,
                    "redacted": self.cleaner.hidden(),
                }),
            );
        }
        if self.ctx.output.quiet > 0 {
            return Ok(());
        }
        let hidden = self.cleaner.hidden().map(|n| format!(", {} left out", plural::count(n, "secret")));
        let text = format!(
            "{}: {}, {}{}\n",
            escape::path(path),
            bytes::human(size),
            plural::count(entries, "entry"),
            hidden.unwrap_or_default()
        );
        self.ctx.write_stdout(text.as_bytes())
    }

    fn to(&self, out: &mut dyn Write, head: &Head, steps: &[Step]) -> io::Result<()> {
        match self.a.format {
            ExportFormat::Jsonl => self.records(out, steps),
            ExportFormat::Html => {
                let embed = self.a.images == ExportImages::Embed;
                let mut page = Page::begin(out, &self.head(head), embed)?;
                self.walk(steps, |step| match step {
                    Shown::Turn(turn) => page.turn(turn),
                    Shown::Fork(fork) => page.fork(fork),
                })?;
                page.end(&self.foot())
            }
            ExportFormat::Markdown => {
                let mut document = Document::begin(out, &self.head(head))?;
                self.walk(steps, |step| match step {
                    Shown::Turn(turn) => document.turn(turn),
                    Shown::Fork(fork) => document.fork(fork),
                })?;
                document.end(&self.foot())
            }
        }
    }

    fn head(&self, head: &Head) -> ExportHead {
        let clean = |text: &str| self.cleaner.text(Cow::Borrowed(text)).into_owned();
        let title = head.name.as_ref().filter(|name| !name.trim().is_empty()).or(head.key.as_ref());
        let title = title.or(head.session_id.as_ref()).map_or_else(|| "Conversation".to_owned(), |t| clean(t));
        let mut facts = Vec::new();
        let mut fact = |name, value: Option<String>| facts.extend(value.map(|value| (name, value)));
        fact("Session", head.session_id.as_deref().map(clean));
        fact("Key", head.key.as_deref().map(clean));
        fact("Agent", head.agent_id.as_deref().map(clean));
        fact("Started", head.started_at.as_deref().map(|at| clean(&words::moment(at))));
        let shown = self.active.entries.len() as u64;
        let all = head.entries.unwrap_or(shown);
        let entries = match (self.a.all_branches, all > shown) {
            (false, true) => {
                format!("{} on the active branch, {} in all", plural::grouped(shown), plural::grouped(all))
            }
            _ => plural::grouped(all),
        };
        fact("Entries", Some(entries));
        fact("File", self.chosen.path.file_name().map(|name| clean(&escape::name(name))));
        ExportHead { title, facts, notes: head.notes.iter().map(|note| clean(note)).collect() }
    }

    fn foot(&self) -> String {
        let hidden = self.cleaner.hidden().map(|n| format!(" {} left out.", plural::count(n, "secret")));
        let hidden = hidden.unwrap_or_default();
        let at = words::moment(&time::iso(self.ctx.run_time()));
        format!("Exported by clawkeep {} on {at}. All times are UTC.{hidden}", env!("CARGO_PKG_VERSION"))
    }

    /// Shows one step after the other.
    fn walk(&self, steps: &[Step], mut show: impl FnMut(Shown<'_, '_>) -> io::Result<()>) -> io::Result<()> {
        let mut records = Records::of(self.source);
        for step in steps {
            if self.ctx.cancel.get().is_some() {
                return Ok(());
            }
            match step {
                Step::Entry(at) => self.entry(self.tree.index.entries.get(*at), &mut records, &mut show)?,
                Step::Open(at, why, entries) => {
                    let fork = Fork::Opens { entries: *entries, title: self.title(*at, *why, *entries) };
                    show(Shown::Fork(&fork))?;
                }
                Step::Close => show(Shown::Fork(&Fork::Closes))?,
            }
        }
        Ok(())
    }

    fn entry(
        &self,
        entry: &Entry,
        records: &mut Records<'_>,
        show: &mut impl FnMut(Shown<'_, '_>) -> io::Result<()>,
    ) -> io::Result<()> {
        let len = u64::from(entry.len);
        if len > LONG as u64 && len <= WHOLE {
            let text = self.source.bytes(entry.offset(), usize::try_from(len).unwrap_or(LONG))?;
            return show(Shown::Turn(&turn(entry, Node::new(&text, &[]), &self.cleaner)));
        }
        records.at(entry, |node| show(Shown::Turn(&turn(entry, node, &self.cleaner))))?
    }

    fn title(&self, at: u32, why: Why, entries: u64) -> String {
        let what = match why {
            Why::Left => "Branch that was left",
            Why::Root => "Another beginning",
            Why::Unreached => "Entries that no way leads to",
        };
        let from = self.tree.index.entries.get(at).at().map(time::iso);
        let from = from.map(|at| format!(", from {}", at[..at.len().min(16)].replacen('T', " ", 1)));
        format!("{what}: {}{}", plural::count(entries, "entry"), from.unwrap_or_default())
    }

    /// The header and the records of the steps, byte for byte. The header comes first, wherever it stands in the file.
    fn records(&self, out: &mut dyn Write, steps: &[Step]) -> io::Result<()> {
        let header = match self.tree.index.first {
            First::Header(header) => Some((header.place.at, header.place.len)),
            First::Other(_) | First::Nothing => late_header::find(self.source)?,
        };
        if let Some((at, len)) = header {
            self.record(out, at, len)?;
        }
        for step in steps {
            if self.ctx.cancel.get().is_some() {
                return Ok(());
            }
            if let Step::Entry(at) = step {
                let entry = self.tree.index.entries.get(*at);
                self.record(out, entry.offset(), u64::from(entry.len))?;
            }
        }
        Ok(())
    }

    /// One record, in pieces.
    fn record(&self, out: &mut dyn Write, at: u64, len: u64) -> io::Result<()> {
        let mut sieve = Sieve::new(&self.cleaner, out);
        let (mut at, end) = (at, at + len);
        while at < end {
            let piece = self.source.bytes(at, usize::try_from(end - at).map_or(PIECE, |n| n.min(PIECE)))?;
            if piece.is_empty() {
                break;
            }
            sieve.feed(&piece)?;
            at += piece.len() as u64;
        }
        sieve.end()?;
        out.write_all(b"\n")
    }
}

/// What is shown next.
enum Shown<'s, 't> {
    Turn(&'s crate::model::export::Turn<'t>),
    Fork(&'s Fork),
}
