//! Carries out the fixes that rules propose for the state.
//!
//! Refused beside an owner of the state. Each folder is a run of its own: what fails in one does not stop the fixes of
//! others. A fix in a folder that an earlier one of the same command changed is made anew, from what is there by then.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::PathBuf;

use super::effects::{self, Job};
use super::gather;
use crate::cli::GlobalFlags;
use crate::cli::doctor::DoctorArgs;
use crate::config::edit::diff;
use crate::context::Context;
use crate::doctor::judge;
use crate::doctor::rule::Rule;
use crate::error::Kind;
use crate::fsx::read::read_regular;
use crate::lock::owner;
use crate::model::check::Seen;
use crate::model::doctor::{FolderFix, Found, Remedy, StateFacts};
use crate::model::effect::Effect;
use crate::model::run::RunGroup;
use crate::report::doctor::{EditedFile, Ending, Report};

/// Everything a fix needs.
pub(super) struct Work<'a> {
    pub(super) ctx: &'a mut Context,
    pub(super) global: &'a GlobalFlags,
    pub(super) args: &'a DoctorArgs,
    pub(super) rules: &'a [&'static Rule],
}

impl Work<'_> {
    /// Carries out what the findings of the report propose.
    pub(super) fn run(&mut self, state: &StateFacts, report: &mut Report) {
        let refused = (!state.owner.allows(&self.args.overrides)).then(|| owner::refusal(&state.owner));
        let mut touched = BTreeSet::new();
        if refused.is_none() && !self.args.dry_run {
            touched = self.recovered(state, report);
        }
        for ix in 0..report.judged.len() {
            let Remedy::Effects { fixes, flag, .. } = &report.judged[ix].found.remedy else { continue };
            if flag.is_some_and(|flag| !self.args.given(flag)) || self.ctx.cancel.get().is_some() {
                continue;
            }
            let shown = if self.args.diff { edits(report.judged[ix].found.rule, fixes) } else { Vec::new() };
            let ending = match (&refused, self.args.dry_run) {
                (_, true) => Ending::Planned,
                (Some(error), _) => Ending::Skipped(self.ctx.given.complete(&error.message)),
                (None, false) => {
                    let fixes = fixes.clone();
                    let clashes = fixes.iter().any(|fix| touched.contains(&fix.folder));
                    let ending = match clashes {
                        true => self.again(&report.judged[ix].found.clone(), report),
                        false => self.fix(state, &fixes, report),
                    };
                    touched.extend(fixes.into_iter().map(|fix| fix.folder));
                    ending
                }
            };
            let written = ending == Ending::Fixed;
            if written || ending == Ending::Planned {
                let backup = |file: &EditedFile| file.backup.clone().filter(|path| written && path.is_file());
                report.files.extend(shown.into_iter().map(|file| EditedFile {
                    written,
                    backup: backup(&file),
                    ..file
                }));
            }
            report.changed |= written;
            report.partial |= matches!(ending, Ending::Skipped(_)) && refused.is_none();
            report.refused |= refused.is_some() && !self.args.dry_run;
            report.judged[ix].ending = ending;
        }
    }

    /// Closes interrupted runs. If there was one, every fix is made anew: these are the folders of all of them.
    fn recovered(&self, state: &StateFacts, report: &mut Report) -> BTreeSet<PathBuf> {
        let folders = gather::session_folders(&state.selection.targets);
        let owner = || effects::owner_of(self.ctx, &state.roots, &state.settings, &folders);
        let mut places = vec![(state.roots.state_dir.clone(), None)];
        for seen in state.stores.iter().filter_map(|s| s.facts.as_ref()) {
            let store = match &seen.seen {
                Seen::Whole(facts) => Some((&**facts, &seen.probes)),
                Seen::Broken(..) => None,
            };
            places.push((seen.seen.folder().path.clone(), store));
        }
        let mut any = false;
        for (place, store) in places {
            let Ok(place) = place.canonicalize() else { continue };
            match effects::recover_pending(self.ctx, &place, store, &owner) {
                Ok(found) => any |= found,
                Err(error) => {
                    report.busy |= error.kind == Kind::Busy;
                    report.warnings.push(error.message);
                }
            }
        }
        let all = report.judged.iter().filter_map(|j| match &j.found.remedy {
            Remedy::Effects { fixes, .. } if any => Some(fixes.iter().map(|fix| fix.folder.clone())),
            _ => None,
        });
        all.flatten().collect()
    }

    /// The fix of a finding as it is by now.
    fn again(&mut self, found: &Found, report: &mut Report) -> Ending {
        let state = match gather::gather(self.ctx, self.global, self.args) {
            Ok(seen) => seen.state,
            Err(error) => return Ending::Skipped(error.message),
        };
        let Some(state) = state else { return Ending::Skipped("the state cannot be read".to_owned()) };
        let rules: Vec<&'static Rule> = self.rules.iter().copied().filter(|rule| rule.id == found.rule).collect();
        let same = |now: &Found| now.subject == found.subject && now.file == found.file;
        let now = judge::state(&state, &rules).into_iter().find(same);
        match now.map(|found| found.remedy) {
            // An earlier fix took care of it.
            None => Ending::Fixed,
            Some(Remedy::Effects { fixes, .. }) => self.fix(&state, &fixes, report),
            Some(_) => Ending::Skipped("it looks different now; run the doctor again".to_owned()),
        }
    }

    fn fix(&self, state: &StateFacts, fixes: &[FolderFix], report: &mut Report) -> Ending {
        for fix in fixes {
            let store = fix.store.and_then(|ix| {
                let seen = state.stores.get(ix)?.facts.as_ref()?;
                match &seen.seen {
                    Seen::Whole(facts) => Some((&**facts, &seen.probes)),
                    Seen::Broken(..) => None,
                }
            });
            let own_dir = if fix.store.is_some() { fix.folder.clone() } else { state.roots.state_dir.clone() };
            let job = Job {
                folder: fix.folder.clone(),
                own_dir,
                effects: fix.effects.clone(),
                index: store.map(|(facts, _)| &facts.index),
                store,
                overrides: &self.args.overrides,
                group: RunGroup::after(&report.runs),
                owner: &|| {
                    let folders = gather::session_folders(&state.selection.targets);
                    effects::owner_of(self.ctx, &state.roots, &state.settings, &folders)
                },
            };
            match effects::run(self.ctx, job) {
                Ok(applied) => {
                    report.warnings.extend(applied.warnings.iter().cloned());
                    report.runs.extend(Some(applied.run_id.clone()).filter(|id| !id.is_empty()));
                    // A backup beside the file is one copy more; that there is none undoes nothing.
                    let backup = |effect: &Effect| matches!(effect, Effect::Backup { .. });
                    let ends = || fix.effects.iter().zip(&applied.outcomes);
                    if let Some(why) = ends().filter(|(e, _)| !backup(e)).find_map(|(_, o)| effects::not_done(o)) {
                        return Ending::Skipped(why);
                    }
                    if let Some(why) = ends().filter(|(e, _)| backup(e)).find_map(|(_, o)| effects::not_done(o)) {
                        report.warnings.push(format!("no .bak was made ({why}); undo has the old text"));
                    }
                }
                Err(error) => {
                    report.busy |= error.kind == Kind::Busy;
                    return Ending::Skipped(effects::not_begun(&fix.folder, &error));
                }
            }
        }
        Ending::Fixed
    }
}

/// The texts that fixes change, with their differences.
fn edits(rule: &'static str, fixes: &[FolderFix]) -> Vec<EditedFile> {
    let mut out = Vec::new();
    for FolderFix { folder, effects, .. } in fixes {
        let kept = |name: &OsStr| effects.iter().any(|e| matches!(e, Effect::Backup { file } if file.name == name));
        for effect in effects {
            let (name, content) = match effect {
                Effect::Rewrite { file, content } => (&file.name, content),
                Effect::Create { to, content, .. } => (to, content),
                _ => continue,
            };
            let path = folder.join(name);
            let old = read_regular(&path).map(|(bytes, _)| bytes).unwrap_or_default();
            let [old, new] = [&old, content].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
            let diff = diff::unified(&path.to_string_lossy(), &old, &new);
            let mut backup = path.clone().into_os_string();
            backup.push(".bak");
            let backup = kept(name).then(|| backup.into());
            out.push(EditedFile { path, real: None, rules: vec![rule], diff, backup, written: false, managed: false });
        }
    }
    out
}
