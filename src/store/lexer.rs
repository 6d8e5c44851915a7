//! One pass over JSON text, by position, without making values.
//!
//! Strict where JSON is structure (what Node's `JSON.parse` refuses is refused here), lenient where text is content:
//! lone surrogate escapes and bytes that are not UTF-8 are legal inside strings, because the gateway writes the former
//! and reads the latter. Nothing recurses: nesting costs one bit a level, so hostile input cannot overflow the stack.
//!
//! # Performance
//!
//! Strings are the bulk of real text. They are skipped 16 bytes at a time, by vector compares that the compiler makes.

use crate::model::index::{DamageKind, Span, Text};

/// Deepest nesting inside one value.
pub const MAX_DEPTH: usize = 10_000;

/// Where and why reading stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong.
    pub kind: DamageKind,
    /// Offset of the byte that is wrong; the length of the text if it ends too early.
    pub at: usize,
}

/// What may follow a backslash, apart from `u`.
static SIMPLE_ESCAPE: [bool; 256] = {
    let mut simple = [false; 256];
    let mut rest: &[u8] = br#""\/bfnrt"#;
    while let [first, others @ ..] = rest {
        simple[*first as usize] = true;
        rest = others;
    }
    simple
};

/// A position in JSON text of at most 4 GiB.
#[derive(Debug, Clone)]
pub struct Lexer<'a> {
    buf: &'a [u8],
    pos: usize,
}

impl<'a> Lexer<'a> {
    /// Starts at `pos`. The buffer must not be larger than a [`Span`] can address.
    pub fn new(buf: &'a [u8], pos: usize) -> Self {
        debug_assert!(u32::try_from(buf.len()).is_ok(), "spans are 32 bits wide");
        Self { buf, pos }
    }

