//! `mrtr_runtime`: many flows at once, the library keeping their clocks (F4).

use super::{
    callbacks::{Callbacks, mrtr_flow_callbacks},
    error::{mrtr_error, mrtr_status},
    flow::mrtr_flow,
    guard::{guard, guard_value},
    object::{Handle, handle},
    queue::mrtr_queue,
    sized::{sized, zeroed},
    slice::mrtr_slice,
};
use crate::ffi::{self, runtime::RuntimeObject};
use std::{
    ptr,
    sync::{Arc, OnceLock},
};

/// Handle of a runtime. `{0}` is none.
///
/// Any number of threads may use one at the same time. It is for hosts that want the library to keep the clocks of many flows: it has a thread
/// for timers, and its events come either to functions on one thread of its own, or into a queue that the host empties. Requests are still sent by the
/// host, and what comes of them is delivered through the functions of the flow (`mrtr_flow_deliver`, `mrtr_flow_answer`, …), from any thread.
/// A child after `fork` cannot use it, nor its flows: every call for them gives `MRTR_WRONG_STATE` there; it may only free and exec.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct mrtr_runtime {
    /// The library's own word; 0 = none.
    pub id: u64,
}

handle!(mrtr_runtime, Runtime, RuntimeObject, Many);

/// How to make a runtime.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct mrtr_runtime_options {
    /// Size of this struct as the caller knows it.
    pub struct_size: u32,
    /// `MRTR_ABI`.
    pub abi: u32,
    /// Name of the dispatcher thread, for debuggers; Linux shows 15 bytes of it. `ptr` NULL = "mrtr".
    pub name: mrtr_slice,
}

sized!(mrtr_runtime_options, name: mrtr_slice, abi = true, zeroed());

/// Writes the default options. Never writes beyond `size` bytes.
///
/// Threads: any, one at a time for the same struct.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_runtime_options_init(
    options: *mut mrtr_runtime_options,
    size: u32,
    abi: u32,
) {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe { guard_value((), |c| c.init(options, size, abi)) }
}

/// Makes a runtime. With `callbacks` one thread of its own, the dispatcher, calls them for all its flows, one after the other;
/// with NULL the host empties its queue (`mrtr_runtime_queue`), and no thread of the library ever runs the host's code.
///
/// `options` NULL = the defaults.
/// Ownership: free it with `mrtr_runtime_free`; texts and `callbacks` are copied. `user_data` is the runtime's until `destroy` was called, on the dispatcher,
/// after the last call: when the runtime is drained, or soon after it was freed. If this function fails, `destroy` is not called.
/// Threads: any. The functions are called with no lock held, and may use every function but `mrtr_runtime_wait`; while one of them blocks, the others wait.
/// Errors: `MRTR_UNSUPPORTED` without the feature "runtime" or without threads, `MRTR_CONFIG_ERROR`, `MRTR_ABI_MISMATCH`, `MRTR_BAD_STRUCT_SIZE`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_runtime_new(
    options: *const mrtr_runtime_options,
    callbacks: *const mrtr_flow_callbacks,
    out: *mut mrtr_runtime,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let out = c.out(out).needed("out")?;
            ffi::runtime::supported()?;
            let options = c.optional_sized(options)?;
            let name = match &options {
                Some(options) => c.optional_text(options.name, "name")?,
                None => None,
            };
            let table = c.optional_sized(callbacks)?;
            // Filled when nothing can fail any more, so that a failure does not call `destroy`.
            let place = table.map(|_| Arc::new(OnceLock::new()));
            let runtime = mrtr_runtime::insert(RuntimeObject::new(name, place.clone())?)?;
            if let (Some(place), Some(table)) = (place, table) {
                let _ = place.set(Callbacks(table));
            }
            out.set(runtime);
            Ok(())
        })
    }
}

/// Gives a flow to a runtime, which begins with it: from now on its events come from there, and the runtime's clock counts, which is `MRTR_NOW`'s:
/// begin the flow with that time. Its end comes exactly once, unless the flow is freed before.
///
/// Ownership: the flow stays the caller's, who frees it, best when its end has come.
/// Threads: any. Events may come to another thread before this returns, never to this one.
/// Errors: `MRTR_WRONG_STATE` if the runtime is closed or the flow has a runtime already, `MRTR_BUSY` while it is stepped, `MRTR_UNSUPPORTED`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_runtime_start(
    runtime: mrtr_runtime,
    flow: mrtr_flow,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            ffi::runtime::supported()?;
            c.get(runtime)?.start(flow, &*c.get(flow)?)
        })
    }
}

/// The queue of a runtime that has no callbacks. Each call gives another handle of the same queue.
///
/// Ownership: free it with `mrtr_queue_free`; the runtime may be freed before it.
/// Threads: any.
/// Errors: `MRTR_WRONG_STATE` if a dispatcher takes the events, `MRTR_UNSUPPORTED`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_runtime_queue(
    runtime: mrtr_runtime,
    out: *mut mrtr_queue,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let out = c.out(out);
            ffi::runtime::supported()?;
            let runtime = c.get(runtime)?;
            let out = out.needed("out")?;
            out.set(mrtr_queue::insert(runtime.queue()?)?);
            Ok(())
        })
    }
}

/// The first step of the end: no flow is started any more, and those that run are cancelled; their ends still come. When all events were
/// taken, the runtime is drained: the queue says `MRTR_EVENT_DRAINED`, the dispatcher calls `destroy`, and nothing is ever called again. Twice does nothing.
///
/// Threads: any, the callbacks included; it does not wait.
/// Errors: `MRTR_WRONG_STATE` in a forked child, `MRTR_UNSUPPORTED`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_runtime_close(
    runtime: mrtr_runtime,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            ffi::runtime::supported()?;
            c.get(runtime)?.close()
        })
    }
}

/// Waits until a closed runtime is drained, at most that long (`MRTR_NO_LIMIT` = without end). `*drained` is 1 if it is, 0 if the time is over.
/// With a dispatcher, `destroy` has returned when it is 1.
///
/// Threads: any but the dispatcher, which waits for nobody: `MRTR_BUSY`. Hold no lock that a callback wants.
/// Errors: `MRTR_BUSY`, `MRTR_WRONG_STATE` in a forked child, `MRTR_UNSUPPORTED`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_runtime_wait(
    runtime: mrtr_runtime,
    timeout_ms: u64,
    drained: *mut u32,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let drained = c.out(drained);
            ffi::runtime::supported()?;
            let runtime = c.get(runtime)?;
            let drained = drained.needed("drained")?;
            drained.set(u32::from(runtime.wait(timeout_ms)?));
            Ok(())
        })
    }
}

/// Gives a runtime back, best when it is drained. `{0}` is fine. Before that, what is left is thrown away: no end comes any more, and only a callback
/// that is running goes on. Its flows stand still and can be freed.
///
/// Threads: any, the callbacks included; it does not wait for them.
/// Errors: `MRTR_STALE_HANDLE` if it was freed before, `MRTR_WRONG_HANDLE`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_runtime_free(runtime: mrtr_runtime) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(ptr::null_mut(), |c| {
            if let Ok(Some(runtime)) = c.get_optional(runtime) {
                runtime.stop();
            }
            c.free(runtime)
        })
    }
}
