//! What the handle table is made of, in one place: the model of it (tests/model) puts others here.

pub use parking_lot::Mutex;
pub use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering::SeqCst};

/// Slots of the first chunk; each further chunk is twice as large.
pub const FIRST: usize = 64;
