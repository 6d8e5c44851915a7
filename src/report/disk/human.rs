//! What fills the disk, for people: by class, by owner, what comes back and by which rule, budgets, the largest files.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::context::Context;
use crate::hints::Given;
use crate::model::stores::Agent;
use crate::model::usage::{
    DiskFacts, Headroom, ReclaimWhen, StoreUsage, Tally, UsageClass, UsageOwner, VolumeUsage, sum,
};
use crate::order::Order as _;
use crate::report::plural::{count, grouped};
use crate::report::style::{Role, Style};
use crate::report::table::{Column, Table};
use crate::report::{escape, not_looked_at};
use crate::units::{bytes, time};

/// Lines of one table, unless `-v` asks for all.
const LINES: usize = 20;

/// How the text is to look.
#[derive(Debug, Clone, Copy, Default)]
pub struct Look<'a> {
    /// Colour.
    pub style: Style,
    /// Columns of the terminal, 0 for no limit.
    pub width: usize,
    /// Everything.
    pub verbose: bool,
    /// What commands that are named must carry.
    pub given: &'a Given,
}

impl<'a> Look<'a> {
    /// As the output options and the terminal ask.
    pub fn of(ctx: &'a Context) -> Self {
        Self { style: Style::stdout(ctx), width: ctx.width(), verbose: ctx.output.verbose > 0, given: &ctx.given }
    }

    /// How many of `n` lines are shown.
    pub fn lines(&self, n: usize) -> usize {
        if self.verbose { n } else { n.min(LINES) }
    }

    /// The line that says how many were left out, if any were.
    pub fn more(&self, n: usize) -> String {
        match n - self.lines(n) {
            0 => String::new(),
            left => format!("  {} more: -v or --json\n", grouped(left as u64)),
        }
    }

    /// A heading.
    pub fn heading(&self, text: &str) -> String {
        format!("\n{}\n", self.style.paint(Role::Strong, text))
    }
}

/// The whole report.
pub fn text(disk: &DiskFacts, others: &[Agent], look: &Look) -> String {
    let mut out = format!(
        "State folder: {} ({})\n",
        look.style.paint(Role::Name, &escape::path(&disk.state_dir)),
        crate::report::policy::origin_short(&disk.state_origin)
    );
    for volume in &disk.volumes {
        out.push_str(&volume_line(volume));
    }
    out.push('\n');
    out.push_str(&by_class(disk, look));
    out.push_str(&by_owner(disk, look));
    out.push_str(&reclaim(disk, look));
    out.push_str(&budgets(disk, look));
    out.push_str(&largest(disk, look));
    out.push_str(&remarks(disk, look));
    if let Some(line) = not_looked_at::line(others) {
        let _ = writeln!(out, "\n{line}");
    }
    out
}

/// One line about a volume.
pub fn volume_line(volume: &VolumeUsage) -> String {
    let facts = &volume.facts;
    let room = match (facts.free_bytes, facts.total_bytes) {
        (Some(free), Some(total)) => format!("{} of {} free", bytes::human(free), bytes::human(total)),
        (Some(free), None) => format!("{} free", bytes::human(free)),
        (None, _) => "free space unknown".to_owned(),
    };
    let inodes = facts.free_inodes.map_or(String::new(), |n| format!(", {} free", count(n, "inode")));
    let network = if facts.network { ", network or shared file system" } else { "" };
    format!("Volume of {}: {room}{inodes}{network}\n", escape::path(&volume.path))
}

fn by_class(disk: &DiskFacts, look: &Look) -> String {
    let mut table = Table::new(&[
        ("What", Column::Text),
        ("Files", Column::Number),
        ("Bytes", Column::Number),
        ("On disk", Column::Number),
        ("Oldest", Column::Text),
    ]);
    let classes = disk.usage.by_class();
    for class in UsageClass::ALL {
        if let Some(tally) = classes.get(&class) {
            table.row(None, cells(class.describe(), tally, disk));
        }
    }
    table.row(Some(Role::Strong), cells("total", &disk.usage.total(), disk));
    table.render(look.style, look.width, 0)
}

