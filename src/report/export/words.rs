//! Words that both forms share.

use std::borrow::Cow;

use crate::model::export::Turn;
use crate::model::transcript::{Kind, Role};
use crate::units::bytes;

/// How much of an entry is open to the eye.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// What somebody said.
    Message,
    /// Results, commands, notes to the model: folded.
    Folded,
    /// A line across the conversation.
    Divider,
    /// A remark.
    Note,
}

/// How an entry is shown.
pub fn look(turn: &Turn<'_>) -> Look {
    match turn.kind {
        Kind::Message => match turn.role {
            Role::User | Role::Assistant => Look::Message,
            _ => Look::Folded,
        },
        Kind::CustomMessage => Look::Folded,
        Kind::Compaction | Kind::BranchSummary => Look::Divider,
        _ => Look::Note,
    }
}

/// Who speaks, as a heading: `User`, `Assistant`, `Result of read`.
pub fn heading<'t>(turn: &'t Turn<'_>) -> Cow<'t, str> {
    if turn.role == Role::ToolResult
        && let Some(tool) = &turn.about
    {
        return Cow::Owned(format!("Result of {tool}"));
    }
    let mut chars = turn.who.chars();
    match chars.next() {
        Some(first) if first.is_lowercase() => Cow::Owned(first.to_uppercase().chain(chars).collect()),
        _ => Cow::Borrowed(&turn.who),
    }
}

/// What stands beside the heading.
pub fn about<'t>(turn: &'t Turn<'_>) -> Option<&'t str> {
    turn.about.as_deref().filter(|_| turn.role != Role::ToolResult && !turn.about.as_deref().is_some_and(str::is_empty))
}

/// A time without what nobody reads: `2026-05-01 08:00:01`; anything that is no time as it is.
pub fn time<'t>(turn: &'t Turn<'_>) -> Option<Cow<'t, str>> {
    let text = turn.time.as_deref()?;
    let known = crate::units::time::parse_iso(text).is_some() && text.len() >= 19 && text.is_char_boundary(19);
    Some(if known { Cow::Owned(text[..19].replacen('T', " ", 1)) } else { Cow::Borrowed(text) })
}

/// A time as people read it, to the second: `2026-05-01 08:00:01 UTC`.
pub fn moment(text: &str) -> String {
    match crate::units::time::parse_iso(text) {
        Some(ms) => format!("{} UTC", crate::units::time::iso(ms)[..19].replacen('T', " ", 1)),
        None => text.to_owned(),
    }
}

/// The note in place of an image.
pub fn image_note(mime: &str, base64: u64) -> String {
    format!("{mime}, {}", bytes::human(base64 / 4 * 3))
}

/// A text without the colours of a terminal, which a page would show as characters: `ESC [ ... m` and `ESC [ K`. Anything
/// else that a terminal would obey stays, to be seen.
pub fn uncoloured(text: &str) -> Cow<'_, str> {
    if !text.contains("\u{1b}[") {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("\u{1b}[") {
        let behind = &rest[at + 2..];
        let len = behind.bytes().take_while(|b| b.is_ascii_digit() || matches!(b, b';' | b':')).count();
        let end = if matches!(behind.as_bytes().get(len), Some(b'm' | b'K')) { at + 2 + len + 1 } else { at + 2 };
        out.push_str(&rest[..if end == at + 2 { end } else { at }]);
        rest = &rest[end..];
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// The first words of a text, on one line.
pub fn first_words(text: &str, most: usize) -> String {
    let mut words = text.split_whitespace();
    let mut out = String::new();
    for word in words.by_ref() {
        if out.chars().count() + word.chars().count() + 1 > most {
            if out.is_empty() {
                out.extend(word.chars().take(most));
            }
            out.push('…');
            return out;
        }
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}
