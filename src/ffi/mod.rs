//! The C ABI. Only `abi` holds unsafe code.

pub mod abi;