    /// The whole text.
    pub fn buf(&self) -> &'a [u8] {
        self.buf
    }

    /// Offset of the next byte.
    pub fn pos(&self) -> usize {
        self.pos
    }

    /// The next byte, if there is one.
    pub fn peek(&self) -> Option<u8> {
        self.buf.get(self.pos).copied()
    }

    /// Bytes from `start` to here.
    pub fn span_from(&self, start: usize) -> Span {
        span(start, self.pos)
    }

    /// Fault at the current position: truncated at the end of the text, NUL bytes or plain syntax elsewhere.
    pub fn fault(&self) -> Fault {
        self.fault_at(self.pos)
    }

    fn fault_at(&self, at: usize) -> Fault {
        let kind = match self.buf.get(at) {
            None => DamageKind::Truncated,
            Some(0) => DamageKind::NulBytes,
            Some(_) => DamageKind::Syntax,
        };
        Fault { kind, at: at.min(self.buf.len()) }
    }

    /// Skips JSON white space.
    #[inline]
    pub fn space(&mut self) {
        if self.peek().is_some_and(|byte| byte <= b' ') {
            self.some_space();
        }
    }

    fn some_space(&mut self) {
        // Pretty-printed text: a newline, then an indent of spaces.
        while let Some(byte) = self.peek() {
            match byte {
                b' ' => self.spaces(),
                b'\n' | b'\r' | b'\t' => self.pos += 1,
                _ => return,
            }
        }
    }

    /// Counts spaces eight at a time: an indent has a different length on each line, which a loop over bytes makes the
    /// processor guess wrong.
    fn spaces(&mut self) {
        while let Some(chunk) = self.buf[self.pos..].first_chunk::<8>() {
            let others = u64::from_le_bytes(*chunk) ^ u64::from_le_bytes([b' '; 8]);
            if others != 0 {
                self.pos += (others.trailing_zeros() / 8) as usize;
                return;
            }
            self.pos += 8;
        }
        while self.peek() == Some(b' ') {
            self.pos += 1;
        }
    }

    /// Takes exactly this byte.
    pub fn take(&mut self, byte: u8) -> Result<(), Fault> {
        if self.peek() == Some(byte) {
            self.pos += 1;
            Ok(())
        } else {
            Err(self.fault())
        }
    }

    /// Reads a string.
    pub fn string(&mut self) -> Result<Text, Fault> {
        self.take(b'"')?;
        let start = self.pos;
        let mut at = start;
        let mut escaped = false;
        loop {
            at = plain_run(self.buf, at);
            match self.buf.get(at) {
                Some(b'"') => {
                    self.pos = at + 1;
                    return Ok(Text { span: span(start, at), escaped });
                }
                Some(b'\\') => {
                    escaped = true;
                    at = self.escape(at)?;
                }
                _ => return Err(self.fault_at(at)),
            }
        }
    }

    /// Checks the escape whose backslash is at `at`; gives the offset after it.
    fn escape(&self, at: usize) -> Result<usize, Fault> {
        let kind = self.buf.get(at + 1).copied().unwrap_or(0);
        if SIMPLE_ESCAPE[usize::from(kind)] {
            return Ok(at + 2);
        }
        if kind != b'u' {
            return Err(self.fault_at(at + 1));
        }
        match (at + 2..at + 6).find(|digit| !self.buf.get(*digit).is_some_and(u8::is_ascii_hexdigit)) {
            Some(other) => Err(self.fault_at(other)),
            None => Ok(at + 6),
        }
    }

    /// The number here if it is nothing but digits, at most 15 of them, and a comma or a bracket follows at once.
    #[inline]
    pub fn short_whole_number(&mut self) -> Option<u64> {
        let text = self.buf[self.pos..].first_chunk::<16>()?;
        let mut number = 0;
        for (len, byte) in text.iter().enumerate() {
            match byte {
                b'0'..=b'9' => number = number * 10 + u64::from(byte - b'0'),
                b',' | b'}' | b']' if len == 1 || len > 1 && text[0] != b'0' => {
                    self.pos += len;
                    return Some(number);
                }
                _ => return None,
            }
        }
        None
    }

    /// Skips a number.
    pub fn number(&mut self) -> Result<(), Fault> {
        if self.peek() == Some(b'-') {
            self.pos += 1;
        }
        if self.peek() == Some(b'0') {
            self.pos += 1;
        } else {
            self.digits()?;
        }
        if self.peek() == Some(b'.') {
            self.pos += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.pos += 1;
            if let Some(b'+' | b'-') = self.peek() {
                self.pos += 1;
            }
            self.digits()?;
        }
        Ok(())
    }

    fn digits(&mut self) -> Result<(), Fault> {
        let len = self.buf[self.pos..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.pos += len;
        if len == 0 { Err(self.fault()) } else { Ok(()) }
    }

    fn word(&mut self, word: &[u8]) -> Result<(), Fault> {
        for byte in word {
            self.take(*byte)?;
        }
        Ok(())
    }

    /// Skips a value that is neither object nor array.
    fn scalar(&mut self) -> Result<(), Fault> {
        match self.peek() {
            Some(b'"') => self.string().map(|_| ()),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.word(b"true"),
            Some(b'f') => self.word(b"false"),
            Some(b'n') => self.word(b"null"),
            _ => Err(self.fault()),
        }
    }

    /// Reads a key and its colon; leaves the position at the value.
    #[inline]
    pub fn key(&mut self) -> Result<Text, Fault> {
        match self.short_key() {
            Some(key) => Ok(key),
            None => self.any_key(),
        }
    }

    /// A key as nearly all are: of at most 16 bytes, none escaped, with the colon after it and the value after that.
    #[inline]
    fn short_key(&mut self) -> Option<Text> {
        let (quote, rest) = self.buf[self.pos..].split_first()?;
        let len = first_of(special_in(rest.first_chunk()?));
        if *quote != b'"' || rest.get(len..len + 2)? != b"\":" || *rest.get(len + 2)? <= b' ' {
            return None;
        }
        let start = self.pos + 1;
        self.pos = start + len + 2;
        Some(Text { span: span(start, start + len), escaped: false })
    }

    fn any_key(&mut self) -> Result<Text, Fault> {
        let key = self.string()?;
        self.space();
        self.take(b':')?;
        self.space();
        Ok(key)
    }

    /// Skips any value.
    pub fn value(&mut self) -> Result<(), Fault> {
        let mut open = Nesting::default();
        loop {
            match self.peek() {
                Some(b'{') => {
                    self.enter(&mut open, true)?;
                    if self.peek() != Some(b'}') {
                        self.key()?;
                        continue;
                    }
                }
                Some(b'[') => {
                    self.enter(&mut open, false)?;
                    if self.peek() != Some(b']') {
                        continue;
                    }
                }
                _ => self.scalar()?,
            }
            if self.leave(&mut open)? {
                return Ok(());
            }
        }
    }

    fn enter(&mut self, open: &mut Nesting, object: bool) -> Result<(), Fault> {
        if open.depth == MAX_DEPTH {
            return Err(Fault { kind: DamageKind::TooDeep, at: self.pos });
        }
        open.push(object);
        self.pos += 1;
        self.space();
        Ok(())
    }

    /// After a value: closes what ends here and steps over a comma. True when everything is closed.
    fn leave(&mut self, open: &mut Nesting) -> Result<bool, Fault> {
        while let Some(object) = open.innermost() {
            self.space();
            match (self.peek(), object) {
                // Also right after an opening bracket, where no value stood: `enter` is only followed by this if the
                // container is empty.
                (Some(b'}'), true) | (Some(b']'), false) => {
                    self.pos += 1;
                    open.pop();
                }
                (Some(b','), true) => {
                    self.pos += 1;
                    self.space();
                    self.key()?;
                    return Ok(false);
                }
                (Some(b','), false) => {
                    self.pos += 1;
                    self.space();
                    return Ok(false);
                }
                _ => return Err(self.fault()),
            }
        }
        Ok(true)
    }

    /// Walks the members of an object. `each` gets the key and must consume the value.
    pub fn members(&mut self, mut each: impl FnMut(&mut Self, Text) -> Result<(), Fault>) -> Result<(), Fault> {
        self.items(*b"{}", |lexer| {
            let key = lexer.key()?;
            each(lexer, key)
        })
    }

    /// Walks the elements of an array. `each` must consume the value.
    pub fn elements(&mut self, each: impl FnMut(&mut Self) -> Result<(), Fault>) -> Result<(), Fault> {
        self.items(*b"[]", each)
    }

    /// Walks what stands between brackets, separated by commas. `each` must consume one of it.
    #[inline]
    pub(super) fn items(
        &mut self,
        [open, close]: [u8; 2],
        mut each: impl FnMut(&mut Self) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        self.take(open)?;
        self.space();
        if self.peek() == Some(close) {
            self.pos += 1;
            return Ok(());
        }
        loop {
            each(self)?;
            self.space();
            if self.peek() == Some(b',') {
                self.pos += 1;
                self.space();
            } else {
                return self.take(close);
            }
        }
    }

    /// Steps over bytes that the caller has looked at.
    #[inline]
    pub(super) fn step(&mut self, bytes: usize) {
        self.pos += bytes;
    }

    /// The string here, or `None` after skipping a value of another kind.
    pub fn string_or_skip(&mut self) -> Result<Option<Text>, Fault> {
        if self.peek() == Some(b'"') { self.string().map(Some) } else { self.value().map(|()| None) }
    }
}

