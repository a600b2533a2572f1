//! `mrtr_flow`: one call, from its first leg to its end (C).

use super::{
    buf::mrtr_buf,
    client::{mrtr_client, mrtr_client_options},
    clock::client_now,
    error::{mrtr_error, mrtr_status},
    event::mrtr_event,
    guard::guard,
    object::{Handle, handle},
    slice::mrtr_slice,
};
use crate::ffi::{self, flow::FlowObject};
use std::ptr;

/// Handle of a flow. `{0}` is none.
///
/// Any thread may use it; calls take turns. No call that waits holds up another object.
/// Callbacks may call every function of their own flow except `mrtr_flow_step`. While a runtime drives it (`mrtr_runtime_start`),
/// `now_ms` is passed over in all calls: the runtime's clock counts.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct mrtr_flow {
    /// The library's own word; 0 = none.
    pub id: u64,
}

handle!(mrtr_flow, Flow, FlowObject, Single);

/// Begins a call. Nothing is sent yet: ask `mrtr_flow_next` or `mrtr_flow_step` what to do.
///
/// `params` is the JSON text of the params of the first leg; `ptr` NULL = none. `options` NULL = the client's.
/// Those given stand for all of the client's but `handlers` and `continuation_keys`: change a copy of the struct that made it.
/// `now_ms` is a monotonic clock of the host's, the same in all calls for this flow, or `MRTR_NOW` in all.
/// Ownership: all is copied; free the flow with `mrtr_flow_free`. The client may be freed before it.
/// Threads: any.
/// Errors: `MRTR_CONFIG_ERROR` (options out of range, params that are no object or hold a retry field twice), `MRTR_TOO_LARGE`,
/// `MRTR_ABI_MISMATCH`, `MRTR_BAD_STRUCT_SIZE`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_flow_begin(
    client: mrtr_client,
    method: mrtr_slice,
    params: mrtr_slice,
    options: *const mrtr_client_options,
    now_ms: u64,
    out: *mut mrtr_flow,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let out = c.out(out);
            let client = c.get(client)?;
            let out = out.needed("out")?;
            let method = c.text(method, "method")?;
            let params = c.optional_text(params, "params")?.unwrap_or("{}");
            let options = match c.optional_sized(options)? {
                Some(options) => Some(ffi::client::options(c, &options)?),
                None => None,
            };
            let flow = client.begin(method, params, options.as_ref(), client_now(now_ms))?;
            out.set(mrtr_flow::insert(FlowObject::new(flow))?);
            Ok(())
        })
    }
}

/// Goes on with a flow that was saved or that ended with a continuation, perhaps in another process. Leg one is not sent again;
/// the unanswered asks of the round are shown again.
///
/// Ownership: `saved` is copied; free the flow with `mrtr_flow_free`.
/// Threads: any.
/// Errors: `MRTR_CONFIG_ERROR` for a text that is not whole or not ours.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_flow_resume(
    client: mrtr_client,
    saved: mrtr_slice,
    now_ms: u64,
    out: *mut mrtr_flow,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let out = c.out(out);
            let client = c.get(client)?;
            let out = out.needed("out")?;
            let flow = client.resume(c.text(saved, "saved")?, client_now(now_ms))?;
            out.set(mrtr_flow::insert(FlowObject::new(flow))?);
            Ok(())
        })
    }
}

/// What to do next: call it until it says `MRTR_EVENT_SLEEP` or `MRTR_EVENT_IDLE`, and again after each delivery and when the time has come.
/// Limits are looked at here: what was handed in before counts, however late it came.
///
/// Ownership: `out->storage` is the caller's; free it before the struct is used again.
/// Threads: any; calls take turns.
/// Errors: `MRTR_POISONED`, `MRTR_BAD_STRUCT_SIZE`, `MRTR_WRONG_STATE` if a runtime drives the flow. How the flow ended is in the event, not here.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_flow_next(
    flow: mrtr_flow,
    now_ms: u64,
    out: *mut mrtr_event,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let out = c.sized_out(out);
            let flow = c.get(flow)?;
            // Before the event is taken: it must not get lost.
            let out = out.needed()?;
            let event = flow.take()?.next(client_now(now_ms));
            out.set(ffi::event::show(&event));
            Ok(())
        })
    }
}

