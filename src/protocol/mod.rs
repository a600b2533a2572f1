//! The vocabulary of the pattern as data and pure functions: methods, kinds, capabilities, asks, answers, results, errors.

pub mod capability;
pub mod code;
pub mod error;
pub mod kind;
pub mod meta;
pub mod method;
pub mod result;

pub use capability::{Capabilities, Need, Needs};
pub use code::Code;
pub use error::{Error, Rpc};
pub use kind::Kind;
pub use method::{asks_allowed, target};
pub use result::{Outcome, read_result, write_input_required};
