//! Which transcripts a command over many looks at, and pieces of them for the threads.

use std::path::{Path, PathBuf};

use crate::cli::GlobalFlags;
use crate::cli::select::SelectArgs;
use crate::cmd::start;
use crate::cmd::transcript::target;
use crate::context::Context;
use crate::error::{Error, Result};
use crate::fsx::read::lstat;
use crate::model::fingerprint::Kind as FileKind;
use crate::model::folder::{ArchiveReason, Class};
use crate::report::escape;
use crate::scan::{facts, folder, names};

/// Bytes of one piece.
pub const PIECE: u64 = 8 << 20;

/// A file to read.
#[derive(Debug, Clone)]
pub struct File {
    /// Its path.
    pub path: PathBuf,
    /// Its size when it was listed; a piece never reaches beyond.
    pub size: u64,
    /// Agent, if it was found through a store.
    pub agent: Option<String>,
}

/// A piece of a file.
#[derive(Debug, Clone, Copy)]
pub struct Piece {
    /// Which file.
    pub file: usize,
    /// Its first byte.
    pub start: u64,
    /// One past its last.
    pub end: u64,
}

/// Lists what is meant by `targets`, or everything in the stores if nothing is. `archives`: reset and deleted ones too.
///
/// # Errors
/// Something that is named does not exist.
pub fn list(
    ctx: &mut Context,
    g: &GlobalFlags,
    targets: &[String],
    select: &SelectArgs,
    archives: bool,
) -> Result<Vec<File>> {
    let mut files = Vec::new();
    let mut names = Vec::new();
    for what in targets {
        target::not_empty(what)?;
        let path = ctx.cwd.join(what);
        if path.is_dir() {
            files.extend(in_folder(&path, archives, None)?);
        } else if let Some(path) = target::as_path(ctx, what) {
            files.push(file(&target::Chosen::at(&path)?.path, None)?);
        } else {
            names.push(what.as_str());
        }
    }
    if targets.is_empty() || !names.is_empty() {
        let start = target::stores(ctx, g, select)?;
        if select.store.is_none() {
            start::refuse_absent(g, &start.roots)?;
        }
        if let [only] = start.selection.targets.as_slice() {
            target::is_there(only)?;
        }
        for what in names {
            let chosen = target::named(ctx, &start, what)?;
            let agent = chosen.found.as_ref().map(|found| found.target.agent_id.clone());
            files.push(file(&chosen.path, agent)?);
        }
        if targets.is_empty() {
            for target in &start.selection.targets {
                let Some(dir) = facts::artefact_folder(target).filter(|dir| dir.is_dir()) else { continue };
                files.extend(in_folder(&dir, archives, Some(&target.agent_id))?);
            }
        }
    }
    let mut seen = std::collections::HashSet::new();
    files.retain(|file| seen.insert(file.path.clone()));
    Ok(files)
}

fn file(path: &Path, agent: Option<String>) -> Result<File> {
    let fp = lstat(path).map_err(|e| Error::io("open", path, e))?;
    if fp.kind != FileKind::File {
        return Err(Error::failed(format!("{} is not a regular file", path.display())));
    }
    Ok(File { path: path.to_owned(), size: fp.size, agent })
}

/// Transcripts of a folder, by name. Copies (checkpoints, backups) are none.
fn in_folder(dir: &Path, archives: bool, agent: Option<&str>) -> Result<Vec<File>> {
    let folder = folder::scan(dir, None)?;
    let wanted = |name: &std::ffi::OsStr, class: Class| {
        // A compressed copy is what its name says without the last suffix.
        let plain = name.to_str().and_then(|n| n.strip_suffix(".zst"));
        match plain.map_or(class, |plain| names::classify(plain.as_ref(), None).class) {
            Class::Transcript => true,
            Class::Archive(ArchiveReason::Reset | ArchiveReason::Deleted) => archives,
            _ => false,
        }
    };
    let entries = folder.entries.iter().filter(|e| e.is_file() && wanted(&e.name, e.class));
    let agent = agent.map(str::to_owned);
    Ok(entries.map(|e| File { path: folder.path.join(&*e.name), size: e.fp.size, agent: agent.clone() }).collect())
}

/// Cuts files into pieces. A compressed one is one piece.
pub fn pieces(files: &[File]) -> Vec<Piece> {
    let mut out = Vec::new();
    for (at, file) in files.iter().enumerate() {
        if file.path.extension().is_some_and(|ext| ext == "zst") {
            out.push(Piece { file: at, start: 0, end: u64::MAX });
            continue;
        }
        let mut start = 0;
        while start < file.size {
            // No small rest: a thread does not start for it.
            let end = if file.size - start < PIECE + PIECE / 2 { file.size } else { start + PIECE };
            out.push(Piece { file: at, start, end });
            start = end;
        }
    }
    out
}

/// A path for a report.
pub fn shown(file: &File) -> String {
    escape::path(&file.path)
}
