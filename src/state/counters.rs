//! What a sealer counts, and whom it tells of refusals: reasons and numbers, never any content.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::epoch::thread_number;
use super::sealer::Sealer;
use crate::protocol::{Code, Error};

/// Why tokens are refused, in the order of D12 (S9).
pub const REASONS: [Code; 14] = [
    Code::WrongType,
    Code::TooLarge,
    Code::Malformed,
    Code::UnknownKey,
    Code::Tampered,
    Code::NotYetValid,
    Code::Expired,
    Code::FlowExpired,
    Code::TooManyRounds,
    Code::WrongAudience,
    Code::WrongPrincipal,
    Code::WrongRequest,
    Code::Replayed,
    Code::GuardFailed,
];

/// Counts since the sealer was made. They wrap at 2^64.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Tokens sealed.
    pub sealed: u64,
    /// Bytes of their texts.
    pub sealed_bytes: u64,
    /// Tokens opened, and claimed if the sealer is for single use.
    pub opened: u64,
    /// Bytes of their texts.
    pub opened_bytes: u64,
    refused: [u64; REASONS.len()],
}

impl Counters {
    /// Tokens refused for a reason; 0 for what is none.
    #[must_use]
    pub fn refused(&self, reason: Code) -> u64 {
        place(reason).map_or(0, |at| self.refused.get(at).copied().unwrap_or(0))
    }

    /// Tokens refused for any reason.
    #[must_use]
    pub fn refused_in_all(&self) -> u64 {
        self.refused
            .iter()
            .fold(0, |sum, count| sum.wrapping_add(*count))
    }
}

fn place(reason: Code) -> Option<usize> {
    REASONS.iter().position(|code| *code == reason)
}

/// Hears of every refused token: why, and nothing else. Called on the thread that opens, with no lock of ours held.
pub trait Observer: Send + Sync {
    /// A token was refused.
    fn refused(&self, reason: Code);
}

/// Words that threads count in, apart from each other so that two threads seldom write to one.
const STRIPES: usize = 16;

#[repr(align(128))]
#[derive(Default)]
struct Stripe {
    sealed: AtomicU64,
    sealed_bytes: AtomicU64,
    opened: AtomicU64,
    opened_bytes: AtomicU64,
    refused: [AtomicU64; REASONS.len()],
}

#[derive(Default)]
pub(super) struct Tally([Stripe; STRIPES]);

impl Tally {
    fn mine(&self) -> Option<&Stripe> {
        self.0.get(thread_number() % STRIPES)
    }

    fn sum(&self) -> Counters {
        let mut sum = Counters::default();
        for stripe in &self.0 {
            let words = [
                (&mut sum.sealed, &stripe.sealed),
                (&mut sum.sealed_bytes, &stripe.sealed_bytes),
                (&mut sum.opened, &stripe.opened),
                (&mut sum.opened_bytes, &stripe.opened_bytes),
            ];
            let refused = sum.refused.iter_mut().zip(&stripe.refused);
            for (total, word) in words.into_iter().chain(refused) {
                *total = total.wrapping_add(word.load(Relaxed));
            }
        }
        sum
    }
}

impl Sealer {
    /// What was sealed, opened and refused so far. Calls under way may be in it or not.
    #[must_use]
    pub fn counters(&self) -> Counters {
        self.tally.sum()
    }

    pub(super) fn count_sealed(&self, bytes: usize) {
        if let Some(mine) = self.tally.mine() {
            mine.sealed.fetch_add(1, Relaxed);
            mine.sealed_bytes.fetch_add(bytes as u64, Relaxed);
        }
    }

    /// Counts what came out of opening `token`.
    pub(super) fn tell_opened<T>(&self, result: Result<T, Error>, token: &str) -> Result<T, Error> {
        if let (Ok(_), Some(mine)) = (&result, self.tally.mine()) {
            mine.opened.fetch_add(1, Relaxed);
            mine.opened_bytes.fetch_add(token.len() as u64, Relaxed);
        }
        self.tell_refused(result)
    }

    /// Counts a refusal and tells the observer; faults of the host's own are neither.
    pub(super) fn tell_refused<T>(&self, result: Result<T, Error>) -> Result<T, Error> {
        if let Err(error) = &result {
            self.refusal(error.code());
        }
        result
    }

    #[cold]
    fn refusal(&self, reason: Code) {
        let Some(at) = place(reason) else { return };
        if let Some(word) = self.tally.mine().and_then(|mine| mine.refused.get(at)) {
            word.fetch_add(1, Relaxed);
        }
        if let Some(observer) = &self.observer {
            observer.refused(reason);
        }
    }
}
