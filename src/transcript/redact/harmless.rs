//! What stands behind a name that means a secret, and is none: counts, folders, code, and words that say how it is with it.
//!
//! Each rule is narrow, because what it lets pass is shown: a secret that looks like one of these would be.

/// Words that say something about a secret where a value could stand.
const SAID: [&[u8]; 13] = [
    b"required",
    b"optional",
    b"missing",
    b"invalid",
    b"expired",
    b"rejected",
    b"accepted",
    b"hidden",
    b"disabled",
    b"enabled",
    b"boolean",
    b"(hidden",
    b"string",
];

/// Where code takes a value from its environment.
const ENVIRONMENTS: [&[u8]; 5] = [b"process.env.", b"import.meta.env.", b"os.environ", b"Deno.env.", b"config."];

/// Folders at the root of a file system.
const ROOTS: [&[u8]; 16] = [
    b"~/",
    b"./",
    b"../",
    b"/home/",
    b"/root/",
    b"/etc/",
    b"/usr/",
    b"/var/",
    b"/opt/",
    b"/run/",
    b"/tmp/",
    b"/srv/",
    b"/mnt/",
    b"/Users/",
    b"/private/",
    b"/workspace/",
];

/// Whether a value is how many of something there are: `1234`, `12.5k/200k`, `~120000`, `6%`.
pub fn is_count(value: &[u8]) -> bool {
    // `“max_tokens: 4096”`: a quote that is none of the code's.
    let tail = value.iter().rev().take_while(|b| !b.is_ascii()).count();
    value[..value.len() - tail].iter().all(|b| b.is_ascii_digit() || b",._-kKmM~/%".contains(b))
}

/// Whether a value says something about the secret: `required`, `********`.
pub fn is_said(value: &[u8]) -> bool {
    SAID.iter().any(|word| value.eq_ignore_ascii_case(word)) || value.iter().all(|b| b"*.".contains(b))
}

/// Whether a word in a sentence looks like a value: with letters and digits, and neither an address, a path, the name of a
/// variable nor that of a version (`gpt-5.2`).
pub fn is_value_like(value: &[u8]) -> bool {
    let has = |kind: fn(&u8) -> bool| value.iter().any(kind);
    let variable = value.contains(&b'_') && !has(u8::is_ascii_lowercase);
    let parts = value.iter().any(|b| b"-.".contains(b));
    let slash = value.contains(&b'/');
    let version = slash && parts || (slash || parts) && !has(u8::is_ascii_uppercase);
    let address = memchr::memmem::find(value, b"://").is_some();
    value.len() >= 6
        && has(u8::is_ascii_digit)
        && has(u8::is_ascii_alphabetic)
        && !(has(u8::is_ascii_whitespace) || variable || version || address || is_count(value) || is_path(value))
}

/// Whether a text begins with a word that nobody would say: with small and capital letters, and digits in two places.
pub fn is_random(text: &[u8]) -> bool {
    let text = text.strip_prefix(b"`").or_else(|| text.strip_prefix(b"\"")).unwrap_or(text);
    let word = &text[..text.iter().position(|b| b.is_ascii_whitespace()).unwrap_or(text.len())];
    let has = |kind: fn(&u8) -> bool| word.iter().any(kind);
    let digits =
        word.chunk_by(|a, b| a.is_ascii_digit() == b.is_ascii_digit()).filter(|c| c[0].is_ascii_digit()).count();
    word.len() >= 10 && digits > 1 && has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase)
}

/// Whether a value is the path of a file, by where it begins.
pub fn is_path(value: &[u8]) -> bool {
    ROOTS.iter().any(|root| value.starts_with(root))
        && value.iter().all(|b| b.is_ascii_alphanumeric() || b"~/._-".contains(b))
}

/// Whether a value is a folder, or what a program takes it from. A word alone is the name of one.
pub fn is_folder(value: &[u8]) -> bool {
    let drive = matches!(value, [letter, b':', ..] if letter.is_ascii_alphabetic());
    let begins = matches!(value, [b'/' | b'\\' | b'$' | b'%' | b'<', ..] | [b'~' | b'.'] | [b'.', b'.']);
    let home = [&b"~/"[..], b"./", b"../"].iter().any(|lead| value.starts_with(lead));
    let words = value.iter().all(|b| b.is_ascii_alphabetic() || b"/._-".contains(b));
    drive || begins || home || value.contains(&b'(') || words
}

/// Whether the value at `from` to `to`, in no quotes, is code that gives one: `getToken()`, `req.headers['x']`,
/// `process.env.KEY`, `Option<String>`.
pub fn is_code(text: &[u8], (from, to): (usize, usize)) -> bool {
    let value = &text[from..to];
    let letter = |b: &u8| b.is_ascii_alphabetic() || matches!(b, b'_' | b'.');
    if ENVIRONMENTS.iter().any(|lead| value.starts_with(lead) && value.iter().all(|b| letter(b) || b.is_ascii_digit()))
    {
        return true;
    }
    let path = text[from..].iter().take_while(|b| letter(b)).count();
    let behind = &text[from + path..];
    let called = match behind {
        [b'(', b')' | b'"' | b'\'' | b'`', ..] | [b'[', b'"' | b'\'' | b'`', ..] => true,
        [b'<', inner, ..] => inner.is_ascii_uppercase() || *inner == b'&',
        _ => false,
    };
    path > 0 && called
}

/// Whether `pwd=...` is a member of a connection string: `Server=x;Pwd=y;`. `name` and `value`: where they stand.
pub fn is_of_connection(text: &[u8], name: (usize, usize), value: (usize, usize)) -> bool {
    let member = |text: &[u8]| {
        let word = text.iter().take(32).take_while(|b| b.is_ascii_alphabetic() || **b == b' ').count();
        word > 1 && text.get(word) == Some(&b'=')
    };
    let line = memchr::memrchr(b'\n', &text[..name.0]).map_or(0, |n| n + 1).max(name.0.saturating_sub(256));
    let before = text[line..name.0].trim_ascii_end().strip_suffix(b";");
    let before = before.is_some_and(|text| member(&text[memchr::memrchr2(b';', b'"', text).map_or(0, |n| n + 1)..]));
    let behind = text[value.1..].strip_prefix(b"}").unwrap_or(&text[value.1..]);
    before || behind.strip_prefix(b";").is_some_and(member)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connection_string_has_members_on_one_side() {
        let at = |text: &str| {
            let name = text.find("Pwd").unwrap_or_default();
            let value = text.find("hunter").unwrap_or_default();
            is_of_connection(text.as_bytes(), (name, name + 3), (value, value + 6))
        };
        assert!(at("Server=x;Pwd=hunter"));
        assert!(at("\"User Id=x; Pwd=hunter;\""));
        assert!(at("Pwd=hunter;Uid=sa"));
        assert!(!at("Pwd=hunter; ls"));
        assert!(!at("cd x; Pwd=hunter"));
        assert!(!at("Pwd=hunter"));
    }

    #[test]
    fn code_is_told_from_values_with_brackets() {
        let code = |text: &str| is_code(text.as_bytes(), (0, text.find(['(', '[', '<']).unwrap_or(text.len())));
        for text in ["getpass.getpass()", "prompt('x')", "req.headers[\"a\"]", "Option<String>", "process.env.API_KEY"]
        {
            assert!(code(text), "{text}");
        }
        for text in ["Winter(2024)", "abc[1]", "a<b", "hunter2", "(x)", "process.env"] {
            assert!(!code(text), "{text}");
        }
    }
}
