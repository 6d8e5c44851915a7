//! Token counts: `46k/200k (23%)`.

/// A count in thousands: one decimal below ten thousand, none from there on.
fn thousands(n: f64) -> String {
    if n < 10_000.0 { format!("{:.1}k", n / 1000.0) } else { format!("{:.0}k", (n / 1000.0).round()) }
}

/// Total and context window with the share used. What is not known says so; a total that is out of date shows no share,
/// because that is the part that misleads, and neither does one beyond the window: a window cannot be used to more than
/// the whole, so one of the two numbers is not what it says (reports I11).
pub fn cell(total: Option<f64>, fresh: bool, context: f64) -> String {
    let window = if context > 0.0 { thousands(context) } else { "?".to_owned() };
    match total {
        None => format!("unknown/{window} (?%)"),
        Some(t) if !fresh => format!("{}/{window} (stale)", thousands(t)),
        Some(t) if context > 0.0 && t <= context => {
            format!("{}/{window} ({:.0}%)", thousands(t), (t / context * 100.0).round())
        }
        Some(t) => format!("{}/{window} (?%)", thousands(t)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_short_and_honest() {
        for (total, fresh, context, text) in [
            (Some(45_678.0), true, 200_000.0, "46k/200k (23%)"),
            (Some(950.0), true, 1000.0, "0.9k/1.0k (95%)"),
            (Some(950.0), false, 1000.0, "0.9k/1.0k (stale)"),
            (Some(9999.0), true, 0.0, "10.0k/? (?%)"),
            (Some(5_000_000.0), true, 10.0, "5000k/0.0k (?%)"),
            (Some(686_000.0), true, 200_000.0, "686k/200k (?%)"),
            (Some(200_000.0), true, 200_000.0, "200k/200k (100%)"),
            (None, false, 200_000.0, "unknown/200k (?%)"),
        ] {
            assert_eq!(cell(total, fresh, context), text);
        }
    }
}
