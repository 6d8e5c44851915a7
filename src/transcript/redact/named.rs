//! Values that something names as a secret: `API_KEY=...`, `"password": "..."`, `--token ...`.
//!
//! What counts is where the value ends. Behind a `=` and an option a shell joins what touches: `"abc"'def'`, `$'abc'`,
//! `a\ b`. Behind a colon stands JSON, with lists and objects whose strings are all meant, or YAML, where the lines
//! below that stand further in belong to it.

use super::harmless::{is_code, is_count, is_folder, is_of_connection, is_path, is_said, is_value_like};
use super::names::{LONGEST_NAME, Name, folder_or_secret, name};
use super::redactor::Found;
use super::shapes::is_word;
use super::ties::{Tie, is_value_of_pair, meant_here, skip, tied};

/// Words that stand where a value could, and are none.
const NO_VALUES: [&[u8]; 7] = [b"none", b"null", b"true", b"false", b"undefined", b"nil", b"[redacted]"];

/// Least bytes of a value that quotes or a tight `=` mark as one.
const MARKED: usize = 4;
/// Least bytes of a value in what may be a sentence, if it is one word in small letters.
const LOOSE: usize = 8;
/// The same for anything else.
const MIXED: usize = 6;

/// Whether a string is an option whose value comes next, as in `["--token", "..."]`.
pub fn is_flag(text: &[u8]) -> bool {
    text.starts_with(b"-") && text.iter().all(|b| is_word(*b)) && name(text).is_some()
}

/// Whether the value of such a name is one: not empty, and no reference to a variable.
pub fn is_value(value: &[u8]) -> bool {
    value.len() >= MARKED && !is_reference(value) && !NO_VALUES.iter().any(|word| value.eq_ignore_ascii_case(word))
}

/// `${VAR}`, `$VAR` and `$(command)` name a secret and are none; nor is the scheme before one: `Bearer ${token}`.
pub fn is_reference(value: &[u8]) -> bool {
    let schemes = [&b"Bearer "[..], b"Basic ", b"token "];
    if let Some(behind) = schemes.iter().find_map(|scheme| value.strip_prefix(*scheme)) {
        return behind.first().is_none_or(|b| b"${<%".contains(b));
    }
    let Some(name) = value.strip_prefix(b"$") else { return false };
    let plain = |b: &u8| b.is_ascii_uppercase() || b.is_ascii_digit() || *b == b'_';
    name.starts_with(b"{") || name.starts_with(b"(") || name.iter().all(plain)
}

/// Adds the values that the word at `at` names; gives where they end.
pub fn named(text: &[u8], at: usize, found: &mut Found) -> Option<usize> {
    let rest = &text[at..];
    let len = rest.iter().take(LONGEST_NAME).take_while(|b| is_word(**b)).count();
    let word = &rest[..len];
    // Few words are tied to something: that is looked at first.
    let (pos, tie) = tied(text, at, len)?;
    let pair = || is_value_of_pair(text, at, word).then_some(Name::Secret);
    let alone = name(word).or_else(pair).or_else(|| folder_or_secret(word));
    let (meant, tie) = match alone {
        Some(meant) => (meant, tie),
        None => (Name::Secret, meant_here(text, at, word, tie)?),
    };
    let value = Value { text, name: (at, at + len), meant, tie };
    value.find(pos, found)
}

pub fn is_quote(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'' | b'`')
}

/// The end of what a shell takes as one word from `at` on; the option that it belongs to begins at `option`.
pub fn shell_word(text: &[u8], option: usize, at: usize, found: &mut Found) -> usize {
    let value = Value { text, name: (option, option), meant: Name::Secret, tie: Tie::Tight };
    value.joined(at, found)
}

/// A value that is looked for.
struct Value<'t> {
    text: &'t [u8],
    /// Where the name stands.
    name: (usize, usize),
    meant: Name,
    tie: Tie,
}

