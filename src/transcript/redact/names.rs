//! Names that mean that a value is a secret.
//!
//! A name is taken apart into its words, at signs and where small letters become capital ones; one word that means a
//! secret is enough, whatever stands before and behind it: `DB_PASSWORD_2`, `stripeKey`, `SECRET_KEY_BASE`. Some words
//! mean it only with another one before them: `key` and `pwd` alone are any key and the folder of a shell.

/// How sure a name is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Name {
    /// Whatever it names is a secret.
    Secret,
    /// Text that it names is one; a number is a count.
    Several,
    /// What is marked as its value is one; in a sentence only what has a digit.
    Maybe,
    /// As [`Name::Maybe`], unless the value is a folder ([`folder_or_secret`]).
    FolderOrSecret,
}

/// Longest name that means something, in bytes.
pub const LONGEST_NAME: usize = 256;

/// Ends of names that are written in one, in lower case.
const ENDS: &[&str] = &[
    "apikey",
    "secretkey",
    "secret",
    "token",
    "password",
    "passwd",
    "passphrase",
    "privatekey",
    "accesskey",
    "accountkey",
    "credential",
];

/// What comes after a word that means a secret and says that this is about one, and none.
const ABOUT: &[&str] = &[
    "count", "counts", "type", "path", "file", "files", "dir", "limit", "limits", "length", "len", "size", "budget",
    "usage", "mode", "policy", "url", "uri", "name", "field", "label", "hint", "rate", "through", "ttl", "expires",
    "expiry",
];

/// What comes before `key` and makes it one of data.
const PLAIN_KEYS: &[&str] = &[
    "public",
    "pub",
    "primary",
    "foreign",
    "session",
    "sort",
    "partition",
    "cache",
    "index",
    "row",
    "group",
    "dedupe",
    "idempotency",
    "hot",
    "lookup",
    "map",
    "parent",
    "routing",
    "object",
    "config",
    "unique",
];

/// What stands before `pass` in one word, and makes it a password.
const HOLDERS: &[&str] = &[
    "db", "pg", "my", "sql", "mysql", "mongo", "redis", "smtp", "imap", "mail", "email", "ftp", "sftp", "ssh", "user",
    "root", "admin", "ldap", "rabbit", "key", "cert", "http", "proxy",
];

/// `pwd` alone: a password in a connection string, and the folder of a shell.
pub fn folder_or_secret(word: &[u8]) -> Option<Name> {
    matches!(&*words(word), [only] if only == "pwd").then_some(Name::FolderOrSecret)
}

/// What a name means. `None`: no secret.
pub fn name(word: &[u8]) -> Option<Name> {
    let words = words(word);
    let last = words.last()?;
    if ABOUT.contains(&last.as_str()) || matches!(words[0].as_str(), "no" | "without" | "skip" | "disable") {
        return None;
    }
    let meanings = words.iter().enumerate().filter_map(|(at, word)| meaning(&words[..at], word));
    let squeezed = || {
        let name: String = words.concat();
        ENDS.iter().any(|end| name.ends_with(end)).then_some(Name::Secret)
    };
    meanings.min_by_key(|name| *name as u8).or_else(squeezed)
}

fn meaning(before: &[String], word: &str) -> Option<Name> {
    let with = before.last().map(String::as_str);
    match word {
        "password" | "passwd" | "passphrase" | "secret" | "token" | "credential" | "authorization" | "apikey" => {
            Some(Name::Secret)
        }
        "passwords" | "secrets" | "tokens" | "credentials" => Some(Name::Several),
        "key" | "keys" => match with? {
            "api" | "secret" | "private" | "access" | "account" => Some(Name::Secret),
            other if PLAIN_KEYS.contains(&other) => None,
            _ => Some(Name::Maybe),
        },
        "pwd" => with.filter(|w| *w != "old").map(|_| Name::Secret),
        "pass" if with.is_some() => Some(Name::Secret),
        "pass" | "auth" | "cookie" | "cookies" => Some(Name::Maybe),
        _ => {
            let holder = word.strip_suffix("pass").or_else(|| word.strip_suffix("pwd"));
            holder.filter(|holder| HOLDERS.contains(holder)).map(|_| Name::Secret)
        }
    }
}

/// The words of a name, in lower case, without numbers.
fn words(name: &[u8]) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut open = false;
    for (at, byte) in name.iter().enumerate() {
        if !byte.is_ascii_alphabetic() {
            open = false;
            continue;
        }
        let before = at.checked_sub(1).map_or(b' ', |at| name[at]);
        let small_next = name.get(at + 1).is_some_and(u8::is_ascii_lowercase);
        // `dbPassword`, and `APIKey`.
        let begins =
            byte.is_ascii_uppercase() && (before.is_ascii_lowercase() || before.is_ascii_uppercase() && small_next);
        let letter = char::from(byte.to_ascii_lowercase());
        match words.last_mut().filter(|_| open && !begins) {
            Some(word) => word.push(letter),
            None => words.push(letter.into()),
        }
        open = true;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_of_a_name_means_a_secret() {
        for word in
            "NAME_KEY SSH_KEY ENCRYPTION_KEY SIGNING_KEY MASTER_KEY DEPLOY_KEY STRIPE_KEY SECRET_KEY_BASE API_KEY_1 \
             DB_PASS DBPASS PGPASS dbPwd DB_PWD MYSQL_PWD SMTP_PASS PASSWORD_PROD DB_PASSWORD_2 TOKENS apiKey APIKey dbPassword mypassword \
             accessToken --client-secret AUTH authorization Cookie x-api-key pass credentials"
                .split_whitespace()
        {
            assert!(name(word.as_bytes()).is_some(), "{word}");
        }
        for word in
            "monkey keyboard key keys turkey author bypass compass passed secretary PWD OLDPWD OLD_PWD sessionKey \
             primary_key tokenCount token-file --no-auth tokenize authMode pass_rate compassion tokenizer cookiecutter"
                .split_whitespace()
        {
            assert_eq!(name(word.as_bytes()), None, "{word}");
        }
        assert_eq!(name(b"totalTokens"), Some(Name::Several));
    }
}
