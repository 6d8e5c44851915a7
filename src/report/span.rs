//! Spans of time, short: `30d`, `1d 12h`, `10m`, `500ms`.

use crate::model::Ms;
use crate::units::duration;

/// A span with its two largest units. Negative spans show as `0s`.
pub fn short(span: Ms) -> String {
    duration::human(span)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{DAY, HOUR, MINUTE};

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
