//! `mrtr_slice`: borrowed bytes that come in; `mrtr_room`: borrowed memory that is written (F2).

/// Borrowed bytes: a pointer and a length.
///
/// As an argument it is read during the call only; nothing keeps the pointer.
/// `ptr` NULL with `len` 0 means *absent* where a value is optional and *empty* where it is required;
/// `ptr` NULL with another `len` is refused (`MRTR_NULL_ARGUMENT`).
/// As a member of a struct that the library filled, it points into that struct's `storage`
/// (or to static text, where the comment says so) and dies with it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct mrtr_slice {
    /// First byte; need not be NUL-terminated.
    pub ptr: *const u8,
    /// Number of bytes.
    pub len: usize,
}

impl mrtr_slice {
    /// A view of bytes that outlive what it is handed to.
    pub(crate) fn of(bytes: &[u8]) -> mrtr_slice {
        mrtr_slice {
            ptr: bytes.as_ptr(),
            len: bytes.len(),
        }
    }
}

/// Memory of the caller's to write into, for functions whose name ends in `_into`.
///
/// Written during the call only, and it must not overlap what else the call is given. `ptr` NULL with `len` 0 is no room at all.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct mrtr_room {
    /// First byte.
    pub ptr: *mut u8,
    /// Number of bytes.
    pub len: usize,
}
