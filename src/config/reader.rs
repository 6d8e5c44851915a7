//! Strict reading of known keys: each value is right, absent, or a [`Problem`].
//!
//! A limit that is written but not understood is a problem and reads as [`Limit::Off`], because the default could be
//! shorter than what the user meant (reports A11). `0`, `"0"`, `"0d"` and `false` are `Off` everywhere (DESIGN 1.2).

use std::path::{Path, PathBuf};

use serde_json::{Number, Value};

use super::document::Document;
use crate::model::Ms;
use crate::model::settings::Problem;
use crate::model::sourced::{Limit, Origin, Sourced};
use crate::units::bytes;
use crate::units::duration::{self, BareUnit};

/// What durations may look like.
const DURATION: &str = "a duration in ms, s, m, h or d such as 30d or 1d12h; 0 or false for off";
/// What sizes may look like.
const SIZE: &str = "a size in b, kb, mb, gb or tb such as 500mb; 0 or false for off";
/// What counts may look like.
const COUNT: &str = "a positive whole number; 0 or false for off";
/// Longest value that a problem shows, in characters.
const SHOWN: usize = 80;
/// Whole numbers beyond this cannot be told apart in JavaScript.
const MAX_SAFE: u64 = 9_007_199_254_740_991;

/// Reads one document and collects what is wrong with it.
pub(super) struct Reader<'a> {
    document: &'a Document,
    origin: fn(PathBuf) -> Origin,
    problems: &'a mut Vec<Problem>,
    warnings: &'a mut Vec<String>,
}

impl<'a> Reader<'a> {
    /// A reader whose values come from the gateway's configuration.
    pub fn config(document: &'a Document, problems: &'a mut Vec<Problem>, warnings: &'a mut Vec<String>) -> Self {
        Self { document, origin: |path| Origin::Config { path }, problems, warnings }
    }

    /// A reader whose values come from our own file.
    pub fn own(document: &'a Document, problems: &'a mut Vec<Problem>, warnings: &'a mut Vec<String>) -> Self {
        Self { document, origin: |path| Origin::Own { path }, problems, warnings }
    }

    /// The value of a key, if it is there. What stands in the place of an object above it is a problem, once.
    pub fn value(&mut self, key: &str) -> Option<&'a Value> {
        let document = self.document;
        let mut value = &document.root;
        let mut end = 0;
        for part in key.split('.') {
            let Value::Object(map) = value else {
                let parent = if end == 0 { "<root>" } else { &key[..end - 1] };
                self.problem(parent, value, "an object");
                return None;
            };
            value = map.get(part)?;
            end += part.len() + 1;
        }
        Some(value)
    }

    /// Records a problem, unless the key has one already.
    pub fn problem(&mut self, key: &str, value: &Value, allowed: &str) {
        if self.problems.iter().any(|p| p.key == key && p.path == self.document.nearest(key)) {
            return;
        }
        self.problems.push(Problem {
            key: key.to_owned(),
            value: shown(value),
            allowed: allowed.to_owned(),
            path: self.document.nearest(key).to_owned(),
        });
    }

    /// Records advice.
    pub fn warn(&mut self, text: String) {
        self.warnings.push(text);
    }

    /// The file that holds a key, or would hold it.
    pub fn file(&self, key: &str) -> &Path {
        self.document.nearest(key)
    }

    /// A value with its origin.
    pub fn sourced<T>(&self, key: &'static str, value: T) -> Sourced<T> {
        Sourced { value, key, origin: (self.origin)(self.document.nearest(key).to_owned()) }
    }

    /// A value read by `parse`; what it does not take is a problem and `invalid` in its place.
    fn parsed<T>(
        &mut self,
        key: &'static str,
        allowed: &str,
        invalid: T,
        parse: impl FnOnce(&Value) -> Option<T>,
    ) -> Option<Sourced<T>> {
        let value = self.value(key)?;
        let read = parse(value).unwrap_or_else(|| {
            self.problem(key, value, allowed);
            invalid
        });
        Some(self.sourced(key, read))
    }

    /// An age limit; a number without a unit has the unit of the key.
    pub fn duration(&mut self, key: &'static str, bare: BareUnit) -> Option<Sourced<Limit<Ms>>> {
        self.parsed(key, DURATION, Limit::Off, |v| duration_limit(v, bare))
    }

    /// A size limit; a number without a unit is bytes.
    pub fn size(&mut self, key: &'static str) -> Option<Sourced<Limit<u64>>> {
        self.parsed(key, SIZE, Limit::Off, |v| match text_of(v)? {
            Text::Off => Some(Limit::Off),
            Text::Is(t) => bytes::parse(&t).map(|n| if n == 0 { Limit::Off } else { Limit::At(n) }),
        })
    }

    /// A limit on how many. The gateway takes JSON numbers only; text is good for `"0"` alone.
    pub fn count(&mut self, key: &'static str) -> Option<Sourced<Limit<u64>>> {
        self.parsed(key, COUNT, Limit::Off, count_limit)
    }

    /// A positive whole number that is not a limit, such as a waiting time.
    pub fn positive(&mut self, key: &'static str, default: u64) -> Option<Sourced<u64>> {
        self.parsed(key, "a positive whole number", default, |v| whole(v).filter(|n| *n > 0))
    }

    /// A string; empty counts as absent, as in the gateway.
    pub fn text(&mut self, key: &'static str) -> Option<Sourced<String>> {
        let value = self.value(key)?;
        let Some(text) = value.as_str() else {
            self.problem(key, value, "a string");
            return None;
        };
        if !text.is_empty() && text.trim().is_empty() {
            self.problem(key, value, "a string that is not blank");
            return None;
        }
        (!text.is_empty()).then(|| self.sourced(key, text.to_owned()))
    }

    /// One of a few words.
    pub fn word(&mut self, key: &'static str, words: &[&str]) -> Option<Sourced<String>> {
        let value = self.value(key)?;
        match value.as_str().filter(|t| words.contains(t)) {
            Some(text) => Some(self.sourced(key, text.to_owned())),
            None => {
                self.problem(key, value, &format!("one of {}", words.join(", ")));
                None
            }
        }
    }

    /// True or false.
    pub fn flag(&mut self, key: &'static str) -> Option<bool> {
        let value = self.value(key)?;
        if !value.is_boolean() {
            self.problem(key, value, "true or false");
        }
        value.as_bool()
    }
}

