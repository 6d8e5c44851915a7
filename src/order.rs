//! Sorting of lists that are short, or sorted once.
//!
//! The standard sort is made anew for each type and order, 7 KB of program each time; a tenth of this one was that. Here the
//! sorting itself exists once and moves positions; what each type adds is the way to its new order. Lists with one item a
//! file or a row use the standard one.

use std::cmp::Ordering;

/// Stable sorts.
pub trait Order<T> {
    /// As [`slice::sort_by`].
    fn order_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering);

    /// As [`slice::sort_by_key`].
    fn order_by_key<K: Ord>(&mut self, key: impl FnMut(&T) -> K);
}

impl<T> Order<T> for [T] {
    fn order_by(&mut self, mut compare: impl FnMut(&T, &T) -> Ordering) {
        let mut sources = sources(self.len(), &mut |a, b| compare(&self[a], &self[b]));
        // Cycle by cycle; a place that has its item is its own source.
        for start in 0..sources.len() {
            let mut at = start;
            while sources[at] != start {
                let from = std::mem::replace(&mut sources[at], at);
                self.swap(at, from);
                at = from;
            }
            sources[at] = at;
        }
    }

    fn order_by_key<K: Ord>(&mut self, mut key: impl FnMut(&T) -> K) {
        self.order_by(|a, b| key(a).cmp(&key(b)));
    }
}

/// For each place of the sorted list the place where its item is now.
#[inline(never)]
fn sources(len: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut sources: Vec<usize> = (0..len).collect();
    sources.sort_by(|a, b| compare(*a, *b));
    sources
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_is_the_standard_order(items in prop::collection::vec((0u8..9, any::<u16>()), 0..200)) {
            let (mut ours, mut theirs) = (items.clone(), items);
            ours.order_by_key(|item| item.0);
            theirs.sort_by_key(|item| item.0);
            prop_assert_eq!(&ours, &theirs);
            ours.order_by(|a, b| b.cmp(a));
            theirs.sort_by(|a, b| b.cmp(a));
            prop_assert_eq!(ours, theirs);
        }
    }
}
