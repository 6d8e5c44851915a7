//! Records made ready for an export.
//!
//! Every text passes [`Cleaner`] on its way, so that a secret cannot slip through one of them.

use std::borrow::Cow;

use super::entries::Entry;
use super::node::Node;
use super::redact::cleaner::Cleaner;
use super::silent::is_silent;
use crate::model::export::{Block, Turn};
use crate::model::transcript::{Kind, Role};

/// Members of an object, walked once: a record may be megabytes long.
struct Members<'a>(Vec<(Cow<'a, [u8]>, Node<'a>)>);

impl<'a> Members<'a> {
    /// The last member of this name, as for the gateway.
    fn get(&self, name: &str) -> Option<Node<'a>> {
        self.0.iter().rev().find(|(key, _)| &**key == name.as_bytes()).map(|(_, value)| *value)
    }

    fn text_of(&self, name: &str) -> Option<Cow<'a, str>> {
        self.get(name)?.text()
    }
}

/// One entry. `node` is its record, if that could be read.
pub fn turn<'a>(entry: &Entry, node: Option<Node<'a>>, clean: &Cleaner) -> Turn<'a> {
    let members = Members(node.map(|node| node.members()).unwrap_or_default());
    let text = |name: &str| members.text_of(name).map(|t| clean.text(t));
    let mut turn = Turn {
        line: entry.line,
        id: members.text_of("id").map(|id| clean.id(id)),
        time: text("timestamp"),
        kind: entry.kind(),
        role: entry.role(),
        who: Cow::Borrowed(""),
        about: None,
        blocks: Vec::new(),
        failed: false,
        silent: false,
        error: None,
    };
    let Some(node) = node else {
        turn.who = Cow::Borrowed("entry that cannot be read");
        return turn;
    };
    match entry.kind() {
        Kind::Message => match members.get("message").filter(Node::is_object) {
            Some(message) => message_into(&mut turn, &message, clean),
            None => turn.who = Cow::Borrowed("message without content"),
        },
        Kind::CustomMessage => {
            turn.who = Cow::Borrowed("note to the model");
            turn.about = text("customType").map(Cow::into_owned);
            content(&mut turn, members.get("content"), clean);
        }
        Kind::Compaction | Kind::BranchSummary => {
            let compaction = entry.kind() == Kind::Compaction;
            turn.who = Cow::Borrowed(if compaction { "compaction" } else { "summary of a branch that was left" });
            let before = members.get("tokensBefore").and_then(|n| n.number()).filter(|n| *n > 0.0);
            turn.about = before.map(|n| format!("{n:.0} tokens before"));
            turn.blocks.extend(text("summary").map(Block::Text));
        }
        kind => {
            turn.who = Cow::Borrowed(match kind {
                Kind::ModelChange => "model",
                Kind::ThinkingLevel => "thinking level",
                Kind::Label => "label",
                Kind::SessionInfo => "session name",
                Kind::Leaf => "leaf moved",
                Kind::Custom => "custom entry",
                _ => "entry of an unknown type",
            });
            turn.about = note(kind, &members, clean);
        }
    }
    // What was put together of several texts is a text again.
    turn.about = turn.about.map(|about| clean.text(Cow::Owned(about)).into_owned());
    if node.missing() > 0 {
        turn.blocks.push(Block::LeftOut(node.missing()));
    }
    turn
}

/// What an entry that is no message says, in a few words.
fn note(kind: Kind, node: &Members<'_>, clean: &Cleaner) -> Option<String> {
    let text = |name: &str| node.text_of(name).map(|t| clean.text(t)).map(Cow::into_owned);
    let target = || node.text_of("targetId").map(|t| clean.id(t)).map(Cow::into_owned);
    match kind {
        Kind::ModelChange => Some(format!("{}/{}", text("provider")?, text("modelId")?)),
        Kind::ThinkingLevel => text("thinkingLevel"),
        Kind::Label => match text("label").filter(|label| !label.is_empty()) {
            Some(label) => Some(format!("{label} (on {})", target().unwrap_or_default())),
            None => Some(format!("cleared (on {})", target().unwrap_or_default())),
        },
        Kind::SessionInfo => text("name"),
        Kind::Leaf => target(),
        Kind::Custom => text("customType"),
        _ => text("type"),
    }
}

