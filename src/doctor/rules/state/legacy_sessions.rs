//! Sessions where gateways kept them before there were agents: `<state>/sessions`.

use std::collections::BTreeMap;
use std::path::Path;

use super::session_keys;
use crate::doctor::rule::{Check, Findings, Rule};
use crate::doctor::rules::support::canonical::{Keys, is_old_direct};
use crate::doctor::rules::support::folders;
use crate::doctor::rules::support::rows::{self, Changes};
use crate::model::check::{Broken, Seen};
use crate::model::doctor::{FolderFix, Remedy, StateFacts, StoreState, Version};
use crate::model::effect::{Effect, FileRef};
use crate::model::finding::Severity;
use crate::model::folder::{Artefact, Class, FolderFacts};
use crate::model::index::{IndexFacts, IndexState, Row};
use crate::model::state_seen::LegacySessions;
use crate::store::splice;

/// The rule.
pub const RULE: Rule = Rule {
    id: "legacy-sessions-dir",
    severity: Severity::Error,
    since: Version(2026, 5, 0),
    what: "sessions lie in the folder of gateways before agents",
    why: "The gateway reads agents/<id>/sessions only. What lies in <state>/sessions is history that nobody sees.",
    fix: "Merges the rows into the index of the default agent (of two for one key the one that was used last stays), brings \
          the files over, and then takes the old folder away. What has the same name there, and what is no file, \
          stays behind, in sessions.legacy-<time>.",
    before: "sessions/sessions.json: { \"main\": { \"sessionId\": \"a\" } }  sessions/a.jsonl",
    after: "agents/main/sessions/sessions.json: { \"agent:main:main\": { \"sessionId\": \"a\" } }  agents/main/sessions/a.jsonl",
    check: Check::State(check),
};

fn check(facts: &StateFacts, out: &mut Findings) {
    if let Some(link) = &facts.seen.sessions_link {
        let mut found = RULE.found("sessions", "is a link: what it leads to is not read, and is not brought over");
        found.severity = Severity::Warning;
        let how = "put a folder in its place, or remove the link if agents/<id>/sessions has it all".to_owned();
        out.push(found.at(link.clone()).remedy(Remedy::Manual(how)));
    }
    for left in &facts.seen.left_behind {
        let name = left.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut found = RULE.found(name, "was left behind by an earlier migration: no gateway reads it");
        found.severity = Severity::Info;
        let how = "look what is in it, bring over what is missed, and remove the rest".to_owned();
        out.push(found.at(left.clone()).remedy(Remedy::Manual(how)));
    }
    let Some(legacy) = &facts.seen.legacy_sessions else { return };
    let transcripts = legacy.folder.entries.iter().filter(|e| e.class == Class::Transcript).count() as u64;
    let rows = match &legacy.index {
        IndexState::Whole(index) => index.live_rows() as u64,
        _ => 0,
    };
    let count = crate::report::plural::count;
    let message =
        format!("{} and {} that the gateway does not read", count(rows, "row"), count(transcripts, "transcript"));
    let mut found = RULE.found("sessions", message).at(legacy.folder.path.clone());
    let store = facts.stores.iter().position(|s| s.target.agent_id == facts.settings.default_agent);
    found.remedy = match store.map(|at| plan(facts, legacy, at, &mut found.details)) {
        Some(Ok(fixes)) => Remedy::Effects { what: "brings them to the default agent".to_owned(), fixes, flag: None },
        Some(Err(why)) => Remedy::Manual(why),
        None => Remedy::Manual("the default agent has no store to bring them to".to_owned()),
    };
    out.push(found);
}

