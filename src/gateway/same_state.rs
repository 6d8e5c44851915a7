//! Does the gateway serve the state that we look at? Pure.
//!
//! A gateway that serves another home would clean that home. So before it is asked to, and before one that answers on the
//! configured port counts as the owner of this folder, two things are compared: the name of its state folder, and its
//! newest sessions against our index.
//!
//! | name | sessions | same state? |
//! |---|---|---|
//! | ours, or declared with `--gateway-state-dir` | equal, overlap, or nothing to compare | yes |
//! | ours, or declared | none in common | cannot be told: a container has the same paths inside |
//! | another, which does not exist here | equal | yes: a container sees the folder elsewhere |
//! | another, which exists here beside ours | equal | cannot be told: one is a copy of the other |
//! | another | none in common | no |
//! | another | some in common | cannot be told: a copy that went its own way |
//! | another, which exists here beside ours | nothing to compare | cannot be told |
//! | not said | as for another that does not exist here | |
//!
//! *Equal* means: every one of its newest sessions is in our index, and our newest ones are among those that it lists.
//! One row at the newest end may be missing on either side, because a gateway goes on writing while it is asked.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::model::gateway::{Aliases, Listed, StateProof};

/// How many of the newest sessions are compared.
pub const NEWEST: usize = 20;

/// What the gateway says.
#[derive(Debug, Clone, Default)]
pub struct Theirs {
    /// `snapshot.stateDir`.
    pub state_dir: Option<String>,
    /// Its newest sessions, newest first; `None` if it was not asked or keeps them in another format than the index that
    /// we read.
    pub newest: Option<Vec<Listed>>,
}

/// What we see.
#[derive(Debug, Clone, Default)]
pub struct Ours {
    /// Our state folder as given and with links resolved.
    pub state_dirs: Vec<PathBuf>,
    /// Every row of our index, newest first; `None` if the index could not be read.
    pub rows: Option<Vec<Listed>>,
    /// The folder that the gateway names exists here too and is another one than ours.
    pub theirs_is_another_folder: bool,
}

/// What comparing the sessions gave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Content {
    Equal,
    Overlap,
    Disjoint,
    Nothing,
}

/// Judges.
pub fn judge(theirs: &Theirs, ours: &Ours, aliases: &Aliases) -> StateProof {
    let content = compare(theirs.newest.as_deref(), ours.rows.as_deref());
    let Some(dir) = &theirs.state_dir else {
        return by_content(content, "the gateway does not say which folder it serves", false);
    };
    let is = |ours: &PathBuf| same_path(ours, Path::new(dir));
    let named = if ours.state_dirs.iter().any(is) {
        Some(format!("the gateway serves {dir}"))
    } else if aliases.iter().any(is) {
        Some(format!("the gateway serves {dir}, declared with --gateway-state-dir"))
    } else {
        None
    };
    match (named, content) {
        (Some(how), Content::Disjoint) => StateProof::Unknown(format!(
            "{how}, but none of its newest sessions is in this index: it may see another folder under that name"
        )),
        (Some(how), _) => StateProof::Same(how),
        (None, content) => by_content(content, &format!("the gateway serves {dir}"), ours.theirs_is_another_folder),
    }
}

fn by_content(content: Content, how: &str, another_folder: bool) -> StateProof {
    match content {
        Content::Equal if another_folder => StateProof::Unknown(format!(
            "{how}, a folder that exists here beside this one, with the same sessions: one may be a copy of the other"
        )),
        Content::Equal => StateProof::Same(format!("{how}; its newest sessions are the newest of this index")),
        Content::Disjoint => StateProof::Foreign(format!("{how}; none of its newest sessions is in this index")),
        Content::Overlap => {
            StateProof::Unknown(format!("{how}; some of its newest sessions are in this index and others are not"))
        }
        Content::Nothing => StateProof::Unknown(format!("{how}; there are no sessions to compare")),
    }
}

fn compare(theirs: Option<&[Listed]>, ours: Option<&[Listed]>) -> Content {
    let (Some(theirs), Some(ours)) = (theirs, ours) else { return Content::Nothing };
    let theirs = &theirs[..theirs.len().min(NEWEST)];
    if theirs.is_empty() || ours.is_empty() {
        return Content::Nothing;
    }
    let our_ids: HashSet<&str> = ours.iter().map(|l| l.id.as_str()).collect();
    let their_ids: HashSet<&str> = theirs.iter().map(|l| l.id.as_str()).collect();
    let known = theirs.iter().filter(|l| our_ids.contains(l.id.as_str())).count();
    if known == 0 {
        return Content::Disjoint;
    }
    // Of ours only as many as they list: they may have been asked for fewer than there are.
    let newest = &ours[..ours.len().min(theirs.len())];
    let listed = newest.iter().filter(|l| their_ids.contains(l.id.as_str())).count();
    let at_most_one = |have: usize, of: usize| have == of || (of > 1 && have + 1 == of);
    if at_most_one(known, theirs.len()) && at_most_one(listed, newest.len()) {
        Content::Equal
    } else {
        Content::Overlap
    }
}

