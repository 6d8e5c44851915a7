//! `sessions list`.

use clap::{Args, ValueEnum};

use super::gateway::ReachFlags;
use super::select::SelectArgs;
use super::values;
use crate::model::sourced::Limit;

/// List the rows of a store, newest first.
#[derive(Debug, Clone, Default, Args)]
pub struct ListArgs {
    /// Which stores.
    #[command(flatten)]
    pub select: SelectArgs,

    /// Only rows updated within this many minutes
    #[arg(long, value_name = "MINUTES", value_parser = values::active_minutes)]
    pub active: Option<u64>,

    /// Highest number of rows, or `all` [default: 100]
    #[arg(long, value_name = "N|all", value_parser = values::row_limit)]
    pub limit: Option<Limit<u64>>,

    /// Order of the rows [default: updated]
    #[arg(long, value_enum, value_name = "BY")]
    pub sort: Option<SortBy>,

    /// Only rows of this kind; may be given several times
    #[arg(long = "kind", value_enum, value_name = "KIND")]
    pub kinds: Vec<KindFilter>,

    /// Only rows whose key matches, `*` and `?` stand for any text and any character
    #[arg(long, value_name = "GLOB")]
    pub key: Option<String>,

    /// How to reach the gateway whose rows are listed, in remote mode or with --gateway-url.
    #[command(flatten)]
    pub reach: ReachFlags,
}

/// Orders of `sessions list`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum SortBy {
    /// Latest update first
    #[default]
    Updated,
    /// Oldest update first
    Age,
    /// Largest transcript first
    Size,
    /// Most tokens first
    Tokens,
    /// By key
    Key,
}

/// Kinds of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum KindFilter {
    /// Direct conversations and everything that is none of the others
    Direct,
    /// Groups and channels
    Group,
    /// Cron jobs and their runs
    Cron,
    /// The row `global`
    Global,
    /// The row `unknown`
    Unknown,
}

impl KindFilter {
    /// The word printed and used in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Direct => "direct",
            Self::Group => "group",
            Self::Cron => "cron",
            Self::Global => "global",
            Self::Unknown => "unknown",
        }
    }
}

impl ListArgs {
    /// Takes over what was said before the verb (`sessions --limit 5 list`).
    #[must_use]
    pub fn inherit(mut self, group: &Self) -> Self {
        self.select = self.select.inherit(&group.select);
        self.active = self.active.or(group.active);
        self.limit = self.limit.or(group.limit);
        self.sort = self.sort.or(group.sort);
        if self.kinds.is_empty() {
            self.kinds.clone_from(&group.kinds);
        }
        self.key = self.key.or_else(|| group.key.clone());
        self.reach = self.reach.inherit(&group.reach);
        self
    }

    /// The first option that only lists understand, for the warning when another verb follows it.
    pub fn first_list_only(&self) -> Option<&'static str> {
        [
            (self.active.is_some(), "--active"),
            (self.limit.is_some(), "--limit"),
            (self.sort.is_some(), "--sort"),
            (!self.kinds.is_empty(), "--kind"),
            (self.key.is_some(), "--key"),
        ]
        .into_iter()
        .find_map(|(given, name)| given.then_some(name))
    }
}
