//! Grammars of flag values: the gateway's own (see [`crate::units`]), with `0`, `off` and `false` for "no limit".
//!
//! A bare number in a duration means what it means under the configuration key that the flag stands for. Flags of
//! ours without such a key take no bare number (except `0`), because `--grace 10` could be seconds or minutes.

use crate::model::Ms;
use crate::model::policy::MaxRemove;
use crate::model::sourced::Limit;
use crate::units::duration::BareUnit;
use crate::units::{bytes, duration};

const DURATION_FORM: &str = "use a number with ms, s, m, h or d, such as 30d or 1d12h; 0, off or false for no limit";
const SIZE_FORM: &str = "use a number with b, kb, mb, gb or tb (powers of 1024), such as 500mb or 1.5gb";

/// A size in bytes and a share of a volume are both ways to say how much must stay free.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeepFree {
    /// This many bytes.
    Bytes(u64),
    /// This share of the volume, 1 to 99 percent.
    Percent(u64),
}

fn says_off(text: &str) -> bool {
    matches!(text.trim().to_ascii_lowercase().as_str(), "off" | "false")
}

/// A retention under a key whose bare numbers are days.
pub fn retention_days(text: &str) -> Result<Limit<Ms>, String> {
    retention(text, BareUnit::Days)
}

/// A retention under a key whose bare numbers are hours.
pub fn retention_hours(text: &str) -> Result<Limit<Ms>, String> {
    retention(text, BareUnit::Hours)
}

fn retention(text: &str, bare: BareUnit) -> Result<Limit<Ms>, String> {
    if says_off(text) {
        return Ok(Limit::Off);
    }
    match duration::parse(text, bare) {
        Some(0) => Ok(Limit::Off),
        Some(ms) => Ok(Limit::At(ms)),
        None => Err(DURATION_FORM.to_owned()),
    }
}

/// A span of time with a unit; `0`, `off` and `false` are no time at all.
pub fn span(text: &str) -> Result<Ms, String> {
    if says_off(text) {
        return Ok(0);
    }
    match duration::parse(text, BareUnit::Millis) {
        Some(0) => Ok(0),
        Some(_) if text.trim().bytes().all(|b| b.is_ascii_digit() || b == b'.') => {
            Err(format!("a bare number has no unit; {DURATION_FORM}"))
        }
        Some(ms) => Ok(ms),
        None => Err(DURATION_FORM.to_owned()),
    }
}

/// A moment: an ISO time, a date (its last millisecond in UTC), or how long before `now`.
pub fn moment(text: &str, now: Ms) -> Result<Ms, String> {
    let text = text.trim();
    let iso = crate::units::time::parse_iso(text);
    let day = || crate::units::time::parse_iso(&format!("{text}T23:59:59.999Z"));
    let ago = || span(text).ok().filter(|ms| *ms > 0).map(|ms| now - ms);
    iso.or_else(day).or_else(ago).ok_or_else(|| {
        "use a time such as 2026-05-01T08:00:00Z, a date such as 2026-05-01, or how long ago, such as 3d".to_owned()
    })
}

/// A size in bytes.
pub fn size(text: &str) -> Result<u64, String> {
    bytes::parse_typed(text).ok_or_else(|| SIZE_FORM.to_owned())
}

/// A size that may be switched off.
pub fn size_limit(text: &str) -> Result<Limit<u64>, String> {
    if says_off(text) {
        return Ok(Limit::Off);
    }
    match bytes::parse(text) {
        Some(0) => Ok(Limit::Off),
        Some(n) => Ok(Limit::At(n)),
        None => Err(format!("{SIZE_FORM}; 0, off or false for no limit")),
    }
}

/// A number of entries that may be switched off.
pub fn count_limit(text: &str) -> Result<Limit<u64>, String> {
    if says_off(text) {
        return Ok(Limit::Off);
    }
    match digits(text) {
        Some(0) => Ok(Limit::Off),
        Some(n) => Ok(Limit::At(n)),
        None => Err("use a whole number; 0, off or false for no limit".to_owned()),
    }
}

/// `N` sessions or `P%` of them; may be switched off.
pub fn max_remove(text: &str) -> Result<Limit<MaxRemove>, String> {
    if let Some(percent) = text.trim().strip_suffix('%') {
        return match digits(percent) {
            Some(0) => Ok(Limit::Off),
            Some(p) if p <= 100 => Ok(Limit::At(MaxRemove::Percent(p))),
            _ => Err("a share is 1% to 100%".to_owned()),
        };
    }
    match count_limit(text) {
        Ok(Limit::Off) => Ok(Limit::Off),
        Ok(Limit::At(n)) => Ok(Limit::At(MaxRemove::Count(n))),
        Err(_) => {
            Err("use a number of sessions, such as 100, or a share of them, such as 20%; 0 for no limit".to_owned())
        }
    }
}

