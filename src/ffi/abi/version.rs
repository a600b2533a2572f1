//! Versions and features of the loaded library (F7).

use super::{
    clock,
    error::mrtr_status,
    guard::{guard, guard_value},
    object,
    sized::{sized, zeroed},
    slice::mrtr_slice,
};
use crate::ffi;
use std::ptr;

/// Major number of the ABI that this header describes; equals the number in the SONAME.
pub const MRTR_ABI_MAJOR: u32 = 0;
/// Level of the ABI that this header describes; grows with each addition.
pub const MRTR_ABI_LEVEL: u32 = 1;
/// `MRTR_ABI_MAJOR` and `MRTR_ABI_LEVEL` in one word; every options struct carries it, so that a header
/// that does not fit the library is refused (`MRTR_ABI_MISMATCH`) when the first object is made.
pub const MRTR_ABI: u32 = 0x0000_0001;
/// Package version of this header.
pub const MRTR_VERSION_MAJOR: u32 = 0;
/// Package version of this header.
pub const MRTR_VERSION_MINOR: u32 = 1;
/// Package version of this header.
pub const MRTR_VERSION_PATCH: u32 = 0;

/// "Now": the library reads the clock itself. For servers and sealers the system's clock (Unix time),
/// for clients and flows the system's monotonic clock, the one that `mrtr_monotonic_ms` reads.
pub const MRTR_NOW: u64 = 0xFFFF_FFFF_FFFF_FFFF;
/// A duration or time without a limit.
pub const MRTR_NO_LIMIT: u64 = 0xFFFF_FFFF_FFFF_FFFF;
/// A count of rounds without a limit.
pub const MRTR_UNLIMITED: u32 = 0xFFFF_FFFF;

/// What library this is.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct mrtr_version_info {
    /// Size of this struct as the caller knows it.
    pub struct_size: u32,
    /// Major number of the library's ABI.
    pub abi_major: u32,
    /// Level of the library's ABI.
    pub abi_level: u32,
    /// Package version of the library.
    pub version_major: u32,
    /// Package version of the library.
    pub version_minor: u32,
    /// Package version of the library.
    pub version_patch: u32,
    /// Package version as text; static.
    pub version: mrtr_slice,
}

sized!(mrtr_version_info, version: mrtr_slice, abi = false, zeroed());

/// Says which library is loaded.
///
/// Ownership: nothing to free; `out->version` is static text.
/// Threads: any.
/// Errors: `MRTR_NULL_ARGUMENT`, `MRTR_BAD_STRUCT_SIZE`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_version(out: *mut mrtr_version_info) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(ptr::null_mut(), |c| {
            let out = c.sized_out(out).needed()?;
            out.set(ffi::version::info());
            Ok(())
        })
    }
}

/// 1 if the loaded library has a feature, 0 if it does not or never heard of it.
///
/// Functions of a feature that is missing exist all the same and return `MRTR_UNSUPPORTED`.
/// Threads: any.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_has_feature(name: mrtr_slice) -> u32 {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard_value(0, |c| {
            c.text(name, "name")
                .map(|name| u32::from(ffi::version::has_feature(name)))
        })
    }
}

/// Number of handles alive in this copy of the library, errors included: for leak tests.
///
/// Threads: any; exact only while no other thread makes or frees one.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_live_objects() -> u64 {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe { guard_value(0, |_| Ok(object::live())) }
}

/// The clock that `MRTR_NOW` reads for clients and flows: milliseconds, never steps back, its zero has no meaning.
///
/// Threads: any.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_monotonic_ms() -> u64 {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe { guard_value(0, |_| Ok(clock::monotonic_ms())) }
}
