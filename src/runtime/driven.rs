//! A flow that a runtime drives.

use super::queue::Mark;
use super::runtime::Shared;
use super::sync::Mutex;
use super::timer::Timer;
use crate::client::{Done, Event, Flow};
use crate::protocol::{Code, Error};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

/// The host's hold on a flow that a runtime drives. Dropped before the flow's end, the flow stops and nothing more comes of it.
pub struct Driven(pub(super) Arc<Inner>);

pub(super) struct Inner {
    flow: Arc<Mutex<Flow>>,
    mark: Arc<Mark>,
    timer: Arc<Timer>,
    shared: Arc<Shared>,
    serial: u64,
    /// Its end was put in, or it stopped; written while the flow is held.
    over: AtomicBool,
}

impl Inner {
    pub fn new(shared: &Arc<Shared>, serial: u64, tag: u64, flow: Arc<Mutex<Flow>>) -> Arc<Inner> {
        Arc::new(Inner {
            flow,
            mark: Mark::new(tag),
            timer: Timer::new(),
            shared: Arc::clone(shared),
            serial,
            over: AtomicBool::new(false),
        })
    }

    /// The task that wakes the flow up.
    pub fn watch(self: &Arc<Self>) -> impl Future<Output = ()> + Send + use<> {
        let weak = Arc::downgrade(self);
        let fire = move || {
            weak.upgrade().is_some_and(|inner| {
                inner.hand_in(|_, _| ());
                true
            })
        };
        Arc::clone(&self.timer).run(self.shared.clock, fire)
    }

    /// Moves the flow and puts what comes of it into the queue, while the flow is held: so its events keep their order.
    pub fn hand_in<R>(&self, work: impl FnOnce(&mut Flow, u64) -> R) -> R {
        let mut flow = self.flow.lock();
        let now = (self.shared.clock)();
        let moved = catch_unwind(AssertUnwindSafe(|| {
            let given = work(&mut flow, now);
            self.pump(&mut flow, now);
            given
        }));
        moved.unwrap_or_else(|panic| {
            self.give_up();
            drop(flow);
            resume_unwind(panic)
        })
    }

    fn pump(&self, flow: &mut Flow, now: u64) {
        while !self.over.load(SeqCst) {
            match flow.next(now) {
                Event::Sleep { until, .. } => return self.timer.set(until),
                Event::Idle => return self.timer.set(None),
                event @ Event::Done(_) => self.finish(event),
                event => self.shared.queue.put(&self.mark, event, false),
            }
        }
    }

    fn finish(&self, event: Event) {
        self.over.store(true, SeqCst);
        self.timer.end();
        self.shared.queue.put(&self.mark, event, true);
    }

    /// A bug of ours must not cost the host its completion.
    fn give_up(&self) {
        if self.over.load(SeqCst) {
            return;
        }
        let end = Err(Error::new(
            Code::Panic,
            "a bug in libmrtr: the flow was given up",
        ));
        self.finish(Event::Done(Box::new(Done {
            end,
            result: None,
            rounds: 0,
            legs: 0,
            continuation: None,
            cacheable: false,
        })));
    }

    /// The host lets go of the flow.
    fn leave(&self) {
        let flow = self.flow.lock();
        let open = !self.over.swap(true, SeqCst);
        self.timer.end();
        self.shared.queue.leave(&self.mark, open);
        drop(flow);
        self.shared.forget(self.serial);
    }
}

impl Driven {
    /// `wrong_state` in a process that was forked from the runtime's: the threads are not in it, and locks may be held for ever.
    pub fn same_process(&self) -> Result<(), Error> {
        self.0.shared.same_process()
    }

    /// Hands something in: `work` gets the flow and the runtime's time. What comes of it goes into the queue before this returns.
    /// `wrong_state` in a forked child.
    pub fn hand_in<R>(&self, work: impl FnOnce(&mut Flow, u64) -> R) -> Result<R, Error> {
        self.same_process()?;
        Ok(self.0.hand_in(work))
    }
}

impl Drop for Driven {
    fn drop(&mut self) {
        // In a forked child locks may be held by threads that it does not have.
        if self.0.shared.same_process().is_ok() {
            self.0.leave();
        }
    }
}
