//! What the model is given next turn (spec/transcripts.md 1.6).
//!
//! Which entries those are follows from the path to the leaf: all messages of it, or, once it was compacted, the summary, the
//! messages from the first one that the compaction kept, and what came after. Only the last compaction of the path counts.

use std::io;

use super::entries::{NO_MESSAGE, NULL};
use super::estimate;
use super::node::Node;
use super::reader::Records;
use super::tree::{Path, Tree};
use super::usage::{self, Usage};
use crate::model::transcript::{Kind, Role};

/// One message of the context.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    /// Position of its entry.
    pub at: u32,
    /// Its role, as the gateway calls it; `None` for a message without one.
    pub role: Option<String>,
    /// Estimated characters and tokens.
    pub chars: u64,
    /// Estimated tokens.
    pub tokens: u64,
    /// Images in it.
    pub images: u64,
    /// What the provider reported for it, if it is an answer.
    pub usage: Option<Usage>,
    /// The provider ended it with an error, or it was aborted.
    pub failed: bool,
    /// It is not sent to the provider (a command that was run outside of the conversation).
    pub left_out: bool,
}

impl Message {
    /// One of which nothing can be read.
    pub fn nothing(at: u32) -> Self {
        Self { at, role: None, chars: 0, tokens: 0, images: 0, usage: None, failed: false, left_out: false }
    }
}

/// The context.
#[derive(Debug, Clone, Default)]
pub struct Context {
    /// The way from the root to the leaf.
    pub path: Path,
    /// Positions of the entries that are sent, in order. Their messages are read again by whoever shows them ([`read`]): of
    /// a conversation of gigabytes they alone would not fit in the memory that a command may take.
    pub sent: Vec<u32>,
    /// Estimated tokens of all that is sent.
    pub estimated: u64,
    /// Tokens as the gateway counts them before it decides to compact: what the provider reported last, and estimates of
    /// what came after. `None` without a report.
    pub reported: Option<u64>,
    /// Thinking level in force.
    pub thinking_level: String,
    /// Provider and model in force.
    pub model: Option<(Option<String>, Option<String>)>,
    /// The compaction that counts: its place on the path.
    pub compaction: Option<usize>,
    /// The first place on the path that it keeps; `None`: nothing before it.
    pub kept_from: Option<usize>,
    /// Estimated tokens of every entry of the path; 0 for those that an earlier compaction took out.
    pub path_tokens: Vec<u32>,
    /// Where the next compaction begins to summarise.
    pub next_from: usize,
    /// How many messages the compaction took out; what earlier ones took out is not counted.
    pub dropped: u64,
    /// Their estimated tokens.
    pub dropped_tokens: u64,
    /// A record of type `message` without a message: the gateway stops with an error there.
    pub breaks_at: Option<u32>,
}

impl Context {
    /// Counts a message that is sent.
    fn take(&mut self, message: &Message) {
        self.sent.push(message.at);
        self.estimated += message.tokens;
        self.reported = match message.usage.filter(|_| !message.failed) {
            Some(usage) => Some(usage.context()),
            None => self.reported.map(|tokens| tokens + message.tokens),
        };
    }
}

/// The last compaction among the first `until` entries of a path, and the place of the entry that it keeps from, which may
/// also be itself or behind it.
fn compaction(tree: &Tree<'_>, path: &Path, until: usize) -> (Option<usize>, Option<usize>) {
    let kind = |at: &u32| tree.index.entries.get(*at).kind();
    let place = path.entries[..until].iter().rposition(|at| kind(at) == Kind::Compaction);
    let Some(place) = place else { return (None, None) };
    let number = tree.index.entries.dropped + u64::from(path.entries[place]);
    let found = tree.index.compactions.binary_search_by_key(&number, |c| c.at).ok();
    let kept = found.and_then(|n| tree.index.compactions[n].kept);
    (Some(place), kept.and_then(|id| path.entries.iter().position(|at| tree.index.entries.get(*at).id == id)))
}

