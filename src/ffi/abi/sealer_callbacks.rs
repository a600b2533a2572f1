//! `mrtr_sealer_callbacks`: what a host does for its sealer (S11, S13), and what it hears of it.

use super::{
    buf::mrtr_buf,
    error::{mrtr_error, mrtr_status},
    guard::{guard, guard_value},
    sized::{sized, zeroed},
    slice::mrtr_slice,
};
use core::ffi::c_void;

/// The token was not claimed before, and is now.
pub const MRTR_CLAIM_FIRST: u32 = 1;
/// The token was claimed before: it is refused as `MRTR_REPLAYED`.
pub const MRTR_CLAIM_USED: u32 = 2;

/// Functions that a sealer calls, on whichever thread seals or opens with it, several threads at once. No lock is held, and every
/// function of the library may be called. They return nothing; no exception and no `longjmp` may leave them.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct mrtr_sealer_callbacks {
    /// Size of this struct as the caller knows it.
    pub struct_size: u32,
    /// `MRTR_ABI`.
    pub abi: u32,
    /// Handed to each function as it is.
    pub user_data: *mut c_void,
    /// Claims a token, so that it opens once: after all other checks, before `open` or `begin` returns. `token_id` has 16 bytes.
    /// It sets `*claimed` to `MRTR_CLAIM_FIRST` if the id was not claimed before, and is now until `until_ms` at least, or to
    /// `MRTR_CLAIM_USED`. Anything else, and not setting it, means that the store did not answer: the token is refused as
    /// `MRTR_GUARD_FAILED`. Of any number of concurrent claims of one id exactly one may be the first.
    /// Both times are those of `now_ms` of the call.
    pub claim: Option<
        unsafe extern "C" fn(
            user_data: *mut c_void,
            token_id: *const u8,
            until_ms: u64,
            now_ms: u64,
            claimed: *mut u32,
        ),
    >,
    /// Protects bytes in place of keys and cipher: fills `*sealed` with `mrtr_buf_copy`. Not doing so is `MRTR_CRYPTO_FAILED`.
    /// Comes with `unseal`, and then there are no keys.
    pub seal: Option<
        unsafe extern "C" fn(user_data: *mut c_void, plain: mrtr_slice, sealed: *mut mrtr_buf),
    >,
    /// Checks and opens what `seal` made: fills `*plain` with `mrtr_buf_copy`. Not doing so refuses the token as `MRTR_TAMPERED`.
    pub unseal: Option<
        unsafe extern "C" fn(user_data: *mut c_void, sealed: mrtr_slice, plain: *mut mrtr_buf),
    >,
    /// A token was refused: why, and nothing of its content.
    pub refused: Option<unsafe extern "C" fn(user_data: *mut c_void, reason: mrtr_status)>,
    /// Called exactly once, after the last use of `user_data`; may be NULL.
    pub destroy: Option<unsafe extern "C" fn(user_data: *mut c_void)>,
}

sized!(
    mrtr_sealer_callbacks,
    destroy: Option<unsafe extern "C" fn(user_data: *mut c_void)>,
    abi = true,
    zeroed()
);

/// Writes a table without functions. Never writes beyond `size` bytes.
///
/// Threads: any, one at a time for the same struct.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_sealer_callbacks_init(
    callbacks: *mut mrtr_sealer_callbacks,
    size: u32,
    abi: u32,
) {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe { guard_value((), |c| c.init(callbacks, size, abi)) }
}

/// Copies bytes into a buffer of the library's: how `seal` and `unseal` give bytes back.
///
/// Ownership: `out` is whoever's it is meant for; that one frees it with `mrtr_buf_free`.
/// Threads: any.
/// Errors: `MRTR_NULL_ARGUMENT`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_buf_copy(
    bytes: mrtr_slice,
    out: *mut mrtr_buf,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let out = c.out(out).needed("out")?;
            out.set(mrtr_buf::secret(c.bytes(bytes, "bytes")?.to_vec()));
            Ok(())
        })
    }
}
