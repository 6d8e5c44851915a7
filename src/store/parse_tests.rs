use proptest::prelude::*;

use super::*;
use crate::model::fingerprint::Kind;
use crate::model::index::{Odd, TimeField, Via};

const FP: Fingerprint = Fingerprint {
    dev: 0,
    ino: 0,
    size: 0,
    mtime_ns: 0,
    ctime_ns: 0,
    blocks: 0,
    nlink: 1,
    uid: 0,
    gid: 0,
    mode: 0o600,
    kind: Kind::File,
};

pub fn parse_bytes(bytes: &[u8]) -> Result<IndexFacts, Damage> {
    parse(PathBuf::from("sessions.json"), FP, bytes.to_vec().into())
}

/// An index from text, for the tests of this and other modules.
pub fn index(text: &str) -> IndexFacts {
    parse_bytes(text.as_bytes()).unwrap_or_else(|damage| panic!("{damage:?} in {text}"))
}

/// The only row of an index whose value is `value`.
fn row(value: &str) -> (IndexFacts, Row) {
    let index = index(&format!("{{\"k\": {value}}}"));
    let row = index.rows[0].clone();
    (index, row)
}

#[test]
fn rows_are_spans_in_file_order() {
    let index = index("\u{feff}{\r\n  \"b\": {\"sessionId\": \"x\"},\r\n  \"1\": null\r\n}\r\n");
    let spans: Vec<_> = index.rows.iter().map(|r| (r.key.span.of(&index.bytes), r.value.of(&index.bytes))).collect();
    assert_eq!(spans, [(&b"b"[..], &b"{\"sessionId\": \"x\"}"[..]), (b"1", b"null")]);
    let layout = index.layout;
    assert!(layout.bom && layout.crlf);
    assert_eq!(layout.head.of(&index.bytes), "\u{feff}{\r\n  ".as_bytes());
    assert_eq!(layout.tail.of(&index.bytes), b"\r\n}\r\n");
    let empty = super::tests::index(" { } \n");
    assert_eq!((empty.layout.head.of(&empty.bytes), empty.layout.tail.of(&empty.bytes)), (&b" {"[..], &b" } \n"[..]));
    assert!(!empty.layout.crlf && empty.rows.is_empty());
}

#[test]
fn policy_fields_are_read_and_the_last_of_two_counts() {
    let (index, row) = row(
        r#"{"sessionId":"old","x":{"sessionId":"inner","updatedAt":1},"sessionFile":"a\\b.jsonl","status":"running",
        "session\u0049d":"new","updatedAt":1777622400000,"lastInteractionAt":1777622400000.9,"sessionStartedAt":null}"#,
    );
    let text = |t: Option<crate::model::index::Text>| t.map(|t| t.get(&index.bytes).into_owned());
    assert_eq!(text(row.session_id).as_deref(), Some("new"));
    assert_eq!(text(row.session_file).as_deref(), Some("a\\b.jsonl"));
    assert_eq!(text(row.status).as_deref(), Some("running"));
    assert_eq!(row.updated_at, TimeField::Ms(1_777_622_400_000));
    assert_eq!(row.last_interaction_at, TimeField::Ms(1_777_622_400_000));
    assert_eq!((row.session_started_at, row.odd), (TimeField::Missing, None));
}

#[test]
fn times_that_cannot_be_milliseconds_are_suspect() {
    for (text, want) in [
        ("1000000000000", TimeField::Ms(1_000_000_000_000)),
        ("8999999999999999", TimeField::Ms(8_999_999_999_999_999)),
        ("1.7776224e12", TimeField::Ms(1_777_622_400_000)),
        ("null", TimeField::Missing),
        ("999999999999", TimeField::Suspect),
        ("1777622400", TimeField::Suspect),
        ("9000000000000000", TimeField::Suspect),
        ("1e999", TimeField::Suspect),
        ("0", TimeField::Suspect),
        ("-1777622400000", TimeField::Suspect),
        ("\"2026-05-01\"", TimeField::Suspect),
        ("\"1777622400000\"", TimeField::Suspect),
        ("true", TimeField::Suspect),
        ("[1777622400000]", TimeField::Suspect),
        ("{}", TimeField::Suspect),
    ] {
        assert_eq!(row(&format!("{{\"updatedAt\":{text}}}")).1.updated_at, want, "{text}");
    }
    assert_eq!(row("{}").1.updated_at, TimeField::Missing);
}

