//! What reading a transcript line by line found.

use super::finding::FindingId;

/// `type` of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
#[repr(u8)]
pub enum Kind {
    /// Any other type, or none: carried along, part of the path, never in the context.
    #[default]
    Unknown = 0,
    /// `session`: a header.
    Session = 1,
    /// `message`.
    Message = 2,
    /// `thinking_level_change`.
    ThinkingLevel = 3,
    /// `model_change`.
    ModelChange = 4,
    /// `compaction`.
    Compaction = 5,
    /// `branch_summary`.
    BranchSummary = 6,
    /// `custom`.
    Custom = 7,
    /// `custom_message`.
    CustomMessage = 8,
    /// `label`.
    Label = 9,
    /// `session_info`.
    SessionInfo = 10,
    /// `leaf`: written by newer gateways, an unknown type to the one at hand.
    Leaf = 11,
}

impl Kind {
    /// All that have a name.
    pub const NAMED: [(Self, &'static str); 11] = [
        (Self::Session, "session"),
        (Self::Message, "message"),
        (Self::ThinkingLevel, "thinking_level_change"),
        (Self::ModelChange, "model_change"),
        (Self::Compaction, "compaction"),
        (Self::BranchSummary, "branch_summary"),
        (Self::Custom, "custom"),
        (Self::CustomMessage, "custom_message"),
        (Self::Label, "label"),
        (Self::SessionInfo, "session_info"),
        (Self::Leaf, "leaf"),
    ];

    /// The kind that a `type` names.
    pub fn of(name: &[u8]) -> Self {
        Self::NAMED.iter().find(|(_, n)| n.as_bytes() == name).map_or(Self::Unknown, |(kind, _)| *kind)
    }

    /// Back from its number.
    pub fn from_number(number: u8) -> Self {
        Self::NAMED.iter().find(|(kind, _)| *kind as u8 == number).map_or(Self::Unknown, |(kind, _)| *kind)
    }

    /// The `type`; `unknown` for all without a name here.
    pub fn as_str(self) -> &'static str {
        Self::NAMED.iter().find(|(kind, _)| *kind == self).map_or("unknown", |(_, name)| name)
    }
}

/// `message.role`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
#[repr(u8)]
pub enum Role {
    /// No text there, or no message.
    #[default]
    None = 0,
    /// `user`.
    User = 1,
    /// `assistant`.
    Assistant = 2,
    /// `toolResult`.
    ToolResult = 3,
    /// `bashExecution`.
    Bash = 4,
    /// `custom`.
    Custom = 5,
    /// `hookMessage`: what versions before 3 call custom.
    Hook = 6,
    /// `system`.
    System = 7,
    /// Any other text.
    Other = 8,
}

impl Role {
    const NAMED: [(Self, &'static str); 7] = [
        (Self::User, "user"),
        (Self::Assistant, "assistant"),
        (Self::ToolResult, "toolResult"),
        (Self::Bash, "bashExecution"),
        (Self::Custom, "custom"),
        (Self::Hook, "hookMessage"),
        (Self::System, "system"),
    ];

    /// The role that a text names.
    pub fn of(name: &[u8]) -> Self {
        Self::NAMED.iter().find(|(_, n)| n.as_bytes() == name).map_or(Self::Other, |(role, _)| *role)
    }

    /// Back from its number.
    pub fn from_number(number: u8) -> Self {
        let named = Self::NAMED.iter().find(|(role, _)| *role as u8 == number).map(|(role, _)| *role);
        named.unwrap_or(if number == Self::Other as u8 { Self::Other } else { Self::None })
    }

    /// The text, if it is one of those known here.
    pub fn as_str(self) -> Option<&'static str> {
        Self::NAMED.iter().find(|(role, _)| *role == self).map(|(_, name)| *name)
    }
}

/// What an `id` is to the gateway.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(u8)]
pub enum IdKind {
    /// No such field.
    #[default]
    Missing = 0,
    /// `null`.
    Null = 1,
    /// Empty text, 0 or `false`: there, but nobody can be led to it.
    Empty = 2,
    /// Anything else.
    Usable = 3,
}

/// How many line numbers of one kind of damage are remembered.
pub const LINES_SHOWN: usize = 10;

/// One kind of damage in one file: its first place, and how often it is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spot {
    /// What it is.
    pub id: FindingId,
    /// Physical line of the first one, from 1; `None` where only the end of the file was read.
    pub line: Option<u64>,
    /// Byte offset of the first one.
    pub offset: u64,
    /// How many there are.
    pub count: u64,
    /// Bytes of all of them.
    pub bytes: u64,
    /// Line numbers, the first [`LINES_SHOWN`].
    pub lines: Vec<u64>,
    /// What is known about the first one.
    pub detail: Option<String>,
    /// Each place, the first [`Reading::most`].
    pub places: Vec<SpotPlace>,
}

/// One place of a kind of damage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpotPlace {
    /// Physical line, from 1; `None` where only the end of the file was read.
    pub line: Option<u64>,
    /// Byte offset.
    pub offset: u64,
    /// Bytes.
    pub bytes: u64,
    /// What is known about it.
    pub detail: Option<String>,
}

/// A transcript as read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reading {
    /// Bytes of the file.
    pub size: u64,
    /// Every byte was looked at; otherwise only the beginning and the end.
    pub whole: bool,
    /// Physical lines seen.
    pub lines: u64,
    /// Entries seen: objects that are no header.
    pub entries: u64,
    /// Damage, one item a kind.
    pub spots: Vec<Spot>,
    /// The file was appended to while it was read: its end says nothing.
    pub moving: bool,
    /// How many places of one kind of damage are remembered one by one.
    pub most: usize,
}

impl Reading {
    /// The damage of this kind, if there is any.
    pub fn spot(&self, id: FindingId) -> Option<&Spot> {
        self.spots.iter().find(|spot| spot.id == id)
    }

    /// Notes one more place of a kind of damage.
    pub fn note(&mut self, id: FindingId, line: Option<u64>, offset: u64, bytes: u64, detail: Option<String>) {
        let place = (self.most > 0).then(|| SpotPlace { line, offset, bytes, detail: detail.clone() });
        let at = match self.spots.iter().position(|spot| spot.id == id) {
            Some(at) => at,
            None => {
                let (lines, places) = (Vec::new(), Vec::new());
                self.spots.push(Spot { id, line, offset, count: 0, bytes: 0, lines, detail, places });
                self.spots.len() - 1
            }
        };
        let most = self.most;
        let spot = &mut self.spots[at];
        spot.count += 1;
        spot.bytes += bytes;
        if let Some(line) = line.filter(|_| spot.lines.len() < LINES_SHOWN) {
            spot.lines.push(line);
        }
        if spot.places.len() < most {
            spot.places.extend(place);
        }
    }
}
