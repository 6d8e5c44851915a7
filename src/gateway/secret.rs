//! A text that is never printed and is wiped when it is dropped.
//!
//! What this cannot reach: the copy in the environment of the process, the parsed configuration, and the buffers of
//! the kernel. It keeps the copies of ours from outliving their use, and from landing in a message by accident.

use std::fmt;

use zeroize::Zeroizing;

/// A token or password.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(Zeroizing<String>);

impl Secret {
    /// Takes a text; blanks at its ends do not belong to it. `None` if nothing is left.
    pub fn of(text: &str) -> Option<Self> {
        let text = text.trim();
        (!text.is_empty()).then(|| Self(Zeroizing::new(text.to_owned())))
    }

    /// The text, for whoever sends it.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("<hidden>")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_trimmed_and_never_shown() {
        assert_eq!(Secret::of(" \n"), None);
        let secret = Secret::of(" hunter2\n").unwrap();
        assert_eq!(secret.expose(), "hunter2");
        assert_eq!(format!("{secret:?} {:?}", Some(&secret)), "<hidden> Some(<hidden>)");
    }
}