impl Value<'_> {
    /// The value that begins at `pos`.
    fn find(&self, pos: usize, found: &mut Found) -> Option<usize> {
        let text = self.text;
        let folder = self.meant == Name::FolderOrSecret;
        match text.get(pos) {
            Some(b'{') if folder && self.tie == Tie::Tight => return self.braced(pos, found),
            Some(b'[' | b'{' | b'\n' | b'\r' | b'|' | b'>') if folder || self.tie == Tie::Said => return None,
            Some(b'[' | b'{') => return self.container(pos, found),
            Some(b'\n' | b'\r' | b'|' | b'>') if self.tie == Tie::Colon => return self.block(pos, found),
            _ => {}
        }
        let (from, to) = self.header(pos).or_else(|| self.quoted_or_bare(pos, found))?;
        let value = &text[from..to];
        if !is_value(value) || self.is_harmless((from, to)) {
            return None;
        }
        found.spans.push((from, to));
        Some(to)
    }

    /// Whether a value is none for what its name means.
    fn is_harmless(&self, (from, to): (usize, usize)) -> bool {
        let text = self.text;
        let value = &text[from..to];
        // Behind an option stands what a program takes.
        let option = text[self.name.0] == b'-';
        let of_its_kind = match self.meant {
            Name::Several => is_count(value),
            Name::Maybe => !option && is_path(value),
            Name::FolderOrSecret => {
                let word = value.iter().all(|b| b.is_ascii_alphabetic() || matches!(b, b'_' | b'-' | b'.'));
                is_folder(value) && !(word && (option || is_of_connection(text, self.name, (from, to))))
            }
            Name::Secret => false,
        };
        let quoted = from.checked_sub(1).is_some_and(|at| is_quote(text[at]));
        let only_said = self.tie == Tie::Said && !is_value_like(value);
        of_its_kind || only_said || self.tie != Tie::Tight && (is_said(value) || !quoted && is_code(text, (from, to)))
    }

    /// What braces hold in a connection string: `Pwd={...};`.
    fn braced(&self, pos: usize, found: &mut Found) -> Option<usize> {
        let (from, to) = (pos + 1, pos + memchr::memchr2(b'}', b'\n', &self.text[pos..])?);
        let is_one = is_value(&self.text[from..to]) && is_of_connection(self.text, self.name, (from, to));
        is_one.then(|| {
            found.spans.push((from, to));
            to
        })
    }

    /// The value of a header: the rest of the line or of the string that it stands in.
    fn header(&self, pos: usize) -> Option<(usize, usize)> {
        let name = &self.text[self.name.0..self.name.1];
        let ends = |name_end: &[u8]| {
            name.len() >= name_end.len() && name[name.len() - name_end.len()..].eq_ignore_ascii_case(name_end)
        };
        let (authorization, cookie) = (ends(b"authorization"), ends(b"cookie"));
        if self.tie != Tie::Colon || !(authorization || cookie) || is_quote(*self.text.get(pos)?) {
            return None;
        }
        let rest = &self.text[pos..];
        let len = rest.iter().position(|b| *b < b' ' || is_quote(*b) || *b == b'\\').unwrap_or(rest.len());
        let len = rest[..len].trim_ascii_end().len();
        if cookie {
            let equals = memchr::memchr(b'=', &rest[..len])?;
            return (!rest[..equals].contains(&b' ')).then_some((pos + equals + 1, pos + len));
        }
        let scheme = memchr::memchr(b' ', &rest[..len])?;
        let known =
            [&b"token"[..], b"bearer", b"basic", b"digest", b"apikey", b"negotiate", b"key", b"aws4-hmac-sha256"];
        known.iter().any(|k| rest[..scheme].eq_ignore_ascii_case(k)).then_some((pos + scheme + 1, pos + len))
    }

    /// Every string of a list or an object.
    fn container(&self, pos: usize, found: &mut Found) -> Option<usize> {
        let text = self.text;
        let (mut depth, mut at) = (0usize, pos);
        while let Some(byte) = text.get(at) {
            match byte {
                b'[' | b'{' => depth += 1,
                b']' | b'}' => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(at + 1);
                    }
                }
                quote @ (b'"' | b'\'') => {
                    let Some(end) = closing(text, at + 1, *quote, 0) else { break };
                    let mut behind = end + 1;
                    skip(text, &mut behind, b" \t\r\n");
                    if text.get(behind) != Some(&b':') && is_value(&text[at + 1..end]) {
                        found.spans.push((at + 1, end));
                    }
                    at = end;
                }
                _ => {}
            }
            at += 1;
        }
        found.open(self.name.0);
        None
    }

    /// The lines below that stand further in than the name.
    fn block(&self, pos: usize, found: &mut Found) -> Option<usize> {
        let text = self.text;
        let line = memchr::memrchr(b'\n', &text[..self.name.0]).map_or(0, |n| n + 1);
        // `- name:` of a list stands as far in as what belongs to it.
        let lead = &text[line..self.name.0];
        if !lead.iter().all(|b| b" \t-\"'".contains(b)) {
            return None;
        }
        let indent = lead.iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
        let head = text[pos..].iter().position(|b| *b == b'\n')? + pos;
        let scalar = matches!(text[pos], b'|' | b'>');
        let mark = text[pos..head].trim_ascii();
        if mark.len() > 3 || !scalar && (!mark.is_empty() || self.meant == Name::Maybe) {
            return None;
        }
        let (mut at, mut block) = (head + 1, None);
        while at < text.len() {
            let end = memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |n| at + n);
            let own = &text[at..end];
            let inside = own.iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
            if !own.trim_ascii().is_empty() {
                if inside <= indent {
                    break;
                }
                block = Some((block.map_or(at + inside, |(from, _)| from), at + own.trim_ascii_end().len()));
            }
            at = end + 1;
        }
        let (from, to) = block?;
        is_value(&text[from..to]).then(|| {
            found.spans.push((from, to));
            to
        })
    }

    /// Between quotes up to the other one, else up to where a value ends.
    fn quoted_or_bare(&self, pos: usize, found: &mut Found) -> Option<(usize, usize)> {
        let text = self.text;
        let start = if text[pos..].starts_with(b"$'") || text[pos..].starts_with(b"$\"") { pos + 1 } else { pos };
        let escapes = text[start..].iter().take_while(|b| **b == b'\\').count();
        let inside = start + escapes + 1;
        let Some(quote) = text.get(start + escapes).copied().filter(|b| is_quote(*b)) else {
            let (from, to) = self.bare(pos)?;
            let to = if self.joins_at(to) { self.joined(to, found) } else { to };
            return Some((from, to));
        };
        let triple = escapes == 0 && text[inside..].starts_with(&[quote, quote]);
        let end = if triple {
            memchr::memmem::find(&text[inside + 2..], &[quote; 3]).map(|n| (inside + 2, inside + 2 + n, 3))
        } else {
            closing(text, inside, quote, escapes).map(|end| (inside, end, escapes + 1))
        };
        let Some((from, to, len)) = end else {
            found.open(self.name.0);
            return self.bare(inside);
        };
        let behind = to + len;
        let joined = if self.tie == Tie::Tight && escapes == 0 { self.joined(behind, found) } else { behind };
        Some((from, if joined > behind { joined } else { to }))
    }

    /// Whether a quote at `pos` begins another part of the value, and does not end the string that all of it stands in.
    fn joins_at(&self, pos: usize) -> bool {
        let Some(quote) = self.text.get(pos).copied().filter(|b| is_quote(*b)) else { return false };
        let line = memchr::memrchr(b'\n', &self.text[..self.name.0])
            .map_or(0, |n| n + 1)
            .max(self.name.0.saturating_sub(4096));
        let before = &self.text[line..self.name.0];
        let letter = |at: Option<&u8>| at.is_some_and(u8::is_ascii_alphabetic);
        let quotes = memchr::memchr_iter(quote, before)
            .filter(|n| !(quote == b'\'' && letter(before.get(n.wrapping_sub(1))) && letter(before.get(n + 1))))
            .count();
        self.tie == Tie::Tight && quotes.is_multiple_of(2)
    }

    /// The end of what a shell joins to the part that ends at `pos`.
    fn joined(&self, pos: usize, found: &mut Found) -> usize {
        let text = self.text;
        let mut at = pos;
        loop {
            match (text.get(at), text.get(at + 1)) {
                (Some(b'\\'), Some(b'\'' | b'"')) => at += 2,
                (Some(b'$'), Some(b'\'' | b'"')) => at += 1,
                (Some(quote), _) if is_quote(*quote) && self.joins_at(at) => {
                    let Some(end) = closing(text, at + 1, *quote, 0) else {
                        found.open(self.name.0);
                        return at;
                    };
                    at = end + 1;
                }
                _ => {
                    let more = self.bare_len(at);
                    // A comma or a bracket goes on with something else.
                    if more == 0 || !is_word(text[at]) && text[at] != b'\\' {
                        return at;
                    }
                    at += more;
                }
            }
        }
    }

    /// Bytes of a value without quotes.
    fn bare_len(&self, from: usize) -> usize {
        let text = self.text;
        let tight = self.tie == Tie::Tight;
        let mut at = from;
        while let Some(byte) = text.get(at) {
            let next = text.get(at + 1);
            match byte {
                b'\\' if tight && next.is_some_and(|b| b" $&;()!|<>#\\*?~[]{}".contains(b)) => at += 1,
                b')' | b'}' | b']' if tight && next.is_some_and(|b| is_word(*b)) => {}
                b'"' | b'\'' | b'`' | b'\\' | b';' | b'<' | b'&' | b')' | b'}' | b']' | b'|' => break,
                b',' if !tight => break,
                0..=b' ' => break,
                _ => {}
            }
            at += 1;
        }
        at.min(text.len()) - from
    }

    fn bare(&self, from: usize) -> Option<(usize, usize)> {
        let len = self.bare_len(from);
        let value = &self.text[from..from + len];
        let enough = match self.tie {
            // The rest may stand between quotes.
            Tie::Tight => len >= MARKED || self.joins_at(from + len),
            _ if matches!(self.meant, Name::Maybe | Name::FolderOrSecret) => {
                len >= MIXED && value.iter().any(u8::is_ascii_digit)
            }
            _ if value.iter().all(u8::is_ascii_lowercase) => len >= LOOSE,
            _ => len >= MIXED,
        };
        enough.then_some((from, from + len))
    }
}

/// Where a quote that `escapes` backslashes stand before is closed by another one like it. One with more of them is a
/// part of the text.
pub fn closing(text: &[u8], from: usize, quote: u8, escapes: usize) -> Option<usize> {
    let mut backslashes = 0;
    for (pos, byte) in text.iter().enumerate().skip(from) {
        match *byte {
            b'\\' => backslashes += 1,
            byte if byte == quote && backslashes % (2 * (escapes + 1)) == escapes => {
                return Some(pos - escapes);
            }
            _ => backslashes = 0,
        }
    }
    None
}
