//! Work on many pieces of files at once, with results taken in order.
//!
//! Results come in the order of the jobs whatever thread finishes first, so what is made of them does not depend on the
//! machine. No thread runs further ahead of the taker than [`AHEAD`] jobs: memory stays bounded.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Results that may wait to be taken, for each thread.
const AHEAD: usize = 2;

struct State<T> {
    next: usize,
    taken: usize,
    stopped: bool,
    done: BTreeMap<usize, T>,
}

/// Threads worth having for this many jobs.
pub fn threads(jobs: usize) -> usize {
    if jobs < 2 {
        return 1;
    }
    std::thread::available_parallelism().map_or(1, NonZero::get).min(jobs)
}

/// Runs `work` on every job and gives the results to `take`, in order. `take` ends it all by answering no.
pub fn ordered<J: Sync, T: Send>(jobs: &[J], work: impl Fn(&J) -> T + Sync, mut take: impl FnMut(T) -> bool) {
    let threads = threads(jobs.len());
    if threads == 1 {
        for job in jobs {
            if !take(work(job)) {
                return;
            }
        }
        return;
    }
    let state = Mutex::new(State { next: 0, taken: 0, stopped: false, done: BTreeMap::new() });
    let changed = Condvar::new();
    let lock = || state.lock().unwrap_or_else(PoisonError::into_inner);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((number, job)) = next_job(jobs, threads * AHEAD, lock(), &changed) {
                    let result = work(job);
                    lock().done.insert(number, result);
                    changed.notify_all();
                }
            });
        }
        for number in 0..jobs.len() {
            let mut guard = lock();
            let result = loop {
                match guard.done.remove(&number) {
                    Some(result) => break result,
                    None => guard = changed.wait(guard).unwrap_or_else(PoisonError::into_inner),
                }
            };
            guard.taken = number + 1;
            drop(guard);
            changed.notify_all();
            if !take(result) {
                lock().stopped = true;
                changed.notify_all();
                return;
            }
        }
    });
}

fn next_job<'j, J, T>(
    jobs: &'j [J],
    ahead: usize,
    mut guard: MutexGuard<'_, State<T>>,
    changed: &Condvar,
) -> Option<(usize, &'j J)> {
    loop {
        if guard.stopped {
            return None;
        }
        let number = guard.next;
        let job = jobs.get(number)?;
        if number < guard.taken + ahead {
            guard.next += 1;
            return Some((number, job));
        }
        guard = changed.wait(guard).unwrap_or_else(PoisonError::into_inner);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_and_can_be_cut_short() {
        let jobs: Vec<u64> = (0..500).collect();
        let mut got = Vec::new();
        ordered(
            &jobs,
            |n| n * 2,
            |n| {
                got.push(n);
                true
            },
        );
        assert_eq!(got, jobs.iter().map(|n| n * 2).collect::<Vec<_>>());
        let mut count = 0;
        ordered(
            &jobs,
            |n| *n,
            |_| {
                count += 1;
                count < 10
            },
        );
        assert_eq!(count, 10);
        ordered(&[] as &[u64], |n| *n, |_| panic!("there is nothing"));
    }
}
