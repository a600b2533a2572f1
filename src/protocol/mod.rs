//! The vocabulary of the pattern as data and pure functions: methods, kinds, capabilities, asks, answers, results, errors.

pub mod answer;
pub mod ask;
pub mod capability;
pub mod code;
pub mod error;
pub mod form;
pub mod form_builder;
pub mod format;
pub mod header;
pub mod http;
pub mod kind;
pub mod meta;
pub mod method;
pub mod note;
pub mod peer;
pub mod result;
mod roots;
pub mod sampling;
pub mod secret;
pub mod url;

pub use answer::{Answer, cancelled, check_value, declined};
pub use ask::{Ask, AuthorRules, Body, ReceiveRules};
pub use capability::{Capabilities, Need, Needs};
pub use code::Code;
pub use error::{Error, Rpc};
pub use form_builder::{Choice, FieldKind, FieldSpec, FormBuilder};
pub use http::{Headers, HttpRequest, check_http};
pub use kind::Kind;
pub use method::{asks_allowed, target};
pub use note::{Note, Warning};
pub use peer::{CanAsk, Era, Peer};
pub use result::{Outcome, read_result, write_input_required};
