//! What records count for.

use super::*;

fn tally_in(text: &[u8], chunk: u64) -> Vec<Tally> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.jsonl");
    std::fs::write(&path, text).unwrap();
    let source = Source::open(&path, &[]).unwrap();
    let size = text.len() as u64;
    let starts = (0..size).step_by(usize::try_from(chunk).unwrap());
    starts.map(|start| piece(&source, start, (start + chunk).min(size), 0).unwrap()).collect()
}

fn tally(text: &str) -> Tally {
    tally_in(text.as_bytes(), u64::MAX >> 1).remove(0)
}

const ANSWER: &str = r#"{"type":"message","id":"a","parentId":null,"timestamp":"2026-05-01T08:00:00.000Z","message":{"role":"assistant",
"content":[{"type":"thinking","thinking":"hmm"},{"type":"text","text":"hello"},{"type":"toolCall","id":"c","name":"ex\u0065c","arguments":{"x":1}}],
"provider":"p","model":"m","responseId":"r","stopReason":"error","usage":{"input":1,"output":2,"cacheRead":3,"cacheWrite":4,"totalTokens":10,"cost":{"input":9,"total":0.25}}}}"#;

fn answer() -> String {
    ANSWER.replace('\n', "")
}

#[test]
fn an_answer_counts_for_its_model_its_tool_and_its_content() {
    let t = tally(&answer());
    assert_eq!((t.roles[Role::Assistant as usize], t.kinds[Kind::Message as usize]), (1, 1));
    assert_eq!((t.content.thinking, t.content.answer_text, t.content.arguments), (3, 5, 7));
    assert_eq!(t.tools, [ToolTally { name: (*b"exec").into(), calls: 1, ..ToolTally::default() }]);
    let a = t.answers[0];
    assert_eq!(a.usage, Usage { input: 1, output: 2, cache_read: 3, cache_write: 4, total: 10, cost: 0.25 });
    assert!(a.failed && a.at == Some(1_777_622_400_000));
    assert_eq!(t.models, [((*b"p").into(), (*b"m").into())]);
    let other = tally(&answer().replace("\"input\":1,", "\"prompt_tokens\":70,\"cached_tokens\":20,"));
    assert_eq!(other.answers[0].usage.input, 67, "what was cached is not counted twice");
}

#[test]
fn copies_have_the_same_key() {
    let key = |text: &str| tally(text).answers[0].key;
    assert_eq!(key(&answer()), key(&answer().replace("\"id\":\"a\"", "\"id\":\"b\"")));
    let plain = answer().replace("\"responseId\":\"r\",", "");
    assert_eq!(key(&plain), key(&plain.replace("hello", "other")));
    assert_ne!(key(&plain), key(&plain.replace("\"id\":\"a\"", "\"id\":\"b\"")));
}

#[test]
fn mirrors_are_no_answers() {
    let mirror = r#"{"type":"message","message":{"role":"assistant","content":[],"provider":"openclaw","model":"delivery-mirror","usage":{"input":0}}}"#;
    assert!(tally(mirror).answers.is_empty());
    assert_eq!(tally(&mirror.replace(":0", ":5")).answers.len(), 1);
}

#[test]
fn results_images_summaries_and_damage() {
    let result = r#"{"type":"message","id":"r","message":{"role":"toolResult","toolName":"read","isError":true,"content":[{"type":"text","text":"abcd"},{"type":"image","data":"AAAA"}]}}"#;
    let compaction = r#"{"type":"compaction","summary":"sum","tokensBefore":7.9}"#;
    let t = tally(&format!("{result}\n{compaction}\n{}{result}\nnull\n\n", &result[..30]));
    assert_eq!((t.lines, t.bad_lines, t.recovered, t.non_records), (5, 1, 1, 1));
    assert_eq!((t.tools[0].results, t.tools[0].errors, t.tools[0].bytes), (2, 2, 16));
    assert_eq!((t.images, t.content.images, t.content.results, t.content.summaries), (2, 8, 8, 3));
    assert_eq!(t.compactions[0].tokens_before, Some(7));
    assert_eq!((t.large.len(), t.large[1].line), (2, 3));
}

