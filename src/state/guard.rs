//! Single use (S11): a token is claimed once, after all other checks.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};
use std::fmt;

use parking_lot::Mutex;

use crate::protocol::{Code, Error};

/// A claim-once store. Called last, before the handler runs; anything but `Ok(true)` refuses the token.
///
/// Implementations must be atomic over all who share the store: of any number of concurrent claims of one id,
/// exactly one gets `true`. Called from any thread, with no lock of ours held.
pub trait Guard: Send + Sync {
    /// `Ok(true)`: the id was not claimed before, and is now, until `until_ms` at least (expiry plus skew).
    /// `Ok(false)`: it was. Both times are milliseconds of the host's clock.
    ///
    /// # Errors
    /// When the store cannot answer: the token is refused (closed) as `guard_failed`, and the message is kept in the
    /// host's error.
    fn claim(&self, token_id: &[u8; 16], until_ms: u64, now_ms: u64) -> Result<bool, Error>;
}

/// A bounded store in this process. When it is full of ids that are still valid, further tokens are refused:
/// forgetting one would let it be replayed.
pub struct MemoryGuard {
    capacity: usize,
    claimed: Mutex<Claimed>,
}

#[derive(Default)]
struct Claimed {
    ids: HashSet<[u8; 16]>,
    by_end: BinaryHeap<Reverse<(u64, [u8; 16])>>,
    /// The latest end among ids that were dropped: if the clock steps back, ids up to it may have been here.
    forgotten_until: u64,
}

impl MemoryGuard {
    /// Room for 65,536 ids that are valid at the same time: about 6 MB when full.
    pub const DEFAULT_CAPACITY: usize = 65_536;

    /// Room for `capacity` ids that are valid at the same time (at least one).
    #[must_use]
    pub fn new(capacity: usize) -> MemoryGuard {
        MemoryGuard {
            capacity: capacity.max(1),
            claimed: Mutex::default(),
        }
    }

    /// Ids kept now.
    #[must_use]
    pub fn len(&self) -> usize {
        self.claimed.lock().ids.len()
    }

    /// Whether no id is kept.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Default for MemoryGuard {
    fn default() -> MemoryGuard {
        MemoryGuard::new(MemoryGuard::DEFAULT_CAPACITY)
    }
}

impl fmt::Debug for MemoryGuard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryGuard")
            .field("capacity", &self.capacity)
            .finish_non_exhaustive()
    }
}

impl Claimed {
    /// Drops ids whose time is over.
    fn forget(&mut self, now_ms: u64) {
        while let Some(Reverse((end, id))) = self.by_end.peek().copied() {
            if end > now_ms {
                break;
            }
            self.by_end.pop();
            self.ids.remove(&id);
            self.forgotten_until = self.forgotten_until.max(end);
        }
    }
}

impl Guard for MemoryGuard {
    fn claim(&self, token_id: &[u8; 16], until_ms: u64, now_ms: u64) -> Result<bool, Error> {
        let mut claimed = self.claimed.lock();
        claimed.forget(now_ms);
        if until_ms <= claimed.forgotten_until || claimed.ids.contains(token_id) {
            return Ok(false);
        }
        if claimed.ids.len() >= self.capacity {
            return Err(Error::new(
                Code::GuardFailed,
                format!("the single-use guard is full ({} ids)", self.capacity),
            ));
        }
        claimed.ids.insert(*token_id);
        claimed.by_end.push(Reverse((until_ms, *token_id)));
        Ok(true)
    }
}
