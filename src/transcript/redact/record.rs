//! A record without its secrets: still JSON, and every byte that belongs to none as it was.
//!
//! The record comes in pieces of any size, for one may be longer than memory should be. Each string is decoded, looked
//! at, and written back with what was found replaced; a number goes if it is a value of the configuration or if its
//! name means a secret. A string of more than [`PIECE`] bytes is looked at in pieces that overlap, and grow while a secret
//! does not end in one.

use std::io::{self, Write};

use super::cleaner::Cleaner;
use super::commands::commands;
use super::harmless::{is_count, is_folder, is_said};
use super::named::{is_flag, is_value};
use super::names::{LONGEST_NAME, Name, folder_or_secret, name};
use super::redactor::{Found, HIDDEN, Redactor, replaced};
use crate::store::identity::identity_of;

/// Bytes of a string that are looked at together.
const PIECE: usize = 1 << 20;
/// Most bytes that are kept to see where a secret ends. Of a longer one all that follows in its string goes with it.
const MOST: usize = 64 << 20;
/// Most bytes that wait for the `name` of a `value`.
const MOST_LATE: usize = 1 << 20;
/// Most strings that wait for it.
const MOST_HELD: usize = 4096;
/// Bytes of a list of arguments that are looked at as one command line.
const ARGS: usize = 2048;
/// Members of an entry that name another one.
const IDS: [&[u8]; 7] =
    [b"id", b"parentId", b"targetId", b"fromId", b"firstKeptEntryId", b"appendParentId", b"parentSessionId"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Between,
    Text,
    Escape,
    Number,
}

/// What a `name` or `key` says about the `value` beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pair {
    /// There was none so far.
    Unknown,
    /// Nothing.
    Plain,
    /// That it is a secret.
    Secret,
}

/// A `value` that came before the `name` which says what it is.
#[derive(Debug)]
struct Held {
    /// How deep its object is.
    depth: usize,
    /// Where in [`Sieve::late`] it stands, without quotes.
    span: (usize, usize),
    /// Whether it is a secret, once that is known.
    secret: Option<bool>,
}

/// Takes the secrets out of JSON as it passes.
pub struct Sieve<'c> {
    clean: &'c Cleaner,
    out: &'c mut dyn Write,
    state: State,
    /// True for an object, innermost last.
    open: Vec<bool>,
    /// The next string is a name.
    naming: bool,
    /// The last name, decoded, if it is short.
    name: Vec<u8>,
    /// The string before, in a list, decoded, if it is short.
    before: Vec<u8>,
    /// The string or number being read, as it stands; of a long one what was not written yet.
    text: Vec<u8>,
    /// A part of the string was written.
    begun: bool,
    /// The rest of the string is part of a secret.
    dropping: bool,
    /// So many bytes of the string are read before they are looked at.
    want: usize,
    /// How deep the list or object is in which every string is a secret.
    all_from: Option<usize>,
    /// How deep the object is whose `value` is the list or object at hand, while no `name` was there.
    value_of: Option<usize>,
    /// What the `name` of each open object says about its `value`.
    pairs: Vec<Pair>,
    /// What is not written yet, because a `value` in it may turn out to be a secret.
    late: Vec<u8>,
    /// Those values.
    held: Vec<Held>,
    /// The strings of the list at hand so far, as a command line.
    args: Vec<u8>,
}

impl<'c> Sieve<'c> {
    /// Writes to `out` what may be shown. Without a redactor that is everything.
    pub fn new(clean: &'c Cleaner, out: &'c mut dyn Write) -> Self {
        Self {
            clean,
            out,
            state: State::Between,
            open: Vec::new(),
            naming: false,
            name: Vec::new(),
            before: Vec::new(),
            text: Vec::new(),
            begun: false,
            dropping: false,
            want: 0,
            all_from: None,
            value_of: None,
            pairs: Vec::new(),
            late: Vec::new(),
            held: Vec::new(),
            args: Vec::new(),
        }
    }

