//! Colour roles. Colour never carries meaning alone: every painted word says the same without paint.

use std::borrow::Cow;

use crate::context::Context;

/// What a piece of text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Headings.
    Strong,
    /// Done, healthy.
    Good,
    /// Needs a look.
    Warn,
    /// Failed, or gone for good.
    Bad,
    /// Names and paths.
    Name,
    /// Details.
    Muted,
}

impl Role {
    fn code(self) -> &'static str {
        match self {
            Self::Strong => "1",
            Self::Good => "32",
            Self::Warn => "33",
            Self::Bad => "31",
            Self::Name => "36",
            Self::Muted => "2",
        }
    }
}

/// Paints, or leaves text as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Style {
    on: bool,
}

impl Style {
    /// No colour.
    pub const PLAIN: Self = Self { on: false };

    /// For text that goes to stdout.
    pub fn stdout(ctx: &Context) -> Self {
        Self { on: ctx.color_stdout() }
    }

    /// For text that goes to stderr.
    pub fn stderr(ctx: &Context) -> Self {
        Self { on: ctx.color_stderr() }
    }

    /// Text in the colour of its role.
    pub fn paint<'a>(&self, role: Role, text: &'a str) -> Cow<'a, str> {
        if self.on && !text.is_empty() {
            Cow::Owned(format!("\u{1b}[{}m{text}\u{1b}[0m", role.code()))
        } else {
            Cow::Borrowed(text)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_adds_nothing() {
        assert_eq!(Style::PLAIN.paint(Role::Bad, "x"), "x");
        assert_eq!(Style { on: true }.paint(Role::Bad, "x"), "\u{1b}[31mx\u{1b}[0m");
    }
}
