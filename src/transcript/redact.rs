//! Secrets in text: known shapes of keys and tokens, and values that a configuration marks as secrets.
//!
//! A shape is a prefix that nothing else begins with and enough characters of the right kind behind it; a few are a whole
//! pattern. Works on bytes, also on JSON text as it stands in a transcript: what it puts in is plain letters.

use std::borrow::Cow;
use std::cell::Cell;

/// What stands in for a secret.
pub const HIDDEN: &str = "[redacted]";
/// Values of a configuration that are shorter are too common to be looked for.
pub const SHORTEST: usize = 6;
/// No shape is longer than this, except private keys; what is streamed holds back so much.
pub const LONGEST: usize = 16 * 1024;

/// Characters of a token.
#[derive(Debug, Clone, Copy)]
enum Set {
    /// Letters, digits, `_` and `-`.
    Word,
    /// The same and `.`.
    Dotted,
    /// Capital letters and digits.
    Upper,
}

impl Set {
    fn has(self, byte: u8) -> bool {
        match self {
            Self::Word => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'),
            Self::Dotted => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'),
            Self::Upper => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
        }
    }
}

/// Prefix, least characters behind it, their kind.
const SHAPES: &[(&str, usize, Set)] = &[
    ("sk-", 16, Set::Word),
    ("sk_live_", 16, Set::Word),
    ("sk_test_", 16, Set::Word),
    ("rk_live_", 16, Set::Word),
    ("whsec_", 16, Set::Word),
    ("ghp_", 30, Set::Word),
    ("gho_", 30, Set::Word),
    ("ghu_", 30, Set::Word),
    ("ghs_", 30, Set::Word),
    ("ghr_", 30, Set::Word),
    ("github_pat_", 22, Set::Word),
    ("glpat-", 20, Set::Word),
    ("xoxb-", 10, Set::Word),
    ("xoxp-", 10, Set::Word),
    ("xoxa-", 10, Set::Word),
    ("xoxr-", 10, Set::Word),
    ("xoxs-", 10, Set::Word),
    ("xapp-", 10, Set::Word),
    ("AKIA", 16, Set::Upper),
    ("ASIA", 16, Set::Upper),
    ("AIza", 30, Set::Word),
    ("ya29.", 20, Set::Dotted),
    ("npm_", 30, Set::Word),
    ("pypi-", 30, Set::Word),
    ("hf_", 30, Set::Word),
    ("gsk_", 20, Set::Word),
    ("xai-", 20, Set::Word),
    ("pplx-", 20, Set::Word),
    ("tvly-", 16, Set::Word),
    ("r8_", 30, Set::Word),
    ("SG.", 40, Set::Dotted),
    ("shpat_", 30, Set::Word),
    ("dop_v1_", 40, Set::Word),
    ("eyJ", 40, Set::Dotted),
];

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
    "clientsecret",
    "authtoken",
    "accesstoken",
    "refreshtoken",
    "bottoken",
];

/// Takes secrets out of text.
#[derive(Debug, Clone, Default)]
pub struct Redactor {
    /// Values to look for, the longest first.
    values: Vec<String>,
}

impl Redactor {
    /// Looks for the known shapes and for these values.
    pub fn new(values: impl IntoIterator<Item = String>) -> Self {
        let mut values: Vec<String> = values.into_iter().filter(|v| v.trim().len() >= SHORTEST).collect();
        values.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        values.dedup();
        Self { values }
    }

    /// Secrets in some bytes, ascending, apart from each other.
    pub fn find(&self, text: &[u8]) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        for value in &self.values {
            found.extend(memchr::memmem::find_iter(text, value).map(|at| (at, at + value.len())));
        }
        private_keys(text, &mut found);
        let mut at = 0;
        while at < text.len() {
            let starts = at == 0 || !Set::Word.has(text[at - 1]);
            match starts.then(|| at_word(text, at)).flatten() {
                Some((from, to)) => {
                    found.push((from, to));
                    at = to.max(at + 1);
                }
                None => at += 1,
            }
        }
        userinfo(text, &mut found);
        joined(found)
    }
}

/// Takes secrets out of everything that is shown, if that was asked for, and counts them.
#[derive(Debug, Default)]
pub struct Cleaner {
    /// What finds them.
    pub redactor: Option<Redactor>,
    /// How many were left out.
    pub hidden: Cell<u64>,
}

