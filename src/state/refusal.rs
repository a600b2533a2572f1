//! One wire answer for every refused token (S9).

use crate::protocol::{Code, Error, Rpc};

/// The error of a refused token: the same on the wire whatever the cause, the true reason as its code (S9).
#[must_use]
pub fn refused(code: Code) -> Error {
    refused_because(code, reason(code))
}

pub(super) fn refused_because(code: Code, message: impl Into<String>) -> Error {
    Error::new(code, message).with_rpc(Rpc {
        code: -32602,
        message: "Invalid or expired requestState".to_owned(),
        data: Some(r#"{"reason":"invalid_request_state"}"#.to_owned()),
    })
}

/// For the host only: never holds anything of the token.
fn reason(code: Code) -> &'static str {
    match code {
        Code::WrongType => "requestState is not a string",
        Code::TooLarge => "requestState is longer than the token limit",
        Code::Malformed => "requestState is not a token of this library",
        Code::UnknownKey => {
            "requestState was sealed with a key or cipher that is not in the key ring"
        }
        Code::Tampered => "requestState was changed or made up",
        Code::NotYetValid => "requestState was issued in the future",
        Code::Expired => "requestState is past its expiry",
        Code::FlowExpired => "the flow is past its age limit",
        Code::TooManyRounds => "the flow is past its round limit",
        Code::WrongAudience => "requestState was sealed for another audience",
        Code::WrongPrincipal => "requestState was sealed for another principal",
        Code::WrongRequest => "requestState was sealed for another method, target or arguments",
        Code::Replayed => "requestState was used before",
        Code::GuardFailed => "the single-use guard did not answer",
        _ => "requestState was refused",
    }
}