fn cells(name: &str, tally: &Tally, disk: &DiskFacts) -> Vec<String> {
    vec![
        name.to_owned(),
        grouped(tally.files),
        bytes::human(tally.bytes),
        bytes::human(tally.allocated),
        tally.oldest.map_or(String::new(), |at| time::ago(disk.now, at)),
    ]
}

fn by_owner(disk: &DiskFacts, look: &Look) -> String {
    let mut groups: Vec<(&UsageOwner, &BTreeMap<UsageClass, Tally>, Tally)> =
        disk.usage.groups.iter().map(|(owner, classes)| (owner, classes, sum(classes.values()))).collect();
    if groups.len() < 2 {
        return String::new();
    }
    groups.order_by_key(|(_, _, total)| std::cmp::Reverse(total.bytes));
    let mut table = Table::new(&[
        ("Whose", Column::Key),
        ("Sessions", Column::Number),
        ("Orphans", Column::Number),
        ("Archives", Column::Number),
        ("Undo", Column::Number),
        ("Other", Column::Number),
        ("Total", Column::Number),
    ]);
    for (owner, classes, total) in groups.iter().take(look.lines(groups.len())) {
        let of = |wanted: &[UsageClass]| wanted.iter().filter_map(|c| classes.get(c)).map(|t| t.bytes).sum::<u64>();
        let parts = [
            of(&[UsageClass::Live, UsageClass::Transcript]),
            of(&[UsageClass::OrphanHistory, UsageClass::OrphanJunk]),
            of(&[UsageClass::Reset, UsageClass::Deleted]),
            of(&[UsageClass::Undo]),
        ];
        let rest = total.bytes - parts.iter().sum::<u64>();
        let mut row = vec![owner_name(owner)];
        row.extend(parts.into_iter().chain([rest, total.bytes]).map(bytes::human));
        table.row(None, row);
    }
    look.heading("By owner") + &table.render(look.style, look.width, 0) + &look.more(groups.len())
}

fn owner_name(owner: &UsageOwner) -> String {
    match owner {
        UsageOwner::Agent(id) => format!("agent {}", escape::line(id)),
        UsageOwner::Top(name) if name == "." => "(state folder)".to_owned(),
        UsageOwner::Top(name) => format!("{}/", escape::line(name)),
    }
}

fn when_text(when: ReclaimWhen) -> &'static str {
    match when {
        ReclaimWhen::Now => "at the next cleanup",
        ReclaimWhen::AfterRetention => "renamed first, freed when that expires",
        ReclaimWhen::WhenOld => "once old enough",
    }
}

fn reclaim(disk: &DiskFacts, look: &Look) -> String {
    let mut table = Table::new(&[
        ("When", Column::Text),
        ("Agent", Column::Key),
        ("What", Column::Text),
        ("Items", Column::Number),
        ("Bytes", Column::Number),
        ("Why", Column::Text),
        ("Rule", Column::Free),
    ]);
    let mut lines: Vec<_> = disk.stores.iter().flat_map(|s| s.reclaim.iter().map(move |line| (s, line))).collect();
    lines.order_by_key(|(_, line)| (line.when, std::cmp::Reverse(line.bytes)));
    for (store, line) in lines.iter().take(look.lines(lines.len())) {
        let first = line.first_at.map(|at| format!("first {}", time::iso(at)));
        let rule = Some(line.rule.to_owned()).filter(|rule| !rule.is_empty());
        table.row(
            None,
            vec![
                when_text(line.when).to_owned(),
                escape::line(&store.agent_id).into_owned(),
                line.class.map_or("row", UsageClass::id).to_owned(),
                grouped(line.count),
                bytes::human(line.bytes),
                line.reason.id().to_owned(),
                rule.into_iter().chain(first).collect::<Vec<_>>().join(", "),
            ],
        );
    }
    let total = |when| bytes::human(disk.reclaimable(when));
    let mut out = look.heading("What comes back");
    let _ = writeln!(
        out,
        "{} now, {} later (renamed first), {} once old enough",
        total(ReclaimWhen::Now),
        total(ReclaimWhen::AfterRetention),
        total(ReclaimWhen::WhenOld)
    );
    if !lines.is_empty() {
        out.push_str(&table.render(look.style, look.width, 0));
        out.push_str(&look.more(lines.len()));
        out.push_str(&look.given.complete(
            "To see each item: clawkeep sessions cleanup --dry-run. To make room now: clawkeep disk free --need SIZE\n",
        ));
    }
    out
}

