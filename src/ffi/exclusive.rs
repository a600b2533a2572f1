//! Objects that one call uses at a time.

use parking_lot::{Mutex, MutexGuard};

/// An object whose calls take turns (F1). A call waits for the one before it, which is short: it computes, and never calls
/// the host while it is inside. So a deferred answer may come from any thread while another asks what to do next (C8).
pub struct Exclusive<T>(Mutex<T>);

impl<T> Exclusive<T> {
    /// Wraps it.
    pub(crate) fn new(object: T) -> Self {
        Exclusive(Mutex::new(object))
    }

    /// Enters it when the call before has left.
    pub(crate) fn enter(&self) -> MutexGuard<'_, T> {
        self.0.lock()
    }
}
