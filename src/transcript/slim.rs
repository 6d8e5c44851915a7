//! What is kept of a line that is too long to keep: its structure, with long strings and long lists shortened.
//!
//! A record of 25 MB is a few hundred bytes of fields and one huge text. The shortened text is JSON again, so whoever reads
//! records reads it like any other; every place where something was left out is remembered with the bytes that are missing
//! there.

/// Bytes of one string that are kept.
pub const STRING: usize = 64 * 1024;
/// Bytes after which nested lists and objects lose the rest of their members.
const NESTED: usize = 1 << 20;
/// Bytes after which the record itself does.
const WHOLE: usize = 4 << 20;

/// A place where something was left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    /// Offset in the shortened text: of the closing quote or bracket behind the missing bytes.
    pub at: usize,
    /// Bytes that are missing.
    pub bytes: u64,
}

/// A shortened record.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Slim {
    /// JSON text; meaningful only if the line was a record.
    pub text: Vec<u8>,
    /// What is missing, by place.
    pub cuts: Vec<Cut>,
}

impl Slim {
    /// Bytes that are missing between two offsets of the text.
    pub fn missing(&self, start: usize, end: usize) -> u64 {
        missing(&self.cuts, start, end)
    }
}

/// Bytes that are missing between two offsets of a shortened text.
pub fn missing(cuts: &[Cut], start: usize, end: usize) -> u64 {
    cuts.iter().filter(|cut| cut.at >= start && cut.at < end).map(|cut| cut.bytes).sum()
}

/// Writes a [`Slim`] while the line is read.
#[derive(Debug, Default)]
pub struct Slimmer {
    slim: Slim,
    /// A comma was read, and what follows it was not.
    comma: bool,
    /// Bytes of the string at hand that were kept.
    kept: usize,
    /// Bytes of the string or container at hand that were left out.
    dropped: u64,
    /// The string at hand is full.
    full: bool,
    /// Depth of the container whose remaining members are left out.
    mute: Option<usize>,
}

impl Slimmer {
    /// A member or an element begins in a container at this depth.
    pub fn begins(&mut self, depth: usize) {
        let limit = if depth > 1 { NESTED } else { WHOLE };
        if self.mute.is_none() && depth > 0 && self.slim.text.len() > limit {
            self.mute = Some(depth);
            self.dropped = 0;
            self.comma = false;
        }
        if self.comma {
            self.comma = false;
            self.token(b",");
        }
    }

    /// A comma; it is written with what follows it.
    pub fn comma(&mut self) {
        match self.mute {
            Some(_) => self.dropped += 1,
            None => self.comma = true,
        }
    }

    /// Structure and scalars.
    pub fn token(&mut self, bytes: &[u8]) {
        match self.mute {
            Some(_) => self.dropped += bytes.len() as u64,
            None => self.slim.text.extend_from_slice(bytes),
        }
    }

    /// The opening quote of a string.
    pub fn string_begins(&mut self) {
        self.token(b"\"");
        if self.mute.is_none() {
            (self.kept, self.dropped, self.full) = (0, 0, false);
        }
    }

    /// Content of a string that may be cut anywhere.
    pub fn plain(&mut self, bytes: &[u8]) {
        if self.mute.is_some() || self.full {
            self.dropped += bytes.len() as u64;
            return;
        }
        let room = STRING.saturating_sub(self.kept).min(bytes.len());
        self.slim.text.extend_from_slice(&bytes[..room]);
        self.kept += room;
        if room < bytes.len() {
            self.full = true;
            self.dropped += (bytes.len() - room) as u64;
        }
    }

    /// The backslash of an escape: it is kept whole or not at all.
    pub fn escape_begins(&mut self) {
        self.full |= self.mute.is_none() && self.kept + 6 > STRING;
        self.escape(b'\\');
    }

    /// The next byte of an escape.
    pub fn escape(&mut self, byte: u8) {
        if self.mute.is_some() || self.full {
            self.dropped += 1;
        } else {
            self.slim.text.push(byte);
            self.kept += 1;
        }
    }

    /// The closing quote of a string.
    pub fn string_ends(&mut self) {
        self.cut();
        self.token(b"\"");
    }

    /// The closing bracket of the container at this depth.
    pub fn closes(&mut self, depth: usize, bracket: u8) {
        if self.mute == Some(depth) {
            self.mute = None;
            self.cut();
        }
        self.token(&[bracket]);
    }

    fn cut(&mut self) {
        if self.mute.is_none() && self.dropped > 0 {
            self.slim.cuts.push(Cut { at: self.slim.text.len(), bytes: self.dropped });
            self.dropped = 0;
        }
    }

    /// The result.
    pub fn end(self) -> Slim {
        self.slim
    }
}
