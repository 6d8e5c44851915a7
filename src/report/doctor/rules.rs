//! The rules themselves, for people: one line each, one in full, and all of them as docs/DOCTOR.md.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::context::Context;
use crate::doctor::rule::{Check, Rule};
use crate::error::Result;
use crate::report::json::SCHEMA_VERSION;

/// `doctor --list`.
///
/// # Errors
/// stdout cannot be written.
pub fn list(ctx: &Context, rules: &[&Rule]) -> Result<()> {
    if ctx.output.json {
        let rules: Vec<Value> = rules.iter().map(|rule| value(rule)).collect();
        return crate::report::json::print(ctx, &json!({ "schemaVersion": SCHEMA_VERSION, "rules": rules }));
    }
    let width = rules.iter().map(|rule| rule.id.len()).max().unwrap_or(0);
    let mut out = String::new();
    for rule in rules {
        let _ = writeln!(out, "{:width$}  {:7}  {}", rule.id, rule.severity.as_str(), rule.what);
    }
    ctx.write_stdout(out.as_bytes())
}

/// `doctor --explain`.
///
/// # Errors
/// stdout cannot be written.
pub fn explain(ctx: &Context, rule: &Rule) -> Result<()> {
    if ctx.output.json {
        let rules = [value(rule)];
        return crate::report::json::print(ctx, &json!({ "schemaVersion": SCHEMA_VERSION, "rules": rules }));
    }
    let mut out = format!("{}: {}\n\n{}\n\nFix: {}\n", rule.id, rule.what, rule.why, rule.fix);
    let _ = writeln!(out, "Gravity: {}. Matters since {}.{}", rule.severity.as_str(), rule.since, beside(rule));
    if !rule.before.is_empty() {
        let _ = writeln!(out, "\nBefore:\n{}\nAfter:\n{}", indented(rule.before), indented(rule.after));
    }
    ctx.write_stdout(out.as_bytes())
}

/// Every rule as a page.
pub fn markdown(rules: &[&Rule]) -> String {
    let mut out = String::from(
        "# Doctor rules\n\n`clawkeep doctor` asks these rules about the gateway's configuration and the state folder; `--fix` does what\n\
         is safe. `--only ID` asks one, `--skip ID` leaves one out, `--explain ID` prints what stands here.\n\n\
         ## How a configuration is edited\n\nOnly the bytes of the named keys change. Comments, order, quotes, trailing commas, numbers, line ends, `$include`,\n\
         `${VAR}`, unknown keys, mode, owner and links stay; a value that moves keeps the way it was written. A key in an included file\n\
         is changed there, and nothing moves from one file to another. The new text is read again before it is written: if it has\n\
         not the wanted value, or has lost a comment, nothing is written and the edit is shown for a person to make.\n\n\
         All fixes are one write. The old text is `<config>.bak` (earlier ones `.bak.1` to `.bak.4`) and in the record of the run:\n\
         `clawkeep sessions undo RUN` puts it back. A file that changes meanwhile stays as it is. A file that another tool writes (Nix,\n\
         Ansible, chezmoi, home-manager, Puppet, or one that is read-only) is not edited; the change for what it is made from is\n\
         printed. A file that does not parse is never replaced. Beside a running gateway, which takes up a changed configuration at\n\
         once, `--yes` is needed off a terminal.\n\n\
         ## One fix, one undo\n\n`doctor --fix` changes several folders, and each has a record of its own. To you it is one thing:\n\
         `clawkeep sessions undo`, or the one command that the report ends with, takes all of them back, the newest first. What is in\n\
         the way of any of them is found out before the first file moves; then nothing moves at all, unless `--override partial-undo`\n\
         asks for what there is. `clawkeep sessions runs` shows them in one line. An undo that was interrupted is finished by the\n\
         same command.\n\n\
         ## What is left to the gateway's own doctor\n\n\
         - *Plugins.* Whether the id of a plugin is stale, or its settings fit it, is told by what is installed, and by the schema of\n\
         each plugin. This program looks at neither, installs nothing and asks no registry: it would take settings away from a plugin\n\
         that is only not installed yet. So no plugin is enabled, reset, quarantined or added to a list.\n\
         - *Taking duplicated prompts out* of transcripts, which `prompt-branches` finds. The second copy lies off the active branch: no\n\
         turn reads it, and taking it out as the gateway's doctor does rewrites the whole transcript and drops every other branch.\n\
         `clawkeep transcript tree` shows it; `clawkeep transcript repair` leaves it.\n\
         - *Network and machine*: names of Telegram users, missing packages, skills that cannot run here, tokens, services.\n\n\
         ## Rules\n\n\
         | id | part | gravity | since | what is found |\n|---|---|---|---|---|\n",
    );
    for rule in rules {
        let (area, severity) = (rule.area().as_str(), rule.severity.as_str());
        let _ = writeln!(out, "| [`{0}`](#{0}) | {area} | {severity} | {1} | {2} |", rule.id, rule.since, rule.what);
    }
    for rule in rules {
        let _ = write!(
            out,
            "\n## {}\n\n{}.{}\n\n{}\n\nFix: {}\n",
            rule.id,
            capital(rule.what),
            beside(rule),
            rule.why,
            rule.fix
        );
        if !rule.before.is_empty() {
            let _ =
                write!(out, "\n```json5\n// before\n{}\n// after\n{}\n```\n", rule.before.trim(), rule.after.trim());
        }
    }
    out
}

fn beside(rule: &Rule) -> String {
    match rule.check {
        Check::Beside([], _) => " Done only beside another migration: alone, it is valid as it is.".to_owned(),
        Check::Beside(ids, _) => format!(" Done only beside {}.", ids.join(", ")),
        _ => String::new(),
    }
}

fn capital(text: &str) -> String {
    // A key keeps its own case.
    if text.split(' ').next().is_some_and(|word| word.contains(['.', '_']) || word.contains(char::is_uppercase)) {
        return text.to_owned();
    }
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

fn indented(text: &str) -> String {
    text.trim().lines().map(|line| format!("  {line}")).collect::<Vec<_>>().join("\n")
}

fn value(rule: &Rule) -> Value {
    json!({
        "id": rule.id,
        "area": rule.area().as_str(),
        "severity": rule.severity.as_str(),
        "since": rule.since.to_string(),
        "what": rule.what,
        "why": rule.why,
        "fix": rule.fix,
        "before": rule.before,
        "after": rule.after,
    })
}
