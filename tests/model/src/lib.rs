//! The handle table and the runtime under a scheduler that decides which thread makes the next step: every lock and every atomic is
//! one. What is modelled is the library's own source, file by file; only what lies under it is replaced: locks, threads, the flow, the timer.
//!
//! The table relies on sequentially consistent atomics, and that is the model's memory.
#![allow(dead_code, unused_imports)]

pub mod client;
pub mod protocol;
mod sync;

/// `src/ffi/abi/`.
#[path = "."]
pub mod abi {
    #[path = "../../../src/ffi/abi/handle.rs"]
    pub mod handle;
    #[path = "../../../src/ffi/abi/lane.rs"]
    pub mod lane;
    pub mod sync {
        pub use crate::sync::Mutex;
        pub use shuttle::sync::atomic::{
            AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering::SeqCst,
        };
        pub const FIRST: usize = 2;
    }
}

/// `src/runtime/`.
#[path = "."]
pub mod runtime {
    #[path = "../../../src/runtime/driven.rs"]
    mod driven;
    #[path = "../../../src/runtime/options.rs"]
    mod options;
    #[path = "../../../src/runtime/queue.rs"]
    mod queue;
    #[allow(clippy::module_inception)]
    #[path = "../../../src/runtime/runtime.rs"]
    mod runtime;
    #[path = "../../../src/runtime/signal.rs"]
    mod signal;
    mod sync {
        pub use crate::sync::{Condvar, Mutex, MutexGuard};
        pub use shuttle::thread;
    }
    #[path = "timer.rs"]
    mod timer;

    pub use driven::Driven;
    pub use options::RuntimeOptions;
    pub use queue::{Queue, Taken};
    pub use runtime::Runtime;
}

/// How many schedules are tried of each model: `MODEL_SCHEDULES`, or enough for a minute in all.
fn schedules() -> usize {
    let given = std::env::var("MODEL_SCHEDULES").ok();
    given.and_then(|n| n.parse().ok()).unwrap_or(3_000)
}

/// Tries a model under random schedules, and under ones that change threads seldom (which finds deep orders).
pub fn explore(model: fn()) {
    shuttle::check_random(model, schedules());
    shuttle::check_pct(model, schedules(), 3);
}
