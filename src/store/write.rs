//! A new index made of the old one's bytes.
//!
//! Nothing is serialised again. Rows that stay are copied as they are, each with the separator in front of it; a row that
//! goes takes exactly its own bytes and one separator with it. So unknown fields, number text, indent, line ends and the
//! byte order mark survive, and a rewrite with nothing to do gives the same bytes.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::io::{self, Write};

use crate::model::effect::RowInsert;
use crate::model::index::{IndexFacts, Row};

use super::identity::{identity, identity_of};

/// Writes the index without the rows `drop` (positions in [`IndexFacts::rows`], any order) and with the rows `insert`.
/// Gives the number of bytes.
///
/// A row is inserted after the row its `after` names, be that an old row (dropped ones keep their place) or another
/// inserted one; [`RowInsert::FIRST`] puts it before all others; without such a row it goes to the end. One whose `after`
/// is its own key takes the place of a dropped row of that key: of several, the last ones, in their order. Nothing checks
/// that its key is free.
pub fn render_into(index: &IndexFacts, drop: &[u32], insert: &[RowInsert], out: &mut impl Write) -> io::Result<u64> {
    Render { index, out: Output { out, written: 0 } }.run(drop, insert)
}

/// Length in bytes of what [`render_into`] writes.
pub fn rendered_len(index: &IndexFacts, drop: &[u32], insert: &[RowInsert]) -> u64 {
    render_into(index, drop, insert, &mut io::sink()).unwrap_or(0)
}

/// Whether all rows are laid out alike, so that rows that leave and come back stand where they stood to the byte. `left` is
/// how many rows are there in between: with few, nothing shows how the others were set apart.
pub fn is_regular(index: &IndexFacts, left: u64) -> bool {
    let (buf, rows) = (&index.bytes, &index.rows);
    let Some(first) = rows.first() else { return true };
    let colon = |row: &Row| &buf[row.key.span.end as usize + 1..row.value.start as usize];
    let gap = |ix: usize| &buf[gap_start(index, ix)..key_start(index, ix)];
    let head = index.layout.head.of(buf);
    let space = &head[head.iter().rposition(|b| *b == b'{').map_or(head.len(), |at| at + 1)..];
    let is_alike = rows.iter().all(|row| !row.shadowed && colon(row) == colon(first))
        && (1..rows.len()).all(|ix| gap(ix).first() == Some(&b',') && gap(ix) == gap(1) && &gap(ix)[1..] == space);
    is_alike && (left > 0 || space == b"\n  " && colon(first) == b": ")
}

