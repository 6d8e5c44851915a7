//! Raw control characters inside strings: what a writer should have escaped.
//!
//! A record whose text holds a raw newline lies on several physical lines, none of which is JSON. Escaped, it is the
//! record that was meant; that this is so is proven by the rest: it must then be a record and nothing else.

use crate::model::mend::Edit;
use crate::transcript::record::{self, Line};

/// The changes that make a record of `text`, relative to it; `None` if that does not make one.
pub fn escaped(text: &[u8]) -> Option<Vec<Edit>> {
    let edits = escapes(text);
    if edits.is_empty() {
        return None;
    }
    let fixed = apply(text, &edits);
    match record::line(&fixed) {
        Line::Record(found) if found.proves_itself() => Some(edits),
        _ => None,
    }
}

/// One change for each control character inside a string.
fn escapes(text: &[u8]) -> Vec<Edit> {
    let mut edits = Vec::new();
    let mut inside = false;
    let mut skip = false;
    for (at, byte) in (0..).zip(text) {
        if std::mem::take(&mut skip) {
            continue;
        }
        match byte {
            b'"' => inside = !inside,
            b'\\' => skip = inside,
            0..0x20 if inside => edits.push(Edit { at, cut: 1, put: escape(*byte).into() }),
            _ => {}
        }
    }
    edits
}

fn escape(byte: u8) -> Vec<u8> {
    match byte {
        b'\n' => br"\n".to_vec(),
        b'\r' => br"\r".to_vec(),
        b'\t' => br"\t".to_vec(),
        other => format!("\\u{other:04x}").into_bytes(),
    }
}

/// The text with the changes made.
pub fn apply(text: &[u8], edits: &[Edit]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() + edits.len() * 5);
    let mut at = 0;
    for edit in edits {
        let start = usize::try_from(edit.at).map_or(text.len(), |n| n.clamp(at, text.len()));
        out.extend_from_slice(&text[at..start]);
        out.extend_from_slice(&edit.put);
        at = usize::try_from(edit.cut).map_or(text.len(), |n| start.saturating_add(n).min(text.len()));
    }
    out.extend_from_slice(&text[at..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_over_several_lines_becomes_one() {
        let text = b"{\"type\":\"message\",\"id\":\"a\",\"parentId\":null,\"message\":{\"role\":\"user\",\"content\":\"a \\\" b\r\n\tc\x01\"}}";
        let fixed = apply(text, &escaped(text).unwrap());
        assert!(matches!(record::line(&fixed), Line::Record(_)));
        assert!(fixed.ends_with(br#""a \" b\r\n\tc\u0001"}}"#), "{}", String::from_utf8_lossy(&fixed));
    }

    #[test]
    fn what_does_not_become_a_record_is_left() {
        for text in ["{\"type\":\"message\",\"id\":\"a", "{\"a\":\"\n\"}", "{}", "\"\n\"", "{\"type\":\"x\"\n}"] {
            assert_eq!(escaped(text.as_bytes()), None, "{text:?}");
        }
    }
}
