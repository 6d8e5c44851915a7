//! The published JSON Schemas against reports.

use serde_json::Value;

/// Panics unless `value` is what the schema of that name allows.
pub fn assert_valid(schema: &str, value: &Value) {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schema").join(schema);
    let schema: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    let errors: Vec<String> = validator.iter_errors(value).map(|e| format!("{}: {e}", e.instance_path)).collect();
    assert!(errors.is_empty(), "{}: {errors:#?}\n{value:#}", path.display());
}
