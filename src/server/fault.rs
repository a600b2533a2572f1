//! Whose fault it is: what the client gets to read on the wire, and what only the host does (B9, D14, D18).

use crate::json::Fault;
use crate::protocol::{Code, Error, Rpc};

/// Something about the request is wrong: -32602, with the reason.
pub(super) fn of_request(fault: Fault) -> Error {
    of_client(fault.into())
}

/// The client's fault: -32602, with the reason.
pub(super) fn of_client(error: Error) -> Error {
    let message = format!("Invalid params: {}", error.message());
    error.with_rpc(Rpc {
        code: -32602,
        message,
        data: None,
    })
}

/// The server's own fault: -32603, and nothing of it on the wire (B2, D18). What has its answer already keeps it.
pub(super) fn of_server(error: Error) -> Error {
    if error.rpc().is_some() {
        return error;
    }
    error.with_rpc(Rpc {
        code: -32603,
        message: "Internal error".into(),
        data: None,
    })
}

/// What opening refused: the one answer of S9, but for duplicates in the arguments, which are named (D14).
pub(super) fn of_opening(error: Error) -> Error {
    match error.code() {
        Code::BadJson => of_client(error),
        _ => of_server(error),
    }
}

/// What sealing refused: duplicates in the arguments are the client's fault (D14), all else is the server's (D18).
pub(super) fn of_sealing(error: Error) -> Error {
    let reason = match error.code() {
        Code::BadJson => return of_client(error),
        code @ (Code::TooManyRounds | Code::FlowExpired) => {
            Some(format!("{{\"reason\":\"{}\"}}", code.name()))
        }
        _ => None,
    };
    error.with_rpc(Rpc {
        code: -32603,
        message: "Internal error".into(),
        data: reason,
    })
}

/// B2: a method whose requests never ask.
pub(super) fn method_not_allowed() -> Error {
    of_server(Error::new(
        Code::MethodNotAllowed,
        "requests of this method never ask",
    ))
}

/// B3: keys are unique in a result.
pub(super) fn duplicate_key() -> Error {
    Error::new(Code::DuplicateKey, "two questions under one key")
}
