//! Cron jobs in the shapes that gateways of earlier versions wrote, and in that of today.
//!
//! The shapes are the facts; the order of the steps matters, because a name is inferred from what the job says before its
//! payload is put in order. Fields that are not known stay as they are.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::job_values::{from_codex, moment, new_id, plain, says_nothing, stagger, whole};
use crate::units::time;

/// Mark of the job that the memory plugin manages.
const DREAM_MARK: &str = "[managed-by=memory-core.short-term-promotion]";
/// What that job says.
const DREAM_TEXT: &str = "__openclaw_memory_core_short_term_promotion_dream__";
/// Its name.
const DREAM_NAME: &str = "Memory Dreaming Promotion";
/// Longest name that is made of a text.
const NAME_CHARS: usize = 60;

/// What was found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shapes {
    /// Old shapes, and in how many jobs each is.
    pub issues: BTreeMap<&'static str, u64>,
    /// Shapes that stay until a person has decided, and in how many jobs each is.
    pub left: BTreeMap<&'static str, u64>,
    /// What a person has to decide.
    pub manual: Vec<String>,
    /// Values that have no place in the shape of today, by job; they are only in the backup afterwards.
    pub dropped: Vec<String>,
}

/// Puts every job of `{jobs: [...]}` into the shape of today. `webhook` is `cron.webhook`. The state of the jobs stays in
/// them. `None` if the root is not of that form.
pub fn normalise(root: &mut Value, webhook: Option<&str>) -> Option<Shapes> {
    let jobs = root.as_object_mut()?.get_mut("jobs")?.as_array_mut()?;
    let mut shapes = Shapes::default();
    for (at, job) in jobs.iter_mut().enumerate() {
        let text = job.to_string();
        if let Value::Object(job) = job {
            let mut one = One {
                job,
                webhook,
                issues: Vec::new(),
                left: Vec::new(),
                manual: &mut shapes.manual,
                dropped: &mut shapes.dropped,
                unclear: false,
            };
            one.all(&format!("{at} {text}"));
            one.issues.sort_unstable();
            one.issues.dedup();
            one.left.sort_unstable();
            one.left.dedup();
            let (issues, left) = (one.issues, one.left);
            for issue in issues {
                *shapes.issues.entry(issue).or_insert(0) += 1;
            }
            for issue in left {
                *shapes.left.entry(issue).or_insert(0) += 1;
            }
        }
    }
    doubles(jobs, &mut shapes);
    Some(shapes)
}

/// Jobs that share an id: the gateway runs both, and keeps one state for them.
fn doubles(jobs: &[Value], shapes: &mut Shapes) {
    let mut ids: BTreeMap<&str, u64> = BTreeMap::new();
    for id in jobs.iter().filter_map(|job| job.get("id").and_then(Value::as_str)) {
        *ids.entry(id).or_insert(0) += 1;
    }
    for (id, jobs) in ids.into_iter().filter(|(_, jobs)| *jobs > 1) {
        shapes.left.insert("shares its `id` with another", jobs);
        shapes.manual.push(format!(
            "{jobs} jobs have the id \"{id}\": give each its own; the state of all but the first stays in the job"
        ));
    }
}

pub(super) struct One<'j> {
    pub(super) job: &'j mut Map<String, Value>,
    pub(super) webhook: Option<&'j str>,
    issues: Vec<&'static str>,
    /// Issues that nothing is done about.
    left: Vec<&'static str>,
    manual: &'j mut Vec<String>,
    dropped: &'j mut Vec<String>,
    /// Where the answer goes is said in two ways: none of them is touched.
    pub(super) unclear: bool,
}

