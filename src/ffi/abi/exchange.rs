//! `mrtr_exchange`: one request being served, in straight-line code (X).

use super::guard::{guard, not_yet};
use super::{
    buf::mrtr_buf,
    error::{mrtr_error, mrtr_status},
    request::mrtr_request,
    server::mrtr_server,
    slice::mrtr_slice,
};

/// Not answered yet: it goes into the result.
pub const MRTR_ANSWER_MISSING: u32 = 1;
/// Answered, and the answer is valid: `content` has it.
pub const MRTR_ANSWER_ACCEPTED: u32 = 2;
/// The user said no. Not asked again.
pub const MRTR_ANSWER_DECLINED: u32 = 3;
/// The user dismissed it. Not asked again.
pub const MRTR_ANSWER_CANCELLED: u32 = 4;
/// Answered with something unusable: asked again; `reasons` says why.
pub const MRTR_ANSWER_INVALID: u32 = 5;
/// Answered, but the question has changed since: asked again.
pub const MRTR_ANSWER_STALE: u32 = 6;
/// The client cannot be asked this (`MRTR_GATE_FILTER` only): not asked.
pub const MRTR_ANSWER_UNASKABLE: u32 = 7;

/// Handle of an exchange. `{0}` is none.
///
/// Exclusive: one thread at a time; a second one that comes meanwhile gets `MRTR_BUSY`. It may move between threads.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct mrtr_exchange {
    /// The library's own word; 0 = none.
    pub id: u64,
}

/// What became of an ask. Members that do not apply have `ptr` NULL.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct mrtr_answer {
    /// Size of this struct as the caller knows it.
    pub struct_size: u32,
    /// `MRTR_ANSWER_*`.
    pub status: u32,
    /// JSON text, only when accepted: a form's content object, `{}` for a URL, the whole result for sampling and roots.
    pub content: mrtr_slice,
    /// JSON array of sentences, only when invalid.
    pub reasons: mrtr_slice,
    /// JSON array of the names of warnings about the ask itself, if any.
    pub warnings: mrtr_slice,
    /// Owner of the bytes above; free it with `mrtr_buf_free`.
    pub storage: mrtr_buf,
}

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
    /// The same in all rounds of a flow, not guessable: usable as idempotency key. Zero without a sealer.
    pub flow_id: [u8; 16],
    /// Unix time in ms of the flow's first request with asks.
    pub first_seen_ms: u64,
}

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
    let _ = (server, request, now_ms, out);
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe { guard(err, |_| Err(not_yet())) }
}

/// States that the handler needs an answer, and says what is known of it. What is missing is collected for `mrtr_exchange_result`.
///
/// `ask` is the JSON text of one entry of `inputRequests`. `answer` may be NULL.
/// Ownership: `answer->storage` is the caller's.
/// Threads: exclusive.
/// Errors: those of `mrtr_result_build`. The first error of any ask also comes out of `mrtr_exchange_result`, so that straight-line code
/// may look only there. `MRTR_BUSY`, `MRTR_POISONED`, `MRTR_WRONG_STATE` after the result was taken.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_exchange_ask(
    exchange: mrtr_exchange,
    key: mrtr_slice,
    ask: mrtr_slice,
    answer: *mut mrtr_answer,
    err: *mut mrtr_error,
) -> mrtr_status {
    let _ = (exchange, key, ask, answer);
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe { guard(err, |_| Err(not_yet())) }
}

/// `mrtr_exchange_ask` for a form: `message` is plain text, `schema` the JSON text of `requestedSchema`.
///
/// Ownership, threads, errors: as `mrtr_exchange_ask`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_exchange_ask_form(
    exchange: mrtr_exchange,
    key: mrtr_slice,
    message: mrtr_slice,
    schema: mrtr_slice,
    answer: *mut mrtr_answer,
    err: *mut mrtr_error,
) -> mrtr_status {
    let _ = (exchange, key, message, schema, answer);
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe { guard(err, |_| Err(not_yet())) }
}

/// `mrtr_exchange_ask` for a URL: `message` and `url` are plain text. Accepted means consent, not that anything was completed there.
///
/// Ownership, threads, errors: as `mrtr_exchange_ask`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_exchange_ask_url(
    exchange: mrtr_exchange,
    key: mrtr_slice,
    message: mrtr_slice,
    url: mrtr_slice,
    answer: *mut mrtr_answer,
    err: *mut mrtr_error,
) -> mrtr_status {
    let _ = (exchange, key, message, url, answer);
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe { guard(err, |_| Err(not_yet())) }
}

/// `mrtr_exchange_ask` for sampling: `params` is the JSON text of the params of `sampling/createMessage`.
///
/// Ownership, threads, errors: as `mrtr_exchange_ask`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_exchange_ask_sampling(
    exchange: mrtr_exchange,
    key: mrtr_slice,
    params: mrtr_slice,
    answer: *mut mrtr_answer,
    err: *mut mrtr_error,
) -> mrtr_status {
    let _ = (exchange, key, params, answer);
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe { guard(err, |_| Err(not_yet())) }
}

