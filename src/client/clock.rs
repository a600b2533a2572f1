//! Times of the host's monotonic clock, in ms. They never run backwards and never overflow.

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
            deadline: flow_ms.map(|ms| now.saturating_add(ms)),
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
        self.now.saturating_add(ms)
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

fn sooner(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (one, other) => one.or(other),
    }
}
