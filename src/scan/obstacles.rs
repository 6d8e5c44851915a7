//! What permissions say about a plan before it is carried out, so that a dry run promises nothing that the run refuses.
//!
//! Only a look: what it finds is certain to fail, what it does not find may fail all the same (attributes that cannot be
//! given, a folder in which only owners may rename).

use std::path::Path;

use crate::fsx::read::lstat;
use crate::fsx::{owner, writable};
use crate::journal::layout::OWN;
use crate::model::effect::Effect;
use crate::model::fingerprint::Fingerprint;

/// One of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Obstacle {
    /// What is in the way.
    pub why: String,
    /// Only the owner would be lost (token `owner-change`).
    pub owner: bool,
}

impl Obstacle {
    fn closed(why: String) -> Self {
        Self { why, owner: false }
    }

    fn owner(what: &str, lost: &str) -> Self {
        Self { why: format!("{what} could not keep its {lost}"), owner: true }
    }
}

/// Why these effects on `folder` cannot be carried out, if the permissions say so; each reason once. The tokens in
/// `overrides` were given.
pub fn of<'e>(folder: &Path, effects: impl IntoIterator<Item = &'e Effect>, overrides: &[String]) -> Vec<Obstacle> {
    let mut effects = effects.into_iter().peekable();
    if effects.peek().is_none() {
        return Vec::new();
    }
    let mut found: Vec<Obstacle> = closed(folder).into_iter().collect();
    let owner_may_change = overrides.iter().any(|token| token == "owner-change");
    let seen = |path: &Path, what: &str, fp: &Fingerprint| {
        let lost = || owner::not_kept(path.parent()?, fp).filter(|_| !owner_may_change);
        let immutable = writable::immutable(path).map(Obstacle::closed);
        immutable.or_else(|| lost().map(|lost| Obstacle::owner(what, &lost)))
    };
    for effect in effects {
        let why = match (effect, effect.swap()) {
            (_, Some(swap)) => {
                lstat(&swap.path).ok().and_then(|fp| seen(&swap.path, &format!("the new {}", swap.path.display()), &fp))
            }
            (Effect::Splice { file, .. } | Effect::Rewrite { file, .. }, None) => {
                let path = folder.join(&file.name);
                seen(&path, &path.display().to_string(), &file.fp)
            }
            // Of many files each would have to be looked at once more; the executor says which of them stayed.
            _ => None,
        };
        found.extend(why.filter(|why| !found.contains(why)));
    }
    found
}

/// Why nothing can be made in the folder, or in what earlier runs left of ours in it.
fn closed(folder: &Path) -> Option<Obstacle> {
    let own = folder.join(OWN);
    let why = writable::refused(folder).or_else(|| writable::refused(&own).filter(|_| own.is_dir()));
    why.map(Obstacle::closed)
}