/// `mrtr_exchange_ask` for the client's roots.
///
/// Ownership, threads, errors: as `mrtr_exchange_ask`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_exchange_ask_roots(
    exchange: mrtr_exchange,
    key: mrtr_slice,
    answer: *mut mrtr_answer,
    err: *mut mrtr_error,
) -> mrtr_status {
    let _ = (exchange, key, answer);
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe { guard(err, |_| Err(not_yet())) }
}

/// Number of asks that still wait for an answer. 0: the handler has all it asked for. 0 for what is no exchange, too.
///
/// Threads: exclusive (0 while another thread is in the exchange).
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_exchange_pending(exchange: mrtr_exchange) -> u32 {
    let _ = (exchange,);
    0
}

/// Whether the client declared everything in `needs` (`MRTR_NEED_*`, or-ed): `*yes` is 1 or 0.
///
/// Threads: exclusive.
/// Errors: `MRTR_BAD_ARGUMENT` for an unknown bit, `MRTR_BUSY`, `MRTR_POISONED`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_exchange_can_ask(
    exchange: mrtr_exchange,
    needs: u32,
    yes: *mut u32,
    err: *mut mrtr_error,
) -> mrtr_status {
    let _ = (exchange, needs, yes);
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe { guard(err, |_| Err(not_yet())) }
}

/// Says that the handler cannot do without the asks that were unaskable: if there are any, fails with the -32021 to send.
///
/// Threads: exclusive.
/// Errors: `MRTR_MISSING_CAPABILITY`, `MRTR_BUSY`, `MRTR_POISONED`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_exchange_require(
    exchange: mrtr_exchange,
    err: *mut mrtr_error,
) -> mrtr_status {
    let _ = (exchange,);
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe { guard(err, |_| Err(not_yet())) }
}

/// The host's own state, as the sealed state brought it or as it was set since. `*has` is 1 or 0; an empty state is a state.
///
/// Ownership: `state` is the caller's, to be freed with `mrtr_buf_free`.
/// Threads: exclusive.
/// Errors: `MRTR_BUSY`, `MRTR_POISONED`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_exchange_state(
    exchange: mrtr_exchange,
    has: *mut u32,
    state: *mut mrtr_buf,
    err: *mut mrtr_error,
) -> mrtr_status {
    let _ = (exchange, has, state);
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe { guard(err, |_| Err(not_yet())) }
}

/// Sets the host's own state for the rounds to come; any bytes with a sealer, text without one.
///
/// Ownership: copied.
/// Threads: exclusive.
/// Errors: `MRTR_BUSY`, `MRTR_POISONED`, `MRTR_NOT_UTF8` without a sealer; a state that is too large comes out of `mrtr_exchange_result`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_exchange_set_state(
    exchange: mrtr_exchange,
    state: mrtr_slice,
    err: *mut mrtr_error,
) -> mrtr_status {
    let _ = (exchange, state);
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe { guard(err, |_| Err(not_yet())) }
}

/// Where the exchange stands.
///
/// Threads: exclusive.
/// Errors: `MRTR_BUSY`, `MRTR_POISONED`, `MRTR_BAD_STRUCT_SIZE`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_exchange_get_info(
    exchange: mrtr_exchange,
    out: *mut mrtr_exchange_info,
    err: *mut mrtr_error,
) -> mrtr_status {
    let _ = (exchange, out);
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe { guard(err, |_| Err(not_yet())) }
}

/// The `input_required` result to send: what waits, and a fresh sealed state.
///
/// Ownership: `json` is the caller's, to be freed with `mrtr_buf_free`.
/// Threads: exclusive.
/// Errors: `MRTR_NOTHING_PENDING` when nothing waits (answer the request yourself), the first error of any ask, `MRTR_MISSING_CAPABILITY`,
/// `MRTR_TOO_MANY`, `MRTR_TOO_LARGE`, `MRTR_TOO_MANY_ROUNDS`, `MRTR_FLOW_EXPIRED`, `MRTR_BUSY`, `MRTR_POISONED`. The error object has the JSON-RPC error to send.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_exchange_result(
    exchange: mrtr_exchange,
    json: *mut mrtr_buf,
    err: *mut mrtr_error,
) -> mrtr_status {
    let _ = (exchange, json);
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe { guard(err, |_| Err(not_yet())) }
}

/// Gives an exchange back. `{0}` is fine.
///
/// Threads: any; a call under way ends undisturbed.
/// Errors: `MRTR_STALE_HANDLE` if it was freed before, `MRTR_WRONG_HANDLE`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_exchange_free(exchange: mrtr_exchange) -> mrtr_status {
    let _ = (exchange,);
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe { guard(std::ptr::null_mut(), |_| Err(not_yet())) }
}
