//! Tallies of pieces and files added up.
//!
//! Pieces come in the order of the files, so the result does not depend on the machine. A response that was counted is
//! remembered by 8 bytes; of more than [`MOST_KEYS`] the later ones are counted without looking.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::tally::{self, Compacted, LARGEST, LargeResult, Longest, ModelName, Tally, ToolTally};
use crate::model::Ms;
use crate::model::transcript_usage::Usage;

/// Answers among which copies are looked for.
pub const MOST_KEYS: usize = 1_500_000;
/// Compactions that are remembered; the newest ones.
pub const COMPACTIONS: usize = 1000;

/// Answers and what they used.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Used {
    /// Answers.
    pub answers: u64,
    /// Tokens and cost.
    pub usage: Usage,
}

impl Used {
    fn add(&mut self, usage: &Usage) {
        self.answers += 1;
        self.usage.add(usage);
    }
}

/// Something in one of the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InFile<T> {
    /// Which file.
    pub file: usize,
    /// What.
    pub what: T,
}

/// The sum.
#[derive(Debug, Default)]
pub struct Stats {
    /// Counters of all pieces; lists in it are not used.
    pub sum: Tally,
    /// Providers and models by what they used.
    pub models: HashMap<ModelName, Used>,
    /// Days (from 1970-01-01) by what was used on them; `None`: no time is known.
    pub days: BTreeMap<Option<i32>, Used>,
    /// All answers.
    pub all: Used,
    /// Answers that were counted already.
    pub duplicates: u64,
    /// Not all answers were remembered.
    pub incomplete: bool,
    /// Answers that failed.
    pub failed: u64,
    /// Tools by name.
    pub tools: HashMap<Box<[u8]>, ToolTally>,
    /// Names of tools that large results have.
    pub tool_names: Vec<Box<[u8]>>,
    /// The longest line.
    pub longest: Option<InFile<Longest>>,
    /// Large results.
    pub large: Vec<InFile<LargeResult>>,
    /// Compactions.
    pub compactions: Vec<InFile<Compacted>>,
    /// How many there were.
    pub compaction_count: u64,
    seen: HashSet<u64, foldhash::fast::FixedState>,
    /// The file that pieces came from last, its lines so far, and the time of its last entry.
    at: Option<(usize, u64, Option<Ms>)>,
}

impl Stats {
    /// Adds a piece of a file. `day` gives the day of a time.
    pub fn add(&mut self, file: usize, piece: Tally, day: &mut dyn FnMut(Ms) -> i32) {
        let (lines, last_at) = match self.at {
            Some((known, lines, last)) if known == file => (lines, last),
            _ => (0, None),
        };
        self.counters(&piece, last_at);
        self.answers(&piece, day);
        if piece.longest.bytes > self.longest.map_or(0, |longest| longest.what.bytes) {
            let what = Longest { line: piece.longest.line + lines, ..piece.longest };
            self.longest = Some(InFile { file, what });
        }
        let names: Vec<u32> = piece.tools.iter().map(|tool| self.tool(tool)).collect();
        let large = piece.large.iter().map(|l| LargeResult {
            line: l.line + lines,
            tool: names.get(l.tool as usize).copied().unwrap_or(0),
            ..*l
        });
        self.large.extend(large.map(|what| InFile { file, what }));
        self.large.sort_by_key(|l| (std::cmp::Reverse(l.what.bytes), l.file, l.what.at));
        self.large.truncate(LARGEST);
        self.compaction_count += piece.compactions.len() as u64;
        let compactions = piece.compactions.iter().map(|c| Compacted { line: c.line + lines, ..*c });
        self.compactions.extend(compactions.map(|what| InFile { file, what }));
        if self.compactions.len() > COMPACTIONS {
            self.compactions.sort_by_key(|c| (std::cmp::Reverse(c.what.at), c.file, c.what.offset));
            self.compactions.truncate(COMPACTIONS);
        }
        self.at = Some((file, lines + piece.lines, piece.last_at.or(last_at)));
    }

    fn counters(&mut self, piece: &Tally, last_at: Option<Ms>) {
        let sum = &mut self.sum;
        sum.bytes += piece.bytes;
        sum.lines += piece.lines;
        sum.bad_lines += piece.bad_lines;
        sum.recovered += piece.recovered;
        sum.non_records += piece.non_records;
        sum.images += piece.images;
        sum.content.add(&piece.content);
        sum.kinds.iter_mut().zip(piece.kinds).for_each(|(sum, n)| *sum += n);
        sum.roles.iter_mut().zip(piece.roles).for_each(|(sum, n)| *sum += n);
        sum.busy += piece.busy;
        if let (Some(last), Some(first)) = (last_at, piece.first_at)
            && (0..=tally::PAUSE).contains(&(first - last))
        {
            sum.busy += first - last;
        }
        if let Some((from, to)) = piece.span {
            sum.span = Some(sum.span.map_or((from, to), |(a, b)| (a.min(from), b.max(to))));
        }
    }

    fn answers(&mut self, piece: &Tally, day: &mut dyn FnMut(Ms) -> i32) {
        let mut by_model = vec![Used::default(); piece.models.len()];
        for answer in &piece.answers {
            if self.seen.len() < MOST_KEYS {
                if !self.seen.insert(answer.key) {
                    self.duplicates += 1;
                    continue;
                }
            } else {
                self.incomplete = true;
                if self.seen.contains(&answer.key) {
                    self.duplicates += 1;
                    continue;
                }
            }
            self.failed += u64::from(answer.failed);
            self.all.add(&answer.usage);
            by_model[answer.model as usize].add(&answer.usage);
            self.days.entry(answer.at.map(&mut *day)).or_default().add(&answer.usage);
        }
        for (name, used) in piece.models.iter().zip(by_model).filter(|(_, used)| used.answers > 0) {
            let sum = self.models.entry(name.clone()).or_default();
            sum.answers += used.answers;
            sum.usage.add(&used.usage);
        }
    }

    fn tool(&mut self, tool: &ToolTally) -> u32 {
        let sum = self.tools.entry(tool.name.clone()).or_default();
        sum.calls += tool.calls;
        sum.results += tool.results;
        sum.errors += tool.errors;
        sum.bytes += tool.bytes;
        let known = self.tool_names.iter().position(|name| *name == tool.name);
        let at = known.unwrap_or_else(|| {
            self.tool_names.push(tool.name.clone());
            self.tool_names.len() - 1
        });
        u32::try_from(at).unwrap_or(0)
    }
}
