use std::collections::BTreeMap;

use super::*;
use crate::store::parse::tests::parse_bytes;

/// Numbers that come out the same in every run (splitmix64).
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() % n as u64).unwrap()
    }
}

fn row(nth: usize, dice: &mut Dice) -> (String, serde_json::Value) {
    let id = format!("{:08x}-0000-4000-8000-{nth:012x}", dice.next() as u32);
    let key = match nth % 9 {
        0 => format!("agent:main:telegram:group:-100{nth}"),
        1 => format!("agent:main:cron:job-{nth}:run:{id}"),
        2 => format!("agent:main:dm:caf\u{e9} \"{nth}\" \\ {{x}}"),
        3 => format!("legacy-{nth}"),
        _ => format!("agent:main:direct:user{nth}"),
    };
    let mut value = serde_json::json!({
        "sessionId": id,
        "updatedAt": 1_777_000_000_000_u64 + nth as u64,
        "sessionFile": format!("/home/u/.gateway/agents/main/sessions/{id}.jsonl"),
        "origin": {"provider": "telegram", "label": "a \"quoted\" {label}, \"agent:main:x\": {"},
        "deliveryContext": {},
        "compactionCheckpoints": [{
            "createdAt": 1_777_000_000_000_u64,
            "preCompaction": {"sessionId": id, "sessionFile": format!("{id}.checkpoint.jsonl"), "leafId": "1"},
            "postCompaction": {"sessionId": id},
        }],
        "totalTokens": nth * 7,
    });
    if nth.is_multiple_of(5) {
        value["model"] = "gpt".into();
        value["skillsSnapshot"] = serde_json::json!({"prompt": "line\nline", "skills": [{"name": "a"}, {"name": "b"}]});
    }
    (key, value)
}

/// An index of `n` rows, and each row's bytes.
fn state(n: usize, pretty: bool) -> (Vec<u8>, Vec<std::ops::Range<usize>>) {
    let mut dice = Dice(n as u64);
    let map: serde_json::Map<String, serde_json::Value> = (0..n).map(|nth| row(nth, &mut dice)).collect();
    let text = if pretty { serde_json::to_vec_pretty(&map) } else { serde_json::to_vec(&map) }.unwrap();
    let index = parse_bytes(&text).unwrap();
    let spans = index.rows.iter().map(|r| r.key.span.start as usize - 1..r.value.end as usize).collect();
    (text, spans)
}

type Rows = BTreeMap<Vec<u8>, Vec<u8>>;

fn saved(buf: &[u8]) -> Rows {
    let salvage = salvage(buf);
    assert!(!salvage.gave_up);
    // What is rendered is an index with exactly these rows.
    let again = parse_bytes(&salvage.render(buf)).unwrap();
    assert_eq!(again.rows.len(), salvage.rows.len());
    let pair = |r: &Row| (r.key.span.of(buf).to_vec(), r.value.of(buf).to_vec());
    let rows: Rows = salvage.rows.iter().map(pair).collect();
    let rendered = again.rows.iter().map(|r| (r.key.span.of(&again.bytes).to_vec(), r.value.of(&again.bytes).to_vec()));
    assert_eq!(rows, rendered.collect());
    rows
}

fn pieces(text: &[u8], spans: impl Iterator<Item = std::ops::Range<usize>>) -> Rows {
    spans
        .map(|span| {
            let mut scanner = RowScanner::new(text, span.start);
            let row = scanner.row().unwrap();
            (row.key.span.of(text).to_vec(), row.value.of(text).to_vec())
        })
        .collect()
}

fn name(key: &[u8]) -> String {
    String::from_utf8_lossy(key).into_owned()
}

fn assert_same(got: &Rows, want: &Rows, what: &str) {
    let missing: Vec<_> = want.iter().filter(|(k, v)| got.get(*k) != Some(v)).map(|(k, _)| name(k)).collect();
    let extra: Vec<_> = got.iter().filter(|(k, v)| want.get(*k) != Some(v)).map(|(k, v)| (name(k), name(v))).collect();
    assert!(missing.is_empty() && extra.is_empty(), "{what}: missing {missing:?}, invented {extra:?}");
}

