//! How a value is tied to its name.

use super::harmless::is_random;
use super::named::is_quote;
use super::names::name;
use super::shapes::is_word;

/// How far from `value` its `name` is looked for, in bytes.
const NEAR: usize = 256;
/// The same with the objects that stand between the two.
const AROUND: usize = 4096;

/// Functions whose second argument is the value of the first, in lower case, by how they begin.
const SETTERS: [&[u8]; 7] = [b"set", b"put", b"append", b"define", b"header", b"addheader", b"withheader"];
/// What a key is of that is a secret, where a sentence has the two apart.
const KINDS: [&[u8]; 5] = [b"api", b"secret", b"access", b"encryption", b"master"];
/// Members of the question in an address.
const ASKED: [&[u8]; 3] = [b"key", b"sig", b"signature"];
/// Those that are known without the rest of it.
const SIGNED: [&[u8]; 2] = [b"x-amz-signature", b"x-goog-signature"];

/// How a value is tied to its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tie {
    /// As in a shell: `=` without a space, or an option; also a tag of XML.
    Tight,
    /// `=` with spaces round it.
    Loose,
    /// A colon.
    Colon,
    /// As people and their pages say it: `**Password:** ...`, `| TOKEN | ... |`. Only what looks like a value is one.
    Said,
}

/// Where the value of a name begins, and how it is tied to it.
pub fn tied(text: &[u8], at: usize, len: usize) -> Option<(usize, Tie)> {
    let flag = text[at] == b'-';
    let mut pos = at + len;
    skip(text, &mut pos, b"\\\"'`");
    let quoted_name = pos > at + len;
    let indexed = text.get(pos) == Some(&b']') && !text[..at].ends_with(b"[") && outside(text, at).ends_with(b"[");
    pos += usize::from(indexed);
    let before = pos;
    skip(text, &mut pos, b"*");
    let mut said = pos > before;
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
        b'|' | b'?' if text[pos..].starts_with(b"||=") || text[pos..].starts_with(b"??=") => {
            pos += 3;
            Tie::Loose
        }
        _ if indexed => return None,
        b':' => {
            pos += if text.get(pos + 1) == Some(&b'=') { 2 } else { 1 };
            let mut behind = pos;
            skip(text, &mut behind, b"*");
            if behind > pos && text.get(behind).is_some_and(|b| b" `\r\n".contains(b)) {
                (pos, said) = (behind, true);
            }
            Tie::Colon
        }
        b',' if quoted_name && is_quoted(text, pos + 1) && is_argument_of_setter(text, at) => {
            pos += 1;
            Tie::Loose
        }
        b'(' if pos == at + len && is_quoted(text, pos + 1) => {
            let tie = if is_setter(&text[at..pos]) { Some(Tie::Loose) } else { None };
            // `.password("...")` of a builder.
            let tie = tie.or_else(|| text[..at].ends_with(b".").then_some(Tie::Said))?;
            pos += 1;
            tie
        }
        b',' if flag && quoted_name => {
            pos += 1;
            Tie::Tight
        }
        b'>' if at > 0 && text[at - 1] == b'<' => {
            pos += 1;
            Tie::Tight
        }
        b'>' if quoted_name && [&b"name="[..], b"key="].iter().any(|lead| outside(text, at).ends_with(lead)) => {
            pos += 1;
            Tie::Said
        }
        b'|' if is_cell(text, at, pos) => {
            pos += 1;
            Tie::Said
        }
        b'\'' if spaced && !quoted_name && is_of_statement(text, at, len) => Tie::Loose,
        b'i' if spaced && text[pos..].starts_with(b"is:") => {
            pos += 3;
            Tie::Said
        }
        b'i' if spaced && text[pos..].starts_with(b"is ") && is_random(&text[pos + 3..]) => {
            pos += 3;
            Tie::Said
        }
        _ if spaced && !quoted_name && flag => Tie::Tight,
        _ if spaced && !quoted_name => set_by(text, at)?,
        _ => return None,
    };
    skip(text, &mut pos, b" \t");
    let tie = if said { Tie::Said } else { tie };
    if tie == Tie::Said && text.get(pos) == Some(&b'\n') {
        let mut behind = pos;
        skip(text, &mut behind, b" \t\r\n`");
        pos = if is_random(&text[behind..]) { behind } else { pos };
    }
    Some((pos, tie))
}

/// How a value is tied to a word that means a secret only where it stands: `API key: ...`, `?sig=...`,
/// `IDENTIFIED BY '...'`. `tie`: how it would be to any other.
pub fn meant_here(text: &[u8], at: usize, word: &[u8], tie: Tie) -> Option<Tie> {
    let is = |other: &[u8]| word.eq_ignore_ascii_case(other);
    if tie == Tie::Tight && SIGNED.iter().any(|signed| is(signed)) {
        return Some(Tie::Said);
    }
    match text[..at].last()? {
        b'?' | b'&' => (tie == Tie::Tight && ASKED.iter().any(|asked| is(asked))).then_some(Tie::Said),
        b' ' if is(b"key") || is(b"keys") => {
            let kind = last_word(&text[..at - 1]);
            KINDS.iter().any(|known| kind.eq_ignore_ascii_case(known)).then_some(Tie::Said)
        }
        b' ' if is(b"by") && tie == Tie::Loose => Some(tie),
        _ => None,
    }
}

