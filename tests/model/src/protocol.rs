//! Errors, as far as the modelled files need them.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    Busy,
    ConfigError,
    NullArgument,
    Panic,
    Poisoned,
    StaleHandle,
    TooMany,
    Unsupported,
    WrongHandle,
    WrongState,
}

#[derive(Debug)]
pub struct Error(Code);

impl Error {
    pub fn new(code: Code, _: impl Into<String>) -> Error {
        Error(code)
    }

    pub fn code(&self) -> Code {
        self.0
    }
}
