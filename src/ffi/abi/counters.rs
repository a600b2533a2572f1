//! `mrtr_sealer_counters`: what a sealer did so far, in numbers.

use super::{
    error::{mrtr_error, mrtr_status},
    guard::guard,
    sealer::mrtr_sealer,
    sized::{sized, zeroed},
};
use crate::ffi;

/// Counts since the sealer was made, of all threads and of the servers that use it. They wrap at 2^64.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct mrtr_sealer_counters {
    /// Size of this struct as the caller knows it.
    pub struct_size: u32,
    /// 0.
    pub reserved: u32,
    /// Tokens sealed.
    pub sealed: u64,
    /// Bytes of their texts.
    pub sealed_bytes: u64,
    /// Tokens opened.
    pub opened: u64,
    /// Bytes of their texts.
    pub opened_bytes: u64,
    /// Tokens refused, for whatever reason; the reasons follow.
    pub refused: u64,
    /// `MRTR_WRONG_TYPE`.
    pub wrong_type: u64,
    /// `MRTR_TOO_LARGE`.
    pub too_large: u64,
    /// `MRTR_MALFORMED`.
    pub malformed: u64,
    /// `MRTR_UNKNOWN_KEY`.
    pub unknown_key: u64,
    /// `MRTR_TAMPERED`.
    pub tampered: u64,
    /// `MRTR_NOT_YET_VALID`.
    pub not_yet_valid: u64,
    /// `MRTR_EXPIRED`.
    pub expired: u64,
    /// `MRTR_FLOW_EXPIRED`.
    pub flow_expired: u64,
    /// `MRTR_TOO_MANY_ROUNDS`.
    pub too_many_rounds: u64,
    /// `MRTR_WRONG_AUDIENCE`.
    pub wrong_audience: u64,
    /// `MRTR_WRONG_PRINCIPAL`.
    pub wrong_principal: u64,
    /// `MRTR_WRONG_REQUEST`.
    pub wrong_request: u64,
    /// `MRTR_REPLAYED`.
    pub replayed: u64,
    /// `MRTR_GUARD_FAILED`.
    pub guard_failed: u64,
}

sized!(mrtr_sealer_counters, guard_failed: u64, abi = false, zeroed());

/// Reads the counters of a sealer. Calls that are under way may be in them or not.
///
/// Threads: any.
/// Errors: `MRTR_BAD_STRUCT_SIZE`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_sealer_get_counters(
    sealer: mrtr_sealer,
    out: *mut mrtr_sealer_counters,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let out = c.sized_out(out);
            let sealer = c.get(sealer)?;
            let out = out.needed()?;
            out.set(ffi::sealer::counters(&sealer));
            Ok(())
        })
    }
}