fn message_into<'a>(turn: &mut Turn<'a>, message: &Node<'a>, clean: &Cleaner) {
    let message = &Members(message.members());
    let text = |name: &str| message.text_of(name).map(|t| clean.text(t));
    match turn.role {
        Role::User => turn.who = Cow::Borrowed("user"),
        Role::Assistant => {
            turn.who = Cow::Borrowed("assistant");
            turn.about = match (text("provider"), text("model")) {
                (Some(provider), Some(model)) => Some(format!("{provider}/{model}")),
                (None, Some(model)) => Some(model.into_owned()),
                _ => None,
            };
            let stop = text("stopReason");
            turn.failed = matches!(stop.as_deref(), Some("error" | "aborted"));
            turn.error = text("errorMessage").or(stop.filter(|_| turn.failed));
        }
        Role::ToolResult => {
            turn.who = Cow::Borrowed("result");
            turn.about = text("toolName").map(Cow::into_owned);
            turn.failed = message.get("isError").and_then(|n| n.flag()) == Some(true);
        }
        Role::Bash => {
            turn.who = Cow::Borrowed("command");
            turn.about = text("command").map(Cow::into_owned);
            let code = message.get("exitCode").and_then(|n| n.number());
            turn.failed = code.is_some_and(|code| code != 0.0);
            turn.blocks.extend(text("output").filter(|t| !t.is_empty()).map(Block::Text));
        }
        Role::Custom | Role::Hook => {
            turn.who = Cow::Borrowed("note to the model");
            turn.about = text("customType").map(Cow::into_owned);
        }
        Role::System => turn.who = Cow::Borrowed("system"),
        Role::Other | Role::None => {
            turn.who = text("role").unwrap_or(Cow::Borrowed("message without a role"));
        }
    }
    content(turn, message.get("content"), clean);
    turn.silent = turn.role == Role::Assistant && says_nothing(&turn.blocks);
}

/// The whole answer is the token that nothing is to be said.
fn says_nothing(blocks: &[Block<'_>]) -> bool {
    let mut texts = blocks.iter().filter_map(|b| if let Block::Text(t) = b { Some(t) } else { None });
    texts.next().is_some_and(|t| is_silent(t)) && texts.next().is_none()
}

fn content<'a>(turn: &mut Turn<'a>, content: Option<Node<'a>>, clean: &Cleaner) {
    let Some(content) = content else { return };
    if let Some(text) = content.text() {
        turn.blocks.push(Block::Text(clean.text(text)));
        return;
    }
    for item in content.items() {
        if let Some(text) = item.text() {
            turn.blocks.push(Block::Text(clean.text(text)));
        } else if item.is_object() {
            turn.blocks.push(block(&item, clean));
        }
    }
}

fn block<'a>(item: &Node<'a>, clean: &Cleaner) -> Block<'a> {
    let text = |name: &str| item.text_of(name).map(|t| clean.text(t));
    let kind = text("type").unwrap_or(Cow::Borrowed("block without a type"));
    let found = match &*kind {
        "text" | "input_text" | "output_text" => text("text").map(Block::Text),
        "thinking" => text("thinking").map(Block::Thinking),
        "redacted_thinking" => Some(Block::Thinking(Cow::Borrowed("(redacted by the provider)"))),
        "image" => {
            let data = item.get("data");
            Some(Block::Image {
                mime: text("mimeType").unwrap_or(Cow::Borrowed("image")),
                data: data.filter(|d| d.missing() == 0).and_then(|d| d.raw_text()).and_then(|d| clean.data(d)),
                bytes: data.map_or(0, |d| d.size().saturating_sub(2)),
            })
        }
        "toolCall" | "toolUse" | "functionCall" | "tool_call" | "tool_use" | "function_call" => {
            let arguments = item.get("arguments").or_else(|| item.get("input"));
            Some(Block::Call {
                name: text("name").unwrap_or(Cow::Borrowed("unnamed tool")),
                arguments: arguments.map(|a| clean.json(&a)).unwrap_or_default(),
            })
        }
        _ => None,
    };
    found.unwrap_or(Block::Other { kind, bytes: item.size() })
}
