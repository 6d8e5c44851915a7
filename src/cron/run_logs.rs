//! Run logs of cron jobs: `<folder of the cron store>/runs/<job>.jsonl`.
//!
//! Only regular files directly in that folder count. The log of a job that no longer exists is listed, never removed as a whole:
//! it is the only trace of what the job did.

use std::io;
use std::path::{Path, PathBuf};

use super::trim;
use crate::error::{Error, Result};
use crate::fsx::read;
use crate::model::cron::{LogTrim, RunLog, RunLogLimits};
use crate::model::effect::{Effect, FileRef};
use crate::model::fingerprint::Kind;
use crate::model::plan::PlannedEffect;
use crate::order::Order as _;

/// Folder of the run logs of a cron store.
pub fn folder(cron_store: &Path) -> PathBuf {
    cron_store.parent().unwrap_or(Path::new("")).join("runs")
}

/// Lists the run logs, by name, and counts their lines. A missing folder has none; a log that cannot be read is listed
/// with the reason.
///
/// # Errors
/// The folder cannot be listed.
pub fn list(dir: &Path) -> Result<Vec<RunLog>> {
    let entries = match std::fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) => return Err(Error::io("list", dir, e)),
    };
    let mut logs = Vec::new();
    for entry in entries {
        let path = entry.map_err(|e| Error::io("list", dir, e))?.path();
        if path.extension().is_some_and(|e| e == "jsonl")
            && let Some(log) = look_at(path)
        {
            logs.push(log);
        }
    }
    logs.order_by(|a, b| a.path.cmp(&b.path));
    Ok(logs)
}

fn look_at(path: PathBuf) -> Option<RunLog> {
    let fp = read::lstat(&path).ok().filter(|fp| fp.kind == Kind::File)?;
    let job = path.file_stem()?.to_string_lossy().into_owned();
    Some(match read::open_regular(&path).and_then(|(mut file, _)| trim::count_lines(&mut file)) {
        Ok(lines) => RunLog { path, job, fp, lines: Some(lines), error: None },
        Err(e) => RunLog { path, job, fp, lines: None, error: Some(e.to_string()) },
    })
}

/// What trimming does to the logs that are beyond a bound.
#[derive(Debug, Default)]
pub struct TrimPlan {
    /// Logs that are cut, in the order of `effects`.
    pub trims: Vec<LogTrim>,
    /// One rewrite for each.
    pub effects: Vec<PlannedEffect>,
    /// Logs that could not be read, with the reason.
    pub failed: Vec<(PathBuf, String)>,
}

/// Sets aside the logs that were written to after `since` (epoch ms). Gives how many of them a bound asks for.
pub fn leave_busy(logs: &mut Vec<RunLog>, limits: &RunLogLimits, since: crate::model::Ms) -> u64 {
    let busy = logs.extract_if(.., |log| log.fp.mtime_ms() > since);
    busy.filter(|log| log.over(limits)).count() as u64
}

/// Plans the trimming of `logs`. Reads of each log only the part that stays.
pub fn plan(logs: &[RunLog], limits: &RunLogLimits) -> TrimPlan {
    let mut plan = TrimPlan::default();
    for log in logs.iter().filter(|log| log.error.is_some() || log.over(limits)) {
        match cut(log, limits) {
            Ok(Some((trim, effect))) => {
                plan.trims.push(trim);
                plan.effects.push(PlannedEffect { decision: None, effect });
            }
            Ok(None) => {}
            Err(e) => plan.failed.push((log.path.clone(), e.to_string())),
        }
    }
    plan
}

fn cut(log: &RunLog, limits: &RunLogLimits) -> io::Result<Option<(LogTrim, Effect)>> {
    use std::io::{Read, Seek, SeekFrom};
    let (mut file, fp) = read::open_regular(&log.path)?;
    let keep = trim::keep_from(&mut file, fp.size, limits.keep_lines.value, limits.max_bytes.value)?;
    if keep.from == 0 {
        return Ok(None);
    }
    let mut content = Vec::with_capacity(usize::try_from(fp.size - keep.from).unwrap_or(0));
    file.seek(SeekFrom::Start(keep.from))?;
    file.take(fp.size - keep.from).read_to_end(&mut content)?;
    let name = log.path.file_name().unwrap_or_default().to_owned();
    let trim = LogTrim { log: RunLog { fp, ..log.clone() }, from: keep.from, keep_lines: keep.lines };
    Ok(Some((trim, Effect::Rewrite { file: FileRef { name, fp }, content })))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::sourced::{Limit, Sourced};

    fn limits(bytes: Limit<u64>, lines: Limit<u64>) -> RunLogLimits {
        RunLogLimits {
            max_bytes: Sourced::default_for("cron.runLog.maxBytes", bytes),
            keep_lines: Sourced::default_for("cron.runLog.keepLines", lines),
        }
    }

    #[test]
    fn a_cron_store_has_its_logs_beside_it() {
        assert_eq!(folder(Path::new("/s/cron/jobs.json")), Path::new("/s/cron/runs"));
    }

    #[test]
    fn logs_beyond_a_bound_lose_their_oldest_lines() {
        let temp = tempfile::tempdir().unwrap();
        assert!(list(&temp.path().join("none")).unwrap().is_empty());
        let put = |name: &str, text: &str| std::fs::write(temp.path().join(name), text).unwrap();
        put("a.jsonl", "1\n2\n3\n4\n");
        put("b.jsonl", "1\n2\n");
        put("notes.txt", "1\n2\n3\n4\n");
        std::fs::create_dir(temp.path().join("dir.jsonl")).unwrap();
        let logs = list(temp.path()).unwrap();
        let seen: Vec<_> = logs.iter().map(|l| (l.job.as_str(), l.lines)).collect();
        assert_eq!(seen, [("a", Some(4)), ("b", Some(2))]);
        let plan = super::plan(&logs, &limits(Limit::Off, Limit::At(2)));
        assert_eq!(plan.trims.len(), 1);
        assert_eq!((plan.trims[0].frees(), plan.trims[0].keep_lines), (4, 2));
        let Effect::Rewrite { file, content } = &plan.effects[0].effect else { panic!("not a rewrite") };
        assert_eq!((file.name.to_str(), &content[..]), (Some("a.jsonl"), &b"3\n4\n"[..]));
    }

    #[test]
    fn a_limit_that_is_off_trims_nothing() {
        let temp = tempfile::tempdir().unwrap();
        std::fs::write(temp.path().join("a.jsonl"), "1\n2\n3\n4\n").unwrap();
        let logs = list(temp.path()).unwrap();
        assert!(super::plan(&logs, &limits(Limit::Off, Limit::Off)).effects.is_empty());
        assert!(super::plan(&logs, &limits(Limit::At(8), Limit::At(4))).effects.is_empty(), "at the limit is within");
        assert_eq!(super::plan(&logs, &limits(Limit::At(7), Limit::At(4))).trims[0].frees(), 2);
    }
}
