//! The published JSON Schemas against reports.

use std::collections::BTreeSet;

use serde_json::Value;

use super::kind;
use crate::model::finding::{FindingId, Group, RepairId};

/// Panics unless `value` is what the schema of that name allows.
pub fn assert_valid(schema: &str, value: &Value) {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schema").join(schema);
    let schema: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    let errors: Vec<String> = validator.iter_errors(value).map(|e| format!("{}: {e}", e.instance_path)).collect();
    assert!(errors.is_empty(), "{}: {errors:#?}\n{value:#}", path.display());
}

/// The words that the schema allows at `pointer`, without `null`.
fn words(schema: &str, pointer: &str) -> BTreeSet<String> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schema").join(schema);
    let document: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    let list = document.pointer(pointer).and_then(Value::as_array).unwrap_or_else(|| panic!("{schema} {pointer}"));
    list.iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

fn set<'a>(words: impl IntoIterator<Item = &'a str>) -> BTreeSet<String> {
    words.into_iter().map(str::to_owned).collect()
}

#[test]
fn the_schemas_know_every_word_of_the_program() {
    let findings = "/properties/findings/items/properties";
    let all = || FindingId::ALL.iter().copied();
    assert_eq!(words("sessions-check.json", &format!("{findings}/id/enum")), set(all().map(FindingId::id)));
    let repairs = set(all().filter_map(FindingId::repair).map(RepairId::id));
    assert!(words("sessions-check.json", &format!("{findings}/repair/enum")).is_superset(&repairs));
    let closely = set(all().filter(|f| f.group() == Group::Transcripts).map(FindingId::id));
    assert!(words("transcript-check.json", &format!("{findings}/id/enum")).is_superset(&closely));
    assert_eq!(words("sessions-show.json", "/$defs/row/properties/kind/enum"), set(kind::all_fine()));
    let listed = words("sessions-list.json", "/$defs/row/properties/kind/enum");
    assert!(listed.is_superset(&set(kind::KINDS)), "{listed:?}");
}
