//! The limits in force, with their origins, for the head of a report and for JSON.

use std::borrow::Cow;

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::{escape, span};
use crate::model::Ms;
use crate::model::policy::{MaxRemove, Policy};
use crate::model::sourced::{Limit, Origin, Sourced};
use crate::units::bytes;

/// A limit as a value of its unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value {
    /// No limit.
    Off,
    /// A span.
    Span(Ms),
    /// A size.
    Bytes(u64),
    /// A number of entries.
    Count(u64),
    /// A share in percent.
    Percent(u64),
}

impl Value {
    /// For people; also understood by the flag that sets it.
    pub fn text(self) -> String {
        match self {
            Self::Off => "off".to_owned(),
            Self::Span(ms) => span::short(ms),
            Self::Bytes(n) => bytes::human(n),
            Self::Count(n) => n.to_string(),
            Self::Percent(n) => format!("{n}%"),
        }
    }

    /// As the flag takes it: exact, without spaces.
    fn argument(self) -> String {
        match self {
            Self::Span(ms) => exact_span(ms),
            Self::Bytes(n) => n.to_string(),
            other => other.text(),
        }
    }
}

/// The largest unit that gives a whole number.
fn exact_span(ms: Ms) -> String {
    [(crate::model::DAY, "d"), (crate::model::HOUR, "h"), (crate::model::MINUTE, "m"), (crate::model::SECOND, "s")]
        .into_iter()
        .find(|(unit, _)| ms % unit == 0)
        .map_or_else(|| format!("{ms}ms"), |(unit, name)| format!("{}{name}", ms / unit))
}

/// One limit of a policy.
#[derive(Debug, Clone)]
pub struct Setting<'a> {
    /// Name in JSON.
    pub name: &'static str,
    /// Word for people.
    pub label: &'static str,
    /// Dotted key.
    pub key: &'static str,
    /// Its value.
    pub value: Value,
    /// Where it was found.
    pub origin: &'a Origin,
}

impl Setting<'_> {
    /// `--max-entries 77`, if a flag set it.
    pub fn flag(&self) -> Option<String> {
        match self.origin {
            Origin::Flag { name } => Some(format!("{name} {}", self.value.argument())),
            _ => None,
        }
    }
}

/// Every limit of a policy, in the order in which they are applied.
pub fn settings(policy: &Policy) -> Vec<Setting<'_>> {
    fn ms(s: &Sourced<Limit<Ms>>) -> Value {
        s.value.at().map_or(Value::Off, Value::Span)
    }
    fn size(s: &Sourced<Limit<u64>>) -> Value {
        s.value.at().map_or(Value::Off, Value::Bytes)
    }
    fn of<'a, T>(name: &'static str, label: &'static str, s: &'a Sourced<T>, value: Value) -> Setting<'a> {
        Setting { name, label, key: s.key, value, origin: &s.origin }
    }
    let p = policy;
    let entries = p.max_entries.value.at().map_or(Value::Off, Value::Count);
    let mut all = vec![
        of("pruneAfter", "age", &p.prune_after, ms(&p.prune_after)),
        of("maxEntries", "rows", &p.max_entries, entries),
        of("maxDiskBytes", "disk budget", &p.max_disk, size(&p.max_disk)),
        of("highWaterBytes", "high-water mark", &p.high_water, size(&p.high_water)),
        of("deletedRetention", ".deleted archives", &p.deleted_retention, ms(&p.deleted_retention)),
        of("resetRetention", ".reset archives", &p.reset_retention, ms(&p.reset_retention)),
        of("cronRetention", "cron runs", &p.cron_retention, ms(&p.cron_retention)),
        of("grace", "grace", &p.grace, if p.grace.value > 0 { Value::Span(p.grace.value) } else { Value::Off }),
    ];
    if let Some(max) = &p.max_remove {
        let value = match max.value {
            MaxRemove::Count(n) => Value::Count(n),
            MaxRemove::Percent(n) => Value::Percent(n),
        };
        all.push(of("maxRemove", "at most", max, value));
    }
    all
}

/// Limits on one line: `age 30d, rows 77 (--max-entries), disk budget off`. Defaults go without their origin.
pub fn line(policy: &Policy) -> String {
    let shown = settings(policy);
    let no_budget = policy.max_disk.value == Limit::Off;
    shown
        .iter()
        .filter(|s| !(no_budget && s.name == "highWaterBytes"))
        .map(|s| match s.origin {
            Origin::Default => format!("{} {}", s.label, s.value.text()),
            origin => format!("{} {} ({})", s.label, s.value.text(), origin_short(origin)),
        })
        .collect::<Vec<_>>()
        .join(", ")
}

/// An origin in a word or two: files by their name alone.
pub fn origin_short(origin: &Origin) -> Cow<'static, str> {
    match origin {
        Origin::Default => Cow::Borrowed("default"),
        Origin::Config { path } | Origin::Own { path } => {
            Cow::Owned(path.file_name().map_or_else(|| escape::path(path), escape::name))
        }
        Origin::Env { name } => Cow::Owned(format!("${}", escape::line(name))),
        Origin::Flag { name } => Cow::Owned(escape::line(name).into_owned()),
    }
}

/// An origin in full, for JSON: `default`, a path, `$NAME` or `--flag`.
pub fn origin_full(origin: &Origin) -> String {
    match origin {
        Origin::Default => "default".to_owned(),
        Origin::Config { path } | Origin::Own { path } => path.to_string_lossy().into_owned(),
        Origin::Env { name } => format!("${name}"),
        Origin::Flag { name } => name.clone(),
    }
}

/// JSON echo of a policy: `{"pruneAfter": {"value": 2592000000, "key": .., "origin": ..}, ..}`; off is `null`.
#[derive(Debug)]
pub struct Echo<'a>(pub &'a Policy);

impl Serialize for Echo<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let p = self.0;
        let mut map = serializer.serialize_map(None)?;
        for s in settings(p) {
            map.serialize_entry(s.name, &SettingJson(&s))?;
        }
        if let Some(dir) = &p.archive_to {
            map.serialize_entry("archiveTo", &dir.value.to_string_lossy())?;
        }
        map.serialize_entry("fixMissing", &p.fix_missing)?;
        map.serialize_entry("fixDmScope", &p.fix_dm_scope)?;
        map.serialize_entry("filesOnly", &p.files_only)?;
        map.serialize_entry("activeKeys", &p.active_keys)?;
        map.serialize_entry("keep", &p.keep.iter().map(|k| &k.value).collect::<Vec<_>>())?;
        map.serialize_entry("mainKey", &p.main_key)?;
        map.end()
    }
}

struct SettingJson<'a, 'b>(&'a Setting<'b>);

impl Serialize for SettingJson<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let s = self.0;
        let mut map = serializer.serialize_map(Some(3))?;
        match s.value {
            Value::Off => map.serialize_entry("value", &())?,
            Value::Span(ms) => map.serialize_entry("value", &ms)?,
            Value::Bytes(n) | Value::Count(n) => map.serialize_entry("value", &n)?,
            Value::Percent(n) => map.serialize_entry("value", &format!("{n}%"))?,
        }
        map.serialize_entry("key", s.key)?;
        map.serialize_entry("origin", &origin_full(s.origin))?;
        map.end()
    }
}
