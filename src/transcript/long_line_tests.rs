//! The machine against the lexer: the same text, cut into pieces of any size.

use proptest::prelude::*;

use super::*;
use crate::transcript::record;

fn read(text: &[u8], piece: usize) -> Ended {
    slimmed(text, piece).0
}

fn slimmed(text: &[u8], piece: usize) -> (Ended, Slim) {
    let mut long = LongLine::default();
    text.chunks(piece.max(1)).for_each(|piece| long.feed(piece));
    long.end()
}

/// The same verdict, whatever the place of a fault.
fn same(text: &[u8], piece: usize) {
    let (long, short) = (read(text, piece).line, record::line(text));
    let alike = match (long, short) {
        (Line::Bad(_), Line::Bad(_)) => true,
        (a, b) => a == b,
    };
    assert!(alike, "{:?} in pieces of {piece}: {long:?}, not {short:?}", String::from_utf8_lossy(text));
}

#[test]
fn both_readers_agree_on_every_prefix_of_a_record() {
    let text = br#" {"type":"compaction","id":"\u0061b","parentId":null,"n":[-0.5e+3,0,12,true,false,null,{},[]],
        "firstKeptEntryId":"c","version":2,"x":{"id":"z","y":["\ud83e\udd80","\\","\""]}} "#;
    let text: Vec<u8> = text.iter().copied().filter(|b| *b != b'\n').collect();
    for end in 0..=text.len() {
        for piece in [1, 3, 7, 1000] {
            same(&text[..end], piece);
        }
    }
}

#[test]
fn both_readers_refuse_the_same() {
    for text in [
        "null",
        "5",
        "-",
        "01",
        "1.",
        "1e",
        "[1,]",
        "{\"a\":1,}",
        "{,}",
        "[",
        "}",
        "{\"a\"}",
        "\"\\x\"",
        "\"\\u12g4\"",
        "nul",
        "nulll",
        "{}x",
        "{}{}",
        "[}",
        "{]",
        "\u{1}",
        "\"\u{1}\"",
        "tru",
        "\u{feff}{}",
        "{\"a\":1 2}",
        "1 2",
        "- 1",
    ] {
        for piece in [1, 2, 100] {
            same(text.as_bytes(), piece);
        }
    }
}

#[test]
fn nuls_and_bad_text_are_counted_across_pieces() {
    let ended = read(b"{\"a\":\"\0\0\0\"}", 2);
    assert_eq!((ended.nuls, ended.len), (3, 11));
    assert!(matches!(ended.line, Line::Bad(_)));
    for piece in 1..9 {
        assert!(!read("{\"a\":\"é🦀\\ud83e\\udd80\"}".as_bytes(), piece).bad_unicode);
        assert!(read(b"{\"a\":\"\xed\xa0\xbd\"}", piece).bad_unicode);
        assert!(read(br#"{"a":"\ud83e"}"#, piece).bad_unicode);
        assert!(read(br#"{"a":"\ud83ex\udd80"}"#, piece).bad_unicode);
    }
}

#[test]
fn depth_is_limited_as_in_the_lexer() {
    let deep = "[".repeat(MAX_DEPTH + 1);
    assert!(matches!(read(deep.as_bytes(), 4096).line, Line::Bad(Fault { kind: DamageKind::TooDeep, .. })));
}

proptest! {
    #[test]
    fn both_readers_agree_on_damaged_records(
        cut in 0usize..140, with in prop::collection::vec(any::<u8>().prop_filter("no newline", |b| *b != b'\n'), 0..4),
        drop in 0usize..3, piece in 1usize..40,
    ) {
        let text: &[u8] = br#"{"type":"message","id":"a","parentId":"b","message":{"role":"user","content":[{"type":"text","text":"\u00e9 hi"}],"t":1.5e9}}"#;
        let cut = cut.min(text.len());
        let after = (cut + drop).min(text.len());
        let damaged = [&text[..cut], &with, &text[after..]].concat();
        same(&damaged, piece);
    }
}
