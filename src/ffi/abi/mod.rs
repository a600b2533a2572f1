//! The exported functions and everything unsafe they need: one file per noun of the header, and the mechanics that all share.
//!
//! An exported function is a signature, a comment for the header, and one call of [`guard::guard`]. What happens then is in the
//! safe modules of [`crate::ffi`], one per noun too. The contract of the pointers is in CONVENTIONS.md.
#![allow(unsafe_code, non_camel_case_types, clippy::missing_safety_doc)]
#![deny(unsafe_op_in_unsafe_fn, clippy::undocumented_unsafe_blocks)]

// Nouns.
pub mod answer;
pub mod ask;
pub mod buf;
pub mod callbacks;
pub mod client;
pub mod counters;
pub mod discovery;
pub mod error;
pub mod event;
pub mod exchange;
pub mod flow;
pub mod form;
pub mod gateway;
pub mod json;
pub mod legacy;
pub mod older;
pub mod peer;
pub mod queue;
pub mod reply;
pub mod request;
pub mod result;
pub mod runtime;
pub mod sealer;
pub mod sealer_callbacks;
pub mod server;
pub mod server_callbacks;
pub mod slice;
pub mod trace;
pub mod version;
pub mod wire;

// Mechanics.
pub(crate) mod clock;
pub(crate) mod guard;
pub(crate) mod handle;
pub(crate) mod hooks;
pub(crate) mod lane;
pub(crate) mod object;
pub(crate) mod sized;
pub(crate) mod storage;
mod sync;
