//! Tool calls and their results, and responses that are stored more than once.

use std::collections::{HashMap, HashSet};

use crate::model::finding::FindingId;
use crate::model::index::Text;
use crate::model::transcript::{Reading, Role};
use crate::store::identity::identity;
use crate::store::lexer::{Fault, Lexer};

use super::record::{IdHash, Record, hash};

/// Most ids of each kind that are remembered.
const MOST: usize = 100_000;
/// Longest id that is shown whole.
const SHOWN: usize = 80;

/// Block types that are calls, in every spelling that readers accept (spec/transcripts.md 1.4).
const CALLS: [&[u8]; 6] = [b"toolCall", b"toolUse", b"functionCall", b"tool_call", b"tool_use", b"function_call"];

/// One id: where it came first.
#[derive(Debug, Clone)]
struct Seen {
    id: Box<str>,
    line: u64,
    offset: u64,
}

/// What was seen so far. Calls that have their result, nearly all, are only numbers.
#[derive(Debug, Default)]
pub struct Pairs {
    /// Calls without a result, so far.
    calls: HashMap<IdHash, Seen>,
    /// Results without a call, so far.
    results: HashMap<IdHash, Seen>,
    both: HashSet<IdHash>,
    /// More than are remembered.
    too_many: bool,
    responses: HashMap<IdHash, u64>,
    again: Vec<(Seen, u64)>,
}

impl Pairs {
    /// Takes one record.
    pub fn add(&mut self, record: &Record, text: &[u8], line: u64, offset: u64) {
        if !matches!(record.role, Role::Assistant | Role::ToolResult) || u32::try_from(text.len()).is_err() {
            return;
        }
        let mut found = Found::default();
        let mut lexer = Lexer::new(text, 0);
        lexer.space();
        // A shortened record gives what it still has.
        let _ = lexer.members(|lexer, name| match &*identity(name, lexer.buf()) {
            b"message" if lexer.peek() == Some(b'{') => message(lexer, &mut found),
            _ => lexer.value(),
        });
        let seen = |id: &[u8]| {
            let id: String = String::from_utf8_lossy(id).chars().take(SHOWN).collect();
            Seen { id: id.into(), line, offset }
        };
        if record.role == Role::ToolResult {
            if let Some(id) = found.result {
                self.too_many |= !one(&mut self.results, &mut self.calls, &mut self.both, &id, &seen);
            }
            return;
        }
        for id in found.calls {
            self.too_many |= !one(&mut self.calls, &mut self.results, &mut self.both, &id, &seen);
        }
        if let Some(id) = found.response {
            match self.responses.get(&hash(&id)) {
                Some(first) if self.again.len() < MOST => self.again.push((seen(&id), *first)),
                None if self.responses.len() < MOST => drop(self.responses.insert(hash(&id), line)),
                _ => {}
            }
        }
    }

    /// Notes what does not fit together.
    pub fn judge(&self, reading: &mut Reading) {
        if self.too_many {
            return;
        }
        alone(&self.calls, FindingId::CallWithoutResult, reading);
        alone(&self.results, FindingId::ResultWithoutCall, reading);
        for (seen, first) in &self.again {
            let detail = format!("response {}, first on line {first}", seen.id);
            reading.note(FindingId::DuplicateTurn, Some(seen.line), seen.offset, 0, Some(detail));
        }
    }
}

/// Takes a call or a result; false if there is no room for it.
fn one(
    these: &mut HashMap<IdHash, Seen>,
    those: &mut HashMap<IdHash, Seen>,
    both: &mut HashSet<IdHash>,
    id: &[u8],
    seen: &dyn Fn(&[u8]) -> Seen,
) -> bool {
    let key = hash(id);
    if both.contains(&key) || these.contains_key(&key) {
        return true;
    }
    if these.len() + both.len() == MOST {
        return false;
    }
    if those.remove(&key).is_some() {
        both.insert(key);
    } else {
        these.insert(key, seen(id));
    }
    true
}

fn alone(these: &HashMap<IdHash, Seen>, id: FindingId, reading: &mut Reading) {
    let mut alone: Vec<&Seen> = these.values().collect();
    alone.sort_by_key(|seen| (seen.offset, &seen.id));
    for seen in alone {
        reading.note(id, Some(seen.line), seen.offset, 0, Some(format!("call {}", seen.id)));
    }
}

#[derive(Debug, Default)]
struct Found {
    calls: Vec<Vec<u8>>,
    result: Option<Vec<u8>>,
    response: Option<Vec<u8>>,
}

fn message(lexer: &mut Lexer<'_>, found: &mut Found) -> Result<(), Fault> {
    lexer.members(|lexer, name| {
        match &*identity(name, lexer.buf()) {
            b"toolCallId" => found.result = text(lexer)?,
            b"responseId" => found.response = text(lexer)?.filter(|id| !id.is_empty()),
            b"content" if lexer.peek() == Some(b'[') => lexer.elements(|lexer| block(lexer, found))?,
            _ => lexer.value()?,
        }
        Ok(())
    })
}

fn block(lexer: &mut Lexer<'_>, found: &mut Found) -> Result<(), Fault> {
    if lexer.peek() != Some(b'{') {
        return lexer.value();
    }
    let (mut kind, mut id) = (None, None);
    lexer.members(|lexer, name| {
        match &*identity(name, lexer.buf()) {
            b"type" => kind = text(lexer)?,
            b"id" => id = text(lexer)?,
            _ => lexer.value()?,
        }
        Ok(())
    })?;
    if kind.is_some_and(|kind| CALLS.contains(&&*kind)) {
        found.calls.extend(id);
    }
    Ok(())
}

fn text(lexer: &mut Lexer<'_>) -> Result<Option<Vec<u8>>, Fault> {
    let buf = lexer.buf();
    Ok(lexer.string_or_skip()?.map(|text: Text| identity(text, buf).into_owned()))
}