    /// Takes the next piece.
    ///
    /// # Errors
    /// What writing gives.
    pub fn feed(&mut self, piece: &[u8]) -> io::Result<()> {
        let clean = self.clean;
        let Some(redactor) = clean.redactor() else { return self.out.write_all(piece) };
        let mut at = 0;
        while at < piece.len() {
            let rest = &piece[at..];
            at += match self.state {
                State::Between => self.between(rest)?,
                State::Text => self.string(rest, redactor)?,
                State::Escape => {
                    self.text.push(rest[0]);
                    self.state = State::Text;
                    1
                }
                State::Number => {
                    let number = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.');
                    let len = rest.iter().position(|b| !number(b)).unwrap_or(rest.len());
                    self.text.extend_from_slice(&rest[..len]);
                    if len < rest.len() {
                        self.number(redactor)?;
                    }
                    len
                }
            };
        }
        Ok(())
    }

    /// The end of the record.
    ///
    /// # Errors
    /// What writing gives.
    pub fn end(mut self) -> io::Result<()> {
        self.rest()?;
        self.held.iter_mut().for_each(|held| held.secret = held.secret.or(Some(false)));
        self.release()
    }

    fn rest(&mut self) -> io::Result<()> {
        match (self.state, self.clean.redactor()) {
            (State::Number, Some(redactor)) => self.number(redactor),
            // No record ends inside a string; if this is none, nothing of it passes unseen.
            (State::Text | State::Escape, Some(redactor)) => self.piece(self.text.len(), redactor),
            _ => Ok(()),
        }
    }

    /// What stands between strings and numbers.
    fn between(&mut self, rest: &[u8]) -> io::Result<usize> {
        let starts = |b: &u8| *b == b'"' || *b == b'-' || b.is_ascii_digit();
        let len = rest.iter().position(starts).unwrap_or(rest.len());
        for byte in &rest[..len] {
            match byte {
                b'{' | b'[' => {
                    let value = self.name.eq_ignore_ascii_case(b"value");
                    let pair = self.pairs.last().filter(|_| value);
                    let named = name(&self.name).is_some() || pair == Some(&Pair::Secret);
                    if self.open.last() == Some(&true) {
                        let depth = self.open.len();
                        self.all_from = self.all_from.or(named.then_some(depth));
                        self.value_of = self.value_of.or((pair == Some(&Pair::Unknown)).then_some(depth));
                    }
                    self.pairs.push(Pair::Unknown);
                    self.open.push(*byte == b'{');
                    self.naming = *byte == b'{';
                    self.before.clear();
                    self.args.clear();
                }
                b'}' | b']' => {
                    self.open.pop();
                    self.all_from = self.all_from.filter(|depth| *depth < self.open.len());
                    self.pairs.pop();
                    self.naming = false;
                    self.before.clear();
                    self.args.clear();
                    self.known(false);
                    self.value_of = self.value_of.filter(|depth| *depth < self.open.len());
                }
                b',' => self.naming = self.open.last() == Some(&true),
                b':' => self.naming = false,
                _ => {}
            }
        }
        self.put(&rest[..len])?;
        let Some(first) = rest.get(len) else { return Ok(len) };
        self.text.clear();
        if *first == b'"' {
            self.state = State::Text;
            self.begun = false;
            self.dropping = false;
            self.want = PIECE + self.clean.redactor().map_or(0, Redactor::overlap);
            self.put(b"\"")?;
            return Ok(len + 1);
        }
        self.state = State::Number;
        Ok(len)
    }

    fn string(&mut self, rest: &[u8], redactor: &Redactor) -> io::Result<usize> {
        let room = self.want - self.text.len().min(self.want - 1);
        let window = &rest[..rest.len().min(room)];
        let end = memchr::memchr2(b'"', b'\\', window);
        let len = end.unwrap_or(window.len());
        self.text.extend_from_slice(&window[..len]);
        match end.map(|at| window[at]) {
            Some(b'"') => {
                self.state = State::Between;
                self.closed(redactor)?;
                return Ok(len + 1);
            }
            Some(_) => {
                self.text.push(b'\\');
                self.state = State::Escape;
                return Ok(len + 1);
            }
            None => {}
        }
        if self.text.len() >= self.want {
            if !self.begun && self.is_secret(b"long enough") {
                self.whole(HIDDEN)?;
                self.dropping = true;
            }
            self.piece(self.want - redactor.overlap(), redactor)?;
        }
        Ok(len)
    }

