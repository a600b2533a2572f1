//! Sorting of lists that are nearly always short or in order. The standard sort is written anew by the compiler for every
//! type and order, at ten times the size.

use std::cmp::Ordering;

/// Up to here each element is walked to its place.
const FEW: usize = 20;

/// Sorts in place, equal elements in any order; never worse than n log n.
pub(crate) fn sort_by<T>(items: &mut [T], order: impl Fn(&T, &T) -> Ordering) {
    let less = |a: &T, b: &T| order(a, b) == Ordering::Less;
    if items.is_sorted_by(|a, b| !less(b, a)) {
        return;
    }
    if items.len() > FEW {
        return heap_sort(items, less);
    }
    for end in 2..=items.len() {
        let mut walk = items.get_mut(..end).unwrap_or(&mut []);
        while let [rest @ .., before, last] = walk
            && less(last, before)
        {
            std::mem::swap(before, last);
            let left = rest.len() + 1;
            walk = walk.get_mut(..left).unwrap_or(&mut []);
        }
    }
}

fn heap_sort<T>(items: &mut [T], less: impl Fn(&T, &T) -> bool) {
    let len = items.len();
    // First every parent gets above its children, then the greatest goes behind the rest, one after the other.
    for step in (0..len + len / 2).rev() {
        let (mut parent, end) = match step.checked_sub(len) {
            Some(parent) => (parent, len),
            None => {
                items.swap(0, step);
                (0, step)
            }
        };
        let heap = items.get_mut(..end).unwrap_or(&mut []);
        loop {
            let mut child = 2 * parent + 1;
            let Some(mut greatest) = heap.get(child) else {
                break;
            };
            if let Some(other) = heap.get(child + 1)
                && less(greatest, other)
            {
                (child, greatest) = (child + 1, other);
            }
            if heap.get(parent).is_none_or(|top| !less(top, greatest)) {
                break;
            }
            heap.swap(parent, child);
            parent = child;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn is_the_order_of_the_standard_sort(
            list in prop_oneof![
                prop::collection::vec(any::<u8>(), 0..25),
                prop::collection::vec(any::<u8>(), 0..600),
            ],
        ) {
            let (mut ours, mut theirs) = (list.clone(), list);
            sort_by(&mut ours, u8::cmp);
            theirs.sort();
            prop_assert_eq!(ours, theirs);
        }
    }

    #[test]
    fn a_list_in_reverse_takes_few_comparisons() {
        let count = std::cell::Cell::new(0u32);
        let mut list: Vec<u32> = (0..10_000).rev().collect();
        sort_by(&mut list, |a, b| {
            count.set(count.get() + 1);
            a.cmp(b)
        });
        assert!(list.is_sorted());
        assert!(count.get() < 300_000, "{}", count.get());
    }
}
