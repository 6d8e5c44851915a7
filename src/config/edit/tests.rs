//! Edits by hand-made texts; generated ones are in tests/doctor_edits.rs.

use serde_json::{Value, json};

use super::files::{Source, Sources};
use super::{diff, tree, verify};

/// The text after a change of its value.
#[track_caller]
fn edited(text: &str, change: impl Fn(&mut Value)) -> String {
    let mut value = verify::read(text).unwrap().root.value();
    change(&mut value);
    verify::edit(text, &value).unwrap_or_else(|why| panic!("{why}\n{text}")).text
}

fn remove(root: &mut Value, pointer: &str) {
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    root.pointer_mut(parent).unwrap().as_object_mut().unwrap().shift_remove(key).unwrap();
}

fn set(root: &mut Value, pointer: &str, value: Value) {
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    root.pointer_mut(parent).unwrap().as_object_mut().unwrap().insert(key.to_owned(), value);
}

#[test]
fn a_removed_key_takes_its_line_and_leaves_every_comment() {
    let text =
        "// top\n{\n  // about a\n  a: 1, // behind a\n  /* about b */\n  b: 0x10, // behind b\n  'c': +.5,\n}\n";
    let without_b = "// top\n{\n  // about a\n  a: 1, // behind a\n  /* about b */\n  // behind b\n  'c': +.5,\n}\n";
    assert_eq!(edited(text, |v| remove(v, "/b")), without_b);
    let without_a = "// top\n{\n  // about a\n  // behind a\n  /* about b */\n  b: 0x10, // behind b\n  'c': +.5,\n}\n";
    assert_eq!(edited(text, |v| remove(v, "/a")), without_a);
    let without_c = "// top\n{\n  // about a\n  a: 1, // behind a\n  /* about b */\n  b: 0x10, // behind b\n}\n";
    assert_eq!(edited(text, |v| remove(v, "/c")), without_c);
}

#[test]
fn commas_stay_as_the_text_has_them() {
    for (text, key, after) in [
        ("{ a: 1, b: 2 }", "/a", "{ b: 2 }"),
        ("{ a: 1, b: 2 }", "/b", "{ a: 1 }"),
        ("{ a: 1, b: 2, }", "/b", "{ a: 1, }"),
        ("{a:1,b:2}", "/b", "{a:1}"),
        ("{a:1,b:2}", "/a", "{b:2}"),
        ("{ a: 1 }", "/a", "{ }"),
        ("{\n  \"a\": 1,\n  \"b\": 2\n}\n", "/b", "{\n  \"a\": 1\n}\n"),
        ("{\r\n\t\"a\": 1,\r\n\t\"b\": 2\r\n}\r\n", "/a", "{\r\n\t\"b\": 2\r\n}\r\n"),
        ("\u{feff}{ a: 1 /* x */, b: 2 }", "/a", "\u{feff}{ /* x */ b: 2 }"),
        ("{ a: // why\n  1, b: 2 }", "/a", "{ // why\n b: 2 }"),
        ("{ a: 1, a: 2, b: 3 }", "/a", "{ b: 3 }"),
    ] {
        assert_eq!(edited(text, |v| remove(v, key)), after, "{text}");
    }
}

#[test]
fn added_keys_look_like_their_neighbours() {
    for (text, at, after) in [
        ("{ a: 1 }", "/n", "{ a: 1, n: true }"),
        ("{ a: 1, }", "/n", "{ a: 1, n: true, }"),
        ("{\"a\":1}", "/n", "{\"a\":1,\"n\":true}"),
        ("{}", "/n", "{ \"n\": true }"),
        ("{ a: {} }", "/a/n", "{ a: { n: true } }"),
        ("{\n    'a': 1\n}\n", "/n", "{\n    'a': 1,\n    'n': true\n}\n"),
        ("{\r\n\ta: 1, // x\r\n}", "/n", "{\r\n\ta: 1, // x\r\n\tn: true,\r\n}"),
        ("{\n  a: 1 // x\n}", "/n", "{\n  a: 1, // x\n  n: true\n}"),
        ("{\n  a: {\n    // empty\n  },\n}", "/a/n", "{\n  a: {\n    n: true\n    // empty\n  },\n}"),
    ] {
        let tight = after.replace("\"a\":1, ", "\"a\":1,");
        assert_eq!(edited(text, |v| set(v, at, json!(true))), tight, "{text}");
    }
}

#[test]
fn what_moves_keeps_how_it_was_written() {
    let text = "{\n  memory: {\n    // odd numbers\n    size: 0x10, name: 'x', big: 1e400,\n  },\n  agents: { defaults: { } },\n}\n";
    let moved = edited(text, |v| {
        let memory = v["memory"].clone();
        remove(v, "/memory");
        set(v, "/agents/defaults/memory", memory);
    });
    assert_eq!(
        moved,
        "{\n  agents: { defaults: { memory: {\n    // odd numbers\n    size: 0x10, name: 'x', big: 1e400,\n  } } },\n}\n"
    );
    let renamed = edited("{ a: { ttlHours: 0x18 /* a day */ } }", |v| {
        let old = v["a"]["ttlHours"].clone();
        remove(v, "/a/ttlHours");
        set(v, "/a/idleHours", old);
    });
    assert_eq!(renamed, "{ a: { idleHours: 0x18 /* a day */ } }");
}

