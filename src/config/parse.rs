//! JSON5 text to a value, with errors that show the place.

use std::fmt;
use std::path::Path;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use super::{prescan, secret};
use crate::error::{Error, Result};

/// Longest part of an offending line that is shown, in characters.
const SHOWN: usize = 80;

/// Parses the text of `path`. A byte-order mark is skipped; CRLF is as good as LF. Numbers that are not finite become
/// their names as strings, so that a later check sees something it can refuse instead of a harmless null.
///
/// # Errors
/// Not UTF-8, nested too deeply, or not JSON5: names file, line, column and the line itself.
pub fn parse(path: &Path, bytes: &[u8], warnings: &mut Vec<String>) -> Result<Value> {
    let text = std::str::from_utf8(bytes).map_err(|e| {
        let (line, column) = position(&String::from_utf8_lossy(&bytes[..e.valid_up_to()]));
        Error::failed(format!("{} is not UTF-8: line {line}, column {column}", path.display()))
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let scanned = prescan::scan(text).map_err(|deep| {
        let (line, column) = position(&text[..deep.offset]);
        Error::failed(format!(
            "cannot read {}: nested more than {} levels deep at line {line}, column {column}",
            path.display(),
            prescan::MAX_DEPTH
        ))
    })?;
    if scanned.replaced > 0 {
        warnings.push(format!(
            "{}: {} half surrogate pair(s) in strings, read as U+FFFD; the file is unchanged",
            path.display(),
            scanned.replaced
        ));
    }
    json5::from_str::<Json>(&scanned.text).map(|json| json.0).map_err(|e| syntax_error(path, &scanned.text, &e))
}

/// Decodes one token that is known to be a number, a string, a boolean or null.
///
/// # Errors
/// It is none.
pub(super) fn scalar(token: &str) -> std::result::Result<Value, json5::Error> {
    let text = prescan::scan(token).map_or(std::borrow::Cow::Borrowed(token), |scanned| scanned.text);
    json5::from_str::<Json>(&text).map(|json| json.0)
}

fn syntax_error(path: &Path, text: &str, error: &json5::Error) -> Error {
    // Without a position the text ended too early.
    let (line, column) = error.position().map_or_else(|| position(text), |p| (p.line + 1, p.column + 1));
    let what = match error.code() {
        Some(code) => code.to_string(),
        None => error.to_string().split(" at line ").next().unwrap_or_default().to_owned(),
    };
    let what = what.replacen("EOF parsing", "end of file inside", 1);
    let shown = lines(text).nth(line - 1).map(|l| shown_line(l, column)).unwrap_or_default();
    Error::failed(format!("{} is not valid JSON5: line {line}, column {column}: {what}: {shown}", path.display()))
}

/// The part of a line round `column`, control characters escaped; a line that names a secret is not shown.
fn shown_line(line: &str, column: usize) -> String {
    if secret::names_secret(line) {
        return "(line not shown: it names a secret)".to_owned();
    }
    let start = column.saturating_sub(SHOWN / 2);
    let part: String = line.chars().skip(if line.chars().count() > SHOWN { start } else { 0 }).take(SHOWN).collect();
    format!("`{}`", crate::report::escape::line(part.trim()))
}

/// Line and column, both from 1, of the end of `before`.
fn position(before: &str) -> (usize, usize) {
    let mut count = 0;
    let mut last = "";
    for line in lines(before) {
        count += 1;
        last = line;
    }
    (count, last.chars().count() + 1)
}

/// Lines as JSON5 counts them: LF, CR, CRLF, U+2028, U+2029. Never empty.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let Some(end) = text.find(['\n', '\r', '\u{2028}', '\u{2029}']) else {
            rest = None;
            return Some(text);
        };
        let (line, after) = text.split_at(end);
        let terminator = if after.starts_with("\r\n") { 2 } else { after.chars().next().map_or(1, char::len_utf8) };
        rest = Some(&after[terminator..]);
        Some(line)
    })
}

/// A [`Value`] built without serde_json's own visitor, which drops what is not finite and gives some keys a meaning.
struct Json(Value);

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        deserializer.deserialize_any(JsonVisitor).map(Json)
    }
}

struct JsonVisitor;

