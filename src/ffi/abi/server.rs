//! `mrtr_server`: a sealer, a gate and limits, for exchanges to begin from.

use super::{
    error::{mrtr_error, mrtr_status},
    guard::{guard, guard_value},
    hooks::Hooks,
    object::{Handle, handle},
    sealer::mrtr_sealer,
    server_callbacks::mrtr_server_callbacks,
    sized::sized,
    slice::mrtr_slice,
};
use crate::{ffi, server::Server};
use std::{ptr, sync::Arc};

/// Handle of a server. `{0}` is none.
///
/// Any number of threads may use one at the same time.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct mrtr_server {
    /// The library's own word; 0 = none.
    pub id: u64,
}

handle!(mrtr_server, Server, Arc<Server>, Many);

/// How to make a server.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct mrtr_server_options {
    /// Size of this struct as the caller knows it.
    pub struct_size: u32,
    /// `MRTR_ABI`.
    pub abi: u32,
    /// Protects the state; `{0}` = the host does it, the state goes out and comes in raw.
    pub sealer: mrtr_sealer,
    /// `MRTR_GATE_*`; default refuse.
    pub gate: u32,
    /// 1 = `http` URLs are fine (development). Default 0.
    pub allow_http: u32,
    /// Most bytes of a request's params and of a result. Default 4 MiB. 1 GiB and more count as 1 byte less than that.
    pub max_message_bytes: u64,
    /// Deepest nesting of JSON, the root counting 1. Default 64.
    pub max_depth: u64,
    /// Most asks in a result. Default 64.
    pub max_asks: u64,
    /// Most answers in a request. Default 64.
    pub max_answers: u64,
    /// Most bytes of an ask's key. Default 64 KiB.
    pub max_key_bytes: u64,
    /// Names of form fields that may look like secrets.
    pub allow_secret: *const mrtr_slice,
    /// Number of names.
    pub allow_secret_count: usize,
    /// Functions of the host; NULL = none. The struct is copied; `user_data` is the server's, and that of exchanges begun with it, until
    /// `destroy` was called. If the server is not made, `destroy` is not called.
    pub callbacks: *const mrtr_server_callbacks,
}

sized!(mrtr_server_options, allow_secret_count: usize, abi = true, ffi::server::defaults());

/// Writes the default options. Never writes beyond `size` bytes.
///
/// Threads: any, one at a time for the same struct.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_server_options_init(
    options: *mut mrtr_server_options,
    size: u32,
    abi: u32,
) {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe { guard_value((), |c| c.init(options, size, abi)) }
}

/// Makes a server.
///
/// Ownership: free it with `mrtr_server_free`; the sealer may be freed before it.
/// Threads: any.
/// Errors: `MRTR_STALE_HANDLE` and `MRTR_WRONG_HANDLE` (the sealer), `MRTR_BAD_ARGUMENT`, `MRTR_CONFIG_ERROR`,
/// `MRTR_ABI_MISMATCH`, `MRTR_BAD_STRUCT_SIZE`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_server_new(
    options: *const mrtr_server_options,
    out: *mut mrtr_server,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let out = c.out(out).needed("out")?;
            let options = c.sized(options, "options")?;
            let sealer = c
                .get_optional(options.sealer)?
                .map(|sealer| Arc::clone(&sealer));
            let hooks = c.optional_sized(options.callbacks)?.map(Hooks::new);
            let hooks = hooks.map(Arc::new);
            out.set(mrtr_server::insert(ffi::server::make(
                c,
                sealer,
                &options,
                hooks.as_ref(),
            )?)?);
            if let Some(hooks) = hooks {
                hooks.keep();
            }
            Ok(())
        })
    }
}

/// Gives a server back. `{0}` is fine. Exchanges begun with it go on.
///
/// Threads: any; calls under way end undisturbed.
/// Errors: `MRTR_STALE_HANDLE` if it was freed before, `MRTR_WRONG_HANDLE`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_server_free(server: mrtr_server) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe { guard(ptr::null_mut(), |c| c.free(server)) }
}
