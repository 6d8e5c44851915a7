//! Tokens of a message, estimated as the gateway estimates them: a quarter of the characters (spec/transcripts.md 4.5).
//!
//! Characters are UTF-16 units, because that is what its language counts. The number decides when to compact; it is no bill.

use super::node::Node;

/// What an image counts as, in characters.
const IMAGE: u64 = 4800;

/// Tokens for so many characters.
pub fn tokens(chars: u64) -> u64 {
    chars.div_ceil(4)
}

/// Characters of a `message` object that count, for the role that it has to the gateway.
pub fn message_chars(message: &Node<'_>, role: &str) -> u64 {
    let content = message.get("content");
    match role {
        "user" => content.map_or(0, |content| text_chars(&content, 0)),
        "assistant" => content.map_or(0, |content| content.items().iter().map(call_or_text).sum()),
        "toolResult" | "custom" => content.map_or(0, |content| text_chars(&content, IMAGE)),
        "bashExecution" => chars_of(message, "command") + chars_of(message, "output"),
        "branchSummary" | "compactionSummary" => chars_of(message, "summary"),
        _ => 0,
    }
}

/// Characters of content that is text or a list of parts, each image counting so much.
pub fn text_chars(content: &Node<'_>, image: u64) -> u64 {
    if content.raw_text().is_some() {
        return units(content);
    }
    let part = |part: &Node<'_>| match part.text_of("type").as_deref() {
        Some("text") => chars_of(part, "text"),
        Some("image") => image,
        _ => 0,
    };
    content.items().iter().map(part).sum()
}

fn call_or_text(part: &Node<'_>) -> u64 {
    match part.text_of("type").as_deref() {
        Some("text") => chars_of(part, "text"),
        Some("thinking") => chars_of(part, "thinking"),
        Some("toolCall") => chars_of(part, "name") + part.get("arguments").map_or(0, |args| compact_units(&args)),
        _ => 0,
    }
}

/// Characters of a text member.
pub fn chars_of(node: &Node<'_>, name: &str) -> u64 {
    node.get(name).map_or(0, |value| units(&value))
}

/// UTF-16 units of a string; of what was left out each byte counts as one.
pub fn units(node: &Node<'_>) -> u64 {
    node.raw_text().map_or(0, |raw| raw_units(raw) + node.missing())
}

fn raw_units(raw: &[u8]) -> u64 {
    let mut count = 0;
    let mut at = 0;
    while at < raw.len() {
        let step = match raw[at] {
            b'\\' if raw.get(at + 1) == Some(&b'u') => 6,
            b'\\' => 2,
            0xF0..=0xF7 => {
                count += 1;
                4
            }
            0xE0..=0xEF => 3,
            0xC0..=0xDF => 2,
            _ => 1,
        };
        count += 1;
        at += step;
    }
    count
}

/// UTF-16 units of a value as the gateway would write it: no white space, and no escapes that are not needed.
fn compact_units(node: &Node<'_>) -> u64 {
    let raw = node.raw();
    let mut count = node.missing();
    let mut at = 0;
    while at < raw.len() {
        match raw[at] {
            b' ' | b'\t' | b'\r' | b'\n' => at += 1,
            b'"' => {
                let end = string_end(raw, at);
                count += 2 + written_units(&raw[at + 1..end]);
                at = end + 1;
            }
            _ => {
                count += 1;
                at += 1;
            }
        }
    }
    count
}

fn string_end(raw: &[u8], quote: usize) -> usize {
    let mut at = quote + 1;
    while at < raw.len() && raw[at] != b'"' {
        at += if raw[at] == b'\\' { 2 } else { 1 };
    }
    at.min(raw.len() - 1)
}

/// Units of string content when it is written anew: `\u` escapes stay only for control characters and halves of surrogate
/// pairs that stand alone.
fn written_units(raw: &[u8]) -> u64 {
    let mut count = 0;
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'\\', &raw[at..]) {
        count += raw_units(&raw[at..at + found]);
        at += found;
        let Some(unit) = escaped_unit(&raw[at..]) else {
            count += if raw.get(at + 1) == Some(&b'/') { 1 } else { 2 };
            at = (at + 2).min(raw.len());
            continue;
        };
        at += 6;
        let low = escaped_unit(&raw[at..]).filter(|low| (0xDC00..0xE000).contains(low));
        count += match unit {
            0xD800..0xDC00 if low.is_some() => {
                at += 6;
                2
            }
            0x22 | 0x5C | 0x08 | 0x09 | 0x0A | 0x0C | 0x0D => 2,
            0..0x20 | 0xD800..0xE000 => 6,
            _ => 1,
        };
    }
    count + raw_units(&raw[at..])
}

/// The unit of the `\u` escape that the text begins with.
fn escaped_unit(text: &[u8]) -> Option<u32> {
    let digits = text.strip_prefix(b"\\u")?.get(..4)?;
    u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chars(text: &str) -> u64 {
        let node = Node::new(text.as_bytes(), &[]).unwrap();
        message_chars(&node, &node.text_of("role").unwrap())
    }

    #[test]
    fn each_role_has_its_rule() {
        assert_eq!(chars(r#"{"role":"user","content":"ab\nc"}"#), 4);
        assert_eq!(
            chars(r#"{"role":"user","content":[{"type":"text","text":"aé🦀"},{"type":"image","data":"xxxx"}]}"#),
            4
        );
        assert_eq!(chars(r#"{"role":"toolResult","content":[{"type":"text","text":"ab"},{"type":"image"}]}"#), 4802);
        let call = r#"{"role":"assistant","content":[{"type":"thinking","thinking":"abc"},{"type":"text","text":"de"},
            {"type":"toolCall","id":"x","name":"exec","arguments":{"cmd": "l\u0073\n"}}]}"#;
        assert_eq!(chars(call), 3 + 2 + 4 + r#"{"cmd":"ls\n"}"#.len() as u64);
        assert_eq!(chars(r#"{"role":"assistant","content":"not a list"}"#), 0);
        assert_eq!(chars(r#"{"role":"bashExecution","command":"ls","output":"a.txt"}"#), 7);
        assert_eq!(chars(r#"{"role":"system","content":"x"}"#), 0);
        assert_eq!(
            written_units(br#"\u0061\/\ud83d x\ud83e\udd80\n\u0001\u000a\""#),
            1 + 1 + 6 + 2 + 2 + 2 + 6 + 2 + 2
        );
        assert_eq!((tokens(0), tokens(1), tokens(4), tokens(5)), (0, 1, 1, 2));
    }
}