#[test]
fn values_change_in_place() {
    let text = "{ a: 'x', b: [1, 2, 3,], c: [{ k: 1 }] } // end";
    assert_eq!(
        edited(text, |v| set(v, "/a", json!("it's"))),
        "{ a: \"it's\", b: [1, 2, 3,], c: [{ k: 1 }] } // end".replace('"', "'").replace("it's", "it\\'s")
    );
    assert_eq!(edited(text, |v| set(v, "/b", json!([1, 3]))), "{ a: 'x', b: [1, 3,], c: [{ k: 1 }] } // end");
    assert_eq!(
        edited(text, |v| set(v, "/b", json!([1, 2, 3, 4]))),
        "{ a: 'x', b: [1, 2, 3, 4,], c: [{ k: 1 }] } // end"
    );
    assert_eq!(edited(text, |v| set(v, "/c/0/k", json!(2))), "{ a: 'x', b: [1, 2, 3,], c: [{ k: 2 }] } // end");
}

#[test]
fn numbers_that_are_not_finite_stay_numbers() {
    let text = "{ x: { n: -Infinity, m: NaN } }";
    let moved = edited(text, |v| {
        let x = v["x"].clone();
        remove(v, "/x");
        set(v, "/y", json!({ "inner": x["n"], "m": x["m"] }));
    });
    assert_eq!(
        tree::plain(&verify::read(&moved).unwrap().root.value()),
        json!({"y": {"inner": "-Infinity", "m": "NaN"}})
    );
    assert!(moved.contains(": -Infinity") && moved.contains(": NaN"), "{moved}");
}

fn sources(files: &[(&str, &str)]) -> Sources {
    Sources(files.iter().map(|(p, t)| Source { path: (*p).into(), text: (*t).to_owned() }).collect())
}

fn changed(mut sources: Sources, change: &dyn Fn(&mut Value)) -> Result<Vec<String>, String> {
    let edits = sources.change(change)?;
    sources.accept(edits);
    Ok(sources.0.into_iter().map(|s| s.text).collect())
}

#[test]
fn a_key_goes_from_the_file_that_holds_it() {
    let drop_it = |v: &mut Value| {
        if let Some(session) = v.get_mut("session").and_then(Value::as_object_mut) {
            session.shift_remove("parentForkMaxTokens");
        }
    };
    let files = sources(&[
        ("/c/main.json", "{ session: { $include: './s.json5' }, x: 1 }"),
        ("/c/s.json5", "{ parentForkMaxTokens: 5, scope: '${SCOPE}' } // mine"),
    ]);
    assert_eq!(
        changed(files, &drop_it).unwrap(),
        ["{ session: { $include: './s.json5' }, x: 1 }", "{ scope: '${SCOPE}' } // mine"]
    );
    // In both: from both, or it would come back.
    let files = sources(&[
        ("/c/main.json", "{ $include: ['a.json'], session: { parentForkMaxTokens: 1 } }"),
        ("/c/a.json", "{ session: { parentForkMaxTokens: 2, scope: 'x' } }"),
    ]);
    assert_eq!(
        changed(files, &drop_it).unwrap(),
        ["{ $include: ['a.json'], session: { } }", "{ session: { scope: 'x' } }"]
    );
}

#[test]
fn nothing_moves_from_file_to_file() {
    let move_it = |v: &mut Value| {
        let Some(old) = v.as_object_mut().and_then(|m| m.shift_remove("memorySearch")) else { return };
        v["agents"]["defaults"]["memorySearch"] = old;
    };
    // The directive moves, the file stays as it is.
    let files = sources(&[
        ("/c/main.json", "{ memorySearch: { $include: 'm.json' }, agents: { defaults: {} } }"),
        ("/c/m.json", "{ apiKey: 'secret' }"),
    ]);
    assert_eq!(
        changed(files, &move_it).unwrap(),
        ["{ agents: { defaults: { memorySearch: { $include: 'm.json' } } } }", "{ apiKey: 'secret' }"]
    );
    // At the root of an included file it moves inside that file.
    let files = sources(&[("/c/main.json", "{ $include: 'a.json' }"), ("/c/a.json", "{ memorySearch: { a: 1 } }")]);
    let after = changed(files, &move_it).unwrap();
    assert_eq!(after[0], "{ $include: 'a.json' }");
    assert_eq!(after[1], "{ agents: { defaults: { memorySearch: { a: 1 } } } }");
}

#[test]
fn a_diff_hides_secrets_and_shows_token_counts() {
    let text =
        diff::unified("c", "{\n  maxTokens: 5,\n  token: 'x',\n  a: 1,\n}\n", "{\n  maxTokens: 6,\n  token: 'x',\n}\n");
    assert!(text.contains("-  maxTokens: 5,") && text.contains("+  maxTokens: 6,") && !text.contains("'x'"), "{text}");
    let keys = diff::by_key(&json!({"a": {"apiKey": "k", "b": 1}}), &json!({"a": {"b": 2}, "c": {"password": "p"}}));
    assert_eq!(keys.len(), 3);
    assert!(!keys.join(" ").contains("\"p\""), "{keys:?}");
}
