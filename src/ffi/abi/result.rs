//! Building an `input_required` result without an exchange (B).

use super::{
    ask::mrtr_ask,
    buf::mrtr_buf,
    error::{mrtr_error, mrtr_status},
    guard::{guard, guard_value},
    sized::{sized, zeroed},
    slice::mrtr_slice,
};
use crate::{ffi, json::Limits, server};

/// A missing capability refuses the whole result (-32021).
pub const MRTR_GATE_REFUSE: u32 = 1;
/// Asks that the client cannot take are left out.
pub const MRTR_GATE_FILTER: u32 = 2;

/// What the result is made of.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct mrtr_result_options {
    /// Size of this struct as the caller knows it.
    pub struct_size: u32,
    /// `MRTR_ABI`.
    pub abi: u32,
    /// JSON-RPC method that is being answered.
    pub method: mrtr_slice,
    /// The asks, in order.
    pub asks: *const mrtr_ask,
    /// Number of asks.
    pub ask_count: usize,
    /// Goes out as `requestState`, as it is; `ptr` NULL = none.
    pub state: mrtr_slice,
    /// JSON text of the client's capabilities; `ptr` NULL = no gate.
    pub capabilities: mrtr_slice,
    /// `MRTR_GATE_*`; default refuse.
    pub gate: u32,
    /// 1 = `http` URLs are fine (development). Default 0.
    pub allow_http: u32,
    /// Names of form fields that may look like secrets.
    pub allow_secret: *const mrtr_slice,
    /// Number of names.
    pub allow_secret_count: usize,
    /// Most asks. Default 64.
    pub max_asks: u64,
    /// Most bytes of the result. Default 4 MiB. 1 GiB and more count as 1 byte less than that.
    pub max_message_bytes: u64,
}

/// A result that was built.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct mrtr_result {
    /// Size of this struct as the caller knows it.
    pub struct_size: u32,
    /// Number of warnings.
    pub warning_count: u32,
    /// JSON text of the result.
    pub json: mrtr_slice,
    /// JSON array of the warnings' names, such as `["many_fields"]`.
    pub warnings: mrtr_slice,
    /// Owner of the bytes above; free it with `mrtr_buf_free`.
    pub storage: mrtr_buf,
}

sized!(mrtr_result_options, max_message_bytes: u64, abi = true, ffi::server::result_defaults());
sized!(mrtr_result, storage: mrtr_buf, abi = false, zeroed());

/// Writes the default options. Never writes beyond `size` bytes.
///
/// Threads: any, one at a time for the same struct.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_result_options_init(
    options: *mut mrtr_result_options,
    size: u32,
    abi: u32,
) {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe { guard_value((), |c| c.init(options, size, abi)) }
}

/// Stamps a complete result: `resultType` at its end unless it is there, all else byte for byte.
///
/// Ownership: `json` is the caller's, to be freed with `mrtr_buf_free`.
/// Threads: any.
/// Errors: `MRTR_BAD_JSON` for no object, `MRTR_INVALID_RESULT` for a result of another type, `MRTR_TOO_LARGE`, `MRTR_NOT_UTF8`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_result_complete(
    result: mrtr_slice,
    json: *mut mrtr_buf,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let json = c.out(json).needed("json")?;
            let result = c.text(result, "result")?;
            let text = server::complete(result, &Limits::default())?;
            json.set(mrtr_buf::from_vec(text.into_bytes()));
            Ok(())
        })
    }
}

/// Builds an `input_required` result from asks and a state that the host protects itself.
///
/// Ownership: `out->storage` is the caller's.
/// Threads: any.
/// Errors: `MRTR_METHOD_NOT_ALLOWED`, `MRTR_EMPTY_RESULT`, `MRTR_DUPLICATE_KEY`, `MRTR_UNKNOWN_KIND`, `MRTR_MISSING_PARAMS`, `MRTR_BAD_MODE`,
/// `MRTR_BAD_SCHEMA`, `MRTR_SECRET_FIELD`, `MRTR_BAD_URL`, `MRTR_BAD_SAMPLING`, `MRTR_MISSING_CAPABILITY`, `MRTR_TOO_MANY`, `MRTR_TOO_LARGE`,
/// `MRTR_BAD_JSON`; the error object names key and spot.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_result_build(
    options: *const mrtr_result_options,
    out: *mut mrtr_result,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let out = c.sized_out(out).needed()?;
            let options = c.sized(options, "options")?;
            out.set(ffi::server::build_result(c, &options)?);
            Ok(())
        })
    }
}
