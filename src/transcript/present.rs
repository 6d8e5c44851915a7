//! A record as it is shown.
//!
//! Lenient: what has another type than expected reads as absent. Content of images is never taken over, only its size.

use super::entries::{Entry, NON_OBJECT, RECOVERED};
use super::node::Node;
use super::silent::is_silent;
use super::usage;
use crate::model::conversation::{Item, Part};
use crate::model::transcript::Kind;

/// Names that blocks of a call go by; the first is the gateway's own.
const CALLS: [&str; 6] = ["toolCall", "toolUse", "functionCall", "tool_call", "tool_use", "function_call"];

/// Shows an entry. `old`: the file has a version before 3.
pub fn item(entry: &Entry, node: Option<Node<'_>>, active: bool, old: bool) -> Item {
    let mut item = Item {
        kind: entry.kind().as_str().to_owned(),
        line: Some(u64::from(entry.line)).filter(|line| *line > 0),
        offset: entry.offset(),
        bytes: u64::from(entry.len),
        active,
        recovered: entry.is(RECOVERED),
        ..Item::default()
    };
    let Some(node) = node else { return item };
    if entry.is(NON_OBJECT) {
        item.kind = "value".to_owned();
        item.parts.push(Part::Text { text: String::from_utf8_lossy(node.raw()).into_owned() });
        return item;
    }
    if let Some(kind) = node.text_of("type") {
        item.kind = kind.into_owned();
    }
    item.left_out = node.missing();
    item.id = id(&node, "id");
    item.parent_id = id(&node, "parentId");
    item.timestamp = text(&node, "timestamp");
    body(&mut item, entry.kind(), &node, old);
    item
}

/// An id as text: a string as it is, anything else as it is written.
pub fn id(node: &Node<'_>, name: &str) -> Option<String> {
    let value = node.get(name).filter(|value| !value.is_null())?;
    Some(value.text().map_or_else(|| String::from_utf8_lossy(value.raw()).into_owned(), |text| text.into_owned()))
}

fn text(node: &Node<'_>, name: &str) -> Option<String> {
    node.text_of(name).map(|text| text.into_owned())
}

fn body(item: &mut Item, kind: Kind, node: &Node<'_>, old: bool) {
    match kind {
        Kind::Message => {
            if let Some(inner) = node.get("message").filter(Node::is_object) {
                message(item, &inner, old);
            }
        }
        Kind::CustomMessage => {
            item.role = Some("custom".to_owned());
            item.value = text(node, "customType");
            item.parts = node.get("content").map(|content| parts(&content)).unwrap_or_default();
        }
        Kind::Compaction | Kind::BranchSummary => {
            let summary = text(node, "summary");
            item.parts = summary.map(|text| Part::Text { text }).into_iter().collect();
            item.first_kept_entry_id = id(node, "firstKeptEntryId");
            item.tokens_before =
                node.get("tokensBefore").and_then(|n| n.number()).filter(|n| *n >= 0.0).map(|n| n as u64);
            item.target_id = id(node, "fromId");
        }
        Kind::ModelChange => {
            item.provider = text(node, "provider");
            item.model = text(node, "modelId");
        }
        Kind::ThinkingLevel => item.value = text(node, "thinkingLevel"),
        Kind::Label => {
            item.target_id = id(node, "targetId");
            item.value = text(node, "label");
        }
        Kind::SessionInfo => item.value = text(node, "name"),
        Kind::Custom => item.value = text(node, "customType"),
        Kind::Leaf => item.target_id = id(node, "targetId"),
        Kind::Session | Kind::Unknown => {}
    }
}

fn message(item: &mut Item, message: &Node<'_>, old: bool) {
    let role = text(message, "role");
    item.role = role.map(|role| if old && role == "hookMessage" { "custom".to_owned() } else { role });
    item.parts = message.get("content").map(|content| parts(&content)).unwrap_or_default();
    match item.role.as_deref() {
        Some("assistant") => {
            item.provider = text(message, "provider");
            item.model = text(message, "model");
            item.stop_reason = text(message, "stopReason");
            item.error = text(message, "errorMessage");
            item.usage = message.get("usage").and_then(|usage| usage::of(&usage));
            item.silent = silent(&item.parts);
        }
        Some("toolResult") => {
            item.tool = text(message, "toolName");
            item.call_id = text(message, "toolCallId");
            item.failed = message.get("isError").and_then(|flag| flag.flag());
        }
        Some("bashExecution") => {
            item.value = text(message, "command");
            item.parts = text(message, "output").map(|text| Part::Text { text }).into_iter().collect();
            item.failed = message.get("exitCode").and_then(|code| code.number()).map(|code| code != 0.0);
        }
        Some("custom") => item.value = text(message, "customType"),
        _ => {}
    }
}

