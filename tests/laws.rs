//! The architecture as tests: who may import whom, who may touch the disk, the clock and the environment, and how
//! long a file may get. Paths are resolved from the syntax tree (grouped, renamed, relative and inline ones), so
//! that neither a comment nor a clever `use` can fool them.

#![expect(clippy::unwrap_used, reason = "a failed step of a test is a failed test")]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use syn::visit::{self, Visit};

/// One source file: its module path below the crate, and every path that it names.
struct Source {
    /// `plan::age`; empty for `lib.rs`, `main` for `main.rs`.
    module: String,
    file: PathBuf,
    lines: usize,
    syntax: syn::File,
    /// Full paths, `crate::` first for our own: `crate::model::plan::Plan`, `std::fs::rename`.
    names: BTreeSet<String>,
}

impl Source {
    fn read(root: &Path, file: &Path) -> Self {
        let text = std::fs::read_to_string(file).unwrap();
        let syntax = syn::parse_file(&text).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let module = module_of(file.strip_prefix(root).unwrap());
        let mut collector = Collector { module: module.clone(), names: BTreeSet::new(), aliases: Vec::new() };
        collector.visit_file(&syntax);
        let names = collector.resolved();
        Self { module, file: file.to_owned(), lines: text.lines().count(), syntax, names }
    }

    fn is_in(&self, module: &str) -> bool {
        below(&self.module, module)
    }

    /// Names that begin with one of these paths.
    fn uses(&self, paths: &[&str]) -> Vec<&str> {
        self.names.iter().map(String::as_str).filter(|name| paths.iter().any(|path| below(name, path))).collect()
    }
}

