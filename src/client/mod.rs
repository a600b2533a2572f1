//! The client half: the flow, a state machine without I/O (C).
//!
//! A [`Client`] holds what the host can answer and its limits; a [`Flow`] is one call. The host drives it:
//! [`Flow::next`] says what to do, the other methods hand in what came of it.

mod action;
mod answer;
mod call;
// One noun, one file.
#[allow(clippy::module_inception)]
mod client;
mod clock;
mod continuation;
mod event;
mod flow;
mod older;
mod options;
mod pacing;
mod receive;
mod round;
mod text;
mod trace;
mod vault;
mod view;
mod who;

pub use action::Action;
pub use client::Client;
pub use event::{AskEvent, Done, Event, UrlView};
pub use flow::Flow;
pub use options::{ClientOptions, Order};
pub use text::Text;
pub use trace::Tracing;
pub use vault::Vault;
pub use who::{Name, Server, Who};
