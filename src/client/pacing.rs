//! Waits before state-only retries: doubling, with jitter, within a budget of time (C6, D4).

use super::options::ClientOptions;
use ring::rand::{SecureRandom, SystemRandom};

/// A row of state-only results.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Pacing {
    waits: u32,
    since: Option<u64>,
    seed: Option<u64>,
}

impl Pacing {
    /// A round with asks ends the row.
    pub fn reset(&mut self) {
        self.waits = 0;
        self.since = None;
    }

    /// The wait after a state-only result that came at `now`; `None` if it would pass the budget. A wait that ends exactly there is taken.
    pub fn wait(&mut self, now: u64, options: &ClientOptions) -> Option<u64> {
        let since = *self.since.get_or_insert(now);
        let (first, most) = options.pacing();
        let doubled = 1u64
            .checked_shl(self.waits)
            .map_or(u64::MAX, |factor| first.saturating_mul(factor));
        let mut wait = doubled.min(most);
        if options.jitter {
            let cut = wait / 2;
            wait -= self.random(options.jitter_seed) % (cut + 1);
        }
        self.waits = self.waits.saturating_add(1);
        let spent = now.saturating_sub(since).saturating_add(wait);
        (spent <= options.poll_budget_ms).then_some(wait)
    }

    /// 0 without a source: a wait that is not shortened harms nobody.
    fn random(&mut self, seed: Option<u64>) -> u64 {
        let Some(seed) = seed else {
            let mut bytes = [0; 8];
            return SystemRandom::new()
                .fill(&mut bytes)
                .map_or(0, |()| u64::from_le_bytes(bytes));
        };
        let state = self.seed.get_or_insert(seed);
        *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = *state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain() -> ClientOptions {
        ClientOptions {
            jitter: false,
            ..ClientOptions::default()
        }
    }

    #[test]
    fn doubles_to_the_longest_and_starts_again() {
        let (mut pacing, options) = (Pacing::default(), plain());
        let waits: Vec<_> = (0..9).map(|_| pacing.wait(0, &options)).collect();
        assert_eq!(
            waits,
            [50, 100, 200, 400, 800, 1600, 3200, 5000, 5000].map(Some)
        );
        pacing.reset();
        assert_eq!(pacing.wait(7, &options), Some(50));
        pacing.waits = u32::MAX;
        assert_eq!(pacing.wait(7, &options), Some(5000));
    }

    #[test]
    fn a_wait_that_ends_at_the_budget_is_taken() {
        let options = ClientOptions {
            poll_budget_ms: 150,
            ..plain()
        };
        let mut pacing = Pacing::default();
        assert_eq!(pacing.wait(0, &options), Some(50));
        assert_eq!(pacing.wait(50, &options), Some(100));
        let mut pacing = Pacing::default();
        assert_eq!(pacing.wait(0, &options), Some(50));
        assert_eq!(pacing.wait(51, &options), None);
        // Near the last time there is, too.
        let (mut pacing, last) = (Pacing::default(), u64::MAX - 1);
        assert_eq!(pacing.wait(last - 51, &options), Some(50));
        assert_eq!(pacing.wait(last, &options), None);
        // A round with asks begins a new row.
        pacing.reset();
        assert_eq!(pacing.wait(1_000, &options), Some(50));
        assert_eq!(pacing.wait(1_050, &options), Some(100));
    }

    #[test]
    fn jitter_takes_at_most_half_and_repeats_with_its_seed() {
        let options = ClientOptions {
            jitter: true,
            jitter_seed: Some(7),
            poll_budget_ms: u64::MAX,
            ..plain()
        };
        let row = || {
            let mut pacing = Pacing::default();
            (0..50)
                .map(|_| pacing.wait(0, &options).unwrap_or(0))
                .collect::<Vec<_>>()
        };
        assert_eq!(row(), row());
        assert!(row().iter().skip(7).all(|w| (2500..=5000).contains(w)));
        let unseeded = ClientOptions {
            jitter_seed: None,
            ..options.clone()
        };
        let mut pacing = Pacing::default();
        assert!((25..=50).contains(&pacing.wait(0, &unseeded).unwrap_or(0)));
    }
}
