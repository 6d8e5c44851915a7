use super::*;
use crate::model::finding::Severity;
use crate::model::mend::{HeaderFields, edited_len};
use crate::transcript::mend::{controls, header};
use crate::transcript::scan;

const HEADER: &str = r#"{"type":"session","version":3,"id":"s","timestamp":"2026-05-01T08:00:00.000Z","cwd":"/w"}"#;

fn entry(id: &str, parent: &str) -> String {
    let parent = if parent.is_empty() { "null".to_owned() } else { format!("\"{parent}\"") };
    format!(
        r#"{{"type":"message","id":"{id}","parentId":{parent},"timestamp":"2026-05-01T08:00:01.000Z","message":{{"role":"user","content":[{{"type":"text","text":"words of {id}"}}]}}}}"#
    )
}

fn looked(text: &[u8]) -> Survey {
    let mut survey = survey(text, &|_| true).unwrap();
    let known = HeaderFields { id: Some("from-the-name".into()), cwd: Some("/home".into()), ..HeaderFields::default() };
    header::mend(&mut survey, &known).unwrap();
    survey
}

fn mended(text: &[u8]) -> (Survey, Vec<u8>) {
    let survey = looked(text);
    let out = controls::apply(text, &survey.edits);
    assert_eq!(out.len() as u64, edited_len(text.len() as u64, &survey.edits));
    (survey, out)
}

fn errors(text: &[u8]) -> Vec<String> {
    let reading = scan::whole(&mut &text[..], text, text.len() as u64, &|_| true).unwrap();
    let bad = reading.spots.into_iter().filter(|s| s.id.severity() == Severity::Error);
    bad.map(|s| format!("{} at {:?}", s.id.id(), s.lines)).collect()
}

/// Mends, and proves what holds of every mended file.
fn mend(text: impl AsRef<[u8]>) -> (Survey, String) {
    let text = text.as_ref();
    let (survey, out) = mended(text);
    assert_eq!(errors(&out), [] as [&str; 0], "{}", String::from_utf8_lossy(&out));
    let (again, same) = mended(&out);
    assert!(again.is_clean() && same == out, "{:?}", again.mended);
    for window in survey.edits.windows(2) {
        assert!(window[0].at + window[0].cut <= window[1].at, "{window:?}");
    }
    (survey, String::from_utf8(out).unwrap())
}

fn kinds(survey: &Survey) -> Vec<(&'static str, u64)> {
    survey.mended.iter().map(|m| (m.kind.id(), m.line)).collect()
}

