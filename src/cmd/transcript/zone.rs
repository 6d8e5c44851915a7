//! The time zone of days, and of times that name none.

use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;

use crate::context::Context;
use crate::error::{Error, Result};
use crate::model::Ms;
use crate::report::escape;

/// The zone that was asked for, else that of `$TZ` or of the machine.
///
/// # Errors
/// What was asked for is no zone.
pub fn of(ctx: &Context, asked: Option<&str>) -> Result<TimeZone> {
    match asked.or_else(|| ctx.env.text("TZ")) {
        Some(name) => {
            let zone = TimeZone::get(name.trim_start_matches(':')).or_else(|_| TimeZone::posix(name));
            match (zone, asked) {
                (Ok(zone), _) => Ok(zone),
                (Err(_), Some(name)) => Err(Error::usage(format!("{} is no time zone", escape::line(name)))
                    .hint("use a name such as Europe/Berlin or UTC")),
                (Err(_), None) => Ok(TimeZone::UTC),
            }
        }
        None => Ok(TimeZone::system()),
    }
}

/// The moment of a day, its last millisecond with `end`, or of a time without a zone; `None` for any other text.
pub fn local(text: &str, end: bool, zone: &TimeZone) -> Option<Ms> {
    let text = text.trim();
    // Whatever names a zone is no time of this one.
    let names_one = text.get(10..).is_some_and(|clock| clock.contains(['Z', 'z', '+', '-', '[']));
    let day = text.len() == "2026-05-01".len();
    let at = if day {
        let date: Date = text.parse().ok()?;
        if end { date.at(23, 59, 59, 999_000_000) } else { date.at(0, 0, 0, 0) }
    } else if names_one || text.len() < "2026-05-01T08".len() {
        return None;
    } else {
        text.parse::<DateTime>().ok()?
    };
    Some(zone.to_timestamp(at).ok()?.as_millisecond())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_times_without_a_zone_are_local() {
        let zone = TimeZone::posix("XXX-2").unwrap();
        let at = |text, end| local(text, end, &zone);
        let day = 1_777_593_600_000 - 7_200_000;
        assert_eq!(at("2026-05-01", false), Some(day));
        assert_eq!(at("2026-05-01", true), Some(day + 86_399_999));
        assert_eq!(at("2026-05-01T08:00:00", false), Some(day + 8 * 3_600_000));
        for other in ["2026-05-01T08:00:00Z", "2026-05-01T08:00:00+02:00", "3d", "abcdefghij", ""] {
            assert_eq!(at(other, false), None, "{other}");
        }
    }
}
