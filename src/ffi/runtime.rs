//! Runtimes as the header has them.

pub use crate::runtime::Driven;

use super::{
    abi::{
        callbacks::Callbacks,
        clock::monotonic_ms,
        event::{MRTR_EVENT_DRAINED, MRTR_EVENT_IDLE, mrtr_event},
        flow::mrtr_flow,
        object::Handle,
        sized::zeroed,
        version::MRTR_NO_LIMIT,
    },
    event::show,
    flow::FlowObject,
};
use crate::{
    protocol::{Code, Error},
    runtime::{Events, Runtime, RuntimeOptions, Taken, end_of},
};
use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

/// A time that may be without limit.
fn limit(timeout_ms: u64) -> Option<Duration> {
    (timeout_ms != MRTR_NO_LIMIT).then(|| Duration::from_millis(timeout_ms))
}

/// What a runtime handle stands for.
pub struct RuntimeObject(Runtime);

/// Where a host's functions are put when the runtime stands; before that it has no flows.
type Place = Arc<OnceLock<Callbacks>>;

/// What a queue handle stands for.
pub struct QueueObject(Events);

/// Is it in this build?
pub(crate) fn supported() -> Result<(), Error> {
    Ok(())
}

impl RuntimeObject {
    /// With a dispatcher for these functions, or with a queue.
    pub(crate) fn new(name: Option<&str>, callbacks: Option<Place>) -> Result<Self, Error> {
        let standard = RuntimeOptions::default();
        let options = RuntimeOptions {
            name: name.map_or(standard.name, str::to_owned),
            clock: monotonic_ms,
        };
        let Some(callbacks) = callbacks else {
            return Runtime::queued(&options).map(RuntimeObject);
        };
        Runtime::dispatched(&options, move |tag, event| {
            if let Some(callbacks) = callbacks.get() {
                callbacks.call(mrtr_flow::from_id(tag), show(&event));
            }
        })
        .map(RuntimeObject)
    }

    /// Gives it a flow.
    pub(crate) fn start(&self, handle: mrtr_flow, flow: &FlowObject) -> Result<(), Error> {
        flow.drive(|flow| self.0.adopt(handle.id, flow))
    }

    /// Its queue.
    pub(crate) fn queue(&self) -> Result<QueueObject, Error> {
        self.0.events().map(QueueObject)
    }

    /// Cancels what runs.
    pub(crate) fn close(&self) -> Result<(), Error> {
        self.0.close()
    }

    /// Waits for its end.
    pub(crate) fn wait(&self, timeout_ms: u64) -> Result<bool, Error> {
        self.0.wait(limit(timeout_ms))
    }

    /// Throws away what is left: calls that are inside must not keep it running.
    pub(crate) fn stop(&self) {
        self.0.stop();
    }
}

impl QueueObject {
    /// The next event and its flow.
    pub(crate) fn next(&self, timeout_ms: u64) -> Result<(mrtr_flow, mrtr_event), Error> {
        let queue = self.0.queue()?;
        let until = end_of(limit(timeout_ms));
        let bare = |number| mrtr_event {
            r#type: number,
            ..zeroed()
        };
        Ok(match queue.take(until) {
            Taken::Event(tag, event) => (mrtr_flow::from_id(tag), show(&event)),
            Taken::Nothing => (mrtr_flow { id: 0 }, bare(MRTR_EVENT_IDLE)),
            Taken::Drained => (mrtr_flow { id: 0 }, bare(MRTR_EVENT_DRAINED)),
        })
    }

    /// Lets a waiting call come back.
    pub(crate) fn wake(&self) -> Result<(), Error> {
        self.0.queue().map(|queue| queue.wake())
    }

    /// The descriptor to poll.
    pub(crate) fn descriptor(&self) -> Result<i32, Error> {
        let descriptor = self.0.queue()?.descriptor();
        descriptor.ok_or_else(|| Error::new(Code::Unsupported, "no descriptor can be had here"))
    }
}
