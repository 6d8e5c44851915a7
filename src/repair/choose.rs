//! Which rows a lost index had: sources compared, the best one taken, the others asked for what it lacks.
//!
//! A source proves good by the rows whose transcript is here, then by the newest `updatedAt`, then by standing nearer to
//! the original. What it lacks is taken from the others, newest first, if the transcript of the row is here and no chosen
//! row has that session. Of a key that several have, the row updated last counts.

use std::collections::{HashMap, HashSet};

use crate::model::Ms;
use crate::model::index::{IndexFacts, Row};
use crate::model::repair::{Compared, Forced, RepairFacts, Source, SourceKind};
use crate::order::Order as _;
use crate::store::identity::identity;
use crate::store::refs::FolderIndex;

use super::missing::has_file;

/// A row of the new index.
#[derive(Debug, Clone, Copy)]
pub struct Chosen<'a> {
    /// The index it is from.
    pub index: &'a IndexFacts,
    /// The row.
    pub row: &'a Row,
}

impl<'a> Chosen<'a> {
    /// Raw key and value.
    pub fn bytes(&self) -> (&'a [u8], &'a [u8]) {
        (self.row.key.span.of(&self.index.bytes), self.row.value.of(&self.index.bytes))
    }

    fn identity(&self) -> Vec<u8> {
        identity(self.row.key, &self.index.bytes).into_owned()
    }

    /// Session id.
    pub fn session(&self) -> Option<String> {
        self.row.session_id.map(|id| id.get(&self.index.bytes).trim().to_owned())
    }

    fn updated(&self) -> Option<Ms> {
        self.row.updated_at.ms()
    }
}

/// How each source compares, in the order of the facts.
pub fn compare(sources: &[Source], lookup: &FolderIndex<'_>) -> Vec<Compared> {
    let one = |source: &Source| {
        let rows = || source.index.rows.iter().filter(|row| !row.shadowed);
        Compared {
            kind: source.kind,
            name: source.name.clone(),
            at: source.at,
            rows: rows().count() as u64,
            with_transcript: rows().filter(|row| has_file(&source.index, row, lookup)).count() as u64,
            newest: rows().filter_map(|row| row.updated_at.ms()).max(),
            chosen: false,
            merged: 0,
        }
    };
    sources.iter().map(one).collect()
}

/// Position of the best source, of those that may be used.
pub fn best(sources: &[Source], compared: &[Compared], forced: Option<&Forced>) -> Option<usize> {
    (0..sources.len()).filter(|ix| allowed(sources, *ix, forced)).filter(|ix| compared[*ix].rows > 0).max_by_key(|ix| {
        let c = &compared[*ix];
        (c.with_transcript, c.newest, std::cmp::Reverse(c.kind), c.at)
    })
}

/// Whether `--from` leaves this source.
pub fn allowed(sources: &[Source], ix: usize, forced: Option<&Forced>) -> bool {
    match forced {
        None => true,
        Some(Forced::Salvage) => sources[ix].kind == SourceKind::Salvage,
        Some(Forced::Snapshots) => sources[ix].kind == SourceKind::Snapshot,
        Some(Forced::Headers) => false,
        // A file that was named is the first source.
        Some(Forced::File(_)) => ix == 0,
    }
}

/// The rows of a new index: those of source `base` (a position, if any source is good for one), and from the others what
/// it lacks. A row that a run took later, and whose transcript is not here, stays away. Counts in `compared` what was taken
/// from where.
pub fn put_together<'a>(
    facts: &'a RepairFacts,
    base: Option<usize>,
    forced: Option<&Forced>,
    lookup: &FolderIndex<'_>,
    compared: &mut [Compared],
) -> Vec<Chosen<'a>> {
    let sources = facts.sources.as_slice();
    let mut out = Collected::default();
    if let Some(base) = base {
        compared[base].chosen = true;
        let Source { index, at, .. } = &sources[base];
        let taken: HashSet<(&[u8], Option<&str>)> =
            facts.removed.iter().filter(|r| r.at >= *at).map(|r| (&*r.key, r.session.as_deref())).collect();
        let stays_away = |row: &Chosen<'_>| {
            taken.contains(&(&*row.identity(), row.session().as_deref())) && !has_file(index, row.row, lookup)
        };
        let rows = index.rows.iter().filter(|row| !row.shadowed).map(|row| Chosen { index, row });
        rows.filter(|row| !stays_away(row)).for_each(|row| out.push(row));
    }
    let mut others: Vec<usize> =
        (0..sources.len()).filter(|ix| Some(*ix) != base && allowed(sources, *ix, forced)).collect();
    others.order_by_key(|ix| std::cmp::Reverse(sources[*ix].at));
    for ix in others {
        let index = &sources[ix].index;
        for row in index.rows.iter().filter(|row| !row.shadowed && has_file(index, row, lookup)) {
            compared[ix].merged += u64::from(out.offer(Chosen { index, row }));
        }
    }
    out.rows
}

