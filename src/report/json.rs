//! JSON on stdout: one value, two spaces of indent, a final newline.
//!
//! Values are written while they are made (serde structs over iterators), never collected into a tree: a report of
//! 100 000 decisions needs no more memory than its plan.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{Formatter, PrettyFormatter};

use super::escape;
use crate::context::Context;
use crate::error::Result;

/// Version of every JSON report. Fields may be added under the same number, never changed or removed.
pub const SCHEMA_VERSION: u32 = 1;

/// Prints a value.
pub fn print(ctx: &Context, value: &impl Serialize) -> Result<()> {
    ctx.stream_stdout(|out| write(out, value))
}

/// Writes a value.
pub fn write(mut out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    let mut json = serde_json::Serializer::with_formatter(&mut out, Shown(PrettyFormatter::new()));
    value.serialize(&mut json)?;
    out.write_all(b"\n")
}

/// Writes a value on one line.
pub fn write_line(mut out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    let mut json = serde_json::Serializer::with_formatter(&mut out, OneLine);
    value.serialize(&mut json)?;
    out.write_all(b"\n")
}

/// Without white space, and otherwise as [`Shown`].
struct OneLine;

impl Formatter for OneLine {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, w: &mut W, fragment: &str) -> io::Result<()> {
        safe_fragment(w, fragment)
    }
}

/// Indented, and with every character that could steer a terminal as `\uXXXX`: the same value, safe to look at.
struct Shown<'a>(PrettyFormatter<'a>);

impl Formatter for Shown<'_> {
    fn begin_array<W: ?Sized + Write>(&mut self, w: &mut W) -> io::Result<()> {
        self.0.begin_array(w)
    }

    fn end_array<W: ?Sized + Write>(&mut self, w: &mut W) -> io::Result<()> {
        self.0.end_array(w)
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, w: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_array_value(w, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, w: &mut W) -> io::Result<()> {
        self.0.end_array_value(w)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, w: &mut W) -> io::Result<()> {
        self.0.begin_object(w)
    }

    fn end_object<W: ?Sized + Write>(&mut self, w: &mut W) -> io::Result<()> {
        self.0.end_object(w)
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, w: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_object_key(w, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, w: &mut W) -> io::Result<()> {
        self.0.begin_object_value(w)
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, w: &mut W) -> io::Result<()> {
        self.0.end_object_value(w)
    }

    fn write_string_fragment<W: ?Sized + Write>(&mut self, w: &mut W, fragment: &str) -> io::Result<()> {
        safe_fragment(w, fragment)
    }
}

fn safe_fragment<W: ?Sized + Write>(w: &mut W, fragment: &str) -> io::Result<()> {
    let mut rest = fragment;
    while let Some((at, c)) = rest.char_indices().find(|(_, c)| escape::hostile(*c)) {
        w.write_all(&rest.as_bytes()[..at])?;
        for unit in c.encode_utf16(&mut [0; 2]) {
            write!(w, "\\u{unit:04x}")?;
        }
        rest = &rest[at + c.len_utf8()..];
    }
    w.write_all(rest.as_bytes())
}

/// A value as text, for tests.
#[cfg(test)]
pub fn text(value: &impl Serialize) -> String {
    let mut out = Vec::new();
    write(&mut out, value).unwrap();
    String::from_utf8(out).unwrap()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_escaped_and_the_value_stays_the_same() {
        let value = serde_json::json!({"a\u{9b}": ["\u{202e}x\u{7f}", "\u{e0041}é", "\n", {}], "b": []});
        let shown = text(&value);
        assert!(!shown.chars().any(|c| c != '\n' && escape::hostile(c)), "{shown}");
        assert!(shown.contains("\\u202ex\\u007f") && shown.contains("\\udb40\\udc41é"), "{shown}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&shown).unwrap(), value);
        assert_eq!(
            text(&serde_json::json!({"a": [1, {"b": null}], "c": {}})),
            "{\n  \"a\": [\n    1,\n    {\n      \"b\": null\n    }\n  ],\n  \"c\": {}\n}\n"
        );
    }
}