impl Cleaner {
    /// Text as it may be shown.
    pub fn text<'t>(&self, text: Cow<'t, str>) -> Cow<'t, str> {
        let Some(redactor) = &self.redactor else { return text };
        let found = redactor.find(text.as_bytes());
        if found.is_empty() {
            return text;
        }
        self.hidden.set(self.hidden.get() + found.len() as u64);
        let cleaned = replaced(text.as_bytes(), &found);
        Cow::Owned(String::from_utf8(cleaned).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned()))
    }
}

/// The text with each span replaced.
pub fn replaced(text: &[u8], spans: &[(usize, usize)]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    for (from, to) in spans {
        out.extend_from_slice(&text[at..*from]);
        out.extend_from_slice(HIDDEN.as_bytes());
        at = *to;
    }
    out.extend_from_slice(&text[at..]);
    out
}

fn joined(mut spans: Vec<(usize, usize)>) -> Vec<(usize, usize)> {
    spans.sort_unstable();
    let mut out: Vec<(usize, usize)> = Vec::with_capacity(spans.len());
    for (from, to) in spans {
        match out.last_mut() {
            Some(last) if from <= last.1 => last.1 = last.1.max(to),
            _ => out.push((from, to)),
        }
    }
    out
}

/// A secret that begins with the word at `at`, or is named by it.
fn at_word(text: &[u8], at: usize) -> Option<(usize, usize)> {
    let rest = &text[at..];
    for (prefix, least, set) in SHAPES {
        if let Some(behind) = rest.strip_prefix(prefix.as_bytes()) {
            let len = behind.iter().take(LONGEST).take_while(|b| set.has(**b)).count();
            if len >= *least {
                // A full stop at the end is one of the sentence.
                let trimmed = behind[..len].iter().rev().take_while(|b| **b == b'.').count();
                return Some((at, at + prefix.len() + len - trimmed));
            }
        }
    }
    bot_token(text, at).or_else(|| bearer(text, at)).or_else(|| named(text, at))
}

/// `123456789:AA...`, the token of a Telegram bot.
fn bot_token(text: &[u8], at: usize) -> Option<(usize, usize)> {
    let rest = &text[at..];
    let digits = rest.iter().take(12).take_while(|b| b.is_ascii_digit()).count();
    let behind = rest.get(digits..)?.strip_prefix(b":").filter(|_| (8..=11).contains(&digits))?;
    let len = behind.iter().take(64).take_while(|b| Set::Word.has(**b)).count();
    (len >= 33).then_some((at, at + digits + 1 + len))
}

fn bearer(text: &[u8], at: usize) -> Option<(usize, usize)> {
    let rest = &text[at..];
    let scheme = ["bearer ", "basic "]
        .iter()
        .find(|s| rest.get(..s.len()).is_some_and(|head| head.eq_ignore_ascii_case(s.as_bytes())))?;
    let behind = &rest[scheme.len()..];
    let token = |b: &&u8| Set::Dotted.has(**b) || matches!(**b, b'~' | b'+' | b'/' | b'=');
    let len = behind.iter().take(LONGEST).take_while(token).count();
    // Words of a sentence have no digit.
    let digit = behind[..len].iter().any(u8::is_ascii_digit);
    (len >= 12 && digit).then_some((at + scheme.len(), at + scheme.len() + len))
}

/// `API_KEY=...`, `"password": "..."`, `token: ...`.
fn named(text: &[u8], at: usize) -> Option<(usize, usize)> {
    let rest = &text[at..];
    let len = rest.iter().take(64).take_while(|b| Set::Word.has(**b)).count();
    let name: String =
        rest[..len].iter().filter(|b| b.is_ascii_alphanumeric()).map(|b| b.to_ascii_lowercase() as char).collect();
    if !NAMES.iter().any(|known| name.ends_with(known)) {
        return None;
    }
    let mut pos = len;
    let skip = |pos: &mut usize, set: &[u8]| {
        while rest.get(*pos).is_some_and(|b| set.contains(b)) {
            *pos += 1;
        }
    };
    skip(&mut pos, b"\\\"'` ");
    if !matches!(rest.get(pos), Some(b'=' | b':')) {
        return None;
    }
    pos += 1;
    skip(&mut pos, b"\\\"'` ");
    let ends = |b: &&u8| {
        !matches!(**b, b'"' | b'\'' | b'`' | b'\\' | b',' | b';' | b'<' | b'&' | b')' | b'}' | b']') && **b > b' '
    };
    let value = rest[pos..].iter().take(LONGEST).take_while(ends).count();
    // `${VAR}` and `$VAR` name a secret and are none.
    let reference = rest[pos..].starts_with(b"$");
    (value >= 8 && !reference).then_some((at + pos, at + pos + value))
}

