//! `mrtr_queue`: the events of a runtime, taken by the host on threads of its own (F4).

use super::{
    error::{mrtr_error, mrtr_status},
    event::mrtr_event,
    flow::mrtr_flow,
    guard::guard,
    object::handle,
};
use crate::ffi::{self, runtime::QueueObject};
use std::ptr;

/// Handle of a queue. `{0}` is none.
///
/// Any number of threads may use one at the same time. Each event is taken once; with one taker at a time the order of each flow holds.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct mrtr_queue {
    /// The library's own word; 0 = none.
    pub id: u64,
}

handle!(mrtr_queue, Queue, QueueObject, Many);

/// Takes the next event and says of which flow it is; waits for one at most that long (0 = not at all, `MRTR_NO_LIMIT` = without end).
///
/// `MRTR_EVENT_IDLE` with flow `{0}`: the time is over, or `mrtr_queue_wake` was called. `MRTR_EVENT_DRAINED` with flow `{0}`: the runtime is closed and all was taken,
/// or it was freed; from then on every call says so. `MRTR_EVENT_SLEEP` does not come: the runtime sleeps.
/// Ownership: `out->storage` is the caller's; free it before the struct is used again. `*flow` is the handle that the caller has already.
/// Threads: any.
/// Errors: `MRTR_BAD_STRUCT_SIZE`, `MRTR_WRONG_STATE` in a forked child, `MRTR_UNSUPPORTED`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_queue_next(
    queue: mrtr_queue,
    timeout_ms: u64,
    flow: *mut mrtr_flow,
    out: *mut mrtr_event,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let (flow, out) = (c.out(flow), c.sized_out(out));
            ffi::runtime::supported()?;
            let queue = c.get(queue)?;
            // Before the event is taken: it must not get lost.
            let (flow, out) = (flow.needed("flow")?, out.needed()?);
            let (of, event) = queue.next(timeout_ms)?;
            flow.set(of);
            out.set(event);
            Ok(())
        })
    }
}

/// Lets a call that waits in `mrtr_queue_next` come back with `MRTR_EVENT_IDLE`, or the next one that would wait.
///
/// Threads: any.
/// Errors: `MRTR_WRONG_STATE` in a forked child, `MRTR_UNSUPPORTED`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_queue_wake(queue: mrtr_queue, err: *mut mrtr_error) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            ffi::runtime::supported()?;
            c.get(queue)?.wake()
        })
    }
}

/// A file descriptor for `poll`, `epoll`, `kqueue` or an event loop: readable while `mrtr_queue_next` would not wait. Never read, write or close it.
///
/// Ownership: the queue's; it is closed with the last handle of the runtime, its queue and its flows.
/// Threads: any.
/// Errors: `MRTR_UNSUPPORTED` where there is no such thing (Windows) or the process has none left, `MRTR_WRONG_STATE` in a forked child.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_queue_fd(
    queue: mrtr_queue,
    fd: *mut i32,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let fd = c.out(fd);
            ffi::runtime::supported()?;
            let queue = c.get(queue)?;
            let fd = fd.needed("fd")?;
            fd.set(queue.descriptor()?);
            Ok(())
        })
    }
}

/// Gives a handle of a queue back. `{0}` is fine. Events stay for other handles of the same queue.
///
/// Threads: any; calls under way end undisturbed.
/// Errors: `MRTR_STALE_HANDLE` if it was freed before, `MRTR_WRONG_HANDLE`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_queue_free(queue: mrtr_queue) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe { guard(ptr::null_mut(), |c| c.free(queue)) }
}
