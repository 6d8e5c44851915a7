//! Transcripts with every damage of spec/transcripts.md 1.7.

use super::*;
use FindingId as F;

const HEADER: &str = "{\"type\":\"session\",\"version\":3,\"id\":\"s\"}\n";

fn entry(id: &str, parent: &str) -> String {
    format!("{{\"type\":\"message\",\"id\":\"{id}\",\"parentId\":{parent},\"message\":{{\"role\":\"user\"}}}}\n")
}

fn good() -> String {
    format!("{HEADER}{}{}", entry("a", "null"), entry("b", "\"a\""))
}

fn read(text: impl AsRef<[u8]>) -> Reading {
    whole(&mut text.as_ref(), text.as_ref(), u64::MAX, &|_| true).unwrap()
}

fn found(text: impl AsRef<[u8]>) -> Vec<(FindingId, Option<u64>, u64)> {
    read(text).spots.into_iter().map(|s| (s.id, s.line, s.count)).collect()
}

#[test]
fn a_sound_transcript_has_no_spot() {
    let reading = read(good());
    assert!(reading.spots.is_empty() && reading.whole, "{reading:?}");
    assert_eq!((reading.lines, reading.entries, reading.size), (3, 2, good().len() as u64));
    assert!(found(good().replace('\n', "\r\n")).is_empty(), "CRLF is fine");
    assert!(found(HEADER).is_empty(), "a header alone is a new session");
}

#[test]
fn ends_of_files() {
    let text = good();
    assert_eq!(found(&text[..text.len() - 1]), [(F::NoFinalNewline, Some(3), 1)]);
    assert_eq!(found(&text[..text.len() - 20]), [(F::TornTail, Some(3), 1)]);
    let spot = read(format!("{text}{}", "\0".repeat(140_000))).spots.remove(0);
    assert_eq!((spot.id, spot.line, spot.bytes, spot.offset), (F::NulRun, Some(4), 140_000, text.len() as u64));
}

#[test]
fn headers() {
    assert_eq!(found(""), [(F::EmptyTranscript, None, 1)]);
    assert_eq!(found("\n \n"), [(F::BlankLines, Some(1), 2), (F::DamagedHeader, Some(1), 1)]);
    assert_eq!(found(&good()[20..]), [(F::BadLine, Some(1), 1), (F::DamagedHeader, Some(2), 1)]);
    assert_eq!(found(entry("a", "null")), [(F::DamagedHeader, Some(1), 1)]);
    assert_eq!(found("{\"type\":\"session\",\"id\":7}\n"), [(F::DamagedHeader, Some(1), 1)]);
    assert_eq!(found(format!("\u{feff}{}", good())), [(F::TranscriptBom, Some(1), 1)]);
}

#[test]
fn lines_between_good_ones_keep_their_physical_numbers() {
    let text = format!("{}\n\nundefined\nnull\n5\n[]\n{{}}\n{}", good(), entry("c", "\"b\""));
    assert_eq!(
        found(&text),
        [
            (F::BlankLines, Some(4), 2),
            (F::BadLine, Some(6), 1),
            (F::NullLine, Some(7), 1),
            (F::NonObjectLine, Some(8), 2),
            (F::EntryWithoutId, Some(10), 1)
        ]
    );
    assert_eq!(read(&text).spot(F::NonObjectLine).unwrap().lines, [8, 9]);
}

#[test]
fn nuls_and_glue_in_the_middle() {
    let record = entry("c", "\"b\"");
    let nul = format!("{}{}{record}", good(), "\0".repeat(9000));
    let spot = read(nul).spots.remove(0);
    assert_eq!((spot.id, spot.bytes, spot.detail.as_deref()), (F::NulRun, 9000, Some("a whole record beside it")));
    let glued = format!("{}{}{record}", good(), &record[..50]);
    assert_eq!(found(glued), [(F::GluedRecords, Some(4), 1)]);
    let both = format!("{}{}{record}", good(), record.trim_end());
    assert_eq!(read(both).spots[0].detail.as_deref(), Some("2 whole records"));
}

