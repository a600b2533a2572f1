//! Lanes: where the calls that are inside an object are counted. Many lanes, so that threads write to no common word.

use super::sync::{AtomicU64, AtomicUsize, SeqCst};

/// Where the calls that are inside an object are counted.
pub trait Lanes: Default + Sync {
    /// The lane of the calling thread.
    fn mine(&self) -> &AtomicU64;
    /// Whether all lanes were found empty.
    fn empty(&self) -> bool;
}

/// One lane: for objects that one thread uses at a time.
#[derive(Default)]
pub struct Single(AtomicU64);

impl Lanes for Single {
    fn mine(&self) -> &AtomicU64 {
        &self.0
    }
    fn empty(&self) -> bool {
        self.0.load(SeqCst) == 0
    }
}

/// A cache line pair of its own, since processors fetch them by two.
#[derive(Default)]
#[repr(align(128))]
struct Lane(AtomicU64);

/// Sixteen lanes: for objects that many threads use at once.
#[derive(Default)]
pub struct Many([Lane; 16]);

impl Lanes for Many {
    fn mine(&self) -> &AtomicU64 {
        static THREADS: AtomicUsize = AtomicUsize::new(0);
        thread_local!(static MINE: usize = THREADS.fetch_add(1, SeqCst) % 16);
        // A thread that is being torn down has no number any more; any lane is right, its own is only faster.
        let lane = MINE.try_with(|mine| *mine).unwrap_or(0);
        let [first, ..] = &self.0;
        &self.0.get(lane).unwrap_or(first).0
    }
    fn empty(&self) -> bool {
        self.0.iter().all(|lane| lane.0.load(SeqCst) == 0)
    }
}
