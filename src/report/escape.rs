//! Control characters never reach a terminal raw.
//!
//! Keys, paths and messages come from disk and from other people. An escape sequence in a key could repaint the
//! screen, a newline could forge a line of the report, and a right-to-left override could make one name look like
//! another. All of them are shown as what they are.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::Path;

/// Whether a character changes how text is shown instead of being shown.
pub fn hostile(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{061c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// One line of text: line breaks, control characters (C0, DEL, C1), bidirectional controls and other invisible
/// characters become visible escapes.
pub fn line(text: &str) -> Cow<'_, str> {
    if !text.chars().any(hostile) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        push(&mut out, c);
    }
    Cow::Owned(out)
}

/// Text of several lines: as [`line()`], but line feeds and tabs stay.
pub fn lines(text: &str) -> Cow<'_, str> {
    let kept = |c: char| matches!(c, '\n' | '\t');
    if !text.chars().any(|c| hostile(c) && !kept(c)) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if kept(c) { out.push(c) } else { push(&mut out, c) }
    }
    Cow::Owned(out)
}

/// Text for a page that is handed on: as [`lines()`], but a carriage return before a line feed goes, and joiners between
/// characters that they join (of scripts other than Latin, and of pictures) stay.
pub fn page(text: &str) -> Cow<'_, str> {
    let plain = |c: char| matches!(c, '\n' | '\t') || !hostile(c);
    if text.chars().all(plain) {
        return Cow::Borrowed(text);
    }
    let joins = |c: Option<char>| c.is_some_and(|c| !c.is_ascii() && !hostile(c));
    let mut out = String::with_capacity(text.len() + 16);
    let mut before = None;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let next = chars.peek().copied();
        match c {
            '\r' if next == Some('\n') => {}
            '\u{200c}' | '\u{200d}' if joins(before) && joins(next) => out.push(c),
            c if plain(c) => out.push(c),
            c => push(&mut out, c),
        }
        before = Some(c);
    }
    Cow::Owned(out)
}

fn push(out: &mut String, c: char) {
    match c {
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        c if !hostile(c) => out.push(c),
        c if u32::from(c) < 0x100 => {
            let _ = write!(out, "\\x{:02x}", u32::from(c));
        }
        c => {
            let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
        }
    }
}

/// A file name. Bytes that are not UTF-8 become `\xNN`, so that two different names never look the same.
pub fn name(name: &OsStr) -> String {
    let mut out = String::new();
    for chunk in name.as_encoded_bytes().utf8_chunks() {
        for c in chunk.valid().chars() {
            push(&mut out, c);
        }
        for byte in chunk.invalid() {
            let _ = write!(out, "\\x{byte:02x}");
        }
    }
    out
}

/// A path, as [`name`].
pub fn path(path: &Path) -> String {
    name(path.as_os_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_steer_a_terminal_is_shown_instead() {
        assert_eq!(line("agent:main:\u{1b}[31mred\u{7}\nnl"), "agent:main:\\x1b[31mred\\x07\\nnl");
        assert_eq!(line("\u{7f}\u{9b}31m"), "\\x7f\\x9b31m");
        assert_eq!(line("a\u{202e}b\u{2066}c\u{feff}"), "a\\u{202e}b\\u{2066}c\\u{feff}");
    }

    #[test]
    fn a_page_keeps_lines_and_joins_only_what_is_joined() {
        assert_eq!(page("a\r\nb\rc\t\u{ad}d\u{200b}"), "a\nb\\rc\t\\xadd\\u{200b}");
        assert_eq!(page("👨\u{200d}👩 می\u{200c}خواهم"), "👨\u{200d}👩 می\u{200c}خواهم");
        assert_eq!(page("a\u{200d}b \u{202e}é\u{200d}\u{200d}é"), "a\\u{200d}b \\u{202e}é\\u{200d}\\u{200d}é");
    }

    #[test]
    fn ordinary_text_is_left_alone() {
        for text in ["agent:main:main", "naïve — 日本語 🦞", ""] {
            assert!(matches!(line(text), Cow::Borrowed(t) if t == text), "{text}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn names_that_are_not_utf8_stay_distinct() {
        use std::os::unix::ffi::OsStrExt;
        assert_eq!(name(OsStr::from_bytes(b"a\xff.jsonl")), "a\\xff.jsonl");
        assert_ne!(name(OsStr::from_bytes(b"a\xfe")), name(OsStr::from_bytes(b"a\xff")));
    }
}
