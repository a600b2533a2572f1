//! The request being served: what a state is bound to (S4), and the checks of this era (B9).

use super::{
    error::{mrtr_error, mrtr_status},
    guard::{guard, guard_value},
    sized::{sized, zeroed},
    slice::mrtr_slice,
};
use crate::ffi;

/// The host says that this request belongs to nobody in particular.
pub const MRTR_PRINCIPAL_NONE: u32 = 1;
/// The request belongs to somebody, named by parts: for example issuer, subject and client.
pub const MRTR_PRINCIPAL_PARTS: u32 = 2;

/// Who is asking. A state opens only for the principal that it was sealed for.
///
/// `kind` 0 is refused, so that "nobody" is never an accident. Parts are told apart: ("a","bc") is not ("ab","c").
/// Frozen: this struct never grows.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct mrtr_principal {
    /// `MRTR_PRINCIPAL_NONE` or `MRTR_PRINCIPAL_PARTS`.
    pub kind: u32,
    /// 0.
    pub reserved: u32,
    /// The parts, any bytes; at least one.
    pub parts: *const mrtr_slice,
    /// Number of parts.
    pub count: usize,
}

/// One JSON-RPC request as the host received it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct mrtr_request {
    /// Size of this struct as the caller knows it.
    pub struct_size: u32,
    /// 0.
    pub reserved: u32,
    /// JSON-RPC method.
    pub method: mrtr_slice,
    /// JSON text of `params`, whole; `ptr` NULL = absent.
    pub params: mrtr_slice,
    /// Who is asking.
    pub principal: mrtr_principal,
    /// JSON text of the client's capabilities instead of those in `params._meta`; `ptr` NULL = take those.
    pub capabilities: mrtr_slice,
}

sized!(mrtr_request, capabilities: mrtr_slice, abi = false, zeroed());

/// An HTTP header of a request. Frozen: this struct never grows.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct mrtr_header {
    /// Its name, in any case.
    pub name: mrtr_slice,
    /// Its value as received.
    pub value: mrtr_slice,
}

/// What `mrtr_request_check_run` holds a request against.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct mrtr_request_check {
    /// Size of this struct as the caller knows it.
    pub struct_size: u32,
    /// `MRTR_ABI`.
    pub abi: u32,
    /// JSON-RPC method.
    pub method: mrtr_slice,
    /// JSON text of `params`; `ptr` NULL = absent.
    pub params: mrtr_slice,
    /// Value of the header `MCP-Protocol-Version`; `ptr` NULL = there was none.
    pub header_version: mrtr_slice,
    /// Protocol versions that the server speaks; none = 2026-07-28.
    pub supported: *const mrtr_slice,
    /// Number of versions.
    pub supported_count: usize,
    /// Methods that the server has; NULL = do not check the method.
    pub methods: *const mrtr_slice,
    /// Number of methods.
    pub method_count: usize,
    /// All HTTP headers of the request, to be held against it; then `header_version` is not looked at. NULL = the request came another way.
    pub headers: *const mrtr_header,
    /// Number of headers.
    pub header_count: usize,
    /// With `headers`: JSON text of the `inputSchema` of the tool that is called, for arguments that are repeated in headers; `ptr` NULL = none.
    pub input_schema: mrtr_slice,
}

sized!(mrtr_request_check, method_count: usize, abi = true, zeroed());

/// Writes the defaults: nothing given, version 2026-07-28. Never writes beyond `size` bytes.
///
/// Threads: any, one at a time for the same struct.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_request_check_init(
    check: *mut mrtr_request_check,
    size: u32,
    abi: u32,
) {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe { guard_value((), |c| c.init(check, size, abi)) }
}

/// Checks a request of this era in the order that clients expect: `_meta` missing, version header against `_meta`,
/// version not supported, method unknown. With `headers`, `Mcp-Method` is looked at before, `Mcp-Name` and `Mcp-Param-*` after.
///
/// Ownership: nothing is kept.
/// Threads: any.
/// Errors: `MRTR_MISSING_META`, `MRTR_HEADER_MISMATCH`, `MRTR_UNSUPPORTED_VERSION`, `MRTR_METHOD_NOT_FOUND`,
/// `MRTR_INVALID_PARAMS`, `MRTR_BAD_JSON`; the error object has the JSON-RPC error and the HTTP status to send.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_request_check_run(
    check: *const mrtr_request_check,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let check = c.sized(check, "check")?;
            ffi::request::check(c, &check)
        })
    }
}
