//! One pass over JSON5 text before it is parsed: nesting depth, and lone surrogate escapes.
//!
//! The parser recurses, so a text nested tens of thousands deep would end the process instead of giving an error. It
//! also refuses escapes of half a surrogate pair, which JavaScript accepts and which appear where text was cut in the
//! middle of an emoji. The scanner knows strings and comments as JSON5 defines them; what it cannot place is an error
//! of the parser anyway, which stops before it reaches anything the scanner skipped.

use std::borrow::Cow;

/// Deepest nesting of brackets that is read. The gateway has no limit; real files stay below 20. Parser and include both
/// recurse, the one on top of the other: even unoptimised, this deep they need less than half of a thread's stack (2 MiB).
pub const MAX_DEPTH: usize = 128;

/// The text to parse.
#[derive(Debug, PartialEq, Eq)]
pub struct Scanned<'a> {
    /// The text; lone surrogate escapes are `\uFFFD` (same length, so positions hold).
    pub text: Cow<'a, str>,
    /// How many were replaced.
    pub replaced: usize,
}

/// Nesting beyond [`MAX_DEPTH`]: byte offset of the bracket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooDeep {
    /// Byte offset of the bracket that goes too far.
    pub offset: usize,
}

/// Scans `text`.
///
/// # Errors
/// Brackets nested beyond [`MAX_DEPTH`].
pub fn scan(text: &str) -> Result<Scanned<'_>, TooDeep> {
    let bytes = text.as_bytes();
    let mut lone = Vec::new();
    let mut depth = 0usize;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        at = match byte {
            b'"' | b'\'' => skip_string(bytes, at, &mut lone),
            b'/' if bytes.get(at + 1) == Some(&b'/') => skip_line(bytes, at + 2),
            b'/' if bytes.get(at + 1) == Some(&b'*') => skip_block(bytes, at + 2),
            b'{' | b'[' => {
                depth += 1;
                if depth > MAX_DEPTH {
                    return Err(TooDeep { offset: at });
                }
                at + 1
            }
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                at + 1
            }
            _ => at + 1,
        };
    }
    Ok(Scanned { replaced: lone.len(), text: replace(text, &lone) })
}

fn replace<'a>(text: &'a str, lone: &[usize]) -> Cow<'a, str> {
    if lone.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for &at in lone {
        out.push_str(&text[from..at]);
        out.push_str("\\uFFFD");
        from = at + 6;
    }
    out.push_str(&text[from..]);
    Cow::Owned(out)
}

/// Position after the string that opens at `open`. Offsets of lone surrogate escapes go to `lone`.
fn skip_string(bytes: &[u8], open: usize, lone: &mut Vec<usize>) -> usize {
    let quote = bytes[open];
    let mut at = open + 1;
    while let Some(&byte) = bytes.get(at) {
        if byte == quote {
            return at + 1;
        }
        if byte != b'\\' {
            at += 1;
            continue;
        }
        at += match surrogate(bytes, at) {
            Some(Half::High) if surrogate(bytes, at + 6) == Some(Half::Low) => 12,
            Some(_) => {
                lone.push(at);
                6
            }
            None => 2,
        };
    }
    at
}

#[derive(Debug, PartialEq, Eq)]
enum Half {
    High,
    Low,
}

/// Which half of a pair the escape at `at` is, if it is one.
fn surrogate(bytes: &[u8], at: usize) -> Option<Half> {
    let hex = bytes.get(at..at + 6)?.strip_prefix(b"\\u")?;
    let unit = hex.iter().try_fold(0u32, |n, b| Some(n * 16 + char::from(*b).to_digit(16)?))?;
    match unit {
        0xD800..=0xDBFF => Some(Half::High),
        0xDC00..=0xDFFF => Some(Half::Low),
        _ => None,
    }
}

/// Position of the line terminator that ends a `//` comment: LF, CR, U+2028 or U+2029.
fn skip_line(bytes: &[u8], from: usize) -> usize {
    let rest = &bytes[from..];
    let ends = |i: usize| {
        matches!(rest[i], b'\n' | b'\r') || matches!(rest.get(i..i + 3), Some(b"\xE2\x80\xA8" | b"\xE2\x80\xA9"))
    };
    (0..rest.len()).find(|i| ends(*i)).map_or(bytes.len(), |i| from + i)
}

/// Position after the `*/` of a block comment.
fn skip_block(bytes: &[u8], from: usize) -> usize {
    memchr::memmem::find(&bytes[from..], b"*/").map_or(bytes.len(), |i| from + i + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_counts_brackets_outside_strings_and_comments() {
        let deep = "[".repeat(MAX_DEPTH);
        assert!(scan(&deep).is_ok());
        assert_eq!(scan(&format!("{deep}[")), Err(TooDeep { offset: MAX_DEPTH }));
        let many = "[".repeat(600);
        for harmless in [
            format!("\"{many}\""),
            format!("'\\'{many}'"),
            format!("// {many}"),
            format!("/* {many} */"),
            "[]".repeat(600),
        ] {
            assert!(scan(&harmless).is_ok(), "{harmless}");
        }
        for bomb in [
            format!("// \u{2028}{many}"),
            format!("// \r{many}"),
            format!("/* \" */{many}"),
            format!("'\"'{many}"),
            format!("\"\\\\\"{many}"),
        ] {
            assert!(scan(&bomb).is_err(), "{bomb}");
        }
    }

    #[test]
    fn only_lone_surrogates_in_strings_are_replaced() {
        let replaced = |t: &str| scan(t).map(|s| (s.text.into_owned(), s.replaced)).unwrap();
        assert_eq!(replaced(r#""a\ud83d""#), (r#""a\uFFFD""#.to_owned(), 1));
        assert_eq!(replaced(r#""\ude00\uD83D\ud83d\ude00""#), (r#""\uFFFD\uFFFD\ud83d\ude00""#.to_owned(), 2));
        for same in [r#""\ud83d\ude00""#, r#""\\ud83d""#, r"// \ud83d", r#""\ud8"#, r#""é\u00e9""#] {
            assert_eq!(replaced(same), (same.to_owned(), 0));
        }
    }
}