/// `a::b::c` is below `a::b` and below itself.
fn below(path: &str, ancestor: &str) -> bool {
    path.strip_prefix(ancestor).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

fn module_of(path: &Path) -> String {
    let mut parts: Vec<String> = path.with_extension("").iter().map(|p| p.to_string_lossy().into_owned()).collect();
    match parts.last().map(String::as_str) {
        Some("mod") => drop(parts.pop()),
        Some("lib") if parts.len() == 1 => parts.clear(),
        _ => {}
    }
    parts.join("::")
}

/// Collects every path of a file, tests left out.
struct Collector {
    module: String,
    names: BTreeSet<String>,
    /// Names that `use` brought in: `use std::fs as disk` gives (`disk`, `std::fs`).
    aliases: Vec<(String, String)>,
}

impl Collector {
    fn tree(&mut self, head: &str, tree: &syn::UseTree) {
        let join = |name: &str| if head.is_empty() { name.to_owned() } else { format!("{head}::{name}") };
        match tree {
            syn::UseTree::Path(path) => self.tree(&join(&path.ident.to_string()), &path.tree),
            syn::UseTree::Group(group) => group.items.iter().for_each(|item| self.tree(head, item)),
            syn::UseTree::Glob(_) => drop(self.names.insert(self.absolute(head))),
            syn::UseTree::Name(name) if name.ident == "self" => self.bring(head, last(head)),
            syn::UseTree::Name(name) => self.bring(&join(&name.ident.to_string()), &name.ident.to_string()),
            syn::UseTree::Rename(rename) => {
                let full = if rename.ident == "self" { head.to_owned() } else { join(&rename.ident.to_string()) };
                self.bring(&full, &rename.rename.to_string());
            }
        }
    }

    fn bring(&mut self, full: &str, as_name: &str) {
        let full = self.absolute(full);
        self.names.insert(full.clone());
        self.aliases.push((as_name.to_owned(), full));
    }

    /// Makes `self::`, `super::` and `clawkeep::` paths start at `crate`.
    fn absolute(&self, path: &str) -> String {
        let mut at: Vec<&str> = self.module.split("::").filter(|part| !part.is_empty()).collect();
        let mut rest = path;
        let mut relative = false;
        while let Some((first, more)) =
            rest.split_once("::").or(Some((rest, ""))).filter(|(f, _)| matches!(*f, "self" | "super"))
        {
            relative = true;
            if first == "super" {
                at.pop();
            }
            rest = more;
        }
        if relative {
            let head = std::iter::once("crate").chain(at).collect::<Vec<_>>().join("::");
            return if rest.is_empty() { head } else { format!("{head}::{rest}") };
        }
        path.strip_prefix("clawkeep::").map_or_else(|| path.to_owned(), |rest| format!("crate::{rest}"))
    }

    /// Replaces the first component where a `use` brought it in.
    fn resolved(self) -> BTreeSet<String> {
        let expand = |name: &String| {
            let (first, rest) = name.split_once("::").unwrap_or((name, ""));
            let tail = if rest.is_empty() { String::new() } else { format!("::{rest}") };
            let known = self.aliases.iter().filter(|(alias, _)| alias == first);
            let all: Vec<String> = known.map(|(_, full)| format!("{full}{tail}")).collect();
            if all.is_empty() { vec![name.clone()] } else { all }
        };
        self.names.iter().flat_map(expand).collect()
    }
}

impl<'ast> Visit<'ast> for Collector {
    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        if !is_test(&item.attrs) {
            self.tree("", &item.tree);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let name = path.segments.iter().map(|s| s.ident.to_string()).collect::<Vec<_>>().join("::");
        self.names.insert(self.absolute(&name));
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        let name = mac.path.segments.iter().map(|s| s.ident.to_string()).collect::<Vec<_>>().join("::");
        self.names.insert(format!("{name}!"));
        // Arguments of `format!` and friends are token trees: collect the paths in them one token run at a time.
        let tokens = mac.tokens.to_string().replace(" :: ", "::");
        let path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
        for word in tokens.split(|c: char| !path(c)).filter(|word| word.contains("::")) {
            self.names.insert(self.absolute(word.trim_matches(':')));
        }
        visit::visit_macro(self, mac);
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if is_test(&item.attrs) {
            return;
        }
        let outer = self.module.clone();
        if item.content.is_some() {
            self.module = format!("{outer}::{}", item.ident).trim_start_matches("::").to_owned();
        }
        visit::visit_item_mod(self, item);
        self.module = outer;
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        if !is_test(&item.attrs) {
            visit::visit_item_fn(self, item);
        }
    }
}

/// `#[test]` or `#[cfg(test)]`, also inside `all(...)`.
fn is_test(attrs: &[syn::Attribute]) -> bool {
    attrs.iter().any(|attr| match &attr.meta {
        syn::Meta::Path(path) => path.is_ident("test"),
        syn::Meta::List(list) if list.path.is_ident("cfg") => {
            let tokens = list.tokens.to_string();
            tokens == "test" || (tokens.starts_with("all") && tokens.contains("test"))
        }
        _ => false,
    })
}

fn last(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path)
}

/// Every file under `src`, except those that are tests as a whole.
fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let files = walkdir::WalkDir::new(&root).sort_by_file_name().into_iter().map(|item| item.unwrap().into_path());
    let rust = files.filter(|path| path.extension().is_some_and(|ext| ext == "rs"));
    let code = rust.filter(|path| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        name != "tests" && !name.ends_with("_tests") && !path.iter().any(|part| part == "tests")
    });
    let all: Vec<_> = code.map(|file| Source::read(&root, &file)).collect();
    assert!(all.len() > 20, "{} files", all.len());
    all
}

/// Modules that only think.
const PURE: &[&str] = &["plan", "check", "repair", "doctor::rules", "report"];

/// What modules that only think may name, beside themselves. `report` is shared: it turns values into text.
const PURE_MAY_IMPORT: &[&str] = &[
    "crate::model",
    "crate::units",
    "crate::order",
    "crate::error",
    "crate::exit",
    "crate::hints",
    "crate::report",
    "crate::versions",
    // Pure helpers: they take values and give values.
    "crate::store::refs",
    "crate::store::order",
    "crate::store::identity",
    "crate::store::lexer",
    "crate::store::write::with_duplicates",
    "crate::store::write::render_into",
    "crate::store::parse::parse",
    "crate::store::salvage",
    "crate::store::splice",
    "crate::scan::names",
    "crate::transcript::names",
];

