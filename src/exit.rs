//! Exit codes. Documented in the man page and README; a test compares the three.

use crate::error::Kind;

/// Done. Kept by policy, young, protected and an absent agent included.
pub const DONE: u8 = 0;
/// It could not be done.
pub const FAILED: u8 = 1;
/// The command line is wrong.
pub const USAGE: u8 = 2;
/// Partial: some removals failed, changed under us or were held by a live lock; ownership incomplete; a store failed.
pub const PARTIAL: u8 = 3;
/// Finished, but findings need a person (`check`, `--exit-code`, a limit out of reach, a suspect index).
pub const FINDINGS: u8 = 4;
/// The store that was named does not exist.
pub const ABSENT: u8 = 10;
/// Busy: our lock, or a live owner.
pub const BUSY: u8 = 11;
/// The format on disk is newer than this program can write.
pub const TOO_NEW: u8 = 12;
/// Interrupted by SIGINT.
pub const INTERRUPTED: u8 = 130;
/// Terminated by SIGTERM.
pub const TERMINATED: u8 = 143;

/// Every code with its one-line meaning, for `--help`, the man page and the tests.
pub const TABLE: &[(u8, &str)] = &[
    (DONE, "done; kept by policy, young, protected and an absent agent included"),
    (FAILED, "could not be done; nothing was changed unless the message says so"),
    (USAGE, "wrong command line"),
    (PARTIAL, "partial: some removals failed, changed meanwhile or were held by a live lock; some stores failed"),
    (FINDINGS, "finished, but findings need a person"),
    (ABSENT, "the named store does not exist"),
    (BUSY, "busy: another run holds the lock, or a gateway owns the state"),
    (TOO_NEW, "a format on disk is newer than this program can write"),
    (INTERRUPTED, "interrupted"),
    (TERMINATED, "terminated"),
];

/// The code of an error kind.
pub fn code(kind: Kind) -> u8 {
    match kind {
        Kind::Failed => FAILED,
        Kind::Usage => USAGE,
        Kind::Partial => PARTIAL,
        Kind::Findings => FINDINGS,
        Kind::Absent => ABSENT,
        Kind::Busy => BUSY,
        Kind::TooNew => TOO_NEW,
        Kind::Interrupted => INTERRUPTED,
        Kind::BrokenPipe => DONE,
    }
}

/// The graver of two codes when several stores ended differently: failures over partial over findings over done.
pub fn graver(a: u8, b: u8) -> u8 {
    const ORDER: &[u8] = &[DONE, FINDINGS, PARTIAL, ABSENT, TOO_NEW, BUSY, FAILED, USAGE, INTERRUPTED, TERMINATED];
    let rank = |c: u8| ORDER.iter().position(|x| *x == c).unwrap_or(ORDER.len());
    if rank(a) >= rank(b) { a } else { b }
}
