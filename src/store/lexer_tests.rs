use super::*;
use proptest::prelude::*;

fn check(text: &[u8]) -> Result<(), Fault> {
    let mut lexer = Lexer::new(text, 0);
    lexer.space();
    lexer.value()?;
    lexer.space();
    if lexer.pos() == text.len() { Ok(()) } else { Err(lexer.fault()) }
}

#[test]
fn takes_what_json_parse_takes() {
    for good in [
        "0",
        "-0",
        "1e5",
        "1.5E-3",
        "-1.0e+10",
        "\"\"",
        "true",
        "false",
        "null",
        "[]",
        "{}",
        "[ ]",
        "{ }",
        "[[],{}]",
        r#"{"a":[1,2,{"b":null}],"":""}"#,
        " \t\r\n1 ",
        r#""\ud83e\u00e9\"\\\/\b\f\n\r\t""#,
        "\"\u{2028}\u{7f}\"",
        r#"{"a":1,"a":2}"#,
    ] {
        assert_eq!(check(good.as_bytes()), Ok(()), "{good}");
    }
    assert_eq!(check(b"\"\xff\xfe\""), Ok(()), "invalid utf-8 is content");
}

#[test]
fn refuses_what_json_parse_refuses() {
    use DamageKind::{NulBytes, Syntax, Truncated};
    for (bad, kind, at) in [
        ("01", Syntax, 1),
        ("-", Truncated, 1),
        ("+1", Syntax, 0),
        (".5", Syntax, 0),
        ("1.", Truncated, 2),
        ("1.e3", Syntax, 2),
        ("1e", Truncated, 2),
        ("tru", Truncated, 3),
        ("trux", Syntax, 3),
        ("NaN", Syntax, 0),
        ("[1,]", Syntax, 3),
        ("[1 2]", Syntax, 3),
        ("{\"a\":1,}", Syntax, 7),
        ("{a:1}", Syntax, 1),
        ("{\"a\" 1}", Syntax, 5),
        ("[1}", Syntax, 2),
        ("{\"a\":1]", Syntax, 6),
        ("[", Truncated, 1),
        ("[1,", Truncated, 3),
        ("{\"a\":", Truncated, 5),
        ("\"ab", Truncated, 3),
        ("\"a\nb\"", Syntax, 2),
        ("\"a\0b\"", NulBytes, 2),
        ("\"\\x\"", Syntax, 2),
        ("\"\\u12g4\"", Syntax, 5),
        ("\"\\", Truncated, 2),
        ("'a'", Syntax, 0),
        ("\u{a0}1", Syntax, 0),
        ("[\0\0", NulBytes, 1),
        ("", Truncated, 0),
        ("]", Syntax, 0),
        ("// c\n1", Syntax, 0),
    ] {
        assert_eq!(check(bad.as_bytes()), Err(Fault { kind, at }), "{bad:?}");
    }
}

#[test]
fn nesting_is_counted_not_recursed() {
    let nested = |depth: usize| {
        let mut text = Vec::new();
        for level in 0..depth {
            text.extend_from_slice(if level % 3 == 0 { b"{\"k\":" } else { b"[" });
        }
        text.push(b'1');
        for level in (0..depth).rev() {
            text.push(if level % 3 == 0 { b'}' } else { b']' });
        }
        text
    };
    for depth in [1, 2, 63, 64, 65, 128, 129, 1000, MAX_DEPTH] {
        assert_eq!(check(&nested(depth)), Ok(()), "{depth}");
    }
    assert_eq!(check(&nested(MAX_DEPTH + 1)).map_err(|f| f.kind), Err(DamageKind::TooDeep));
    let mut wrong = nested(200);
    let last = wrong.len() - 100;
    wrong[last] = if wrong[last] == b'}' { b']' } else { b'}' };
    assert!(check(&wrong).is_err(), "a bracket of the other kind 100 levels up");
}

#[test]
fn a_short_whole_number_is_one_that_is_nothing_else() {
    for (text, number) in [
        ("0,", Some(0)),
        ("7}", Some(7)),
        ("123456789012345]", Some(123_456_789_012_345)),
        ("1234567890123456,", None),
        ("00,", None),
        ("012,", None),
        ("-1,", None),
        ("1.5,", None),
        ("1e3,", None),
        ("12 ,", None),
        (",", None),
    ] {
        let padded = format!("{text}                ");
        let mut lexer = Lexer::new(padded.as_bytes(), 0);
        assert_eq!(lexer.short_whole_number(), number, "{text}");
        assert_eq!(lexer.pos(), if number.is_some() { text.len() - 1 } else { 0 }, "{text}");
    }
    assert_eq!(Lexer::new(b"12,", 0).short_whole_number(), None, "too near to the end to look at in one go");
}

proptest! {
    #[test]
    fn agrees_with_serde_json_about_validity(text in "[\\[\\]{}\",:\\\\0-9a-fu .\\-+eEtrlnsu\n\t]{0,24}") {
        let ours = check(text.as_bytes()).is_ok();
        let theirs = serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok();
        prop_assert_eq!(ours, theirs, "{:?}", text);
    }

    #[test]
    fn plain_runs_end_where_a_byte_loop_says(mut bytes in proptest::collection::vec(any::<u8>(), 0..200), sparse in any::<bool>()) {
        if sparse {
            for byte in &mut bytes {
                if *byte < 250 { *byte |= 0x80; }
            }
        }
        for at in 0..=bytes.len() {
            prop_assert_eq!(plain_run(&bytes, at), plain_bytes(&bytes, at));
        }
    }
}