    /// Writes a string up to about `upto`, which no secret that begins before it reaches over.
    fn piece(&mut self, upto: usize, redactor: &Redactor) -> io::Result<()> {
        self.begun = true;
        if self.dropping {
            self.text.clear();
            return Ok(());
        }
        let mut upto = unit_end(&self.text, upto);
        let found = redactor.find_in_string(&self.text);
        let mut spans = found.spans;
        let goes_on = spans.last().filter(|(from, to)| *from < upto && *to == self.text.len()).map(|(from, _)| *from);
        let unfinished = found.unfinished.filter(|from| *from < upto).into_iter().chain(goes_on).min();
        if let Some(from) = unfinished.filter(|_| upto < self.text.len()) {
            if self.text.len() < MOST {
                self.want = self.text.len() * 2;
                return Ok(());
            }
            spans.retain(|(start, _)| *start < from);
            spans.push((from, self.text.len()));
            upto = self.text.len();
            self.dropping = true;
        }
        self.want = PIECE + redactor.overlap();
        // What begins before ends with the piece; a secret that goes on until the end of what is known may go on behind it.
        if let Some((_, to)) = spans.iter().rev().find(|(from, _)| *from < upto) {
            upto = upto.max(*to);
        }
        spans.retain(|(_, to)| *to <= upto);
        self.clean.count(spans.len() as u64);
        let text = replaced(&self.text[..upto], &spans);
        self.put(&text)?;
        self.text.drain(..upto);
        Ok(())
    }

    /// Whether all of the string is a secret, by what stands before it.
    fn is_secret(&self, decoded: &[u8]) -> bool {
        let named = match self.open.last() {
            Some(true) if self.naming => false,
            _ if self.all_from.is_some() => true,
            Some(true) => match name(&self.name) {
                Some(Name::Several) => !is_count(decoded),
                Some(_) => !is_said(decoded),
                None if folder_or_secret(&self.name).is_some() => !is_folder(decoded),
                None => self.pairs.last() == Some(&Pair::Secret) && self.name.eq_ignore_ascii_case(b"value"),
            },
            Some(false) => is_flag(&self.before),
            None => false,
        };
        named && is_value(decoded)
    }

    fn whole(&mut self, instead: &str) -> io::Result<()> {
        self.clean.count(1);
        self.put(instead.as_bytes())
    }

    /// The string is complete.
    fn closed(&mut self, redactor: &Redactor) -> io::Result<()> {
        if self.begun {
            self.piece(self.text.len(), redactor)?;
            self.remember(&[]);
            return self.put(b"\"");
        }
        let text = std::mem::take(&mut self.text);
        let decoded = identity_of(&text);
        let is_id = self.open.len() == 1 && !self.naming && IDS.contains(&self.name.as_slice());
        if self.is_secret(&decoded) {
            self.whole(HIDDEN)?;
        } else {
            let spans = redactor.find_in_string(&text).spans;
            if is_id && !spans.is_empty() {
                let name = self.clean.name_of(&decoded);
                self.put(name.as_bytes())?;
            } else if let Some(from) = self.argument(&text, &decoded) {
                let spans: Vec<_> = spans.into_iter().filter(|(_, to)| *to <= from).collect();
                self.clean.count(spans.len() as u64);
                self.put(&replaced(&text[..from], &spans))?;
                self.whole(HIDDEN)?;
            } else {
                self.clean.count(spans.len() as u64);
                let text = replaced(&text, &spans);
                if let Some(depth) = self.waits(&decoded) {
                    let span = (self.late.len(), self.late.len() + text.len());
                    self.held.push(Held { depth, span, secret: None });
                }
                self.put(&text)?;
            }
        }
        self.remember(&decoded);
        self.put(b"\"")
    }

    /// How deep the object is on whose `name`, which may come yet, it depends what a string is.
    fn waits(&self, decoded: &[u8]) -> Option<usize> {
        if self.naming || !is_value(decoded) {
            return None;
        }
        let own = self.open.last() == Some(&true)
            && self.pairs.last() == Some(&Pair::Unknown)
            && self.name.eq_ignore_ascii_case(b"value");
        own.then_some(self.open.len()).or(self.value_of)
    }

