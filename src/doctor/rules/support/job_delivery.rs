//! Where a cron job says that its answer goes.
//!
//! Earlier gateways read it beside the payload, later ones in it, those of today in `delivery`. What two of these places say
//! alike is one thing; where they differ nobody knows which of them is meant, and all of them stay as they are.

use serde_json::{Map, Value, json};

use super::job_values::{plain, says_nothing};
use super::jobs::One;

/// Fields of the payload of an agent turn.
const PAYLOAD: [&str; 4] = ["model", "thinking", "timeoutSeconds", "allowUnsafeExternalContent"];
/// Fields that say where the answer of one goes.
const DELIVERY: [&str; 6] = ["deliver", "channel", "to", "threadId", "bestEffortDeliver", "provider"];
/// What is said in `delivery`, and the old fields that say the same.
const SAID: [(&str, &[&str]); 4] = [
    ("channel", &["channel", "provider"]),
    ("to", &["to"]),
    ("threadId", &["threadId"]),
    ("bestEffort", &["bestEffortDeliver"]),
];
const NOTIFY: &str = "uses the webhook fallback `notify: true`";

impl One<'_> {
    fn is_turn(&self) -> bool {
        self.kind() == "agentTurn"
    }

    /// What an object of the job, or the job itself, says under a name; nothing if it says nothing.
    fn said(&self, place: &str, field: &str) -> Option<&Value> {
        let of = if place.is_empty() { self.job.get(field) } else { self.job.get(place).and_then(|v| v.get(field)) };
        of.filter(|value| !says_nothing(value))
    }

    /// Finds out whether all places say the same. They all stay as they are otherwise.
    pub(super) fn look_at_delivery(&mut self) {
        // Beside another payload the fields of a turn are no fields of it.
        let places: &[&str] = if self.is_turn() { &["", "payload"] } else { &["payload"] };
        let old = || places.iter().flat_map(|place| DELIVERY.map(|field| (*place, field)));
        if !old().any(|(place, field)| self.said(place, field).is_some()) {
            return;
        }
        let mut against = Vec::new();
        for (today, names) in SAID {
            let olds = old().filter(|(_, field)| names.contains(field));
            let all: Vec<(&str, &str)> = olds.chain([("delivery", today)]).collect();
            let given: Vec<(String, &Value)> =
                all.iter().filter_map(|(place, field)| Some((path(place, field), self.said(place, field)?))).collect();
            let odd = |value: &Value| today == "channel" && !value.is_string();
            let alike = |a: &Value, b: &Value| match today {
                "channel" => plain(a).trim().eq_ignore_ascii_case(plain(b).trim()),
                _ => plain(a).trim() == plain(b).trim(),
            };
            let [first, rest @ ..] = given.as_slice() else { continue };
            if odd(first.1) || rest.iter().any(|other| !alike(first.1, other.1)) {
                against.extend(given.iter().map(|(path, value)| format!("{path} {value}")));
            }
        }
        against.extend(self.modes(places));
        if let Some(delivery) = self.job.get("delivery").filter(|d| !d.is_null() && !d.is_object()) {
            against.push(format!("delivery {delivery}"));
        }
        if !against.is_empty() {
            self.unclear = true;
            let why = format!("says in more than one way where its answer goes ({}); put it under delivery alone", {
                against.join(", ")
            });
            self.leave("says in more than one way where its answer goes", &why);
        }
    }

    /// Whether it is delivered at all, as far as that is said against itself. `deliver: false` beside an announcement is
    /// plain: the job does not announce.
    fn modes(&self, places: &[&str]) -> Vec<String> {
        let given: Vec<(String, &Value)> =
            places.iter().filter_map(|place| Some((path(place, "deliver"), self.said(place, "deliver")?))).collect();
        let Some((_, first)) = given.first() else { return Vec::new() };
        let mode = self.job.get("delivery").and_then(|d| d.get("mode")).filter(|mode| !mode.is_null());
        let other = !matches!(
            (first, mode.map(Value::as_str)),
            (Value::Bool(_), None)
                | (Value::Bool(true), Some(Some("deliver" | "announce")))
                | (Value::Bool(false), Some(Some("deliver" | "announce" | "none")))
        );
        if !other && given.iter().all(|(_, value)| value == first) {
            return Vec::new();
        }
        let mode = mode.map(|mode| format!("delivery.mode {mode}"));
        given.iter().map(|(path, value)| format!("{path} {value}")).chain(mode).collect()
    }

    /// Moves the fields that stand beside the payload of an agent turn into it; whether one of them was not about delivery.
    pub(super) fn move_in(&mut self) -> bool {
        let fields = |job: &Map<String, Value>, names: &[&'static str]| -> Vec<&'static str> {
            names.iter().copied().filter(|field| job.contains_key(*field)).collect()
        };
        let (payload, delivery) = (fields(self.job, &PAYLOAD), fields(self.job, &DELIVERY));
        if !self.is_turn() {
            let here = payload.iter().chain(&delivery).filter(|field| self.said("", field).is_some());
            let here: Vec<String> = here.map(|field| format!("`{field}`")).collect();
            if !here.is_empty() {
                let why = format!(
                    "has {}, which the gateway reads of an agent turn alone, and is none: make it one (payload.kind \
                     \"agentTurn\"), or remove them",
                    here.join(", ")
                );
                self.leave("has fields of an agent turn and is none", &why);
            }
            return false;
        }
        let mut moved = false;
        for field in payload {
            match (self.said("payload", field), self.said("", field)) {
                (Some(inner), Some(outer)) if inner != outer => {
                    let why = format!(
                        "says {field} {outer} beside its payload and {inner} in it; the gateway reads the payload"
                    );
                    self.leave("says something else beside its payload", &why);
                }
                _ => {
                    self.take_in(field);
                    moved = true;
                }
            }
        }
        if !self.unclear && !delivery.is_empty() {
            for field in delivery {
                self.take_in(field);
            }
            self.issue("uses top-level delivery fields");
        }
        moved
    }

    fn take_in(&mut self, field: &str) {
        let value = self.job.shift_remove(field).filter(|value| !value.is_null());
        if let (Some(value), Some(Value::Object(payload))) = (value, self.job.get_mut("payload"))
            && payload.get(field).is_none_or(says_nothing)
        {
            payload.insert(field.to_owned(), value);
        }
    }

    /// The channel has one name in a payload.
    pub(super) fn provider(&mut self) {
        if self.unclear {
            return;
        }
        let Some(Value::Object(payload)) = self.job.get_mut("payload") else { return };
        let provider = payload.shift_remove("provider");
        let lower = |v: &Value| v.as_str().map(|s| s.trim().to_lowercase()).filter(|s| !s.is_empty());
        let channel = payload.get("channel").and_then(lower).or_else(|| provider.as_ref().and_then(lower));
        if let Some(channel) = channel {
            payload.insert("channel".to_owned(), Value::String(channel));
        }
        if provider.is_some() {
            self.issue("uses payload `provider` for the channel");
        }
    }

    pub(super) fn delivery(&mut self) {
        let Some(Value::Object(delivery)) = self.job.get_mut("delivery") else { return };
        match delivery.get("mode") {
            Some(Value::String(mode)) if mode == "deliver" => {
                delivery.insert("mode".to_owned(), json!("announce"));
                self.issue("uses delivery mode `deliver`");
            }
            None | Some(Value::Null) => drop(delivery.insert("mode".to_owned(), json!("announce"))),
            Some(Value::String(_)) => {}
            Some(odd) => {
                let why = format!("has delivery.mode {odd}, which is no mode");
                self.leave("has a delivery mode that is none", &why);
            }
        }
    }

    /// What the payload says about delivery.
    pub(super) fn hints(&mut self) {
        if self.unclear {
            return;
        }
        let isolated = self.job.get("sessionTarget").and_then(Value::as_str) != Some("main");
        let turn = self.is_turn();
        let Some(Value::Object(payload)) = self.job.get_mut("payload") else { return };
        let mut hint = |field: &str| payload.shift_remove(field).filter(|v| !v.is_null());
        let (deliver, effort) = (hint("deliver"), hint("bestEffortDeliver"));
        let named = [("channel", hint("channel")), ("to", hint("to")), ("threadId", hint("threadId"))];
        let any = deliver.is_some() || effort.is_some() || named.iter().any(|(_, v)| v.is_some());
        if !any {
            if turn && isolated && self.job.get("delivery").is_none_or(Value::is_null) {
                self.job.insert("delivery".to_owned(), json!({ "mode": "announce" }));
            }
            return;
        }
        let mut delivery = match self.job.shift_remove("delivery") {
            Some(Value::Object(delivery)) => delivery,
            _ => Map::new(),
        };
        match deliver {
            Some(Value::Bool(false)) => drop(delivery.insert("mode".to_owned(), json!("none"))),
            Some(_) => drop(delivery.insert("mode".to_owned(), json!("announce"))),
            None => drop(delivery.entry("mode").or_insert(json!("announce"))),
        }
        for (field, value) in named {
            if let Some(value) = value.filter(|value| !(says_nothing(value) && delivery.contains_key(field))) {
                delivery.insert(field.to_owned(), value);
            }
        }
        if let Some(effort) = effort {
            delivery.insert("bestEffort".to_owned(), effort);
        }
        self.job.insert("delivery".to_owned(), Value::Object(delivery));
    }

    pub(super) fn notify(&mut self) {
        match self.job.get("notify") {
            None => return,
            Some(Value::Bool(true)) => {}
            Some(Value::Bool(false) | Value::Null) => {
                self.job.shift_remove("notify");
                return;
            }
            Some(odd) => {
                let why = format!("has notify: {odd}, which is neither true nor false; the gateway takes it for false");
                return self.leave("has a `notify` that is neither true nor false", &why);
            }
        }
        if self.unclear {
            return self.leave(NOTIFY, "has notify: true beside a delivery that is said in more than one way");
        }
        let delivery = self.job.get("delivery");
        let field = |name| delivery.and_then(|d| d.get(name)).and_then(Value::as_str).map(str::to_owned);
        let (mode, to) = (field("mode"), field("to"));
        let to = match (mode.as_deref(), to, self.webhook) {
            (Some("webhook"), Some(_), _) => None,
            (Some("none"), _, Some(hook)) => Some(hook.to_owned()),
            (None | Some("webhook"), to, Some(hook)) => Some(to.unwrap_or_else(|| hook.to_owned())),
            (None | Some("none" | "webhook"), _, None) => {
                return self.leave(NOTIFY, "has notify: true and there is no cron.webhook to deliver to");
            }
            (Some(mode), ..) => {
                let why =
                    format!("has notify: true beside delivery mode \"{mode}\"; a webhook would take the place of that");
                return self.leave(NOTIFY, &why);
            }
        };
        self.issue(NOTIFY);
        if let Some(to) = to {
            let new = json!({ "mode": "webhook", "to": to });
            let old = self.job.insert("delivery".to_owned(), new.clone());
            let fields = old.as_ref().and_then(Value::as_object).into_iter().flatten();
            for (field, value) in fields.filter(|(field, value)| *field != "mode" && new.get(field) != Some(value)) {
                self.drops(&format!("delivery.{field}"), value);
            }
        }
        self.job.shift_remove("notify");
    }
}

fn path(place: &str, field: &str) -> String {
    if place.is_empty() { field.to_owned() } else { format!("{place}.{field}") }
}
