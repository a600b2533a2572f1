//! The C ABI. Only `abi` holds unsafe code; the modules beside it say, noun by noun, what its functions do.

pub mod abi;
mod client;
mod discovery;
mod error;
mod event;
mod exchange;
mod exclusive;
mod flow;
mod form;
mod gateway;
mod json;
mod legacy;
mod peer;
mod request;
#[cfg_attr(not(feature = "runtime"), path = "runtime_off.rs")]
mod runtime;
mod sealer;
mod server;
mod version;
mod wire;