/// Name and password in an address.
fn userinfo(text: &[u8], found: &mut Vec<(usize, usize)>) {
    for at in memchr::memmem::find_iter(text, b"://") {
        let from = at + 3;
        let end = |b: &u8| matches!(b, b'/' | b'?' | b'#' | b'"' | b'\'' | b'\\' | b'<' | b'>' | b'`') || *b <= b' ';
        let authority = text[from..].iter().take(512).position(end).map_or(text.len().min(from + 512), |n| from + n);
        let host = memchr::memrchr(b'@', &text[from..authority]).map(|n| from + n);
        let colon = host.and_then(|host| memchr::memchr(b':', &text[from..host]).map(|n| (from + n + 1, host)));
        found.extend(colon.filter(|(from, to)| from < to));
    }
}

fn private_keys(text: &[u8], found: &mut Vec<(usize, usize)>) {
    for at in memchr::memmem::find_iter(text, b"-----BEGIN ") {
        let head = &text[at..text.len().min(at + 80)];
        if memchr::memmem::find(head, b"PRIVATE KEY").is_none() {
            continue;
        }
        let end = memchr::memmem::find(&text[at..], b"-----END ").map(|n| at + n);
        let end = end.and_then(|end| memchr::memmem::find(&text[end + 9..], b"-----").map(|n| end + 9 + n + 5));
        found.push((at, end.unwrap_or(text.len())));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clean(text: &str) -> String {
        let redactor = Some(Redactor::new(["correct horse battery".to_owned(), "short".to_owned()]));
        Cleaner { redactor, hidden: Cell::new(0) }.text(Cow::Borrowed(text)).into_owned()
    }

    #[test]
    fn known_shapes_go() {
        let tail = "aB3".repeat(14);
        for (text, want) in [
            (format!("key sk-ant-api03-{tail}."), "key [redacted].".to_owned()),
            (format!("x=ghp_{tail} y"), "x=[redacted] y".to_owned()),
            ("AKIAIOSFODNN7EXAMPLE,".to_owned(), "[redacted],".to_owned()),
            (format!("123456789:AA{tail}"), HIDDEN.to_owned()),
            (format!("Authorization: Bearer {tail}=="), "Authorization: Bearer [redacted]".to_owned()),
            ("OPENAI_API_KEY=hunter2hunter2\n".to_owned(), "OPENAI_API_KEY=[redacted]\n".to_owned()),
            (r#"{"password":"p4ss w0rd","a":1}"#.to_owned(), r#"{"password":"p4ss w0rd","a":1}"#.to_owned()),
            (
                r#"{\"password\": \"p4ssw0rd!\",\"a\":1}"#.to_owned(),
                r#"{\"password\": \"[redacted]\",\"a\":1}"#.to_owned(),
            ),
            ("postgres://me:s3cret@db/x".to_owned(), "postgres://me:[redacted]@db/x".to_owned()),
            ("the correct horse battery!".to_owned(), "the [redacted]!".to_owned()),
            (
                "-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY----- b".to_owned(),
                "[redacted] b".to_owned(),
            ),
            (format!("eyJ{tail}.{tail}.{tail}"), HIDDEN.to_owned()),
        ] {
            assert_eq!(clean(&text), want, "{text}");
        }
    }

    #[test]
    fn ordinary_words_stay() {
        for text in [
            "task-oriented risk-averse desk-bound thinking about tokens: many of them",
            "the token: a",
            "maxTokens: 20000000",
            "bearer of good news for everybody",
            "password: ${DB_PASSWORD}",
            "see https://example.com/a@b and mailto:me@example.com",
            "a short one",
            "",
        ] {
            assert_eq!(clean(text), text);
        }
    }
}
