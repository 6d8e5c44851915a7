//! From a text and the value it is to have, to the splices that bring it there.
//!
//! Objects are compared member by member. What leaves and comes back elsewhere with the same value is carried over as it
//! was written. Comments never leave: those of a member that goes, and that go nowhere with it, stay where it was.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::layout::{Layout, before_blanks, begins_line, indent_of, line_end, line_start, skip_blanks};
use super::render::{Pool, Writer, key_text};
use super::tree::{Item, Kind, Member, Node, Span, Tree};

use crate::order::Order as _;

/// One replacement of bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Splice {
    /// Bytes that go.
    pub span: Span,
    /// Text that comes.
    pub text: String,
}

/// The splices that turn `text` into one with the value `wanted`; in order, not overlapping.
///
/// # Errors
/// Two changes fall on the same bytes (which one shows the words).
pub fn splices(text: &str, tree: &Tree, wanted: &Value) -> Result<Vec<Splice>, &'static str> {
    let layout = Layout::of(text, tree);
    let mut edits = Vec::new();
    compare(&tree.root, wanted, &mut edits);
    let mut pool = Pool::new(text, tree);
    for edit in &edits {
        edit.leaving().for_each(|node| pool.add(node));
    }
    let mut out = Vec::new();
    {
        let mut writer = Writer { layout: &layout, pool: &mut pool };
        for edit in &edits {
            edit.arrivals(text, &layout, &mut writer, &mut out);
        }
    }
    let rest = Rest { text, tree, carried: &pool.carried, layout: &layout };
    for edit in &edits {
        rest.departures(edit, &mut out);
    }
    out.order_by_key(|s| (s.span.start, s.span.end));
    match out.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start) {
        true => Ok(out),
        false => Err("two changes fall on the same bytes"),
    }
}

/// The text with the splices done.
pub fn apply(text: &str, splices: &[Splice]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for splice in splices {
        out.push_str(&text[from..splice.span.start]);
        out.push_str(&splice.text);
        from = splice.span.end;
    }
    out.push_str(&text[from..]);
    out
}

/// A difference at one node.
enum Edit<'t> {
    Object {
        node: &'t Node,
        members: &'t [Member],
        remove: BTreeSet<usize>,
        rename: Vec<(usize, String)>,
        add: Vec<(String, Value)>,
    },
    Array {
        node: &'t Node,
        items: &'t [Item],
        remove: BTreeSet<usize>,
        add: Vec<Value>,
    },
    Replace {
        node: &'t Node,
        value: Value,
    },
}

fn compare<'t>(node: &'t Node, wanted: &Value, edits: &mut Vec<Edit<'t>>) {
    if node.value() == *wanted {
        return;
    }
    match (&node.kind, wanted) {
        (Kind::Object(members), Value::Object(map)) => compare_objects(node, members, map, edits),
        (Kind::Array(items), Value::Array(values)) => compare_arrays(node, items, values, edits),
        _ => edits.push(Edit::Replace { node, value: wanted.clone() }),
    }
}

fn compare_objects<'t>(node: &'t Node, members: &'t [Member], wanted: &Map<String, Value>, edits: &mut Vec<Edit<'t>>) {
    let counts = |at: usize| !members[at + 1..].iter().any(|later| later.key == members[at].key);
    let once = |key: &str| members.iter().filter(|m| m.key == key).count() == 1;
    let mut remove: BTreeSet<usize> = BTreeSet::new();
    for (at, member) in members.iter().enumerate() {
        match wanted.get(&member.key) {
            None => drop(remove.insert(at)),
            Some(value) if counts(at) => compare(&member.value, value, edits),
            Some(_) => {}
        }
    }
    let mut add: Vec<(String, Value)> = wanted
        .iter()
        .filter(|(key, _)| !members.iter().any(|m| m.key == **key))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    let mut rename = Vec::new();
    for at in remove.clone() {
        let old = members[at].value.value();
        let same = add.iter().position(|(_, value)| *value == old).filter(|_| once(&members[at].key));
        if let Some(new) = same {
            rename.push((at, add.remove(new).0));
            remove.remove(&at);
        }
    }
    if !(remove.is_empty() && rename.is_empty() && add.is_empty()) {
        edits.push(Edit::Object { node, members, remove, rename, add });
    }
}

