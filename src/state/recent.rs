//! Derived keys of tokens opened lately: the up to 64 tokens of one salt share one, so most openings need no derivation.
//!
//! Bounded, part of its key ring and wiped with it. Each thread works on a slot of its own as long as there are enough,
//! and none waits: with its slot taken it derives the key. Only an authentic token puts a key here.

use parking_lot::Mutex;

use super::cipher::TokenKey;
use super::epoch::{SLOTS, thread_number};
use super::keyring::{KEY_ID_LEN, RingKey, SALT_LEN};
use crate::protocol::Error;

/// Keys per slot.
const KEPT: usize = 4;

type Name = ([u8; KEY_ID_LEN], [u8; SALT_LEN]);

#[repr(align(128))]
#[derive(Default)]
struct Slot(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    keys: [Option<(Name, TokenKey)>; KEPT],
    next: usize,
}

pub(super) struct Recent(Vec<Slot>);

impl Recent {
    pub(super) fn new() -> Recent {
        Recent((0..SLOTS).map(|_| Slot::default()).collect())
    }

    /// Opens something with the token key of a salt; `open` gives `None` for what is not authentic.
    pub(super) fn open<T>(
        &self,
        key: &RingKey,
        salt: &[u8; SALT_LEN],
        open: impl FnOnce(&TokenKey) -> Option<T>,
    ) -> Result<Option<T>, Error> {
        let name = (key.id, *salt);
        let slot = self.0.get(thread_number() % self.0.len().max(1));
        let Some(mut kept) = slot.and_then(|slot| slot.0.try_lock()) else {
            return Ok(open(&key.token_key(salt)?));
        };
        let known = kept.keys.iter().flatten().find(|entry| entry.0 == name);
        if let Some((_, token_key)) = known {
            return Ok(open(token_key));
        }
        let token_key = key.token_key(salt)?;
        let opened = open(&token_key);
        if opened.is_some() {
            let next = kept.next;
            kept.next = next.wrapping_add(1) % KEPT;
            if let Some(entry) = kept.keys.get_mut(next) {
                *entry = Some((name, token_key));
            }
        }
        Ok(opened)
    }
}
