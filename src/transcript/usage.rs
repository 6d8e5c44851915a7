//! Tokens and cost that a provider reported, in whatever words (spec/transcripts.md 1.4).

use super::node::Node;
pub use crate::model::transcript_usage::Usage;

const INPUT: [&str; 6] = ["input", "inputTokens", "input_tokens", "promptTokens", "prompt_tokens", "prompt_n"];
const OUTPUT: [&str; 6] =
    ["output", "outputTokens", "output_tokens", "completionTokens", "completion_tokens", "predicted_n"];
const CACHE_READ: [&str; 4] = ["cacheRead", "cache_read", "cache_read_input_tokens", "cached_tokens"];
const CACHE_WRITE: [&str; 3] = ["cacheWrite", "cache_write", "cache_creation_input_tokens"];
const TOTAL: [&str; 3] = ["total", "totalTokens", "total_tokens"];

/// Reads a `usage` object. `None` for anything else.
pub fn of(node: &Node<'_>) -> Option<Usage> {
    if !node.is_object() {
        return None;
    }
    let members = node.members();
    let find = |name: &str| members.iter().rev().find(|(key, _)| &**key == name.as_bytes()).map(|(_, value)| *value);
    let first = |names: &[&str]| names.iter().find_map(|name| find(name)?.number());
    let nested = |outer: &str, inner: &str| find(outer).and_then(|o| o.get(inner)).and_then(|v| v.number());
    let details =
        || nested("input_tokens_details", "cached_tokens").or_else(|| nested("prompt_tokens_details", "cached_tokens"));
    // Providers of this family count the cached tokens into the prompt.
    let counted_in = find("cached_tokens").and_then(|v| v.number()).or_else(details).is_some();
    let cache_read = whole(first(&CACHE_READ).or_else(details));
    let input = whole(first(&INPUT).or_else(|| nested("timings", "prompt_n")));
    Some(Usage {
        input: if counted_in { input.saturating_sub(cache_read) } else { input },
        output: whole(first(&OUTPUT).or_else(|| nested("timings", "predicted_n"))),
        cache_read,
        cache_write: whole(first(&CACHE_WRITE)),
        total: whole(first(&TOTAL)),
        cost: nested("cost", "total").filter(|cost| cost.is_finite() && *cost > 0.0).unwrap_or(0.0),
    })
}

/// Truncated to a whole number; negative and absent is 0.
fn whole(value: Option<f64>) -> u64 {
    value.filter(|v| v.is_finite() && *v > 0.0).map_or(0, |v| v as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usage(text: &str) -> Usage {
        of(&Node::new(text.as_bytes(), &[]).unwrap()).unwrap()
    }

    #[test]
    fn every_dialect_is_one_usage() {
        let own =
            usage(r#"{"input":3,"output":2,"cacheRead":10,"cacheWrite":5,"totalTokens":20,"cost":{"total":0.5}}"#);
        assert_eq!(own, Usage { input: 3, output: 2, cache_read: 10, cache_write: 5, total: 20, cost: 0.5 });
        assert_eq!((own.prompt(), own.context()), (18, 20));
        let anthropic = usage(
            r#"{"input_tokens":3,"output_tokens":2,"cache_read_input_tokens":10,"cache_creation_input_tokens":5}"#,
        );
        assert_eq!((anthropic.prompt(), anthropic.context()), (18, 20));
        let openai =
            usage(r#"{"prompt_tokens":100,"completion_tokens":7,"prompt_tokens_details":{"cached_tokens":80}}"#);
        assert_eq!((openai.input, openai.cache_read, openai.output), (20, 80, 7));
        let llama = usage(r#"{"timings":{"prompt_n":4,"predicted_n":5}}"#);
        assert_eq!((llama.input, llama.output), (4, 5));
        assert_eq!(usage(r#"{"input":-3,"output":2.9}"#), Usage { output: 2, ..Usage::default() });
    }
}