fn cut_everywhere(rows: usize, pretty: bool, step: usize) {
    let (text, spans) = state(rows, pretty);
    for cut in (0..text.len()).step_by(step) {
        let want = pieces(&text, spans.iter().filter(|s| s.end <= cut).cloned());
        assert_same(&saved(&text[..cut]), &want, &format!("cut at {cut}"));
    }
}

fn full() -> bool {
    std::env::var_os("CLAWKEEP_FULL_PROOF").is_some()
}

#[test]
fn an_index_cut_at_every_byte_gives_every_row_before_the_cut() {
    // Every byte of a small index, and of one with 200 rows every 97th or 89th: every byte of that one is the long proof.
    cut_everywhere(12, true, 1);
    cut_everywhere(12, false, 1);
    cut_everywhere(200, true, if full() { 1 } else { 97 });
    cut_everywhere(200, false, if full() { 1 } else { 89 });
}

/// One way of damaging a text.
struct Damaged {
    bytes: Vec<u8>,
    /// Stretches of the original that are whole in it.
    whole: Vec<std::ops::Range<usize>>,
    what: String,
}

fn damage(text: &[u8], dice: &mut Dice) -> Damaged {
    let len = text.len();
    let at = dice.below(len);
    let size = 1 + dice.below(3000);
    let end = (at + size).min(len);
    match dice.below(5) {
        // A power cut: blocks that were never written.
        0 => {
            let mut bytes = text.to_vec();
            bytes[at..end].fill(0);
            Damaged { bytes, whole: vec![0..at, end..len], what: format!("NUL bytes {at}..{end}") }
        }
        // Written over with something else.
        1 => {
            let mut bytes = text.to_vec();
            for b in &mut bytes[at..end] {
                *b = dice.next().to_le_bytes()[0];
            }
            Damaged { bytes, whole: vec![0..at, end..len], what: format!("noise {at}..{end}") }
        }
        // A stretch is gone.
        2 => {
            let bytes = [&text[..at], &text[end..]].concat();
            Damaged { bytes, whole: vec![0..at, end..len], what: format!("without {at}..{end}") }
        }
        // A stretch of the same text in the wrong place.
        3 => {
            let from = dice.below(len);
            let to = (from + size).min(len);
            let bytes = [&text[..at], &text[from..to], &text[at..]].concat();
            // A stretch that comes twice goes on at one of its ends.
            let (before, after) = (if from == at { to } else { at }, if to == at { from } else { at });
            Damaged {
                bytes,
                whole: vec![0..before, after..len, from..to],
                what: format!("{from}..{to} put in at {at}"),
            }
        }
        // Two roots: a whole one and the end, or the beginning, of another.
        _ => {
            let (bytes, part) = if dice.below(2) == 0 {
                ([text, &text[at..]].concat(), at..len)
            } else {
                ([text, &text[..at]].concat(), 0..at)
            };
            Damaged { bytes, whole: vec![0..len, part.clone()], what: format!("doubled by {part:?}") }
        }
    }
}

/// Rows of the original that lie whole in one of the stretches.
fn expected(text: &[u8], spans: &[std::ops::Range<usize>], whole: &[std::ops::Range<usize>]) -> Rows {
    let inside = |row: &&std::ops::Range<usize>| whole.iter().any(|w| w.start <= row.start && row.end <= w.end);
    pieces(text, spans.iter().filter(inside).cloned())
}

/// Joins that leave one sound row of two halves are not damage that any reader of JSON could see: such a row is not
/// held against the salvage. Everything else is.
fn is_seamless(buf: &[u8], key: &[u8], value: &[u8], original: &Rows) -> bool {
    let text = [b"{\"", key, b"\":", value, b"}"].concat();
    let sound = serde_json::from_slice::<serde_json::Value>(&text).is_ok();
    sound && original.get(key) != Some(&value.to_vec()) && memchr::memmem::find(buf, value).is_some()
}