impl One<'_> {
    fn all(&mut self, seed: &str) {
        self.id(seed);
        self.schedule_text();
        self.name();
        self.plain_fields();
        self.payload_made();
        self.payload_kind();
        self.look_at_delivery();
        self.top_level();
        self.payload_fields();
        self.schedule();
        self.delivery();
        self.target();
        self.hints();
        self.notify();
        self.dream();
    }

    pub(super) fn issue(&mut self, what: &'static str) {
        self.issues.push(what);
    }

    /// Something that stays as it is until a person has decided.
    pub(super) fn leave(&mut self, what: &'static str, why: &str) {
        self.left.push(what);
        let name = self.called();
        self.manual.push(format!("job \"{name}\" {why}"));
    }

    /// Says that a value goes. One that says nothing goes unsaid.
    pub(super) fn drops(&mut self, field: &str, value: &Value) {
        if !says_nothing(value) {
            let name = self.called();
            self.dropped.push(format!("job \"{name}\" loses `{field}: {value}`, which no gateway of today reads"));
        }
    }

    fn called(&self) -> String {
        self.text("name").or_else(|| self.text("id")).or_else(|| self.text("jobId")).unwrap_or_default()
    }

    pub(super) fn text(&self, field: &str) -> Option<String> {
        self.job.get(field).and_then(Value::as_str).map(|s| s.trim().to_owned()).filter(|s| !s.is_empty())
    }

    fn id(&mut self, seed: &str) {
        let plain = |value: &Value| match value {
            Value::String(text) => Some(text.trim().to_owned()).filter(|id| !id.is_empty()),
            Value::Number(n) => Some(n.to_string()),
            _ => None,
        };
        let own = self.job.get("id").and_then(plain);
        if self.job.get("id").is_some_and(|id| !id.is_string()) {
            self.issue("stores `id` as a non-string value");
        }
        let old = self.job.get("jobId").and_then(plain);
        if let (Some(own), Some(old)) = (own.as_deref(), old.as_deref().filter(|old| own.as_deref() != Some(*old))) {
            let why = format!("has the id \"{own}\" and the jobId \"{old}\"; the gateway reads the id");
            self.leave("has two ids", &why);
        } else if let Some(value) = self.job.shift_remove("jobId") {
            self.issue("uses `jobId`");
            if old.is_none() {
                self.drops("jobId", &value);
            }
        }
        if own.is_none()
            && let Some(value) = self.job.get("id").cloned()
        {
            self.drops("id", &value);
        }
        let id = own.or(old).unwrap_or_else(|| {
            self.issue("has no `id`");
            new_id(seed)
        });
        self.job.insert("id".to_owned(), Value::String(id));
    }

    fn schedule_text(&mut self) {
        if let Some(expr) = self.job.get("schedule").and_then(Value::as_str) {
            let expr = expr.trim().to_owned();
            self.job.insert("schedule".to_owned(), json!({ "kind": "cron", "expr": expr }));
            self.issue("stores the schedule as a bare string");
        }
    }

    fn name(&mut self) {
        if let Some(name) = self.text("name") {
            self.job.insert("name".to_owned(), Value::String(name));
            return;
        }
        if let Some(odd) = self.job.get("name").cloned() {
            self.drops("name", &odd);
        }
        let payload = self.job.get("payload");
        let of = |kind, field| {
            let payload = payload.filter(|p| p.get("kind").and_then(Value::as_str) == Some(kind))?;
            let text = payload.get(field)?.as_str()?;
            let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
            Some(line.chars().take(NAME_CHARS).collect::<String>())
        };
        let schedule = self.job.get("schedule");
        let field = |name| schedule.and_then(|s| s.get(name));
        let inferred = of("agentTurn", "message").or_else(|| of("systemEvent", "text")).unwrap_or_else(|| {
            match (field("kind").and_then(Value::as_str), field("expr"), field("everyMs")) {
                (Some("cron"), Some(Value::String(expr)), _) => format!("Cron: {expr}"),
                (Some("every"), _, Some(ms)) if !ms.is_null() => format!("Every: {}ms", plain(ms)),
                (Some("at"), ..) => "One-shot".to_owned(),
                _ => "Cron job".to_owned(),
            }
        });
        self.job.insert("name".to_owned(), Value::String(inferred));
    }

    fn plain_fields(&mut self) {
        for field in ["description", "sessionKey"] {
            if self.job.contains_key(field) {
                match self.text(field) {
                    Some(text) => drop(self.job.insert(field.to_owned(), Value::String(text))),
                    None => {
                        if let Some(odd) = self.job.shift_remove(field) {
                            self.drops(field, &odd);
                        }
                    }
                }
            }
        }
        match self.job.get("enabled") {
            Some(Value::Bool(_)) => {}
            None => drop(self.job.insert("enabled".to_owned(), Value::Bool(true))),
            // To switch a job on, or off, is nobody's business but its owner's.
            Some(odd) => {
                let why = format!("has enabled: {odd}, which is neither true nor false; the gateway takes it for true");
                self.leave("has an `enabled` that is neither true nor false", &why);
            }
        }
        let wake = self.text("wakeMode").map(|w| w.to_lowercase()).filter(|w| w == "now" || w == "next-heartbeat");
        for (field, value, fine) in [
            ("wakeMode", Value::String(wake.clone().unwrap_or_else(|| "now".to_owned())), wake.is_some()),
            ("state", json!({}), false),
        ] {
            if field == "state" && self.job.get("state").is_some_and(Value::is_object) {
                continue;
            }
            if let Some(odd) = self.job.insert(field.to_owned(), value).filter(|_| !fine) {
                self.drops(field, &odd);
            }
        }
    }

    fn payload_made(&mut self) {
        if !self.job.get("payload").is_some_and(Value::is_object) {
            let made = match (self.text("message"), self.text("text"), self.text("command")) {
                (Some(message), ..) => Some(json!({ "kind": "agentTurn", "message": message })),
                (None, Some(text), _) | (None, None, Some(text)) => {
                    Some(json!({ "kind": "systemEvent", "text": text }))
                }
                _ => None,
            };
            if let Some(made) = made {
                if let Some(odd) = self.job.insert("payload".to_owned(), made) {
                    self.drops("payload", &odd);
                }
                self.issue("uses top-level payload fields");
            }
        }
    }

    fn payload_kind(&mut self) {
        let Some(Value::Object(payload)) = self.job.get_mut("payload") else { return };
        let kind = payload.get("kind").and_then(Value::as_str).map(str::trim).unwrap_or_default();
        let has = |field| payload.get(field).and_then(Value::as_str).is_some_and(|t| !t.trim().is_empty());
        let wanted = match kind.to_lowercase().as_str() {
            "agentturn" => "agentTurn",
            "systemevent" => "systemEvent",
            "" if has("message") => "agentTurn",
            "" if has("text") => "systemEvent",
            _ => return,
        };
        if payload.get("kind").and_then(Value::as_str) != Some(wanted) {
            payload.insert("kind".to_owned(), Value::String(wanted.to_owned()));
            self.issue("needs its payload kind put right");
        }
    }

    /// Fields of the payload and of the delivery that stand beside them.
    fn top_level(&mut self) {
        let moved = self.move_in();
        let said: Vec<String> = self
            .job
            .get("payload")
            .map(|p| ["message", "text"].map(|f| p.get(f).map(plain)))
            .into_iter()
            .flatten()
            .flatten()
            .collect();
        let mut rest = false;
        for field in ["message", "text", "command"] {
            let Some(value) = self.job.get(field).map(plain) else { continue };
            // What the payload does not say is nowhere else.
            if value.trim().is_empty() || said.iter().any(|said| said.trim() == value.trim()) {
                self.job.shift_remove(field);
                rest = true;
            } else {
                let why =
                    format!("says something else in `{field}` than in its payload; the gateway reads the payload");
                self.leave("says something else beside its payload", &why);
            }
        }
        if let Some(timeout) = self.job.get("timeout").map(plain) {
            let why = format!(
                "has a top-level timeout of {timeout}, which no gateway of today reads: set payload.timeoutSeconds"
            );
            self.leave("has a top-level `timeout`", &why);
        }
        if self.job.contains_key("isolation") {
            let why = "has `isolation`, which no gateway of today reads: remove it, or set sessionTarget and delivery";
            self.leave("has `isolation`", why);
        }
        if rest || moved {
            self.issue("uses top-level payload fields");
        }
    }

    fn payload_fields(&mut self) {
        self.provider();
        let Some(Value::Object(payload)) = self.job.get_mut("payload") else { return };
        let mut issues = Vec::new();
        let mut codex = payload.get_mut("model").is_some_and(from_codex);
        if let Some(Value::Array(fallbacks)) = payload.get_mut("fallbacks") {
            codex |= fallbacks.iter_mut().filter_map(|one| from_codex(one).then_some(())).count() > 0;
        }
        if codex {
            issues.push("uses `openai-codex/*` models");
        }
        self.issues.extend(issues);
    }

    fn schedule(&mut self) {
        let created = self.job.get("createdAtMs").filter(|v| v.is_number()).cloned();
        let updated = self.job.get("updatedAtMs").filter(|v| v.is_number()).cloned();
        let Some(Value::Object(schedule)) = self.job.get_mut("schedule") else { return };
        let has = |s: &Map<String, Value>, field: &str| s.get(field).is_some_and(|v| !v.is_null());
        let mut issue = None;
        let mut two = Vec::new();
        let mut odd = Vec::new();
        if !has(schedule, "kind") && (has(schedule, "at") || has(schedule, "atMs")) {
            schedule.shift_insert(0, "kind".to_owned(), Value::String("at".to_owned()));
        }
        let at = ["at", "atMs"].map(|field| schedule.get(field).filter(|at| !at.is_null()).cloned());
        match at.each_ref().map(|at| at.as_ref().and_then(moment)) {
            [Some(at), Some(old)] if at != old => two.push(("at", "atMs")),
            // A time that cannot be read may still be the one that is meant.
            [None, Some(_)] if at[0].is_some() => two.push(("at", "atMs")),
            [at, old] => {
                if let Some(at) = old.or(at) {
                    schedule.insert("at".to_owned(), Value::String(time::iso(at)));
                    odd.extend(schedule.shift_remove("atMs").filter(|_| old.is_none()).map(|v| ("schedule.atMs", v)));
                }
            }
        }
        match (schedule.get("cron").cloned(), schedule.get("expr").filter(|expr| !expr.is_null())) {
            (None, _) => {}
            (Some(cron), Some(expr)) if !says_nothing(&cron) && plain(&cron).trim() != plain(expr).trim() => {
                two.push(("expr", "cron"));
            }
            (Some(cron), expr) => {
                let free = expr.is_none();
                schedule.shift_remove("cron");
                if free && !cron.is_null() {
                    schedule.insert("expr".to_owned(), cron);
                }
                issue = Some("uses `schedule.cron`");
            }
        }
        if let Some(every) = schedule.get("everyMs").and_then(whole) {
            schedule.insert("everyMs".to_owned(), json!(every));
        }
        if !has(schedule, "kind")
            && let Some((kind, _)) =
                [("cron", "expr"), ("every", "everyMs")].into_iter().find(|(_, field)| has(schedule, field))
        {
            schedule.shift_insert(0, "kind".to_owned(), Value::String(kind.to_owned()));
            issue = issue.or(Some("has a schedule without its kind"));
        }
        let kind = schedule.get("kind").and_then(Value::as_str).unwrap_or_default().to_owned();
        if kind == "every"
            && let Some(anchor) = schedule.get("anchorMs").filter(|v| v.is_number()).cloned().or(created).or(updated)
        {
            schedule.insert("anchorMs".to_owned(), anchor);
        }
        odd.extend(stagger(schedule, &kind).map(|v| ("schedule.staggerMs", v)));
        self.issues.extend(issue);
        for (field, value) in odd {
            self.drops(field, &value);
        }
        for (today, old) in two {
            let field = |name| self.job.get("schedule").and_then(|s| s.get(name)).map(plain).unwrap_or_default();
            let (now, then) = (field(today), field(old));
            let why = format!(
                "has schedule.{today} \"{now}\" and schedule.{old} \"{then}\"; a gateway of today reads {today}: remove one"
            );
            self.leave("has two schedules", &why);
        }
    }

    pub(super) fn kind(&self) -> &str {
        self.job.get("payload").and_then(|p| p.get("kind")).and_then(Value::as_str).unwrap_or_default()
    }

    fn target(&mut self) {
        let given = self.text("sessionTarget").unwrap_or_default();
        let lower = given.to_lowercase();
        let target = match lower.as_str() {
            "main" | "isolated" => lower.clone(),
            "current" => "isolated".to_owned(),
            _ if lower.starts_with("session:") => given,
            _ if self.kind() == "agentTurn" => "isolated".to_owned(),
            _ => "main".to_owned(),
        };
        let known =
            lower == "current" || target.eq_ignore_ascii_case(self.text("sessionTarget").as_deref().unwrap_or(""));
        if let Some(odd) = self.job.insert("sessionTarget".to_owned(), Value::String(target)).filter(|_| !known) {
            self.drops("sessionTarget", &odd);
        }
    }

    fn dream(&mut self) {
        let payload = self.job.get("payload");
        let says = |field| payload.and_then(|p| p.get(field)).and_then(Value::as_str) == Some(DREAM_TEXT);
        let marked = self.text("description").is_some_and(|d| d.contains(DREAM_MARK));
        if !marked && !(self.text("name").as_deref() == Some(DREAM_NAME) && (says("text") || says("message"))) {
            return;
        }
        let mode = self.job.get("delivery").and_then(|d| d.get("mode")).and_then(Value::as_str);
        let light = payload.and_then(|p| p.get("lightContext")).and_then(Value::as_bool) == Some(true);
        let isolated = self.job.get("sessionTarget").and_then(Value::as_str) == Some("isolated");
        if isolated && self.kind() == "agentTurn" && light && mode == Some("none") {
            return;
        }
        self.issue("is the managed dreaming job in its form of the heartbeat");
        self.job.insert("sessionTarget".to_owned(), json!("isolated"));
        let payload = json!({ "kind": "agentTurn", "message": DREAM_TEXT, "lightContext": true });
        for (field, value) in [("payload", payload), ("delivery", json!({ "mode": "none" }))] {
            if let Some(old) = self.job.insert(field.to_owned(), value) {
                self.drops(field, &old);
            }
        }
    }
}

#[cfg(test)]
#[path = "jobs_tests.rs"]
mod tests;