fn budgets(disk: &DiskFacts, look: &Look) -> String {
    let stores: Vec<(&StoreUsage, Headroom)> = disk.stores.iter().filter_map(|s| Some((s, s.headroom?))).collect();
    if stores.is_empty() {
        return String::new();
    }
    let mut out = look.heading("Budgets (session.maintenance.maxDiskBytes)");
    for (store, Headroom { used, limits }) in stores.iter().take(look.lines(stores.len())) {
        let agent = escape::line(&store.agent_id);
        let used_text = bytes::human(*used);
        let _ = match limits {
            None => writeln!(out, "  {agent}: {used_text} used, no budget set"),
            Some((max, mark)) if used > max => writeln!(
                out,
                "  {agent}: {used_text} of {}, {} over; a cleanup goes down to {}",
                bytes::human(*max),
                bytes::human(used - max),
                bytes::human(*mark)
            ),
            Some((max, _)) => {
                writeln!(out, "  {agent}: {used_text} of {}, {} left", bytes::human(*max), bytes::human(max - used))
            }
        };
    }
    out + &look.more(stores.len())
}

fn largest(disk: &DiskFacts, look: &Look) -> String {
    if disk.usage.largest.is_empty() {
        return String::new();
    }
    let mut table =
        Table::new(&[("Bytes", Column::Number), ("What", Column::Text), ("Age", Column::Text), ("File", Column::Key)]);
    for file in &disk.usage.largest {
        let age = time::ago(disk.now, file.modified);
        table.row(None, vec![bytes::human(file.bytes), file.class.id().to_owned(), age, escape::path(&file.path)]);
    }
    look.heading("Largest files") + &table.render(look.style, look.width, 0)
}

fn remarks(disk: &DiskFacts, look: &Look) -> String {
    let mut lines = Vec::new();
    for store in &disk.stores {
        let agent = escape::line(&store.agent_id);
        if let Some(error) = &store.error {
            lines.push((
                Role::Bad,
                "Failed",
                format!("agent {agent}: {}; its files are shown by name alone", escape::line(error)),
            ));
        }
        if let Some(other) = &store.shares_folder_with {
            lines.push((Role::Muted, "Note", format!("agent {agent} shares its folder with {}", escape::line(other))));
        }
        if store.not_probed > 0 {
            let n = grouped(store.not_probed);
            lines.push((
                Role::Muted,
                "Note",
                format!(
                    "agent {agent}: too many unowned transcripts to look into; {n} not looked into count as history"
                ),
            ));
        }
        lines.extend(store.warnings.iter().map(|w| (Role::Warn, "Note", escape::line(w).into_owned())));
    }
    let unreadable = &disk.usage.unreadable;
    if let Some((path, why)) = unreadable.first() {
        let more = if unreadable.len() > 1 { format!(" and {} more", unreadable.len() - 1) } else { String::new() };
        let line = format!("{}{more} could not be looked at: {}", escape::path(path), escape::line(why));
        lines.push((Role::Warn, "Note", line));
    }
    let mut out = String::new();
    for (i, (role, word, line)) in lines.iter().enumerate() {
        let gap = if i == 0 { "\n" } else { "" };
        let _ = writeln!(out, "{gap}{} {line}", look.style.paint(*role, &format!("{word}:")));
    }
    out
}
