//! Which session a transcript name belongs to (spec/transcripts.md 3.3).
//!
//! All matchers work on bytes: names may be anything but UTF-8.

/// Marks the topic in `<id>-topic-<t>.jsonl`.
pub const TOPIC: &[u8] = b"-topic-";

/// Whether `id` can be a session id: `^[a-z0-9][a-z0-9._-]{0,127}$`, any letter case.
pub fn is_session_id(id: &[u8]) -> bool {
    let tail = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-');
    id.len() <= 128 && id.first().is_some_and(u8::is_ascii_alphanumeric) && id.iter().all(tail)
}

/// Whether these are 36 bytes of a UUID of one of `versions`, RFC variant, any letter case.
pub fn is_uuid(text: &[u8], versions: std::ops::RangeInclusive<u8>) -> bool {
    text.len() == 36
        && text.iter().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => *byte == b'-',
            14 => versions.contains(byte),
            19 => matches!(byte.to_ascii_lowercase(), b'8' | b'9' | b'a' | b'b'),
            _ => byte.is_ascii_hexdigit(),
        })
}

/// A name that the gateway made: the id in `<uuid>.jsonl`, `<uuid>-topic-<t>.jsonl` or `<time>_<uuid>.jsonl` (versions 1
/// to 8). `name` may lack its `.jsonl`.
pub fn generated_id(name: &[u8]) -> Option<&[u8]> {
    let stem = name.strip_suffix(b".jsonl").unwrap_or(name);
    let id = match topics(stem).next() {
        Some(at) => &stem[..at],
        None => fork_ids(stem).last().unwrap_or(stem),
    };
    is_uuid(id, b'1'..=b'8').then_some(id)
}

/// Positions of `-topic-`. Names are short: looking costs less than preparing a search.
fn topics(stem: &[u8]) -> impl Iterator<Item = usize> {
    stem.windows(TOPIC.len()).enumerate().filter(|(_, window)| *window == TOPIC).map(|(at, _)| at)
}

/// Every id that a stem can be the transcript of: itself, what comes before a `-topic-`, what comes after the time of a
/// fork name. More than one only if an id holds one of these marks itself; all are given, since ownership is generous.
pub fn ids(stem: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::once(stem)
        .chain(fork_ids(stem))
        .flat_map(|id| std::iter::once(id).chain(topics(id).filter(|at| *at > 0).map(move |at| &id[..at])))
}

/// What follows the time in `<time>_<id>`: `^(\d{4}-\d{2}-\d{2}T[\w-]+(?:Z|[+-]\d{2}(?:-\d{2})?)?)_(.+)$`, for every
/// underscore that can be the one in the middle, first to last.
pub fn fork_ids(stem: &[u8]) -> impl Iterator<Item = &[u8]> {
    const DATE: &[u8] = b"dddd-dd-ddT";
    let dated = stem.len() > DATE.len()
        && stem.iter().zip(DATE).all(|(c, shape)| if *shape == b'd' { c.is_ascii_digit() } else { c == shape });
    let from = if dated { DATE.len() } else { stem.len() };
    memchr::memchr_iter(b'_', &stem[from..])
        .map(move |at| from + at)
        .filter(move |at| is_time_of_day(&stem[from..*at]) && at + 1 < stem.len())
        .map(move |at| &stem[at + 1..])
}

/// `[\w-]+`, and a `+hh` or `+hh-mm` at its end.
fn is_time_of_day(text: &[u8]) -> bool {
    let word =
        |part: &[u8]| !part.is_empty() && part.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'));
    match memchr::memchr(b'+', text) {
        None => word(text),
        Some(at) => word(&text[..at]) && is_offset(&text[at + 1..]),
    }
}

fn is_offset(text: &[u8]) -> bool {
    match text {
        [a, b] => a.is_ascii_digit() && b.is_ascii_digit(),
        [a, b, b'-', c, d] => [a, b, c, d].iter().all(|digit| digit.is_ascii_digit()),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "0b3f2a10-1c2d-4e5f-8a9b-0c1d2e3f4a5b";

    fn generated(name: &str) -> Option<&str> {
        generated_id(name.as_bytes()).map(|id| std::str::from_utf8(id).unwrap())
    }

    #[test]
    fn generated_names() {
        let upper = ID.to_uppercase();
        for name in [
            format!("{ID}.jsonl"),
            ID.to_owned(),
            format!("{ID}-topic-5.jsonl"),
            format!("{ID}-topic-a%3Ab-topic-c.jsonl"),
            format!("2026-05-01T08-00-00-000Z_{ID}.jsonl"),
            format!("2026-05-01T08-00-00+02-00_{ID}.jsonl"),
            format!("2026-05-01T08_00_{ID}.jsonl"),
        ] {
            assert_eq!(generated(&name), Some(ID), "{name}");
        }
        assert_eq!(generated(&format!("{upper}.jsonl")), Some(upper.as_str()));
        for name in [
            "notes.jsonl",
            "",
            ".jsonl",
            "-topic-5.jsonl",
            "0b3f2a10-1c2d-0e5f-8a9b-0c1d2e3f4a5b.jsonl",
            "0b3f2a10-1c2d-9e5f-8a9b-0c1d2e3f4a5b.jsonl",
            "0b3f2a10-1c2d-4e5f-ca9b-0c1d2e3f4a5b.jsonl",
            "0b3f2a10-1c2d-4e5f-8a9b-0c1d2e3f4a5b2.jsonl",
            "0b3f2a10-1c2d-4e5f-8a9b-0c1d2e3f4a5b.txt",
            "xxxx-05-01T08-00-00-000Z_0b3f2a10-1c2d-4e5f-8a9b-0c1d2e3f4a5b.jsonl",
            "2026-05-01T_0b3f2a10-1c2d-4e5f-8a9b-0c1d2e3f4a5b.jsonl",
            "2026-05-01T08.00_0b3f2a10-1c2d-4e5f-8a9b-0c1d2e3f4a5b.jsonl",
        ] {
            assert_eq!(generated(name), None, "{name}");
        }
        assert_eq!(generated_id(b"\xff\xfe.jsonl"), None);
    }

    #[test]
    fn ids_of_a_stem() {
        let of =
            |stem: &str| ids(stem.as_bytes()).map(|id| String::from_utf8_lossy(id).into_owned()).collect::<Vec<_>>();
        assert_eq!(of("a"), ["a"]);
        assert_eq!(of("a-topic-5"), ["a-topic-5", "a"]);
        assert_eq!(of("a-topic-b-topic-c"), ["a-topic-b-topic-c", "a", "a-topic-b"]);
        assert_eq!(of("2026-05-01T08-00Z_a"), ["2026-05-01T08-00Z_a", "a"]);
        assert_eq!(of("2026-05-01T08-00Z_a_b"), ["2026-05-01T08-00Z_a_b", "a_b", "b"]);
        assert_eq!(of("2026-05-01T08-00Z_a-topic-5")[1..], ["2026-05-01T08-00Z_a", "a-topic-5", "a"]);
        assert_eq!(of("-topic-5"), ["-topic-5"]);
        assert_eq!(of(""), [""]);
    }

    #[test]
    fn session_ids() {
        for good in ["a", "0", "A.b_c-d", ID, &"a".repeat(128)] {
            assert!(is_session_id(good.as_bytes()), "{good}");
        }
        for bad in ["", ".a", "-a", "../a", "a/b", "a b", "ä", &"a".repeat(129)] {
            assert!(!is_session_id(bad.as_bytes()), "{bad}");
        }
    }
}