fn compare_arrays<'t>(node: &'t Node, items: &'t [Item], wanted: &[Value], edits: &mut Vec<Edit<'t>>) {
    if wanted.len() >= items.len() {
        for (item, value) in items.iter().zip(wanted) {
            compare(&item.value, value, edits);
        }
        let add = wanted[items.len()..].to_vec();
        if !add.is_empty() {
            edits.push(Edit::Array { node, items, remove: BTreeSet::new(), add });
        }
        return;
    }
    let mut left = wanted.iter().peekable();
    let mut remove = BTreeSet::new();
    for (at, item) in items.iter().enumerate() {
        if left.peek().is_some_and(|value| **value == item.value.value()) {
            left.next();
        } else {
            remove.insert(at);
        }
    }
    match left.peek() {
        None => edits.push(Edit::Array { node, items, remove, add: Vec::new() }),
        Some(_) => edits.push(Edit::Replace { node, value: Value::Array(wanted.to_vec()) }),
    }
}

/// A member or an element: where it stands.
#[derive(Debug, Clone, Copy)]
struct Entry {
    start: usize,
    end: usize,
    comma: Option<usize>,
}

impl Entry {
    /// Behind the comma, if it has one.
    fn last(self) -> usize {
        self.comma.map_or(self.end, |comma| comma + 1)
    }
}

impl<'t> Edit<'t> {
    /// Values that leave their place.
    fn leaving(&self) -> Box<dyn Iterator<Item = &'t Node> + '_> {
        match self {
            Self::Object { members, remove, .. } => Box::new(remove.iter().map(|at| &members[*at].value)),
            Self::Array { items, remove, .. } => Box::new(remove.iter().map(|at| &items[*at].value)),
            Self::Replace { node, .. } => Box::new(std::iter::once(*node)),
        }
    }

    fn entries(&self) -> Vec<Entry> {
        match self {
            Self::Object { members, .. } => {
                let of = |m: &Member| Entry { start: m.key_span.start, end: m.value.span.end, comma: m.comma };
                members.iter().map(of).collect()
            }
            Self::Array { items, .. } => {
                let of = |i: &Item| Entry { start: i.value.span.start, end: i.value.span.end, comma: i.comma };
                items.iter().map(of).collect()
            }
            Self::Replace { .. } => Vec::new(),
        }
    }

    fn removed(&self) -> &BTreeSet<usize> {
        const NONE: &BTreeSet<usize> = &BTreeSet::new();
        match self {
            Self::Object { remove, .. } | Self::Array { remove, .. } => remove,
            Self::Replace { .. } => NONE,
        }
    }

    fn adds(&self) -> bool {
        match self {
            Self::Object { add, .. } => !add.is_empty(),
            Self::Array { add, .. } => !add.is_empty(),
            Self::Replace { .. } => false,
        }
    }

    /// Splices of what comes.
    fn arrivals(&self, text: &str, layout: &Layout, writer: &mut Writer<'_, '_>, out: &mut Vec<Splice>) {
        match self {
            // Comments of the old value are put before the new one later, when it is known which of them went along.
            Self::Replace { node, value } => {
                let lines = text[node.span.clone()].contains('\n');
                let new = writer.value(value, indent_of(text, node.span.start), lines);
                out.push(Splice { span: node.span.clone(), text: new });
            }
            Self::Object { node, members, rename, add, .. } => {
                for (at, key) in rename {
                    let span = members[*at].key_span.clone();
                    let old = &text[span.clone()];
                    let quote = old.chars().next().filter(|c| matches!(c, '"' | '\''));
                    let new = key_text(key, quote.is_none(), quote.unwrap_or(layout.quote));
                    out.push(Splice { span, text: new });
                }
                if add.is_empty() {
                    return;
                }
                let style = KeyStyle::of(text, layout, members);
                let place = Place::find(text, node, &self.entries(), self.removed(), layout);
                let new = add.iter().map(|(key, value)| {
                    let value = writer.value(value, &place.indent, place.lines);
                    format!("{}{}{value}", key_text(key, style.bare, style.quote), style.colon)
                });
                place.insert(new.collect(), layout, out);
            }
            Self::Array { node, add, .. } => {
                if add.is_empty() {
                    return;
                }
                let place = Place::find(text, node, &self.entries(), self.removed(), layout);
                let new = add.iter().map(|value| writer.value(value, &place.indent, place.lines)).collect();
                place.insert(new, layout, out);
            }
        }
    }
}

