//! What goes beside the JSON of a request: headers, and the version to speak (E1).

use super::{
    buf::mrtr_buf,
    error::{mrtr_error, mrtr_status},
    guard::guard,
    slice::mrtr_slice,
};
use crate::ffi;

/// The HTTP headers of a request of this era: lines `Name: value`, each ended by CR LF, ready for a request's head. They are
/// `MCP-Protocol-Version` (as `_meta` in `params` has it), `Mcp-Method`, `Mcp-Name`, and a `Mcp-Param-…` for each argument that the tool marks.
/// What a header cannot carry is in Base64 between the protocol's marks.
///
/// `params` are those of the leg to send. `tool` is the tool's definition from `tools/list`, JSON text; `ptr` NULL = none is known.
/// Ownership: `lines` is the caller's, to be freed with `mrtr_buf_free`.
/// Threads: any.
/// Errors: `MRTR_INVALID_TOOL` (see `mrtr_wire_check_tool`), `MRTR_INVALID_PARAMS` for a marked argument that is an object, an array or no
/// Unicode, `MRTR_BAD_JSON`, `MRTR_TOO_LARGE` beyond the default limits (J4).
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_wire_headers(
    method: mrtr_slice,
    params: mrtr_slice,
    tool: mrtr_slice,
    lines: *mut mrtr_buf,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let lines = c.out(lines).needed("lines")?;
            let params = c.optional_text(params, "params")?;
            let tool = c.optional_text(tool, "tool")?;
            let text = ffi::wire::headers(c.text(method, "method")?, params, tool)?;
            lines.set(mrtr_buf::from_vec(text.into_bytes()));
            Ok(())
        })
    }
}

/// Refuses a tool that marks parameters for headers in a way that the protocol forbids: a client leaves such a tool out of its list.
///
/// `tool` is its definition from `tools/list`, JSON text.
/// Threads: any.
/// Errors: `MRTR_INVALID_TOOL` with the spot, `MRTR_BAD_JSON`, `MRTR_TOO_LARGE`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_wire_check_tool(
    tool: mrtr_slice,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe { guard(err, |c| ffi::wire::check_tool(c.text(tool, "tool")?)) }
}

/// The protocol version to retry with after a server refused the one of a request (-32022): the first of `spoken` that the error names as
/// served. Retry once.
///
/// `error_object` is the JSON text of the error, as `mrtr_event` has it in `rpc_error`. `spoken` are the versions that the host speaks, best first.
/// Ownership: `*version` is one of `spoken`, the caller's own: nothing to free. Its `ptr` is NULL if there is none, or if the error is another.
/// Threads: any.
/// Errors: `MRTR_BAD_JSON`, `MRTR_TOO_LARGE`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_wire_retry_version(
    error_object: mrtr_slice,
    spoken: *const mrtr_slice,
    spoken_count: usize,
    version: *mut mrtr_slice,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let version = c.out(version).needed("version")?;
            let spoken = c.texts(spoken, spoken_count, "spoken")?;
            let error_object = c.text(error_object, "error_object")?;
            if let Some(found) = ffi::wire::retry_version(error_object, &spoken)? {
                version.set(mrtr_slice::of(found.as_bytes()));
            }
            Ok(())
        })
    }
}
