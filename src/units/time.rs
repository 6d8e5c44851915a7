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
