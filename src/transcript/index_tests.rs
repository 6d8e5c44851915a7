//! The index of small files, read in pieces of every size.

use proptest::prelude::*;

use super::*;
use crate::model::transcript::Kind;

const HEADER: &str = "{\"type\":\"session\",\"version\":3,\"id\":\"s\"}\n";

/// A file with this content, and the index of it made in pieces of `chunk` bytes.
pub fn index_in(text: &[u8], chunk: u64) -> Index {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.jsonl");
    std::fs::write(&path, text).unwrap();
    let source = Source::open(&path, &[]).unwrap();
    let mut index = Index::default();
    assert!(index.extend_in(&source, chunk, &mut |_| true).unwrap());
    index
}

type Seen = (u64, u64, First, Vec<Entry>, Vec<Compaction>, Vec<u64>, Faults);

fn seen(index: &Index) -> Seen {
    let entries = index.entries.iter().copied().collect();
    let (c, h) = (index.compactions.clone(), index.headers.clone());
    (index.lines, index.values, index.first, entries, c, h, index.faults)
}

fn entry(id: &str, parent: &str) -> String {
    format!("{{\"type\":\"message\",\"id\":\"{id}\",\"parentId\":{parent},\"message\":{{\"role\":\"user\"}}}}\n")
}

#[test]
fn entries_have_places_and_damage_is_counted() {
    let (a, b) = (entry("a", "null"), entry("b", "\"a\""));
    let text = format!("{HEADER}{a}\n\0\0\0{b}5\nnull\n{}{}{HEADER}{{\"type\":\"mess", &a[..20], b);
    let index = index_in(text.as_bytes(), CHUNK);
    assert_eq!((index.lines, index.values), (9, 5));
    let entries: Vec<_> = index.entries.iter().collect();
    assert_eq!(entries.iter().map(|e| e.line).collect::<Vec<_>>(), [2, 4, 5, 6, 7]);
    for at in [1, 4] {
        assert!(entries[at].is(RECOVERED));
        let from = usize::try_from(entries[at].offset()).unwrap();
        assert_eq!(&text[from..from + entries[at].len as usize], b.trim_end());
    }
    let f = index.faults;
    assert_eq!((f.bad, f.first_bad, f.recovered, f.non_objects, f.first_null, f.more_headers), (3, 4, 2, 2, 6, 1));
    assert!(f.torn_tail && !f.no_newline);
}

#[test]
fn the_first_value_decides() {
    assert_eq!(index_in(b"", 4).first, First::Nothing);
    assert_eq!(index_in(b"\n \n", 4).first, First::Nothing);
    let later = format!("\n\u{feff} {HEADER}");
    assert!(matches!(index_in(later.as_bytes(), 99).first, First::Header(h) if h.place.at == 5));
    assert!(matches!(index_in(format!("\u{feff}{HEADER}").as_bytes(), 9).first, First::Header(h) if h.version == 3));
    assert!(matches!(index_in(b"x\n{\"type\":\"session\",\"id\":\"\"}", 9).first, First::Header(h) if h.version == 1));
    assert!(matches!(index_in(b"{\"type\":\"session\",\"id\":1}", 9).first, First::Other(_)));
    assert!(matches!(index_in(b"5\n", 9).first, First::Other(p) if p.line == 1));
}

#[test]
fn the_first_version_is_one_chain() {
    let text = "{\"type\":\"session\",\"id\":\"s\"}\n{\"type\":\"message\",\"id\":\"x\",\"message\":{}}\n{\"type\":\"message\",\"message\":{}}\n\
        {\"type\":\"compaction\",\"firstKeptEntryIndex\":2}\n{\"type\":\"compaction\",\"firstKeptEntryIndex\":0}\n\
        {\"type\":\"compaction\",\"firstKeptEntryIndex\":9}\n";
    let mut index = index_in(text.as_bytes(), 50);
    index.migrate();
    let entries: Vec<_> = index.entries.iter().copied().collect();
    assert_eq!(entries[0].parent, 0);
    assert!(entries.windows(2).all(|w| w[1].parent == w[0].id && w[0].id != 0));
    let kept: Vec<_> = index.compactions.iter().map(|c| c.kept).collect();
    assert_eq!(kept, [Some(entries[1].id), None, None]);
    assert_eq!(entries[2].kind(), Kind::Compaction);
}

#[test]
fn an_index_grows_with_its_file() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.jsonl");
    let parts = [HEADER.to_owned(), entry("a", "null"), entry("b", "\"a\"") + "junk\n", entry("c", "\"b\"")];
    let mut index = Index::default();
    for end in 1..=parts.len() {
        std::fs::write(&path, parts[..end].concat()).unwrap();
        index.extend(&Source::open(&path, &[]).unwrap(), &mut |_| true).unwrap();
    }
    assert_eq!(seen(&index), seen(&index_in(parts.concat().as_bytes(), CHUNK)));
}

fn fragment() -> impl Strategy<Value = Vec<u8>> {
    let records = prop::sample::select(vec![
        HEADER.to_owned(),
        entry("a", "null"),
        entry("b", "\"a\""),
        "{\"type\":\"compaction\",\"id\":\"c\",\"parentId\":\"b\",\"firstKeptEntryId\":\"a\"}\n".to_owned(),
        "null\n".to_owned(),
        "7\n".to_owned(),
        "\n".to_owned(),
        "\r\n".to_owned(),
        "\0\0".to_owned(),
        "{\"type\":\"mess".to_owned(),
        "\u{feff}".to_owned(),
        "\"\n".to_owned(),
    ]);
    records.prop_map(String::into_bytes)
}

proptest! {
    #[test]
    fn the_index_does_not_depend_on_the_size_of_the_pieces(parts in prop::collection::vec(fragment(), 0..20), chunk in 1u64..400) {
        let text = parts.concat();
        prop_assert_eq!(seen(&index_in(&text, chunk)), seen(&index_in(&text, CHUNK)));
    }
}

#[test]
fn records_on_a_damaged_line_too_long_to_keep_are_entries_as_on_a_short_one() {
    for size in [9, super::super::lines::LONG] {
        let long = entry("b", "\"a\"").trim_end().replace("user", &"x".repeat(size));
        let (a, c, d) = (entry("a", "null"), entry("c", "\"b\""), entry("d", "\"c\""));
        let text = format!("{HEADER}{a}{long}{c}{d}\0\0{long}");
        let expected = |index: &Index| {
            let recovered: Vec<_> = index.entries.iter().filter(|e| e.is(RECOVERED)).collect();
            let texts: Vec<_> =
                recovered.iter().map(|e| &text[usize::try_from(e.offset()).unwrap()..][..e.len as usize]).collect();
            assert_eq!(texts, [&*long, c.trim_end(), &*long], "{size}");
            assert_eq!((index.faults.bad, index.faults.recovered, index.faults.torn_tail), (2, 3, false), "{size}");
        };
        for chunk in [100_000, CHUNK] {
            expected(&index_in(text.as_bytes(), chunk));
        }
        let skip = HEADER.len() as u64 - 1;
        expected(&Index::of_end(&text.as_bytes()[HEADER.len() - 1..], skip).unwrap());
    }
}
