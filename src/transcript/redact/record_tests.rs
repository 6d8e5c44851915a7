use std::cell::RefCell;

use proptest::prelude::*;

use super::*;
use crate::model::export::ExportHead;
use crate::report::export::{html::Page, markdown::Document};
use crate::transcript::index::Index;
use crate::transcript::node::Node;
use crate::transcript::tree::{Tree, View};
use crate::transcript::turn::turn;

fn cleaner(values: &[&str]) -> Cleaner {
    Cleaner::new(Some(Redactor::new(values.iter().map(|v| (*v).to_owned()))))
}

fn sifted(clean: &Cleaner, text: &[u8], step: usize) -> String {
    let mut out = Vec::new();
    let mut sieve = Sieve::new(clean, &mut out);
    text.chunks(step).for_each(|piece| sieve.feed(piece).unwrap());
    sieve.end().unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn what_is_no_secret_keeps_its_bytes() {
    let text = r#" {"type" : "message","id":"a\u0062c\/","x":[1e400,-0.50,true,null,"\ud83e",{"totalTokens":12345678}],"token":null,"password":"${PW}","b":"a short one"} "#;
    for step in [1, 2, 7, 1000] {
        assert_eq!(sifted(&cleaner(&["password1"]), text.as_bytes(), step), text);
    }
}

#[test]
fn strings_are_cleaned_in_every_spelling() {
    let secret = "p\"a\\s<s é🦀";
    for (text, want) in [
        (r#"{"a":"x p\"a\\s<s é🦀 y"}"#, r#"{"a":"x [redacted] y"}"#),
        (
            r#"{"a":"x \u0070\u0022\u0061\u005c\u0073\u003c\u0073\u0020\u00e9\ud83e\udd80 y"}"#,
            r#"{"a":"x [redacted] y"}"#,
        ),
        (r#"{"a":"{\"k\":\"p\\\"a\\\\s<s \\u00e9🦀\"}\n"}"#, r#"{"a":"{\"k\":\"[redacted]\"}\n"}"#),
        (r#"{"a":"p&quot;a\\s&lt;s &#233;&#x1f980;"}"#, r#"{"a":"[redacted]"}"#),
        (r#"{"a":"?k=p%22a%5Cs%3Cs%20%C3%A9%F0%9F%A6%80&b=1"}"#, r#"{"a":"?k=[redacted]&b=1"}"#),
        (r#"{"a":"?k=p%22a%5Cs%3Cs+%C3%A9%F0%9F%A6%80&b=1"}"#, r#"{"a":"?k=[redacted]&b=1"}"#),
        (r#"{"p\"a\\s<s é🦀":1}"#, r#"{"[redacted]":1}"#),
    ] {
        for step in [1, 5, 1000] {
            assert_eq!(sifted(&cleaner(&[secret]), text.as_bytes(), step), want);
        }
    }
}

#[test]
fn a_value_may_come_before_its_name() {
    for (text, want) in [
        (r#"{"value":"S3cret","name":"DB_PASSWORD"}"#, r#"{"value":"[redacted]","name":"DB_PASSWORD"}"#),
        (
            r#"{"value":"S3cret","x":{"a":[1]},"key":"API_KEY","b":2}"#,
            r#"{"value":"[redacted]","x":{"a":[1]},"key":"API_KEY","b":2}"#,
        ),
        (r#"{"Key":"DB_PASSWORD","Value":"S3cret"}"#, r#"{"Key":"DB_PASSWORD","Value":"[redacted]"}"#),
        (r#"{"name":"DB_PASSWORD","x":{},"value":"S3cret"}"#, r#"{"name":"DB_PASSWORD","x":{},"value":"[redacted]"}"#),
        (
            r#"{"value":"S3cret","x":{"value":"plain text","name":"colour"},"name":"DB_PASSWORD"}"#,
            r#"{"value":"[redacted]","x":{"value":"plain text","name":"colour"},"name":"DB_PASSWORD"}"#,
        ),
        (r#"[{"value":"plain"},{"name":"DB_PASSWORD"}]"#, r#"[{"value":"plain"},{"name":"DB_PASSWORD"}]"#),
        (r#"{"value":"plain","name":"colour"}"#, r#"{"value":"plain","name":"colour"}"#),
        (
            r#"{"t":"{\"value\":\"S3cret\",\"name\":\"DB_PASSWORD\"}"}"#,
            r#"{"t":"{\"value\":\"[redacted]\",\"name\":\"DB_PASSWORD\"}"}"#,
        ),
        (r#"{"value":{"a":"S3cret"},"name":"DB_PASSWORD"}"#, r#"{"value":{"a":"[redacted]"},"name":"DB_PASSWORD"}"#),
        (
            r#"{"value":[{"value":"S3cret","name":"colour"}],"b":"blue","name":"DB_PASSWORD"}"#,
            r#"{"value":[{"value":"[redacted]","name":"[redacted]"}],"b":"blue","name":"DB_PASSWORD"}"#,
        ),
        (
            r#"{"name":"DB_PASSWORD","value":{"a":["S3cret"]}}"#,
            r#"{"name":"DB_PASSWORD","value":{"a":["[redacted]"]}}"#,
        ),
        (r#"{"value":{"a":"plain"},"name":"colour"}"#, r#"{"value":{"a":"plain"},"name":"colour"}"#),
        (r#"{"value":"torn S3cret"#, r#"{"value":"torn S3cret"#),
    ] {
        for step in [1, 7, 1000] {
            assert_eq!(sifted(&cleaner(&[]), text.as_bytes(), step), want);
        }
    }
}

#[test]
fn passwords_in_lists_of_arguments() {
    for (text, want) in [
        (r#"["mysql","-u","me","-phunter2","db"]"#, r#"["mysql","-u","me","-p[redacted]","db"]"#),
        (r#"["/usr/bin/curl","-u","me:hunter2","http://h"]"#, r#"["/usr/bin/curl","-u","me:[redacted]","http://h"]"#),
        (r#"["sshpass","-p","two words","ssh"]"#, r#"["sshpass","-p","[redacted]","ssh"]"#),
        (r#"["ls","-phunter2"]"#, r#"["ls","-phunter2"]"#),
        (r#"["mysql",["-phunter2"]]"#, r#"["mysql",["-phunter2"]]"#),
    ] {
        for step in [1, 7, 1000] {
            assert_eq!(sifted(&cleaner(&[]), text.as_bytes(), step), want);
        }
    }
}

#[test]
fn names_and_options_say_what_is_secret() {
    for (text, want) in [
        (r#"{"password":"two words","b":"two words"}"#, r#"{"password":"[redacted]","b":"two words"}"#),
        (r#"{"api_key" : 1234567,"n":1234567}"#, r#"{"api_key" : "[redacted]","n":1234567}"#),
        (r#"["run","--token","abcd efgh","--token-file","x"]"#, r#"["run","--token","[redacted]","--token-file","x"]"#),
        (r#"{"a":"--token","b":"words"}"#, r#"{"a":"--token","b":"words"}"#),
        (r#"["mysql","-u","root","-phunter2","db"]"#, r#"["mysql","-u","root","-p[redacted]","db"]"#),
        (r#"{"a":123456}"#, r#"{"a":123456}"#),
        (r#"{"a":987654}"#, r#"{"a":"[redacted]"}"#),
        (
            r#"{"id":"987654","parentId":"123-987654","targetId":"987654"}"#,
            r#"{"id":"[redacted]","parentId":"[redacted]-2","targetId":"[redacted]"}"#,
        ),
    ] {
        assert_eq!(sifted(&cleaner(&["987654"]), text.as_bytes(), 3), want);
    }
}

#[test]
fn lists_objects_and_pairs_are_secrets_as_a_whole() {
    for (text, want) in [
        (
            r#"{"password":["abcd",{"k":"efgh"}],"b":"ijkl"}"#,
            r#"{"password":["[redacted]",{"k":"[redacted]"}],"b":"ijkl"}"#,
        ),
        (
            r#"{"tokens":{"input":123456,"x":["abcd"]},"b":["ijkl"]}"#,
            r#"{"tokens":{"input":123456,"x":["[redacted]"]},"b":["ijkl"]}"#,
        ),
        (
            r#"[{"name":"DB_PASSWORD","value":"abcd"},{"name":"HOME","value":"/root"}]"#,
            r#"[{"name":"DB_PASSWORD","value":"[redacted]"},{"name":"HOME","value":"/root"}]"#,
        ),
        (
            r#"{"STRIPE_KEY":"abcd","DB_PASS":"efgh","sessionKey":"main"}"#,
            r#"{"STRIPE_KEY":"[redacted]","DB_PASS":"[redacted]","sessionKey":"main"}"#,
        ),
    ] {
        for step in [1, 5, 1000] {
            assert_eq!(sifted(&cleaner(&[]), text.as_bytes(), step), want);
        }
    }
}

#[test]
fn a_secret_may_be_longer_than_a_piece() {
    let overlap = crate::transcript::redact::redactor::OVERLAP;
    for (open, close) in [("MY_SECRET=", " b"), (r#"MY_SECRET=\""#, r#"\" b"#)] {
        for len in [27_000, PIECE + overlap + 5, 3 * PIECE] {
            let fill = "x y ".repeat((PIECE - 300) / 4);
            let text = format!(r#"{{"a":"{fill}{open}{}{close}"}}"#, "k9Qz".repeat(len / 4));
            let out = sifted(&cleaner(&[]), text.as_bytes(), 70_000);
            assert!(!out.contains("k9Qz") && out.ends_with(" b\"}"), "{open} {len}");
        }
    }
}

#[test]
fn a_long_string_is_looked_at_in_pieces_that_overlap() {
    let secret = "q\"uite a secret";
    let written = r#"q\"uite a\u0020secret"#;
    for before in [
        PIECE - 30,
        PIECE - 10,
        PIECE,
        PIECE + crate::transcript::redact::redactor::OVERLAP - 10,
        PIECE + crate::transcript::redact::redactor::OVERLAP,
        2 * PIECE + crate::transcript::redact::redactor::OVERLAP,
    ] {
        let fill = r"\n\\x\ud83e\udd80".repeat(before / 17 + 1);
        let text = format!(r#"{{"a":"{} {written} {fill}"}}"#, &fill[..before / 17 * 17]);
        let out = sifted(&cleaner(&[secret]), text.as_bytes(), 70_000);
        assert_eq!(out, text.replace(written, HIDDEN), "{before}");
    }
    let long = format!(r#"{{"token":"{}","b":1}}"#, "x y ".repeat(PIECE));
    assert_eq!(sifted(&cleaner(&[]), long.as_bytes(), 70_000), r#"{"token":"[redacted]","b":1}"#);
}

/// Ways in which a text may hold a secret.
fn spellings(secret: &str) -> Vec<String> {
    let json = |text: &str| serde_json::to_string(text).unwrap().trim_matches('"').to_owned();
    let json = |text: &str| {
        let quoted = json(text);
        // Trimming may have taken a quote of the text.
        let whole = serde_json::to_string(text).unwrap();
        if quoted.len() + 2 == whole.len() { quoted } else { whole[1..whole.len() - 1].to_owned() }
    };
    let units = |text: &str| text.encode_utf16().map(|u| format!("\\u{u:04x}")).collect::<String>();
    let html = |text: &str| {
        text.replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('>', "&gt;")
            .replace('"', "&quot;")
            .replace('\'', "&#39;")
    };
    let percent = |text: &str| {
        text.bytes()
            .map(|b| if b.is_ascii_alphanumeric() { char::from(b).to_string() } else { format!("%{b:02X}") })
            .collect::<String>()
    };
    vec![
        secret.to_owned(),
        json(secret),
        json(&json(secret)),
        units(secret),
        html(secret),
        percent(secret),
        json(&html(secret)),
        html(&json(secret)),
        percent(&json(secret)),
    ]
}

/// Entries of every kind that hold a text.
fn records(text: &str, units: bool) -> String {
    use serde_json::json;
    let message = |id: &str, parent: Option<&str>, message| json!({"type": "message", "id": id, "parentId": parent, "timestamp": "2026-05-01T08:00:00.000Z", "message": message});
    let all = [
        json!({"type": "session", "version": 3, "id": "s", "timestamp": text, "cwd": text}),
        message("a", None, json!({"role": "user", "content": text})),
        message(
            text,
            Some("a"),
            json!({"role": "assistant", "provider": text, "model": "m", "stopReason": "error", "errorMessage": text,
            "content": [{"type": "thinking", "thinking": text}, {"type": "text", "text": format!("**{text}** `{text}`\n# {text}\n")}, {"type": "toolCall", "id": "c", "name": text, "arguments": {text: [text, {"cmd": text}]}}]}),
        ),
        message(
            "r",
            Some(text),
            json!({"role": "toolResult", "toolCallId": "c", "toolName": text, "isError": false, "content": [{"type": "text", "text": text}, {"type": "image", "mimeType": text, "data": text}]}),
        ),
        message("x", Some("r"), json!({"role": "bashExecution", "command": text, "output": text, "exitCode": 1})),
        message("o", Some("x"), json!({"role": text, "content": [text]})),
        json!({"type": "compaction", "id": "k", "parentId": "o", "summary": text, "firstKeptEntryId": text, "tokensBefore": 3}),
        json!({"type": "label", "id": "l", "parentId": "k", "targetId": text, "label": text}),
        json!({"type": "session_info", "id": "n", "parentId": "l", "name": text}),
        json!({"type": "custom_message", "id": "m", "parentId": "n", "customType": text, "content": text}),
        json!({"type": "model_change", "id": "d", "parentId": "m", "provider": "p", "modelId": text}),
        json!({"type": text, "id": "e", "parentId": "d", text: text}),
    ];
    let line = |value: &serde_json::Value| {
        let text = value.to_string();
        if !units {
            return text + "\n";
        }
        // Every letter of every string as an escape.
        let escaped: String = text
            .chars()
            .flat_map(|c| {
                if c.is_alphabetic() && !c.is_ascii() {
                    c.encode_utf16(&mut [0; 2]).iter().map(|u| format!("\\u{u:04x}")).collect::<String>()
                } else {
                    c.to_string()
                }
                .chars()
                .collect::<Vec<_>>()
            })
            .collect();
        escaped + "\n"
    };
    all.iter().map(line).collect()
}

/// The text in each format, without its secrets.
fn exported(data: &str, clean: &Cleaner) -> [String; 3] {
    let index = Index::of_end(data.as_bytes(), 0).unwrap();
    let tree = Tree::of(&index, View::Gateway);
    let active = tree.active();
    assert_eq!(active.entries.len(), 11);
    let (mut page, mut document) = (Vec::new(), Vec::new());
    let head = ExportHead { title: "t".into(), ..ExportHead::default() };
    {
        let page = RefCell::new(Page::begin(&mut page, &head, true).unwrap());
        let document = RefCell::new(Document::begin(&mut document, &head).unwrap());
        for at in &active.entries {
            let entry = index.entries.get(*at);
            let from = usize::try_from(entry.offset()).unwrap();
            let text = &data.as_bytes()[from..from + entry.len as usize];
            let turn = turn(entry, Node::new(text, &[]), clean);
            page.borrow_mut().turn(&turn).unwrap();
            document.borrow_mut().turn(&turn).unwrap();
        }
        page.into_inner().end("").unwrap();
        document.into_inner().end("").unwrap();
    }
    let lines = data.lines().map(|line| sifted(clean, line.as_bytes(), 11) + "\n").collect();
    [String::from_utf8(page).unwrap(), String::from_utf8(document).unwrap(), lines]
}

fn plain(html: &str) -> String {
    html.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#39;", "'").replace("&amp;", "&")
}

/// Whether a secret is to be read in a text, also behind the escapes of its format.
fn is_in(secret: &str, text: &str) -> bool {
    let unescaped = text.replace('\\', "");
    text.contains(secret) || plain(text).contains(secret) || plain(&unescaped).contains(secret)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn no_value_of_the_configuration_is_in_any_export(
        body in prop::collection::vec(prop::sample::select("aZ7\"\\<>&% é🦀\n/'*_`=:,".chars().collect::<Vec<_>>()), 4..14),
        around in "[a-z ]{0,3}",
        units in any::<bool>(),
    ) {
        let secret = format!("k9{}q", body.into_iter().collect::<String>());
        for spelling in spellings(&secret) {
            let clean = cleaner(&[&secret]);
            let data = records(&format!("{around}{spelling}{around}"), units);
            let [page, document, lines] = exported(&data, &clean);
            for (format, text) in [("html", &page), ("markdown", &document), ("jsonl", &lines)] {
                prop_assert!(!is_in(&secret, text), "{format}: {secret:?} as {spelling:?}\n{text}");
                prop_assert!(!text.contains(&spelling), "{format}: {spelling:?}\n{text}");
            }
            prop_assert_eq!(lines.lines().count(), 12);
            for line in lines.lines() {
                let value: serde_json::Value = serde_json::from_str(line).unwrap();
                prop_assert!(!holds(&value, &secret) && !holds(&value, &spelling), "{line}");
            }
            let tree: Vec<serde_json::Value> = lines.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
            prop_assert_eq!(&tree[2]["id"], &tree[3]["parentId"]);
        }
    }
}

fn holds(value: &serde_json::Value, secret: &str) -> bool {
    use serde_json::Value;
    match value {
        Value::String(text) => text.contains(secret),
        Value::Array(items) => items.iter().any(|v| holds(v, secret)),
        Value::Object(map) => map.iter().any(|(name, v)| name.contains(secret) || holds(v, secret)),
        _ => false,
    }
}
