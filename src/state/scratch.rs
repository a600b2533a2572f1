//! Buffers kept per thread, so that a warm call allocates nothing.

use std::cell::Cell;
use std::hint::black_box;

use crate::json::Canonical;

/// Larger buffers are given back: a thread keeps no more than this.
const KEEP_BYTES: usize = 1 << 20;

#[derive(Default)]
pub(super) struct Scratch {
    pub(super) token: Vec<u8>,
    pub(super) canonical: Canonical,
}

thread_local! {
    static SCRATCH: Cell<Option<Box<Scratch>>> = const { Cell::new(None) };
}

/// Lends the scratch of this thread; a call inside a call gets a fresh one.
pub(super) fn with_scratch<T>(work: impl FnOnce(&mut Scratch) -> T) -> T {
    let mut scratch = SCRATCH
        .try_with(Cell::take)
        .ok()
        .flatten()
        .unwrap_or_default();
    let result = work(&mut scratch);
    if scratch.token.capacity() <= KEEP_BYTES && scratch.canonical.bytes().len() <= KEEP_BYTES {
        // A thread that is ending has no place to keep it; then it is freed.
        let _ = SCRATCH.try_with(|kept| kept.set(Some(scratch)));
    }
    result
}

/// Clears what a buffer held. Whole words at a time: wiping byte by byte would cost more than opening.
pub(super) fn wipe(bytes: &mut [u8]) {
    bytes.fill(0);
    black_box(bytes);
}
