//! The first look at a request: its retry members are found and checked before any handler runs (X1, S10).

use super::answers::Answers;
use super::fault;
use crate::json::{Fault, Limits, Raw};
use crate::protocol::Error;
use crate::protocol::result::{INPUT_RESPONSES, REQUEST_STATE};

/// The retry members of one request.
#[derive(Default)]
pub(super) struct Retry<'a> {
    pub answers: Answers,
    /// `requestState`, whatever its type; null is none (S10).
    pub token: Option<Raw<'a>>,
}

impl<'a> Retry<'a> {
    /// Looks at the members of `params` once. One that stands twice is refused, whichever it is (J2).
    pub fn read(params: Raw<'a>, limits: &Limits) -> Result<Retry<'a>, Error> {
        let object = params.object().map_err(fault::of_request)?;
        let answers = match object.present(INPUT_RESPONSES) {
            Some(raw) => Answers::read(params, raw, limits)?,
            None => Answers::default(),
        };
        let token = object.present(REQUEST_STATE);
        Ok(Retry { answers, token })
    }
}

/// Checks size, depth and grammar of the params; an absent text is an empty object.
pub(super) fn parse<'a>(params: &'a str, limits: &Limits) -> Result<Raw<'a>, Error> {
    if params.is_empty() {
        return Ok(Raw::EMPTY);
    }
    // Places in the text are kept in 32 bits.
    let most = limits.message_bytes.min(u32::MAX as usize);
    Fault::check_size("message", params.len(), most)
        .and_then(|()| Raw::parse(params, limits))
        .map_err(fault::of_request)
}
