//! Durations (spec/cleanup.md 3): `30d`, `1.5h`, `1d12h`; `1M` is one minute because everything is lower-cased.

use crate::model::{DAY, HOUR, MINUTE, Ms, SECOND};

/// Unit that a bare number has; differs by key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BareUnit {
    /// Days: `pruneAfter`, `resetArchiveRetention`.
    Days,
    /// Hours: `cron.sessionRetention`.
    Hours,
    /// Milliseconds.
    Millis,
}

impl BareUnit {
    fn factor(self) -> f64 {
        match self {
            Self::Days => 86_400_000.0,
            Self::Hours => 3_600_000.0,
            Self::Millis => 1.0,
        }
    }
}

/// Parses a duration as the gateway does: trimmed, lower-cased; one number with an optional unit (ms, s, m, h, d), or
/// several glued together, each with a unit. No spaces, no sign, no weeks or years. Rounded to whole ms.
pub fn parse(text: &str, bare: BareUnit) -> Option<Ms> {
    let text = text.trim().to_ascii_lowercase();
    if let Some(number) = plain_decimal(&text) {
        return round_half_up(number * bare.factor()).and_then(|v| Ms::try_from(v).ok());
    }
    let mut rest = text.as_str();
    let mut total = 0.0;
    while !rest.is_empty() {
        let number_end = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let value = plain_decimal(&rest[..number_end])?;
        rest = &rest[number_end..];
        let unit_end = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
        total += value
            * match &rest[..unit_end] {
                "ms" => 1.0,
                "s" => 1000.0,
                "m" => 60_000.0,
                "h" => 3_600_000.0,
                "d" => 86_400_000.0,
                _ => return None,
            };
        rest = &rest[unit_end..];
    }
    if text.is_empty() { None } else { round_half_up(total).and_then(|v| Ms::try_from(v).ok()) }
}

/// `\d+(\.\d+)?` and nothing else.
pub(super) fn plain_decimal(text: &str) -> Option<f64> {
    let (whole, fraction) = match text.split_once('.') {
        Some((w, f)) => (w, Some(f)),
        None => (text, None),
    };
    let digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    (digits(whole) && fraction.is_none_or(digits)).then(|| text.parse().ok()).flatten()
}

/// JavaScript's `Math.round` for non-negative values; `None` beyond 2^53.
pub(super) fn round_half_up(value: f64) -> Option<u64> {
    let rounded = (value + 0.5).floor();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "range checked just before")]
    (rounded.is_finite() && (0.0..=9_007_199_254_740_992.0).contains(&rounded)).then_some(rounded as u64)
}

/// A span for people with its two largest units: `30d`, `1d 12h`, `10m`, `500ms`. Display only; negative spans show as
/// `0s`.
pub fn human(span: Ms) -> String {
    if span > 0 && span < SECOND {
        return format!("{span}ms");
    }
    let mut rest = span.max(0);
    let mut parts = Vec::new();
    for (unit, name) in [(DAY, 'd'), (HOUR, 'h'), (MINUTE, 'm'), (SECOND, 's')] {
        let n = rest / unit;
        rest %= unit;
        if n > 0 {
            parts.push(format!("{n}{name}"));
        }
    }
    parts.truncate(2);
    if parts.is_empty() { "0s".to_owned() } else { parts.join(" ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grammar_is_the_gateways() {
        use BareUnit::{Days, Hours, Millis};
        for (text, bare, ms) in [
            ("30d", Days, 2_592_000_000),
            ("30", Days, 2_592_000_000),
            ("24", Hours, 86_400_000),
            ("5", Millis, 5),
            ("1D12H30m", Days, 131_400_000),
            ("1.5h", Days, 5_400_000),
            ("1M", Days, 60_000),
            ("0h", Days, 0),
            ("0.4ms", Days, 0),
            ("0.5ms", Days, 1),
        ] {
            assert_eq!(parse(text, bare), Some(ms), "{text}");
        }
        for text in ["", "1 week", "-1d", "1w", "1y", "1Y", "1d 2h", "30 days", "forever", "1e3d", "1d2", "d", "1.d"] {
            assert_eq!(parse(text, Days), None, "{text}");
        }
    }

    #[test]
    fn spans_for_people_have_two_parts_at_most() {
        assert_eq!(human(90_061_000), "1d 1h");
        assert_eq!(human(-5), "0s");
    }
}
