//! The runtime: starts flows, keeps their clocks, comes to its end in two steps.

use super::driven::{Driven, Inner};
use super::options::{RuntimeOptions, end_of};
use super::queue::{Queue, Taken};
use super::sync::{Mutex, thread};
use super::timer::Timers;
use crate::client::{Event, Flow};
use crate::protocol::{Code, Error};
use rustc_hash::FxHashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, OnceLock, Weak};
use std::time::Duration;

/// Runs many flows. Any thread may use it.
///
/// Its end has two steps: [`Runtime::close`] cancels what runs and lets nothing new in; when every event was taken (by the
/// dispatcher: when its function was dropped), it is drained, and nothing ever comes any more. Dropping it earlier throws
/// away what is left: at most the one call of the dispatcher's function that is under way goes on.
pub struct Runtime {
    shared: Arc<Shared>,
    timers: Timers,
    serial: AtomicU64,
    dispatched: bool,
}

/// What the flows, the queue and the threads of a runtime share.
pub(super) struct Shared {
    pub queue: Queue<Event>,
    pub clock: fn() -> u64,
    flows: Mutex<FxHashMap<u64, Weak<Inner>>>,
    dispatcher: OnceLock<thread::ThreadId>,
    process: u32,
}

impl Shared {
    /// After `fork`, the child has neither the threads nor whole locks.
    pub fn same_process(&self) -> Result<(), Error> {
        if self.process == std::process::id() {
            return Ok(());
        }
        Err(Error::new(
            Code::WrongState,
            "the runtime was made before a fork: a child may only exec",
        ))
    }

    /// A flow is the host's no longer.
    pub fn forget(&self, serial: u64) {
        self.flows.lock().remove(&serial);
    }
}

/// The queue of a runtime that the host itself empties; lives on when the runtime is gone, and is drained then.
#[derive(Clone)]
pub struct Events(Arc<Shared>);

impl Events {
    /// The queue. `wrong_state` in a forked child.
    pub fn queue(&self) -> Result<&Queue<Event>, Error> {
        self.0.same_process()?;
        Ok(&self.0.queue)
    }
}

impl Runtime {
    /// A runtime whose events the host takes out of [`Runtime::events`].
    pub fn queued(options: &RuntimeOptions) -> Result<Runtime, Error> {
        Runtime::build(options, false)
    }

    /// A runtime whose events a thread of its own hands to `sink`, with the number that the host gave the flow. `sink` is dropped on that
    /// thread after its last call; no lock is held while it runs, and it may use the runtime and every flow, but not [`Runtime::wait`].
    pub fn dispatched(
        options: &RuntimeOptions,
        sink: impl FnMut(u64, Event) + Send + 'static,
    ) -> Result<Runtime, Error> {
        let runtime = Runtime::build(options, true)?;
        let shared = Arc::clone(&runtime.shared);
        let builder = thread::Builder::new().name(options.name.clone());
        // Not joined: it may be this very thread that drops the runtime. `wait` is how to know its end.
        builder
            .spawn(move || dispatch(&shared, sink))
            .map_err(no_thread)?;
        Ok(runtime)
    }

    fn build(options: &RuntimeOptions, dispatching: bool) -> Result<Runtime, Error> {
        if options.name.contains('\0') {
            return Err(Error::new(
                Code::ConfigError,
                "name: a thread's name holds no NUL",
            ));
        }
        let shared = Arc::new(Shared {
            queue: Queue::new(dispatching),
            clock: options.clock,
            flows: Mutex::new(FxHashMap::default()),
            dispatcher: OnceLock::new(),
            process: std::process::id(),
        });
        Ok(Runtime {
            shared,
            timers: Timers::start().map_err(no_thread)?,
            serial: AtomicU64::new(0),
            dispatched: dispatching,
        })
    }

    /// Takes a flow over; `tag` is the host's own number for it. Its first events come with the first [`Driven::hand_in`],
    /// so that the host can put the hold where it belongs before.
    ///
    /// `wrong_state` when closed, and in a forked child.
    pub fn adopt(&self, tag: u64, flow: Arc<Mutex<Flow>>) -> Result<Driven, Error> {
        self.shared.same_process()?;
        let serial = self.serial.fetch_add(1, Relaxed);
        let mut flows = self.shared.flows.lock();
        if !self.shared.queue.enter() {
            return Err(Error::new(Code::WrongState, "the runtime is closed"));
        }
        let inner = Inner::new(&self.shared, serial, tag, flow);
        flows.insert(serial, Arc::downgrade(&inner));
        drop(flows);
        self.timers.handle().spawn(inner.watch());
        Ok(Driven(inner))
    }

    /// Takes a flow over and begins with it.
    pub fn start(&self, tag: u64, flow: Flow) -> Result<Driven, Error> {
        let driven = self.adopt(tag, Arc::new(Mutex::new(flow)))?;
        driven.hand_in(|_, _| ())?;
        Ok(driven)
    }

    /// Where the host takes the events. `wrong_state` if a dispatcher does.
    pub fn events(&self) -> Result<Events, Error> {
        if self.dispatched {
            return Err(Error::new(
                Code::WrongState,
                "a dispatcher takes the events of this runtime",
            ));
        }
        Ok(Events(Arc::clone(&self.shared)))
    }

    /// The first step of the end: no flow is let in any more, and those that run are cancelled. Their ends still come. Twice does nothing.
    pub fn close(&self) -> Result<(), Error> {
        self.shared.same_process()?;
        let flows = self.shared.flows.lock();
        // Under the same lock as `adopt`: each flow is either refused or in the list.
        self.shared.queue.close();
        let open: Vec<_> = flows.values().filter_map(Weak::upgrade).collect();
        drop(flows);
        for inner in open {
            inner.hand_in(|flow, now| flow.cancel(now)).ok();
        }
        Ok(())
    }

    /// Waits until the runtime is drained; `false` if the time is over first. Only after [`Runtime::close`] that comes to be.
    ///
    /// `busy` on the dispatcher's own thread, which it would stop; `wrong_state` in a forked child.
    pub fn wait(&self, timeout: Option<Duration>) -> Result<bool, Error> {
        self.shared.same_process()?;
        if self.shared.dispatcher.get() == Some(&thread::current().id()) {
            return Err(Error::new(
                Code::Busy,
                "the dispatcher cannot wait for its own end",
            ));
        }
        Ok(self.shared.queue.wait_drained(end_of(timeout)))
    }

    /// Throws away what is left. What `Drop` does, for a host that cannot say when that happens.
    pub fn stop(&self) {
        if self.shared.same_process().is_ok() {
            self.shared.queue.stop();
        }
    }
}

impl Drop for Runtime {
    fn drop(&mut self) {
        self.stop();
        if self.shared.same_process().is_ok() {
            self.timers.stop();
        } else {
            self.timers.forget();
        }
    }
}

fn dispatch(shared: &Arc<Shared>, mut sink: impl FnMut(u64, Event)) {
    let _ = shared.dispatcher.set(thread::current().id());
    while let taken @ (Taken::Event(..) | Taken::Nothing) = shared.queue.take(None) {
        if let Taken::Event(tag, event) = taken {
            // A panic in the function must not keep the other flows from their ends.
            let _ = catch_unwind(AssertUnwindSafe(|| sink(tag, event)));
        }
    }
    let _ = catch_unwind(AssertUnwindSafe(move || drop(sink)));
    shared.queue.finish();
}

fn no_thread(error: std::io::Error) -> Error {
    Error::new(
        Code::Unsupported,
        format!("the system gives no thread: {error}"),
    )
}
