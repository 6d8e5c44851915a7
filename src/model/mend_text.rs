//! Counts as words, for details of what is mended.

/// `1 character`, `2 characters`.
pub fn characters(n: u64) -> String {
    format!("{n} character{}", if n == 1 { "" } else { "s" })
}

/// `1 place`, `2 places`.
pub fn places(n: u64) -> String {
    format!("{n} place{}", if n == 1 { "" } else { "s" })
}