fn plan(
    facts: &StateFacts,
    legacy: &LegacySessions,
    at: usize,
    lines: &mut Vec<String>,
) -> Result<Vec<FolderFix>, String> {
    let store = &facts.stores[at];
    let old = match &legacy.index {
        IndexState::Whole(index) => Some(index),
        IndexState::Absent => None,
        IndexState::Damaged(damage) => {
            return Err(format!("the old index is damaged ({}); repair it first", damage.kind.describe()));
        }
        IndexState::Unreadable(why) => return Err(format!("the old index cannot be read: {why}")),
    };
    if let Some(lock) = legacy.folder.entries.iter().find(|e| e.name.to_string_lossy().ends_with(".lock")) {
        return Err(format!(
            "{} is there: a program may be at work in that folder; once it has ended, remove the lock and run this again",
            lock.name.display()
        ));
    }
    let keys = session_keys::keys(facts, store);
    let folder = store.target.store_path.parent().unwrap_or(Path::new("")).to_owned();
    let mut fixes = Vec::new();
    let (there, rows_effect, in_store) = match seen(store)? {
        Target::Whole(whole) => {
            let mut changes = Changes::of(&whole.index);
            if let Some(old) = old {
                merge(facts, old, Some(&whole.index), (&keys, &folder), &mut Into::Index(&mut changes), lines);
            }
            let swap = (!changes.is_empty()).then(|| Effect::SwapIndex(changes.into_swap()));
            (Some(&whole.folder), swap, true)
        }
        Target::Empty(there) => {
            let mut new = BTreeMap::new();
            if let Some(old) = old {
                merge(facts, old, None, (&keys, &folder), &mut Into::New(&mut new), lines);
            }
            let absent: Vec<_> = facts.seen.absent_dirs.iter().filter(|p| folder.starts_with(p)).cloned().collect();
            fixes.extend(folders::make(&absent));
            let name = store.target.store_path.file_name().unwrap_or_default().to_owned();
            let create = (!new.is_empty()).then(|| Effect::Create { to: name, content: text(&new), mode: 0o600 });
            (there, create, false)
        }
    };
    let leads = |name: &str| old.map_or_else(Vec::new, |old| rows_to(old, name));
    let (mut bring, mut stow) = (Vec::new(), Vec::new());
    for rest in legacy.folder.entries.iter().filter(|e| !movable(e)) {
        lines.push(format!("{} stays behind: {}", rest.name.display(), folders::no_file(rest.fp.kind)));
    }
    for file in legacy.folder.entries.iter().filter(|e| movable(e)) {
        let name = file.name.to_os_string();
        if file.class == Class::Index {
            stow.push(file);
            continue;
        }
        match standing(there, file) {
            Standing::Taken => {
                lines.push(format!("{} stays behind: another file of that name is there", name.display()));
                // The row comes along; what it leads to is another conversation from then on.
                lines.extend(leads(&name.to_string_lossy()).into_iter().map(|key| {
                    format!("{key} leads to that other file then: compare both, and keep the one that belongs to it")
                }));
            }
            // An earlier run was interrupted after it had brought it.
            Standing::Here => stow.push(file),
            Standing::Free => {
                lines.push(format!("{} -> agents/{}/sessions", name.display(), store.target.agent_id));
                bring.push(folders::bring(&legacy.folder.path, &name));
                stow.push(file);
            }
        }
    }
    bring.extend(rows_effect);
    if !bring.is_empty() {
        fixes.push(FolderFix { folder, effects: bring, store: in_store.then_some(at) });
    }
    let all = stow.len() == legacy.folder.entries.len();
    let taken_away: Vec<Effect> =
        stow.iter().map(|f| Effect::Stow { file: FileRef { name: f.name.to_os_string(), fp: f.fp } }).collect();
    if !taken_away.is_empty() {
        fixes.push(folders::fix(&legacy.folder.path, taken_away));
    }
    let path = &legacy.folder.path;
    let last = match all {
        true => folders::remove(path, legacy.fp),
        false => folders::rename(path, legacy.fp, path.with_file_name(format!("sessions.legacy-{}", facts.now))),
    };
    fixes.extend(last);
    Ok(fixes)
}

/// Keys of the old rows whose transcript has this name.
fn rows_to(old: &IndexFacts, name: &str) -> Vec<String> {
    let of = |row: &&Row| {
        let id = row.session_id.map(|id| format!("{}.jsonl", id.get(&old.bytes)));
        let file = row.session_file.map(|file| file.get(&old.bytes).into_owned());
        let file = file.as_deref().map(|path| path.rsplit(['/', '\\']).next().unwrap_or(path));
        file.or(id.as_deref()) == Some(name)
    };
    old.rows.iter().filter(|row| !row.shadowed).filter(of).map(|row| old.key(row).into_owned()).collect()
}

/// What has the name of a file in the folder that it is to come to.
enum Standing {
    Free,
    /// The very same file.
    Here,
    Taken,
}

fn standing(folder: Option<&FolderFacts>, file: &Artefact) -> Standing {
    match folder.and_then(|f| f.find(&file.name).map(|ix| f.entries[ix].fp)) {
        None => Standing::Free,
        Some(fp) if (fp.dev, fp.ino) == (file.fp.dev, file.fp.ino) && fp.ino != 0 => Standing::Here,
        Some(_) => Standing::Taken,
    }
}

fn movable(file: &Artefact) -> bool {
    file.is_file() && file.class != Class::Lock
}

enum Target<'a> {
    Whole(&'a crate::model::facts::Facts),
    Empty(Option<&'a FolderFacts>),
}

fn seen(store: &StoreState) -> Result<Target<'_>, String> {
    match store.facts.as_ref().map(|f| &f.seen) {
        Some(Seen::Whole(whole)) => Ok(Target::Whole(whole)),
        Some(Seen::Broken(Broken::Absent, folder)) => Ok(Target::Empty(Some(folder))),
        Some(Seen::Broken(..)) => Err("the index of the default agent is damaged: clawkeep sessions repair".to_owned()),
        None if store.error.is_some() => Err("the sessions folder of the default agent cannot be read".to_owned()),
        None => Ok(Target::Empty(None)),
    }
}

