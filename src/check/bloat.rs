//! What the bytes of an index are spent on, by top-level field over all rows (reports E1).
//!
//! The gateway repeats prompts and skill lists in every row; lists then take seconds. A field is reported when it takes a
//! fifth of the index and is not small; only fields that the gateway builds anew can be stripped.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::model::check::{CheckFacts, FieldUse};
use crate::model::finding::{Finding, FindingId, Place};
use crate::model::index::IndexFacts;
use crate::order::Order as _;
use crate::store::identity::identity;
use crate::store::lexer::Lexer;
use crate::units::bytes;

/// Fields that the gateway rebuilds by itself (spec/transcripts.md 8: reports).
pub const REBUILT: [&str; 2] = ["systemPromptReport", "skillsSnapshot"];
/// Share of the index, in percent, from which a field is reported.
const SHARE: u64 = 20;
/// Bytes of all rows together below which nothing is reported.
const SMALL: u64 = 64 * 1024;
/// Mean bytes a row below which a field is ordinary data.
const ORDINARY: u64 = 2 * 1024;

/// Reports the fields that are too large.
pub fn findings(facts: &CheckFacts, index: &IndexFacts, found: &mut Vec<Finding>) {
    let total = index.bytes.len() as u64;
    for field in fields(index) {
        let large = field.bytes >= SMALL && field.bytes * 100 >= total * SHARE;
        if !large || field.bytes < field.rows * ORDINARY {
            continue;
        }
        let percent = field.bytes * 100 / total.max(1);
        let evidence = format!(
            "{} takes {} in {} rows, {percent} % of the index; {}",
            field.name,
            bytes::human(field.bytes),
            field.rows,
            values(field.distinct),
        );
        let place = Place::file(&facts.target.store_path);
        let finding = Finding::new(FindingId::IndexBloat, place, evidence)
            .bytes(field.bytes)
            .count(field.rows)
            .operand(field.name.as_str());
        let rebuilt = REBUILT.contains(&field.name.as_str());
        found.push(if rebuilt { finding } else { finding.without_repair() });
    }
}

fn values(distinct: u64) -> String {
    match distinct {
        1 => "always the same value".to_owned(),
        n => format!("{n} different values"),
    }
}

/// Bytes by field over all rows, the largest first.
pub fn fields(index: &IndexFacts) -> Vec<FieldUse> {
    let buf = &index.bytes[..];
    let mut uses: HashMap<Vec<u8>, (FieldUse, HashSet<u64>)> = HashMap::new();
    for row in &index.rows {
        let mut lexer = Lexer::new(buf, row.value.start as usize);
        if lexer.peek() != Some(b'{') {
            continue;
        }
        // The row was read before: this cannot fail.
        let _ = lexer.members(|lexer, name| {
            let start = lexer.pos();
            lexer.value()?;
            let value = lexer.span_from(start);
            let key = identity(name, buf);
            if !uses.contains_key(&*key) {
                let name = String::from_utf8_lossy(&key).into_owned();
                uses.insert(key.to_vec(), (FieldUse { name, bytes: 0, rows: 0, distinct: 0 }, HashSet::new()));
            }
            if let Some((field, seen)) = uses.get_mut(&*key) {
                // Quotes and colon of the name.
                field.bytes += (value.len() + name.span.len() + 3) as u64;
                field.rows += 1;
                let mut hasher = DefaultHasher::new();
                value.of(buf).hash(&mut hasher);
                seen.insert(hasher.finish());
            }
            Ok(())
        });
    }
    let sum = |(field, seen): (FieldUse, HashSet<u64>)| FieldUse { distinct: seen.len() as u64, ..field };
    let mut all: Vec<FieldUse> = uses.into_values().map(sum).collect();
    all.order_by(|a, b| b.bytes.cmp(&a.bytes).then_with(|| a.name.cmp(&b.name)));
    all
}
