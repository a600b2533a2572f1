//! `mrtr_flow_callbacks`: the same events, dispatched to functions (F4).

use super::guard::{guard, not_yet};
use super::{
    error::{mrtr_error, mrtr_status},
    event::mrtr_event,
    flow::mrtr_flow,
};
use core::ffi::c_void;

/// Functions that `mrtr_flow_step` calls, one per type of event.
///
/// They return nothing and act through functions (`mrtr_flow_answer`, …); not acting means "later".
/// An event and its texts live during the call only. No lock is held, and every function of the library may be called
/// except `mrtr_flow_step` for the same flow. No exception and no `longjmp` may leave them.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct mrtr_flow_callbacks {
    /// Size of this struct as the caller knows it.
    pub struct_size: u32,
    /// `MRTR_ABI`.
    pub abi: u32,
    /// Handed to each function as it is.
    pub user_data: *mut c_void,
    /// For each type whose own function is NULL.
    pub event: Option<
        unsafe extern "C" fn(user_data: *mut c_void, flow: mrtr_flow, event: *const mrtr_event),
    >,
    /// `MRTR_EVENT_SEND`.
    pub send: Option<
        unsafe extern "C" fn(user_data: *mut c_void, flow: mrtr_flow, event: *const mrtr_event),
    >,
    /// `MRTR_EVENT_CANCEL_LEG`.
    pub cancel_leg: Option<
        unsafe extern "C" fn(user_data: *mut c_void, flow: mrtr_flow, event: *const mrtr_event),
    >,
    /// `MRTR_EVENT_ASK`.
    pub ask: Option<
        unsafe extern "C" fn(user_data: *mut c_void, flow: mrtr_flow, event: *const mrtr_event),
    >,
    /// `MRTR_EVENT_STOP_ASK`.
    pub stop_ask: Option<
        unsafe extern "C" fn(user_data: *mut c_void, flow: mrtr_flow, event: *const mrtr_event),
    >,
    /// `MRTR_EVENT_ROUND`.
    pub round: Option<
        unsafe extern "C" fn(user_data: *mut c_void, flow: mrtr_flow, event: *const mrtr_event),
    >,
    /// `MRTR_EVENT_PROGRESS`.
    pub progress: Option<
        unsafe extern "C" fn(user_data: *mut c_void, flow: mrtr_flow, event: *const mrtr_event),
    >,
    /// `MRTR_EVENT_NOTE`.
    pub note: Option<
        unsafe extern "C" fn(user_data: *mut c_void, flow: mrtr_flow, event: *const mrtr_event),
    >,
    /// `MRTR_EVENT_DONE`.
    pub done: Option<
        unsafe extern "C" fn(user_data: *mut c_void, flow: mrtr_flow, event: *const mrtr_event),
    >,
    /// Called exactly once, after the last use of `user_data`; may be NULL.
    pub destroy: Option<unsafe extern "C" fn(user_data: *mut c_void)>,
}

/// Writes a table without functions. Never writes beyond `size` bytes.
///
/// Threads: any, one at a time for the same struct.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_flow_callbacks_init(
    callbacks: *mut mrtr_flow_callbacks,
    size: u32,
    abi: u32,
) {
    let _ = (callbacks, size, abi);
}

/// Gives a flow its functions; those it had before are destroyed.
///
/// Ownership: the struct is copied; `user_data` is the flow's until `destroy` was called. If this function fails, `destroy` is not called.
/// Threads: exclusive.
/// Errors: `MRTR_BUSY`, `MRTR_POISONED`, `MRTR_ABI_MISMATCH`, `MRTR_BAD_STRUCT_SIZE`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_flow_set_callbacks(
    flow: mrtr_flow,
    callbacks: *const mrtr_flow_callbacks,
    err: *mut mrtr_error,
) -> mrtr_status {
    let _ = (flow, callbacks);
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe { guard(err, |_| Err(not_yet())) }
}

/// Calls the functions for all that is to be done now, and says when to come back: at `*until_ms` (`MRTR_NO_LIMIT` = after the next delivery),
/// or never when `*done` is 1. Both pointers may be NULL.
///
/// Threads: exclusive; functions are called on the calling thread. They may free the flow: then it stops there, `*done` is 1.
/// Errors: `MRTR_WRONG_STATE` without functions, `MRTR_BUSY` (also when called by one of them), `MRTR_POISONED`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_flow_step(
    flow: mrtr_flow,
    now_ms: u64,
    until_ms: *mut u64,
    done: *mut u32,
    err: *mut mrtr_error,
) -> mrtr_status {
    let _ = (flow, now_ms, until_ms, done);
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe { guard(err, |_| Err(not_yet())) }
}
