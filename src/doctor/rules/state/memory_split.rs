//! `MEMORY.md` and `memory.md` in one workspace.

use std::path::Path;

use crate::doctor::rule::{Check, Findings, Rule};
use crate::doctor::rules::support::folders;
use crate::model::doctor::{FolderFix, Remedy, StateFacts, Version};
use crate::model::effect::{Effect, FileRef};
use crate::model::finding::Severity;
use crate::model::state_seen::{FileSeen, MemorySplit};
use crate::units::time;

/// The rule.
pub const RULE: Rule = Rule {
    id: "memory-split",
    severity: Severity::Warning,
    since: Version(2026, 5, 0),
    what: "the memory of the workspace is in two files",
    why: "The gateway reads MEMORY.md. What the agent remembered in memory.md is hidden by it.",
    fix: "Adds the text of memory.md at the end of MEMORY.md, unless they are the same, and moves memory.md to \
          .openclaw-repair/root-memory/<time>/.",
    before: "MEMORY.md: # Facts  memory.md: # Old facts",
    after: "MEMORY.md: # Facts ... ## Imported From Legacy Root memory.md ... # Old facts",
    check: Check::State(check),
};

fn check(facts: &StateFacts, out: &mut Findings) {
    for (link, to) in &facts.seen.memory_links {
        let name = link.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut found = RULE.found(name, format!("is a link to {}: nothing is merged through it", to.display()));
        found.severity = Severity::Info;
        let how = "make it a file of its own if the memory is to be kept in the workspace".to_owned();
        out.push(found.at(link.clone()).remedy(Remedy::Manual(how)));
    }
    let Some(split) = &facts.seen.memory else { return };
    let found = RULE.found("memory.md", "MEMORY.md hides what it says").at(split.legacy.path.clone());
    let (Some(canonical), Some(legacy)) = (split.canonical.text(), split.legacy.text()) else {
        out.push(found.remedy(Remedy::Manual("one of them is no UTF-8 text; merge them by hand".to_owned())));
        return;
    };
    let stamp = time::iso(facts.now).replace([':', '.'], "-");
    let archive = split.workspace.join(".openclaw-repair").join("root-memory").join(&stamp);
    let merged = (canonical.trim() != legacy.trim() && !legacy.trim().is_empty())
        .then(|| merge(facts, split, canonical, legacy.trim(), &archive));
    let fixes = fixes(split, &archive, merged);
    out.push(found.remedy(Remedy::Effects { what: "merges them into MEMORY.md".to_owned(), fixes, flag: None }));
}

fn merge(facts: &StateFacts, split: &MemorySplit, canonical: &str, legacy: &str, archive: &Path) -> String {
    let path = archive.join("memory.md");
    let shown = match path.strip_prefix(&facts.roots.home) {
        Ok(below) => format!("~/{}", below.display()),
        Err(_) => path.display().to_string(),
    };
    let bom = split.canonical.content.as_deref().is_ok_and(|bytes| bytes.starts_with("\u{feff}".as_bytes()));
    let eol = if canonical.contains("\r\n") { "\r\n" } else { "\n" };
    let mut out = if bom { "\u{feff}".to_owned() } else { String::new() };
    out.push_str(canonical);
    if !canonical.is_empty() && !canonical.ends_with('\n') {
        out.push_str(eol);
    }
    for line in [
        "",
        "## Imported From Legacy Root memory.md",
        "",
        &format!("<!-- openclaw-root-memory-merge source=memory.md archived={shown} -->"),
        "",
        legacy,
    ] {
        out.push_str(line);
        out.push_str(eol);
    }
    out
}

fn fixes(split: &MemorySplit, archive: &Path, merged: Option<String>) -> Vec<FolderFix> {
    let root = split.workspace.join(".openclaw-repair");
    let mut absent = Vec::new();
    if !split.repair_dir {
        absent.push(root.clone());
    }
    if !split.archive_dir {
        absent.push(root.join("root-memory"));
    }
    absent.push(archive.to_owned());
    let mut fixes = folders::make(&absent);
    fixes.push(folders::fix(archive, vec![folders::bring(&split.workspace, &"memory.md".into())]));
    let mut effects = Vec::new();
    if let Some(text) = merged {
        effects.push(Effect::Rewrite { file: reference(&split.canonical), content: text.into_bytes() });
    }
    effects.push(Effect::Stow { file: reference(&split.legacy) });
    fixes.push(folders::fix(&split.workspace, effects));
    fixes
}

fn reference(file: &FileSeen) -> FileRef {
    FileRef { name: file.path.file_name().unwrap_or_default().to_owned(), fp: file.fp }
}