/// Damage that happens to end before an escaped quote inside a key, or noise that ends with one, leaves the rest of the
/// key (or all of it), and the whole value (so does a second root that begins there): nobody can tell that from a row that begins where the damage ends.
fn is_half_key(key: &[u8], value: &[u8], want: &Rows, original: &Rows) -> bool {
    let ends_like_it = |(k, v): (&Vec<u8>, &Vec<u8>)| v == value && k.ends_with(key);
    !want.contains_key(key) && original.iter().any(ends_like_it)
}

/// A few bytes of noise inside one string leave a row that every reader of JSON takes: it is kept as it is.
fn is_touched_inside_a_string(key: &[u8], value: &[u8], original: &Rows) -> bool {
    let text = [b"{\"", key, b"\":", value, b"}"].concat();
    let sound = serde_json::from_str::<serde_json::Value>(&String::from_utf8_lossy(&text)).is_ok();
    let same_but_for_noise = |(k, v): (&Vec<u8>, &Vec<u8>)| {
        let differ = |a: &[u8], b: &[u8]| a.iter().zip(b).filter(|(a, b)| a != b).count();
        k.len() == key.len() && v.len() == value.len() && (differ(k, key) == 0) != (differ(v, value) == 0)
    };
    sound && original.iter().any(same_but_for_noise)
}

/// Noise that begins with the brace that closes a row leaves its first fields as a sound one.
fn is_closed_by_noise(key: &[u8], value: &[u8], original: &Rows) -> bool {
    let whole = original.get(key).filter(|whole| whole.len() > value.len());
    value.split_last().is_some_and(|(last, rest)| *last == b'}' && whole.is_some_and(|whole| whole.starts_with(rest)))
}

fn random_damage(rows: usize, pretty: bool, rounds: usize, seed: u64) {
    let (text, spans) = state(rows, pretty);
    let original = pieces(&text, spans.iter().cloned());
    let mut dice = Dice(seed);
    let mut seamless = 0;
    for round in 0..rounds {
        let damaged = damage(&text, &mut dice);
        let what = format!("round {round}: {}", damaged.what);
        let want = expected(&text, &spans, &damaged.whole);
        let mut got = saved(&damaged.bytes);
        if !damaged.what.starts_with("without") && !damaged.what.contains("put in") {
            let halves: Vec<_> =
                got.iter().filter(|(k, v)| is_half_key(k, v, &want, &original)).map(|(k, _)| k.clone()).collect();
            assert!(halves.len() <= 1, "{what}: {halves:?}");
            seamless += halves.len();
            halves.iter().for_each(|key| drop(got.remove(key)));
        }
        if damaged.what.starts_with("noise") {
            let touched: Vec<_> = got
                .iter()
                .filter(|(k, v)| want.get(*k) != Some(v))
                .filter(|(k, v)| is_touched_inside_a_string(k, v, &original) || is_closed_by_noise(k, v, &original))
                .map(|(k, _)| k.clone())
                .collect();
            assert!(touched.len() <= 1, "{what}: {touched:?}");
            seamless += touched.len();
            touched.iter().for_each(|key| drop(got.remove(key)));
        }
        let splice = damaged.what.starts_with("without") || damaged.what.contains("put in");
        if splice {
            let joined: Vec<_> = got
                .iter()
                .filter(|(k, v)| want.get(*k) != Some(v) && is_seamless(&damaged.bytes, k, v, &original))
                .map(|(k, _)| k.clone())
                .collect();
            // One seam where a stretch is missing, two where one was put in.
            let seams = if damaged.what.starts_with("without") { 1 } else { 2 };
            assert!(joined.len() <= seams, "{what}: {:?}", joined.iter().map(|k| name(k)).collect::<Vec<_>>());
            seamless += joined.len();
            for key in joined {
                // It may stand in the place of the whole row of that key.
                match want.get(&key) {
                    Some(value) => drop(got.insert(key, value.clone())),
                    None => drop(got.remove(&key)),
                }
            }
        }
        // A row whose lost end was made up by the same bytes from elsewhere is the original.
        let made_up: Vec<_> =
            got.iter().filter(|(k, v)| !want.contains_key(*k) && original.get(*k) == Some(v)).collect();
        assert!(made_up.len() <= 1, "{what}: {:?}", made_up.iter().map(|(k, _)| name(k)).collect::<Vec<_>>());
        let made_up: Vec<_> = made_up.into_iter().map(|(k, _)| k.clone()).collect();
        seamless += made_up.len();
        made_up.iter().for_each(|key| drop(got.remove(key)));
        assert_same(&got, &want, &what);
    }
    assert!(seamless * 8 <= rounds, "{seamless} of {rounds} rounds were too kind");
}

