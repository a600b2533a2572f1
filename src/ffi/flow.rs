//! Flows as the header has them: a flow of the core, the host's functions, and whether they are being called.

use super::{abi::callbacks::Callbacks, exclusive::Exclusive};
use crate::{
    client::Flow,
    protocol::{Code, Error},
};
use parking_lot::{Mutex, MutexGuard};
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering::SeqCst},
};

/// What a flow handle stands for.
pub struct FlowObject {
    flow: Exclusive<Flow>,
    callbacks: Mutex<Option<Arc<Callbacks>>>,
    stepping: AtomicBool,
}

/// Held while `mrtr_flow_step` runs.
pub(crate) struct Stepping<'a>(&'a AtomicBool);

impl Drop for Stepping<'_> {
    fn drop(&mut self) {
        self.0.store(false, SeqCst);
    }
}

impl FlowObject {
    /// Without functions.
    pub(crate) fn new(flow: Flow) -> Self {
        FlowObject {
            flow: Exclusive::new(flow),
            callbacks: Mutex::new(None),
            stepping: AtomicBool::new(false),
        }
    }

    /// The flow itself. Never held while a function of the host runs.
    pub(crate) fn enter(&self) -> MutexGuard<'_, Flow> {
        self.flow.enter()
    }

    /// Gives it functions; those from before are destroyed when nobody is inside one of them.
    pub(crate) fn set_callbacks(&self, callbacks: Callbacks) {
        let before = self.callbacks.lock().replace(Arc::new(callbacks));
        drop(before);
    }

    /// The functions of now: they stay good for a call even if that call replaces them.
    pub(crate) fn callbacks(&self) -> Result<Arc<Callbacks>, Error> {
        let callbacks = self.callbacks.lock().clone();
        callbacks.ok_or_else(|| {
            Error::new(
                Code::WrongState,
                "the flow has no functions: mrtr_flow_set_callbacks",
            )
        })
    }

    /// Begins a step; there is one at a time.
    pub(crate) fn step(&self) -> Result<Stepping<'_>, Error> {
        if self.stepping.swap(true, SeqCst) {
            return Err(Error::new(
                Code::Busy,
                "mrtr_flow_step is running for this flow",
            ));
        }
        Ok(Stepping(&self.stepping))
    }
}
