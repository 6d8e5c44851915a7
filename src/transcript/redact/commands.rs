//! Passwords that programs take in their arguments and files: `mysql -p...`, `curl -u me:...`, `.netrc`.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::named::{closing, is_quote, is_reference, shell_word};
use super::redactor::Found;
use super::shapes::is_word;

/// An option, and whether its value may stand apart.
type PasswordOption = (&'static [u8], bool);

/// Programs that take a password as an option, and the options. Programs of the same name with more behind it take them
/// too: `mysqldump`, `mongosh`.
const PROGRAMS: [(&[u8], &[PasswordOption]); 11] = [
    (b"mysql", &[(b"-p", false)]),
    (b"mariadb", &[(b"-p", false)]),
    (b"mongo", &[(b"-p", true)]),
    (b"sshpass", &[(b"-p", true)]),
    (b"redis-cli", &[(b"-a", true)]),
    (b"sqlcmd", &[(b"-P", true)]),
    (b"ldapsearch", &[(b"-w", true)]),
    (b"unzip", &[(b"-P", true)]),
    (b"curl", &[(b"-u", true), (b"--user", true), (b"--proxy-user", true)]),
    (b"docker login", &[(b"-p", true)]),
    (b"podman login", &[(b"-p", true)]),
];

/// They are looked for in every string, most of which are short: made once.
static FINDERS: LazyLock<[Finder<'static>; PROGRAMS.len()]> =
    LazyLock::new(|| PROGRAMS.map(|(program, _)| Finder::new(program)));
static MACHINE: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("machine "));

/// Passwords in command lines, also in lists of arguments.
pub fn commands(text: &[u8], found: &mut Found) {
    for (finder, (program, options)) in FINDERS.iter().zip(&PROGRAMS) {
        for at in finder.find_iter(text) {
            let from = at + program.len();
            let from = from + text[from..].iter().take(16).take_while(|b| is_word(**b)).count();
            if at > 0 && is_word(text[at - 1]) || from == text.len() {
                continue;
            }
            for (option, apart) in *options {
                let secret = option_of(text, from, option, *apart, found);
                // Only what comes behind the name of a user is one.
                let secret = secret.and_then(|(from, to)| match *program {
                    b"curl" => memchr::memchr(b':', &text[from..to]).map(|n| (from + n + 1, to)),
                    // `docker run --name mongo -p 27017:27017`: ports.
                    b"mongo" => Some((from, to))
                        .filter(|_| !text[from..to].iter().all(|b| b".:".contains(b) || b.is_ascii_digit())),
                    _ => Some((from, to)),
                });
                found.spans.extend(secret.filter(|(from, to)| from < to && !is_reference(&text[*from..*to])));
            }
        }
    }
}

/// The password behind a machine of a `.netrc`.
pub fn netrc(text: &[u8], found: &mut Vec<(usize, usize)>) {
    for at in MACHINE.find_iter(text) {
        let mut words = text[at..].split(u8::is_ascii_whitespace).filter(|w| !w.is_empty()).take(8);
        let Some(secret) = words.by_ref().find(|w| *w == b"password").and_then(|_| words.next()) else { continue };
        let from = secret.as_ptr().addr() - text.as_ptr().addr();
        found.push((from, from + secret.len()));
    }
}

/// The value of an option on the rest of a line.
fn option_of(text: &[u8], from: usize, option: &[u8], apart: bool, found: &mut Found) -> Option<(usize, usize)> {
    let gap = |b: &u8| matches!(b, b' ' | b'\t' | b'"' | b'\'' | b',' | b'\\');
    let ends = |b: &u8| matches!(b, b'\n' | b'\r' | b'|' | b';' | b']');
    let line = &text[from..text.len().min(from + 2048)];
    let line = &line[..line.iter().position(ends).unwrap_or(line.len())];
    let mut pos = 0;
    while pos < line.len() {
        pos += line[pos..].iter().take_while(|b| gap(b)).count();
        let word = line[pos..].iter().position(gap).unwrap_or(line.len() - pos);
        let argument = &line[pos..pos + word];
        if let Some(glued) = argument.strip_prefix(option) {
            let start = pos + option.len();
            if let Some(value) = glued.strip_prefix(b"=") {
                let to = from + start + 1 + value.len();
                return Some(argument_at(text, from + pos, (from + start + 1, to), found));
            }
            if !glued.is_empty() && option.starts_with(b"--") {
                pos += word;
                continue;
            }
            if !glued.is_empty() {
                return Some(argument_at(text, from + pos, (from + start, from + pos + word), found));
            }
            let quoted = line.get(start).is_some_and(|b| matches!(b, b'"' | b'\''));
            if apart || quoted {
                let behind = start + line[start..].iter().take_while(|b| gap(b)).count();
                let len = line[behind..].iter().position(gap).unwrap_or(line.len() - behind);
                return Some(argument_at(text, from + pos, (from + behind, from + behind + len), found));
            }
        }
        pos += word.max(1);
    }
    None
}

/// All of a value of which `from` to `to` is the first word: in quotes up to the other one, as the rest of an argument that
/// quotes stand round, or what a shell joins to it. `option`: where the option begins.
fn argument_at(text: &[u8], option: usize, (from, to): (usize, usize), found: &mut Found) -> (usize, usize) {
    let quoted = |at: usize| at.checked_sub(1).map(|n| text[n]).filter(|b| is_quote(*b));
    // `"-pX Y"` and `"-p","X Y"` as well as `-p"X Y"`.
    let own = quoted(option).map(|quote| (option, quote)).filter(|(_, quote)| !text[option..from].contains(quote));
    let Some((at, quote)) = quoted(from).map(|quote| (from, quote)).or(own) else {
        let end = shell_word(text, option, from, found);
        return (from, to.max(end));
    };
    let escapes = text[..at - 1].iter().rev().take_while(|b| **b == b'\\').count();
    let Some(end) = closing(text, from, quote, escapes) else {
        found.open(option);
        return (from, to);
    };
    let behind = end + 1;
    let joined = if escapes == 0 && at == from { shell_word(text, option, behind, found) } else { behind };
    (from, if joined > behind { joined } else { end })
}
