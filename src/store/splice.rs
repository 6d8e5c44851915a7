//! Edits inside the value of one row that leave every other byte alone.

use std::ops::Range;

use super::identity::identity;
use super::lexer::Lexer;

/// A member of an object: from the quote of its key to the end of its value, and its value alone.
struct Member {
    whole: Range<usize>,
    value: Range<usize>,
    wanted: bool,
}

fn members(object: &[u8], name: &str) -> Option<Vec<Member>> {
    let mut found = Vec::new();
    let mut lexer = Lexer::new(object, 0);
    lexer
        .members(|lexer, key| {
            let start = lexer.pos();
            lexer.value()?;
            let whole = key.span.start as usize - 1..lexer.pos();
            let wanted = &*identity(key, object) == name.as_bytes();
            found.push(Member { whole, value: start..lexer.pos(), wanted });
            Ok(())
        })
        .ok()?;
    Some(found)
}

/// The object without the member `name`, wherever it comes; `None` if it has none, or is no object.
pub fn without_member(object: &[u8], name: &str) -> Option<Vec<u8>> {
    let members = members(object, name)?;
    if !members.iter().any(|m| m.wanted) {
        return None;
    }
    let kept: Vec<usize> = (0..members.len()).filter(|ix| !members[*ix].wanted).collect();
    let (Some(first), Some(last)) = (members.first(), members.last()) else { return None };
    if kept.is_empty() {
        return Some([object[..first.whole.start].trim_ascii_end(), b"}"].concat());
    }
    let mut out = object[..first.whole.start].to_vec();
    for (nth, ix) in kept.iter().enumerate() {
        // Each kept member brings the separator that stood in front of it, the first one none.
        let from = if nth == 0 { members[*ix].whole.start } else { members[ix - 1].whole.end };
        out.extend_from_slice(&object[from..members[*ix].whole.end]);
    }
    out.extend_from_slice(&object[last.whole.end..]);
    Some(out)
}

/// The object with the string `text` as the value of the member `name` (the last one, which counts). `None` if it has
/// no such member.
pub fn with_string(object: &[u8], name: &str, text: &str) -> Option<Vec<u8>> {
    let members = members(object, name)?;
    let member = members.iter().rfind(|m| m.wanted)?;
    let quoted = serde_json::to_string(text).ok()?;
    Some([&object[..member.value.start], quoted.as_bytes(), &object[member.value.end..]].concat())
}

/// The object with the bytes `raw` (JSON) as the value of the member `name` (the last one). `None` if it has no such
/// member.
pub fn with_raw(object: &[u8], name: &str, raw: &[u8]) -> Option<Vec<u8>> {
    let members = members(object, name)?;
    let member = members.iter().rfind(|m| m.wanted)?;
    Some([&object[..member.value.start], raw, &object[member.value.end..]].concat())
}

/// The object with the member `name` called `new`. `None` if it has none of that name, or several.
pub fn renamed_member(object: &[u8], name: &str, new: &str) -> Option<Vec<u8>> {
    let members = members(object, name)?;
    let mut wanted = members.iter().filter(|m| m.wanted);
    let member = wanted.next().filter(|_| wanted.next().is_none())?;
    let after_key = member.whole.start + 1 + memchr::memchr(b'"', object.get(member.whole.start + 1..)?)?;
    let quoted = serde_json::to_vec(new).ok()?;
    Some([&object[..member.whole.start], &quoted, &object[after_key + 1..]].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_member_goes_with_one_separator_and_nothing_else_changes() {
        let cases: [(&str, &str); 6] = [
            (r#"{"x": 1, "a": 1.50, "b": {"x": 2}}"#, r#"{"a": 1.50, "b": {"x": 2}}"#),
            (r#"{"a":1,"x":{"y":[1]},"b":2}"#, r#"{"a":1,"b":2}"#),
            (r#"{"a":1,"x":2}"#, r#"{"a":1}"#),
            ("{\n  \"x\": 1\n}", "{}"),
            (r#"{"\u0078":1,"a":2,"x":3}"#, r#"{"a":2}"#),
            ("{\n    \"a\": 1,\n    \"x\": 2,\n    \"b\": 3\n  }", "{\n    \"a\": 1,\n    \"b\": 3\n  }"),
        ];
        for (before, after) in cases {
            let got = without_member(before.as_bytes(), "x").unwrap();
            assert_eq!(String::from_utf8(got).unwrap(), after);
        }
        assert_eq!(without_member(br#"{"a":1}"#, "x"), None);
        assert_eq!(without_member(b"null", "x"), None);
    }

    #[test]
    fn only_the_bytes_of_the_string_change() {
        let got = with_string(br#"{"f": "a" , "n":1e2,"f": "b" }"#, "f", "c\"\\").unwrap();
        assert_eq!(got, br#"{"f": "a" , "n":1e2,"f": "c\"\\" }"#);
        assert_eq!(with_string(b"{}", "f", "c"), None);
    }

    #[test]
    fn a_member_is_renamed_in_place() {
        let got = renamed_member(br#"{"a":1, "room" : "r","b":2}"#, "room", "groupChannel").unwrap();
        assert_eq!(got, br#"{"a":1, "groupChannel" : "r","b":2}"#);
        assert_eq!(renamed_member(br#"{"room":1,"room":2}"#, "room", "x"), None);
        let got = with_raw(br#"{"a": true , "b":1}"#, "a", b"false").unwrap();
        assert_eq!(got, br#"{"a": false , "b":1}"#);
    }
}
