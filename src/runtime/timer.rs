//! The clocks of the flows: one thread with a tokio runtime on it, and one task per flow that sleeps until the flow wants to be asked.

use super::sync::Mutex;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::runtime::{Builder, Handle};
use tokio::sync::Notify;
use tokio::time::timeout;

/// No time: only something handed in goes on with the flow.
const NEVER: u64 = u64::MAX;

/// The thread of the timers. It runs nothing of the host's.
pub(super) struct Timers {
    handle: Handle,
    stop: Arc<Notify>,
    thread: Option<JoinHandle<()>>,
}

impl Timers {
    /// Starts the thread.
    pub fn start() -> std::io::Result<Timers> {
        let runtime = Builder::new_current_thread().enable_time().build()?;
        let handle = runtime.handle().clone();
        let stop = Arc::new(Notify::new());
        let stopped = Arc::clone(&stop);
        let thread = std::thread::Builder::new()
            .name("mrtr-timers".into())
            .spawn(move || runtime.block_on(stopped.notified()))?;
        Ok(Timers {
            handle,
            stop,
            thread: Some(thread),
        })
    }

    /// Where timers are put.
    pub fn handle(&self) -> &Handle {
        &self.handle
    }

    /// Forgets all timers and ends the thread.
    pub fn stop(&mut self) {
        self.stop.notify_one();
        if let Some(thread) = self.thread.take() {
            // It ends by itself; had it panicked, there is nobody left to tell.
            let _ = thread.join();
        }
    }

    /// Leaves the thread alone: it is in another process.
    pub fn forget(&mut self) {
        self.thread = None;
    }
}

/// The timer of one flow.
pub(super) struct Timer {
    due: Mutex<Due>,
    changed: Notify,
}

struct Due {
    /// When the flow wants to be asked.
    at: u64,
    /// When the task wakes up: not later. A deadline that moves away (most do) disturbs no thread.
    armed: u64,
    ended: bool,
}

impl Timer {
    /// A timer without a time.
    pub fn new() -> Arc<Timer> {
        Arc::new(Timer {
            due: Mutex::new(Due {
                at: NEVER,
                armed: NEVER,
                ended: false,
            }),
            changed: Notify::new(),
        })
    }

    /// Sets the time; `None` = none.
    pub fn set(&self, at: Option<u64>) {
        let mut due = self.due.lock();
        due.at = at.map_or(NEVER, |at| at.min(NEVER - 1));
        let sooner = due.at < due.armed;
        if sooner {
            due.armed = due.at;
        }
        drop(due);
        if sooner {
            self.changed.notify_one();
        }
    }

    /// Ends the task.
    pub fn end(&self) {
        self.due.lock().ended = true;
        self.changed.notify_one();
    }

    fn arm(&self) -> Option<u64> {
        let mut due = self.due.lock();
        due.armed = due.at;
        (!due.ended).then_some(due.at)
    }

    /// The task: calls `fire` whenever the time has come, until the timer ends or `fire` says `false`.
    pub async fn run(self: Arc<Self>, clock: fn() -> u64, fire: impl Fn() -> bool + Send) {
        while let Some(at) = self.arm() {
            let changed = self.changed.notified();
            if at == NEVER {
                changed.await;
                continue;
            }
            let wait = Duration::from_millis(at.saturating_sub(clock()));
            if timeout(wait, changed).await.is_err() && !fire() {
                return;
            }
        }
    }
}
