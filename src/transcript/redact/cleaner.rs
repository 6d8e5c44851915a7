//! Takes secrets out of everything that is shown, if that was asked for, and counts them.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use super::record::Sieve;
use super::redactor::{HIDDEN, Redactor, replaced};
use crate::transcript::node::Node;

/// What passes every text on its way out.
#[derive(Debug, Default)]
pub struct Cleaner {
    redactor: Option<Redactor>,
    hidden: Cell<u64>,
    /// Ids that hold a secret, and what they are called instead: one name for each, so that the tree stays one.
    ids: RefCell<HashMap<Vec<u8>, String>>,
}

impl Cleaner {
    /// Without a redactor everything passes.
    pub fn new(redactor: Option<Redactor>) -> Self {
        Self { redactor, ..Self::default() }
    }

    /// What finds secrets, if that was asked for.
    pub fn redactor(&self) -> Option<&Redactor> {
        self.redactor.as_ref()
    }

    /// How many were left out so far, if that was asked for.
    pub fn hidden(&self) -> Option<u64> {
        self.redactor.as_ref().map(|_| self.hidden.get())
    }

    /// Some more were left out.
    pub(super) fn count(&self, more: u64) {
        self.hidden.set(self.hidden.get() + more);
    }

    /// Text as it may be shown.
    pub fn text<'t>(&self, text: Cow<'t, str>) -> Cow<'t, str> {
        let Some(redactor) = &self.redactor else { return text };
        let found = redactor.find(text.as_bytes());
        if found.is_empty() {
            return text;
        }
        self.count(found.len() as u64);
        let cleaned = replaced(text.as_bytes(), &found);
        Cow::Owned(String::from_utf8(cleaned).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned()))
    }

    /// An id as it may be shown.
    pub fn id<'t>(&self, id: Cow<'t, str>) -> Cow<'t, str> {
        match &self.redactor {
            Some(redactor) if !redactor.find(id.as_bytes()).is_empty() => Cow::Owned(self.name_of(id.as_bytes())),
            _ => id,
        }
    }

    /// What an id is called that holds a secret.
    pub(super) fn name_of(&self, id: &[u8]) -> String {
        self.count(1);
        let mut ids = self.ids.borrow_mut();
        if let Some(name) = ids.get(id) {
            return name.clone();
        }
        let name = match ids.len() {
            0 => HIDDEN.to_owned(),
            others => format!("{HIDDEN}-{}", others + 1),
        };
        ids.insert(id.to_owned(), name.clone());
        name
    }

    /// A value as indented JSON, as it may be shown.
    pub fn json(&self, value: &Node<'_>) -> String {
        let pretty = |node: &Node<'_>| serde_json::to_string_pretty(&node.to_json()).unwrap_or_default();
        if self.redactor.is_none() {
            return pretty(value);
        }
        let mut clean = Vec::with_capacity(value.raw().len());
        let mut sieve = Sieve::new(self, &mut clean);
        // Memory takes everything, and a value that passed the lexer is one afterwards.
        let passed = sieve.feed(value.raw()).and_then(|()| sieve.end());
        let text = passed.ok().and_then(|()| Node::new(&clean, &[]).map(|node| pretty(&node)));
        self.text(Cow::Owned(text.unwrap_or_default())).into_owned()
    }

    /// The data of an image, if it may be shown.
    pub fn data<'t>(&self, data: &'t [u8]) -> Option<&'t [u8]> {
        let secret = self.redactor.as_ref().is_some_and(|redactor| redactor.holds_value(data));
        if secret {
            self.count(1);
        }
        (!secret).then_some(data)
    }
}
