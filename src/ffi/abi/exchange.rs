//! `mrtr_exchange`: one request being served, in straight-line code (X).

use super::{
    buf::mrtr_buf,
    clock::server_now,
    error::{mrtr_error, mrtr_status},
    guard::{guard, guard_value},
    object::{Handle, handle},
    request::mrtr_request,
    server::mrtr_server,
    sized::{sized, zeroed},
    slice::mrtr_slice,
};
use crate::{
    ffi::{self, exclusive::Exclusive, request::Request},
    server::Exchange,
};
use std::ptr;

/// Handle of an exchange. `{0}` is none.
///
/// Any thread may use it; calls take turns. No call that waits holds up another object.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct mrtr_exchange {
    /// The library's own word; 0 = none.
    pub id: u64,
}

handle!(mrtr_exchange, Exchange, Exclusive<Exchange>, Single);

/// Where an exchange stands.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct mrtr_exchange_info {
    /// Size of this struct as the caller knows it.
    pub struct_size: u32,
    /// 0 on a first request, else the round of the state that came in.
    pub round: u32,
    /// 1 if a sealed state came in.
    pub has_token: u32,
    /// 0.
    pub reserved: u32,
    /// The same in all rounds of a flow, the first request included, and not guessable: usable as idempotency key. Zero without a sealer.
    pub flow_id: [u8; 16],
    /// Unix time in ms of the flow's first request with asks.
    pub first_seen_ms: u64,
    /// Until when the state of the last result can come back, Unix time in ms: it opens before that, not at it. 0 before a result, and
    /// without a sealer. What was held for the flow can be released then.
    pub expires_ms: u64,
}

sized!(mrtr_exchange_info, first_seen_ms: u64, abi = false, zeroed());

/// Begins to serve a request: reads its retry fields, opens and checks its state.
///
/// `now_ms` is Unix time or `MRTR_NOW`.
/// Ownership: the request is copied; free the exchange with `mrtr_exchange_free`. The server may be freed before it.
/// Threads: any.
/// Errors: a state that is refused gives its true reason as in `mrtr_sealer_open`; `MRTR_INVALID_PARAMS`, `MRTR_BAD_JSON`,
/// `MRTR_TOO_LARGE`, `MRTR_TOO_MANY`. The error object has the JSON-RPC error to send, and the handler must not run.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_exchange_begin(
    server: mrtr_server,
    request: *const mrtr_request,
    now_ms: u64,
    out: *mut mrtr_exchange,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let out = c.out(out);
            let server = c.get(server)?;
            let out = out.needed("out")?;
            let request = Request::read(c, request)?;
            let exchange = ffi::exchange::begin(&server, &request, server_now(now_ms))?;
            out.set(mrtr_exchange::insert(Exclusive::new(exchange))?);
            Ok(())
        })
    }
}

/// Number of asks that still wait for an answer. 0: the handler has all it asked for. 0 for what is no exchange, too.
///
/// Threads: any; calls take turns.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_exchange_pending(exchange: mrtr_exchange) -> u32 {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard_value(0, |c| {
            Ok(u32::try_from(c.get(exchange)?.enter().pending()).unwrap_or(u32::MAX))
        })
    }
}

/// Whether the client declared everything in `needs` (`MRTR_NEED_*`, or-ed): `*yes` is 1 or 0.
///
/// Threads: any; calls take turns.
/// Errors: `MRTR_BAD_ARGUMENT` for an unknown bit, `MRTR_POISONED`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_exchange_can_ask(
    exchange: mrtr_exchange,
    needs: u32,
    yes: *mut u32,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let yes = c.out(yes);
            let exchange = c.get(exchange)?;
            let yes = yes.needed("yes")?;
            let able = exchange.enter().can_ask(ffi::exchange::needs(needs)?)?;
            yes.set(u32::from(able));
            Ok(())
        })
    }
}