fn silent(parts: &[Part]) -> bool {
    let mut all = String::new();
    for part in parts {
        match part {
            Part::Text { text } => all.push_str(text),
            Part::Thinking { .. } => {}
            _ => return false,
        }
    }
    is_silent(&all)
}

/// Content: text, or a list of blocks.
fn parts(content: &Node<'_>) -> Vec<Part> {
    if let Some(text) = content.text() {
        return vec![Part::Text { text: with_note(text.into_owned(), content) }];
    }
    content.items().iter().map(part).collect()
}

fn with_note(mut text: String, node: &Node<'_>) -> String {
    let missing = node.missing();
    if missing > 0 {
        text.push_str(&format!(" [... {missing} more bytes]"));
    }
    text
}

fn part(block: &Node<'_>) -> Part {
    let kind = block.text_of("type").unwrap_or_default();
    let text_part = |name: &str| block.get(name).and_then(|value| Some(with_note(value.text()?.into_owned(), &value)));
    match &*kind {
        "text" | "output_text" | "input_text" => {
            if let Some(text) = text_part("text") {
                return Part::Text { text };
            }
        }
        "thinking" => {
            if let Some(text) = text_part("thinking") {
                return Part::Thinking { text };
            }
        }
        "image" => {
            let data = block.get("data").map_or(0, |data| data.size().saturating_sub(2));
            return Part::Image { mime_type: text(block, "mimeType"), bytes: data / 4 * 3 };
        }
        _ if CALLS.contains(&&*kind) => {
            let arguments = block.get("arguments").or_else(|| block.get("input"));
            return Part::ToolCall {
                id: text(block, "id"),
                name: text(block, "name").unwrap_or_default(),
                arguments: arguments.map_or(serde_json::Value::Null, |a| a.to_json()),
            };
        }
        _ => {}
    }
    Part::Other { kind: kind.into_owned(), bytes: block.size() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::entries::Place;
    use crate::transcript::record::{Line, line};

    fn shown(text: &str) -> Item {
        let Line::Record(record) = line(text.as_bytes()) else { panic!("{text}") };
        let entry = Entry::new(&record, Place { at: 0, len: text.len() as u64, line: 1 }, 0);
        item(&entry, Node::new(text.as_bytes(), &[]), true, false)
    }

    #[test]
    fn messages_have_parts() {
        let item = shown(
            r#"{"type":"message","id":"a","parentId":7,"message":{"role":"assistant","model":"m","stopReason":"toolUse",
            "content":[{"type":"thinking","thinking":"hm"},{"type":"tool_use","id":"c","name":"exec","input":{"x":1}},
            {"type":"image","data":"AAAAAAAA","mimeType":"image/png"},{"type":"redacted_thinking","data":"z"},{"type":"text"}]}}"#,
        );
        assert_eq!(
            (item.id.as_deref(), item.parent_id.as_deref(), item.model.as_deref()),
            (Some("a"), Some("7"), Some("m"))
        );
        assert!(matches!(&item.parts[0], Part::Thinking { text } if text == "hm"));
        assert!(
            matches!(&item.parts[1], Part::ToolCall { name, arguments, .. } if name == "exec" && arguments["x"] == 1)
        );
        assert!(matches!(&item.parts[2], Part::Image { bytes: 6, .. }));
        assert!(matches!(&item.parts[3], Part::Other { kind, .. } if kind == "redacted_thinking"));
        assert!(matches!(&item.parts[4], Part::Other { kind, .. } if kind == "text"));
        assert!(!item.silent);
        assert!(
            shown(
                r#"{"type":"message","message":{"role":"assistant","content":[{"type":"text","text":" no_reply"}]}}"#
            )
            .silent
        );
        assert_eq!(shown(r#"{"type":"message","message":null}"#).role, None);
    }

    #[test]
    fn other_entries_say_what_they_are() {
        let c = shown(r#"{"type":"compaction","id":"c","summary":"s","firstKeptEntryId":"k","tokensBefore":12}"#);
        assert_eq!((c.first_kept_entry_id.as_deref(), c.tokens_before), (Some("k"), Some(12)));
        assert_eq!(shown(r#"{"type":"label","targetId":"a","label":"x"}"#).value.as_deref(), Some("x"));
        assert_eq!(shown(r#"{"type":"future_thing","id":"a"}"#).kind, "future_thing");
    }
}