#[test]
fn rows_outside_random_damage_come_back_and_no_others() {
    let rounds = if full() { 20_000 } else { 300 };
    random_damage(200, true, rounds, 7);
    random_damage(200, false, rounds, 11);
}

#[test]
fn keys_of_rows_that_are_cut_are_told() {
    let (text, spans) = state(5, true);
    let cut = salvage(&text[..spans[3].end - 20]);
    assert_eq!((cut.rows.len(), cut.cut.len()), (3, 1));
    assert_eq!(cut.cut[0].get(&text), "legacy-3");
    assert!(cut.lost_bytes > 0);
    let whole = salvage(&text);
    assert_eq!((whole.rows.len(), whole.cut.len(), whole.lost_bytes), (5, 0, 0));
}

#[test]
fn a_key_that_was_joined_inside_a_character_makes_no_row() {
    let row = r#"{"sessionId": "1", "updatedAt": 1777000000000}"#;
    let (a, b) = (format!("{{\"agent:main:a\": {row}, \"agent:main:b\": {{\"sessionId\": \"5afc"), format!("{row}, "));
    let text = [a.as_bytes(), b"\xa9 {x}\": ", b.as_bytes(), b"\"agent:main:c\": ", row.as_bytes(), b"}"].concat();
    let found = salvage(&text);
    let keys: Vec<_> = found.rows.iter().map(|row| row.key.get(&text)).collect();
    assert_eq!(keys, ["agent:main:a", "agent:main:c"]);
    assert!(found.cut.iter().any(|key| key.get(&text) == "agent:main:b"), "{:?}", found.cut);
}

#[test]
fn of_a_key_that_comes_twice_the_later_row_counts() {
    let text = br#"{"agent:main:a": {"sessionId": "1", "updatedAt": 1777000000000}}{"agent:main:\u0061": {"sessionId": "2", "updatedAt": 1777000000000}}"#;
    let found = salvage(text);
    assert_eq!(found.rows.len(), 1);
    assert_eq!(found.rows[0].session_id.unwrap().get(text), "2");
    assert_eq!((found.replaced.len(), found.conflicts(text)), (1, 1));
}

