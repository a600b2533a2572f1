//! The capability gate: what this request's client can be asked (B8).

use super::question::Question;
use crate::protocol::{Capabilities, Code, Error, Need, Needs, Rpc, Warning};

/// What becomes of an ask that the client did not declare (B8).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Gate {
    /// The whole result is refused with -32021, naming everything that is missing.
    #[default]
    Refuse,
    /// Only the asks that are declared go out; the others are settled as unaskable (D18).
    Filter,
}

/// What the client lacks for a question. A context that is not declared is a warning, not a lack (B8, D11).
pub(super) fn check(declared: &Capabilities, question: &Question) -> (Needs, Option<Warning>) {
    let context = question.wants_context && !declared.declared().has(Need::SAMPLING_CONTEXT);
    let missing = declared
        .missing(question.needs)
        .without(Need::SAMPLING_CONTEXT);
    (
        missing,
        context.then_some(Warning::IncludeContextUndeclared),
    )
}

/// The refusal that names every capability in `missing` (D8).
pub(super) fn refusal(missing: Needs) -> Error {
    let data = format!(
        "{{\"requiredCapabilities\":{}}}",
        Capabilities::required_object(missing)
    );
    let rpc = Rpc {
        code: -32021,
        message: "Missing required client capability".into(),
        data: Some(data),
    };
    Error::new(
        Code::MissingCapability,
        "the client did not declare what the asks need",
    )
    .with_rpc(rpc)
}
