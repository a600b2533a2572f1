//! The clocks that the library reads when a host says `MRTR_NOW`.

use std::time::{SystemTime, UNIX_EPOCH};

/// Unix time in ms; 0 before 1970.
fn unix_ms() -> u64 {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX - 1)
}

/// The system's monotonic clock in ms: the one that C hosts, Python's `time.monotonic` and others read too.
#[cfg(unix)]
pub fn monotonic_ms() -> u64 {
    let mut now = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: `now` is a place for a `timespec`; the call writes nothing else.
    let failed = unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut now) } != 0;
    debug_assert!(!failed, "every Unix has a monotonic clock");
    let (seconds, nanos) = (
        u64::try_from(now.tv_sec).unwrap_or(0),
        u64::try_from(now.tv_nsec).unwrap_or(0),
    );
    seconds
        .saturating_mul(1000)
        .saturating_add(nanos / 1_000_000)
}

/// A monotonic clock in ms that starts when it is first read.
#[cfg(not(unix))]
pub fn monotonic_ms() -> u64 {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    let start = START.get_or_init(std::time::Instant::now);
    u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX - 1)
}

/// The time that a server's or sealer's host gave.
pub fn server_now(now_ms: u64) -> u64 {
    if now_ms == u64::MAX {
        unix_ms()
    } else {
        now_ms
    }
}

/// The time that a client's host gave.
pub fn client_now(now_ms: u64) -> u64 {
    if now_ms == u64::MAX {
        monotonic_ms()
    } else {
        now_ms
    }
}
