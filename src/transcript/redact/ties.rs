//! How a value is tied to its name.

use super::named::is_quote;
use super::names::name;
use super::shapes::is_word;

/// How far from `value` its `name` is looked for, in bytes.
const NEAR: usize = 256;
/// The same with the objects that stand between the two.
const AROUND: usize = 4096;

/// How a value is tied to its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tie {
    /// As in a shell: `=` without a space, or an option; also a tag of XML.
    Tight,
    /// `=` with spaces round it.
    Loose,
    /// A colon.
    Colon,
}

/// Where the value of a name begins, and how it is tied to it.
pub fn tied(text: &[u8], at: usize, len: usize) -> Option<(usize, Tie)> {
    let flag = text[at] == b'-';
    let mut pos = at + len;
    skip(text, &mut pos, b"\\\"'`");
    let quoted_name = pos > at + len;
    let before = pos;
    skip(text, &mut pos, b" \t");
    let spaced = pos > before;
    while flag && spaced && (text[pos..].starts_with(b"\\\n") || text[pos..].starts_with(b"\\\r\n")) {
        pos += if text[pos + 1] == b'\r' { 3 } else { 2 };
        skip(text, &mut pos, b" \t");
    }
    let tie = match text.get(pos)? {
        b'=' => {
            pos += if text.get(pos + 1) == Some(&b'>') { 2 } else { 1 };
            let tight = !spaced && !matches!(text.get(pos), Some(b' ' | b'\t'));
            if tight { Tie::Tight } else { Tie::Loose }
        }
        b':' => {
            pos += if text.get(pos + 1) == Some(&b'=') { 2 } else { 1 };
            Tie::Colon
        }
        b',' if flag && quoted_name => {
            pos += 1;
            Tie::Tight
        }
        b'>' if at > 0 && text[at - 1] == b'<' => {
            pos += 1;
            Tie::Tight
        }
        _ if spaced && !quoted_name && (flag || is_set(text, at)) => Tie::Tight,
        _ => return None,
    };
    skip(text, &mut pos, b" \t");
    Some((pos, tie))
}

/// Whether a command that sets a variable to the next word stands before it: `set -x NAME ...`.
fn is_set(text: &[u8], at: usize) -> bool {
    let line = text[at.saturating_sub(64)..at].rsplit(|b| *b == b'\n').next().unwrap_or_default();
    let mut words = line.split(|b| matches!(b, b' ' | b'\t')).rev().filter(|w| !w.is_empty());
    match words.next() {
        Some(b"setx" | b"setenv") => true,
        Some(option) if option.starts_with(b"-") => {
            words.find(|w| !w.starts_with(b"-")).is_some_and(|w| w.ends_with(b"set"))
        }
        _ => false,
    }
}

/// Whether a word is the `value` beside a `name` that means a secret: `{"name":"DB_PASSWORD","value":"..."}`.
pub fn is_value_of_pair(text: &[u8], at: usize, word: &[u8]) -> bool {
    if !word.eq_ignore_ascii_case(b"value") {
        return false;
    }
    let mut before = members(text[at.saturating_sub(AROUND)..at].iter().rev(), (b'}', b'{'));
    before.reverse();
    let before = &before[..];
    let behind = at + word.len();
    let after = members(text[behind..text.len().min(behind + AROUND)].iter(), (b'{', b'}'));
    let after = &after[..];
    let names = |behind: &[u8]| {
        let behind = &behind[behind.iter().position(|b| !b" \t\"'\\:=".contains(b)).unwrap_or(behind.len())..];
        name(&behind[..behind.iter().position(|b| !is_word(*b)).unwrap_or(behind.len())]).is_some()
    };
    ["name", "key"].iter().any(|member| {
        let behind = memchr::memmem::rfind(before, member.as_bytes()).map(|n| &before[n + member.len()..]);
        behind.is_some_and(names)
            // Behind the value only a member of the same object is meant, which has quotes.
            || memchr::memmem::find_iter(after, member).any(|n| {
                let quoted = n > 0 && is_quote(after[n - 1]);
                let rest = &after[n + member.len()..];
                quoted && rest.first().is_some_and(|b| is_quote(*b) || *b == b'\\') && names(rest)
            })
    })
}

/// The text up to where the object at hand ends, without the objects inside of it; at most [`NEAR`] bytes.
fn members<'t>(text: impl Iterator<Item = &'t u8>, (opens, closes): (u8, u8)) -> Vec<u8> {
    let (mut depth, mut out) = (0usize, Vec::new());
    for byte in text {
        if *byte == opens {
            depth += 1;
        } else if *byte == closes {
            let Some(less) = depth.checked_sub(1) else { break };
            depth = less;
        } else if depth == 0 {
            out.push(*byte);
        }
        if out.len() == NEAR {
            break;
        }
    }
    out
}

pub fn skip(text: &[u8], pos: &mut usize, set: &[u8]) {
    while text.get(*pos).is_some_and(|b| set.contains(b)) {
        *pos += 1;
    }
}