/// How an object writes its keys.
struct KeyStyle {
    bare: bool,
    quote: char,
    colon: &'static str,
}

impl KeyStyle {
    fn of(text: &str, layout: &Layout, members: &[Member]) -> Self {
        let Some(last) = members.last() else {
            return Self { bare: layout.bare_keys, quote: layout.quote, colon: ": " };
        };
        let keys = || members.iter().map(|m| &text[m.key_span.clone()]);
        let quote = keys().find_map(|key| key.chars().next().filter(|c| matches!(c, '"' | '\'')));
        let tight = text[last.key_span.end..last.value.span.start] == *":";
        Self {
            bare: keys().any(|key| !key.starts_with(['"', '\''])),
            quote: quote.unwrap_or(layout.quote),
            colon: if tight { ":" } else { ": " },
        }
    }
}

/// Where new entries go.
struct Place {
    at: usize,
    /// Position of a value that needs a comma now.
    comma: Option<usize>,
    /// Each on a line of its own.
    lines: bool,
    indent: String,
    /// The last one gets a comma too.
    trailing: bool,
    /// What stands before each when they share a line.
    gap: &'static str,
    /// What stands behind the last when they share a line.
    end: &'static str,
}

impl Place {
    fn find(text: &str, node: &Node, entries: &[Entry], removed: &BTreeSet<usize>, layout: &Layout) -> Self {
        let trailing = entries.last().is_some_and(|e| e.comma.is_some());
        let kept = (0..entries.len()).rev().find(|at| !removed.contains(at)).map(|at| entries[at]);
        if let Some(kept) = kept {
            let lines = begins_line(text, kept.start);
            let tight = match entries {
                [only] => only.start == node.span.start + 1 && matches!(node.kind, Kind::Object(_)),
                [first, second, ..] => second.start == first.last(),
                [] => false,
            };
            return Self {
                at: if lines { behind_comments(text, kept.last()) } else { kept.last() },
                comma: kept.comma.is_none().then_some(kept.end),
                lines,
                indent: indent_of(text, kept.start).to_owned(),
                trailing,
                gap: if tight && !lines { "" } else { " " },
                end: "",
            };
        }
        let open = node.span.start + 1;
        let inner = &text[open..node.span.end - 1];
        let lines = inner.contains(['\n', '\r']);
        Self {
            at: if lines { behind_comments(text, open) } else { open },
            comma: None,
            lines,
            indent: format!("{}{}", indent_of(text, node.span.start), if lines { layout.unit.as_str() } else { "" }),
            trailing,
            gap: if text[node.span.clone()].starts_with('{') { " " } else { "" },
            end: if inner.is_empty() && text[node.span.clone()].starts_with('{') { " " } else { "" },
        }
    }

    fn insert(&self, new: Vec<String>, layout: &Layout, out: &mut Vec<Splice>) {
        let before = if self.lines { format!("{}{}", layout.eol, self.indent) } else { self.gap.to_owned() };
        let joined: Vec<String> = new.iter().map(|entry| format!("{before}{entry}")).collect();
        let mut text = joined.join(",");
        if self.trailing {
            text.push(',');
        }
        text.push_str(self.end);
        match self.comma {
            Some(comma) if comma == self.at => {
                text.insert(0, ',');
                out.push(Splice { span: comma..comma, text });
            }
            Some(comma) => {
                out.push(Splice { span: comma..comma, text: ",".to_owned() });
                out.push(Splice { span: self.at..self.at, text });
            }
            None => out.push(Splice { span: self.at..self.at, text }),
        }
    }
}

