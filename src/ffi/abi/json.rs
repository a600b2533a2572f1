//! Raw text out of a JSON object (J1): what a host with a JSON printer needs so that it never prints what is not its own.

use super::{
    error::{mrtr_error, mrtr_status},
    guard::guard,
    slice::mrtr_slice,
};
use crate::ffi;

/// The raw text of one top-level member of a JSON object: `params` of a request, `result` or `error` of a response,
/// exactly as it was sent.
///
/// Ownership: `*value` is a view into the bytes of `object`, the caller's own: nothing to free, good as long as they are.
/// Its `ptr` is NULL if there is no such member.
/// Threads: any.
/// Errors: `MRTR_BAD_JSON` for no JSON, no object, or a member that stands twice (J2); `MRTR_TOO_LARGE` beyond the default
/// limits (J4).
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_json_member(
    object: mrtr_slice,
    name: mrtr_slice,
    value: *mut mrtr_slice,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let value = c.out(value).needed("value")?;
            let found = ffi::json::member(c.bytes(object, "object")?, c.bytes(name, "name")?)?;
            if let Some(text) = found {
                value.set(mrtr_slice::of(text.as_bytes()));
            }
            Ok(())
        })
    }
}