#[test]
fn chat_type_falls_back_to_origin_only_when_absent_or_null() {
    for (value, want) in [
        (r#"{"chatType":"group","origin":{"chatType":"direct"}}"#, Some("group")),
        (r#"{"origin":{"from":"x","chatType":"channel"}}"#, Some("channel")),
        (r#"{"origin":{"chatType":"channel"},"chatType":null}"#, Some("channel")),
        (r#"{"chatType":"","origin":{"chatType":"group"}}"#, Some("")),
        (r#"{"chatType":7,"origin":{"chatType":"group"}}"#, Some("")),
        (r#"{"chatType":"group","chatType":null}"#, None),
        (r#"{"origin":"group"}"#, None),
        (r#"{"origin":{"chatType":"group"},"origin":{}}"#, None),
        (r#"{"x":{"chatType":"group"}}"#, None),
    ] {
        let (index, row) = row(value);
        assert_eq!(row.chat_type.map(|t| t.get(&index.bytes).into_owned()).as_deref(), want, "{value}");
    }
}

#[test]
fn references_are_collected_and_odd_ones_ignored() {
    let (index, row) = row(
        r#"{"usageFamilySessionIds":["f1",2,null,"f2"],"compactionCheckpoints":[{},null,7,"x",{"preCompaction":null},
        {"sessionFile":"c0.jsonl","preCompaction":{"sessionId":"no","sessionFile":"c1.jsonl"},"postCompaction":{"sessionFile":"c2.jsonl"}},
        {"preCompaction":{"sessionFile":null}}]}"#,
    );
    let refs: Vec<_> = index.refs_of(&row).iter().map(|r| (r.via, r.text.get(&index.bytes).into_owned())).collect();
    let want = [
        (Via::UsageFamily, "f1"),
        (Via::UsageFamily, "f2"),
        (Via::Checkpoint, "c0.jsonl"),
        (Via::Checkpoint, "c1.jsonl"),
        (Via::Checkpoint, "c2.jsonl"),
    ];
    assert_eq!(refs, want.map(|(via, text)| (via, text.to_owned())));
    for odd in ["{}", "\"x\"", "7", "null", "{\"a\":[1]}"] {
        let (index, row) = self::row(&format!(r#"{{"usageFamilySessionIds":{odd},"compactionCheckpoints":{odd}}}"#));
        assert!(index.refs_of(&row).is_empty(), "{odd}");
    }
    let two = super::tests::index(r#"{"a":{"usageFamilySessionIds":["x"]},"b":{"usageFamilySessionIds":["y"]}}"#);
    let of = |ix: usize| two.refs_of(&two.rows[ix])[0].text.get(&two.bytes).into_owned();
    assert_eq!((of(0), of(1)), ("x".to_owned(), "y".to_owned()));
}

#[test]
fn the_legacy_path_serves_where_the_new_one_is_absent_or_blank() {
    for (value, want) in [
        (r#"{"transcriptPath":"old.jsonl"}"#, Some("old.jsonl")),
        (r#"{"transcriptPath":"old.jsonl","sessionFile":"  "}"#, Some("old.jsonl")),
        (r#"{"transcriptPath":"old.jsonl","sessionFile":"new.jsonl"}"#, Some("new.jsonl")),
        (r#"{"sessionFile":"\u0020\t"}"#, None),
        (r#"{"sessionFile":7}"#, None),
    ] {
        let (index, row) = row(value);
        assert_eq!(row.session_file.map(|t| t.get(&index.bytes).into_owned()).as_deref(), want, "{value}");
    }
}

#[test]
fn odd_rows_are_kept_and_marked() {
    for value in ["null", "\"x\"", "7", "[]", "true", "[{\"sessionId\":\"a\"}]"] {
        assert_eq!(row(value).1.odd, Some(Odd::NotAnObject), "{value}");
    }
    for value in [r#"{"sessionId":7}"#, r#"{"sessionId":"a","sessionId":{}}"#, r#"{"sessionId":[]}"#] {
        let row = row(value).1;
        assert_eq!((row.odd, row.session_id), (Some(Odd::BadSessionId), None), "{value}");
    }
    for value in ["{}", r#"{"sessionId":null}"#, r#"{"sessionId":""}"#, r#"{"sessionId":" "}"#] {
        let row = row(value).1;
        assert_eq!((row.odd, row.session_id), (None, None), "{value}");
    }
    let (index, row) = row(r#"{"sessionId":42}"#);
    assert_eq!(index.refs_of(&row)[0].text.get(&index.bytes), "42", "a number may still name a file");
}

#[test]
fn of_two_rows_with_one_key_the_earlier_is_shadowed() {
    let index = index(r#"{"a":1,"b":2,"\u0061":3,"\ud83e":4,"\uD83E":5,"\ud83d":6,"a":7}"#);
    let shadowed: Vec<_> = index.rows.iter().map(|r| r.shadowed).collect();
    assert_eq!(shadowed, [true, false, true, true, false, false, false]);
    assert_eq!(index.live_rows(), 4);
    let raw = parse_bytes(b"{\"\xff\":1,\"\xfe\":2,\"\xff\":3}").unwrap();
    assert_eq!(raw.rows.iter().map(|r| r.shadowed).collect::<Vec<_>>(), [true, false, false]);
}

#[test]
fn damage_says_what_where_and_how_much_is_whole() {
    use DamageKind::{Empty, NotAnObject, NulBytes, Syntax, TooDeep, TrailingData, Truncated};
    let deep = format!("{{\"a\":1,\"b\":{}", "[".repeat(10_001));
    for (text, kind, offset, line, column, rows) in [
        ("", Empty, 0, 1, 1, 0),
        (" \n\t ", Empty, 0, 1, 1, 0),
        ("\u{feff}", Empty, 0, 1, 1, 0),
        ("\0\0\0", NulBytes, 0, 1, 1, 0),
        ("{\"a\":1}\n\0\0", NulBytes, 8, 2, 1, 1),
        ("{\n  \"a\": 1,\n  \"b\": {\"x\"", Truncated, 23, 3, 12, 1),
        ("{\n  \"a\": 1,\n  \"b\": 2", Truncated, 20, 3, 9, 2),
        ("{", Truncated, 1, 1, 2, 0),
        ("{\"a\":1,", Truncated, 7, 1, 8, 1),
        ("{\"a\":1}{\"b\":2}", TrailingData, 7, 1, 8, 1),
        ("{\"a\":1}\n[]", TrailingData, 8, 2, 1, 1),
        ("{\"a\":1}}", Syntax, 7, 1, 8, 1),
        ("[]", NotAnObject, 0, 1, 1, 0),
        (" null ", NotAnObject, 1, 1, 2, 0),
        ("\"x\"", NotAnObject, 0, 1, 1, 0),
        ("7", NotAnObject, 0, 1, 1, 0),
        ("[1,", Truncated, 3, 1, 4, 0),
        ("hello", Syntax, 0, 1, 1, 0),
        ("{\"a\":1,}", Syntax, 7, 1, 8, 1),
        ("{\"a\":1 \"b\":2}", Syntax, 7, 1, 8, 1),
        ("{\"a\":\"\0\"}", NulBytes, 6, 1, 7, 0),
        ("{\"a\":1,\n// note\n\"b\":2}", Syntax, 8, 2, 1, 1),
        (&deep, TooDeep, 10_011, 1, 10_012, 1),
    ] {
        let damage = parse_bytes(text.as_bytes()).unwrap_err();
        let short = &text[..text.len().min(40)];
        assert_eq!(damage, Damage { kind, offset, line, column, whole_rows: rows }, "{short:?}");
    }
}

#[test]
fn ten_thousand_levels_inside_a_row_are_read() {
    let deep = format!("{{\"a\":{{\"x\":{}1{}}}}}", "[".repeat(9_999), "]".repeat(9_999));
    assert_eq!(index(&deep).rows.len(), 1);
}

#[test]
fn a_salvage_can_go_on_after_damage() {
    let text = br#"{"a":{"usageFamilySessionIds":["x", "b":{"usageFamilySessionIds":["y"]}}"#;
    let mut scanner = RowScanner::new(text, 1);
    assert!(scanner.row().is_err());
    assert!(scanner.references.is_empty(), "nothing of the broken row is left");
    scanner.lexer = Lexer::new(text, 36);
    let row = scanner.row().unwrap();
    assert_eq!(row.key.span.of(text), b"b");
    assert_eq!(scanner.references.len(), 1);
}

/// Text of a JSON value. Numbers, nesting and strings as the gateway writes them, and worse.
pub fn value() -> impl Strategy<Value = String> {
    let scalar = prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        "-?(0|[1-9][0-9]{0,15})(\\.[0-9]{1,3})?([eE][+-]?[0-9]{1,2})?",
        string().prop_map(|s| format!("\"{s}\"")),
    ];
    scalar.prop_recursive(3, 24, 4, |inner| {
        let member = (string(), inner.clone());
        prop_oneof![
            proptest::collection::vec(inner, 0..4).prop_map(|v| format!("[{}]", v.join(", "))),
            proptest::collection::vec(member, 0..4).prop_map(|members| {
                let members: Vec<_> = members.iter().map(|(k, v)| format!("\"{k}\":{v}")).collect();
                format!("{{ {} }}", members.join(" ,\n"))
            }),
        ]
    })
}

/// What stands between the quotes of a JSON string.
pub fn string() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[a-zA-Z0-9 :._-]{0,12}",
        1 => prop_oneof![Just("\\n"), Just("\\\""), Just("\\\\"), Just("\\u0061"), Just("\\ud83e"), Just("é🧹"), Just("{"), Just("],")]
            .prop_map(str::to_owned),
    ];
    proptest::collection::vec(piece, 0..4).prop_map(|v| v.concat())
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
        let _ = parse_bytes(&bytes);
    }

    #[test]
    fn every_cut_of_an_index_is_damage(value in value(), at in any::<proptest::sample::Index>()) {
        let text = format!("{{\"agent:main:main\":{value},\"b\":{{\"sessionId\":\"x\"}}}}");
        prop_assert!(parse_bytes(text.as_bytes()).is_ok());
        let cut = at.index(text.len());
        prop_assert!(parse_bytes(&text.as_bytes()[..cut]).is_err());
    }

    #[test]
    fn rows_agree_with_serde_json(rows in proptest::collection::vec((string(), value()), 0..6)) {
        use serde_json::value::RawValue;
        let members: Vec<_> = rows.iter().map(|(k, v)| format!("\"{k}\": {v}")).collect();
        let text = format!("{{{}}}", members.join(","));
        let index = index(&text);
        let ours: Vec<_> = index.rows.iter().map(|r| (r.key.span.of(&index.bytes), r.value.of(&index.bytes))).collect();
        let theirs: Vec<_> = rows.iter().map(|(k, v)| (k.as_bytes(), v.as_bytes())).collect();
        prop_assert_eq!(ours, theirs);
        prop_assert!(serde_json::from_str::<&RawValue>(&text).is_ok());
    }
}
