//! What handlers say to an ask of a flow (C8).

use super::{
    error::{mrtr_error, mrtr_status},
    flow::mrtr_flow,
    guard::{Call, guard},
    slice::mrtr_slice,
};
use crate::{client::Action, ffi, protocol::Error};

/// What all answers of handlers have in common.
fn act(
    c: &Call<'_>,
    flow: mrtr_flow,
    key: mrtr_slice,
    now_ms: u64,
    action: impl FnOnce() -> Result<Action, Error>,
) -> Result<(), Error> {
    let flow = c.get(flow)?;
    let key = ffi::server::key(c, key)?;
    let action = action()?;
    flow.hand_in(now_ms, |flow, now| flow.answer(&key, &action, now))
}

/// Answers an ask: for a form `value` is the JSON text of the content object, for sampling and roots of the whole result;
/// for a URL it means consent and is ignored (`ptr` NULL is fine).
///
/// Ownership: copied.
/// Threads: any; calls take turns.
/// Errors: `MRTR_CONFIG_ERROR` for a key that was not asked, `MRTR_WRONG_STATE` for one that has its answer or a flow that is over, `MRTR_POISONED`. A value that does not fit the ask is no error here:
/// it ends the flow as `MRTR_HANDLER_FAILED`, and nothing is sent.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_flow_answer(
    flow: mrtr_flow,
    key: mrtr_slice,
    value: mrtr_slice,
    now_ms: u64,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            act(c, flow, key, now_ms, || {
                Ok(Action::Value(c.text(value, "value")?.to_owned()))
            })
        })
    }
}

/// The user said no to an elicitation; the server learns it.
///
/// Threads, errors: as `mrtr_flow_answer`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_flow_decline(
    flow: mrtr_flow,
    key: mrtr_slice,
    now_ms: u64,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe { guard(err, |c| act(c, flow, key, now_ms, || Ok(Action::Decline))) }
}

/// The user dismissed an elicitation; the server learns it.
///
/// Threads, errors: as `mrtr_flow_answer`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_flow_cancel_ask(
    flow: mrtr_flow,
    key: mrtr_slice,
    now_ms: u64,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe { guard(err, |c| act(c, flow, key, now_ms, || Ok(Action::Cancel))) }
}

/// Refuses an ask: nothing is sent to anyone, the flow ends as `MRTR_REFUSED`.
///
/// Threads, errors: as `mrtr_flow_answer`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_flow_refuse(
    flow: mrtr_flow,
    key: mrtr_slice,
    now_ms: u64,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe { guard(err, |c| act(c, flow, key, now_ms, || Ok(Action::Refuse))) }
}

/// Nobody could be asked: the flow ends as `MRTR_UNAVAILABLE`, or the ask is cancelled by policy.
///
/// Threads, errors: as `mrtr_flow_answer`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_flow_unavailable(
    flow: mrtr_flow,
    key: mrtr_slice,
    now_ms: u64,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            act(c, flow, key, now_ms, || Ok(Action::Unavailable))
        })
    }
}

/// The handler of an ask failed, with a sentence about it: the flow ends as `MRTR_HANDLER_FAILED`.
///
/// Ownership: `text` is copied.
/// Threads, errors: as `mrtr_flow_answer`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_flow_fail(
    flow: mrtr_flow,
    key: mrtr_slice,
    text: mrtr_slice,
    now_ms: u64,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            act(c, flow, key, now_ms, || {
                Ok(Action::Fail(c.text(text, "text")?.to_owned()))
            })
        })
    }
}
