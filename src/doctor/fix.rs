//! From the files of a configuration and the rules to the new texts. Pure.
//!
//! Rules are carried out one after the other, each on what the one before made, and again until nothing changes any more.
//! One that cannot be carried out file by file, or whose edit cannot be proven, is left out with its reason; the others go
//! on, but for those that would come to something else if it had been carried out.

use serde_json::Value;

use super::judge::{self, Migration};
use super::rule::{Migrate, Notes, Rule};
use crate::config::edit::diff;
use crate::config::edit::files::Sources;

/// A rule that was not carried out.
#[derive(Debug, Clone)]
pub struct Refused {
    /// The rule.
    pub rule: &'static str,
    /// Why.
    pub why: String,
    /// The edit for a person to make, key by key.
    pub by_hand: Vec<String>,
    /// It is refused because somebody else writes the file.
    pub managed: bool,
}

/// Everything that `--fix` comes to.
#[derive(Debug, Clone)]
pub struct Fix {
    /// The files as they are to be.
    pub sources: Sources,
    /// Rules that changed something, and which files each changed.
    pub done: Vec<(Migration, Vec<usize>)>,
    /// Rules that were not carried out.
    pub refused: Vec<Refused>,
    /// The files as they would be if managed ones could be edited; only if something was refused for that.
    pub template: Option<Sources>,
}

/// Carries out the migrations of `rules`, and what `also` adds after them, on the files. `closed` says for each file
/// whether it must not be edited.
///
/// # Errors
/// The files cannot be read or joined: one sentence.
pub fn fix(
    sources: &Sources,
    rules: &[&'static Rule],
    closed: &[bool],
    also: &[(&'static Rule, Migrate)],
) -> Result<Fix, String> {
    let mut run = Run {
        out: Fix { sources: sources.clone(), done: Vec::new(), refused: Vec::new(), template: None },
        template: sources.clone(),
        root: Value::Null,
        ideal: Value::Null,
        closed,
    };
    run.root = sources.joined()?.root;
    run.ideal = run.root.clone();
    for _ in 0..judge::ROUNDS {
        let before = (run.root.clone(), run.ideal.clone());
        let matching = judge::matching(&run.ideal, rules);
        for rule in rules {
            if let Some(migrate) = judge::asked(rule, &matching) {
                run.rule(rule, migrate);
            }
        }
        if (&run.root, &run.ideal) == (&before.0, &before.1) {
            break;
        }
    }
    for (rule, migrate) in also {
        run.rule(rule, *migrate);
    }
    if run.out.refused.iter().any(|r| r.managed) {
        run.out.template = Some(run.template);
    }
    Ok(run.out)
}

struct Run<'a> {
    out: Fix,
    template: Sources,
    /// The joined value of the files as they are now.
    root: Value,
    /// The same as if nothing had been refused.
    ideal: Value,
    closed: &'a [bool],
}

impl Run<'_> {
    fn rule(&mut self, rule: &'static Rule, migrate: Migrate) {
        let mut root = self.root.clone();
        let mut notes = Notes::default();
        migrate(&mut root, &mut notes);
        let mut ideal = self.ideal.clone();
        migrate(&mut ideal, &mut Notes::default());
        let ideal_before = std::mem::replace(&mut self.ideal, ideal);
        if root == self.root || self.out.refused.iter().any(|refused| refused.rule == rule.id) {
            return;
        }
        let follows = diff::by_key(&self.root, &root) != diff::by_key(&ideal_before, &self.ideal);
        let change = |root: &mut Value| migrate(root, &mut Notes::default());
        if let Ok(edits) = self.template.change(&change) {
            self.template.accept(edits);
        }
        let migration = Migration { rule, notes, key: judge::first_key(&self.root, &root) };
        match self.out.sources.change(&change) {
            Ok(edits) if edits.iter().any(|(at, _)| self.closed[*at]) => {
                self.refuse(rule, "the file is managed", true, &root);
            }
            Ok(_) if follows => {
                let first: Vec<&str> = self.out.refused.iter().map(|refused| refused.rule).collect();
                let why = format!("it would come to something else once this is done: {}", first.join(", "));
                self.refuse(rule, &why, false, &root);
            }
            Ok(edits) => {
                let files: Vec<usize> = edits.iter().map(|(at, _)| *at).collect();
                self.out.sources.accept(edits);
                self.done(migration, files);
                self.root = root;
            }
            Err(why) => self.refuse(rule, &why, false, &root),
        }
    }

    fn done(&mut self, migration: Migration, files: Vec<usize>) {
        let done = &mut self.out.done;
        let Some((known, all)) = done.iter_mut().find(|(known, _)| known.rule.id == migration.rule.id) else {
            return done.push((migration, files));
        };
        known.notes.lines.extend(migration.notes.lines);
        all.extend(files);
        all.sort_unstable();
        all.dedup();
    }

    fn refuse(&mut self, rule: &'static Rule, why: &str, managed: bool, new: &Value) {
        let by_hand = diff::by_key(&self.root, new);
        self.out.refused.push(Refused { rule: rule.id, why: why.to_owned(), by_hand, managed });
    }
}
