//! JSON5 text as a tree in which everything knows its bytes.
//!
//! Character classes are those of the `json5` crate, and scalars are decoded by it, so that the two cannot disagree about
//! what a token means; what this reader adds is where each token is. Numbers that are not finite become strings that no
//! text can hold ([`NOT_FINITE`]), so that moving one about keeps it a number.

use std::ops::Range;

use json5::char::{is_json5_identifier, is_json5_identifier_start, is_json5_line_terminator, is_json5_whitespace};
use serde_json::{Map, Value};

use crate::config::{parse, prescan};

/// Bytes of a text.
pub type Span = Range<usize>;

/// Start of the string that stands for `Infinity`, `-Infinity` or `NaN`; its name follows.
pub const NOT_FINITE: &str = "\u{0}number:";

/// A value with its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// From its first byte to behind its last.
    pub span: Span,
    /// What it is.
    pub kind: Kind,
}

/// Kinds of values.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// null, a boolean, a number or a string.
    Scalar(Value),
    /// An object, with every member that is written, duplicates too.
    Object(Vec<Member>),
    /// An array.
    Array(Vec<Item>),
}

/// A member of an object.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    /// Its name, decoded.
    pub key: String,
    /// The name as written, quotes included.
    pub key_span: Span,
    /// Its value.
    pub value: Node,
    /// The comma behind it.
    pub comma: Option<usize>,
}

/// An element of an array.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// Its value.
    pub value: Node,
    /// The comma behind it.
    pub comma: Option<usize>,
}

/// A whole text.
#[derive(Debug, Clone, PartialEq)]
pub struct Tree {
    /// The value.
    pub root: Node,
    /// Comments in order, with their marks, line ends left out.
    pub comments: Vec<Span>,
}

/// Where and why a text is not JSON5.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrong {
    /// Byte offset.
    pub at: usize,
    /// What was expected.
    pub what: &'static str,
}

impl Node {
    /// The value. Of duplicate keys the last one counts, at the place of the first.
    pub fn value(&self) -> Value {
        match &self.kind {
            Kind::Scalar(value) => value.clone(),
            Kind::Array(items) => Value::Array(items.iter().map(|item| item.value.value()).collect()),
            Kind::Object(members) => {
                Value::Object(members.iter().map(|m| (m.key.clone(), m.value.value())).collect::<Map<_, _>>())
            }
        }
    }

    /// The member that counts under this name.
    pub fn member(&self, key: &str) -> Option<&Member> {
        match &self.kind {
            Kind::Object(members) => members.iter().rev().find(|m| m.key == key),
            _ => None,
        }
    }
}

/// Reads a text; a byte order mark at the start is skipped.
///
/// # Errors
/// It is not JSON5, or nested too deeply.
pub fn read(text: &str) -> Result<Tree, Wrong> {
    if let Err(deep) = prescan::scan(text) {
        return Err(Wrong { at: deep.offset, what: "less deep nesting" });
    }
    let mut reader = Reader { text, at: 0, comments: Vec::new() };
    reader.blank()?;
    let root = reader.value()?;
    reader.blank()?;
    if reader.at < text.len() {
        return Err(reader.wrong("the end"));
    }
    Ok(Tree { root, comments: reader.comments })
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    comments: Vec<Span>,
}