#[test]
fn odd_texts_give_what_they_have() {
    let row = r#"{"sessionId": "s", "updatedAt": 1777000000000}"#;
    let cases = [
        (String::new(), 0),
        ("\0\0\0\0".to_owned(), 0),
        ("[]".to_owned(), 0),
        (format!("[{{\"agent:main:a\": {row}, \"b\": {row}}}]"), 2),
        ("[\n  {\n    \"agent:main:a\": {\n      \"sessionId\": \"s\"\n    }\n  }\n]".to_owned(), 1),
        (format!("<<<<<<< HEAD\n{{\n  \"agent:main:a\": {row},\n  \"x\": null\n}}\n"), 1),
        (format!("\u{feff}{{\"a\": {row}, \"n\": 12"), 1),
        (format!("{{\"a\": null, \"b\": [], \"c\": {row}, \"d\""), 1),
        // An entry that the gateway does not take is one all the same.
        (format!("{{\"a\": {row}, \"agent:main:b\": {{\"sessionId\": 7, \"label\": \"x\"}}, \"d\""), 2),
        // Not one row of two, and not a row inside another.
        (r#"{"agent:main:a": {"sessionId": "1", "x": {"agent:main:b": {"sessionId": "2", "updatedAt": 1777000000000}}"#.to_owned(), 1),
    ];
    for (text, rows) in cases {
        assert_eq!(saved(text.as_bytes()).len(), rows, "{text}");
    }
}

#[test]
fn fields_are_no_rows_in_a_list_of_entries_or_around_the_map() {
    let (text, _) = state(12, false);
    let map: serde_json::Map<String, serde_json::Value> = serde_json::from_slice(&text).unwrap();
    let list: Vec<_> = map.values().cloned().collect();
    let around = serde_json::json!({"version": 1, "flag": null, "sessions": map});
    let listed = serde_json::json!({"version": 1, "sessions": list});
    for pretty in [true, false] {
        let write = |value: &serde_json::Value| {
            if pretty { serde_json::to_vec_pretty(value) } else { serde_json::to_vec(value) }.unwrap()
        };
        let list = write(&list.clone().into());
        let (whole, half) = (&list[..], &list[..list.len() / 2]);
        let listed = write(&listed);
        for text in [whole, half, &listed[..listed.len() - 40]] {
            let found = salvage(text);
            let names: Vec<_> = found.rows.iter().map(|row| name(row.key.span.of(text))).collect();
            assert!(names.is_empty(), "{names:?}");
        }
        let around = write(&around);
        let text = &around[..around.len() - 40];
        let found = salvage(text);
        assert!(found.rows.len() >= 10, "{}", found.rows.len());
        assert!(found.rows.iter().all(judge::looks_like_session), "{pretty}");
    }
}

#[test]
fn hostile_nesting_ends_in_good_time() {
    let found = salvage(&br#"{"agent:a":"#.repeat(200_000));
    assert_eq!(found.rows.len(), 0);
    let found = salvage(&br#""agent:a":["#.repeat(200_000));
    assert_eq!(found.rows.len(), 0);
}

#[test]
fn the_end_of_an_index_written_once_more_costs_no_row() {
    let row =
        |id: u32| format!(r#"{{"sessionId":"{id}","updatedAt":1777000000000,"x":[{{"y":{{"z":"{id}"}}}}],"n":{id}}}"#);
    let whole = format!(r#"{{"agent:main:a":{},"agent:main:b":{}}}"#, row(1), row(2));
    for end in [r#"}}],"n":2}}"#, r#"],"n":2}}"#, r#","n":2}}"#, r#"2}}"#] {
        assert!(whole.ends_with(end));
        let text = format!("{whole}{end}");
        assert_eq!(saved(text.as_bytes()).len(), 2, "{text}");
    }
}

#[test]
fn a_lost_bracket_makes_no_row_of_a_half() {
    let row = |id: u32| {
        format!(r#"{{"sessionId":"{id}","updatedAt":1777000000000,"o":{{"p":{id}}},"q":{{"r":1}},"n":{id}}}"#)
    };
    let broken = row(2).replace(r#""o":{"#, "");
    let text = format!(r#"{{"agent:main:a":{},"agent:main:b":{broken},"agent:main:c":{}}}"#, row(1), row(3));
    let found = salvage(text.as_bytes());
    let keys: Vec<_> = found.rows.iter().map(|row| row.key.get(text.as_bytes())).collect();
    assert_eq!(keys, ["agent:main:a", "agent:main:c"]);
}

#[test]
fn a_whole_row_before_the_end_of_another_stays() {
    let row =
        |id: u32| format!(r#"{{"sessionId":"{id}","updatedAt":1777000000000,"s":{{"sessionId":"{id}"}},"n":{id}}}"#);
    let (a, b, d) = (row(1), row(2), row(4));
    // The beginning of the third row is gone, or most of it: what is left is a key that was torn, or fields alone.
    for rest in
        [r#""c-2":{"sessionId":"3"},"n":3}"#, r#""agents":{"sessionId":"3"},"n":3}"#, r#""s":{"sessionId":"3"},"n":3}"#]
    {
        let text = format!(r#"{{"agent:main:a":{a},"b-1":{b},{rest},"agent:main:d":{d}}}"#);
        let found = salvage(text.as_bytes());
        let keys: Vec<_> = found.rows.iter().map(|row| row.key.get(text.as_bytes())).collect();
        assert_eq!(keys, ["agent:main:a", "b-1", "agent:main:d"], "{rest}");
    }
}