/// A duration limit as a value of any allowed shape.
pub(super) fn duration_limit(value: &Value, bare: BareUnit) -> Option<Limit<Ms>> {
    match text_of(value)? {
        Text::Off => Some(Limit::Off),
        Text::Is(t) => duration::parse(&t, bare).map(|ms| if ms == 0 { Limit::Off } else { Limit::At(ms) }),
    }
}

fn count_limit(value: &Value) -> Option<Limit<u64>> {
    match value {
        Value::Bool(false) => Some(Limit::Off),
        Value::String(t) if t.trim() == "0" => Some(Limit::Off),
        other => whole(other).map(|n| if n == 0 { Limit::Off } else { Limit::At(n) }),
    }
}

/// What the grammar of sizes and durations gets to see.
enum Text {
    /// `false`.
    Off,
    /// A string, or a number as JavaScript writes it.
    Is(String),
}

fn text_of(value: &Value) -> Option<Text> {
    match value {
        Value::Bool(false) => Some(Text::Off),
        Value::String(t) => Some(Text::Is(t.clone())),
        Value::Number(n) => number_text(n).map(Text::Is),
        _ => None,
    }
}

/// A non-negative number as JavaScript writes it; `None` where that has a sign or an exponent, which no grammar takes.
fn number_text(number: &Number) -> Option<String> {
    if let Some(n) = number.as_u64() {
        return Some(n.to_string());
    }
    let value = number.as_f64()?;
    let plain = value == 0.0 || (1e-6..1e21).contains(&value);
    // The sign of a negative zero is not written.
    plain.then(|| value.abs().to_string())
}

/// A non-negative whole number, however it is written (`500`, `5e2`, `500.0`).
pub(super) fn whole(value: &Value) -> Option<u64> {
    let number = value.as_number()?;
    if let Some(n) = number.as_u64() {
        return (n <= MAX_SAFE).then_some(n);
    }
    let text = number_text(number)?;
    text.parse().ok().filter(|n| *n <= MAX_SAFE)
}

