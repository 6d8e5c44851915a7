//! Commands that a user can paste into a shell.

use std::borrow::Cow;

use crate::model::stores::{Target, TargetOrigin};

/// A word as a POSIX shell needs it. Control characters are shown by `$'...'` escapes, so that a hint never holds one.
pub fn quote(word: &str) -> Cow<'_, str> {
    let plain = |c: char| c.is_alphanumeric() || "-_./:=@%+,~".contains(c);
    if !word.is_empty() && word.chars().all(plain) && !word.starts_with('~') {
        return Cow::Borrowed(word);
    }
    let shown = super::escape::line(word);
    if shown == word {
        return Cow::Owned(format!("'{}'", word.replace('\'', "'\\''")));
    }
    let mut out = String::from("$'");
    for c in word.chars() {
        match c {
            '\'' | '\\' => out.extend(['\\', c]),
            c => {
                let mut buf = [0; 4];
                let one: &str = c.encode_utf8(&mut buf);
                match super::escape::line(one) {
                    Cow::Borrowed(same) => out.push_str(same),
                    Cow::Owned(_) => one.bytes().for_each(|b| out.push_str(&format!("\\x{b:02x}"))),
                }
            }
        }
    }
    out.push('\'');
    Cow::Owned(out)
}

/// A word that is no value of a flag, at the end of a command: one that begins like a flag stands behind `--`.
pub fn operand(word: &str) -> Cow<'_, str> {
    if word.starts_with('-') { Cow::Owned(format!("-- {}", quote(word))) } else { quote(word) }
}

/// What selects an agent that is a folder only: by the name of the folder if that is not the id, because an agent that is
/// called like that, in other letters, may be there as well.
pub fn unconfigured_words(target: &Target) -> String {
    let folder = target.store_path.ancestors().nth(2).and_then(|folder| folder.file_name());
    let name = folder.map(|name| name.to_string_lossy()).filter(|name| name.eq_ignore_ascii_case(&target.agent_id));
    format!(" --include-unconfigured --agent {}", quote(name.as_deref().unwrap_or(&target.agent_id)))
}

/// ` --store FILE` or ` --agent ID`: what selects this store again, whatever the configuration says then.
pub fn select_words(target: &Target) -> String {
    match target.origin {
        TargetOrigin::StoreFlag => format!(" --store {}", quote(&target.store_path.to_string_lossy())),
        TargetOrigin::Unconfigured => unconfigured_words(target),
        TargetOrigin::DefaultLayout | TargetOrigin::Template(_) => format!(" --agent {}", quote(&target.agent_id)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_survive_the_shell() {
        for (word, quoted) in [
            ("/home/a/sessions.json", "/home/a/sessions.json"),
            ("agent:*:hook", "'agent:*:hook'"),
            ("it's", "'it'\\''s'"),
            ("", "''"),
            ("a\u{1b}b'", "$'a\\x1bb\\''"),
        ] {
            assert_eq!(quote(word), quoted, "{word:?}");
            assert_eq!(operand(word), quoted, "{word:?}");
        }
        assert_eq!((&*operand("--json"), &*operand("-x y")), ("-- --json", "-- '-x y'"));
    }
}
