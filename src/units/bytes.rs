//! Byte sizes (spec/cleanup.md 3): `500mb` is 524 288 000. Powers of 1024, no spaces, no `kib`, no sign.

use bytesize::ByteSize;

/// Parses a size as the gateway does: trimmed, lower-cased, `^\d+(\.\d+)?([a-z]+)?$`, units b, k, kb, m, mb, g, gb, t,
/// tb, rounded to whole bytes. A bare number is bytes. `None` if it is anything else.
pub fn parse(text: &str) -> Option<u64> {
    let text = text.trim().to_ascii_lowercase();
    let digits_end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits_end);
    let value = super::duration::plain_decimal(number)?;
    let factor: f64 = match unit {
        "" | "b" => 1.0,
        "k" | "kb" => 1024.0,
        "m" | "mb" => 1024.0 * 1024.0,
        "g" | "gb" => 1024.0 * 1024.0 * 1024.0,
        "t" | "tb" => 1024.0 * 1024.0 * 1024.0 * 1024.0,
        _ => return None,
    };
    super::duration::round_half_up(value * factor)
}

/// [`parse`] for what is typed, which also takes the units that [`human`] shows: `148.9KiB`, `1.5 gib`.
pub fn parse_typed(text: &str) -> Option<u64> {
    let iec = || {
        let text = text.trim().to_ascii_lowercase();
        let short = text.strip_suffix("ib")?;
        let number = short.strip_suffix(['k', 'm', 'g', 't'])?;
        parse(&format!("{}{}", number.trim_end(), &short[number.len()..]))
    };
    parse(text).or_else(iec)
}

/// A size for people: `4.2 GiB`. Display only.
pub fn human(bytes: u64) -> String {
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    let text = ByteSize(bytes).display().iec().to_string();
    // Rounded up to a whole next unit: say that unit.
    match text.strip_prefix("1024.0 ") {
        Some(_) => ByteSize(bytes.next_power_of_two()).display().iec().to_string(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_rounds_to_a_whole_unit_is_said_in_that_unit() {
        for (bytes, text) in [
            (0, "0 B"),
            (1023, "1023 B"),
            (1024, "1.0 KiB"),
            ((1 << 20) - 1, "1.0 MiB"),
            ((1 << 30) - 1, "1.0 GiB"),
            (1000 << 20, "1000.0 MiB"),
        ] {
            assert_eq!(human(bytes), text);
        }
    }

    #[test]
    fn what_is_shown_can_be_typed() {
        for (text, bytes) in [
            ("148.9KiB", Some(152_474)),
            ("1.5 gib", Some(3 << 29)),
            ("2TiB", Some(2 << 40)),
            ("500mb", Some(500 << 20)),
            ("30", Some(30)),
            ("30ib", None),
            ("kib", None),
            ("1 kb", None),
            ("-1kib", None),
        ] {
            assert_eq!(parse_typed(text), bytes, "{text}");
        }
    }

    #[test]
    fn sizes_are_powers_of_1024_as_in_the_gateway() {
        for (text, bytes) in [
            ("500mb", 524_288_000),
            ("1gb", 1_073_741_824),
            ("10kb", 10_240),
            ("1g", 1_073_741_824),
            (" 1.5K ", 1536),
            ("0.5b", 1),
            ("30", 30),
            ("2TB", 2_199_023_255_552),
            ("0", 0),
        ] {
            assert_eq!(parse(text), Some(bytes), "{text}");
        }
        for text in ["", "1GiB", "10 kb", "1e3", "-1", "80%", "2_000_000", ".5k", "1.", "1.2.3", "mb"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
