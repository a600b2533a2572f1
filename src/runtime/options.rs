//! What a host chooses about a runtime.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Options of a runtime.
#[derive(Debug, Clone)]
pub struct RuntimeOptions {
    /// Name of the dispatcher thread, as debuggers show it; Linux shows 15 bytes of it.
    pub name: String,
    /// The monotonic clock of its flows, in ms. Flows have to be begun by the same one.
    pub clock: fn() -> u64,
}

impl Default for RuntimeOptions {
    fn default() -> Self {
        RuntimeOptions {
            name: "mrtr".into(),
            clock,
        }
    }
}

/// Milliseconds since it was first asked.
fn clock() -> u64 {
    static START: OnceLock<Instant> = OnceLock::new();
    let since = START.get_or_init(Instant::now).elapsed();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// When a wait is over; `None` = never, as for an end that the clock could not show: it does not come either.
pub(crate) fn end_of(timeout: Option<Duration>) -> Option<Instant> {
    timeout.and_then(|timeout| Instant::now().checked_add(timeout))
}