/// What one of them may name beyond that, and why.
const PURE_MAY_ALSO_IMPORT: &[(&str, &str, &str)] = &[
    ("report", "crate::context", "width and colour of the terminal, and the sink that a report is written to"),
    ("report::doctor", "crate::doctor::rule", "the words of a rule"),
    ("doctor::rules", "crate::plan", "what no policy may take, and what a pass would come to: judged once"),
    ("doctor::rules", "crate::config::edit::verify", "an edit of a text, and its proof"),
    ("report::undo", "crate::plan::undo", "the plan that it shows"),
    ("report::restore", "crate::plan::restore", "the plan that it shows"),
    ("report::rm", "crate::journal::purge::Purged", "a plain value"),
    ("report::runs", "crate::journal::retention::expires_at", "a function of a run record"),
    ("report::runs", "crate::journal::retention::own_bytes", "a function of a run record"),
    ("plan::undo", "crate::journal::write::FILES", "the name of a folder"),
    ("plan::usage", "crate::scan::usage::class_of", "a table of classes"),
    ("check", "crate::plan", "who owns which file, and what is young, missing or doubted: judged once"),
];

/// Ways to the world outside.
const IO: &[&str] = &[
    "std::fs",
    "std::net",
    "std::env",
    "std::process",
    "std::thread",
    "std::os::fd",
    "std::os::unix::fs",
    "std::os::unix::io",
    "std::os::unix::net",
    "std::os::unix::process",
    "std::io::stdin",
    "std::io::stdout",
    "std::io::stderr",
    "std::time::SystemTime",
    "std::time::Instant",
    "rustix",
    "tempfile",
    "walkdir",
    "fs2",
    "ctrlc",
    "indicatif",
];

#[test]
fn modules_that_decide_import_no_module_that_acts_and_do_no_io() {
    let mut broken = String::new();
    for source in sources().iter().filter(|s| PURE.iter().any(|module| s.is_in(module))) {
        let own = source.module.split("::").next().unwrap_or_default();
        for name in source.uses(&["crate"]) {
            let also = PURE_MAY_ALSO_IMPORT.iter().any(|(module, path, _)| source.is_in(module) && below(name, path));
            let listed = PURE_MAY_IMPORT.iter().any(|path| below(name, path));
            let allowed = also || listed || below(name, &format!("crate::{own}"));
            if !allowed && name != "crate" {
                writeln!(broken, "{}: {name}", source.file.display()).unwrap();
            }
        }
        let allowed_io = PURE_IO.iter().filter(|(module, _)| source.is_in(module)).map(|(_, path)| *path);
        let allowed_io: Vec<_> = allowed_io.collect();
        for name in source.uses(IO) {
            if !allowed_io.iter().any(|path| below(name, path)) {
                writeln!(broken, "{}: {name} is I/O", source.file.display()).unwrap();
            }
        }
    }
    assert!(broken.is_empty(), "\n{broken}");
}

/// The exceptions: a progress bar is drawn by the crate that knows the terminal, and counts its own half second.
const PURE_IO: &[(&str, &str)] =
    &[("report::progress", "indicatif"), ("report::progress", "std::sync::mpsc"), ("report::progress", "std::thread")];

#[test]
fn the_model_knows_nobody() {
    let mut broken = String::new();
    for source in sources().iter().filter(|s| s.is_in("model") || s.is_in("units")) {
        for name in source.uses(&["crate"]) {
            if !["crate::model", "crate::units"].iter().any(|path| below(name, path)) {
                writeln!(broken, "{}: {name}", source.file.display()).unwrap();
            }
        }
        for name in source.uses(IO) {
            writeln!(broken, "{}: {name} is I/O", source.file.display()).unwrap();
        }
    }
    assert!(broken.is_empty(), "\n{broken}");
}

#[test]
fn nothing_imports_a_command() {
    let mut broken = String::new();
    for source in sources().iter().filter(|s| !s.is_in("cmd") && !s.is_in("main")) {
        for name in source.uses(&["crate::cmd"]) {
            writeln!(broken, "{}: {name}", source.file.display()).unwrap();
        }
    }
    assert!(broken.is_empty(), "\n{broken}");
}

