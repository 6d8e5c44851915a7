//! Finds secrets in text.

use super::decoded::{ALL, Decoded, LEVELS, Notation};
use super::{named, shapes};

/// What stands in for a secret.
pub const HIDDEN: &str = "[redacted]";
/// Values of a configuration that are shorter, in bytes, are too common to be looked for.
pub const SHORTEST: usize = 6;
/// No shape is longer than this, except private keys; what is read in pieces holds back so much.
pub const LONGEST: usize = 16 * 1024;

/// A place in bytes, from and to.
pub type Span = (usize, usize);

/// Takes secrets out of text.
#[derive(Debug, Clone, Default)]
pub struct Redactor {
    /// Values to look for, the longest first.
    values: Vec<String>,
}

impl Redactor {
    /// Looks for the known shapes and for these values.
    pub fn new(values: impl IntoIterator<Item = String>) -> Self {
        let mut all: Vec<String> = Vec::new();
        for value in values {
            let trimmed = value.trim();
            // A space of a form is a plus sign.
            all.extend([trimmed.replace(' ', "+"), trimmed.to_owned(), value]);
        }
        all.retain(|v| v.trim().len() >= SHORTEST && !v.contains(HIDDEN));
        all.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        all.dedup();
        Self { values: all }
    }

    /// Secrets in some text, ascending, apart from each other.
    pub fn find(&self, text: &[u8]) -> Vec<Span> {
        self.found_in(Decoded::plain(text))
    }

    /// Secrets in the text between the quotes of a JSON string; the places are those of the escapes as they stand.
    pub fn find_in_string(&self, raw: &[u8]) -> Vec<Span> {
        let plain = Decoded::plain(raw);
        let read = plain.read_as(Notation::Json).unwrap_or(plain);
        self.found_in(read)
    }

    /// Values of the configuration alone, in text that is no language: the data of an image.
    pub fn holds_value(&self, text: &[u8]) -> bool {
        self.values.iter().any(|value| memchr::memmem::find(text, value.as_bytes()).is_some())
    }

    /// Whether a text is exactly one of the values.
    pub fn is_value(&self, text: &[u8]) -> bool {
        self.values.iter().any(|value| value.as_bytes() == text)
    }

    fn found_in(&self, text: Decoded<'_>) -> Vec<Span> {
        let mut found = Vec::new();
        self.look(&text, LEVELS, &mut found);
        joined(found)
    }

    /// Looks at a text, and at what it stands for in each notation.
    fn look(&self, text: &Decoded<'_>, levels: usize, found: &mut Vec<Span>) {
        found.extend(self.plain(&text.text).into_iter().map(|span| text.written(span)));
        if levels == 0 {
            return;
        }
        for notation in ALL {
            if let Some(read) = text.read_as(notation) {
                self.look(&read, levels - 1, found);
            }
        }
    }

    /// Secrets in a text as it stands.
    fn plain(&self, text: &[u8]) -> Vec<Span> {
        let mut found = Vec::new();
        for value in &self.values {
            found.extend(memchr::memmem::find_iter(text, value).map(|at| (at, at + value.len())));
        }
        shapes::private_keys(text, &mut found);
        shapes::userinfo(text, &mut found);
        shapes::webhooks(text, &mut found);
        named::commands(text, &mut found);
        let mut at = 0;
        while at < text.len() {
            let starts = is_start(text, at);
            let word = starts.then(|| shapes::at_word(text, at).or_else(|| named::named(text, at))).flatten();
            match word {
                Some((from, to)) => {
                    found.push((from, to));
                    at = to.max(at + 1);
                }
                None => at += 1,
            }
        }
        found
    }
}

fn is_start(text: &[u8], at: usize) -> bool {
    shapes::is_word(text[at]) && (at == 0 || !shapes::is_word(text[at - 1]))
}

/// The text with each span replaced.
pub fn replaced(text: &[u8], spans: &[Span]) -> Vec<u8> {
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

fn joined(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_unstable();
    let mut out: Vec<Span> = Vec::with_capacity(spans.len());
    for (from, to) in spans {
        match out.last_mut() {
            Some(last) if from <= last.1 => last.1 = last.1.max(to),
            _ => out.push((from, to)),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clean(text: &str) -> String {
        let redactor =
            Redactor::new(["correct horse battery".to_owned(), "short".to_owned(), "a \"b\\ü<&%".to_owned()]);
        String::from_utf8(replaced(text.as_bytes(), &redactor.find(text.as_bytes()))).unwrap()
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
            (r#"{"password":"p4ss w0rd","a":1}"#.to_owned(), r#"{"password":"[redacted]","a":1}"#.to_owned()),
            (
                r#"{\"password\": \"p4ssw0rd!\",\"a\":1}"#.to_owned(),
                r#"{\"password\": \"[redacted]\",\"a\":1}"#.to_owned(),
            ),
            ("FOO_TOKEN=\"two words\" x".to_owned(), "FOO_TOKEN=\"[redacted]\" x".to_owned()),
            ("DB_PASSWORD='it\\'s one' x".to_owned(), "DB_PASSWORD='[redacted]' x".to_owned()),
            (
                "run --token abCd1 --password=xyzw -v".to_owned(),
                "run --token [redacted] --password=[redacted] -v".to_owned(),
            ),
            ("run --api-key \"a b c\"".to_owned(), "run --api-key \"[redacted]\"".to_owned()),
            ("mysql -u root -phunter2 db".to_owned(), "mysql -u root -p[redacted] db".to_owned()),
            ("[\"mysqldump\", \"-phunter2\"]".to_owned(), "[\"mysqldump\", \"-p[redacted]\"]".to_owned()),
            ("curl -u me:pw http://x".to_owned(), "curl -u me:[redacted] http://x".to_owned()),
            (format!("MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcDE.{}", "aB3".repeat(13)), HIDDEN.to_owned()),
            (format!("/bot123456789:AA{tail}/getMe"), "/bot[redacted]/getMe".to_owned()),
            ("<password>a b!c</password>".to_owned(), "<password>a b!c</password>".to_owned()),
            ("<password>ab!c</password>".to_owned(), "<password>[redacted]</password>".to_owned()),
            (
                "say a \\\"b\\\\ü<&% and a%20%22b%5c%C3%BC%3C%26%25".to_owned(),
                "say [redacted] and [redacted]".to_owned(),
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
