//! When two raw JSON strings are the same string to the gateway.

use std::borrow::Cow;

use crate::model::index::Text;

/// Bytes that are equal exactly when JavaScript would call the two strings equal: escapes are resolved, and a lone
/// surrogate keeps its code unit (as three bytes, like an ordinary character) instead of becoming U+FFFD.
pub fn identity(text: Text, buf: &[u8]) -> Cow<'_, [u8]> {
    let raw = text.span.of(buf);
    if text.escaped { Cow::Owned(decode(raw)) } else { Cow::Borrowed(raw) }
}

/// [`identity`] of raw bytes between quotes that may hold escapes.
pub fn identity_of(raw: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr(b'\\', raw).is_some() { Cow::Owned(decode(raw)) } else { Cow::Borrowed(raw) }
}

fn decode(raw: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(raw.len());
    let mut rest = raw;
    while let Some((&byte, after)) = rest.split_first() {
        if byte != b'\\' {
            out.push(byte);
            rest = after;
            continue;
        }
        let Some((&kind, after)) = after.split_first() else { break };
        rest = after;
        match kind {
            b'u' => rest = unicode(after, &mut out),
            b'b' => out.push(8),
            b'f' => out.push(12),
            b'n' => out.push(b'\n'),
            b'r' => out.push(b'\r'),
            b't' => out.push(b'\t'),
            other => out.push(other),
        }
    }
    out
}

/// Decodes what follows `\u`, with the second half of a pair if there is one; gives what is left.
fn unicode<'a>(rest: &'a [u8], out: &mut Vec<u8>) -> &'a [u8] {
    let Some(first) = unit(rest) else { return rest };
    let mut after = &rest[4..];
    let mut code = first;
    if (0xD800..0xDC00).contains(&first)
        && let Some(escape) = after.strip_prefix(b"\\u")
        && let Some(second @ 0xDC00..0xE000) = unit(escape)
    {
        code = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
        after = &escape[4..];
    }
    match char::from_u32(code) {
        Some(c) => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        None => out.extend([0xE0 | (code >> 12) as u8, 0x80 | (code >> 6 & 0x3F) as u8, 0x80 | (code & 0x3F) as u8]),
    }
    after
}

fn unit(hex: &[u8]) -> Option<u32> {
    let digits = hex.first_chunk::<4>()?;
    digits.iter().try_fold(0, |value, digit| Some(value << 4 | char::from(*digit).to_digit(16)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spelling_does_not_matter_and_lone_surrogates_do() {
        assert_eq!(identity_of(br"a\u0062c"), identity_of(b"abc"));
        assert_eq!(identity_of(br"\ud83e\uddf9"), identity_of("\u{1f9f9}".as_bytes()));
        assert_eq!(identity_of(br"\ud83E"), identity_of(br"\uD83e"));
        assert_ne!(identity_of(br"\ud83e"), identity_of(br"\ud83d"));
        assert_ne!(identity_of(br"\ud83e"), identity_of("\u{fffd}".as_bytes()));
        assert_eq!(identity_of(br#"\"\\\/\n"#), identity_of(br#"\u0022\u005c\u002f\u000a"#));
        assert_eq!(&*identity_of(br"\ud83ex"), b"\xED\xA0\xBEx");
    }
}