/// `drop` and every other row with the same key as one of them, ascending. Removing only the winner of a duplicate key
/// would bring the shadowed row back to life.
pub fn with_duplicates(index: &IndexFacts, drop: &[u32]) -> Vec<u32> {
    let mut all = drop.to_vec();
    if index.rows.iter().any(|row| row.shadowed) {
        let key = |ix: u32| identity(index.rows[ix as usize].key, &index.bytes);
        let keys: HashSet<Cow<'_, [u8]>> = drop.iter().map(|ix| key(*ix)).collect();
        all.extend((0..).zip(&index.rows).filter(|(ix, _)| keys.contains(&key(*ix))).map(|(ix, _)| ix));
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// A row of the new index.
enum Item<'a> {
    Kept(usize),
    /// An old row that leaves.
    Gone(usize),
    /// A new row, and the old one in whose place it comes: what stood before its key and after it stays.
    New(&'a RowInsert, Option<usize>),
}

struct Render<'a, W> {
    index: &'a IndexFacts,
    out: Output<'a, W>,
}

impl<W: Write> Render<'_, W> {
    fn run(mut self, drop: &[u32], insert: &[RowInsert]) -> io::Result<u64> {
        let buf = &self.index.bytes;
        let items = plan(self.index, drop, insert);
        match items.as_slice() {
            [] if self.index.rows.is_empty() => self.out.put(buf)?,
            [] => self.braces(|_| Ok(()))?,
            items if self.index.rows.is_empty() => self.first_rows(items)?,
            items => self.rows(items)?,
        }
        Ok(self.out.written)
    }

    /// Text with at least one old row to take the layout from.
    fn rows(&mut self, items: &[Item<'_>]) -> io::Result<()> {
        let (buf, layout, rows) = (&self.index.bytes, self.index.layout, &self.index.rows);
        let separator = self.separator();
        // Old bytes that can be written as one piece.
        let mut run = 0..layout.head.end as usize;
        for (nth, item) in items.iter().enumerate() {
            match item {
                Item::Kept(ix) => {
                    let end = rows[*ix].value.end as usize;
                    // The first row comes after the head, whatever stood before it.
                    let start = if nth == 0 { key_start(self.index, *ix) } else { gap_start(self.index, *ix) };
                    if nth > 0 && *ix == 0 {
                        // A new row took the first place: what stands before the old first row is the head.
                        self.out.put(&buf[run])?;
                        self.out.put(&separator)?;
                        run = key_start(self.index, 0)..end;
                    } else if run.end == start {
                        run.end = end;
                    } else {
                        self.out.put(&buf[run])?;
                        run = start..end;
                    }
                }
                Item::New(row, place) => {
                    self.out.put(&buf[run])?;
                    match place.filter(|ix| *ix > 0) {
                        _ if nth == 0 => {}
                        Some(ix) => self.out.put(&buf[gap_start(self.index, ix)..key_start(self.index, ix)])?,
                        None => self.out.put(&separator)?,
                    }
                    self.row(row, *place)?;
                    run = 0..0;
                }
                Item::Gone(_) => {}
            }
        }
        let tail = layout.tail.start as usize..buf.len();
        if run.end == tail.start {
            return self.out.put(&buf[run.start..tail.end]);
        }
        self.out.put(&buf[run])?;
        self.out.put(&buf[tail])
    }

    /// New rows in an index that had none: two-space indent, as the gateway writes.
    fn first_rows(&mut self, items: &[Item<'_>]) -> io::Result<()> {
        let newline: &[u8] = if self.index.layout.crlf { b"\r\n" } else { b"\n" };
        self.braces(|render| {
            for (nth, item) in items.iter().enumerate() {
                render.out.put(if nth > 0 { b"," } else { b"" })?;
                render.out.put(newline)?;
                render.out.put(b"  ")?;
                if let Item::New(row, _) = item {
                    render.row(row, None)?;
                }
            }
            render.out.put(newline)
        })
    }

    /// `{`, what `inside` writes, `}`, with whatever stood around the braces.
    fn braces(&mut self, inside: impl FnOnce(&mut Self) -> io::Result<()>) -> io::Result<()> {
        let buf = &self.index.bytes;
        let (head, tail) = (self.index.layout.head.of(buf), self.index.layout.tail.of(buf));
        let open = head.iter().position(|b| *b == b'{').map_or(head.len(), |at| at + 1);
        let close = tail.iter().position(|b| *b == b'}').unwrap_or(0);
        self.out.put(&head[..open])?;
        inside(self)?;
        self.out.put(&tail[close..])
    }

    fn row(&mut self, row: &RowInsert, place: Option<usize>) -> io::Result<()> {
        self.out.put(b"\"")?;
        self.out.put(&row.key)?;
        self.out.put(b"\"")?;
        let colon =
            self.index.rows.get(place.unwrap_or(0)).map_or(&b": "[..], |like| {
                &self.index.bytes[like.key.span.end as usize + 1..like.value.start as usize]
            });
        self.out.put(colon)?;
        self.out.put(&row.value)
    }

    /// What stands between two rows; with a single row, a comma and the white space before that row.
    fn separator(&self) -> Vec<u8> {
        let (buf, head) = (&self.index.bytes, self.index.layout.head.of(&self.index.bytes));
        if self.index.rows.len() > 1 {
            return buf[gap_start(self.index, 1)..key_start(self.index, 1)].to_vec();
        }
        let space = head.iter().rposition(|b| *b == b'{').map_or(head.len(), |at| at + 1);
        [b",", &head[space..]].concat()
    }
}

/// Offset of the quote that begins the key of row `ix`.
fn key_start(index: &IndexFacts, ix: usize) -> usize {
    index.rows[ix].key.span.start as usize - 1
}

/// Offset of the separator before row `ix`: the end of the row before it.
fn gap_start(index: &IndexFacts, ix: usize) -> usize {
    match ix.checked_sub(1) {
        Some(before) => index.rows[before].value.end as usize,
        None => index.layout.head.start as usize,
    }
}

/// Rows of the new index in order.
fn plan<'a>(index: &IndexFacts, drop: &[u32], insert: &'a [RowInsert]) -> Vec<Item<'a>> {
    let mut dropped = vec![false; index.rows.len()];
    for ix in drop {
        if let Some(flag) = dropped.get_mut(*ix as usize) {
            *flag = true;
        }
    }
    let mut new = Inserts::new(insert);
    // With a key that comes twice, its last row is the one others come after.
    let last = new.last_rows(index);
    let own = new.own_places(index, &dropped);
    let mut items = Vec::with_capacity(index.rows.len() + insert.len());
    new.place_after(RowInsert::FIRST, &mut items);
    for (ix, row) in index.rows.iter().enumerate() {
        items.push(if dropped[ix] { Item::Gone(ix) } else { Item::Kept(ix) });
        items.extend(own.get(&ix).map(|new| Item::New(&insert[*new], None)));
        if !insert.is_empty() {
            let key = identity(row.key, &index.bytes);
            if last.get(&key) == Some(&ix) {
                new.place_after(&key, &mut items);
            }
        }
    }
    new.place_rest(&mut items);
    in_place(&mut items);
    items
}

