//! Objects that one thread uses at a time.

use crate::protocol::{Code, Error};
use parking_lot::{Mutex, MutexGuard};

/// An object that refuses a second caller instead of making it wait (F1): a wait could be a deadlock.
pub struct Exclusive<T>(Mutex<T>);

impl<T> Exclusive<T> {
    /// Wraps it.
    pub(crate) fn new(object: T) -> Self {
        Exclusive(Mutex::new(object))
    }

    /// Enters it, or says that it is busy.
    pub(crate) fn enter(&self) -> Result<MutexGuard<'_, T>, Error> {
        self.0
            .try_lock()
            .ok_or_else(|| Error::new(Code::Busy, "another call is inside this object"))
    }
}
