//! The ordered stream of a runtime's events, and how a runtime comes to its end: closed, drained.
//!
//! Generic in the event, so that the model in tests/model runs this very file.

use super::signal::Signal;
use super::sync::{Condvar, Mutex, MutexGuard};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Instant;

/// Events of many flows in the order in which they came to be.
///
/// Any thread may use it. Each event is taken once, by one taker; with one taker at a time the order of each flow holds.
pub struct Queue<E> {
    state: Mutex<State<E>>,
    changed: Condvar,
}

/// A flow, as the queue knows it.
pub(super) struct Mark {
    /// The host's own number for it.
    pub tag: u64,
    /// Events of it that wait; read and written under the queue's lock.
    waiting: AtomicUsize,
}

/// What was found in the queue.
#[derive(Debug, PartialEq, Eq)]
pub enum Taken<E> {
    /// An event, and the host's own number of its flow.
    Event(u64, E),
    /// The time is over, or somebody called [`Queue::wake`].
    Nothing,
    /// The runtime is closed and everything was taken: nothing will come any more.
    Drained,
}

struct State<E> {
    items: VecDeque<(Arc<Mark>, E)>,
    /// Flows whose end has not been put in yet.
    open: usize,
    /// No flow is let in any more.
    closed: bool,
    /// Whatever is left is thrown away.
    stopped: bool,
    /// One taker is to come back with nothing.
    woken: bool,
    /// A dispatcher takes the events, and has not come to its end yet.
    dispatching: bool,
    signal: Option<Signal>,
}

impl<E> State<E> {
    /// Nothing is left and nothing will come.
    fn empty_for_good(&self) -> bool {
        self.stopped || self.closed && self.open == 0 && self.items.is_empty()
    }

    fn take(&mut self) -> Option<Taken<E>> {
        if let Some((mark, event)) = self.items.pop_front() {
            mark.waiting.fetch_sub(1, Relaxed);
            return Some(Taken::Event(mark.tag, event));
        }
        if self.empty_for_good() {
            return Some(Taken::Drained);
        }
        std::mem::take(&mut self.woken).then_some(Taken::Nothing)
    }
}

impl Mark {
    /// A flow without events.
    pub fn new(tag: u64) -> Arc<Mark> {
        Arc::new(Mark {
            tag,
            waiting: AtomicUsize::new(0),
        })
    }
}

impl<E> Queue<E> {
    /// Empty and open; `dispatching` if its taker says [`Queue::finish`] at its end.
    pub(super) fn new(dispatching: bool) -> Queue<E> {
        Queue {
            state: Mutex::new(State {
                items: VecDeque::new(),
                open: 0,
                closed: false,
                stopped: false,
                woken: false,
                dispatching,
                signal: None,
            }),
            changed: Condvar::new(),
        }
    }

    /// Takes the next event; waits for one until then (`None` = without end), or not at all if that is past.
    pub fn take(&self, until: Option<Instant>) -> Taken<E> {
        let mut state = self.state.lock();
        loop {
            if let Some(taken) = state.take() {
                self.settle(state);
                return taken;
            }
            let Some(until) = until else {
                self.changed.wait(&mut state);
                continue;
            };
            if self.changed.wait_until(&mut state, until).timed_out() {
                let taken = state.take().unwrap_or(Taken::Nothing);
                self.settle(state);
                return taken;
            }
        }
    }

    /// Lets a taker come back with nothing: the one that waits, or else the next one that would.
    pub fn wake(&self) {
        let mut state = self.state.lock();
        state.woken = true;
        self.settle(state);
    }

    /// A descriptor that is readable while [`Queue::take`] would not wait. Poll it, never read it. It is the queue's and lives as long.
    /// `None` where there is no such thing.
    pub fn descriptor(&self) -> Option<i32> {
        let mut state = self.state.lock();
        if state.signal.is_none() {
            state.signal = Signal::new();
        }
        let descriptor = state.signal.as_ref().map(Signal::descriptor);
        self.settle(state);
        descriptor
    }

    /// Lets a flow in; `false` when closed.
    pub(super) fn enter(&self) -> bool {
        let mut state = self.state.lock();
        let open = !state.closed && !state.stopped;
        state.open += usize::from(open);
        open
    }

    /// Puts an event in; `last` = it is the flow's end.
    pub(super) fn put(&self, mark: &Arc<Mark>, event: E, last: bool) {
        let mut state = self.state.lock();
        if !state.stopped {
            mark.waiting.fetch_add(1, Relaxed);
            state.items.push_back((Arc::clone(mark), event));
        }
        state.open -= usize::from(last);
        self.settle(state);
    }

    /// The host gave a flow back: nothing of it comes any more. `open` = its end was not put in.
    pub(super) fn leave(&self, mark: &Arc<Mark>, open: bool) {
        let mut state = self.state.lock();
        if mark.waiting.load(Relaxed) > 0 {
            state.items.retain(|(of, _)| !Arc::ptr_eq(of, mark));
            mark.waiting.store(0, Relaxed);
        }
        state.open -= usize::from(open);
        self.settle(state);
    }

    /// No flow is let in any more.
    pub(super) fn close(&self) {
        let mut state = self.state.lock();
        state.closed = true;
        self.settle(state);
    }

    /// Throws away what is left: takers find it drained at once.
    pub(super) fn stop(&self) {
        let mut state = self.state.lock();
        state.stopped = true;
        let left = std::mem::take(&mut state.items);
        self.settle(state);
        drop(left);
    }

    /// The dispatcher has come to its end.
    pub(super) fn finish(&self) {
        let mut state = self.state.lock();
        state.dispatching = false;
        self.settle(state);
    }

    /// Waits until everything was taken, and the dispatcher has ended; `false` if the time is over first.
    pub(super) fn wait_drained(&self, until: Option<Instant>) -> bool {
        let mut state = self.state.lock();
        loop {
            if state.empty_for_good() && !state.dispatching {
                return true;
            }
            match until {
                None => self.changed.wait(&mut state),
                Some(until) => {
                    if self.changed.wait_until(&mut state, until).timed_out() {
                        return state.empty_for_good() && !state.dispatching;
                    }
                }
            }
        }
    }

    /// After each change: the signal says what a taker would find, and those who wait look again.
    fn settle(&self, mut state: MutexGuard<'_, State<E>>) {
        let ready = !state.items.is_empty() || state.woken || state.empty_for_good();
        if let Some(signal) = &mut state.signal {
            signal.set(ready);
        }
        drop(state);
        if ready {
            self.changed.notify_all();
        }
    }
}
