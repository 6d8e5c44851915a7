//! Times of rows that no age rule can use: seconds, text, the future (reports K9, K10).

use crate::model::check::CheckFacts;
use crate::model::finding::{Finding, FindingId};
use crate::model::index::{IndexFacts, Row, TimeField};
use crate::model::{MINUTE, Ms};
use crate::plan::draft::{Draft, index32};
use crate::store::identity::identity;
use crate::store::lexer::Lexer;
use crate::units::{duration, time};

use super::rows;

/// A clock may be this far off.
const TOLERANCE: Ms = 5 * MINUTE;
/// Seconds since the epoch that are a plausible time: 2001 to 2286.
const SECONDS: std::ops::Range<f64> = 1e9..1e10;
/// Longest text of a time that is shown.
const SHOWN: usize = 40;

/// Reports them: of each row the first field.
pub fn findings(facts: &CheckFacts, draft: &Draft<'_>, found: &mut Vec<Finding>) {
    let index = &draft.facts.index;
    for (ix, row) in index.rows.iter().enumerate() {
        let fields = [
            ("updatedAt", row.updated_at),
            ("lastInteractionAt", row.last_interaction_at),
            ("sessionStartedAt", row.session_started_at),
        ];
        let wrong = fields.iter().find_map(|(name, field)| judge(facts.now, index, row, name, *field));
        if let Some((id, evidence)) = wrong {
            found.push(Finding::new(id, rows::place(facts, index, index32(ix), row), evidence));
        }
    }
}

fn judge(now: Ms, index: &IndexFacts, row: &Row, name: &str, field: TimeField) -> Option<(FindingId, String)> {
    match field {
        TimeField::Missing => None,
        TimeField::Ms(at) if at <= now + TOLERANCE => None,
        TimeField::Ms(at) => {
            let ahead = duration::human(at - now);
            Some((FindingId::TimeInFuture, format!("{name} is {}, {ahead} ahead", time::iso(at))))
        }
        TimeField::Suspect => {
            let text = raw(index, row, name)?;
            let seconds = text.parse::<f64>().is_ok_and(|n| SECONDS.contains(&n));
            let id = if seconds { FindingId::TimeInSeconds } else { FindingId::TimeNotMs };
            let shown: String = text.chars().take(SHOWN).collect();
            Some((id, format!("{name} is {shown}")))
        }
    }
}

/// Text of a field as it stands in the row; of a field that comes twice the last one counts.
fn raw(index: &IndexFacts, row: &Row, wanted: &str) -> Option<String> {
    let buf = &index.bytes[..];
    let mut found = None;
    let mut lexer = Lexer::new(buf, row.value.start as usize);
    let read = lexer.members(|lexer, name| {
        let start = lexer.pos();
        lexer.value()?;
        if &*identity(name, buf) == wanted.as_bytes() {
            found = Some(lexer.span_from(start));
        }
        Ok(())
    });
    read.ok().and(found).map(|span| String::from_utf8_lossy(span.of(buf)).into_owned())
}
