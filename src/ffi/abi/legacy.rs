//! `mrtr_legacy`: one call of a client of an older era, served by a handler of this one (L3).

use super::{
    buf::mrtr_buf,
    clock::server_now,
    error::{mrtr_error, mrtr_status},
    exchange::mrtr_exchange,
    guard::guard,
    object::{Handle, handle},
    peer::mrtr_peer,
    request::mrtr_request,
    server::mrtr_server,
    sized::{sized, zeroed},
    slice::mrtr_slice,
};
use crate::{
    ffi::{self, exclusive::Exclusive, request::Request},
    server::Legacy,
};
use std::ptr;

/// Nothing to do until something is handed over; after the end, nothing at all.
pub const MRTR_LEGACY_IDLE: u32 = 0;
/// Run the handler in the exchange of `mrtr_legacy_exchange`, and hand over its result with `mrtr_legacy_handled` or
/// `mrtr_legacy_failed`: `params`.
pub const MRTR_LEGACY_RUN: u32 = 1;
/// Send the client a request, under an id of your own: `ask`, `method`, `params`. Hand over the response.
pub const MRTR_LEGACY_SEND: u32 = 2;
/// Nobody waits for this ask any more: send `notifications/cancelled` for it: `ask`.
pub const MRTR_LEGACY_CANCEL: u32 = 3;
/// Nothing to do before `until_ms`.
pub const MRTR_LEGACY_SLEEP: u32 = 4;
/// The call is over: answer it with `result`, or with the error object `rpc`, or, if it was cancelled, not at all. Comes exactly once.
pub const MRTR_LEGACY_DONE: u32 = 5;

/// Handle of a call of a client of an older era. `{0}` is none.
///
/// Any thread may use it; calls take turns.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct mrtr_legacy {
    /// The library's own word; 0 = none.
    pub id: u64,
}

handle!(mrtr_legacy, Legacy, Exclusive<Legacy>, Single);

/// What to do next. Members that do not belong to its type are 0, their `ptr` NULL.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct mrtr_legacy_step {
    /// Size of this struct as the caller knows it.
    pub struct_size: u32,
    /// `MRTR_LEGACY_*`.
    pub r#type: u32,
    /// SEND and CANCEL: number of the ask in this call, from 1.
    pub ask: u32,
    /// DONE: why the library refused the call, such as `MRTR_NO_BACK_CHANNEL`; 0 if the handler ended it.
    pub refused: i32,
    /// SLEEP: wake then.
    pub until_ms: u64,
    /// SEND: JSON-RPC method.
    pub method: mrtr_slice,
    /// RUN and SEND: JSON text of the params; a `roots/list` may have none.
    pub params: mrtr_slice,
    /// DONE: JSON text of the result.
    pub result: mrtr_slice,
    /// DONE: JSON text of the JSON-RPC error object.
    pub rpc: mrtr_slice,
    /// Owner of the bytes above; free it with `mrtr_buf_free`.
    pub storage: mrtr_buf,
}

sized!(mrtr_legacy_step, storage: mrtr_buf, abi = false, zeroed());

/// Begins to serve a request of a client of an older era. Nothing happens before `mrtr_legacy_next`.
///
/// `peer` is the session: its version, what it declared in `initialize`, and whether it can be reached; `request->capabilities` is not looked at.
/// Ownership: all is copied; free the call with `mrtr_legacy_free`. The server may be freed before it.
/// Threads: any.
/// Errors: `MRTR_BAD_ARGUMENT` for a peer of 2026-07-28, `MRTR_UNSUPPORTED_VERSION`, `MRTR_INVALID_PARAMS`, `MRTR_BAD_JSON`, `MRTR_TOO_LARGE`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_legacy_begin(
    server: mrtr_server,
    request: *const mrtr_request,
    peer: *const mrtr_peer,
    out: *mut mrtr_legacy,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let out = c.out(out);
            let server = c.get(server)?;
            let out = out.needed("out")?;
            let request = Request::read(c, request)?;
            let peer = ffi::peer::read(c, &c.sized(peer, "peer")?)?;
            let call = ffi::legacy::begin(&server, peer, &request)?;
            out.set(mrtr_legacy::insert(Exclusive::new(call))?);
            Ok(())
        })
    }
}