/// Rows of `sources` that `live` lacks, whose transcript is here and whose session no row of it has.
pub fn lacking<'a>(
    live: &'a IndexFacts,
    sources: &'a [Source],
    forced: &Forced,
    lookup: &FolderIndex<'_>,
    compared: &mut [Compared],
) -> Vec<Chosen<'a>> {
    let mut out = Collected { live_wins: true, ..Collected::default() };
    live.rows.iter().filter(|row| !row.shadowed).for_each(|row| out.push(Chosen { index: live, row }));
    let before = out.rows.len();
    let mut usable: Vec<usize> = (0..sources.len()).filter(|ix| allowed(sources, *ix, Some(forced))).collect();
    usable.order_by_key(|ix| std::cmp::Reverse(sources[*ix].at));
    for ix in usable {
        let index = &sources[ix].index;
        for row in index.rows.iter().filter(|row| !row.shadowed && has_file(index, row, lookup)) {
            compared[ix].merged += u64::from(out.offer(Chosen { index, row }));
        }
    }
    out.rows.split_off(before)
}

/// Rows of `sources` whose transcript is here and whose key another session has by now: of each session the newest row.
/// They cannot come back under their key, and nothing else leads to their transcripts.
pub fn displaced<'a>(
    live: &IndexFacts,
    sources: &'a [Source],
    forced: &Forced,
    lookup: &FolderIndex<'_>,
) -> Vec<Chosen<'a>> {
    let kept: Vec<Chosen<'_>> =
        live.rows.iter().filter(|row| !row.shadowed).map(|row| Chosen { index: live, row }).collect();
    let keys: HashSet<Vec<u8>> = kept.iter().map(Chosen::identity).collect();
    let mut sessions: HashSet<String> = kept.iter().filter_map(Chosen::session).collect();
    let mut usable: Vec<usize> = (0..sources.len()).filter(|ix| allowed(sources, *ix, Some(forced))).collect();
    usable.order_by_key(|ix| std::cmp::Reverse(sources[*ix].at));
    let mut out = Vec::new();
    for index in usable.into_iter().map(|ix| &sources[ix].index) {
        for row in index.rows.iter().filter(|row| !row.shadowed && has_file(index, row, lookup)) {
            let chosen = Chosen { index, row };
            if keys.contains(&chosen.identity()) && chosen.session().is_some_and(|id| sessions.insert(id)) {
                out.push(chosen);
            }
        }
    }
    out
}

#[derive(Default)]
struct Collected<'a> {
    rows: Vec<Chosen<'a>>,
    by_key: HashMap<Vec<u8>, usize>,
    sessions: HashSet<String>,
    /// Rows that are there are never exchanged.
    live_wins: bool,
}

impl<'a> Collected<'a> {
    fn push(&mut self, row: Chosen<'a>) {
        self.by_key.insert(row.identity(), self.rows.len());
        self.sessions.extend(row.session());
        self.rows.push(row);
    }

    /// Takes the row if it brings something. True if it was taken.
    fn offer(&mut self, row: Chosen<'a>) -> bool {
        match self.by_key.get(&row.identity()) {
            Some(at) if !self.live_wins && row.updated() > self.rows[*at].updated() => {
                self.sessions.extend(row.session());
                self.rows[*at] = row;
                true
            }
            Some(_) => false,
            None if row.session().is_some_and(|id| self.sessions.contains(&id)) => false,
            None => {
                self.push(row);
                true
            }
        }
    }
}