/// Where merged rows go.
enum Into<'m, 'i> {
    Index(&'m mut Changes<'i>),
    New(&'m mut BTreeMap<String, Vec<u8>>),
}

/// Rows of the old index under their keys of today. Of two for one key the newer stays; of equals, that of the target.
fn merge(
    facts: &StateFacts,
    old: &IndexFacts,
    target: Option<&IndexFacts>,
    (keys, target_folder): (&Keys<'_>, &Path),
    into: &mut Into<'_, '_>,
    lines: &mut Vec<String>,
) {
    let mut there: BTreeMap<String, u32> = BTreeMap::new();
    for (ix, row) in (0..).zip(target.map(|t| &t.rows).into_iter().flatten()).filter(|(_, row)| !row.shadowed) {
        let key = target.map(|t| t.key(row).into_owned()).unwrap_or_default();
        there.insert(keys.of(&key).into_owned(), ix);
    }
    // By key of today; of two old rows for one the newer, of equals the first.
    let mut best: BTreeMap<String, u32> = BTreeMap::new();
    let mut order = Vec::new();
    for (ix, row) in (0..).zip(&old.rows).filter(|(_, row)| !row.shadowed) {
        let key = keys.of(&old.key(row)).into_owned();
        match best.get(&key) {
            Some(other) if !rows::is_later(facts.now, (old, row), (old, &old.rows[*other as usize]), lines) => {}
            Some(_) => drop(best.insert(key, ix)),
            None => {
                order.push(key.clone());
                best.insert(key, ix);
            }
        }
    }
    for key in &order {
        let row = &old.rows[best[key] as usize];
        let value = moved_along(facts, target_folder, rows::with_group_channel(rows::value(old, row)));
        match (there.get(key), target) {
            (Some(ix), Some(target))
                if !rows::is_later(facts.now, (old, row), (target, &target.rows[*ix as usize]), lines) =>
            {
                lines.push(format!("{} gives way to {key}, which was used later or is in use", old.key(row)));
            }
            (Some(ix), Some(_)) => {
                lines.push(format!("{} takes the place of {key}, which was used earlier", old.key(row)));
                if let Into::Index(changes) = into {
                    changes.set(*ix, key.clone(), value);
                }
            }
            _ => {
                lines.push(format!("{} -> {key}", old.key(row)));
                match into {
                    Into::Index(changes) => changes.add(key.clone(), value),
                    Into::New(new) => drop(new.insert(key.clone(), value)),
                }
            }
        }
    }
    let main = keys.main();
    if there.contains_key(&main) || best.contains_key(&main) {
        return;
    }
    let direct = old.rows.iter().filter(|r| !r.shadowed && r.session_id.is_some() && is_old_direct(&old.key(r)));
    if let Some(newest) = direct.max_by_key(|row| rows::updated(old, row)) {
        lines.push(format!("{} is the main session now ({main})", old.key(newest)));
        let value = moved_along(facts, target_folder, rows::with_group_channel(rows::value(old, newest)));
        match into {
            Into::Index(changes) => changes.add(main, value),
            Into::New(new) => drop(new.insert(main, value)),
        }
    }
}

/// The row with the path of its transcript as it is afterwards, if it named the one in the old folder.
fn moved_along(facts: &StateFacts, folder: &Path, value: Vec<u8>) -> Vec<u8> {
    let entry = serde_json::from_slice::<serde_json::Value>(&value).unwrap_or_default();
    let Some(named) = entry.get("sessionFile").and_then(serde_json::Value::as_str).map(Path::new) else { return value };
    let old = facts.seen.legacy_sessions.as_ref().map(|legacy| legacy.folder.path.as_path());
    let is_old = |parent: &Path| parent == facts.roots.state_dir.join("sessions") || Some(parent) == old;
    let Some(name) = named.file_name().filter(|_| named.parent().is_some_and(is_old)) else { return value };
    let path = folder.join(name);
    splice::with_string(&value, "sessionFile", &path.to_string_lossy()).unwrap_or(value)
}

fn text(rows: &BTreeMap<String, Vec<u8>>) -> Vec<u8> {
    let mut out = b"{".to_vec();
    for (at, (key, value)) in rows.iter().enumerate() {
        out.extend_from_slice(if at == 0 { b"\n  " } else { b",\n  " });
        out.extend_from_slice(&serde_json::to_vec(key).unwrap_or_default());
        out.extend_from_slice(b": ");
        out.extend_from_slice(value);
    }
    out.extend_from_slice(b"\n}\n");
    out
}
