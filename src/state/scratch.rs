//! Buffers kept per thread, so that a warm call allocates nothing.

use std::cell::Cell;
use std::hint::black_box;

use super::digester::Digester;
use super::token::BOUND_LEN;

/// Larger buffers are given back: a thread keeps no more than this.
const KEEP_BYTES: usize = 1 << 20;

/// Bytes in front of a token in its buffer: they put what is encrypted at a multiple of 16, where the ciphers are fastest.
pub(super) const FRONT: usize = 16 - BOUND_LEN % 16;

#[derive(Default)]
pub(super) struct Scratch {
    /// [`FRONT`] bytes, then a token in binary, its prefix in front.
    pub(super) token: Vec<u8>,
    pub(super) digester: Digester,
}

impl Scratch {
    /// The token that was sealed.
    pub(super) fn sealed(&self) -> &[u8] {
        self.token.get(FRONT..).unwrap_or_default()
    }
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
    if scratch.token.capacity() <= KEEP_BYTES && scratch.digester.room() <= KEEP_BYTES {
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

/// Where a token is opened: a buffer that grows, or a place of fixed size.
pub(super) enum Room<'b> {
    Grow(&'b mut Vec<u8>),
    Fixed(&'b mut [u8]),
}

impl<'b> Room<'b> {
    /// At least `len` bytes.
    fn take(self, len: usize) -> Option<&'b mut [u8]> {
        match self {
            Room::Fixed(place) if place.len() < len => None,
            Room::Fixed(place) => Some(place),
            Room::Grow(buf) => {
                if buf.capacity() == 0 {
                    // Zeroed memory from the system need not be zeroed again.
                    *buf = vec![0; len];
                } else if buf.len() < len {
                    buf.resize(len, 0);
                }
                Some(buf)
            }
        }
    }

    /// Exactly `len` bytes.
    pub(super) fn exact(self, len: usize) -> Option<&'b mut [u8]> {
        self.take(len)?.get_mut(..len)
    }

    /// Exactly `len` bytes for a token in binary, placed so that what is encrypted begins at a multiple of 16 if that fits.
    pub(super) fn aligned(self, len: usize) -> Option<&'b mut [u8]> {
        let want = match &self {
            Room::Fixed(place) => len.max(place.len().min(len.saturating_add(15))),
            Room::Grow(_) => len.saturating_add(15),
        };
        let place = self.take(want)?;
        let body = place.as_ptr().wrapping_add(BOUND_LEN);
        let front = body.align_offset(16).min(place.len().saturating_sub(len));
        place.get_mut(front..front.checked_add(len)?)
    }
}