/// Behind the comments that follow in the same line.
fn behind_comments(text: &str, at: usize) -> usize {
    let mut end = at;
    loop {
        let next = skip_blanks(text, end);
        let rest = &text[next..];
        if rest.starts_with("//") {
            return next + rest.find(['\n', '\r', '\u{2028}', '\u{2029}']).unwrap_or(rest.len());
        }
        match rest.strip_prefix("/*").and_then(|body| body.find("*/")) {
            Some(len) if !rest[..len + 4].contains(['\n', '\r']) => end = next + len + 4,
            _ => return end,
        }
    }
}

/// What is left of things that go.
struct Rest<'a> {
    text: &'a str,
    tree: &'a Tree,
    carried: &'a [Span],
    layout: &'a Layout,
}

impl Rest<'_> {
    /// Comments inside `span` that were not carried elsewhere.
    fn comments(&self, span: &Span) -> Vec<&str> {
        let inside = |outer: &Span, c: &Span| outer.start <= c.start && c.end <= outer.end;
        let stay = |c: &&Span| inside(span, c) && !self.carried.iter().any(|carried| inside(carried, c));
        self.tree.comments.iter().filter(stay).map(|c| &self.text[c.clone()]).collect()
    }

    fn departures(&self, edit: &Edit<'_>, out: &mut Vec<Splice>) {
        if let Edit::Replace { node, .. } = edit {
            let before = self.inline(&self.comments(&node.span), indent_of(self.text, node.span.start));
            if let Some(splice) = out.iter_mut().find(|s| s.span == node.span) {
                splice.text.insert_str(0, &before);
            }
            return;
        }
        let entries = edit.entries();
        let removed = edit.removed();
        for group in groups(removed) {
            self.group(&entries[group.0], &entries[group.1], out);
        }
        self.last_comma(&entries, removed, edit.adds(), out);
    }

    /// Comments before something in the same line.
    fn inline(&self, comments: &[&str], indent: &str) -> String {
        let one = |c: &&str| match c.starts_with("//") {
            true => format!("{c}{}{indent}", self.layout.eol),
            false => format!("{c} "),
        };
        comments.iter().map(one).collect()
    }

    /// Takes neighbours away, from the first to the last.
    fn group(&self, first: &Entry, last: &Entry, out: &mut Vec<Splice>) {
        let text = self.text;
        let comments = self.comments(&(first.start..last.last()));
        let indent = indent_of(text, first.start);
        let behind = skip_blanks(text, last.last());
        let eol = self.layout.eol;
        if !begins_line(text, first.start) {
            // A line comment that stays needs the end of its line.
            let before: String = comments
                .iter()
                .map(|c| if c.starts_with("//") { format!(" {c}{eol}{indent}") } else { format!(" {c}") })
                .collect();
            out.push(Splice { span: before_blanks(text, first.start)..last.last(), text: before });
        } else if let Some(len) = line_end(text, behind) {
            let lines: String = comments.iter().map(|c| format!("{indent}{c}{eol}")).collect();
            out.push(Splice { span: line_start(text, first.start)..behind + len, text: lines });
        } else {
            out.push(Splice { span: first.start..behind, text: self.inline(&comments, indent) });
        }
    }

    /// The comma of what is last now, if the text has none behind its last entries.
    fn last_comma(&self, entries: &[Entry], removed: &BTreeSet<usize>, adds: bool, out: &mut Vec<Splice>) {
        let Some(last) = entries.last().filter(|_| !adds) else { return };
        if last.comma.is_some() || !removed.contains(&(entries.len() - 1)) {
            return;
        }
        let kept = (0..entries.len()).rev().find(|at| !removed.contains(at));
        if let Some(comma) = kept.and_then(|at| entries[at].comma) {
            out.push(Splice { span: comma..comma + 1, text: String::new() });
        }
    }
}

/// Runs of neighbours: first and last position.
fn groups(removed: &BTreeSet<usize>) -> Vec<(usize, usize)> {
    let mut groups: Vec<(usize, usize)> = Vec::new();
    for &at in removed {
        match groups.last_mut() {
            Some((_, last)) if *last + 1 == at => *last = at,
            _ => groups.push((at, at)),
        }
    }
    groups
}