#[test]
fn a_huge_image_counts_with_all_its_bytes() {
    let size = 3 * super::super::lines::LONG;
    let text = format!(
        r#"{{"type":"message","message":{{"role":"user","content":[{{"type":"image","data":"{}"}},{{"type":"text","text":"hi"}}]}}}}"#,
        "A".repeat(size)
    );
    let t = tally(&text);
    assert_eq!((t.content.images, t.content.user_text, t.images), (size as u64, 2, 1));
}

#[test]
fn pieces_add_up_to_the_whole() {
    let lines = [answer(), "junk".to_owned(), answer() + &answer(), "{}".to_owned()].join("\n") + "\n";
    let sum = |tallies: Vec<Tally>| {
        let count = |f: &dyn Fn(&Tally) -> u64| tallies.iter().map(f).sum::<u64>();
        (
            count(&|t| t.lines),
            count(&|t| t.answers.len() as u64),
            count(&|t| t.bad_lines),
            count(&|t| t.content.total()),
            count(&|t| t.bytes),
        )
    };
    let whole = sum(tally_in(lines.as_bytes(), 1 << 40));
    assert_eq!((whole.0, whole.1, whole.2), (4, 3, 2));
    for chunk in [1, 7, 100, 700] {
        assert_eq!(sum(tally_in(lines.as_bytes(), chunk)), whole, "{chunk}");
    }
}

#[test]
fn records_on_a_damaged_line_too_long_to_keep_count_as_on_a_short_one() {
    for size in [9, super::super::lines::LONG] {
        let long = answer().replace("hello", &"x".repeat(size)).replace("\"r\"", "\"s\"");
        let fragment = &answer()[..90];
        for (line, records) in [(format!("{long}{}", answer()), 2), (format!("{fragment}{long}"), 1)] {
            let t = tally(&format!("{line}\n{}\n", answer()));
            assert_eq!((t.lines, t.bad_lines, t.recovered), (2, 1, records), "{size}");
            assert_eq!((t.answers.len() as u64, t.content.answer_text), (records + 1, size as u64 + 5 * records));
        }
        let zero = "\0".repeat(70_000);
        for line in [format!("{zero}{long}"), format!("{long}{zero}")] {
            let t = tally(&line);
            assert_eq!((t.bad_lines, t.recovered, t.answers.len()), (1, 1, 1), "{size}");
        }
        let torn = tally(&format!("{}{zero}{}", &long[..60], &long[60..]));
        assert_eq!((torn.bad_lines, torn.recovered), (1, 0), "{size}");
    }
}

#[test]
fn an_answer_without_a_usable_time_has_the_one_of_its_message() {
    let timed = answer().replace("\"role\"", "\"timestamp\":1777622400001,\"role\"");
    let at = |time: &str| tally(&timed.replace("\"2026-05-01T08:00:00.000Z\"", time)).answers[0].at;
    assert_eq!(at("\"2026-05-01T08:00:00.000Z\""), Some(1_777_622_400_000));
    for time in ["null", "\"\"", "5", "\"2026-05-01\"", "\"2026-05-01T24:00:00.000Z\""] {
        assert_eq!(at(time), Some(1_777_622_400_001), "{time}");
    }
    for none in ["0", "-5", "1e400", "1e300", "\"soon\"", "{}"] {
        let text = timed.replace("\"2026-05-01T08:00:00.000Z\"", "null").replace("1777622400001", none);
        assert_eq!(tally(&text).answers[0].at, None, "{none}");
    }
}

#[test]
fn a_number_without_bounds_counts_for_nothing() {
    let t = tally(&answer().replace("\"input\":1,", "\"input\":1e400,"));
    assert_eq!((t.answers[0].usage.input, t.answers[0].usage.output), (0, 2));
}
