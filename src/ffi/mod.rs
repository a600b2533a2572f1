//! The C ABI. Only `abi` holds unsafe code; the modules beside it say, noun by noun, what its functions do.

pub mod abi;
mod error;
mod exchange;
mod exclusive;
mod json;
mod request;
mod sealer;
mod server;
mod version;