/// Between two rows that stay, the new ones take the places of those that leave, in their order.
fn in_place(items: &mut Vec<Item<'_>>) {
    for region in items.split_mut(|item| matches!(item, Item::Kept(_))) {
        let gone: Vec<usize> =
            region.iter().filter_map(|item| if let Item::Gone(ix) = item { Some(*ix) } else { None }).collect();
        let mut gone = gone.into_iter();
        for item in region {
            if let Item::New(_, place) = item {
                *place = gone.next();
            }
        }
    }
    items.retain(|item| !matches!(item, Item::Gone(_)));
}

/// Inserted rows that still look for their place.
struct Inserts<'a> {
    rows: &'a [RowInsert],
    placed: Vec<bool>,
    by_anchor: HashMap<Cow<'a, [u8]>, Vec<usize>>,
    /// Keys of the rows themselves.
    keys: HashSet<Cow<'a, [u8]>>,
}

impl<'a> Inserts<'a> {
    fn new(rows: &'a [RowInsert]) -> Self {
        let mut by_anchor: HashMap<_, Vec<usize>> = HashMap::new();
        for (ix, row) in rows.iter().enumerate() {
            if let Some(after) = &row.after {
                by_anchor.entry(identity_of(after)).or_default().push(ix);
            }
        }
        let keys = rows.iter().map(|row| identity_of(&row.key)).collect();
        Self { rows, placed: vec![false; rows.len()], by_anchor, keys }
    }

    /// Last position of every key that something is to follow.
    fn last_rows<'b>(&self, index: &'b IndexFacts) -> HashMap<Cow<'b, [u8]>, usize> {
        if self.by_anchor.is_empty() {
            return HashMap::new();
        }
        let keys = index.rows.iter().enumerate().map(|(ix, row)| (identity(row.key, &index.bytes), ix));
        keys.filter(|(key, _)| self.by_anchor.contains_key(&**key)).collect()
    }

    /// Rows that take the place of one of their own key, by that place. Behind the last row of a key that comes twice, a
    /// hidden one would be in force. With one row of each key there is nothing to tell apart.
    fn own_places(&mut self, index: &IndexFacts, dropped: &[bool]) -> HashMap<usize, usize> {
        let mut out = HashMap::new();
        if !index.rows.iter().any(|row| row.shadowed) {
            return out;
        }
        let mut places: HashMap<Cow<'_, [u8]>, Vec<usize>> = HashMap::new();
        for (ix, row) in index.rows.iter().enumerate().filter(|(ix, _)| dropped[*ix]) {
            places.entry(identity(row.key, &index.bytes)).or_default().push(ix);
        }
        for (key, places) in places {
            let own = self.by_anchor.get(&*key).map(Vec::as_slice).unwrap_or_default();
            let own: Vec<usize> = own.iter().copied().filter(|new| identity_of(&self.rows[*new].key) == key).collect();
            if own.len() <= places.len() {
                own.iter().for_each(|new| self.placed[*new] = true);
                out.extend(places[places.len() - own.len()..].iter().copied().zip(own));
            }
        }
        out
    }

    /// Places what follows `key`, then what follows those, depth first.
    fn place_after(&mut self, key: &[u8], items: &mut Vec<Item<'a>>) {
        let mut todo: Vec<usize> = self.followers(key);
        while let Some(ix) = todo.pop() {
            if std::mem::replace(&mut self.placed[ix], true) {
                continue;
            }
            items.push(Item::New(&self.rows[ix], None));
            todo.extend(self.followers(&identity_of(&self.rows[ix].key)));
        }
    }

    /// What comes after `key`, last one first.
    fn followers(&self, key: &[u8]) -> Vec<usize> {
        self.by_anchor.get(key).map(|ixs| ixs.iter().rev().copied().collect()).unwrap_or_default()
    }

    fn place_rest(&mut self, items: &mut Vec<Item<'a>>) {
        // First those that nothing else will bring along, then members of a circle.
        for pass in 0..2 {
            for ix in 0..self.rows.len() {
                let brought = |row: &RowInsert| row.after.as_deref().is_some_and(|after| self.is_new_key(after));
                if self.placed[ix] || (pass == 0 && brought(&self.rows[ix])) {
                    continue;
                }
                self.placed[ix] = true;
                items.push(Item::New(&self.rows[ix], None));
                self.place_after(&identity_of(&self.rows[ix].key), items);
            }
        }
    }

    fn is_new_key(&self, key: &[u8]) -> bool {
        self.keys.contains(&identity_of(key))
    }
}

struct Output<'a, W> {
    out: &'a mut W,
    written: u64,
}

impl<W: Write> Output<'_, W> {
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)?;
        self.written += bytes.len() as u64;
        Ok(())
    }
}

#[cfg(test)]
#[path = "write_tests.rs"]
mod tests;