    /// Where in a string of a list the password begins that a program named before it takes there: `["mysql","-pX"]`.
    fn argument(&self, text: &[u8], decoded: &[u8]) -> Option<usize> {
        if self.open.last() != Some(&false) || self.args.is_empty() {
            return None;
        }
        let line = [&self.args[..], decoded].concat();
        let mut found = Found::default();
        commands(&line, &mut found);
        let from = found.spans.iter().map(|(from, _)| *from).filter(|from| *from >= self.args.len()).min()?;
        // Of one with escapes all goes: its characters lie elsewhere in the text.
        Some(if text == decoded { from - self.args.len() } else { 0 })
    }

    /// Writes, or keeps what has to wait.
    fn put(&mut self, text: &[u8]) -> io::Result<()> {
        if self.held.is_empty() {
            return self.out.write_all(text);
        }
        self.late.extend_from_slice(text);
        if self.late.len() > MOST_LATE || self.held.len() > MOST_HELD {
            self.held.iter_mut().for_each(|held| held.secret = held.secret.or(Some(false)));
        }
        self.release()
    }

    /// The object at hand says what its `value` is, or has ended.
    fn known(&mut self, secret: bool) {
        // At its end it is no longer open.
        let depth = if secret { self.open.len() } else { self.open.len() + 1 };
        let outer = self.value_of.filter(|outer| !secret && *outer < depth);
        for held in self.held.iter_mut().filter(|held| held.depth == depth && held.secret.is_none()) {
            match outer {
                // It stands in the `value` of another object, which may say more.
                Some(outer) => held.depth = outer,
                None => held.secret = Some(secret),
            }
        }
    }

    /// Writes what waited, if all of it is known.
    fn release(&mut self) -> io::Result<()> {
        if self.held.iter().any(|held| held.secret.is_none()) {
            return Ok(());
        }
        let held = std::mem::take(&mut self.held);
        let spans: Vec<_> = held.iter().filter(|held| held.secret == Some(true)).map(|held| held.span).collect();
        self.clean.count(spans.len() as u64);
        let text = replaced(&std::mem::take(&mut self.late), &spans);
        self.out.write_all(&text)
    }

    fn remember(&mut self, decoded: &[u8]) {
        if !self.naming
            && self.open.last() == Some(&true)
            && [&b"name"[..], b"key"].iter().any(|n| self.name.eq_ignore_ascii_case(n))
        {
            let secret = decoded.len() <= LONGEST_NAME && name(decoded).is_some();
            if let Some(pair) = self.pairs.last_mut() {
                *pair = if secret { Pair::Secret } else { Pair::Plain };
            }
            if secret {
                self.known(true);
            }
        }
        if self.open.last() == Some(&false) && self.args.len() + decoded.len() < ARGS {
            self.args.extend_from_slice(decoded);
            self.args.push(b' ');
        }
        let place = if self.naming { &mut self.name } else { &mut self.before };
        place.clear();
        if decoded.len() <= LONGEST_NAME {
            place.extend_from_slice(decoded);
        }
    }

    /// The number is complete.
    fn number(&mut self, redactor: &Redactor) -> io::Result<()> {
        self.state = State::Between;
        let text = std::mem::take(&mut self.text);
        if redactor.is_value(&text)
            || self.all_from.is_none() && self.is_secret(&text) && name(&self.name) != Some(Name::Several)
        {
            self.put(b"\"")?;
            self.whole(HIDDEN)?;
            self.put(b"\"")?;
        } else {
            self.put(&text)?;
        }
        self.before.clear();
        Ok(())
    }
}

/// The first place from `at` on that is not inside of an escape. Two escapes that are one character count as one.
fn unit_end(text: &[u8], at: usize) -> usize {
    // Far enough before it that whatever backslashes stand there, the count of them is right.
    let mut pos = at.saturating_sub(64);
    let run = text[..pos].iter().rev().take_while(|b| **b == b'\\').count();
    if run % 2 == 1 {
        pos -= 1;
    }
    while pos < at.min(text.len()) {
        pos += match (text[pos], text.get(pos + 1)) {
            (b'\\', Some(b'u')) => {
                let high = text
                    .get(pos + 2..pos + 4)
                    .is_some_and(|t| t[0] | 0x20 == b'd' && matches!(t[1] | 0x20, b'8' | b'9' | b'a' | b'b'));
                if high && text.get(pos + 6) == Some(&b'\\') { 12 } else { 6 }
            }
            (b'\\', _) => 2,
            _ => 1,
        };
    }
    pos.min(text.len())
}

#[cfg(test)]
#[path = "record_tests.rs"]
mod tests;
