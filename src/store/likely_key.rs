//! Objects whose keys are nearly always the same ones, in the same order.
//!
//! Where a key ends is known only once it has been searched, and everything after it has to wait for that. A key that is
//! compared with the one that is expected costs no waiting: the processor goes on as if it were there.

use super::lexer::{Fault, Lexer};
use crate::model::index::Text;

/// A key with its quotes and the colon, together at most 16 bytes.
#[derive(Debug, Clone, Copy)]
pub struct LikelyKey {
    text: u128,
    mask: u128,
    len: usize,
}

impl LikelyKey {
    /// The key of this name. Does not compile for a name that is longer than 13 bytes.
    pub const fn new(name: &[u8]) -> Self {
        let len = name.len() + 3;
        let mut text = [0; 16];
        let mut mask = [0; 16];
        let mut at = 0;
        while at < len {
            text[at] = if at == 0 || at == len - 2 {
                b'"'
            } else if at == len - 1 {
                b':'
            } else {
                name[at - 1]
            };
            mask[at] = 0xff;
            at += 1;
        }
        Self { text: u128::from_le_bytes(text), mask: u128::from_le_bytes(mask), len }
    }

    fn is(&self, key: Text, buf: &[u8]) -> bool {
        let name = key.span.of(buf);
        name.len() + 3 == self.len && self.text.to_le_bytes()[1..].starts_with(name)
    }
}

/// Keys in the order in which they are expected.
pub const fn likely_keys<const N: usize>(names: [&[u8]; N]) -> [LikelyKey; N] {
    let mut keys = [LikelyKey::new(b""); N];
    let mut at = 0;
    while at < N {
        keys[at] = LikelyKey::new(names[at]);
        at += 1;
    }
    keys
}

impl Lexer<'_> {
    /// As [`Lexer::members`], for an object whose keys are nearly always these, in this order.
    pub fn members_in_order(
        &mut self,
        order: &[LikelyKey],
        mut each: impl FnMut(&mut Self, Text) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let mut next = 0;
        self.items(*b"{}", |lexer| {
            let key = match order.get(next).and_then(|likely| lexer.likely_key(likely)) {
                Some(key) => {
                    next += 1;
                    key
                }
                None => {
                    let key = lexer.key()?;
                    if let Some(at) = order.iter().position(|likely| likely.is(key, lexer.buf())) {
                        next = at + 1;
                    }
                    key
                }
            };
            each(lexer, key)
        })
    }

    #[inline]
    fn likely_key(&mut self, likely: &LikelyKey) -> Option<Text> {
        let block = self.buf()[self.pos()..].first_chunk::<16>()?;
        if u128::from_le_bytes(*block) & likely.mask != likely.text {
            return None;
        }
        self.step(1);
        let start = self.pos();
        self.step(likely.len - 3);
        let span = self.span_from(start);
        self.step(2);
        self.space();
        Some(Text { span, escaped: false })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::index::Span;

    static KEYS: [LikelyKey; 3] = likely_keys([b"a", b"longer", b"thirteen_long"]);

    fn read(text: &str, order: &[LikelyKey]) -> Result<Vec<(String, String)>, Fault> {
        let mut lexer = Lexer::new(text.as_bytes(), 0);
        let mut found = Vec::new();
        lexer.members_in_order(order, |lexer, key| {
            let start = lexer.pos();
            lexer.value()?;
            let text = |span: Span| String::from_utf8_lossy(span.of(lexer.buf())).into_owned();
            found.push((text(key.span), text(lexer.span_from(start))));
            Ok(())
        })?;
        Ok(found)
    }

    #[test]
    fn the_order_changes_nothing_in_what_is_read() {
        for text in [
            r#"{}"#,
            r#"{"a":1,"longer":"two","thirteen_long":[3]}"#,
            r#"{"thirteen_long":1,"other":{"a":1},"a":2,"longer":3,"longer":4}"#,
            r#"{ "a" : 1 , "longer": 2,"aa":3}"#,
            r#"{"a":                          1}"#,
            r#"{"\u0061":1,"longer":2}"#,
            r#"{"a":1"#,
            r#"{"a":1,}"#,
            r#"{"a"1,"longer":2,"thirteen_long":3}"#,
            r#"{"a":1,"longer":2,"thirteen_long":3} and more than sixteen bytes"#,
        ] {
            assert_eq!(read(text, &KEYS), read(text, &[]), "{text}");
        }
        let found = read(r#"{"a":1,"longer":2,"thirteen_long":3} "#, &KEYS).unwrap();
        assert_eq!(found.last(), Some(&("thirteen_long".to_owned(), "3".to_owned())));
    }
}
