//! Numbers with their nouns.

/// `1 row`, `2 rows`, `39 980 rows`. The plural is formed with `s` (or `ies` after a consonant and `y`).
pub fn count(n: u64, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{} {}", grouped(n), plural(noun)) }
}

/// The plural of a noun used in reports.
fn plural(noun: &str) -> String {
    match noun.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'i', 'o', 'u']) => format!("{stem}ies"),
        _ => format!("{noun}s"),
    }
}

/// Digits in groups of three, separated by a space: `39 980`.
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(' ');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nouns_follow_their_numbers() {
        assert_eq!(count(0, "row"), "0 rows");
        assert_eq!(count(1, "row"), "1 row");
        assert_eq!(count(39_980, "entry"), "39 980 entries");
        assert_eq!(grouped(1_234_567), "1 234 567");
        assert_eq!(count(2, "day"), "2 days");
    }
}