/// Builds the context of the leaf.
///
/// # Errors
/// What reading gives.
pub fn build(tree: &Tree<'_>, records: &mut Records<'_>) -> io::Result<Context> {
    let path = tree.path(tree.leaf().context());
    let (compaction, kept) = self::compaction(tree, &path, path.entries.len());
    let kept_from = kept.filter(|kept| compaction.is_some_and(|place| *kept < place));
    // What earlier compactions took out is long gone: the last one took out what came after.
    let (earlier, earlier_kept) = self::compaction(tree, &path, compaction.unwrap_or(0));
    let earlier_kept = earlier_kept.filter(|kept| earlier.is_some_and(|place| *kept < place));
    let begin = earlier.map_or(0, |place| earlier_kept.unwrap_or(place + 1));
    let begin = kept_from.map_or(begin, |kept| kept.min(begin));
    let mut context = Context {
        compaction,
        kept_from,
        next_from: compaction.map_or(0, |c| kept.unwrap_or(c + 1)),
        thinking_level: "off".to_owned(),
        ..Context::default()
    };
    settings(&mut context, tree, &path, records)?;
    if let Some(place) = compaction
        && let Some(message) = read(tree, path.entries[place], records)?
    {
        context.take(&message);
    }
    for (place, at) in path.entries.iter().enumerate() {
        let entry = tree.index.entries.get(*at);
        if entry.is(NO_MESSAGE) || entry.is(NULL) {
            context.breaks_at = context.breaks_at.or(Some(*at));
        }
        context.path_tokens.push(0);
        if place < begin || !matches!(entry.kind(), Kind::Message | Kind::CustomMessage | Kind::BranchSummary) {
            continue;
        }
        let Some(message) = read(tree, *at, records)? else { continue };
        context.path_tokens[place] = u32::try_from(message.tokens).unwrap_or(u32::MAX);
        let sent = compaction.is_none_or(|c| place > c || kept_from.is_some_and(|from| place >= from && place < c));
        if sent {
            context.take(&message);
        } else {
            context.dropped += 1;
            context.dropped_tokens += message.tokens;
        }
    }
    context.path = path;
    Ok(context)
}

/// Thinking level and model: each the last one of the path.
fn settings(context: &mut Context, tree: &Tree<'_>, path: &Path, records: &mut Records<'_>) -> io::Result<()> {
    let entry = |at: &&u32| *tree.index.entries.get(**at);
    let last =
        |wanted: &dyn Fn(&super::entries::Entry) -> bool| path.entries.iter().rev().find(|at| wanted(&entry(at)));
    if let Some(at) = last(&|e| e.kind() == Kind::ThinkingLevel) {
        records.at(tree.index.entries.get(*at), |node| {
            if let Some(level) = node.and_then(|n| n.text_of("thinkingLevel").map(|t| t.into_owned())) {
                context.thinking_level = level;
            }
        })?;
    }
    let sets_model = |e: &super::entries::Entry| e.kind() == Kind::ModelChange || e.role() == Role::Assistant;
    if let Some(at) = last(&sets_model) {
        let from_message = tree.index.entries.get(*at).kind() == Kind::Message;
        records.at(tree.index.entries.get(*at), |node| {
            let node = if from_message { node.and_then(|n| n.get("message")) } else { node };
            let text = |name: &str| node.and_then(|n| n.text_of(name).map(|t| t.into_owned()));
            context.model = Some((text("provider"), text(if from_message { "model" } else { "modelId" })));
        })?;
    }
    Ok(())
}

/// One entry as a message. `None` for what is none: a summary without text, a record without a message.
pub fn read(tree: &Tree<'_>, at: u32, records: &mut Records<'_>) -> io::Result<Option<Message>> {
    let entry = tree.index.entries.get(at);
    let kind = entry.kind();
    let old = tree.index.version() < 3;
    records.at(entry, |node| node.and_then(|node| message(at, kind, old, &node)))
}

fn message(at: u32, kind: Kind, old: bool, node: &Node<'_>) -> Option<Message> {
    let mut out = Message::nothing(at);
    match kind {
        Kind::Message => {
            let message = node.get("message").filter(Node::is_object)?;
            let role = message.text_of("role").map(|role| role.into_owned());
            out.role = role.map(|role| if old && role == "hookMessage" { "custom".to_owned() } else { role });
            out.chars = estimate::message_chars(&message, out.role.as_deref().unwrap_or_default());
            out.images = message.get("content").map_or(0, |content| images(&content));
            let stop = message.text_of("stopReason");
            out.failed = matches!(stop.as_deref(), Some("error" | "aborted"));
            let answer = out.role.as_deref() == Some("assistant");
            out.usage = message.get("usage").filter(|_| answer).and_then(|usage| usage::of(&usage));
            out.left_out = message.get("excludeFromContext").and_then(|flag| flag.flag()) == Some(true);
        }
        Kind::CustomMessage => {
            let content = node.get("content");
            out.role = Some("custom".to_owned());
            out.chars = content.map_or(0, |content| estimate::text_chars(&content, 4800));
            out.images = content.map_or(0, |content| images(&content));
        }
        Kind::BranchSummary => {
            out.chars = estimate::chars_of(node, "summary");
            out.role = Some("branchSummary".to_owned());
            if out.chars == 0 {
                return None;
            }
        }
        Kind::Compaction => {
            out.chars = estimate::chars_of(node, "summary");
            out.role = Some("compactionSummary".to_owned());
        }
        _ => return None,
    }
    out.tokens = estimate::tokens(out.chars);
    Some(out)
}

fn images(content: &Node<'_>) -> u64 {
    content.items().iter().filter(|part| part.text_of("type").as_deref() == Some("image")).count() as u64
}
