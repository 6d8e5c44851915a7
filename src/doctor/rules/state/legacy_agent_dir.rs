//! Files of the agent where gateways kept them before there were several: `<state>/agent`.

use std::ffi::OsString;

use crate::doctor::rule::{Check, Findings, Rule};
use crate::doctor::rules::support::folders;
use crate::model::doctor::{FolderFix, Remedy, StateFacts, Version};
use crate::model::effect::{Effect, FileRef};
use crate::model::finding::Severity;
use crate::model::fingerprint::{Fingerprint, Kind};
use crate::model::state_seen::DirSeen;

/// The rule.
pub const RULE: Rule = Rule {
    id: "legacy-agent-dir",
    severity: Severity::Error,
    since: Version(2026, 5, 0),
    what: "credentials and models lie in the folder of gateways before agents",
    why: "The gateway reads agents/<id>/agent only: an agent whose auth profiles lie in <state>/agent has none.",
    fix: "Brings the files to the default agent. What has the same name there, and what is no file, stays behind, in agent.legacy-<time>.",
    before: "agent/auth-profiles.json",
    after: "agents/main/agent/auth-profiles.json",
    check: Check::State(check),
};

fn check(facts: &StateFacts, out: &mut Findings) {
    let Some(legacy) = &facts.seen.legacy_agent else { return };
    let agent = &facts.settings.default_agent;
    let count = crate::report::plural::count(legacy.entries.len() as u64, "file");
    let mut found = RULE.found("agent", format!("{count} that the gateway does not read")).at(legacy.path.clone());
    let fixes = match &facts.seen.agent_dir {
        None => whole(facts, legacy),
        Some(target) => one_by_one(facts, legacy, target),
    };
    let says = |entry| says(agent, facts.seen.agent_dir.as_ref(), &aside(facts), entry);
    found.details = legacy.entries.iter().map(says).collect();
    found.remedy = Remedy::Effects { what: "brings them to the default agent".to_owned(), fixes, flag: None };
    out.push(found);
}

/// Name of the folder of what stays behind.
fn aside(facts: &StateFacts) -> String {
    format!("agent.legacy-{}", facts.now)
}

/// What becomes of one entry, in words.
fn says(agent: &str, target: Option<&DirSeen>, aside: &str, (name, fp): &(OsString, Fingerprint)) -> String {
    let shown = name.display();
    let why = match target.map(|target| standing(target, name, fp)) {
        None | Some(Standing::Free) => return format!("{shown} -> agents/{agent}/agent"),
        Some(Standing::Here) => return format!("{shown} is in agents/{agent}/agent already"),
        Some(Standing::Taken) => "another file of that name is there",
        Some(Standing::NoFile(what)) => what,
    };
    format!("{shown} stays behind, in agents/{agent}/{aside}: {why}")
}

/// How an entry stands to a folder that has files of its own.
enum Standing {
    Free,
    /// The very same file: an interrupted run brought it.
    Here,
    Taken,
    /// Only files are brought one by one.
    NoFile(&'static str),
}

fn standing(target: &DirSeen, name: &OsString, fp: &Fingerprint) -> Standing {
    match fp.kind {
        Kind::File => match target.entries.iter().find(|(n, _)| n == name) {
            None => Standing::Free,
            Some((_, there)) if (there.dev, there.ino) == (fp.dev, fp.ino) && fp.ino != 0 => Standing::Here,
            Some(_) => Standing::Taken,
        },
        kind => Standing::NoFile(folders::no_file(kind)),
    }
}

/// The agent has no such folder yet: the old one becomes it.
fn whole(facts: &StateFacts, legacy: &DirSeen) -> Vec<FolderFix> {
    let home = facts.roots.state_dir.join("agents").join(&facts.settings.default_agent);
    let absent: Vec<_> = facts.seen.absent_dirs.iter().filter(|p| home.starts_with(p)).cloned().collect();
    let mut fixes = folders::make(&absent);
    fixes.extend(folders::rename(&legacy.path, legacy.fp, home.join("agent")));
    fixes
}

fn one_by_one(facts: &StateFacts, legacy: &DirSeen, target: &DirSeen) -> Vec<FolderFix> {
    let movable =
        |(name, fp): &&(OsString, Fingerprint)| matches!(standing(target, name, fp), Standing::Free | Standing::Here);
    let moves: Vec<_> = legacy.entries.iter().filter(movable).collect();
    let mut fixes = Vec::new();
    // What an interrupted run brought already is there by the same inode.
    let bring: Vec<Effect> = moves
        .iter()
        .filter(|(name, _)| !target.has(name))
        .map(|(name, _)| folders::bring(&legacy.path, name))
        .collect();
    if !bring.is_empty() {
        fixes.push(folders::fix(&target.path, bring));
    }
    if !moves.is_empty() {
        let stow =
            |(name, fp): &&(OsString, Fingerprint)| Effect::Stow { file: FileRef { name: name.clone(), fp: *fp } };
        fixes.push(folders::fix(&legacy.path, moves.iter().map(stow).collect()));
    }
    let last = if moves.len() == legacy.entries.len() {
        folders::remove(&legacy.path, legacy.fp)
    } else {
        let to = target.path.with_file_name(aside(facts));
        folders::rename(&legacy.path, legacy.fp, to)
    };
    fixes.extend(last);
    fixes
}
