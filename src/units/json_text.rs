//! JSON string text: decoding that never fails, and escaping for output.

/// Decodes the bytes between the quotes of a JSON string. Lone surrogates, bad escapes and invalid UTF-8 become U+FFFD:
/// the result is for looking at and for comparing well-formed text, never for writing back.
pub fn unescape(raw: &[u8]) -> String {
    let mut out: Vec<u8> = Vec::with_capacity(raw.len());
    let mut i = 0;
    while i < raw.len() {
        let c = raw[i];
        if c != b'\\' {
            out.push(c);
            i += 1;
            continue;
        }
        i += 1;
        match raw.get(i) {
            Some(b'n') => out.push(b'\n'),
            Some(b't') => out.push(b'\t'),
            Some(b'r') => out.push(b'\r'),
            Some(b'b') => out.push(8),
            Some(b'f') => out.push(12),
            Some(b'u') => {
                let (c, used) = unicode_escape(&raw[i + 1..]);
                out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                i += used;
            }
            Some(other) => out.push(*other),
            None => out.extend_from_slice("\u{fffd}".as_bytes()),
        }
        i += 1;
    }
    String::from_utf8(out).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned())
}

/// Reads what follows `\u`: the character and how many bytes were used.
fn unicode_escape(rest: &[u8]) -> (char, usize) {
    let unit = |at: usize| -> Option<u32> {
        let hex = rest.get(at..at + 4)?;
        std::str::from_utf8(hex).ok().and_then(|h| u32::from_str_radix(h, 16).ok())
    };
    let Some(high) = unit(0) else { return ('\u{fffd}', 0) };
    if (0xD800..0xDC00).contains(&high)
        && rest.get(4..6) == Some(b"\\u")
        && let Some(low @ 0xDC00..=0xDFFF) = unit(6)
    {
        let c = 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
        return (char::from_u32(c).unwrap_or('\u{fffd}'), 10);
    }
    (char::from_u32(high).unwrap_or('\u{fffd}'), 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_what_node_would_and_never_fails() {
        assert_eq!(unescape(br"a\n\u00e9\ud83e\uddf9"), "a\n\u{e9}\u{1f9f9}");
        assert_eq!(unescape(br"\ud83e!"), "\u{fffd}!");
        assert_eq!(unescape(br"\u12"), "\u{fffd}12");
        assert_eq!(unescape(b"\xff\\"), "\u{fffd}\u{fffd}");
    }
}