/// Equal as texts, a separator at the end left out.
fn same_path(a: &Path, b: &Path) -> bool {
    !b.as_os_str().is_empty() && a.components().eq(b.components())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(ids: &[&str]) -> Vec<Listed> {
        ids.iter().map(|id| Listed { key: format!("agent:main:{id}"), id: (*id).to_owned() }).collect()
    }

    fn theirs(dir: Option<&str>, ids: Option<&[&str]>) -> Theirs {
        Theirs { state_dir: dir.map(str::to_owned), newest: ids.map(rows) }
    }

    fn ours(ids: Option<&[&str]>) -> Ours {
        Ours { state_dirs: vec!["/state".into(), "/real/state".into()], rows: ids.map(rows), ..Ours::default() }
    }

    fn word(theirs: &Theirs, ours: &Ours, aliases: &[&str]) -> &'static str {
        judge(theirs, ours, &aliases.iter().map(PathBuf::from).collect()).as_str()
    }

    #[test]
    fn a_name_of_ours_is_proof_unless_the_sessions_contradict() {
        for dir in ["/state", "/state/", "/real/state"] {
            for ids in [None, Some(&[][..]), Some(&["a", "b"][..]), Some(&["a", "x"][..])] {
                assert_eq!(word(&theirs(Some(dir), ids), &ours(Some(&["a", "b"])), &[]), "same", "{dir} {ids:?}");
            }
            assert_eq!(word(&theirs(Some(dir), Some(&["x", "y"])), &ours(Some(&["a", "b"])), &[]), "unknown");
            assert_eq!(
                word(&theirs(Some(dir), Some(&["x"])), &ours(None), &[]),
                "same",
                "an index that is not readable"
            );
        }
    }

    #[test]
    fn a_declared_name_counts_as_ours() {
        let inside = theirs(Some("/home/node/.openclaw"), None);
        assert_eq!(word(&inside, &ours(None), &[]), "unknown");
        assert_eq!(word(&inside, &ours(None), &["/other", "/home/node/.openclaw/"]), "same");
        let contradicts = theirs(Some("/home/node/.openclaw"), Some(&["x"]));
        assert_eq!(word(&contradicts, &ours(Some(&["a"])), &["/home/node/.openclaw"]), "unknown");
    }

    #[test]
    fn under_another_name_the_sessions_decide() {
        let judge =
            |gateway: &[&str], index: &[&str]| word(&theirs(Some("/in"), Some(gateway)), &ours(Some(index)), &[]);
        assert_eq!(judge(&["a", "b", "c"], &["a", "b", "c"]), "same");
        assert_eq!(judge(&["a", "b", "c"], &["a", "b", "c", "d", "e"]), "same", "it lists the newest only");
        assert_eq!(judge(&["n", "a", "b"], &["a", "b", "c"]), "same", "one that it wrote while it was asked");
        assert_eq!(judge(&["a", "b", "c"], &["n", "a", "b", "c"]), "same", "one that came between");
        assert_eq!(judge(&["a", "b", "c"], &["x", "y", "a", "b", "c"]), "unknown", "a copy that we went on with");
        assert_eq!(judge(&["x", "y", "a"], &["a", "b", "c"]), "unknown", "a copy that it went on with");
        assert_eq!(judge(&["x", "y"], &["a", "b"]), "foreign");
        assert_eq!(judge(&["x"], &["a"]), "foreign");
        assert_eq!(judge(&[], &["a"]), "unknown");
        assert_eq!(judge(&["x"], &[]), "unknown");
    }

    #[test]
    fn a_copy_on_this_host_is_not_taken_for_the_original() {
        let beside = Ours { theirs_is_another_folder: true, ..ours(Some(&["a", "b"])) };
        assert_eq!(word(&theirs(Some("/home/u/.openclaw"), Some(&["a", "b"])), &beside, &[]), "unknown");
        assert_eq!(word(&theirs(Some("/home/u/.openclaw"), Some(&["x", "y"])), &beside, &[]), "foreign");
        assert_eq!(word(&theirs(Some("/home/u/.openclaw"), None), &beside, &[]), "unknown");
    }

    #[test]
    fn a_gateway_that_says_no_name_is_judged_by_its_sessions() {
        assert_eq!(word(&theirs(None, Some(&["a"])), &ours(Some(&["a"])), &[]), "same");
        assert_eq!(word(&theirs(None, Some(&["x"])), &ours(Some(&["a"])), &[]), "foreign");
        assert_eq!(word(&theirs(None, None), &ours(Some(&["a"])), &[]), "unknown");
    }

    #[test]
    fn many_sessions_are_compared_at_their_newest_end() {
        let ids: Vec<String> = (0..100).map(|n| n.to_string()).collect();
        let all: Vec<&str> = ids.iter().map(String::as_str).collect();
        assert_eq!(word(&theirs(Some("/in"), Some(&all)), &ours(Some(&all)), &[]), "same");
        assert_eq!(word(&theirs(Some("/in"), Some(&all[..50])), &ours(Some(&all[50..])), &[]), "foreign");
    }
}
