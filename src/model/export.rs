//! A conversation as it is exported: entries made ready for a page, texts already cleaned of secrets.

use std::borrow::Cow;

use super::transcript::{Kind, Role};

/// A part of an entry.
#[derive(Debug, Clone, PartialEq)]
pub enum Block<'a> {
    /// Text.
    Text(Cow<'a, str>),
    /// What the model thought.
    Thinking(Cow<'a, str>),
    /// A tool call.
    Call {
        /// Name of the tool.
        name: Cow<'a, str>,
        /// Arguments as JSON, indented.
        arguments: String,
    },
    /// An image.
    Image {
        /// Its type as the record says it.
        mime: Cow<'a, str>,
        /// Base64 text, if it is at hand as a whole.
        data: Option<&'a [u8]>,
        /// Bytes of the base64 text.
        bytes: u64,
    },
    /// Anything else.
    Other {
        /// Its type.
        kind: Cow<'a, str>,
        /// Bytes of its text.
        bytes: u64,
    },
    /// So many bytes of the record are left out: it is too long to show.
    LeftOut(u64),
}

/// One entry.
#[derive(Debug, Clone, PartialEq)]
pub struct Turn<'a> {
    /// Physical line: the anchor of the entry.
    pub line: u32,
    /// Its id.
    pub id: Option<Cow<'a, str>>,
    /// Its time, as it stands.
    pub time: Option<Cow<'a, str>>,
    /// Kind.
    pub kind: Kind,
    /// Role, of a message.
    pub role: Role,
    /// Who speaks, or what it is.
    pub who: Cow<'a, str>,
    /// More about it: the model, what a label is put on.
    pub about: Option<String>,
    /// Its parts.
    pub blocks: Vec<Block<'a>>,
    /// It failed: a tool result with an error, an answer that the provider ended with one.
    pub failed: bool,
    /// The answer is the token that nothing is to be said.
    pub silent: bool,
    /// What went wrong.
    pub error: Option<Cow<'a, str>>,
}

/// What an export says about itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExportHead {
    /// Title: the name of the session, else its key, else its id.
    pub title: String,
    /// Name and value of each fact, in order.
    pub facts: Vec<(&'static str, String)>,
    /// What a reader should know.
    pub notes: Vec<String>,
}

/// Where one stands in the tree while it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fork {
    /// A branch that was left begins.
    Opens {
        /// Entries in it, its own branches included.
        entries: u64,
        /// What it is called.
        title: String,
    },
    /// It ends.
    Closes,
}
