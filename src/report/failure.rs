//! A failure, for people or (with `--json`) as one line for programs. Always on stderr; stdout stays empty.

use std::fmt::Write as _;

use serde::Serialize;

use super::style::{Role, Style};
use crate::context::{Context, Level};
use crate::error::{Error, Kind};

/// The line that ends every run with `--json` that made no report.
#[derive(Debug, Serialize)]
struct ExitError<'a> {
    r#type: &'static str,
    code: u8,
    kind: &'static str,
    message: &'a str,
    hints: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<&'static str>,
}

/// Prints a failure.
pub fn print(ctx: &Context, error: &Error) {
    let completed = error.hints.iter().map(|hint| ctx.given.complete(hint)).collect::<Vec<_>>();
    if ctx.output.json {
        ctx.write_stderr(json_line(error, &completed, code(ctx, error)).as_bytes());
        return;
    }
    ctx.log(Level::Error, &error.message);
    let hints = hints(error, &completed, Style::stderr(ctx));
    if !hints.is_empty() {
        ctx.write_stderr(hints.as_bytes());
    }
}

fn code(ctx: &Context, error: &Error) -> u8 {
    match (error.kind, ctx.cancel.get()) {
        (Kind::Interrupted, Some(signal)) => signal,
        (kind, _) => crate::exit::code(kind),
    }
}

/// The `exit_error` line, with its newline.
fn json_line(error: &Error, hints: &[String], code: u8) -> String {
    let line = ExitError {
        r#type: "exit_error",
        code,
        kind: error.kind.as_str(),
        message: &error.message,
        hints,
        token: error.token,
    };
    // The struct holds numbers and text only: it always serialises.
    serde_json::to_string(&line).unwrap_or_default() + "\n"
}

/// Hints, one a line, and the token that passes a refusal.
fn hints(error: &Error, hints: &[String], style: Style) -> String {
    let mut out = String::new();
    for hint in hints {
        let _ = writeln!(out, "  {} {}", style.paint(Role::Muted, "try:"), super::escape::line(hint));
    }
    if let Some(token) = error.token {
        let _ = writeln!(out, "  {} --override {token}", style.paint(Role::Muted, "to go on all the same:"));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_get_one_line() {
        let error = Error::new(Kind::Busy, "another run\nholds the lock").hint("clawkeep sessions runs");
        let line = json_line(&error, &error.hints, 11);
        assert_eq!(
            line,
            "{\"type\":\"exit_error\",\"code\":11,\"kind\":\"busy\",\"message\":\"another run\\nholds the lock\",\
             \"hints\":[\"clawkeep sessions runs\"]}\n"
        );
        assert_eq!(line.lines().count(), 1);
        let with_token = json_line(&Error::new(Kind::Busy, "x").token("live-gateway"), &[], 11);
        for line in [line, with_token] {
            let value = serde_json::from_str(&line).unwrap();
            crate::report::schema_tests::assert_valid("exit-error.json", &value);
        }
    }

    #[test]
    fn people_get_hints_and_the_token() {
        let error = Error::new(Kind::Busy, "x").hint("a\u{1b}b").token("live-gateway");
        assert_eq!(
            hints(&error, &error.hints, Style::PLAIN),
            "  try: a\\x1bb\n  to go on all the same: --override live-gateway\n"
        );
    }
}
