//! Times as text: ISO 8601 in UTC, and the archive stamp in which `:` is `-`.

use jiff::Timestamp;

use crate::model::Ms;

/// `2026-05-01T08:00:00.000Z`. Times outside what a calendar can show come back as the plain number.
pub fn iso(ms: Ms) -> String {
    match Timestamp::from_millisecond(ms) {
        Ok(t) => t.strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string(),
        Err(_) => ms.to_string(),
    }
}

/// Bytes of an archive stamp.
pub const STAMP_LENGTH: usize = 24;

/// Archive stamp: `2026-05-01T08-00-00.000Z`.
pub fn stamp(ms: Ms) -> String {
    iso(ms).replace(':', "-")
}

/// Reads an archive stamp (`^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}(\.\d{3})?Z$`); `None` if it is not one, or not a
/// real date.
pub fn parse_stamp(text: &[u8]) -> Option<Ms> {
    const SHAPE: &[u8] = b"dddd-dd-ddTdd-dd-dd";
    if text.len() != 20 && text.len() != 24 {
        return None;
    }
    let shaped = text.iter().zip(SHAPE).all(|(c, s)| if *s == b'd' { c.is_ascii_digit() } else { c == s });
    let tail = &text[SHAPE.len()..];
    let tail_ok = match tail {
        b"Z" => true,
        [b'.', a, b, c, b'Z'] => [a, b, c].iter().all(|d| d.is_ascii_digit()),
        _ => false,
    };
    if !shaped || !tail_ok {
        return None;
    }
    let mut iso = text.to_vec();
    iso[13] = b':';
    iso[16] = b':';
    parse_iso(std::str::from_utf8(&iso).ok()?)
}

/// Reads an RFC 3339 time.
pub fn parse_iso(text: &str) -> Option<Ms> {
    text.parse::<Timestamp>().ok().map(Timestamp::as_millisecond)
}

/// Reads an RFC 3339 time from bytes. The form that the gateway writes (`2026-05-01T08:00:00.000Z`) is read without the
/// general parser: a transcript has a million of them.
pub fn iso_ms(text: &[u8]) -> Option<Ms> {
    common_iso(text).or_else(|| parse_iso(std::str::from_utf8(text).ok()?))
}

fn common_iso(text: &[u8]) -> Option<Ms> {
    let text: &[u8; 24] = text.try_into().ok()?;
    let marks = [(4, b'-'), (7, b'-'), (10, b'T'), (13, b':'), (16, b':'), (19, b'.'), (23, b'Z')];
    if !marks.iter().all(|(at, mark)| text[*at] == *mark) {
        return None;
    }
    let number = |from: usize, to: usize| {
        text[from..to].iter().try_fold(0i64, |n, c| c.is_ascii_digit().then(|| n * 10 + i64::from(c - b'0')))
    };
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let (hour, minute, second, ms) = (number(11, 13)?, number(14, 16)?, number(17, 19)?, number(20, 23)?);
    // Which years have a 29th of February is left to the general parser.
    let days = match month {
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    if !(1..=days).contains(&day) || hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    // Days since 1970-03-01 in the calendar whose year begins in March, so that the leap day comes last.
    let (y, m) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let (era, of_era) = (y.div_euclid(400), y.rem_euclid(400));
    let of_year = (153 * m + 2) / 5 + day - 1;
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
    Some((((days * 24 + hour) * 60 + minute) * 60 + second) * 1000 + ms)
}

/// How long ago, for people: `just now`, `5m ago`, `24h ago`, `3d ago`. A time in the future is `in the future`.
pub fn ago(now: Ms, then: Ms) -> String {
    let age = now - then;
    if age < 0 {
        return "in the future".to_owned();
    }
    let minutes = (age + 30_000) / 60_000;
    let hours = (minutes + 30) / 60;
    match (minutes, hours) {
        (0, _) => "just now".to_owned(),
        (m, _) if m < 60 => format!("{m}m ago"),
        (_, h) if h < 48 => format!("{h}h ago"),
        (_, h) => format!("{}d ago", (h + 12) / 24),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stamps_go_there_and_back() {
        let at = 1_777_622_400_123;
        assert_eq!(stamp(at), "2026-05-01T08-00-00.123Z");
        assert_eq!(parse_stamp(stamp(at).as_bytes()), Some(at));
        assert_eq!(parse_stamp(b"2026-05-01T08-00-00Z"), Some(1_777_622_400_000));
        for bad in
            [&b"by-hand"[..], b"2026-05-01T08:00:00.123Z", b"2026-13-01T08-00-00.123Z", b"2026-05-01T08-00-00.12Z"]
        {
            assert_eq!(parse_stamp(bad), None, "{}", String::from_utf8_lossy(bad));
        }
    }

    #[test]
    fn the_short_way_reads_what_the_general_parser_reads() {
        for year in [1999, 2000, 2024, 2025, 2100] {
            for (month, day) in (0..=13).flat_map(|month| (0..=32).map(move |day| (month, day))) {
                let text = format!("{year}-{month:02}-{day:02}T23:59:58.987Z");
                assert_eq!(iso_ms(text.as_bytes()), parse_iso(&text), "{text}");
            }
        }
        assert_eq!(common_iso(b"2026-11-30T00:00:00.001Z"), parse_iso("2026-11-30T00:00:00.001Z"));
    }

    #[test]
    fn ages_round_as_people_expect() {
        let now = 10_000_000_000_000;
        for (age, text) in [
            (0, "just now"),
            (5 * 60_000, "5m ago"),
            (24 * 3_600_000, "24h ago"),
            (48 * 3_600_000, "2d ago"),
            (-1, "in the future"),
        ] {
            assert_eq!(ago(now, now - age), text);
        }
    }
}
