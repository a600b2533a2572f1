//! Many flows at once, for hosts that want the library to keep the clocks: opt-in, on top of the flow (F4).
//!
//! A [`Runtime`] has one thread for timers (tokio) and one ordered stream of events, the [`Queue`]. Whoever moves a flow (a
//! delivery, an answer, a timer) puts what comes of it into the queue while it holds that flow, so each flow's events keep
//! their order. Who takes them out is the host's choice: itself, or one named dispatcher thread. The host still does all network I/O.

mod driven;
mod options;
mod queue;
// One noun, one file.
#[allow(clippy::module_inception)]
mod runtime;
mod signal;
mod sync;
mod timer;

pub use driven::Driven;
pub use options::RuntimeOptions;
pub(crate) use options::end_of;
pub use queue::{Queue, Taken};
pub use runtime::{Events, Runtime};
