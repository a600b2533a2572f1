//! Multi round-trip requests (`input_required`) of MCP 2026-07-28, both halves.
//!
//! Rooms, each using only those to its left:
//! `json ← protocol ← {state, server, client} ← ffi` (`server` also uses `state`); `client ← runtime ← ffi`.

pub mod client;
pub mod ffi;
pub mod json;
pub mod protocol;
#[cfg(feature = "runtime")]
pub mod runtime;
pub mod server;
pub mod state;
