//! One error type for all rooms: code, message, the spot, and what goes on the wire.

use super::Code;
use crate::json::{Fault, Key, write};
use std::fmt;

/// An error. One word to move; `Debug` and `Display` show neither the kept result nor any data.
#[derive(Clone)]
pub struct Error(Box<Inside>);

#[derive(Clone)]
struct Inside {
    code: Code,
    message: String,
    key: Option<Key>,
    at: Option<String>,
    rpc: Option<Rpc>,
    raw: Option<String>,
    data: Option<String>,
}

/// The `error` object of a JSON-RPC response.
#[derive(Clone, PartialEq, Eq)]
pub struct Rpc {
    /// `error.code`
    pub code: i64,
    /// `error.message`
    pub message: String,
    /// `error.data` as JSON text.
    pub data: Option<String>,
}

impl Rpc {
    /// The object as one line of JSON text; no `data` member if there is none (J5).
    pub fn to_json(&self) -> String {
        let mut out = String::with_capacity(self.message.len() + 64);
        let mut first = true;
        out.push('{');
        write::push_member(&mut out, &mut first, "code", &self.code.to_string());
        write::push_text_member(&mut out, &mut first, "message", &self.message);
        if let Some(data) = &self.data {
            write::push_member(&mut out, &mut first, "data", data);
        }
        out.push('}');
        out
    }
}

/// Shows code and message; `data` may hold what the peer sent.
impl fmt::Debug for Rpc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Rpc({}, {:?})", self.code, self.message)
    }
}

impl Error {
    /// An error of the host's own concern: nothing of it goes on the wire by itself.
    #[cold]
    #[inline(never)]
    pub fn new(code: Code, message: impl Into<String>) -> Error {
        Error::from_text(code, message.into())
    }

    #[cold]
    #[inline(never)]
    fn from_text(code: Code, message: String) -> Error {
        Error(Box::new(Inside {
            code,
            message,
            key: None,
            at: None,
            rpc: None,
            raw: None,
            data: None,
        }))
    }

    /// An error that goes on the wire under the code's own JSON-RPC code, with this message (B9). Codes without one
    /// of their own become -32603.
    #[cold]
    #[inline(never)]
    pub fn on_wire(code: Code, message: impl Into<String>) -> Error {
        let message = message.into();
        let rpc = Rpc {
            code: code.rpc().unwrap_or(-32603),
            message: message.clone(),
            data: None,
        };
        Error::new(code, message).with_rpc(rpc)
    }

    /// What went wrong.
    pub fn code(&self) -> Code {
        self.0.code
    }

    /// The same in words, for people.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Names the ask that it is about.
    #[cold]
    pub fn with_key(mut self, key: Key) -> Error {
        self.0.key = Some(key);
        self
    }

    /// Key of the ask that it is about.
    pub fn key(&self) -> Option<&Key> {
        self.0.key.as_ref()
    }

    /// Names the spot by a JSON pointer.
    #[cold]
    pub fn with_at(mut self, at: String) -> Error {
        self.0.at = Some(at);
        self
    }

    /// JSON pointer of the spot.
    pub fn at(&self) -> Option<&str> {
        self.0.at.as_deref()
    }

    /// Says what goes on the wire, or what came from it.
    #[cold]
    pub fn with_rpc(mut self, rpc: Rpc) -> Error {
        self.0.rpc = Some(rpc);
        self
    }

    /// The JSON-RPC error to send, or the one received.
    pub fn rpc(&self) -> Option<&Rpc> {
        self.0.rpc.as_ref()
    }

    /// The HTTP status to send it with (B9).
    pub fn http_status(&self) -> u16 {
        match self.rpc().map(|rpc| rpc.code) {
            Some(-32022..=-32020) => 400,
            Some(-32601) => 404,
            _ => self.code().http_status(),
        }
    }

    /// Keeps the result that it is about.
    #[cold]
    pub fn with_raw(mut self, raw: String) -> Error {
        self.0.raw = Some(raw);
        self
    }

    /// Text of the result that it is about.
    pub fn raw(&self) -> Option<&str> {
        self.0.raw.as_deref()
    }

    /// Adds details for programs, as JSON text.
    #[cold]
    pub fn with_data(mut self, data: String) -> Error {
        self.0.data = Some(data);
        self
    }

    /// Details for programs, as JSON text.
    pub fn data(&self) -> Option<&str> {
        self.0.data.as_deref()
    }

    /// The same error under another code.
    pub fn with_code(mut self, code: Code) -> Error {
        self.0.code = code;
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.0.code, self.0.message)?;
        if let Some(key) = &self.0.key {
            write!(f, " (ask {key})")?;
        }
        if let Some(at) = self.at().filter(|at| !at.is_empty()) {
            write!(f, " at {at}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Error({self})")
    }
}

impl std::error::Error for Error {}

impl From<Fault> for Error {
    #[cold]
    fn from(fault: Fault) -> Error {
        let message = fault.to_string();
        match fault {
            Fault::Syntax { .. } => Error::new(Code::BadJson, message),
            Fault::Duplicate { at, .. } => Error::new(Code::BadJson, message).with_at(at),
            Fault::TooLarge { .. } => Error::new(Code::TooLarge, message),
            Fault::TooMany { .. } => Error::new(Code::TooMany, message),
        }
    }
}
