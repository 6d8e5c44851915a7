//! Patterns over session keys: `*` stands for any text, `?` for one character. Nothing else is special.

/// Whether the whole of `text` matches `pattern`, letter case included.
pub fn matches(pattern: &str, text: &str) -> bool {
    run(pattern, text, |a, b| a == b)
}

/// As [`matches()`], letter case apart.
pub fn matches_ignoring_case(pattern: &str, text: &str) -> bool {
    run(pattern, text, |a, b| a == b || a.to_lowercase().eq(b.to_lowercase()))
}

/// Greedy with one point to come back to: the last `*`. Takes at most pattern times text steps, without recursion.
fn run(pattern: &str, text: &str, same: impl Fn(char, char) -> bool) -> bool {
    let (mut p, mut t) = (pattern.chars(), text.chars());
    let mut back: Option<(std::str::Chars<'_>, std::str::Chars<'_>)> = None;
    loop {
        let mut next_p = p.clone();
        match next_p.next() {
            Some('*') => {
                p = next_p;
                back = Some((p.clone(), t.clone()));
                continue;
            }
            Some(want) => {
                let mut next_t = t.clone();
                if let Some(got) = next_t.next()
                    && (want == '?' || same(want, got))
                {
                    (p, t) = (next_p, next_t);
                    continue;
                }
            }
            None if t.as_str().is_empty() => return true,
            None => {}
        }
        // Let the last star take one character more.
        let Some((star_p, star_t)) = &mut back else { return false };
        if star_t.next().is_none() {
            return false;
        }
        (p, t) = (star_p.clone(), star_t.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_and_question_marks() {
        for (pattern, text, yes) in [
            ("*", "", true),
            ("", "", true),
            ("", "a", false),
            ("agent:*:main", "agent:ops:main", true),
            ("agent:*:main", "agent:ops:main:x", false),
            ("*:group:*", "agent:main:telegram:group:-100", true),
            ("a?c", "abc", true),
            ("a?c", "ac", false),
            ("a?c", "a\u{e9}c", true),
            ("*a*b", "xaybzb", true),
            ("**x", "x", true),
            ("[a]", "a", false),
            ("Main", "main", false),
        ] {
            assert_eq!(matches(pattern, text), yes, "{pattern} {text}");
        }
        assert!(matches_ignoring_case("AGENT:*", "agent:main"));
    }

    #[test]
    fn many_stars_end_soon() {
        let pattern = "*a".repeat(50) + "b";
        assert!(!matches(&pattern, &"a".repeat(5_000)));
    }
}
