//! Values that something names as a secret: `API_KEY=...`, `"password": "..."`, `--token ...`, `mysql -p...`.

use super::redactor::LONGEST;
use super::shapes::is_word;

/// Names of values, in lower case, without `_` and `-`.
const NAMES: &[&str] = &[
    "apikey",
    "secretkey",
    "secret",
    "token",
    "password",
    "passwd",
    "passphrase",
    "privatekey",
    "accesskey",
    "accountkey",
    "clientsecret",
    "credential",
];

/// Words that stand where a value could, and are none.
const NO_VALUES: [&[u8]; 7] = [b"none", b"null", b"true", b"false", b"undefined", b"nil", b"[redacted]"];

/// Least bytes of a value that quotes or a tight `=` mark as one.
const MARKED: usize = 4;
/// Least bytes of a value in what may be a sentence, if it is one word in small letters.
const LOOSE: usize = 8;
/// The same for anything else.
const MIXED: usize = 6;

/// Whether a name means that the value is a secret.
pub fn is_name(word: &[u8]) -> bool {
    let name: String =
        word.iter().filter(|b| b.is_ascii_alphanumeric()).map(|b| b.to_ascii_lowercase() as char).collect();
    NAMES.iter().any(|known| name.ends_with(known))
}

/// Whether a string is an option whose value comes next, as in `["--token", "..."]`.
pub fn is_flag(text: &[u8]) -> bool {
    text.starts_with(b"-") && text.iter().all(|b| is_word(*b)) && is_name(text)
}

/// Whether the value of such a name is one: not empty, and no reference to a variable.
pub fn is_value(value: &[u8]) -> bool {
    value.len() >= MARKED && !is_reference(value) && !NO_VALUES.iter().any(|word| value.eq_ignore_ascii_case(word))
}

/// `${VAR}`, `$VAR` and `$(command)` name a secret and are none.
fn is_reference(value: &[u8]) -> bool {
    let Some(name) = value.strip_prefix(b"$") else { return false };
    let plain = |b: &u8| b.is_ascii_uppercase() || b.is_ascii_digit() || *b == b'_';
    name.starts_with(b"{") || name.starts_with(b"(") || name.iter().all(plain)
}

/// The value that the word at `at` names.
pub fn named(text: &[u8], at: usize) -> Option<(usize, usize)> {
    let rest = &text[at..];
    let len = rest.iter().take(64).take_while(|b| is_word(**b)).count();
    if !is_name(&rest[..len]) {
        return None;
    }
    let flag = rest.starts_with(b"-");
    let mut pos = len;
    skip(rest, &mut pos, b"\\\"'`");
    let quoted_name = pos > len;
    let before = pos;
    skip(rest, &mut pos, b" \t");
    let spaced = pos > before;
    let tight = match rest.get(pos)? {
        b'=' => {
            pos += if rest.get(pos + 1) == Some(&b'>') { 2 } else { 1 };
            !spaced && !matches!(rest.get(pos), Some(b' ' | b'\t'))
        }
        b':' => {
            pos += if rest.get(pos + 1) == Some(&b'=') { 2 } else { 1 };
            false
        }
        b',' if flag && quoted_name => {
            pos += 1;
            true
        }
        b'>' if at > 0 && text[at - 1] == b'<' => {
            pos += 1;
            true
        }
        _ if flag && spaced => true,
        _ => return None,
    };
    skip(rest, &mut pos, b" \t");
    let (from, to) = value(rest, pos, tight)?;
    is_value(&rest[from..to]).then_some((at + from, at + to))
}

fn skip(text: &[u8], pos: &mut usize, set: &[u8]) {
    while text.get(*pos).is_some_and(|b| set.contains(b)) {
        *pos += 1;
    }
}

/// The value that begins at `pos`: between quotes up to the other one, else up to where a value ends.
fn value(text: &[u8], pos: usize, tight: bool) -> Option<(usize, usize)> {
    let escapes = text[pos..].iter().take_while(|b| **b == b'\\').count();
    let inside = pos + escapes + 1;
    if let Some(quote @ (b'"' | b'\'' | b'`')) = text.get(pos + escapes) {
        if let Some(end) = closing(text, inside, *quote, escapes) {
            return Some((inside, end));
        }
        return bare(text, inside, tight);
    }
    bare(text, pos, tight)
}

