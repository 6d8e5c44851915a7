//! `transcript tree`: branches, the active leaf, compactions and labels.

use std::collections::HashMap;
use std::io;

use crate::cli::GlobalFlags;
use crate::cli::transcript_read::TreeArgs;
use crate::cmd::transcript::opened::{self, Opened, made_up_id};
use crate::cmd::transcript::pager;
use crate::context::Context;
use crate::error::{Error, Result};
use crate::exit;
use crate::model::conversation::{Item, Part};
use crate::model::transcript::{Kind, Role};
use crate::model::tree_lines::{Node, Run};
use crate::report::style::Style;
use crate::report::transcript::{head as head_report, lines, tree as report};
use crate::transcript::entries::RECOVERED;
use crate::transcript::present;
use crate::transcript::reader::Records;
use crate::transcript::record;
use crate::transcript::tree::{Children, Tree, View};

use super::show::item_at;

/// Characters of text that a line shows.
const SNIPPET: usize = 60;

/// Runs the command.
///
/// # Errors
/// The transcript cannot be found or read.
pub fn run(ctx: &mut Context, g: &GlobalFlags, a: &TreeArgs) -> Result<u8> {
    let Opened { chosen, source, index } = opened::open(ctx, g, &a.one, a.cache)?;
    let view = if a.recovered { View::Recovered } else { View::Gateway };
    let tree = Tree::of(&index, view);
    let mut records = Records::of(&source);
    let active = tree.active();
    let head = opened::head(&chosen, &source, &tree, &active, true, &mut records)?;
    let mut on_branch = vec![false; index.entries.len()];
    for at in &active.entries {
        on_branch[*at as usize] = true;
    }
    let labels = labels(&tree, &mut records).map_err(|e| Error::io("read", &source.path, e))?;
    // The way up comes back to itself: it is drawn from where it stopped, as `show` and `context` have it.
    let circle = active.cycle.and(active.entries.first().copied()).filter(|at| tree.parent(*at) != Some(*at));
    let children = tree.children();
    let mut view = Drawing { tree: &tree, children, records, on_branch, circle, labels, all: a.all };
    let style = Style::stdout(ctx);
    let (json, quiet, width) = (ctx.output.json, ctx.output.quiet > 0, ctx.width());
    // A pager shows lines of any length.
    pager::through(ctx, true, |out| {
        if json {
            lines::write(out, &head)?;
            for at in index.entries.positions().filter(|at| tree.counts(*at)) {
                let node = view.node(at)?;
                lines::write(out, &node)?;
            }
            return Ok(());
        }
        if !quiet {
            out.write_all(head_report::text(&head, style).as_bytes())?;
            out.write_all(b"\n")?;
        }
        let shown = view.draw(&mut |run| out.write_all(report::line(&run, style, width).as_bytes()))?;
        let counted = index.entries.positions().filter(|at| tree.counts(*at));
        let (mut circles, mut hidden) = (0, 0);
        for at in counted.filter(|at| !shown[*at as usize]) {
            if tree.hidden(at) { hidden += 1 } else { circles += 1 }
        }
        out.write_all(report::footer(circles, hidden, style).as_bytes())
    })?;
    Ok(exit::DONE)
}

/// Labels by the entry that they name; the last one counts, an empty one clears.
fn labels(tree: &Tree<'_>, records: &mut Records<'_>) -> io::Result<HashMap<u32, String>> {
    let mut out = HashMap::new();
    let entries = &tree.index.entries;
    for at in entries.positions().filter(|at| entries.get(*at).kind() == Kind::Label && tree.counts(*at)) {
        let (target, label) = records.at(entries.get(at), |node| {
            let text = |name: &str| node.and_then(|n| n.text_of(name).map(|t| t.into_owned()));
            (text("targetId"), text("label"))
        })?;
        let Some(target) = target.and_then(|id| tree.find(record::hash(id.as_bytes()))) else { continue };
        match label.filter(|label| !label.is_empty()) {
            Some(label) => drop(out.insert(target, label)),
            None => drop(out.remove(&target)),
        }
    }
    Ok(out)
}

struct Drawing<'a> {
    tree: &'a Tree<'a>,
    children: Children,
    records: Records<'a>,
    on_branch: Vec<bool>,
    /// Where the active branch begins, if its parents run in a circle: this entry hangs on a later one of it.
    circle: Option<u32>,
    labels: HashMap<u32, String>,
    all: bool,
}

