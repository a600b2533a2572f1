//! `mrtr_buf`: bytes that go out, owned by the caller (F2).

use super::{guard::guard_value, sized::Plain};

/// Bytes that the library made and the caller owns.
///
/// Zeroed when a function that fills one is entered, filled only if it succeeds.
/// Give it back with `mrtr_buf_free`, never with `free`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct mrtr_buf {
    /// First byte; not NUL-terminated.
    pub ptr: *mut u8,
    /// Number of bytes.
    pub len: usize,
    /// The library's own word; do not change it.
    pub cap: usize,
}

/// Frees a buffer and zeroes the struct, so that freeing it again does nothing.
///
/// Ownership: `buf` stays the caller's struct; its bytes, and all slices that point into them, are gone.
/// Threads: any, one at a time for the same buffer.
/// Errors: none; NULL and a zeroed struct are fine.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_buf_free(buf: *mut mrtr_buf) {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard_value((), |_| {
            let Some(buf) = buf.as_mut() else {
                return Ok(());
            };
            // Zeroed first: whatever happens, it is not given back twice.
            let taken = std::mem::replace(buf, mrtr_buf::NONE);
            taken.release();
            Ok(())
        })
    }
}
