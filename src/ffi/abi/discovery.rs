//! `mrtr_discovery`: the answer to `server/discover` (E2).

use super::{
    buf::mrtr_buf,
    error::{mrtr_error, mrtr_status},
    guard::{guard, guard_value},
    sized::sized,
    slice::mrtr_slice,
};
use crate::ffi;

/// What `server/discover` tells of a server.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct mrtr_discovery {
    /// Size of this struct as the caller knows it.
    pub struct_size: u32,
    /// `MRTR_ABI`.
    pub abi: u32,
    /// Protocol versions that it speaks, best first; none = 2026-07-28.
    pub supported: *const mrtr_slice,
    /// Number of versions.
    pub supported_count: usize,
    /// JSON object of its capabilities; `ptr` NULL = `{}`.
    pub capabilities: mrtr_slice,
    /// JSON object with its name and version; `ptr` NULL = not told.
    pub server_info: mrtr_slice,
    /// How to use it, for the model; `ptr` NULL = none.
    pub instructions: mrtr_slice,
    /// How long the answer may be kept. Default `MRTR_NO_LIMIT` = not told.
    pub ttl_ms: u64,
    /// `public` or `private`; `ptr` NULL = not told.
    pub cache_scope: mrtr_slice,
}

sized!(mrtr_discovery, cache_scope: mrtr_slice, abi = true, ffi::discovery::defaults());

/// Writes the defaults: version 2026-07-28, nothing else told. Never writes beyond `size` bytes.
///
/// Threads: any, one at a time for the same struct.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_discovery_init(discovery: *mut mrtr_discovery, size: u32, abi: u32) {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe { guard_value((), |c| c.init(discovery, size, abi)) }
}

/// The result of `server/discover`. What is given as JSON goes out byte for byte.
///
/// Ownership: `json` is the caller's, to be freed with `mrtr_buf_free`.
/// Threads: any.
/// Errors: `MRTR_BAD_JSON` for what should be an object, `MRTR_NOT_UTF8`, `MRTR_BAD_STRUCT_SIZE`, `MRTR_ABI_MISMATCH`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_discovery_result(
    discovery: *const mrtr_discovery,
    json: *mut mrtr_buf,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let json = c.out(json).needed("json")?;
            let discovery = c.sized(discovery, "discovery")?;
            let text = ffi::discovery::result(c, &discovery)?;
            json.set(mrtr_buf::from_vec(text.into_bytes()));
            Ok(())
        })
    }
}