impl Drawing<'_> {
    fn node(&mut self, at: u32) -> io::Result<Node> {
        let entry = self.tree.index.entries.get(at);
        let active = self.on_branch[at as usize];
        // Only ids are needed of what may be a very long record; the rest is in the index.
        let item = self.records.at(entry, |node| match node {
            Some(node) => Item {
                id: present::id(&node, "id"),
                parent_id: present::id(&node, "parentId"),
                kind: node.text_of("type").map_or_else(String::new, |t| t.into_owned()),
                timestamp: node.text_of("timestamp").map(|t| t.into_owned()),
                role: node.get("message").and_then(|m| m.text_of("role").map(|t| t.into_owned())),
                ..Item::default()
            },
            None => Item::default(),
        })?;
        let old = self.tree.index.version() < 2;
        let parent = self.tree.parent(at).map(|parent| made_up_id(self.tree.index.entries.get(parent)));
        Ok(Node {
            record: "node",
            id: if old { Some(made_up_id(entry)) } else { item.id },
            parent_id: if old { parent } else { item.parent_id },
            kind: if item.kind.is_empty() { entry.kind().as_str().to_owned() } else { item.kind },
            role: item.role,
            line: u64::from(entry.line),
            offset: entry.offset(),
            bytes: u64::from(entry.len),
            timestamp: item.timestamp,
            active,
            leaf: self.tree.leaf().entry() == Some(at),
            children: self.children.of_entry(at).len() as u64,
            dangling: self.tree.dangling(at),
            hidden: self.tree.hidden(at),
            recovered: entry.is(RECOVERED),
            label: self.labels.get(&at).cloned(),
        })
    }

    /// Draws everything that hangs on a root, or on the circle of the active branch; gives what was drawn.
    fn draw(&mut self, each: &mut dyn FnMut(Run) -> io::Result<()>) -> io::Result<Vec<bool>> {
        let mut shown = vec![false; self.on_branch.len()];
        // Last in, first out: where a run begins, how deep, and whether a branch begins there.
        let mut starts = self.tree.roots();
        starts.extend(self.circle.filter(|start| !starts.contains(start)));
        let mut stack: Vec<(u32, usize, bool)> = starts.into_iter().rev().map(|at| (at, 0, false)).collect();
        while let Some((start, indent, begins)) = stack.pop() {
            let mut run = self.begin(start, indent, begins)?;
            let mut at = start;
            shown[at as usize] = true;
            let (mut main, mut others) = self.fork(at);
            while let Some(next) = main.filter(|next| others.is_empty() && self.same_run(start, *next)) {
                at = next;
                shown[at as usize] = true;
                self.add(&mut run, at);
                (main, others) = self.fork(at);
            }
            if at != start {
                run.last = Some(item_at(self.tree, &mut self.records, at, false)?.id.unwrap_or_default());
                self.marks(&mut run, at);
            }
            each(run)?;
            stack.extend(main.map(|next| (next, indent, false)));
            stack.extend(others.into_iter().rev().map(|other| (other, indent + 1, true)));
        }
        Ok(shown)
    }

    /// The child that goes on at the same depth (the active one, else the newest), and the others.
    fn fork(&self, at: u32) -> (Option<u32>, Vec<u32>) {
        let children: Vec<u32> = self.below(at).collect();
        let main = children.iter().find(|child| self.on_branch[**child as usize]).or(children.last()).copied();
        (main, children.into_iter().filter(|child| Some(*child) != main).collect())
    }

    /// The children of an entry, without the one where a circle begins: it was drawn.
    fn below(&self, at: u32) -> impl Iterator<Item = u32> {
        self.children.of_entry(at).iter().copied().filter(|child| Some(*child) != self.circle)
    }

    /// Whether an entry goes on the line of the run before it.
    fn same_run(&self, start: u32, next: u32) -> bool {
        let notable = |at: u32| {
            let entry = self.tree.index.entries.get(at);
            let kind = matches!(entry.kind(), Kind::Compaction | Kind::BranchSummary);
            kind || self.labels.contains_key(&at) || entry.is(RECOVERED)
        };
        let same_side = self.on_branch[start as usize] == self.on_branch[next as usize];
        !self.all && same_side && !notable(start) && !notable(next)
    }

    fn begin(&mut self, at: u32, indent: usize, begins: bool) -> io::Result<Run> {
        let active = self.on_branch[at as usize];
        let item = item_at(self.tree, &mut self.records, at, active)?;
        let mut run = Run {
            indent,
            active,
            begins,
            snippet: snippet(&item),
            at: item.timestamp.clone(),
            what: item.role.clone().filter(|_| item.kind == "message").unwrap_or(item.kind),
            first: item.id,
            branch: begins.then(|| self.branch(at)),
            ..Run::default()
        };
        self.add(&mut run, at);
        self.marks(&mut run, at);
        Ok(run)
    }

    fn add(&self, run: &mut Run, at: u32) {
        let entry = self.tree.index.entries.get(at);
        run.entries += 1;
        run.bytes += u64::from(entry.len);
        match entry.role() {
            Role::User => run.turns[0] += 1,
            Role::Assistant => run.turns[1] += 1,
            Role::ToolResult => run.turns[2] += 1,
            _ => {}
        }
    }

    fn marks(&self, run: &mut Run, at: u32) {
        let entry = self.tree.index.entries.get(at);
        if let Some(label) = self.labels.get(&at) {
            run.marks.push(format!("label: {label}"));
        }
        if self.circle == Some(at) {
            run.marks.push("its parent hangs below it: a circle".to_owned());
        }
        if self.tree.dangling(at) {
            run.marks.push("its parent is not in the file".to_owned());
        }
        if entry.is(RECOVERED) {
            run.marks.push("on a damaged line, not seen by the gateway".to_owned());
        }
        if self.tree.leaf().entry() == Some(at) {
            run.marks.push("active leaf".to_owned());
        }
    }

    /// Entries and bytes of a whole branch.
    fn branch(&self, root: u32) -> (u64, u64) {
        let (mut entries, mut bytes) = (0, 0);
        let mut stack = vec![root];
        while let Some(at) = stack.pop() {
            entries += 1;
            bytes += u64::from(self.tree.index.entries.get(at).len);
            stack.extend(self.below(at));
        }
        (entries, bytes)
    }
}

/// The first words of an entry.
fn snippet(item: &Item) -> Option<String> {
    let text = item.parts.iter().find_map(|part| match part {
        Part::Text { text } => text.split_whitespace().next().map(|_| text),
        _ => None,
    })?;
    let mut words = text.split_whitespace().take(SNIPPET).collect::<Vec<_>>().join(" ");
    if let Some((end, _)) = words.char_indices().nth(SNIPPET) {
        words.truncate(end);
        words.push('…');
    }
    Some(words)
}
