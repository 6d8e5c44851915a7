//! Sharing work out over threads.

use std::num::NonZero;

/// Most threads: more do not help a disk.
const MOST: usize = 8;

/// Runs `work` in as many threads as there are cores, but no more than `most` or [`MOST`], this one included, and
/// returns all their answers in no particular order. `work` takes its share itself, from a counter that all of them
/// see, so that a thread that gets little time holds nobody up.
pub fn in_threads<T: Send>(most: usize, work: &(impl Fn() -> Vec<T> + Sync)) -> Vec<T> {
    let threads = std::thread::available_parallelism().map_or(2, NonZero::get).min(MOST).min(most.max(1));
    let mut all = Vec::new();
    std::thread::scope(|scope| {
        // Where no thread can be had, this one does the rest.
        let helpers: Vec<_> =
            (1..threads).map_while(|_| std::thread::Builder::new().spawn_scoped(scope, work).ok()).collect();
        all.extend(work());
        for helper in helpers {
            match helper.join() {
                Ok(answers) => all.extend(answers),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    });
    all
}

/// Runs `there` in a thread of its own, if one can be had, while this one runs `here`: for two things of which one waits for
/// the disk while the other computes.
pub fn side_by_side<A: Send, B>(there: impl Fn() -> A + Sync, here: impl FnOnce() -> B) -> (A, B) {
    std::thread::scope(|scope| match std::thread::Builder::new().spawn_scoped(scope, &there) {
        Ok(helper) => {
            let here = here();
            (helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), here)
        }
        Err(_) => (there(), here()),
    })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn every_item_is_answered_once() {
        for most in [0, 1, 3, 100] {
            let next = AtomicUsize::new(0);
            let mut all = in_threads(most, &|| {
                let mut answers = Vec::new();
                while let Some(n) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|n| *n < 1000) {
                    answers.push(n);
                }
                answers
            });
            all.sort_unstable();
            assert_eq!(all, (0..1000).collect::<Vec<_>>());
        }
    }
}
