//! For gateways (S14): a backend's opaque state inside ours, keys of asks that do not meet, and what is passed on.

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

/// The params of the request that goes on to a backend: the end client's own, `_meta` with its capabilities among them, byte for byte. Of its
/// answers those under this backend's prefix are in it, under the backend's own keys; the state is the backend's, out of `host_state`.
///
/// `params` with `ptr` NULL = absent. `host_state` is what `mrtr_gateway_state` made for the same backend, as the gateway's own state brought it
/// back; `ptr` NULL = none. Open the gateway's state before: nothing is checked here.
/// Ownership: `passed` is the caller's, to be freed with `mrtr_buf_free`.
/// Threads: any.
/// Errors: `MRTR_BAD_JSON` for no object and for a member that stands twice (J2), `MRTR_INVALID_PARAMS` for answers that are no object,
/// `MRTR_BAD_ARGUMENT` for a host state of something else, `MRTR_TOO_LARGE`, `MRTR_NOT_UTF8`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_gateway_params(
    backend: mrtr_slice,
    params: mrtr_slice,
    host_state: mrtr_slice,
    passed: *mut mrtr_buf,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let out = c.out(passed).needed("passed")?;
            let backend = c.text(backend, "backend")?;
            let params = c.optional_text(params, "params")?;
            let state = c.optional_bytes(host_state, "host_state")?;
            out.set(ffi::gateway::params(backend, params, state)?);
            Ok(())
        })
    }
}

/// The state of a backend's result as host state (`mrtr_gateway_wrap`), ready to be sealed. `*has` is 0 if the result asks nothing or has no state.
///
/// Ownership: `host_state` is the caller's, to be freed with `mrtr_buf_free`.
/// Threads: any.
/// Errors: `MRTR_BAD_JSON`, `MRTR_INVALID_RESULT` for a state that is no string, `MRTR_TOO_LARGE`, `MRTR_NOT_UTF8`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_gateway_state(
    backend: mrtr_slice,
    result: mrtr_slice,
    has: *mut u32,
    host_state: *mut mrtr_buf,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let (has, out) = (c.out(has), c.out(host_state));
            let (has, out) = (has.needed("has")?, out.needed("host_state")?);
            let backend = c.text(backend, "backend")?;
            if let Some(made) = ffi::gateway::state(backend, c.text(result, "result")?)? {
                out.set(made);
                has.set(1);
            }
            Ok(())
        })
    }
}

/// A backend's result as the end client gets it: keys of asks with the backend's prefix, and `state`, the gateway's own token, in place of the
/// backend's; the rest byte for byte. A result that asks nothing comes back as it is.
///
/// `state` with `ptr` NULL = none.
/// Ownership: `passed` is the caller's, to be freed with `mrtr_buf_free`.
/// Threads: any.
/// Errors: `MRTR_BAD_JSON`, `MRTR_INVALID_RESULT` for asks that are no object, `MRTR_TOO_LARGE`, `MRTR_NOT_UTF8`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_gateway_result(
    backend: mrtr_slice,
    result: mrtr_slice,
    state: mrtr_slice,
    passed: *mut mrtr_buf,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let out = c.out(passed).needed("passed")?;
            let backend = c.text(backend, "backend")?;
            let token = c.optional_text(state, "state")?;
            out.set(ffi::gateway::result(
                backend,
                c.text(result, "result")?,
                token,
            )?);
            Ok(())
        })
    }
}
