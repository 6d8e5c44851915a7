//! Spans of time, short: `30d`, `1d 12h`, `10m`, `500ms`.

use crate::model::{DAY, HOUR, MINUTE, Ms, SECOND};

/// A span with its two largest units. Negative spans show as `0s`.
pub fn short(span: Ms) -> String {
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
    fn two_units_tell_enough() {
        for (ms, text) in [
            (30 * DAY, "30d"),
            (DAY + 12 * HOUR + 5 * MINUTE, "1d 12h"),
            (10 * MINUTE, "10m"),
            (500, "500ms"),
            (0, "0s"),
            (-5, "0s"),
        ] {
            assert_eq!(short(ms), text);
        }
    }
}
