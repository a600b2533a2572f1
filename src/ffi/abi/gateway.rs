//! For gateways (S14): a backend's opaque state inside ours, and keys of asks that do not meet.

use super::{
    buf::mrtr_buf,
    error::{mrtr_error, mrtr_status},
    guard::guard,
    slice::mrtr_slice,
};
use crate::ffi;

/// Host state that carries the `requestState` of a backend, any string, with the backend's name: give it to `mrtr_sealer_seal`
/// or `mrtr_exchange_set_state`.
///
/// `backend` is UTF-8, `state` the decoded string in UTF-8, or in WTF-8 if it holds a lone surrogate.
/// Ownership: `host_state` is the caller's, to be freed with `mrtr_buf_free`.
/// Threads: any.
/// Errors: `MRTR_NOT_UTF8`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_gateway_wrap(
    backend: mrtr_slice,
    state: mrtr_slice,
    host_state: *mut mrtr_buf,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let out = c.out(host_state).needed("host_state")?;
            let backend = c.text(backend, "backend")?;
            out.set(ffi::gateway::wrap(backend, c.bytes(state, "state")?)?);
            Ok(())
        })
    }
}

/// What `mrtr_gateway_wrap` put together: the name of the backend and its state, exact to the code unit.
///
/// Ownership: `*backend` and `*state` are views into the bytes of `host_state`, the caller's own: nothing to free.
/// Both have `ptr` NULL if the bytes are not of that function.
/// Threads: any.
/// Errors: `MRTR_NULL_ARGUMENT`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_gateway_unwrap(
    host_state: mrtr_slice,
    backend: *mut mrtr_slice,
    state: *mut mrtr_slice,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let (backend, state) = (c.out(backend), c.out(state));
            let (backend, state) = (backend.needed("backend")?, state.needed("state")?);
            let views = ffi::gateway::unwrap(c.bytes(host_state, "host_state")?);
            backend.set(views.0);
            state.set(views.1);
            Ok(())
        })
    }
}

/// The key of a backend's ask as the gateway's own client sees it: `<length of the name>:<name>:<key>`, so that keys of two
/// backends never meet.
///
/// `backend` is UTF-8, `key` UTF-8 or WTF-8.
/// Ownership: `prefixed` is the caller's, to be freed with `mrtr_buf_free`.
/// Threads: any.
/// Errors: `MRTR_NOT_UTF8`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_gateway_prefix(
    backend: mrtr_slice,
    key: mrtr_slice,
    prefixed: *mut mrtr_buf,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let out = c.out(prefixed).needed("prefixed")?;
            let backend = c.text(backend, "backend")?;
            out.set(ffi::gateway::prefix(backend, c.bytes(key, "key")?)?);
            Ok(())
        })
    }
}

/// Backend and key of what `mrtr_gateway_prefix` made.
///
/// Ownership: `*backend` and `*key` are views into the bytes of `prefixed`, the caller's own: nothing to free.
/// Both have `ptr` NULL if the key is not of that function: one of the gateway's own, say.
/// Threads: any.
/// Errors: `MRTR_NULL_ARGUMENT`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_gateway_split(
    prefixed: mrtr_slice,
    backend: *mut mrtr_slice,
    key: *mut mrtr_slice,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let (backend, key) = (c.out(backend), c.out(key));
            let (backend, key) = (backend.needed("backend")?, key.needed("key")?);
            let views = ffi::gateway::split(c.bytes(prefixed, "prefixed")?);
            backend.set(views.0);
            key.set(views.1);
            Ok(())
        })
    }
}