/// Where a quote that `escapes` backslashes stand before is closed by another one like it. One with more of them is a
/// part of the text.
fn closing(text: &[u8], from: usize, quote: u8, escapes: usize) -> Option<usize> {
    let mut backslashes = 0;
    for (pos, byte) in text.iter().enumerate().skip(from).take(LONGEST) {
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

fn bare(text: &[u8], from: usize, tight: bool) -> Option<(usize, usize)> {
    let ends = |b: &&u8| {
        let ends = matches!(**b, b'"' | b'\'' | b'`' | b'\\' | b';' | b'<' | b'&' | b')' | b'}' | b']' | b'|');
        !ends && (tight || **b != b',') && **b > b' '
    };
    let len = text.get(from..)?.iter().take(LONGEST).take_while(ends).count();
    let word = text[from..from + len].iter().all(u8::is_ascii_lowercase);
    let least = if tight {
        MARKED
    } else if word {
        LOOSE
    } else {
        MIXED
    };
    (len >= least).then_some((from, from + len))
}

/// Programs that take a password as an option of one letter: name, option, whether it may stand apart.
const PROGRAMS: [(&[u8], &[u8], bool); 8] = [
    (b"mysql", b"-p", false),
    (b"mysqldump", b"-p", false),
    (b"mysqladmin", b"-p", false),
    (b"mariadb", b"-p", false),
    (b"mariadb-dump", b"-p", false),
    (b"sshpass", b"-p", true),
    (b"redis-cli", b"-a", true),
    (b"curl", b"-u", true),
];

/// Passwords in command lines, also in lists of arguments.
pub fn commands(text: &[u8], found: &mut Vec<(usize, usize)>) {
    for (program, option, apart) in PROGRAMS {
        for at in memchr::memmem::find_iter(text, program) {
            let from = at + program.len();
            let alone = at == 0 || !is_word(text[at - 1]);
            if !alone || text.get(from).is_none_or(|b| is_word(*b)) {
                continue;
            }
            let secret = option_of(text, from, option, apart);
            // Only what comes behind the name of a user is one.
            let secret = secret.and_then(|(from, to)| match program {
                b"curl" => memchr::memchr(b':', &text[from..to]).map(|n| (from + n + 1, to)),
                _ => Some((from, to)),
            });
            found.extend(secret.filter(|(from, to)| from < to && !is_reference(&text[*from..*to])));
        }
    }
}

/// The value of an option on the rest of a line.
fn option_of(text: &[u8], from: usize, option: &[u8], apart: bool) -> Option<(usize, usize)> {
    let gap = |b: &u8| matches!(b, b' ' | b'\t' | b'"' | b'\'' | b',' | b'\\');
    let ends = |b: &u8| matches!(b, b'\n' | b'\r' | b'|' | b';' | b']');
    let line = &text[from..text.len().min(from + 2048)];
    let line = &line[..line.iter().position(ends).unwrap_or(line.len())];
    let mut pos = 0;
    while pos < line.len() {
        pos += line[pos..].iter().take_while(|b| gap(b)).count();
        let word = line[pos..].iter().position(gap).unwrap_or(line.len() - pos);
        let argument = &line[pos..pos + word];
        if let Some(glued) = argument.strip_prefix(option) {
            let start = pos + option.len();
            if !glued.is_empty() {
                return Some((from + start, from + pos + word));
            }
            let quoted = line.get(start).is_some_and(|b| matches!(b, b'"' | b'\''));
            if apart || quoted {
                let behind = start + line[start..].iter().take_while(|b| gap(b)).count();
                let len = line[behind..].iter().position(gap).unwrap_or(line.len() - behind);
                return Some((from + behind, from + behind + len));
            }
        }
        pos += word.max(1);
    }
    None
}
