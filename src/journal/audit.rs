//! `.clawkeep/audit.jsonl`: one line per item that a run took, for good. Outlives run folders.

use std::io::{self, Write};

use serde::Serialize;

use super::layout::{AUDIT, OwnDir};
use super::write::json_lines;
use crate::model::run::Raw;

/// Size at which the log starts anew; one older part is kept.
const ROLL_AT: u64 = 16 * 1024 * 1024;
/// Name of the older part.
const OLDER: &str = "audit.1.jsonl";

/// One item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Item {
    /// ISO 8601.
    pub time: String,
    /// Run id, empty if the run never had a folder.
    pub run: String,
    /// What was done (`dropRow`, `move`, `stow`, `unlink`, `pack`, `rewrite`, `restore`, `insertRow`).
    pub op: &'static str,
    /// Session key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// Session id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<Raw>,
    /// Bytes of the file or row.
    pub bytes: u64,
    /// Reason id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Archive name, or path of the packed copy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub archive: Option<Raw>,
    /// `done`, or why not.
    pub outcome: String,
}

/// Appends items, all in one write.
///
/// # Errors
/// I/O errors.
pub fn append(own: &OwnDir, items: &[Item]) -> io::Result<()> {
    if items.is_empty() {
        return Ok(());
    }
    if own.dir().stat(AUDIT).is_ok_and(|fp| fp.size > ROLL_AT) {
        own.dir().replace(AUDIT, OLDER)?;
    }
    let mut file = match own.dir().open_write(AUDIT, true) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => own.dir().create(AUDIT, own.file_mode())?,
        other => other?,
    };
    file.write_all(&json_lines(items)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fsx::fault::Faults;

    #[test]
    fn lines_are_added_and_an_old_log_rolls() {
        let temp = tempfile::tempdir().unwrap();
        let own = OwnDir::create(temp.path(), &Faults::none()).unwrap();
        let item = Item {
            time: "t".into(),
            run: "r".into(),
            op: "move",
            key: None,
            id: None,
            path: Some(Raw(b"\xff".to_vec())),
            bytes: 1,
            reason: None,
            archive: None,
            outcome: "done".into(),
        };
        append(&own, &[item.clone(), item.clone()]).unwrap();
        append(&own, std::slice::from_ref(&item)).unwrap();
        let path = temp.path().join(".clawkeep/audit.jsonl");
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(text.lines().count(), 3);
        assert!(text.contains(r#""path":{"hex":"ff"}"#), "{text}");
        std::fs::File::options().write(true).open(&path).unwrap().set_len(ROLL_AT + 1).unwrap();
        append(&own, &[item]).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap().lines().count(), 1);
    }
}