/// The text before the quote in front of a name, of which other parts may stand between: `"db.password"`, `:password`.
fn outside(text: &[u8], at: usize) -> &[u8] {
    let inside = |b: &&u8| is_quote(**b) || is_word(**b) || b"\\.:".contains(b);
    let len = text[..at].iter().rev().take(128).take_while(inside).count();
    &text[..at - len]
}

/// The word at the end of a text.
fn last_word(text: &[u8]) -> &[u8] {
    let len = text.iter().rev().take(64).take_while(|b| is_word(**b)).count();
    &text[text.len() - len..]
}

fn is_quoted(text: &[u8], mut at: usize) -> bool {
    skip(text, &mut at, b" \t\\");
    text.get(at).is_some_and(|b| is_quote(*b))
}

/// `setHeader('X-Api-Key', ...)`, `define('DB_PASSWORD', ...)`.
fn is_argument_of_setter(text: &[u8], at: usize) -> bool {
    let called = outside(text, at).strip_suffix(b"(").map(|text| last_word(text).to_ascii_lowercase());
    called.is_some_and(|called| called == b"add" || SETTERS.iter().any(|setter| called.starts_with(setter)))
}

/// `setPassword`, `set_password`.
fn is_setter(word: &[u8]) -> bool {
    let behind = word.strip_prefix(b"set").or_else(|| word.strip_prefix(b"Set"));
    behind.and_then(<[u8]>::first).is_some_and(|b| b.is_ascii_uppercase() || *b == b'_')
}

/// Whether a name is a cell of a table, and the next one is closed too. `bar`: where its own ends.
fn is_cell(text: &[u8], at: usize, bar: usize) -> bool {
    let mark = |b: &&u8| b" *`".contains(b);
    let cell = |text: &'_ [u8]| text.len() - text.iter().rev().take_while(mark).count();
    let before = &text[..cell(&text[..at])];
    // `| API key |`.
    let kind = last_word(before);
    let apart = KINDS.iter().any(|known| kind.eq_ignore_ascii_case(known));
    let before = if apart { &before[..cell(&before[..before.len() - kind.len()])] } else { before };
    let line = memchr::memrchr(b'\n', before).map_or(0, |n| n + 1);
    if !before.ends_with(b"|") || !before[line..].trim_ascii_start().starts_with(b"|") {
        return false;
    }
    let behind = &text[bar + 1..];
    let behind = &behind[..behind.iter().position(|b| *b == b'\n').unwrap_or(behind.len())];
    behind.iter().position(|b| *b == b'|').is_some_and(|n| n > 0)
}

/// `WITH PASSWORD '...'`, `IDENTIFIED BY '...'`.
fn is_of_statement(text: &[u8], at: usize, len: usize) -> bool {
    let word = &text[at..at + len];
    let before = text[at.saturating_sub(64)..at].trim_ascii_end().to_ascii_lowercase();
    if word.eq_ignore_ascii_case(b"by") {
        return memchr::memmem::find(&before, b"identified").is_some();
    }
    let begins = [&b"alter "[..], b"create "].iter().any(|verb| memchr::memmem::find(&before, verb).is_some());
    begins || word == b"PASSWORD" || before.ends_with(b" with") || before.ends_with(b" encrypted")
}

/// How a value is tied to a name by a command that sets a variable to the next word: `set -x NAME ...`, `ENV NAME ...`.
fn set_by(text: &[u8], at: usize) -> Option<Tie> {
    let before = text[at.saturating_sub(64)..at].trim_ascii_end();
    let last = last_word(before);
    if !matches!(last, [b'-', ..] | b"setx" | b"setenv" | b"ENV") {
        return None;
    }
    let line = text[at.saturating_sub(64)..at].rsplit(|b| *b == b'\n').next().unwrap_or_default();
    let words = line.split(|b| matches!(b, b' ' | b'\t')).rev().filter(|w| !w.is_empty());
    // `"setenv`, where all of it stands in quotes.
    let mut words = words.map(|w| &w[w.iter().position(|b| is_word(*b)).unwrap_or(w.len())..]);
    match words.next()? {
        b"setx" | b"setenv" => Some(Tie::Tight),
        // In a file of Docker, and behind `Step 3/9 :` and `[2/5]` when it is built.
        b"ENV" if words.next().is_none_or(|word| word.is_empty() || word.ends_with(b"]")) => Some(Tie::Loose),
        option if option.starts_with(b"-") => {
            words.find(|w| !w.starts_with(b"-")).is_some_and(|w| w.ends_with(b"set")).then_some(Tie::Tight)
        }
        _ => None,
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
    let lower = (before.to_ascii_lowercase(), after.to_ascii_lowercase());
    let names = |behind: &[u8]| {
        let behind = &behind[behind.iter().position(|b| !b" \t\"'\\:=".contains(b)).unwrap_or(behind.len())..];
        name(&behind[..behind.iter().position(|b| !is_word(*b)).unwrap_or(behind.len())]).is_some()
    };
    ["name", "key"].iter().any(|member| {
        let whole = |n: &usize| *n == 0 || !is_word(before[n - 1]);
        let last = memchr::memmem::find_iter(&lower.0, member).filter(whole).last();
        let behind = last.map(|n| &before[n + member.len()..]);
        behind.is_some_and(names)
            // Behind the value only a member of the same object is meant, which has quotes.
            || memchr::memmem::find_iter(&lower.1, member).any(|n| {
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