/// An open ask of the current round by its place, 0 and up, in the order of the text: for a host that shows a round on one page.
/// Asks that were not shown yet are among them, and may be answered. Nothing is taken: each is still shown by an event.
///
/// `out` becomes an event of type `MRTR_EVENT_ASK`, or `MRTR_EVENT_IDLE` when there is no such ask.
/// Ownership: `out->storage` is the caller's; free it before the struct is used again.
/// Threads: any; calls take turns.
/// Errors: `MRTR_POISONED`, `MRTR_BAD_STRUCT_SIZE`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_flow_open_ask(
    flow: mrtr_flow,
    at: usize,
    out: *mut mrtr_event,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let out = c.sized_out(out);
            let flow = c.get(flow)?;
            let out = out.needed()?;
            let shown = ffi::event::open_ask(&*flow.look()?, at);
            out.set(shown);
            Ok(())
        })
    }
}

/// Delivers the JSON text of the `result` of a leg. A leg that nobody waits for is ignored.
///
/// Ownership: copied.
/// Threads: any; calls take turns.
/// Errors: `MRTR_POISONED`. A bad result is no error here: it ends the flow.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_flow_deliver(
    flow: mrtr_flow,
    leg: u32,
    result: mrtr_slice,
    now_ms: u64,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let flow = c.get(flow)?;
            let result = c.text(result, "result")?;
            flow.hand_in(now_ms, |flow, now| flow.deliver(leg, result, now))
        })
    }
}

/// Delivers the JSON text of the `error` object of a leg.
///
/// Ownership, threads, errors: as `mrtr_flow_deliver`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_flow_deliver_error(
    flow: mrtr_flow,
    leg: u32,
    error_object: mrtr_slice,
    now_ms: u64,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let flow = c.get(flow)?;
            let error_object = c.text(error_object, "error_object")?;
            flow.hand_in(now_ms, |flow, now| {
                flow.deliver_error(leg, error_object, now)
            })
        })
    }
}

/// Says that the connection was lost before a leg was answered. The library never sends a leg twice.
///
/// Threads, errors: as `mrtr_flow_deliver`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_flow_lost(
    flow: mrtr_flow,
    leg: u32,
    now_ms: u64,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            c.get(flow)?
                .hand_in(now_ms, |flow, now| flow.lost(leg, now))
        })
    }
}

/// Delivers a progress value of a leg.
///
/// Threads, errors: as `mrtr_flow_deliver`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_flow_progress(
    flow: mrtr_flow,
    leg: u32,
    value: f64,
    now_ms: u64,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            c.get(flow)?
                .hand_in(now_ms, |flow, now| flow.progress(leg, value, now))
        })
    }
}

/// Cancels a flow: it ends as `MRTR_CANCELLED`; a leg in flight is cancelled by an event. After the end it does nothing.
///
/// Threads: any; calls take turns.
/// Errors: `MRTR_POISONED`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_flow_cancel(
    flow: mrtr_flow,
    now_ms: u64,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            c.get(flow)?.hand_in(now_ms, |flow, now| flow.cancel(now))
        })
    }
}

/// Writes the flow down as text, for `mrtr_flow_resume`. It holds what the user answered: keep it as you would keep that.
///
/// Ownership: `text` is the caller's, to be freed with `mrtr_buf_free`.
/// Threads: any; calls take turns.
/// Errors: `MRTR_WRONG_STATE` when there is nothing to go on from, `MRTR_POISONED`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_flow_save(
    flow: mrtr_flow,
    text: *mut mrtr_buf,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let text = c.out(text);
            let flow = c.get(flow)?;
            let text = text.needed("text")?;
            let saved = flow.look()?.save()?;
            text.set(mrtr_buf::secret(saved.into_bytes()));
            Ok(())
        })
    }
}

/// Gives a flow back. `{0}` is fine. One that has not ended just stops: no event, no callback but `destroy`. (The dispatcher of a runtime may be
/// about to call with the one event that it has in its hands.)
///
/// Threads: any, callbacks included; a call under way ends first, and `destroy` runs after it.
/// Errors: `MRTR_STALE_HANDLE` if it was freed before, `MRTR_WRONG_HANDLE`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_flow_free(flow: mrtr_flow) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe { guard(ptr::null_mut(), |c| c.free(flow)) }
}