/// A pattern that can match something.
pub fn pattern(text: &str) -> Result<String, String> {
    if text.trim().is_empty() {
        return Err("an empty pattern matches no key; use for example \"agent:main:webchat:*\"".to_owned());
    }
    Ok(text.to_owned())
}

/// How much of a volume is to stay free: a size, or `P%` of it.
pub fn keep_free(text: &str) -> Result<KeepFree, String> {
    if let Some(percent) = text.trim().strip_suffix('%') {
        return match digits(percent) {
            Some(p @ 1..=99) => Ok(KeepFree::Percent(p)),
            _ => Err("a share of the volume is 1% to 99%".to_owned()),
        };
    }
    bytes::parse_typed(text)
        .map(KeepFree::Bytes)
        .ok_or_else(|| format!("{SIZE_FORM}, or a share of the volume such as 10%"))
}

/// `--limit`: a positive whole number, or `all` in any case.
pub fn row_limit(text: &str) -> Result<Limit<u64>, String> {
    let text = text.trim();
    if text.eq_ignore_ascii_case("all") {
        return Ok(Limit::Off);
    }
    match digits(text) {
        Some(n) if n > 0 => Ok(Limit::At(n)),
        _ => Err("it must be a positive whole number or \"all\", for example --limit 25".to_owned()),
    }
}

/// `--active`: minutes. Leading digits count and what follows is ignored, as in the gateway (`90m` is 90).
pub fn active_minutes(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    match digits(&text[..end]) {
        Some(n) if n > 0 => Ok(n),
        _ => Err("it must be a positive number of minutes, for example --active 30".to_owned()),
    }
}

/// Digits only; more than fit saturate, which for a limit is the same as what was meant.
fn digits(text: &str) -> Option<u64> {
    let text = text.trim();
    let all = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    all.then(|| text.parse().unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{DAY, HOUR, MINUTE, SECOND};

    #[test]
    fn zero_off_and_false_switch_every_limit_off() {
        for text in ["0", "off", "false", "OFF", " False "] {
            assert_eq!(retention_days(text), Ok(Limit::Off), "{text}");
            assert_eq!(size_limit(text), Ok(Limit::Off), "{text}");
            assert_eq!(count_limit(text), Ok(Limit::Off), "{text}");
            assert_eq!(max_remove(text), Ok(Limit::Off), "{text}");
            assert_eq!(span(text), Ok(0), "{text}");
        }
        assert_eq!(retention_days("0d"), Ok(Limit::Off));
        assert_eq!(size_limit("0mb"), Ok(Limit::Off));
        assert_eq!(max_remove("0%"), Ok(Limit::Off));
    }

    #[test]
    fn bare_numbers_have_the_unit_of_the_key_and_none_where_there_is_no_key() {
        assert_eq!(retention_days("30"), Ok(Limit::At(30 * DAY)));
        assert_eq!(retention_hours("24"), Ok(Limit::At(24 * HOUR)));
        assert_eq!(span("1m30s"), Ok(MINUTE + 30 * SECOND));
        assert!(span("10").is_err());
    }

    #[test]
    fn moments_are_times_dates_or_spans_before_now() {
        let now = 1_777_622_400_000;
        assert_eq!(moment("2026-05-01T08:00:00Z", 0), Ok(now));
        assert_eq!(moment("2026-04-30", 0), Ok(now - 8 * HOUR - 1));
        assert_eq!(moment("3d", now), Ok(now - 3 * DAY));
        for text in ["", "yesterday", "0", "3", "2026-13-01"] {
            assert!(moment(text, now).is_err(), "{text}");
        }
    }

    #[test]
    fn nonsense_is_refused_and_never_a_limit() {
        for text in ["", "-1", "1 week", "forever", "1e3", "nan"] {
            assert!(retention_days(text).is_err(), "{text}");
            assert!(size_limit(text).is_err(), "{text}");
            assert!(count_limit(text).is_err(), "{text}");
            assert!(max_remove(text).is_err(), "{text}");
            assert!(keep_free(text).is_err(), "{text}");
        }
        assert!(max_remove("101%").is_err());
        assert!(keep_free("0%").is_err());
        assert!(keep_free("100%").is_err());
    }

    #[test]
    fn list_values_are_as_lenient_as_the_gateway_and_no_more() {
        assert_eq!(active_minutes("90000abc"), Ok(90_000));
        assert_eq!(active_minutes("1.5"), Ok(1));
        for text in ["abc", "0", "-5", "", "0.9"] {
            assert!(active_minutes(text).is_err(), "{text}");
        }
        assert_eq!(row_limit("ALL"), Ok(Limit::Off));
        assert_eq!(row_limit("25"), Ok(Limit::At(25)));
        for text in ["0", "25abc", "-1", ""] {
            assert!(row_limit(text).is_err(), "{text}");
        }
    }
}
