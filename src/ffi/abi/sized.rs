//! Structs that say their own size first (F7): they may grow, and old programs still fit.

use super::{
    buf::mrtr_buf,
    guard::{Call, bad, null},
    slice::mrtr_slice,
    version::{MRTR_ABI_LEVEL, MRTR_ABI_MAJOR},
};
use crate::protocol::{Code, Error};
use std::{ptr, slice};

/// A struct of the header that begins with `uint32_t struct_size`.
///
/// # Safety
/// `#[repr(C)]`, made of integers, floats, raw pointers and nullable function pointers only, so that any bytes are a value;
/// the first field is `struct_size`, and the second is `abi` if `HAS_ABI`.
pub unsafe trait Extensible: Copy {
    /// Its name in the header.
    const NAME: &'static str;
    /// Where the last field of the first release ends: nobody has a shorter one.
    const LEAST: usize;
    /// Whether the second word is the header's `MRTR_ABI`.
    const HAS_ABI: bool;

    /// What a field is that the caller does not know.
    fn defaults() -> Self;
}

/// Declares a size-first struct: `sized!(mrtr_x, last_field, abi?, defaults)`.
macro_rules! sized {
    ($name:ident, $last:ident : $last_type:ty, abi = $abi:expr, $defaults:expr) => {
        // SAFETY: a `#[repr(C)]` struct of plain words that begins with `struct_size`.
        unsafe impl $crate::ffi::abi::sized::Extensible for $name {
            const NAME: &'static str = stringify!($name);
            const LEAST: usize = std::mem::offset_of!($name, $last) + size_of::<$last_type>();
            const HAS_ABI: bool = $abi;

            fn defaults() -> Self {
                $defaults
            }
        }
    };
}
pub(crate) use sized;

/// No struct will ever be longer: a larger size is memory that nobody set, and is not believed.
const MOST: usize = 4096;

/// All bytes 0: the start of every default.
pub fn zeroed<T: Extensible>() -> T {
    // SAFETY: any bytes are a value of a `Extensible`.
    unsafe { std::mem::zeroed() }
}

fn bad_size<T: Extensible>(size: usize, why: &str) -> Error {
    size_error(T::NAME, size_of::<T>(), size, why)
}

#[cold]
#[inline(never)]
fn size_error(name: &str, known: usize, size: usize, why: &str) -> Error {
    let message = format!("{name}: struct_size is {size}, {why} (this library knows {known})");
    Error::new(Code::BadStructSize, message)
}

fn check_abi(name: &str, abi: u32) -> Result<(), Error> {
    let (major, level) = (abi >> 16, abi & 0xFFFF);
    if major == MRTR_ABI_MAJOR && (1..=MRTR_ABI_LEVEL).contains(&level) {
        return Ok(());
    }
    let message = format!(
        "{name}: the header has ABI {major}.{level}, the library {MRTR_ABI_MAJOR}.{MRTR_ABI_LEVEL}"
    );
    Err(Error::new(Code::AbiMismatch, message))
}

impl<'c> Call<'c> {
    /// Reads a struct: what the caller does not know has its default, what this library does not know must be 0.
    pub fn sized<T: Extensible>(&self, from: *const T, what: &str) -> Result<T, Error> {
        if from.is_null() {
            return Err(null(what));
        }
        let first = from.cast::<u8>();
        // SAFETY: not null, so by the contract of `guard` a struct that begins with its size.
        let size = unsafe { first.cast::<u32>().read_unaligned() } as usize;
        if size < T::LEAST {
            return Err(bad_size::<T>(size, "too small"));
        }
        if size > MOST {
            return Err(bad_size::<T>(size, "too large"));
        }
        // SAFETY: the struct is as long as it says.
        let bytes = unsafe { slice::from_raw_parts(first, size) };
        if T::HAS_ABI {
            let abi = bytes
                .get(4..8)
                .and_then(|word| word.try_into().ok())
                .map_or(0, u32::from_ne_bytes);
            check_abi(T::NAME, abi)?;
        }
        if bytes.iter().skip(size_of::<T>()).any(|byte| *byte != 0) {
            return Err(bad_size::<T>(size, "its tail is not zero"));
        }
        let mut value = T::defaults();
        let known = size.min(size_of::<T>());
        // SAFETY: `known` bytes are there on both sides, the value is ours alone, and any bytes are a `T`.
        unsafe { ptr::copy_nonoverlapping(first, ptr::from_mut(&mut value).cast::<u8>(), known) };
        Ok(value)
    }

    /// Reads a struct that may be absent.
    pub fn optional_sized<T: Extensible>(&self, from: *const T) -> Result<Option<T>, Error> {
        if from.is_null() {
            Ok(None)
        } else {
            self.sized(from, T::NAME).map(Some)
        }
    }