#[test]
fn only_the_executor_and_the_locks_change_the_disk() {
    // The journal is written by the executor alone, in the executor's order: `fsx::mutate` gives it numbered steps.
    const MAY: &[&str] = &["apply", "lock", "journal", "fsx::mutate"];
    const MAY_SCRATCH: &[&str] = &[
        "archive",
        "cache",
        "cmd::demo",
        "cmd::man",
        "cmd::transcript::export",
        "fsx::scratch",
        "gateway::device",
        "transcript::source",
    ];
    let mut broken = String::new();
    for source in &sources() {
        let mutate = source.names.iter().filter(|name| name.starts_with("crate::fsx::mutate"));
        if !MAY.iter().any(|module| source.module.starts_with(module)) {
            mutate.for_each(|name| writeln!(broken, "{}: {name}", source.file.display()).unwrap());
        }
        if !MAY_SCRATCH.iter().any(|module| source.is_in(module)) {
            for name in source.uses(&["crate::fsx::scratch"]) {
                writeln!(broken, "{}: {name}", source.file.display()).unwrap();
            }
        }
    }
    assert!(broken.is_empty(), "\n{broken}");
}

/// Modules that write, and what.
const WRITERS: &[(&str, &str)] = &[
    ("fsx::mutate", "state and configuration"),
    ("fsx::scratch", "caches and exports; refuses sessions folders"),
    ("fsx::fault", "the log and the pause file of fault tests"),
    ("archive::disk", "archive folders, which are never state"),
];

/// Modules that need `OpenOptions` to open for reading without following links.
const OPENERS: &[(&str, &str)] = &[("fsx::read", "every read")];

#[test]
fn only_fsx_calls_what_changes_the_disk() {
    const MUTATORS: &[&str] = &[
        "std::fs::write",
        "std::fs::rename",
        "std::fs::remove_file",
        "std::fs::remove_dir",
        "std::fs::remove_dir_all",
        "std::fs::create_dir",
        "std::fs::create_dir_all",
        "std::fs::DirBuilder",
        "std::fs::hard_link",
        "std::fs::copy",
        "std::fs::set_permissions",
        "std::fs::OpenOptions",
        "std::fs::File::create",
        "std::fs::File::create_new",
        "std::fs::File::options",
        "std::os::unix::fs::symlink",
        "std::os::unix::fs::chown",
        "std::os::unix::fs::lchown",
        "rustix::fs::rename",
        "rustix::fs::renameat",
        "rustix::fs::renameat_with",
        "rustix::fs::unlink",
        "rustix::fs::unlinkat",
        "rustix::fs::link",
        "rustix::fs::linkat",
        "rustix::fs::mkdir",
        "rustix::fs::mkdirat",
        "rustix::fs::chmod",
        "rustix::fs::chmodat",
        "rustix::fs::fchmod",
        "rustix::fs::chown",
        "rustix::fs::chownat",
        "rustix::fs::fchown",
        "rustix::fs::ftruncate",
        "rustix::fs::fallocate",
        "rustix::fs::symlinkat",
        "rustix::fs::utimensat",
        "rustix::fs::futimens",
        "rustix::fs::fsetxattr",
        "rustix::fs::setxattr",
        "tempfile",
    ];
    let mut broken = String::new();
    for source in sources().iter().filter(|s| !WRITERS.iter().any(|(module, _)| s.is_in(module))) {
        let opens_only = OPENERS.iter().any(|(module, _)| source.is_in(module));
        for name in source.uses(MUTATORS) {
            if opens_only && below(name, "std::fs::OpenOptions") {
                continue;
            }
            writeln!(broken, "{}: {name}", source.file.display()).unwrap();
        }
    }
    assert!(broken.is_empty(), "\n{broken}");
}

