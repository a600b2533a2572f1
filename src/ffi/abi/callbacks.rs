//! `mrtr_flow_callbacks`: the same events, dispatched to functions (F4).

use super::{
    buf::mrtr_buf,
    clock::client_now,
    error::{mrtr_error, mrtr_status},
    event::{
        MRTR_EVENT_ASK, MRTR_EVENT_CANCEL_LEG, MRTR_EVENT_DONE, MRTR_EVENT_NOTE,
        MRTR_EVENT_PROGRESS, MRTR_EVENT_ROUND, MRTR_EVENT_SEND, MRTR_EVENT_STOP_ASK, mrtr_event,
    },
    flow::mrtr_flow,
    guard::{guard, guard_value},
    sized::{Plain, sized, zeroed},
    version::MRTR_NO_LIMIT,
};
use crate::{client::Event, ffi};
use core::ffi::c_void;

/// Functions that `mrtr_flow_step` or the dispatcher of a runtime calls, one per type of event.
///
/// They return nothing and act through functions (`mrtr_flow_answer`, …); not acting means "later".
/// An event and its texts live during the call only (`storage` is empty in it). No lock is held, and every function of the library may be called
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

sized!(
    mrtr_flow_callbacks,
    destroy: Option<unsafe extern "C" fn(user_data: *mut c_void)>,
    abi = true,
    zeroed()
);

/// A host's functions; `destroy` is called when the last owner lets go of them.
pub struct Callbacks(pub(super) mrtr_flow_callbacks);

// SAFETY: the host promises that its functions may be called, with its `user_data`, by whichever thread steps or frees the flow.
unsafe impl Send for Callbacks {}
// SAFETY: as above; two threads are never inside them at once, since a flow has one step at a time and a runtime one dispatcher.
unsafe impl Sync for Callbacks {}

impl Callbacks {
    /// Calls the function for an event; the event lives that long.
    pub(crate) fn call(&self, flow: mrtr_flow, mut event: mrtr_event) {
        let table = &self.0;
        let own = match event.r#type {
            MRTR_EVENT_SEND => table.send,
            MRTR_EVENT_CANCEL_LEG => table.cancel_leg,
            MRTR_EVENT_ASK => table.ask,
            MRTR_EVENT_STOP_ASK => table.stop_ask,
            MRTR_EVENT_ROUND => table.round,
            MRTR_EVENT_PROGRESS => table.progress,
            MRTR_EVENT_NOTE => table.note,
            MRTR_EVENT_DONE => table.done,
            _ => None,
        };
        event.struct_size = size_of::<mrtr_event>() as u32;
        // The host sees the texts but not their owner: it cannot free what is freed here.
        let storage = std::mem::replace(&mut event.storage, mrtr_buf::NONE);
        if let Some(function) = own.or(table.event) {
            // SAFETY: the host gave this function for such calls; the event is whole and lives until it returns.
            unsafe { function(table.user_data, flow, &event) };
        }
        // SAFETY: the buffer was made for this event, and nobody else has it.
        unsafe { storage.release() };
    }
}

impl Drop for Callbacks {
    fn drop(&mut self) {
        if let Some(destroy) = self.0.destroy {
            // SAFETY: the host gave this function for the end of `user_data`, and nobody uses it any more.
            unsafe { destroy(self.0.user_data) };
        }
    }
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
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe { guard_value((), |c| c.init(callbacks, size, abi)) }
}

/// Gives a flow its functions; those it had before are destroyed.
///
/// Ownership: the struct is copied; `user_data` is the flow's until `destroy` was called. If this function fails, `destroy` is not called.
/// Threads: any; calls take turns.
/// Errors: `MRTR_POISONED`, `MRTR_ABI_MISMATCH`, `MRTR_BAD_STRUCT_SIZE`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_flow_set_callbacks(
    flow: mrtr_flow,
    callbacks: *const mrtr_flow_callbacks,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let flow = c.get(flow)?;
            let table = c.sized(callbacks, "callbacks")?;
            flow.set_callbacks(Callbacks(table));
            Ok(())
        })
    }
}

/// Calls the functions for all that is to be done now, and says when to come back: at `*until_ms` (`MRTR_NO_LIMIT` = after the next delivery),
/// or never when `*done` is 1. Both pointers may be NULL.
///
/// Threads: any, one step at a time; functions are called on the calling thread. They may free the flow: then it stops there, `*done` is 1.
/// Errors: `MRTR_WRONG_STATE` without functions or if a runtime drives the flow, `MRTR_BUSY` (also when called by one of them), `MRTR_POISONED`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_flow_step(
    flow: mrtr_flow,
    now_ms: u64,
    until_ms: *mut u64,
    done: *mut u32,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let (until, done) = (c.out(until_ms), c.out(done));
            let object = c.get(flow)?;
            let _stepping = object.step()?;
            loop {
                // One of the functions has freed the flow: nothing more is called.
                if object.freed() {
                    until.set(MRTR_NO_LIMIT);
                    done.set(1);
                    return Ok(());
                }
                let callbacks = object.callbacks()?;
                let event = object.take()?.next(client_now(now_ms));
                match &event {
                    Event::Sleep { until: at, .. } => {
                        until.set(at.unwrap_or(MRTR_NO_LIMIT));
                        return Ok(());
                    }
                    Event::Idle => {
                        until.set(MRTR_NO_LIMIT);
                        done.set(u32::from(object.look()?.is_over()));
                        return Ok(());
                    }
                    _ => callbacks.call(flow, ffi::event::show(&event)),
                }
            }
        })
    }
}
