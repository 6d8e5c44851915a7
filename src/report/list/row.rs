//! One listed row, with everything that both forms of the list show.

use std::path::PathBuf;

use crate::model::Ms;
use crate::model::entry::Entry;
use crate::model::index::TimeField;
use crate::model::probe::LockShown;
use crate::model::settings::Settings;
use crate::report::kind;

/// Context window when neither row nor configuration names one.
const DEFAULT_CONTEXT: f64 = 200_000.0;
/// The gateway's model when nothing names one.
const DEFAULT_MODEL: &str = "gpt-5.5";
/// The provider of that model.
const DEFAULT_PROVIDER: &str = "openai";

/// Where the transcript of a row is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TranscriptState {
    /// The row names no session.
    NotExpected,
    /// It should be there and is not.
    Missing,
    /// On another host: not looked for.
    Elsewhere,
    /// It is there.
    Found {
        /// Its path.
        path: PathBuf,
        /// Its length.
        bytes: u64,
    },
}

/// A row as listed.
#[derive(Debug, Clone, PartialEq)]
pub struct ListedRow {
    /// Label of the store.
    pub store_agent: String,
    /// Key.
    pub key: String,
    /// Session id, if there is one.
    pub session_id: Option<String>,
    /// `updatedAt`, as far as it can be believed.
    pub updated: TimeField,
    /// Value of the row's fields.
    pub entry: Entry,
    /// Transcript.
    pub transcript: TranscriptState,
    /// Its lock, if there is a lock file.
    pub lock: Option<LockShown>,
    /// The value of the row is not an object, or its session id is not text.
    pub odd: bool,
}

/// What the configuration says about models.
#[derive(Debug, Clone, Default)]
pub struct ModelDefaults {
    /// Model of each agent that has one.
    pub agents: Vec<(String, String)>,
    /// Model of all others.
    pub default: Option<String>,
    /// `agents.defaults.contextTokens`.
    pub context_tokens: Option<u64>,
}

impl ModelDefaults {
    /// From the settings in force.
    pub fn of(settings: &Settings) -> Self {
        Self {
            agents: settings.agents.iter().filter_map(|a| Some((a.id.clone(), a.model.clone()?))).collect(),
            default: settings.default_model.clone(),
            context_tokens: settings.context_tokens.as_ref().map(|c| c.value),
        }
    }

    fn of_key(&self, key: &str) -> &str {
        let agent = kind::agent_of(key).map(|(id, _)| id);
        let own = agent.and_then(|id| self.agents.iter().find(|(a, _)| a.eq_ignore_ascii_case(id)));
        own.map(|(_, model)| model.as_str()).or(self.default.as_deref()).unwrap_or(DEFAULT_MODEL)
    }
}

impl ListedRow {
    /// The word of the list's kind column.
    pub fn kind(&self) -> &'static str {
        kind::of(&self.key, self.entry.chat_type.as_deref())
    }

    /// Agent: the one in the key, else that of the store.
    pub fn agent(&self) -> String {
        kind::agent_of(&self.key).map_or_else(|| self.store_agent.clone(), |(id, _)| id.to_lowercase())
    }

    /// Model and, where it can be told, provider.
    pub fn model(&self, defaults: &ModelDefaults) -> (String, Option<String>) {
        let e = &self.entry;
        let named = e.model_override.as_deref().or(e.model.as_deref());
        let full = named.unwrap_or_else(|| defaults.of_key(&self.key));
        let (prefix, model) = match full.split_once('/') {
            Some((provider, model)) => (Some(provider), model),
            None => (None, full),
        };
        let provider = e.provider_override.as_deref().or(e.model_provider.as_deref()).or(prefix);
        let provider = provider.or((model == DEFAULT_MODEL || named.is_none()).then_some(DEFAULT_PROVIDER));
        (model.to_owned(), provider.map(str::to_owned))
    }

    /// Context window in tokens. 0 is kept: it means that the row says so.
    pub fn context(&self, defaults: &ModelDefaults) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "a token count far below 2^53")]
        let configured = defaults.context_tokens.map(|c| c as f64);
        self.entry.context_tokens.or(configured).unwrap_or(DEFAULT_CONTEXT)
    }

    /// Total tokens, if a number that can be one.
    pub fn total(&self) -> Option<f64> {
        self.entry.total_tokens.filter(|t| *t >= 0.0)
    }

    /// Whether that total is up to date.
    pub fn fresh(&self) -> bool {
        self.total().is_some() && self.entry.total_tokens_fresh != Some(false)
    }

    /// Age in ms, never negative; `None` without a time that can be believed.
    pub fn age(&self, now: Ms) -> Option<Ms> {
        self.updated.ms().filter(|at| *at != 0).map(|at| (now - at).max(0))
    }

    /// The time is in the future, in seconds, or no time at all.
    pub fn suspect(&self, now: Ms) -> bool {
        self.updated == TimeField::Suspect || self.updated.ms().is_some_and(|at| at > now)
    }

    /// Flags in the gateway's order, unescaped.
    pub fn flags(&self) -> String {
        let e = &self.entry;
        let mut flags: Vec<String> = [
            ("think", &e.thinking_level),
            ("verbose", &e.verbose_level),
            ("trace", &e.trace_level),
            ("reasoning", &e.reasoning_level),
            ("elev", &e.elevated_level),
            ("usage", &e.response_usage),
            ("activation", &e.group_activation),
        ]
        .into_iter()
        .filter_map(|(name, value)| value.as_ref().map(|v| format!("{name}:{v}")))
        .collect();
        for (on, word) in [(e.system_sent, "system"), (e.aborted_last_run, "aborted"), (Some(self.odd), "odd")] {
            if on == Some(true) {
                flags.push(word.to_owned());
            }
        }
        flags.extend(self.session_id.as_ref().map(|id| format!("id:{id}")));
        flags.join(" ")
    }
}