impl Reader<'_> {
    fn wrong(&self, what: &'static str) -> Wrong {
        Wrong { at: self.at, what }
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn take(&mut self, wanted: char, what: &'static str) -> Result<(), Wrong> {
        if self.peek() != Some(wanted) {
            return Err(self.wrong(what));
        }
        self.at += wanted.len_utf8();
        Ok(())
    }

    /// White space and comments.
    fn blank(&mut self) -> Result<(), Wrong> {
        loop {
            match self.peek() {
                Some(c) if is_json5_whitespace(c) => self.at += c.len_utf8(),
                Some('/') => self.comment()?,
                _ => return Ok(()),
            }
        }
    }

    fn comment(&mut self) -> Result<(), Wrong> {
        let start = self.at;
        let rest = self.rest();
        let len = if rest.starts_with("//") {
            rest.find(is_json5_line_terminator).unwrap_or(rest.len())
        } else if let Some(body) = rest.strip_prefix("/*") {
            body.find("*/").map(|end| end + 4).ok_or_else(|| self.wrong("the end of a comment"))?
        } else {
            return Err(self.wrong("a comment"));
        };
        self.at += len;
        self.comments.push(start..self.at);
        Ok(())
    }

    fn value(&mut self) -> Result<Node, Wrong> {
        let start = self.at;
        let kind = match self.peek() {
            Some('{') => self.object()?,
            Some('[') => self.array()?,
            Some('"' | '\'') => {
                self.string()?;
                Kind::Scalar(self.scalar(start)?)
            }
            Some('+' | '-' | '.' | '0'..='9') => {
                self.number();
                Kind::Scalar(self.scalar(start)?)
            }
            Some(_) => {
                self.word()?;
                Kind::Scalar(self.scalar(start)?)
            }
            None => return Err(self.wrong("a value")),
        };
        Ok(Node { span: start..self.at, kind })
    }

    fn object(&mut self) -> Result<Kind, Wrong> {
        self.at += 1;
        let mut members = Vec::new();
        loop {
            self.blank()?;
            if self.peek() == Some('}') {
                self.at += 1;
                return Ok(Kind::Object(members));
            }
            let (key, key_span) = self.key()?;
            self.blank()?;
            self.take(':', "a colon")?;
            self.blank()?;
            let value = self.value()?;
            self.blank()?;
            let comma = self.comma('}')?;
            members.push(Member { key, key_span, value, comma });
        }
    }

    fn array(&mut self) -> Result<Kind, Wrong> {
        self.at += 1;
        let mut items = Vec::new();
        loop {
            self.blank()?;
            if self.peek() == Some(']') {
                self.at += 1;
                return Ok(Kind::Array(items));
            }
            let value = self.value()?;
            self.blank()?;
            let comma = self.comma(']')?;
            items.push(Item { value, comma });
        }
    }

    /// The comma behind a member; without one, the bracket must follow.
    fn comma(&mut self, close: char) -> Result<Option<usize>, Wrong> {
        match self.peek() {
            Some(',') => {
                self.at += 1;
                Ok(Some(self.at - 1))
            }
            Some(c) if c == close => Ok(None),
            _ => Err(self.wrong("a comma or the closing bracket")),
        }
    }

    fn key(&mut self) -> Result<(String, Span), Wrong> {
        let start = self.at;
        if let Some('"' | '\'') = self.peek() {
            self.string()?;
            let Value::String(key) = self.scalar(start)? else { return Err(self.wrong("a key")) };
            return Ok((key, start..self.at));
        }
        let key = self.identifier()?;
        Ok((key, start..self.at))
    }

    fn identifier(&mut self) -> Result<String, Wrong> {
        let mut name = String::new();
        while let Some(mut c) = self.peek() {
            let mut len = c.len_utf8();
            if c == '\\' {
                c = escaped(self.rest()).ok_or_else(|| self.wrong("\\uXXXX"))?;
                len = 6;
            }
            let fits = if name.is_empty() { is_json5_identifier_start(c) } else { is_json5_identifier(c) };
            if !fits && len == 6 && self.rest().starts_with('\\') {
                return Err(self.wrong("a letter"));
            }
            if !fits {
                break;
            }
            name.push(c);
            self.at += len;
        }
        if name.is_empty() { Err(self.wrong("a key")) } else { Ok(name) }
    }

    /// Skips a string. Line ends may stand in it only behind a backslash, U+2028 and U+2029 anywhere.
    fn string(&mut self) -> Result<(), Wrong> {
        let Some(quote) = self.peek() else { return Err(self.wrong("a string")) };
        self.at += 1;
        while let Some(c) = self.peek() {
            self.at += c.len_utf8();
            match c {
                c if c == quote => return Ok(()),
                '\n' | '\r' => {
                    self.at -= 1;
                    return Err(self.wrong("the end of a string"));
                }
                '\\' => match self.peek() {
                    Some('\r') if self.rest().starts_with("\r\n") => self.at += 2,
                    Some(next) => self.at += next.len_utf8(),
                    None => {}
                },
                _ => {}
            }
        }
        Err(self.wrong("the end of a string"))
    }

    /// Skips what can belong to a number.
    fn number(&mut self) {
        if matches!(self.peek(), Some('+' | '-')) {
            self.at += 1;
        }
        let mut before = ' ';
        let hex = self.rest().starts_with("0x") || self.rest().starts_with("0X");
        while let Some(c) = self.peek() {
            let sign = matches!(c, '+' | '-') && matches!(before, 'e' | 'E') && !hex;
            if !(c.is_ascii_alphanumeric() || c == '.' || sign) {
                break;
            }
            self.at += 1;
            before = c;
        }
    }

    fn word(&mut self) -> Result<(), Wrong> {
        for word in ["null", "true", "false", "Infinity", "NaN"] {
            if self.rest().starts_with(word) {
                self.at += word.len();
                return Ok(());
            }
        }
        Err(self.wrong("a value"))
    }

    /// Decodes the token from `start` to here.
    fn scalar(&self, start: usize) -> Result<Value, Wrong> {
        let token = &self.text[start..self.at];
        let bad = |_| Wrong { at: start, what: "a number or a string" };
        let value = parse::scalar(token).map_err(bad)?;
        match &value {
            Value::String(name) if !token.starts_with(['"', '\'']) => Ok(Value::String(format!("{NOT_FINITE}{name}"))),
            _ => Ok(value),
        }
    }
}

/// The character of a `\uXXXX` at the start of `text`.
fn escaped(text: &str) -> Option<char> {
    let hex = text.strip_prefix("\\u")?.get(..4)?;
    if !hex.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    char::from_u32(u32::from_str_radix(hex, 16).ok()?)
}

/// A value as the other parser gives it: names of numbers that are not finite as plain strings.
pub fn plain(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::String(text.strip_prefix(NOT_FINITE).unwrap_or(text).to_owned()),
        Value::Array(items) => Value::Array(items.iter().map(plain).collect()),
        Value::Object(map) => Value::Object(map.iter().map(|(k, v)| (k.clone(), plain(v))).collect()),
        other => other.clone(),
    }
}