#[test]
fn only_the_context_asks_for_time_and_environment() {
    const WORLD: &[&str] =
        &["std::env", "std::time::SystemTime::now", "std::io::stdout", "std::io::stderr", "std::io::stdin"];
    const MACROS: &[&str] = &["println!", "print!", "eprintln!", "eprint!", "dbg!"];
    let mut broken = String::new();
    for source in sources().iter().filter(|s| s.module != "context" && s.module != "main") {
        for name in source.uses(WORLD).into_iter().chain(source.uses(MACROS)) {
            // Constants of the build are no environment.
            if !below(name, "std::env::consts") {
                writeln!(broken, "{}: {name}", source.file.display()).unwrap();
            }
        }
    }
    assert!(broken.is_empty(), "\n{broken}");
}

/// Longer than this is an alarm.
const LONG: usize = 500;

#[test]
fn no_file_is_long_without_a_reason() {
    let mut broken = String::new();
    for source in sources().iter().filter(|s| s.lines > LONG) {
        writeln!(broken, "{}: {} lines", source.file.display(), source.lines).unwrap();
    }
    assert!(broken.is_empty(), "\n{broken}");
}

#[test]
fn a_mod_file_is_a_table_of_contents() {
    let mut broken = String::new();
    for source in sources().iter().filter(|s| s.file.ends_with("mod.rs") && s.module != "cmd") {
        for item in &source.syntax.items {
            let fine = match item {
                syn::Item::Use(_) | syn::Item::Type(_) | syn::Item::Const(_) => true,
                syn::Item::Mod(module) => module.content.is_none() || is_test(&module.attrs),
                _ => false,
            };
            if !fine {
                writeln!(broken, "{}: holds more than modules and names", source.file.display()).unwrap();
                break;
            }
        }
    }
    assert!(broken.is_empty(), "\n{broken}");
}

#[test]
fn every_file_says_what_it_is_for() {
    let mut broken = String::new();
    for source in sources().iter().filter(|s| s.module != "main") {
        let documented = source.syntax.attrs.iter().any(|attr| attr.path().is_ident("doc"));
        if !documented && !source.syntax.items.is_empty() {
            writeln!(broken, "{}: no module documentation", source.file.display()).unwrap();
        }
    }
    assert!(broken.is_empty(), "\n{broken}");
}

/// The resolver itself: each of these forms names the same thing.
#[test]
fn paths_are_resolved_whatever_they_look_like() {
    for (text, want) in [
        ("use crate::fsx::mutate;", "crate::fsx::mutate"),
        ("use crate::{fsx::{mutate as m, read}, model};", "crate::fsx::mutate"),
        ("use super::super::fsx::mutate::rename;", "crate::fsx::mutate::rename"),
        ("use self::inner::x;", "crate::plan::age::inner::x"),
        ("fn f() { crate::fsx::mutate::rename() }", "crate::fsx::mutate::rename"),
        ("use crate::fsx as disk; fn f() { disk::mutate::rename() }", "crate::fsx::mutate::rename"),
        ("use std::fs; fn f() { fs::write() }", "std::fs::write"),
        ("use std::{fs::{self, File}}; fn f() { fs::rename() }", "std::fs::rename"),
        ("use std::time::*;", "std::time"),
        ("type T = std::net::TcpStream;", "std::net::TcpStream"),
        ("use clawkeep::cmd;", "crate::cmd"),
        ("fn f() { let _ = format!(\"{}\", std::env::var(\"X\")); }", "std::env::var"),
        ("fn f() { println!(); }", "println!"),
    ] {
        let mut collector = Collector { module: "plan::age".into(), names: BTreeSet::new(), aliases: Vec::new() };
        collector.visit_file(&syn::parse_file(text).unwrap());
        let names = collector.resolved();
        assert!(names.contains(want), "{text}: {names:?}");
    }
    for text in
        ["#[cfg(test)] mod tests { use std::fs; }", "#[test] fn t() { std::fs::write() }", "// std::fs::write\n"]
    {
        let mut collector = Collector { module: "plan".into(), names: BTreeSet::new(), aliases: Vec::new() };
        collector.visit_file(&syn::parse_file(text).unwrap());
        assert!(!collector.resolved().iter().any(|name| name.starts_with("std::fs")), "{text}");
    }
}
