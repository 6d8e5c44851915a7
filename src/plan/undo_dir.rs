//! Taking back what a run did to folders.

use std::path::Path;

use super::undo::{Left, UndoFacts, UndoPlan};
use crate::model::effect::{DirLink, Effect, FileRef, MoveDir};
use crate::model::fingerprint::{Fingerprint, Kind};
use crate::model::plan::PlannedEffect;
use crate::model::run::{Raw, RunLine, RunOp};

/// Plans it for one effect. A folder that was made goes only if it is empty then; that is for the executor to see.
pub(super) fn plan(facts: &UndoFacts<'_>, line: &RunLine, out: &mut UndoPlan) {
    let name = line.from.to_os();
    let there = facts.folder.find(&name).and_then(|ix| facts.folder.entries.get(ix));
    let effect = match (line.op, there, line.fp) {
        (RunOp::MakeDir, Some(dir), _) if dir.fp.kind == Kind::Dir => {
            out.files_out.push(line.from.lossy());
            Effect::RemoveDir { dir: FileRef { name, fp: dir.fp } }
        }
        (RunOp::RemoveDir, None, Some(fp)) => {
            out.files_back.push(line.from.lossy());
            Effect::MakeDir { name, mode: fp.mode & 0o7777 }
        }
        (RunOp::MoveDir | RunOp::MoveDirLinked, _, Some(fp)) => {
            let Some(to) = line.to.as_ref().map(Raw::to_path) else { return };
            let from = line.from.to_path();
            let at = |path: &Path| {
                let name = path.file_name().filter(|_| path.parent() == Some(&facts.folder.path))?;
                Some(facts.folder.find(name).and_then(|ix| facts.folder.entries.get(ix)).map(|entry| entry.fp))
            };
            let is_it = |now: &Fingerprint| (now.dev, now.ino) == (fp.dev, fp.ino) && fp.ino != 0;
            let why = match (at(&from), at(&to)) {
                // It is back already.
                (Some(Some(now)), _) if is_it(&now) => return,
                (Some(Some(now)), _) if line.op == RunOp::MoveDir || now.kind != Kind::Symlink => {
                    "something of that name is there; it stays"
                }
                (_, Some(now)) if !now.is_some_and(|now| fp.ino == 0 || is_it(&now)) => "the folder is gone",
                _ => "",
            };
            if !why.is_empty() {
                let copy = Some(to.display().to_string());
                let why = why.to_owned();
                return out.conflicts.push(Left { subject: line.from.lossy(), why, bytes: 0, copy });
            }
            out.files_back.push(line.from.lossy());
            let link = if line.op == RunOp::MoveDirLinked { DirLink::Replace } else { DirLink::None };
            Effect::MoveDir(MoveDir { from: to, fp, to: line.from.to_path(), link })
        }
        (RunOp::RemoveDir, Some(_), _) => {
            let why = "something of that name is there; it stays".to_owned();
            return out.conflicts.push(Left { subject: line.from.lossy(), why, bytes: 0, copy: None });
        }
        _ => return,
    };
    out.effects.push(PlannedEffect { decision: None, effect });
}
