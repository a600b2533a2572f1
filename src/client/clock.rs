//! Times of the host's monotonic clock, in ms. They never run backwards and never overflow.

/// The latest time there is: the one after it says "no limit" at the boundary, and a limit must not turn into that.
const LATEST: u64 = u64::MAX - 1;

/// The clock of one flow: the latest time it was told, and when the whole flow must be over (C7).
#[derive(Debug, Clone, Copy)]
pub(super) struct Clock {
    now: u64,
    deadline: Option<u64>,
}

impl Clock {
    pub fn start(now: u64, flow_ms: Option<u64>) -> Clock {
        Clock {
            now,
            deadline: flow_ms.map(|ms| later(now, ms)),
        }
    }

    /// Takes the time in; a clock that steps back stands still.
    pub fn tick(&mut self, now: u64) -> u64 {
        self.now = self.now.max(now);
        self.now
    }

    pub fn now(&self) -> u64 {
        self.now
    }

    pub fn after(&self, ms: u64) -> u64 {
        later(self.now, ms)
    }

    /// What is left of the flow's time; `None` if it has no limit.
    pub fn left(&self) -> Option<u64> {
        self.deadline.map(|at| at.saturating_sub(self.now))
    }

    /// `at`, or the end of the flow if that comes first.
    pub fn bound(&self, at: Option<u64>) -> Option<u64> {
        sooner(at, self.deadline)
    }

    /// Is the flow over, and not later than `other`? At the same time the flow's own limit wins.
    pub fn over_before(&self, other: Option<u64>) -> bool {
        self.deadline
            .is_some_and(|at| at <= self.now && other.is_none_or(|o| at <= o))
    }
}

fn later(now: u64, ms: u64) -> u64 {
    now.saturating_add(ms).min(LATEST)
}

fn sooner(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (one, other) => one.or(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// C7: a limit is a limit, however long.
    #[test]
    fn a_limit_beyond_the_last_time_is_none_the_less_one() {
        for ms in [u64::MAX - 1_000, u64::MAX - 1, u64::MAX] {
            let mut clock = Clock::start(1_000, Some(ms));
            assert_eq!(clock.bound(None), Some(u64::MAX - 1));
            assert_eq!(clock.after(ms), u64::MAX - 1);
            assert!(!clock.over_before(None));
            clock.tick(u64::MAX - 1);
            assert!(clock.over_before(None));
            assert_eq!(clock.left(), Some(0));
        }
        assert_eq!(Clock::start(1_000, None).bound(None), None);
    }
}
