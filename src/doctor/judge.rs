//! Asks the rules. Pure.

use serde_json::Value;

use super::lost;
use super::rule::{Check, Migrate, Notes, Rule};
use crate::config::edit::diff;
use crate::model::doctor::{ConfigFacts, Found, Remedy, StateFacts, Version};

/// Which rules are asked.
#[derive(Debug, Clone, Default)]
pub struct Choice {
    /// Only these, if any.
    pub only: Vec<String>,
    /// Not these.
    pub skip: Vec<String>,
}

impl Choice {
    /// The rules to ask, in order.
    pub fn rules(&self, all: &'static [&'static Rule], target: Version) -> Vec<&'static Rule> {
        let named = |list: &[String], rule: &Rule| list.iter().any(|id| id == rule.id);
        all.iter()
            .copied()
            .filter(|rule| rule.since <= target)
            .filter(|rule| self.only.is_empty() || named(&self.only, rule))
            .filter(|rule| !named(&self.skip, rule))
            .collect()
    }
}

/// A migration that changes something, or has something to leave to a person.
#[derive(Debug, Clone)]
pub struct Migration {
    /// The rule.
    pub rule: &'static Rule,
    /// What it did.
    pub notes: Notes,
    /// The first key that it changes; empty if it changes none.
    pub key: String,
}

/// The first dotted key that differs.
pub fn first_key(old: &Value, new: &Value) -> String {
    let first = diff::by_key(old, new).into_iter().next().unwrap_or_default();
    first.split(' ').nth(1).unwrap_or_default().to_owned()
}

/// How often the rules are gone through: what one of them brings to a place may be what another is about. More than the
/// longest chain of them.
pub const ROUNDS: usize = 6;

/// Runs the migrations of `rules` over `root`, one after the other and again until nothing changes any more, and gives those
/// that changed it or left something to a person. Rules that wait for others run in their place if any of those matches.
pub fn migrations(root: &mut Value, rules: &[&'static Rule]) -> Vec<Migration> {
    let mut done: Vec<Migration> = Vec::new();
    for _ in 0..ROUNDS {
        let before = root.clone();
        for one in round(root, rules) {
            add(&mut done, one);
        }
        if *root == before {
            break;
        }
    }
    done
}

/// Takes a migration over; one of a rule that had its turn goes on with that.
pub fn add(done: &mut Vec<Migration>, new: Migration) {
    let Some(known) = done.iter_mut().find(|known| known.rule.id == new.rule.id) else { return done.push(new) };
    known.notes.lines.extend(new.notes.lines);
    for line in new.notes.manual {
        if !known.notes.manual.contains(&line) {
            known.notes.manual.push(line);
        }
    }
    if known.key.is_empty() {
        known.key = new.key;
    }
}

fn round(root: &mut Value, rules: &[&'static Rule]) -> Vec<Migration> {
    let matching = matching(root, rules);
    let mut done: Vec<Migration> = Vec::new();
    for rule in rules {
        let Some(migrate) = asked(rule, &matching) else { continue };
        let before = root.clone();
        let mut notes = Notes::default();
        migrate(root, &mut notes);
        if *root != before {
            let lost = lost::lines(&before, root, &notes.lines);
            notes.lines.extend(lost);
        }
        if *root != before || !notes.manual.is_empty() {
            done.push(Migration { rule, notes, key: first_key(&before, root) });
        }
    }
    done
}

/// Ids of migrations that change this value by themselves.
pub fn matching(root: &Value, rules: &[&'static Rule]) -> Vec<&'static str> {
    let mut root = root.clone();
    let mut ids = Vec::new();
    for rule in rules {
        if let Check::Migrate(migrate) = rule.check {
            let before = root.clone();
            migrate(&mut root, &mut Notes::default());
            if root != before {
                ids.push(rule.id);
            }
        }
    }
    ids
}

/// The migration of a rule, if its turn has come.
pub fn asked(rule: &Rule, matching: &[&str]) -> Option<Migrate> {
    match rule.check {
        Check::Migrate(migrate) => Some(migrate),
        Check::Beside([], migrate) => Some(migrate).filter(|_| !matching.is_empty()),
        Check::Beside(ids, migrate) => Some(migrate).filter(|_| ids.iter().any(|id| matching.contains(id))),
        Check::Inspect(_) | Check::State(_) => None,
    }
}

/// What rules find in the configuration, migrations first.
pub fn config(facts: &ConfigFacts, rules: &[&'static Rule]) -> Vec<Found> {
    let mut root = facts.root.clone();
    let mut found = Vec::new();
    for Migration { rule, notes, key } in migrations(&mut root, rules) {
        let one = |subject: String, details| Found { details, ..rule.found(subject, rule.what).at(facts.path.clone()) };
        if !key.is_empty() {
            found.push(one(key, notes.lines).remedy(Remedy::Edit));
        }
        if !notes.manual.is_empty() {
            let subject = notes.manual[0].split(' ').next().unwrap_or_default().to_owned();
            let how = "what cannot be moved is left to you".to_owned();
            found.push(one(subject, notes.manual).remedy(Remedy::Manual(how)));
        }
    }
    let after = ConfigFacts { migrated: root, ..facts.clone() };
    for rule in rules {
        if let Check::Inspect(inspect) = rule.check {
            inspect(&after, &mut found);
        }
    }
    found
}

/// What rules find in the state.
pub fn state(facts: &StateFacts, rules: &[&'static Rule]) -> Vec<Found> {
    let mut found = Vec::new();
    for rule in rules {
        if let Check::State(check) = rule.check {
            check(facts, &mut found);
        }
    }
    found
}
