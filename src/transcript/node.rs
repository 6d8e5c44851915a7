//! JSON text that passed the lexer, looked at without making values.
//!
//! Lone surrogates, duplicate keys (the last one counts, as for the gateway) and any nesting are fine. Looking costs a walk over
//! the object at hand, which is cheap for a record and would not be for an index.

use std::borrow::Cow;

use super::slim::{Cut, missing};
use crate::store::identity::identity;
use crate::store::lexer::Lexer;
use crate::units::json_text::unescape;

/// A value within the text of a record.
#[derive(Debug, Clone, Copy)]
pub struct Node<'a> {
    buf: &'a [u8],
    cuts: &'a [Cut],
    start: usize,
    end: usize,
}

impl<'a> Node<'a> {
    /// The value that `buf` is. `None` if it is not JSON. `cuts` are the places where the text was shortened.
    pub fn new(buf: &'a [u8], cuts: &'a [Cut]) -> Option<Self> {
        let mut lexer = Lexer::new(buf, 0);
        lexer.space();
        let start = lexer.pos();
        lexer.value().ok()?;
        Some(Self { buf, cuts, start, end: lexer.pos() })
    }

    /// Its text.
    pub fn raw(&self) -> &'a [u8] {
        &self.buf[self.start..self.end]
    }

    /// Bytes of its text in the file, what was left out included.
    pub fn size(&self) -> u64 {
        (self.end - self.start) as u64 + self.missing()
    }

    /// Bytes of it that were left out.
    pub fn missing(&self) -> u64 {
        missing(self.cuts, self.start, self.end)
    }

    fn first(&self) -> u8 {
        self.buf[self.start]
    }

    /// Whether it is an object.
    pub fn is_object(&self) -> bool {
        self.first() == b'{'
    }

    /// Whether it is a list.
    pub fn is_list(&self) -> bool {
        self.first() == b'['
    }

    /// Whether it is `null`.
    pub fn is_null(&self) -> bool {
        self.first() == b'n'
    }

    /// Members of an object, in order; of anything else none.
    pub fn members(&self) -> Vec<(Cow<'a, [u8]>, Self)> {
        let mut out = Vec::new();
        self.each_member(|name, value| out.push((name, value)));
        out
    }

    fn each_member(&self, mut each: impl FnMut(Cow<'a, [u8]>, Self)) {
        if !self.is_object() {
            return;
        }
        let mut lexer = Lexer::new(self.buf, self.start);
        // The text passed the lexer before: a fault cannot come, and would only end the walk.
        let _ = lexer.members(|lexer, name| {
            let start = lexer.pos();
            lexer.value()?;
            each(identity(name, self.buf), Self { start, end: lexer.pos(), ..*self });
            Ok(())
        });
    }

    /// A member of an object.
    pub fn get(&self, name: &str) -> Option<Self> {
        let mut found = None;
        self.each_member(|key, value| {
            if &*key == name.as_bytes() {
                found = Some(value);
            }
        });
        found
    }

    /// Elements of a list; of anything else none.
    pub fn items(&self) -> Vec<Self> {
        let mut out = Vec::new();
        if self.is_list() {
            let mut lexer = Lexer::new(self.buf, self.start);
            let _ = lexer.elements(|lexer| {
                let start = lexer.pos();
                lexer.value()?;
                out.push(Self { start, end: lexer.pos(), ..*self });
                Ok(())
            });
        }
        out
    }

    /// The text between the quotes, escapes as they stand.
    pub fn raw_text(&self) -> Option<&'a [u8]> {
        (self.first() == b'"').then(|| &self.buf[self.start + 1..self.end - 1])
    }

    /// A string. What is not well-formed reads as U+FFFD.
    pub fn text(&self) -> Option<Cow<'a, str>> {
        let raw = self.raw_text()?;
        if memchr::memchr(b'\\', raw).is_some() {
            return Some(Cow::Owned(unescape(raw)));
        }
        Some(String::from_utf8_lossy(raw))
    }

    /// A number.
    pub fn number(&self) -> Option<f64> {
        let digit = self.first() == b'-' || self.first().is_ascii_digit();
        std::str::from_utf8(self.raw()).ok().filter(|_| digit)?.parse().ok()
    }

    /// `true` or `false`.
    pub fn flag(&self) -> Option<bool> {
        match self.first() {
            b't' => Some(true),
            b'f' => Some(false),
            _ => None,
        }
    }

    /// The text of a member.
    pub fn text_of(&self, name: &str) -> Option<Cow<'a, str>> {
        self.get(name)?.text()
    }

    /// The value as others know it, for output: what does not fit (nesting beyond 100, lone surrogates) is replaced by text.
    pub fn to_json(&self) -> serde_json::Value {
        self.json_at(0)
    }

    fn json_at(&self, depth: usize) -> serde_json::Value {
        use serde_json::Value;
        match self.first() {
            b'{' | b'[' if depth > 100 => Value::from(String::from_utf8_lossy(self.raw())),
            b'{' => {
                let member = |(name, value): (Cow<'_, [u8]>, Self)| {
                    (String::from_utf8_lossy(&name).into_owned(), value.json_at(depth + 1))
                };
                Value::Object(self.members().into_iter().map(member).collect())
            }
            b'[' => Value::Array(self.items().iter().map(|item| item.json_at(depth + 1)).collect()),
            b'"' => Value::from(self.text().unwrap_or_default()),
            _ => serde_json::from_slice(self.raw()).unwrap_or(Value::Null),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_by_name_and_the_last_of_two_counts() {
        let text = br#" {"a":1,"\u0061":{"b":["x","\ud83e!",null,true,-2.5e1]}} "#;
        let root = Node::new(text, &[]).unwrap();
        assert_eq!(root.members().len(), 2);
        let items = root.get("a").unwrap().get("b").unwrap().items();
        assert_eq!(items[0].text().as_deref(), Some("x"));
        assert_eq!(items[1].text().as_deref(), Some("\u{fffd}!"));
        assert!(items[2].is_null() && items[3].flag() == Some(true) && items[4].number() == Some(-25.0));
        assert!(root.get("c").is_none() && items[0].get("a").is_none());
        assert_eq!(root.get("a").unwrap().to_json()["b"][4], serde_json::json!(-25.0));
        assert!(Node::new(b"{", &[]).is_none());
    }

    #[test]
    fn hostile_nesting_becomes_text() {
        let text = format!("{}{}", "[".repeat(5000), "]".repeat(5000));
        let mut value = Node::new(text.as_bytes(), &[]).unwrap().to_json();
        let mut depth = 0;
        while let serde_json::Value::Array(mut items) = value {
            value = items.remove(0);
            depth += 1;
        }
        assert_eq!(depth, 101);
        assert!(value.is_string());
    }
}