fn torn(text: impl AsRef<[u8]>, survey: &Survey) -> String {
    let mut out = Vec::new();
    for piece in &survey.torn {
        let (at, len) = (usize::try_from(piece.at).unwrap(), usize::try_from(piece.len).unwrap());
        out.extend_from_slice(&text.as_ref()[at..at + len]);
        out.extend(piece.newline.then_some(b'\n'));
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[test]
fn a_good_file_is_left_alone() {
    let text = format!("{HEADER}\n{}\n\n{}\r\n", entry("a", ""), entry("b", "a"));
    let (survey, out) = mend(&text);
    assert!(survey.is_clean() && survey.left.is_empty() && out == text);
    assert_eq!((survey.lines, survey.entries, survey.with_id), (4, 2, 2));
}

#[test]
fn a_torn_tail_moves_away() {
    let tail = &entry("b", "a")[..60];
    let text = format!("{HEADER}\n{}\n{tail}", entry("a", ""));
    let (survey, out) = mend(&text);
    assert_eq!(out, format!("{HEADER}\n{}\n", entry("a", "")));
    assert_eq!(kinds(&survey), [("torn-tail", 3)]);
    assert_eq!(torn(&text, &survey), tail);
}

#[test]
fn a_whole_last_line_gets_its_newline() {
    let (survey, out) = mend(format!("{HEADER}\n{}", entry("a", "")));
    assert_eq!(out, format!("{HEADER}\n{}\n", entry("a", "")));
    assert_eq!(kinds(&survey), [("final-newline", 2)]);
}

#[test]
fn nul_blocks_go_and_records_beside_them_stay() {
    let nuls = "\0".repeat(9000);
    let text = format!("{HEADER}\n{nuls}{}\n{nuls}\n{}{nuls}", entry("a", ""), entry("b", "a"));
    let (survey, out) = mend(&text);
    assert_eq!(out, format!("{HEADER}\n{}\n{}\n", entry("a", ""), entry("b", "a")));
    assert_eq!(kinds(&survey), [("nuls", 2), ("nuls", 3), ("nuls", 4), ("final-newline", 4)]);
    assert!(survey.torn.is_empty());
    // A block inside a record: what is left of the text stays.
    let holed = entry("c", "b").replace("words", "wo\0\0\0rds");
    let (_, out) = mend(format!("{HEADER}\n{}\n{}\n{holed}\n", entry("a", ""), entry("b", "a")));
    assert!(out.ends_with(&format!("{}\n", entry("c", "b"))), "{out}");
}

#[test]
fn megabytes_of_nuls_hide_no_record() {
    let nuls = vec![0; 3 << 20];
    let mut text = nuls.clone();
    text.extend_from_slice(HEADER.as_bytes());
    text.extend_from_slice(&nuls);
    text.push(b'\n');
    text.extend_from_slice(entry("a", "").as_bytes());
    text.extend_from_slice(&nuls);
    assert_eq!(mend(&text).1, format!("{HEADER}\n{}\n", entry("a", "")));
}

#[test]
fn glued_records_get_lines_of_their_own() {
    let (a, b, c) = (entry("a", ""), entry("b", "a"), entry("c", "b"));
    let cut = &entry("x", "y")[..20];
    let text = format!("{HEADER}\n{a}{b}\n{cut}{c}{}", entry("d", "c"));
    let (survey, out) = mend(&text);
    assert_eq!(out, format!("{HEADER}\n{a}\n{b}\n{c}\n{}\n", entry("d", "c")));
    assert_eq!(kinds(&survey), [("split", 2), ("split", 3), ("fragment", 3), ("final-newline", 3)]);
    assert_eq!(torn(&text, &survey), format!("{cut}\n"));
    // A fragment between two records.
    assert_eq!(mend(format!("{HEADER}\n{a}{cut}{b}\n")).1, format!("{HEADER}\n{a}\n{b}\n"));
    // A header and its first entry.
    assert_eq!(mend(format!("{HEADER}{a}\n{b}\n")).1, format!("{HEADER}\n{a}\n{b}\n"));
}

#[test]
fn a_lost_parent_leaves_a_placeholder_and_its_children_their_bytes() {
    let bad = entry("b", "a").replace("\"}]}}", "");
    let text = format!("{HEADER}\n{}\n{bad}\n{}\n", entry("a", ""), entry("c", "b"));
    let (survey, out) = mend(&text);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!((lines.len(), lines[1], lines[3]), (4, &*entry("a", ""), &*entry("c", "b")));
    assert_eq!(
        lines[2],
        format!(
            r#"{{"type":"custom","customType":"clawkeep.lost-entry","data":{{"bytes":{}}},"id":"b","parentId":"a","timestamp":"2026-05-01T08:00:01.000Z"}}"#,
            bad.len() + 1
        )
    );
    assert_eq!(kinds(&survey), [("fragment", 3), ("placeholder", 3)]);
    assert_eq!(torn(&text, &survey), format!("{bad}\n"));
    // Glued to the next record, and before it.
    let (_, out) = mend(format!("{HEADER}\n{}\n{bad}{}\n", entry("a", ""), entry("c", "b")));
    assert_eq!(out.lines().count(), 4);
    // Two in a row: the child of the second leads on over both.
    let worse = entry("c", "b").replace("\"}]}}", "");
    let (survey, out) = mend(format!("{HEADER}\n{}\n{bad}\n{worse}\n{}\n", entry("a", ""), entry("d", "c")));
    assert_eq!((out.lines().count(), survey.counts[&MendKind::Placeholder]), (5, 2));
    // Nobody's parent, or written again as a whole: nothing takes its place.
    let (_, out) = mend(format!("{HEADER}\n{}\n{bad}\n{}\n{}\n", entry("a", ""), entry("b", "a"), entry("c", "b")));
    assert_eq!(out.lines().count(), 4);
}

#[test]
fn junk_lines_go() {
    let text = format!("{HEADER}\nnull\n{}\n5\n[]\nundefined\n\"x\"\n{}\n", entry("a", ""), entry("b", "a"));
    let (survey, out) = mend(&text);
    assert_eq!(out, format!("{HEADER}\n{}\n{}\n", entry("a", ""), entry("b", "a")));
    assert_eq!(
        kinds(&survey),
        [("not-a-record", 2), ("not-a-record", 4), ("not-a-record", 5), ("fragment", 6), ("not-a-record", 7)]
    );
    assert_eq!(torn(&text, &survey), "null\n5\n[]\nundefined\n\"x\"\n");
}

#[test]
fn headers_are_rebuilt_moved_and_kept_once() {
    let (a, b) = (entry("a", ""), entry("b", "a"));
    // Cut: what it still says is kept, the rest comes from elsewhere.
    let (survey, out) = mend(format!("{}\n{a}\n", &HEADER[..42]));
    assert_eq!(
        out,
        r#"{"type":"session","version":3,"id":"s","timestamp":"2026-05-01T08:00:01.000Z","cwd":"/home"}"#.to_owned()
            + &format!("\n{a}\n")
    );
    assert_eq!(kinds(&survey), [("header", 1), ("fragment", 1)]);
    // Gone.
    let (_, out) = mend(format!("{a}\n{b}\n"));
    assert!(out.starts_with(r#"{"type":"session","version":3,"id":"from-the-name","#), "{out}");
    assert!(out.ends_with(&format!("\n{a}\n{b}\n")));
    // Later in the file.
    let (survey, out) = mend(format!("{a}\n{HEADER}\n{b}\n"));
    assert_eq!((out, kinds(&survey)), (format!("{HEADER}\n{a}\n{b}\n"), vec![("move-header", 2)]));
    // Without a usable id: only that changes.
    let seven = HEADER.replace("\"s\"", "7");
    assert_eq!(mend(format!("{seven}\n{a}\n")).1, format!("{}\n{a}\n", HEADER.replace("\"s\"", "\"from-the-name\"")));
    let none = HEADER.replace("\"id\":\"s\",", "");
    assert!(mend(format!("{none}\n{a}\n")).1.starts_with(r#"{"id":"from-the-name","type":"session""#));
    // Twice; and one of another session.
    let (survey, out) = mend(format!("{HEADER}\n{HEADER}\n{a}\n"));
    assert_eq!((out, kinds(&survey)), (format!("{HEADER}\n{a}\n"), vec![("duplicate-header", 2)]));
    let other = HEADER.replace("\"s\"", "\"t\"");
    let (survey, _) = mend(format!("{HEADER}\n{other}\n{a}\n"));
    assert_eq!((survey.is_clean(), survey.left.len()), (true, 1));
    // Junk before it is no reason to make one.
    assert_eq!(mend(format!("null\n{HEADER}\n{a}\n")).1, format!("{HEADER}\n{a}\n"));
    // Entries without ids are those of version 1.
    let (_, out) =
        mend("{\"type\":\"message\",\"timestamp\":\"T\",\"message\":{\"role\":\"user\",\"content\":\"x\"}}\n");
    assert!(out.starts_with(r#"{"type":"session","id":"from-the-name""#), "{out}");
}

#[test]
fn the_header_of_another_session_stays_where_it_is() {
    let (a, b) = (entry("a", ""), entry("b", "a"));
    let other = HEADER.replace("\"s\"", "\"other\"").replace("/w", "/other");
    let late = HEADER.replace("\"cwd\"", "\"title\":\"moved\",\"cwd\"");
    let mend_of = |text: &str| {
        let mut found = survey_of(&["s".to_owned()], text.as_bytes(), &|_| true).unwrap();
        let known = HeaderFields { id: Some("s".into()), ..HeaderFields::default() };
        let made = header::mend(&mut found, &known).unwrap();
        let out = String::from_utf8(controls::apply(text.as_bytes(), &found.edits)).unwrap();
        (header::told(&made, &[("id", "its name".to_owned())].into()), out)
    };
    // Cut before its id, right in front of the other one or entries before it; torn; gone.
    for own in
        [r#"{"type":"session","version":3,"#, r#""cwd":"/w"}"#, r#"{"type":"session","version":3,"id":"s","ti"#, ""]
    {
        for between in ["", &*format!("{a}\n")] {
            if own.is_empty() && between.is_empty() {
                continue;
            }
            let own = if own.is_empty() { String::new() } else { format!("{own}\n") };
            let (told, out) = mend_of(&format!("{own}{between}{other}\n{b}\n"));
            let (head, rest) = out.split_once('\n').unwrap();
            assert!(head.starts_with(r#"{"type":"session","version":3,"id":"s","#) && !head.contains("other"), "{out}");
            assert_eq!(rest, format!("{between}{other}\n{b}\n"));
            let id = if own.contains("\"id\"") { "its id from what is left of it" } else { "its id from its name" };
            assert_eq!(told[0], id, "{told:?}");
        }
    }
    // Its own header comes to the front past it, and says so alone; what is torn of another one says nothing.
    let (told, out) = mend_of(&format!("{a}\n{other}\n{late}\r\n{b}\n"));
    assert_eq!((told, out), (vec![], format!("{late}\r\n{a}\n{other}\n{b}\n")));
    let (_, out) = mend_of(&format!("{a}\n{}\n{b}\n", &other[..60]));
    assert!(out.starts_with(r#"{"type":"session","version":3,"id":"s","#), "{out}");
}

#[test]
fn a_header_cut_in_front_is_rebuilt_from_what_is_left() {
    let a = entry("a", "");
    let whole = HEADER.replace("\"/w\"", "\"/w\",\"parentSession\":\"/p.jsonl\",\"more\":1.50");
    for cut in [1, 2, 5, 12, 20] {
        let (survey, out) = mend(format!("{}\n{a}\n", &whole[cut..]));
        assert_eq!(out, format!("{whole}\n{a}\n"), "{cut}");
        assert_eq!(torn(format!("{}\n{a}\n", &whole[cut..]), &survey), format!("{}\n", &whole[cut..]));
    }
    // Past the id: the name says that one.
    let at = whole.find("\"timestamp\"").unwrap();
    assert_eq!(
        mend(format!("{}\n{a}\n", &whole[at..])).1,
        format!("{}\n{a}\n", whole.replace("\"s\"", "\"from-the-name\""))
    );
    // Its type is cut or changed, all the rest is whole.
    for kind in ["sessi", "", "sessiom"] {
        let changed = whole.replace("session\"", &format!("{kind}\""));
        let (survey, out) = mend(format!("{changed}\n{a}\n"));
        assert_eq!((out, survey.entries), (format!("{whole}\n{a}\n"), 1));
    }
    // A torn header of a newer format is one of a newer format.
    let newer = HEADER.replace(":3", ":9");
    assert_eq!(survey(format!("{}\n{a}\n", &newer[..60]).as_bytes(), &|_| true).unwrap().header_version(), 9);
}

#[test]
fn members_that_nobody_says_are_told_as_made_up() {
    let mut found = survey(&b"{\"type\":\"session\",\"id\":\"s\",\n"[..], &|_| true).unwrap();
    let made = header::mend(&mut found, &HeaderFields::default()).unwrap();
    assert_eq!(
        header::told(&made, &std::collections::BTreeMap::new()),
        [
            "its id from what is left of it",
            "its version is made up: 3",
            "its time is made up: 1970-01-01T00:00:00.000Z",
            "its folder is made up: /"
        ]
    );
}

#[test]
fn a_byte_order_mark_goes() {
    let (survey, out) = mend(format!("\u{feff}{HEADER}\n\u{feff}{}\n", entry("a", "")));
    assert_eq!(out, format!("{HEADER}\n{}\n", entry("a", "")));
    assert_eq!(kinds(&survey), [("bom", 1), ("bom", 2)]);
}

#[test]
fn control_characters_are_escaped_where_the_rest_is_a_record() {
    let one = entry("a", "").replace("words of", "words\u{1}of");
    let many = entry("b", "a").replace("words of b", "one\n\n  two\r\nnull\n{\"three\"\n");
    let (survey, out) = mend(format!("{HEADER}\n{one}\n{}\n", many.replace("{\"three\"", "three")));
    let want = entry("b", "a").replace("words of b", r"one\n\n  two\r\nnull\nthree\n");
    assert_eq!(out, format!("{HEADER}\n{}\n{want}\n", one.replace('\u{1}', r"\u0001")));
    assert_eq!(kinds(&survey), [("control-characters", 2), ("control-characters", 3)]);
    // What does not become a record stays what it is: fragments.
    let (survey, out) = mend(format!("{HEADER}\n{}\n{many}\n{}\n", entry("a", ""), entry("c", "a")));
    assert_eq!(out, format!("{HEADER}\n{}\n\n{}\n", entry("a", ""), entry("c", "a")));
    assert!(survey.counts[&MendKind::Fragment] > 2);
}

#[test]
fn a_line_break_of_two_bytes_is_escaped_as_both() {
    for long in [String::new(), "x".repeat((1 << 20) + 5)] {
        let raw = entry("a", "").replace("words of a", &format!("{long}one\t.\r\ntwo\r\n{long}"));
        let want = entry("a", "").replace("words of a", &format!(r"{long}one\t.\r\ntwo\r\n{long}"));
        let (survey, out) = mend(format!("{HEADER}\n{raw}\n{}\n", entry("b", "a")));
        assert!(out == format!("{HEADER}\n{want}\n{}\n", entry("b", "a")), "{} bytes", out.len());
        assert_eq!(kinds(&survey), [("control-characters", 2)]);
    }
}

#[test]
fn strange_text_becomes_the_replacement_character() {
    let half = entry("a", "").replace("words", r"\ud83e words");
    let (survey, out) = mend(format!("{HEADER}\n{half}\n"));
    assert_eq!(out, format!("{HEADER}\n{}\n", half.replace(r"\ud83e", r"\ufffd")));
    assert_eq!(kinds(&survey), [("unicode", 2)]);
    let mut raw = format!("{HEADER}\n").into_bytes();
    raw.extend_from_slice(
        &entry("a", "").into_bytes().into_iter().map(|b| if b == b'w' { 0xFF } else { b }).collect::<Vec<_>>(),
    );
    raw.push(b'\n');
    assert!(mend(&raw).1.contains("\u{fffd}ords of a"));
}

#[test]
fn circles_are_cut() {
    // A later entry with the id of an earlier one.
    let (a, b) = (entry("a", ""), entry("b", "a"));
    let (survey, out) = mend(format!("{HEADER}\n{a}\n{b}\n{}\n", entry("a", "b")));
    let last = out.lines().last().unwrap();
    assert!(last.contains(r#""parentId":"b""#) && !last.contains(r#""id":"a""#), "{last}");
    assert!(out.starts_with(&format!("{HEADER}\n{a}\n{b}\n")));
    assert_eq!(kinds(&survey), [("cycle", 4)]);
    // One that has children of its own by now.
    let (_, out) = mend(format!("{HEADER}\n{a}\n{b}\n{}\n{}\n", entry("a", "b"), entry("c", "a")));
    assert_eq!(out.lines().nth(3), Some(&*entry("a", "")));
    // Its own parent, and a step forward.
    let (_, out) =
        mend(format!("{HEADER}\n{}\n{}\n{}\n{}\n", entry("x", "x"), entry("a", "c"), entry("b", "a"), entry("c", "b")));
    assert_eq!(
        out,
        format!("{HEADER}\n{}\n{}\n{}\n{}\n", entry("x", ""), entry("a", ""), entry("b", "a"), entry("c", "b"))
    );
}

#[test]
fn messages_without_a_role_go_as_the_gateway_would_have_it() {
    let bad = entry("b", "a").replace("\"role\":\"user\"", "\"role\":null");
    let (survey, out) = mend(format!("{HEADER}\n{}\n{bad}\n{}\n", entry("a", ""), entry("c", "b")));
    assert_eq!(kinds(&survey), [("no-role", 3), ("placeholder", 3)]);
    assert!(out.contains(r#""id":"b","parentId":"a""#) && !out.contains("words of b"));
    let (_, out) = mend(format!("{HEADER}\n{}\n{bad}\n", entry("a", "")));
    assert_eq!(out, format!("{HEADER}\n{}\n", entry("a", "")));
}

#[test]
fn megabytes_on_a_line_change_nothing() {
    let say = |size: usize| entry("b", "a").replace("words of", &"x".repeat(size));
    for size in [1000, 3 << 20] {
        let whole = say(size);
        let control = whole.replacen("xxx", "xx\u{1}x", 1);
        let newline = whole.replacen("xxx", "xx\nx", 1);
        let no_role = whole.replace("\"role\"", "\"rool\"");
        let cut = &whole[..whole.len() - 30];
        for (damaged, kinds) in [
            (&control[..], &[("control-characters", 3)][..]),
            (&newline, &[("control-characters", 3)]),
            (&no_role, &[("no-role", 3), ("placeholder", 3)]),
            (cut, &[("fragment", 3), ("placeholder", 3)]),
        ] {
            let text = format!("{HEADER}\n{}\n{damaged}\n{}\n", entry("a", ""), entry("c", "b"));
            let (survey, out) = mend(&text);
            assert_eq!(self::kinds(&survey), kinds, "{size}");
            assert!(out.ends_with(&format!("{}\n", entry("c", "b"))) && out.contains("\"id\":\"b\""), "{size}");
        }
    }
}

#[test]
fn long_lines_are_taken_apart_without_being_kept() {
    let big = entry("big", "").replace("words", &"x".repeat(2 << 20));
    let (a, b) = (entry("a", "big"), entry("b", "a"));
    let (survey, out) = mend(format!("{HEADER}\n{big}{a}\n{b}\n"));
    assert_eq!(out, format!("{HEADER}\n{big}\n{a}\n{b}\n"));
    assert_eq!(kinds(&survey), [("split", 2)]);
    let cut = &big[..1_500_000];
    assert_eq!(mend(format!("{HEADER}\n{cut}{a}\n{b}\n")).1.lines().last(), Some(&*b));
    assert_eq!(mend(format!("{HEADER}\n{}\n{cut}", entry("a", ""))).1, format!("{HEADER}\n{}\n", entry("a", "")));
    let half = big.replace("\"content\"", r#""x":"\ud83e","content""#);
    assert_eq!(mend(format!("{HEADER}\n{half}\n")).1, format!("{HEADER}\n{}\n", half.replace(r"\ud83e", r"\ufffd")));
}

#[test]
fn what_is_too_deep_stays() {
    let deep = format!("{}{}", "[".repeat(20_000), "]".repeat(20_000));
    let line = entry("a", "").replace("\"words of a\"", &deep);
    let (survey, out) = mend(format!("{HEADER}\n{line}\n"));
    assert_eq!((out, survey.left.len()), (format!("{HEADER}\n{line}\n"), 1));
}

mod properties {
    use super::*;
    use proptest::prelude::*;

    /// A damaged place, or a record that must come through as it is.
    #[derive(Debug, Clone)]
    enum Item {
        Good(usize),
        Raw(Vec<u8>),
    }

    fn item() -> impl Strategy<Value = Item> {
        prop_oneof![
            4 => (0usize..12).prop_map(Item::Good),
            1 => prop_oneof![
                Just(b"null\n".to_vec()), Just(b"\n".to_vec()), Just(b"[1]\n".to_vec()), Just(b"{\"a\n".to_vec()),
                Just(vec![0; 700]), Just(b"\0\0\n".to_vec()), Just("\u{feff}".as_bytes().to_vec()),
                Just(b"\xff\xfe\n".to_vec()), Just(format!("{HEADER}\n").into_bytes()),
                Just(b"{\"type\":\"session\",\"version\":3,\"ti".to_vec()),
                Just(b"{\"type\":\"message\",\"id\":\"e3\",\"parentId\":\"e1\",\"x\":\"\n".to_vec()),
                Just(b"{\"type\":\"message\",\"id\":\"e4\",\"parentId\":\"e4\",\"message\":{\"role\":\"user\"}}".to_vec()),
                Just(b"{\"type\":\"message\",\"id\":\"e5\",\"parentId\":\"e6\",\"message\":{\"role\":\"\"}}\n".to_vec()),
                Just(b"{\"id\":7,\"parentId\":7}\n".to_vec()),
            ].prop_map(Item::Raw),
            1 => (0usize..12, 1usize..100).prop_map(|(n, cut)| {
                let text = entry(&format!("e{n}"), "e0");
                Item::Raw(text.as_bytes()[..cut.min(text.len() - 1)].to_vec())
            }),
            1 => proptest::collection::vec(any::<u8>(), 0..30).prop_map(Item::Raw),
        ]
    }

    /// Damage of the kinds that single bytes make.
    fn spoilt() -> impl Strategy<Value = Vec<u8>> {
        let text = entry("s1", "e0").into_bytes();
        let len = text.len();
        (
            0usize..len,
            prop_oneof![
                Just(vec![1u8]),
                Just(vec![b'\n']),
                Just(vec![0xff]),
                Just(vec![0]),
                Just(b"{\"".to_vec()),
                Just(b"\"".to_vec()),
                Just(vec![b'\r', b'\n']),
                Just(b"\\ud83e".to_vec()),
            ],
            0usize..12,
        )
            .prop_map(move |(at, put, cut)| {
                let mut text = text.clone();
                text.splice(at..(at + cut).min(len), put);
                text
            })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

        /// How long a line is changes nothing: what is read again from the file is mended as what is kept.
        #[test]
        fn long_lines_are_mended_like_short_ones(
            header in any::<bool>(),
            items in proptest::collection::vec((prop_oneof![spoilt().prop_map(Item::Raw), item()], any::<bool>()), 0..8),
            long in 90usize..170,
        ) {
            let mut text = Vec::new();
            if header {
                text.extend_from_slice(format!("{HEADER}\n").as_bytes());
            }
            for (ix, (item, newline)) in items.iter().enumerate() {
                match item {
                    Item::Good(parent) => text.extend_from_slice(entry(&format!("g{ix}"), &format!("g{parent}")).as_bytes()),
                    Item::Raw(bytes) => text.extend_from_slice(bytes),
                }
                if *newline {
                    text.push(b'\n');
                }
            }
            let short = survey(&text[..], &|_| true).unwrap();
            // A header that does not fit into what is kept of a line stays where it is.
            let header = match &short.header {
                HeaderSeen::Late { text, .. } | HeaderSeen::WithoutId { text, .. } => text.len(),
                _ => 0,
            };
            prop_assume!(header <= long);
            let again = survey_above(&text[..], &|_| true, long).unwrap();
            prop_assert_eq!(&short, &again, "{}", String::from_utf8_lossy(&text));
        }

        /// Whatever happened to a file: no error is left, mending again changes nothing, and the records that were not
        /// damaged come out byte for byte and in order.
        #[test]
        fn mended_files_are_good(header in any::<bool>(), items in proptest::collection::vec(item(), 0..14), newline in any::<bool>()) {
            let mut text = Vec::new();
            let mut good = Vec::new();
            if header {
                text.extend_from_slice(format!("{HEADER}\n").as_bytes());
            }
            for (ix, item) in items.iter().enumerate() {
                match item {
                    Item::Good(parent) => {
                        // Ids of their own and parents that come before: no circle goes through them.
                        let parent = if *parent < ix { format!("g{parent}") } else { String::new() };
                        let record = entry(&format!("g{ix}"), &parent);
                        // After raw bytes the record begins a line, or it would be part of what is damaged.
                        if text.last().is_some_and(|b| *b != b'\n') {
                            text.push(b'\n');
                        }
                        text.extend_from_slice(record.as_bytes());
                        text.push(b'\n');
                        good.push(record);
                    }
                    Item::Raw(bytes) => text.extend_from_slice(bytes),
                }
            }
            if newline {
                text.push(b'\n');
            }
            let (survey, out) = mended(&text);
            prop_assert_eq!(errors(&out), Vec::<String>::new());
            let (again, _) = mended(&out);
            prop_assert!(again.is_clean(), "{:?}", again.mended);
            let mut lines = out.split(|b| *b == b'\n');
            for record in &good {
                prop_assert!(lines.any(|line| line == record.as_bytes()), "{} is lost", record);
            }
            // Every byte is kept, moved to the torn file, or named as cut.
            let cut: u64 = survey.edits.iter().map(|e| e.cut).sum();
            prop_assert!(survey.torn.iter().map(|p| p.len).sum::<u64>() <= cut);
        }
    }
}