/// What to do next. `now_ms` is Unix time or `MRTR_NOW`.
///
/// Ownership: `step->storage` is the caller's.
/// Threads: any; calls take turns.
/// Errors: `MRTR_POISONED`, `MRTR_BAD_STRUCT_SIZE`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_legacy_next(
    legacy: mrtr_legacy,
    now_ms: u64,
    step: *mut mrtr_legacy_step,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let out = c.sized_out(step);
            let legacy = c.get(legacy)?;
            let out = out.needed()?;
            let next = legacy.enter().next(server_now(now_ms));
            out.set(ffi::legacy::step(&next));
            Ok(())
        })
    }
}

/// The exchange of the round, for the handler to run in: the state is opened and verified, and what can be asked is what this client
/// can answer, in its version and over its channel.
///
/// Ownership: free the exchange with `mrtr_exchange_free`.
/// Threads: any; calls take turns.
/// Errors: those of `mrtr_exchange_begin`; hand the error's `rpc` to `mrtr_legacy_failed`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_legacy_exchange(
    legacy: mrtr_legacy,
    now_ms: u64,
    out: *mut mrtr_exchange,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let out = c.out(out);
            let legacy = c.get(legacy)?;
            let out = out.needed("out")?;
            let exchange = legacy.enter().exchange(server_now(now_ms))?;
            out.set(mrtr_exchange::insert(Exclusive::new(exchange))?);
            Ok(())
        })
    }
}

/// Hands over the handler's result: a complete one, or the `input_required` of its exchange. What is wrong with it ends the call.
///
/// Ownership: copied.
/// Threads: any; calls take turns.
/// Errors: `MRTR_WRONG_STATE` if no handler is to run, `MRTR_POISONED`, `MRTR_NOT_UTF8`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_legacy_handled(
    legacy: mrtr_legacy,
    result: mrtr_slice,
    now_ms: u64,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let legacy = c.get(legacy)?;
            let result = c.text(result, "result")?;
            legacy.enter().handled(result, server_now(now_ms))
        })
    }
}

/// Hands over the JSON-RPC error object that the handler or its exchange failed with. What has no place on the older wire is told in its words.
///
/// Ownership: copied.
/// Threads: any; calls take turns.
/// Errors: `MRTR_WRONG_STATE` if no handler is to run, `MRTR_BAD_JSON`, `MRTR_POISONED`, `MRTR_NOT_UTF8`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_legacy_failed(
    legacy: mrtr_legacy,
    rpc: mrtr_slice,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let legacy = c.get(legacy)?;
            let rpc = c.text(rpc, "rpc")?;
            legacy.enter().failed(rpc)
        })
    }
}

/// Hands over the result of the client's response to an ask. A late or unknown one is passed over.
///
/// Ownership: copied.
/// Threads: any; calls take turns.
/// Errors: `MRTR_POISONED`, `MRTR_NOT_UTF8`. A text that cannot be read ends the call.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_legacy_deliver(
    legacy: mrtr_legacy,
    ask: u32,
    result: mrtr_slice,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let legacy = c.get(legacy)?;
            let result = c.text(result, "result")?;
            legacy.enter().deliver(ask, result)
        })
    }
}

/// Says that the client answered an ask with a JSON-RPC error: that ends the call. A late or unknown one is passed over.
///
/// Threads: any; calls take turns.
/// Errors: `MRTR_POISONED`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_legacy_deliver_error(
    legacy: mrtr_legacy,
    ask: u32,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            c.get(legacy)?.enter().deliver_error(ask);
            Ok(())
        })
    }
}

/// Says that the client cancelled its call, or is gone: open asks are cancelled, and nothing is answered.
///
/// Threads: any; calls take turns.
/// Errors: `MRTR_POISONED`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_legacy_cancel(
    legacy: mrtr_legacy,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            c.get(legacy)?.enter().cancel();
            Ok(())
        })
    }
}

/// Gives a call back. `{0}` is fine. Nothing is sent for it any more: cancel it first if a client waits.
///
/// Threads: any; a call under way ends undisturbed.
/// Errors: `MRTR_STALE_HANDLE` if it was freed before, `MRTR_WRONG_HANDLE`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_legacy_free(legacy: mrtr_legacy) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe { guard(ptr::null_mut(), |c| c.free(legacy)) }
}
