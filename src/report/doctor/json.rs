//! For programs.

use serde_json::{Value, json};

use super::{EditedFile, Ending, Judged, Report};
use crate::model::doctor::Remedy;
use crate::model::finding::Severity;
use crate::report::json::SCHEMA_VERSION;

/// The whole report.
pub(super) fn value(report: &Report) -> Value {
    let judged = |wanted: fn(&Ending) -> bool| report.judged.iter().filter(move |j| wanted(&j.ending)).map(finding);
    let skipped = report.judged.iter().filter_map(|j| match &j.ending {
        Ending::Skipped(reason) => Some(json!({ "rule": j.found.rule, "subject": j.found.subject, "reason": reason })),
        _ => None,
    });
    let count = |severity| report.remaining().filter(|j| j.found.severity == severity).count();
    json!({
        "schemaVersion": SCHEMA_VERSION,
        "changed": report.changed,
        "fix": report.fix,
        "dryRun": report.dry_run,
        "forVersion": report.target.to_string(),
        "configPath": report.config_path.to_string_lossy(),
        "configExists": report.config_found,
        "managed": report.managed.as_ref().map(|m| json!({ "by": m.by, "why": m.why })),
        "found": judged(|_| true).collect::<Vec<_>>(),
        "fixed": judged(|e| *e == Ending::Fixed).collect::<Vec<_>>(),
        "skipped": skipped.collect::<Vec<_>>(),
        "remaining": {
            "errors": count(Severity::Error),
            "warnings": count(Severity::Warning),
            "infos": count(Severity::Info),
        },
        "files": report.files.iter().map(file).collect::<Vec<_>>(),
        "runIds": report.runs,
        "warnings": report.warnings,
    })
}

fn finding(judged: &Judged) -> Value {
    let found = &judged.found;
    let state = match judged.ending {
        Ending::Found => "found",
        Ending::Planned => "planned",
        Ending::Fixed => "fixed",
        Ending::Skipped(_) => "skipped",
    };
    let mut value = json!({
        "rule": found.rule,
        "severity": found.severity.as_str(),
        "subject": found.subject,
        "message": found.message,
        "details": found.details,
        "state": state,
        "file": found.file.as_ref().map(|f| f.to_string_lossy()),
    });
    let (key, text) = match &found.remedy {
        Remedy::Edit => ("fix", "edit the configuration"),
        Remedy::Effects { what, .. } => ("fix", what.as_str()),
        Remedy::Command(command) => ("command", command.as_str()),
        Remedy::Manual(what) => ("manual", what.as_str()),
        Remedy::None => return value,
    };
    value[key] = json!(text);
    if let Remedy::Effects { flag: Some(flag), .. } = &found.remedy {
        value["flag"] = json!(flag);
    }
    value
}

fn file(file: &EditedFile) -> Value {
    json!({
        "path": file.path.to_string_lossy(),
        "real": file.real.as_ref().map(|real| real.to_string_lossy()),
        "rules": file.rules,
        "diff": file.diff,
        "written": file.written,
        "managed": file.managed,
        "backup": file.backup.as_ref().map(|b| b.to_string_lossy()),
    })
}
