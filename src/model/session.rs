//! What the raw text of a row says about its session, for rows that are kept outside an index.

use super::run::RunRow;

/// The two fields that lead from a row to its files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Session {
    /// `sessionId`.
    pub id: Option<String>,
    /// Last component of `sessionFile`.
    pub file: Option<String>,
}

impl Session {
    /// Reads a recorded row; what it does not say stays empty.
    pub fn of(row: &RunRow) -> Self {
        Self::of_value(&row.value.0)
    }

    /// Reads the raw value of a row.
    pub fn of_value(value: &[u8]) -> Self {
        #[derive(serde::Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Fields {
            session_id: Option<serde_json::Value>,
            session_file: Option<serde_json::Value>,
        }
        let Ok(fields) = serde_json::from_slice::<Fields>(value) else { return Self::default() };
        let text = |v: Option<serde_json::Value>| v.and_then(|v| v.as_str().map(str::to_owned));
        let path = text(fields.session_file);
        let file = path.and_then(|p| p.rsplit(['/', '\\']).next().map(str::to_owned));
        Self { id: text(fields.session_id), file: file.filter(|f| !f.is_empty()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_any_shape_are_read_as_far_as_they_go() {
        let of = |text: &str| Session::of_value(text.as_bytes());
        let full = of(r#"{"sessionId":"a","sessionFile":"C:\\x\\b.jsonl","other":[1]}"#);
        assert_eq!((full.id.as_deref(), full.file.as_deref()), (Some("a"), Some("b.jsonl")));
        for odd in ["null", "7", "{", r#"{"sessionId":7,"sessionFile":"/x/"}"#] {
            assert_eq!(of(odd), Session::default(), "{odd}");
        }
    }
}
