//! `mrtr_error`: what went wrong, as an object (F2).

use super::{
    buf::mrtr_buf,
    guard::{guard, guard_value},
    object::handle,
    sized::{ABSENT, sized, zeroed},
    slice::mrtr_slice,
};
use crate::{
    ffi,
    protocol::{Code, Error},
};
use std::ptr;

/// 0 (`MRTR_OK`) or one of the error codes of this header; numbers are never reused.
pub type mrtr_status = i32;

/// Success.
pub const MRTR_OK: mrtr_status = 0;

/// Handle of an error object. `{0}` is none.
///
/// Immutable; any thread may read it. Whoever receives one frees it with `mrtr_error_free`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct mrtr_error {
    /// The library's own word; 0 = none.
    pub id: u64,
}

handle!(mrtr_error, Error, Error, Single);

/// Everything an error says. Absent members have `ptr` NULL. The end of a flow is an event, not an error: what was kept of it is there.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct mrtr_error_info {
    /// Size of this struct as the caller knows it.
    pub struct_size: u32,
    /// The error code.
    pub code: mrtr_status,
    /// JSON-RPC error code to send, if `has_rpc`.
    pub rpc_code: i64,
    /// HTTP status to send with it.
    pub http_status: u32,
    /// 1 if the error has a JSON-RPC form.
    pub has_rpc: u32,
    /// Name of the code, such as `expired`.
    pub name: mrtr_slice,
    /// A sentence for the developer; never holds a secret, a token or a payload. What another party said is only in `rpc`, and in the message of
    /// `MRTR_RPC_ERROR` (the server) and `MRTR_HANDLER_FAILED` (the host).
    pub message: mrtr_slice,
    /// The ask that it is about.
    pub key: mrtr_slice,
    /// JSON pointer to the spot.
    pub at: mrtr_slice,
    /// JSON text with more.
    pub data: mrtr_slice,
    /// The whole JSON-RPC error object as JSON text: send this.
    pub rpc: mrtr_slice,
    /// Owner of the bytes above; free it with `mrtr_buf_free`.
    pub storage: mrtr_buf,
}

sized!(mrtr_error_info, storage: mrtr_buf, abi = false, zeroed());

/// Reads an error object.
///
/// Ownership: `out->storage` is the caller's; the error object stays as it was.
/// Threads: any.
/// Errors: `MRTR_NULL_ARGUMENT`, `MRTR_STALE_HANDLE`, `MRTR_WRONG_HANDLE`, `MRTR_BAD_STRUCT_SIZE`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_error_get(
    error: mrtr_error,
    out: *mut mrtr_error_info,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(ptr::null_mut(), |c| {
            let out = c.sized_out(out);
            let error = c.get(error)?;
            let out = out.needed()?;
            out.set(ffi::error::info(&error));
            Ok(())
        })
    }
}

/// The code of an error object: the shortest way to branch on one.
///
/// Threads: any.
/// Errors: `MRTR_NULL_ARGUMENT` for `{0}`, `MRTR_STALE_HANDLE` and `MRTR_WRONG_HANDLE` for what is no error object.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_error_code(error: mrtr_error) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard_value(Code::Panic.number(), |c| {
            c.get(error)
                .map(|error| error.code().number())
                .or_else(|error| Ok(error.code().number()))
        })
    }
}

/// Frees an error object. `{0}` is fine.
///
/// Threads: any.
/// Errors: `MRTR_STALE_HANDLE` if it was freed before, `MRTR_WRONG_HANDLE`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_error_free(error: mrtr_error) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe { guard(ptr::null_mut(), |c| c.free(error)) }
}

/// The name of an error code, such as `expired` for `MRTR_EXPIRED`; `ok` for 0, absent for a number that is none.
///
/// Ownership: static text; nothing to free.
/// Threads: any.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_code_name(code: mrtr_status) -> mrtr_slice {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe { guard_value(ABSENT, |_| Ok(ffi::error::name(code))) }
}
