//! Locks of the scheduler with the signatures of parking_lot.

use std::ops::{Deref, DerefMut};
use std::time::Instant;

pub struct Mutex<T>(shuttle::sync::Mutex<T>);

/// Empty only while it waits.
pub struct MutexGuard<'a, T>(Option<shuttle::sync::MutexGuard<'a, T>>);

impl<T> Mutex<T> {
    pub const fn new(value: T) -> Self {
        Mutex(shuttle::sync::Mutex::new(value))
    }

    pub fn lock(&self) -> MutexGuard<'_, T> {
        MutexGuard(Some(self.0.lock().expect("no thread panicked")))
    }
}

impl<T> Deref for MutexGuard<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        self.0.as_ref().expect("held")
    }
}

impl<T> DerefMut for MutexGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.0.as_mut().expect("held")
    }
}

pub struct Condvar(shuttle::sync::Condvar);

pub struct Waited(bool);

impl Waited {
    pub fn timed_out(&self) -> bool {
        self.0
    }
}

impl Condvar {
    pub const fn new() -> Self {
        Condvar(shuttle::sync::Condvar::new())
    }

    pub fn wait<T>(&self, guard: &mut MutexGuard<'_, T>) {
        let held = guard.0.take().expect("held");
        guard.0 = Some(self.0.wait(held).expect("no thread panicked"));
    }

    /// There is no time here: what would wait for some is over at once, or after a step of somebody else.
    pub fn wait_until<T>(&self, guard: &mut MutexGuard<'_, T>, _: Instant) -> Waited {
        let _ = guard;
        Waited(true)
    }

    pub fn notify_all(&self) {
        self.0.notify_all();
    }
}
