//! Salts and derived keys for sealing: drawn anew after at most 64 tokens or one second (S2).
//!
//! Each thread works on a slot of its own as long as there are enough, so that two threads that seal write no shared
//! memory; no thread ever waits for another: with its slots taken it derives a key for one token.

use std::ops::Deref;
use std::sync::atomic::{AtomicUsize, Ordering};

use parking_lot::{Mutex, MutexGuard};

use super::cipher::{NONCE_LEN, TokenKey};
use super::keyring::{RingKey, SALT_LEN};
use crate::protocol::{Code, Error};

/// Tokens under one salt. The arithmetic of docs/request-state.md rests on it.
const TOKENS_PER_SALT: u32 = 64;
const SALT_LIFE_MS: u64 = 1000;
/// Threads that have one of their own. Asking the system for its processors would add 15 kB of code for a guess.
pub(super) const SLOTS: usize = 16;
const TOKEN_ID_LEN: usize = 16;

static THREADS: AtomicUsize = AtomicUsize::new(0);
thread_local! {
    static THREAD: usize = THREADS.fetch_add(1, Ordering::Relaxed);
}

/// A number of the calling thread, small as long as threads are few.
pub(super) fn thread_number() -> usize {
    // A thread that is being torn down has none any more.
    THREAD.try_with(|thread| *thread).unwrap_or(0)
}

pub(super) struct Epoch {
    pub(super) salt: [u8; SALT_LEN],
    pub(super) key: TokenKey,
    left: u32,
    since_ms: u64,
}

/// A slot on cache lines of its own.
#[repr(align(128))]
#[derive(Default)]
struct Slot(Mutex<Option<Epoch>>);

pub(super) struct Epochs(Vec<Slot>);

/// An epoch, for one token.
pub(super) enum Lease<'a> {
    Slot(MutexGuard<'a, Option<Epoch>>),
    Once(Box<Epoch>),
}

/// What is random in one token.
pub(super) struct Drawn {
    pub(super) nonce: [u8; NONCE_LEN],
    pub(super) token_id: [u8; TOKEN_ID_LEN],
}

/// Fills a slice with random bytes; called once per token.
pub(super) type Random<'a> = &'a dyn Fn(&mut [u8]) -> Result<(), Error>;

impl Lease<'_> {
    pub(super) fn epoch(&self) -> Option<&Epoch> {
        match self {
            Lease::Slot(slot) => slot.deref().as_ref(),
            Lease::Once(epoch) => Some(epoch),
        }
    }
}

impl Epochs {
    pub(super) fn new() -> Epochs {
        Epochs((0..SLOTS).map(|_| Slot::default()).collect())
    }

    /// Takes a slot with a fresh enough epoch and draws what one token needs.
    pub(super) fn lease(
        &self,
        key: &RingKey,
        now_ms: u64,
        random: Random<'_>,
    ) -> Result<(Lease<'_>, Drawn), Error> {
        let first = thread_number();
        let near = (first..first.saturating_add(2)).filter_map(|at| self.0.get(at % self.0.len()));
        if let Some(mut slot) = near.filter_map(|slot| slot.0.try_lock()).next() {
            let drawn = match slot.as_mut() {
                Some(epoch) if epoch.holds(now_ms) => {
                    epoch.left -= 1;
                    draw(random)?
                }
                _ => {
                    let (epoch, drawn) = begin(key, now_ms, random)?;
                    *slot = Some(epoch);
                    drawn
                }
            };
            return Ok((Lease::Slot(slot), drawn));
        }
        let (epoch, drawn) = begin(key, now_ms, random)?;
        Ok((Lease::Once(Box::new(epoch)), drawn))
    }
}

impl Epoch {
    fn holds(&self, now_ms: u64) -> bool {
        self.left > 0
            && now_ms
                .checked_sub(self.since_ms)
                .is_some_and(|age| age < SALT_LIFE_MS)
    }
}

/// Salt, nonce and token id in one draw, and the key of the salt.
fn begin(key: &RingKey, now_ms: u64, random: Random<'_>) -> Result<(Epoch, Drawn), Error> {
    let mut bytes = [0; SALT_LEN + NONCE_LEN + TOKEN_ID_LEN];
    random(&mut bytes)?;
    let (salt, rest) = split(&bytes)?;
    let epoch = Epoch {
        salt,
        key: key.token_key(&salt)?,
        left: TOKENS_PER_SALT - 1,
        since_ms: now_ms,
    };
    Ok((epoch, drawn(rest)?))
}

fn draw(random: Random<'_>) -> Result<Drawn, Error> {
    let mut bytes = [0; NONCE_LEN + TOKEN_ID_LEN];
    random(&mut bytes)?;
    drawn(&bytes)
}

fn drawn(bytes: &[u8]) -> Result<Drawn, Error> {
    let (nonce, rest) = split(bytes)?;
    let (token_id, _) = split(rest)?;
    Ok(Drawn { nonce, token_id })
}

fn split<const N: usize>(bytes: &[u8]) -> Result<([u8; N], &[u8]), Error> {
    let short = || Error::new(Code::NoRandom, "too few random bytes");
    bytes
        .split_first_chunk()
        .map(|(head, rest)| (*head, rest))
        .ok_or_else(short)
}
