//! The guard around every entry (F1-F3): arguments become safe values, panics become errors.
//!
//! An exported function is one call of `guard`, whose closure sees its arguments only through `Call`.

use super::{
    error::{MRTR_OK, mrtr_error, mrtr_status},
    object::{Handle, PinOf},
    slice::{mrtr_room, mrtr_slice},
};
use crate::protocol::{Code, Error};
use std::{
    any::Any,
    marker::PhantomData,
    panic::{AssertUnwindSafe, catch_unwind},
    slice, str,
};

#[cfg(not(panic = "unwind"))]
compile_error!("the C ABI turns panics into errors: build it with panic = \"unwind\"");

/// A call from outside. While it lasts, the pointers that came with it are good; `'c` is that long.
pub struct Call<'c>(PhantomData<&'c ()>);

/// Runs the body of an exported function. On failure `*err` becomes an error object, if `err` is not null.
///
/// # Safety
/// The caller keeps the contract of the header for all arguments: each pointer is null or points to what its type says,
/// valid until the function returns, and each slice is as long as it says.
pub unsafe fn guard<'c>(
    err: *mut mrtr_error,
    body: impl FnOnce(&Call<'c>) -> Result<(), Error>,
) -> mrtr_status {
    let call = Call(PhantomData);
    if !err.is_null() {
        // SAFETY: not null, so by contract room for a handle.
        unsafe { err.write_unaligned(mrtr_error { id: 0 }) };
    }
    match catch(|| body(&call)) {
        Ok(()) => MRTR_OK,
        // SAFETY: as above.
        Err(error) => unsafe { fail(err, error) },
    }
}

/// Gives an error out. One for all functions: it is no part of what each of them repeats.
///
/// # Safety
/// `err` is null or has room for a handle.
#[cold]
#[inline(never)]
unsafe fn fail(err: *mut mrtr_error, error: Error) -> mrtr_status {
    let status = error.code().number();
    if !err.is_null() {
        // An error that finds no room in the table is still told by the status.
        let handle = catch(|| mrtr_error::insert(error)).unwrap_or(mrtr_error { id: 0 });
        // SAFETY: as above.
        unsafe { err.write_unaligned(handle) };
    }
    status
}

/// `guard` for the few functions that return a value and cannot fail: `otherwise` stands for any failure.
///
/// # Safety
/// As for `guard`.
pub unsafe fn guard_value<'c, T>(
    otherwise: T,
    body: impl FnOnce(&Call<'c>) -> Result<T, Error>,
) -> T {
    let call = Call(PhantomData);
    catch(|| body(&call)).unwrap_or(otherwise)
}

/// A panic is a bug of ours. Its text may quote what the caller gave, so it is not handed on.
fn catch<T>(body: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(result) => result,
        Err(payload) => Err(panicked(payload)),
    }
}

#[cold]
#[inline(never)]
fn panicked(payload: Box<dyn Any + Send>) -> Error {
    // Dropping what a panic carried could panic again.
    std::mem::forget(payload);
    Error::new(
        Code::Panic,
        "a bug in libmrtr: the call was given up, and the object can only be freed",
    )
}

/// An argument that points to something which is not there.
#[cold]
#[inline(never)]
pub fn null(what: &str) -> Error {
    Error::new(Code::NullArgument, format!("{what} is NULL"))
}

/// An argument outside its range.
#[cold]
#[inline(never)]
pub fn bad(what: impl Into<String>) -> Error {
    Error::new(Code::BadArgument, what)
}

impl<'c> Call<'c> {
    /// The object of a handle, pinned for as long as the result lives.
    pub fn get<H: Handle>(&self, handle: H) -> Result<PinOf<H>, Error> {
        H::table().pin(handle.id())
    }

    /// The object of a handle that may be none.
    pub fn get_optional<H: Handle>(&self, handle: H) -> Result<Option<PinOf<H>>, Error> {
        if handle.id() == 0 {
            Ok(None)
        } else {
            self.get(handle).map(Some)
        }
    }

    /// Ends the life of a handle; none is fine.
    pub fn free<H: Handle>(&self, handle: H) -> Result<(), Error> {
        if handle.id() == 0 {
            Ok(())
        } else {
            H::table().free(handle.id())
        }
    }

