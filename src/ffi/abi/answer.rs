//! `mrtr_answer`: asking in an exchange, and what became of an ask.

use super::{
    buf::mrtr_buf,
    error::{mrtr_error, mrtr_status},
    exchange::mrtr_exchange,
    guard::{Call, guard},
    sized::{ABSENT, sized, zeroed},
    slice::mrtr_slice,
};
use crate::{
    ffi,
    protocol::Error,
    server::{Made, Wording},
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

sized!(mrtr_answer, storage: mrtr_buf, abi = false, zeroed());

/// What all that ask have in common: the exchange is entered, asked under the key, and the answer filled.
fn asking(
    c: &Call<'_>,
    exchange: mrtr_exchange,
    key: mrtr_slice,
    answer: *mut mrtr_answer,
    made: Made,
    parts: [(mrtr_slice, &str); 2],
) -> Result<(), Error> {
    let answer = c.sized_out(answer);
    let exchange = c.get(exchange)?;
    let answer = answer.optional()?;
    let key = c.bytes(key, "key")?;
    let [(first, its_name), (second, name)] = parts;
    let (first, second) = (c.bytes(first, its_name)?, c.bytes(second, name)?);
    let wording = Wording::of(made, first, second);
    ffi::exchange::ask(&exchange, key, &wording, answer.as_ref())
}

/// A part that a question does not have.
const NONE: (mrtr_slice, &str) = (ABSENT, "");

/// States that the handler needs an answer, and says what is known of it. What is missing is collected for `mrtr_exchange_result`.
///
/// `ask` is the JSON text of one entry of `inputRequests`. `answer` may be NULL.
/// Ownership: `answer->storage` is the caller's.
/// Threads: any; calls take turns.
/// Errors: those of `mrtr_result_build`. The first error of any ask also comes out of `mrtr_exchange_result`, so that straight-line code
/// may look only there. `MRTR_POISONED`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_exchange_ask(
    exchange: mrtr_exchange,
    key: mrtr_slice,
    ask: mrtr_slice,
    answer: *mut mrtr_answer,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let parts = [(ask, "ask"), NONE];
            asking(c, exchange, key, answer, Made::Whole, parts)
        })
    }
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
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let parts = [(message, "message"), (schema, "schema")];
            asking(c, exchange, key, answer, Made::Form, parts)
        })
    }
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
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let parts = [(message, "message"), (url, "url")];
            asking(c, exchange, key, answer, Made::Url, parts)
        })
    }
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
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let parts = [(params, "params"), NONE];
            asking(c, exchange, key, answer, Made::Sampling, parts)
        })
    }
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
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            asking(c, exchange, key, answer, Made::Roots, [NONE, NONE])
        })
    }
}