impl<'de> Visitor<'de> for JsonVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON5 value")
    }

    fn visit_unit<E>(self) -> std::result::Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E>(self) -> std::result::Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, v: bool) -> std::result::Result<Value, E> {
        Ok(Value::Bool(v))
    }

    fn visit_i64<E>(self, v: i64) -> std::result::Result<Value, E> {
        Ok(Value::from(v))
    }

    fn visit_u64<E>(self, v: u64) -> std::result::Result<Value, E> {
        Ok(Value::from(v))
    }

    fn visit_f64<E>(self, v: f64) -> std::result::Result<Value, E> {
        let name = || {
            if v.is_nan() {
                "NaN"
            } else if v > 0.0 {
                "Infinity"
            } else {
                "-Infinity"
            }
        };
        Ok(Number::from_f64(v).map_or_else(|| Value::from(name()), Value::Number))
    }

    fn visit_str<E>(self, v: &str) -> std::result::Result<Value, E> {
        Ok(Value::from(v))
    }

    fn visit_string<E>(self, v: String) -> std::result::Result<Value, E> {
        Ok(Value::String(v))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> std::result::Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(Json(item)) = seq.next_element()? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some((key, Json(value))) = map.next_entry::<String, Json>()? {
            object.insert(key, value);
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(text: &str) -> Result<Value> {
        parse(Path::new("/s/openclaw.json"), text.as_bytes(), &mut Vec::new())
    }

    fn error(text: &str) -> String {
        read(text).unwrap_err().message
    }

    #[test]
    fn reads_json5_with_bom_crlf_and_comments() {
        let text = "\u{feff}// c\r\n{\r\n a /* k */ : 'x', \"b\": [1, 0x10, .5, +1,], c: Infinity, d: NaN,\r\n}\r\n";
        assert_eq!(read(text).unwrap(), json!({"a": "x", "b": [1, 16, 0.5, 1], "c": "Infinity", "d": "NaN"}));
    }

    #[test]
    fn duplicate_keys_end_with_the_last_at_the_first_place() {
        let value = read("{a: 1, b: 2, a: 3}").unwrap();
        assert_eq!(value.to_string(), r#"{"a":3,"b":2}"#);
    }

    #[test]
    fn errors_show_file_line_column_and_line() {
        let text = "{\r\n  session: {\r\n    pruneAfter '30d'\r\n  }\r\n}";
        assert_eq!(
            error(text),
            "/s/openclaw.json is not valid JSON5: line 3, column 16: expected colon: `pruneAfter '30d'`"
        );
        assert_eq!(
            error("{ \"session\": {\n"),
            "/s/openclaw.json is not valid JSON5: line 1, column 14: end of file inside object: `{ \"session\": {`"
        );
        assert!(error("").contains("line 1, column 1"), "{}", error(""));
        assert!(error("{} x").contains("trailing characters"));
        assert!(error("{a: \"\u{1b}[2J\" b}").contains("\\x1b[2J"));
    }

    #[test]
    fn a_secret_is_never_shown_in_an_error() {
        let message = error("{ gateway: { auth: { token: 'hunter2' x } } }");
        assert!(!message.contains("hunter2"), "{message}");
        assert!(message.contains("line 1"), "{message}");
    }

    #[test]
    fn a_nesting_bomb_is_an_error() {
        for open in ["[", "{a:"] {
            let message = error(&open.repeat(50_000));
            assert!(message.contains("/s/openclaw.json: nested more than 128 levels deep at line 1"), "{message}");
        }
        let deepest = format!("{}{}", "[".repeat(prescan::MAX_DEPTH), "]".repeat(prescan::MAX_DEPTH));
        assert!(read(&deepest).is_ok());
    }

    #[test]
    fn half_a_surrogate_pair_is_read_with_a_warning() {
        let mut warnings = Vec::new();
        let value = parse(Path::new("/c"), br#"{a: "x\ud83d"}"#, &mut warnings).unwrap();
        assert_eq!(value, json!({"a": "x\u{fffd}"}));
        assert_eq!(warnings.len(), 1);
    }

    #[test]
    fn text_that_is_not_utf8_is_an_error_with_a_place() {
        let error = parse(Path::new("/c"), b"{\n a: '\xff'}", &mut Vec::new()).unwrap_err();
        assert_eq!(error.message, "/c is not UTF-8: line 2, column 6");
    }
}
