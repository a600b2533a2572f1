//! The locks and threads of this room in one place: the model of it (tests/model) puts others here.

pub use parking_lot::{Condvar, Mutex, MutexGuard};
pub use std::thread;
