//! `man DIR`: the manual, one page per command.
//!
//! Pages are made from the clap types, so that they cannot disagree with `--help`. Each page names its neighbours
//! and the exit codes.

use std::path::Path;

use clap::CommandFactory;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use crate::cli::Cli;
use crate::cli::man::ManArgs;
use crate::context::{Context, Level};
use crate::error::{Error, Result};
use crate::exit;
use crate::fsx::scratch;
use crate::report::{escape, plural};

/// Writes every page.
pub fn run(ctx: &Context, args: &ManArgs) -> Result<u8> {
    let dir = ctx.cwd.join(&args.dir);
    let pages = pages().map_err(|e| Error::io("render", Path::new("the manual"), e))?;
    scratch::create_dir(&dir)?;
    for (name, text) in &pages {
        scratch::write(&dir.join(name), text)?;
    }
    ctx.log(Level::Info, &format!("{} in {}", plural::count(pages.len() as u64, "page"), escape::path(&dir)));
    Ok(exit::DONE)
}

/// File name and text of every page, in the order of the command tree.
///
/// # Errors
/// None in practice: pages are rendered into memory.
pub fn pages() -> std::io::Result<Vec<(String, Vec<u8>)>> {
    let mut root = Cli::command().disable_help_subcommand(true);
    root.build();
    let mut pages = Vec::new();
    add(&root, None, &mut pages)?;
    Ok(pages)
}

fn add(command: &clap::Command, parent: Option<&str>, pages: &mut Vec<(String, Vec<u8>)>) -> std::io::Result<()> {
    let title = page_title(command);
    let children: Vec<&clap::Command> = command.get_subcommands().filter(|c| !c.is_hide_set()).collect();
    let mut text = Vec::new();
    let man = Man::new(command.clone().name(title.clone()).after_help("")).title(title.clone()).source(source());
    man.render_title(&mut text)?;
    man.render_name_section(&mut text)?;
    man.render_synopsis_section(&mut text)?;
    man.render_description_section(&mut text)?;
    man.render_options_section(&mut text)?;
    if !children.is_empty() {
        man.render_subcommands_section(&mut text)?;
    }
    exit_status(&mut text)?;
    see_also(parent, &children, &mut text)?;
    pages.push((format!("{title}.1"), text));
    for child in children {
        add(child, Some(&title), pages)?;
    }
    Ok(())
}

/// `clawkeep-sessions-cleanup`.
fn page_title(command: &clap::Command) -> String {
    command.get_display_name().unwrap_or_else(|| command.get_name()).to_owned()
}

fn source() -> String {
    format!("clawkeep {}", env!("CARGO_PKG_VERSION"))
}

fn exit_status(out: &mut Vec<u8>) -> std::io::Result<()> {
    let mut roff = Roff::new();
    roff.control("SH", ["EXIT STATUS"]);
    for (code, meaning) in exit::TABLE {
        roff.control("TP", []);
        roff.text([bold(code.to_string())]);
        roff.text([roman(*meaning)]);
    }
    roff.to_writer(out)
}

fn see_also(parent: Option<&str>, children: &[&clap::Command], out: &mut Vec<u8>) -> std::io::Result<()> {
    let pages: Vec<String> =
        parent.map(str::to_owned).into_iter().chain(children.iter().map(|c| page_title(c))).collect();
    if pages.is_empty() {
        return Ok(());
    }
    let mut roff = Roff::new();
    roff.control("SH", ["SEE ALSO"]);
    let last = pages.len() - 1;
    for (i, page) in pages.iter().enumerate() {
        roff.text([bold(page.clone()), roman(if i == last { "(1)" } else { "(1)," })]);
    }
    roff.to_writer(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_a_page_with_exit_codes_and_its_neighbours() {
        let pages = pages().unwrap();
        let page = |name: &str| {
            let (_, text) = pages.iter().find(|(n, _)| n == name).unwrap_or_else(|| panic!("no {name}"));
            String::from_utf8(text.clone()).unwrap()
        };
        for name in ["clawkeep.1", "clawkeep-sessions.1", "clawkeep-sessions-cleanup.1", "clawkeep-disk-free.1"] {
            let text = page(name);
            for (code, meaning) in exit::TABLE {
                assert!(
                    text.contains(&format!("\\fB{code}\\fR\n{}", meaning.split(';').next().unwrap())),
                    "{name} {code}"
                );
            }
        }
        assert!(page("clawkeep-sessions.1").contains("\\fBclawkeep\\-sessions\\-cleanup\\fR(1)"));
        assert!(page("clawkeep-sessions-cleanup.1").contains("fix\\-missing"));
        assert!(!pages.iter().any(|(n, _)| n.contains("help")));
    }

    #[test]
    fn pages_land_in_the_folder_and_a_second_run_replaces_them() {
        let tmp = tempfile::tempdir().unwrap();
        let mut ctx = Context::for_tests(0, tmp.path());
        ctx.output.quiet = 1;
        let args = ManArgs { dir: "man".into() };
        assert_eq!(run(&ctx, &args).unwrap(), exit::DONE);
        assert_eq!(run(&ctx, &args).unwrap(), exit::DONE);
        assert!(tmp.path().join("man/clawkeep-sessions-undo.1").is_file());
    }
}
