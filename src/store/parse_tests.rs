use super::*;
use crate::model::fingerprint::Kind;

const FP: Fingerprint = Fingerprint {
    dev: 0,
    ino: 0,
    size: 0,
    mtime_ns: 0,
    ctime_ns: 0,
    blocks: 0,
    nlink: 1,
    uid: 0,
    gid: 0,
    mode: 0o600,
    kind: Kind::File,
};

fn parse_bytes(bytes: &[u8]) -> Result<IndexFacts, Damage> {
    parse(PathBuf::from("sessions.json"), FP, bytes.into())
}

/// An index from text, for the tests of this and other modules.
pub fn index(text: &str) -> IndexFacts {
    parse_bytes(text.as_bytes()).unwrap_or_else(|damage| panic!("{damage:?} in {text}"))
}
