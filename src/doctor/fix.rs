//! From the files of a configuration and the rules to the new texts. Pure.
//!
//! Rules are carried out one after the other, each on what the one before made. One that cannot be carried out file by file,
//! or whose edit cannot be proven, is left out with its reason; the others go on.

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
        root: sources.joined()?.root,
        closed,
    };
    let matching = judge::matching(&run.root, rules);
    for rule in rules {
        if let Some(migrate) = judge::asked(rule, &matching) {
            run.rule(rule, migrate);
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
    closed: &'a [bool],
}

impl Run<'_> {
    fn rule(&mut self, rule: &'static Rule, migrate: Migrate) {
        let mut root = self.root.clone();
        let mut notes = Notes::default();
        migrate(&mut root, &mut notes);
        if root == self.root {
            return;
        }
        let change = |root: &mut Value| migrate(root, &mut Notes::default());
        if let Ok(edits) = self.template.change(&change) {
            self.template.accept(edits);
        }
        let migration = Migration { rule, notes, key: judge::first_key(&self.root, &root) };
        match self.out.sources.change(&change) {
            Ok(edits) if edits.iter().any(|(at, _)| self.closed[*at]) => {
                self.refuse(rule, "the file is managed", true, &root);
            }
            Ok(edits) => {
                let files = edits.iter().map(|(at, _)| *at).collect();
                self.out.sources.accept(edits);
                self.out.done.push((migration, files));
                self.root = root;
            }
            Err(why) => self.refuse(rule, &why, false, &root),
        }
    }

    fn refuse(&mut self, rule: &'static Rule, why: &str, managed: bool, new: &Value) {
        let by_hand = diff::by_key(&self.root, new);
        self.out.refused.push(Refused { rule: rule.id, why: why.to_owned(), by_hand, managed });
    }
}
