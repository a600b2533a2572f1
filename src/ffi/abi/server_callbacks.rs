//! `mrtr_server_callbacks`: what a host hears of its server.

use super::{
    guard::guard_value,
    sized::{sized, zeroed},
    slice::mrtr_slice,
};
use core::ffi::c_void;

/// Asks that went out with a result, and until when they can be answered; never their content. All of it lives until the
/// function returns.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct mrtr_issued {
    /// Size of this struct as the library knows it.
    pub struct_size: u32,
    /// Round of the state that went out: the request that brings its answers has this one. The first is 1.
    pub round: u32,
    /// The same in all rounds of a flow: what `mrtr_exchange_info` says.
    pub flow_id: [u8; 16],
    /// Unix time in ms; the state opens before that, not at it. What is held for the flow can be released then.
    pub expires_ms: u64,
    /// Method of the request.
    pub method: mrtr_slice,
    /// Keys of the asks that wait, in the order in which they were stated.
    pub keys: *const mrtr_slice,
    /// Number of keys; at least 1.
    pub key_count: usize,
}

/// Functions that a server calls, on whichever thread makes the result, several threads at once. No lock is held, and every function of
/// the library may be called. They return nothing and decide nothing; no exception and no `longjmp` may leave them.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct mrtr_server_callbacks {
    /// Size of this struct as the caller knows it.
    pub struct_size: u32,
    /// `MRTR_ABI`.
    pub abi: u32,
    /// Handed to each function as it is.
    pub user_data: *mut c_void,
    /// `mrtr_exchange_result` sealed a state with asks that wait. Called once for each such result, before it is returned; not without a
    /// sealer, and not for a state alone.
    pub issued: Option<unsafe extern "C" fn(user_data: *mut c_void, issued: *const mrtr_issued)>,
    /// Called exactly once, after the last use of `user_data`; may be NULL.
    pub destroy: Option<unsafe extern "C" fn(user_data: *mut c_void)>,
}

sized!(
    mrtr_server_callbacks,
    destroy: Option<unsafe extern "C" fn(user_data: *mut c_void)>,
    abi = true,
    zeroed()
);

/// Writes a table without functions. Never writes beyond `size` bytes.
///
/// Threads: any, one at a time for the same struct.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_server_callbacks_init(
    callbacks: *mut mrtr_server_callbacks,
    size: u32,
    abi: u32,
) {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe { guard_value((), |c| c.init(callbacks, size, abi)) }
}
