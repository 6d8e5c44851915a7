//! What the bytes of an index are spent on, by top-level field over all rows (reports E1).
//!
//! The gateway repeats prompts and skill lists in every row; lists then take seconds. A field is reported when it takes a
//! fifth of the index and is not small; only fields that the gateway builds anew can be stripped.

use std::collections::{HashMap, HashSet};
use std::hash::BuildHasher;

use foldhash::fast::FixedState;

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
    for field in &facts.fields {
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
    let mut uses = Uses::default();
    for row in &index.rows {
        let mut lexer = Lexer::new(buf, row.value.start as usize);
        if lexer.peek() != Some(b'{') {
            continue;
        }
        uses.next = 0;
        // The row was read before: this cannot fail.
        let _ = lexer.members(|lexer, name| {
            let start = lexer.pos();
            lexer.value()?;
            let value = lexer.span_from(start);
            let one = uses.of(&identity(name, buf));
            // Quotes and colon of the name.
            one.field.bytes += (value.len() + name.span.len() + 3) as u64;
            one.field.rows += 1;
            one.values.insert(FixedState::default().hash_one(value.of(buf)));
            Ok(())
        });
    }
    let sum = |one: Use| FieldUse { distinct: one.values.len() as u64, ..one.field };
    let mut all: Vec<FieldUse> = uses.all.into_iter().map(sum).collect();
    all.order_by(|a, b| b.bytes.cmp(&a.bytes).then_with(|| a.name.cmp(&b.name)));
    all
}

/// One field, with the hashes of its values.
struct Use {
    key: Vec<u8>,
    field: FieldUse,
    values: HashSet<u64, FixedState>,
}

/// Fields in the order in which they were met. The rows of one gateway name theirs in one order, so the next one is nearly
/// always the one behind the last.
#[derive(Default)]
struct Uses {
    all: Vec<Use>,
    by_key: HashMap<Vec<u8>, usize>,
    next: usize,
}

impl Uses {
    fn of(&mut self, key: &[u8]) -> &mut Use {
        let at = match self.all.get(self.next) {
            Some(one) if one.key == key => self.next,
            _ => self.find(key),
        };
        self.next = at + 1;
        &mut self.all[at]
    }

    fn find(&mut self, key: &[u8]) -> usize {
        if let Some(at) = self.by_key.get(key) {
            return *at;
        }
        let name = String::from_utf8_lossy(key).into_owned();
        let field = FieldUse { name, bytes: 0, rows: 0, distinct: 0 };
        self.all.push(Use { key: key.to_vec(), field, values: HashSet::default() });
        self.by_key.insert(key.to_vec(), self.all.len() - 1);
        self.all.len() - 1
    }
}
