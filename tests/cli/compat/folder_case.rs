//! Reads a case that is a folder: `state/` is the home, `cmd` one shell-quoted line.

use std::path::Path;

use super::case::Case;

/// Reads the case.
pub fn load(folder: &Path) -> Case {
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let mut case = Case {
        name: folder.file_name().unwrap().to_string_lossy().into_owned(),
        why: read("why"),
        args: words(read("cmd").trim()),
        expect: serde_json::from_str(&read("expect.json")).unwrap(),
        ..Case::default()
    };
    if folder.join("meta.json").is_file() {
        let meta: serde_json::Value = serde_json::from_str(&read("meta.json")).unwrap();
        let map = |name: &str| serde_json::from_value(meta.get(name).cloned().unwrap_or_default()).unwrap_or_default();
        (case.env, case.mtimes, case.modes, case.symlinks) = (map("env"), map("mtimes"), map("modes"), map("symlinks"));
    }
    let state = folder.join("state");
    for item in walkdir::WalkDir::new(&state).min_depth(1) {
        let item = item.unwrap();
        let path = item.path().strip_prefix(&state).unwrap().to_string_lossy().into_owned();
        if item.file_type().is_dir() {
            case.files.insert(path + "/", String::new());
        } else if item.file_name() != ".keep" {
            match String::from_utf8(std::fs::read(item.path()).unwrap()) {
                Ok(text) => drop(case.files.insert(path, text)),
                Err(not_text) => drop(case.binary.insert(path, not_text.into_bytes())),
            }
        }
    }
    case
}

/// Splits a line as a shell does: blanks, '...', "...", backslash.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some('\''), c) => word.get_or_insert_default().push(c),
            (_, '\\') => word.get_or_insert_default().extend(chars.next()),
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[test]
fn a_command_line_is_split_as_a_shell_does() {
    assert_eq!(words(r#"a 'b c' "d \"e" f\ g '' h"#), ["a", "b c", "d \"e", "f g", "", "h"]);
}
