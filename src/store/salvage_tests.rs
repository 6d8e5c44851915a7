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
    if nth % 5 == 0 {
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
    let extra: Vec<_> = got.iter().filter(|(k, v)| want.get(*k) != Some(v)).map(|(k, _)| name(k)).collect();
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
    option_env!("CLAWKEEP_FULL_PROOF").is_some()
}

#[test]
fn an_index_cut_at_every_byte_gives_every_row_before_the_cut() {
    // Every byte of a small index, and of a large one every byte of its last rows' worth in steps that meet all of it
    // over the two layouts.
    cut_everywhere(12, true, 1);
    cut_everywhere(12, false, 1);
    cut_everywhere(200, true, if full() { 1 } else { 97 });
    cut_everywhere(200, false, if full() { 1 } else { 89 });
}
