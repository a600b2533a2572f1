//! Flows as the header has them: a flow of the core, the runtime that drives it, the host's functions, and whether they are being called.

use super::{
    abi::{callbacks::Callbacks, clock::client_now},
    runtime::Driven,
};
use crate::{
    client::Flow,
    protocol::{Code, Error},
};
use parking_lot::{Mutex, MutexGuard};
use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicBool, Ordering::SeqCst},
};

/// What a flow handle stands for.
pub struct FlowObject {
    flow: Arc<Mutex<Flow>>,
    /// Set once, while the flow is held.
    driven: OnceLock<Driven>,
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
            flow: Arc::new(Mutex::new(flow)),
            driven: OnceLock::new(),
            callbacks: Mutex::new(None),
            stepping: AtomicBool::new(false),
        }
    }

    /// The flow itself, to look at it. Calls take turns (F1): each is short, and never calls the host while it is inside.
    pub(crate) fn look(&self) -> Result<MutexGuard<'_, Flow>, Error> {
        if let Some(driven) = self.driven.get() {
            driven.same_process()?;
        }
        Ok(self.flow.lock())
    }

    /// The flow, to take its events; those of a flow that a runtime drives come from there.
    pub(crate) fn take(&self) -> Result<MutexGuard<'_, Flow>, Error> {
        let flow = self.look()?;
        if self.driven.get().is_some() {
            return Err(Error::new(
                Code::WrongState,
                "a runtime drives the flow: its events come from there",
            ));
        }
        Ok(flow)
    }

    /// Hands something in, with the host's time, or the runtime's if one drives the flow.
    pub(crate) fn hand_in<R>(
        &self,
        now_ms: u64,
        work: impl FnOnce(&mut Flow, u64) -> Result<R, Error>,
    ) -> Result<R, Error> {
        let mut flow = self.look()?;
        let Some(driven) = self.driven.get() else {
            return work(&mut flow, client_now(now_ms));
        };
        drop(flow);
        driven.hand_in(work)?
    }

    /// Gives the flow to a runtime, which `adopt` says.
    pub(crate) fn drive(
        &self,
        adopt: impl FnOnce(Arc<Mutex<Flow>>) -> Result<Driven, Error>,
    ) -> Result<(), Error> {
        // No step may be under way: its functions would miss the rest.
        let _stepping = self.step()?;
        drop(self.take()?);
        let driven = adopt(Arc::clone(&self.flow))?;
        let flow = self.flow.lock();
        // It is empty: `step` keeps a second caller out.
        let _ = self.driven.set(driven);
        drop(flow);
        self.hand_in(0, |_, _| Ok(()))
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