/// Says that the handler cannot do without the asks that were unaskable: if there are any and nothing else waits, fails with the
/// -32021 to send.
///
/// Threads: any; calls take turns.
/// Errors: `MRTR_MISSING_CAPABILITY`, `MRTR_POISONED`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_exchange_require(
    exchange: mrtr_exchange,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe { guard(err, |c| c.get(exchange)?.enter().require()) }
}

/// Drops what was answered under a key, in this request and before: the question is asked anew, even if it was declined.
///
/// Threads: any; calls take turns.
/// Errors: `MRTR_POISONED`, `MRTR_NOT_UTF8`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_exchange_forget(
    exchange: mrtr_exchange,
    key: mrtr_slice,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let exchange = c.get(exchange)?;
            let key = ffi::server::key(c, key)?;
            exchange.enter().forget(&key);
            Ok(())
        })
    }
}

/// The host's own state, as the sealed state brought it or as it was set since. `*has` is 1 or 0; an empty state is a state.
///
/// Ownership: `state` is the caller's, to be freed with `mrtr_buf_free`.
/// Threads: any; calls take turns.
/// Errors: `MRTR_POISONED`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_exchange_state(
    exchange: mrtr_exchange,
    has: *mut u32,
    state: *mut mrtr_buf,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let (has, state) = (c.out(has), c.out(state));
            let exchange = c.get(exchange)?;
            let (has, state) = (has.needed("has")?, state.needed("state")?);
            if let Some(bytes) = exchange.enter().state() {
                has.set(1);
                state.set(mrtr_buf::secret(bytes.to_vec()));
            }
            Ok(())
        })
    }
}

/// Sets the host's own state for the rounds to come; any bytes with a sealer, text without one. `ptr` NULL drops it.
///
/// Ownership: copied.
/// Threads: any; calls take turns.
/// Errors: `MRTR_POISONED`. A state that is too large, or without a sealer no text, is refused by `mrtr_exchange_result`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_exchange_set_state(
    exchange: mrtr_exchange,
    state: mrtr_slice,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let exchange = c.get(exchange)?;
            let state = c.optional_bytes(state, "state")?;
            exchange.enter().set_state(state);
            Ok(())
        })
    }
}

/// Where the exchange stands.
///
/// Threads: any; calls take turns.
/// Errors: `MRTR_POISONED`, `MRTR_BAD_STRUCT_SIZE`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_exchange_get_info(
    exchange: mrtr_exchange,
    out: *mut mrtr_exchange_info,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let out = c.sized_out(out);
            let exchange = c.get(exchange)?;
            let out = out.needed()?;
            out.set(ffi::exchange::info(&exchange.enter()));
            Ok(())
        })
    }
}

/// The `input_required` result to send: what waits, and a fresh sealed state.
///
/// Ownership: `json` is the caller's, to be freed with `mrtr_buf_free`.
/// Threads: any; calls take turns.
/// Errors: `MRTR_NOTHING_PENDING` when nothing waits and the host has set no state (answer the request yourself), the first error of any ask, `MRTR_MISSING_CAPABILITY`,
/// `MRTR_TOO_MANY`, `MRTR_TOO_LARGE`, `MRTR_TOO_MANY_ROUNDS`, `MRTR_FLOW_EXPIRED`, `MRTR_POISONED`. The error object has the JSON-RPC error to send.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_exchange_result(
    exchange: mrtr_exchange,
    json: *mut mrtr_buf,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let json = c.out(json);
            let exchange = c.get(exchange)?;
            let json = json.needed("json")?;
            let (text, news) = exchange.enter().result_and_news()?;
            json.set(mrtr_buf::from_vec(text));
            // The exchange is left: the host's function may call it.
            if let Some(news) = news {
                news.tell();
            }
            Ok(())
        })
    }
}

/// Gives an exchange back. `{0}` is fine.
///
/// Threads: any; a call under way ends undisturbed.
/// Errors: `MRTR_STALE_HANDLE` if it was freed before, `MRTR_WRONG_HANDLE`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_exchange_free(exchange: mrtr_exchange) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe { guard(ptr::null_mut(), |c| c.free(exchange)) }
}
