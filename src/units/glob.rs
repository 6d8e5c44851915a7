//! Glob patterns over session keys: `*` is any run of characters, `?` is one.

/// Whether `text` matches `pattern` as a whole. Case matters: parts of a key are opaque ids.
pub fn matches(pattern: &str, text: &str) -> bool {
    let (pattern, text): (Vec<char>, Vec<char>) = (pattern.chars().collect(), text.chars().collect());
    let (mut p, mut t) = (0, 0);
    // Where to resume when the last `*` has to take one character more.
    let mut retry: Option<(usize, usize)> = None;
    while t < text.len() {
        match pattern.get(p) {
            Some('*') => {
                retry = Some((p, t));
                p += 1;
            }
            Some(c) if *c == '?' || *c == text[t] => {
                p += 1;
                t += 1;
            }
            _ => match &mut retry {
                Some((star, taken)) => {
                    *taken += 1;
                    p = *star + 1;
                    t = *taken;
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn stars_and_question_marks() {
        for (pattern, text) in [("*", ""), ("a*", "abc"), ("*c", "abc"), ("a*c*e", "abcde"), ("agent:*:web:?", "agent:x:web:1")] {
            assert!(matches(pattern, text), "{pattern} {text}");
        }
        for (pattern, text) in [("", "a"), ("a", ""), ("a*c", "abd"), ("?", ""), ("ABC", "abc"), ("a?c", "ac")] {
            assert!(!matches(pattern, text), "{pattern} {text}");
        }
    }
}