/// A value as JSON text, cut, with control characters escaped. Lists and objects are not spelled out: there may be a
/// secret in them.
pub(super) fn shown(value: &Value) -> String {
    let text = match value {
        Value::Array(items) if !items.is_empty() => "[…]".to_owned(),
        Value::Object(map) if !map.is_empty() => "{…}".to_owned(),
        other => other.to_string(),
    };
    let text = crate::report::escape::line(&text);
    if text.chars().count() <= SHOWN {
        return text.to_string();
    }
    let cut: String = text.chars().take(SHOWN - 1).collect();
    format!("{cut}…")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::model::DAY;

    fn read<T>(value: Value, f: impl FnOnce(&mut Reader<'_>) -> T) -> (T, Vec<Problem>) {
        let document = Document::single(Path::new("/c"), json!({"session": {"maintenance": {"k": value}}}));
        let (mut problems, mut warnings) = (Vec::new(), Vec::new());
        let out = f(&mut Reader::config(&document, &mut problems, &mut warnings));
        (out, problems)
    }

    const KEY: &str = "session.maintenance.k";

    #[test]
    fn durations_are_peer_exact_and_zero_is_off() {
        for (value, limit) in [
            (json!("30d"), Limit::At(30 * DAY)),
            (json!("30"), Limit::At(30 * DAY)),
            (json!(30), Limit::At(30 * DAY)),
            (json!(0.5), Limit::At(DAY / 2)),
            (json!("1M"), Limit::At(60_000)),
            (json!(" 1D12H30m "), Limit::At(131_400_000)),
            (json!(0), Limit::Off),
            (json!(-0.0), Limit::Off),
            (json!("0"), Limit::Off),
            (json!("0d"), Limit::Off),
            (json!("0h0m"), Limit::Off),
            (json!(false), Limit::Off),
        ] {
            let (read, problems) = read(value.clone(), |r| r.duration(KEY, BareUnit::Days));
            assert_eq!(read.map(|s| s.value), Some(limit), "{value}");
            assert!(problems.is_empty(), "{value}");
        }
    }

    #[test]
    fn a_duration_that_is_not_one_is_a_problem_and_off() {
        for value in [
            json!("1 week"),
            json!("1Y"),
            json!("-1d"),
            json!(-1),
            json!(""),
            json!(" "),
            json!(true),
            json!(null),
            json!([30]),
            json!({"d": 30}),
            json!("NaN"),
            json!(1e21),
            json!(1e-7),
            json!("forever"),
        ] {
            let (read, problems) = read(value.clone(), |r| r.duration(KEY, BareUnit::Days));
            assert_eq!(read.map(|s| s.value), Some(Limit::Off), "{value}");
            assert_eq!(problems.len(), 1, "{value}");
            assert_eq!(problems[0].key, KEY);
            assert_eq!(problems[0].value, shown(&value));
            assert_eq!(problems[0].path, Path::new("/c"));
        }
    }

    #[test]
    fn sizes_are_powers_of_1024() {
        for (value, limit) in [
            (json!("500mb"), Some(Limit::At(524_288_000))),
            (json!(1024), Some(Limit::At(1024))),
            (json!("0b"), Some(Limit::Off)),
            (json!("0.4b"), Some(Limit::Off)),
            (json!(false), Some(Limit::Off)),
            (json!("10 kb"), None),
            (json!("1kib"), None),
            (json!("80%"), None),
            (json!(-5), None),
            (json!(1e21), None),
        ] {
            let (read, problems) = read(value.clone(), |r| r.size(KEY));
            assert_eq!(read.map(|s| s.value), Some(limit.unwrap_or(Limit::Off)), "{value}");
            assert_eq!(problems.is_empty(), limit.is_some(), "{value}");
        }
    }

    #[test]
    fn counts_are_whole_numbers() {
        for (value, limit) in [
            (json!(500), Some(Limit::At(500))),
            (json!(500.0), Some(Limit::At(500))),
            (json!(5e2), Some(Limit::At(500))),
            (json!(0), Some(Limit::Off)),
            (json!("0"), Some(Limit::Off)),
            (json!(false), Some(Limit::Off)),
            (json!("500"), None),
            (json!(1.5), None),
            (json!(-1), None),
            (json!(1e20), None),
            (json!(null), None),
        ] {
            let (read, problems) = read(value.clone(), |r| r.count(KEY));
            assert_eq!(read.map(|s| s.value), Some(limit.unwrap_or(Limit::Off)), "{value}");
            assert_eq!(problems.is_empty(), limit.is_some(), "{value}");
        }
    }

    #[test]
    fn a_parent_that_is_no_object_is_one_problem() {
        let document = Document::single(Path::new("/c"), json!({"session": "off"}));
        let (mut problems, mut warnings) = (Vec::new(), Vec::new());
        let mut reader = Reader::config(&document, &mut problems, &mut warnings);
        assert!(reader.count("session.maintenance.maxEntries").is_none());
        assert!(reader.text("session.store").is_none());
        assert_eq!(problems.len(), 1);
        assert_eq!((problems[0].key.as_str(), problems[0].value.as_str()), ("session", "\"off\""));
    }

    #[test]
    fn long_values_are_cut_and_control_characters_escaped() {
        let text = shown(&json!(format!("\u{9b}{}", "x".repeat(200))));
        assert!(text.chars().count() <= SHOWN);
        assert!(!text.contains('\u{9b}'));
    }
}