/// Which brackets are open, one bit each: true for an object.
#[derive(Default)]
struct Nesting {
    depth: usize,
    /// The innermost 1 to 64 levels, innermost in the lowest bit.
    low: u64,
    /// Full words of outer levels.
    outer: Vec<u64>,
}

impl Nesting {
    fn push(&mut self, object: bool) {
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.outer.push(self.low);
        }
        self.low = self.low << 1 | u64::from(object);
        self.depth += 1;
    }

    fn pop(&mut self) {
        self.low >>= 1;
        self.depth -= 1;
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.low = self.outer.pop().unwrap_or(0);
        }
    }

    fn innermost(&self) -> Option<bool> {
        (self.depth > 0).then_some(self.low & 1 == 1)
    }
}

/// A span between two offsets of a buffer that is known to fit.
#[expect(clippy::cast_possible_truncation, reason = "buffers over 4 GiB are refused before they are read")]
fn span(start: usize, end: usize) -> Span {
    Span { start: start as u32, end: end as u32 }
}

/// Offset of the first byte at or after `at` that ends a run of plain string content: a quote, a backslash, a control
/// character, or the end of the text.
fn plain_run(buf: &[u8], mut at: usize) -> usize {
    while let Some(block) = buf[at..].first_chunk::<16>() {
        let special = special_in(block);
        if special != 0 {
            return at + first_of(special);
        }
        at += block.len();
    }
    plain_bytes(buf, at)
}

fn plain_bytes(buf: &[u8], at: usize) -> usize {
    buf[at..].iter().position(|b| is_special(*b)).map_or(buf.len(), |n| at + n)
}

fn is_special(byte: u8) -> bool {
    (byte < 0x20) | (byte == b'"') | (byte == b'\\')
}

/// A byte of ones for each byte that is special. The compiler makes vector compares of this.
#[inline]
fn special_in(block: &[u8; 16]) -> u128 {
    u128::from_le_bytes(block.map(|byte| if is_special(byte) { 0xff } else { 0 }))
}

/// Position of the first byte that is marked; 16 if there is none.
#[inline]
fn first_of(marks: u128) -> usize {
    (marks.trailing_zeros() / 8) as usize
}

#[cfg(test)]
#[path = "lexer_tests.rs"]
mod tests;