    /// Bytes that may be absent.
    #[inline]
    pub fn optional_bytes(&self, slice: mrtr_slice, what: &str) -> Result<Option<&'c [u8]>, Error> {
        if slice.ptr.is_null() {
            return if slice.len == 0 {
                Ok(None)
            } else {
                Err(null(what))
            };
        }
        if slice.len > isize::MAX as usize {
            return Err(bad(format!("{what} cannot be {} bytes long", slice.len)));
        }
        // SAFETY: not null, and by the contract of `guard` valid for `len` bytes as long as the call lasts.
        Ok(Some(unsafe { slice::from_raw_parts(slice.ptr, slice.len) }))
    }

    /// Bytes; null with length 0 are none.
    pub fn bytes(&self, slice: mrtr_slice, what: &str) -> Result<&'c [u8], Error> {
        Ok(self.optional_bytes(slice, what)?.unwrap_or_default())
    }

    /// A text that may be absent.
    pub fn optional_text(&self, slice: mrtr_slice, what: &str) -> Result<Option<&'c str>, Error> {
        self.optional_bytes(slice, what)?
            .map(|bytes| utf8(bytes, what))
            .transpose()
    }

    /// A text; null with length 0 is the empty one.
    pub fn text(&self, slice: mrtr_slice, what: &str) -> Result<&'c str, Error> {
        utf8(self.bytes(slice, what)?, what)
    }

    /// Memory to write into, which must not overlap what is read meanwhile.
    pub fn room(
        &self,
        room: mrtr_room,
        read: &[Option<&[u8]>],
        what: &str,
    ) -> Result<&'c mut [u8], Error> {
        if room.ptr.is_null() {
            return if room.len == 0 {
                Ok(&mut [])
            } else {
                Err(null(what))
            };
        }
        if room.len > isize::MAX as usize {
            return Err(bad(format!("{what} cannot be {} bytes long", room.len)));
        }
        let (start, end) = (room.ptr.addr(), room.ptr.addr().saturating_add(room.len));
        let meets = |bytes: &[u8]| {
            let at = bytes.as_ptr().addr();
            at < end && start < at.saturating_add(bytes.len())
        };
        if read.iter().flatten().any(|bytes| meets(bytes)) {
            return Err(bad(format!("{what} overlaps an input")));
        }
        // SAFETY: not null, by the contract of `guard` valid for `len` bytes as long as the call lasts, and apart from what is read.
        Ok(unsafe { slice::from_raw_parts_mut(room.ptr, room.len) })
    }

    /// An array of `count` elements; null with count 0 is empty.
    pub fn array<T: Copy>(
        &self,
        first: *const T,
        count: usize,
        what: &str,
    ) -> Result<Vec<T>, Error> {
        if first.is_null() {
            return if count == 0 {
                Ok(Vec::new())
            } else {
                Err(null(what))
            };
        }
        if count > isize::MAX as usize / size_of::<T>().max(1) {
            return Err(bad(format!("{what} cannot have {count} elements")));
        }
        // SAFETY: not null, and by the contract of `guard` valid for `count` elements.
        Ok((0..count)
            .map(|at| unsafe { first.add(at).read_unaligned() })
            .collect())
    }

    /// One element of an array.
    pub fn element<T: Copy>(&self, first: *const T, at: usize, what: &str) -> Result<T, Error> {
        if first.is_null() {
            return Err(null(what));
        }
        // SAFETY: not null, and by the contract of `guard` the array has an element there.
        Ok(unsafe { first.add(at).read_unaligned() })
    }

    /// An array of byte strings.
    pub fn byte_strings(
        &self,
        first: *const mrtr_slice,
        count: usize,
        what: &str,
    ) -> Result<Vec<&'c [u8]>, Error> {
        let slices = self.array(first, count, what)?;
        slices
            .into_iter()
            .map(|slice| self.bytes(slice, what))
            .collect()
    }

    /// An array of texts.
    pub fn texts(
        &self,
        first: *const mrtr_slice,
        count: usize,
        what: &str,
    ) -> Result<Vec<&'c str>, Error> {
        let slices = self.array(first, count, what)?;
        slices
            .into_iter()
            .map(|slice| self.text(slice, what))
            .collect()
    }
}

fn utf8<'c>(bytes: &'c [u8], what: &str) -> Result<&'c str, Error> {
    str::from_utf8(bytes).map_err(|error| {
        Error::new(
            Code::NotUtf8,
            format!("{what} is not UTF-8 at byte {}", error.valid_up_to()),
        )
    })
}

/// A word that must be 0 or 1.
pub fn flag(word: u32, what: &str) -> Result<bool, Error> {
    match word {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(bad(format!("{what} must be 0 or 1, not {word}"))),
    }
}

/// A limit as a size of this machine; those beyond are none.
pub fn size(limit: u64) -> usize {
    usize::try_from(limit).unwrap_or(usize::MAX)
}

#[cfg(test)]
#[path = "guard_tests.rs"]
mod tests;