#[test]
fn what_shares_a_line_too_long_to_keep_is_found_as_on_a_short_one() {
    let image = "A".repeat(LONG);
    for data in ["", &image] {
        let record =
            format!("{},\"data\":\"{data}\"}}", entry("c", "\"b\"").trim_end().trim_end_matches('}').to_owned() + "}");
        let next = entry("d", "\"c\"");
        let details = |line: String| {
            let spots = read(format!("{}{line}\n{next}", good())).spots;
            spots.into_iter().map(|s| (s.id, s.line, s.detail.unwrap_or_default())).next().unwrap()
        };
        let glued = |what: &str| (F::GluedRecords, Some(4), what.to_owned());
        assert_eq!(details(format!("{record}{record}")), glued("2 whole records"));
        assert_eq!(details(format!("{}{record}", &record[..40])), glued("1 whole record and a fragment"));
        assert_eq!(details(format!("{record}{}", &record[..40])), glued("1 whole record and a fragment"));
        let nul = |what: &str| (F::NulRun, Some(4), what.to_owned());
        let zero = "\0".repeat(9000);
        assert_eq!(details(format!("{zero}{record}")), nul("a whole record beside it"));
        assert_eq!(details(format!("{record}{zero}")), nul("a whole record beside it"));
        assert_eq!(details(format!("{zero}{}", &record[..40])), nul(""));
        assert_eq!(details(format!("{}{zero}", &record[..record.len() - 1])), nul(""));
    }
}

#[test]
fn text_that_providers_refuse() {
    let mut bytes = good().into_bytes();
    bytes.extend(br#"{"type":"message","id":"c","parentId":"b","message":{"role":"user","content":"\ud83e"}}"#);
    bytes.push(b'\n');
    bytes
        .extend(b"{\"type\":\"message\",\"id\":\"d\",\"parentId\":\"c\",\"message\":{\"role\":\"user\",\"content\":\"\xed\xa0\xbd\"}}\n");
    assert_eq!(found(bytes), [(F::BadUnicode, Some(4), 2)]);
}

#[test]
fn a_line_too_long_to_keep_is_still_read() {
    let image = "A".repeat(3 * LONG);
    let long = format!(
        "{{\"type\":\"message\",\"message\":{{\"role\":\"user\"}},\"data\":\"{image}\",\"id\":\"c\",\"parentId\":\"b\"}}\n"
    );
    let next = entry("d", "\"c\"");
    assert!(found(format!("{}{long}{next}", good())).is_empty(), "its id is known");
    let torn = format!("{}{}", good(), &long[..2 * LONG]);
    assert_eq!(found(torn), [(F::TornTail, Some(4), 1)]);
    let orphaned = format!("{}{}{next}", good(), long.replace("\"c\"", "\"x\""));
    assert_eq!(found(orphaned), [(F::DanglingParent, Some(5), 1)]);
}

#[test]
fn entries_of_the_first_version_have_no_tree() {
    let text = format!("{{\"type\":\"session\",\"id\":\"s\"}}\n{}{}", entry("a", "\"x\""), entry("a", "\"a\""));
    assert!(found(text).is_empty());
}

#[test]
fn a_reading_that_is_stopped_judges_nothing_it_did_not_see() {
    let text = format!("{}{}", good(), entry("c", "\"gone\"").repeat(4000));
    let reading = whole(&mut text.as_bytes(), text.as_bytes(), u64::MAX, &|_| false).unwrap();
    assert!(!reading.whole && reading.spots.is_empty());
}

#[test]
fn the_ends_of_a_large_file_tell_about_header_and_tail() {
    let filler = entry("f", "\"gone\"").repeat(5000);
    let text = format!("{}{filler}", good());
    let look = |text: &str| {
        let bytes = text.as_bytes();
        let reading = ends(&bytes[..WINDOW], &bytes[bytes.len() - WINDOW..], bytes.len() as u64);
        assert!(!reading.whole);
        reading.spots.into_iter().map(|s| (s.id, s.line)).collect::<Vec<_>>()
    };
    assert!(look(&text).is_empty(), "parents are not followed");
    assert_eq!(look(&text[..text.len() - 9]), [(F::TornTail, None)]);
    assert_eq!(look(&text[10..]), [(F::BadLine, Some(1)), (F::DamagedHeader, Some(2))]);
    let cwd = "d".repeat(2 * WINDOW);
    let wide = format!("{{\"type\":\"session\",\"id\":\"s\",\"cwd\":\"{cwd}\"}}\n{filler}");
    assert!(look(&wide).is_empty(), "a header longer than what is read");
}