    /// Writes defaults into a struct of the caller's, never beyond `size`; an unknown tail becomes 0.
    pub fn init<T: Extensible>(&self, into: *mut T, size: u32, abi: u32) -> Result<(), Error> {
        if into.is_null() {
            return Err(null(T::NAME));
        }
        let mut value = T::defaults();
        let first = ptr::from_mut(&mut value).cast::<u8>();
        let known = (size as usize).min(size_of::<T>());
        // SAFETY: the first two words of `value` are its size and, if it has one, its ABI word; `into` has room for `size` bytes.
        unsafe {
            first.cast::<u32>().write_unaligned(size);
            if T::HAS_ABI {
                first.add(4).cast::<u32>().write_unaligned(abi);
            }
            ptr::write_bytes(into.cast::<u8>(), 0, (size as usize).min(MOST));
            ptr::copy_nonoverlapping(first, into.cast::<u8>(), known);
        }
        Ok(())
    }

    /// A struct that the library fills: zeroed but for its size, unless it is null or too small.
    pub fn sized_out<T: Extensible>(&self, into: *mut T) -> SizedOut<T> {
        if into.is_null() {
            return SizedOut { into, size: 0 };
        }
        // SAFETY: not null, so by the contract of `guard` a struct that begins with its size and is as long as it says.
        unsafe {
            let size = into.cast::<u32>().read_unaligned() as usize;
            if (T::LEAST..=MOST).contains(&size) {
                ptr::write_bytes(into.cast::<u8>().add(4), 0, size - 4);
            }
            SizedOut { into, size }
        }
    }

    /// A place for a plain value: zeroed, unless it is null.
    pub fn out<T: Plain>(&self, into: *mut T) -> Out<T> {
        if !into.is_null() {
            // SAFETY: not null, so by the contract of `guard` room for a `T`.
            unsafe { into.write_unaligned(T::NONE) };
        }
        Out(into)
    }
}

/// What can be a plain out-parameter.
pub trait Plain: Copy {
    /// What stands there on failure.
    const NONE: Self;
}

impl Plain for u32 {
    const NONE: u32 = 0;
}

impl Plain for i32 {
    const NONE: i32 = 0;
}

impl Plain for u64 {
    const NONE: u64 = 0;
}

impl Plain for usize {
    const NONE: usize = 0;
}

impl Plain for mrtr_buf {
    const NONE: mrtr_buf = mrtr_buf {
        ptr: ptr::null_mut(),
        len: 0,
        cap: 0,
    };
}

/// An out-parameter during a call.
pub struct Out<T>(*mut T);

impl<T: Plain> Out<T> {
    /// Refuses null.
    pub fn needed(self, what: &str) -> Result<Self, Error> {
        if self.0.is_null() {
            Err(null(what))
        } else {
            Ok(self)
        }
    }

    /// Fills it; null is passed over.
    pub fn set(&self, value: T) {
        if !self.0.is_null() {
            // SAFETY: not null, so by the contract of `guard` room for a `T`.
            unsafe { self.0.write_unaligned(value) };
        }
    }
}

/// A size-first out-parameter during a call.
pub struct SizedOut<T> {
    into: *mut T,
    size: usize,
}

impl<T: Extensible> SizedOut<T> {
    /// Refuses null and structs that are too small.
    pub fn needed(self) -> Result<Self, Error> {
        match self.optional()? {
            Some(out) => Ok(out),
            None => Err(null(T::NAME)),
        }
    }

    /// Null is fine; refuses structs that are too small.
    pub fn optional(self) -> Result<Option<Self>, Error> {
        if self.into.is_null() {
            return Ok(None);
        }
        if self.size < T::LEAST {
            return Err(bad_size::<T>(self.size, "too small: set it with MRTR_SIZE"));
        }
        if self.size > MOST {
            return Err(bad_size::<T>(self.size, "too large: set it with MRTR_SIZE"));
        }
        Ok(Some(self))
    }

    /// Fills all but the size, as far as the caller knows the struct.
    #[inline]
    pub fn set(&self, value: T) {
        if self.size >= size_of::<T>() {
            // SAFETY: `needed` and `optional` let through only structs that are there and as long as they say.
            unsafe {
                self.into.write_unaligned(value);
                self.into.cast::<u32>().write_unaligned(self.size as u32);
            }
            return;
        }
        let from = ptr::from_ref(&value).cast::<u8>();
        let known = self.size - 4;
        // SAFETY: as above; all of them are at least `LEAST` (> 4) bytes long.
        unsafe { ptr::copy_nonoverlapping(from.add(4), self.into.cast::<u8>().add(4), known) };
    }
}

/// Refuses a word that is none of `allowed`.
pub fn one_of(word: u32, allowed: &[u32], what: &str) -> Result<u32, Error> {
    if allowed.contains(&word) {
        Ok(word)
    } else {
        Err(bad(format!("{what} cannot be {word}")))
    }
}

/// The absent slice.
pub const ABSENT: mrtr_slice = mrtr_slice {
    ptr: ptr::null(),
    len: 0,
};
