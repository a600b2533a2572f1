//! Runtimes in a build without them: there can be none, and every function says so.

use super::{
    abi::{callbacks::Callbacks, event::mrtr_event, flow::mrtr_flow},
    flow::FlowObject,
};
use crate::{
    client::Flow,
    protocol::{Code, Error},
};
use parking_lot::Mutex;
use std::sync::{Arc, OnceLock};

/// None.
pub enum Driven {}

/// None.
pub enum RuntimeObject {}

/// None.
pub enum QueueObject {}

/// Is it in this build?
pub(crate) fn supported() -> Result<(), Error> {
    Err(unsupported())
}

fn unsupported() -> Error {
    Error::new(
        Code::Unsupported,
        "this build has no runtime (mrtr_has_feature)",
    )
}

impl Driven {
    pub(crate) fn same_process(&self) -> Result<(), Error> {
        match *self {}
    }

    pub(crate) fn hand_in<R>(&self, _: impl FnOnce(&mut Flow, u64) -> R) -> Result<R, Error> {
        match *self {}
    }
}

impl RuntimeObject {
    pub(crate) fn new(_: Option<&str>, _: Option<Arc<OnceLock<Callbacks>>>) -> Result<Self, Error> {
        Err(unsupported())
    }

    pub(crate) fn start(&self, _: mrtr_flow, flow: &FlowObject) -> Result<(), Error> {
        flow.drive(|_: Arc<Mutex<Flow>>| match *self {})
    }

    pub(crate) fn queue(&self) -> Result<QueueObject, Error> {
        match *self {}
    }

    pub(crate) fn close(&self) -> Result<(), Error> {
        match *self {}
    }

    pub(crate) fn wait(&self, _: u64) -> Result<bool, Error> {
        match *self {}
    }

    pub(crate) fn stop(&self) {
        match *self {}
    }
}

impl QueueObject {
    pub(crate) fn next(&self, _: u64) -> Result<(mrtr_flow, mrtr_event), Error> {
        match *self {}
    }

    pub(crate) fn wake(&self) -> Result<(), Error> {
        match *self {}
    }

    pub(crate) fn descriptor(&self) -> Result<i32, Error> {
        match *self {}
    }
}
