//! Where the next compaction would cut (spec/transcripts.md 4.6): between turns if it can, never between a call and its result.

use super::context::Context;
use super::tree::Tree;
use crate::model::transcript::{Kind, Role};

/// A cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    /// Place on the path of the first entry that stays.
    pub first_kept: usize,
    /// Where the turn begins that is cut in two, if one is.
    pub turn_start: Option<usize>,
    /// Place on the path from which on messages are summarised.
    pub from: usize,
}

/// The cut for keeping about so many recent tokens. `None` if there is nothing to compact.
pub fn next(tree: &Tree<'_>, context: &Context, keep_recent: u64) -> Option<Cut> {
    let path = &context.path.entries;
    let kind = |place: usize| tree.index.entries.get(path[place]).kind();
    let role = |place: usize| tree.index.entries.get(path[place]).role();
    if path.is_empty() || kind(path.len() - 1) == Kind::Compaction {
        return None;
    }
    let from = context.next_from;
    let starts_turn = |place: usize| match kind(place) {
        Kind::BranchSummary | Kind::CustomMessage => true,
        Kind::Message => matches!(role(place), Role::User | Role::Bash),
        _ => false,
    };
    let valid = |place: usize| match kind(place) {
        Kind::BranchSummary | Kind::CustomMessage => true,
        Kind::Message => {
            // Versions before 3 call custom messages by another name.
            let custom = role(place) == Role::Hook && tree.index.version() < 3;
            custom || matches!(role(place), Role::User | Role::Assistant | Role::Custom | Role::Bash)
        }
        _ => false,
    };
    let first_valid = (from..path.len()).find(|place| valid(*place));
    let Some(mut cut) = first_valid else { return Some(Cut { first_kept: from, turn_start: None, from }) };
    let mut sum = 0;
    for place in (from..path.len()).rev().filter(|place| kind(*place) == Kind::Message) {
        sum += u64::from(context.path_tokens.get(place).copied().unwrap_or(0));
        if sum >= keep_recent {
            cut = (place..path.len()).find(|place| valid(*place)).unwrap_or(cut);
            break;
        }
    }
    while cut > from && !matches!(kind(cut - 1), Kind::Compaction | Kind::Message) {
        cut -= 1;
    }
    let at_user = kind(cut) == Kind::Message && role(cut) == Role::User;
    let turn_start = (from..=cut).rev().find(|place| starts_turn(*place)).filter(|_| !at_user);
    Some(Cut { first_kept: cut, turn_start, from })
}
