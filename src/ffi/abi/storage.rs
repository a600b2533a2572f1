//! One buffer for all texts of a struct that goes out.

use super::{
    buf::mrtr_buf,
    sized::{ABSENT, Plain},
    slice::mrtr_slice,
};
use std::ptr;
use zeroize::Zeroize;

/// Stands in `cap` of buffers that are wiped; no allocation is that large.
const WIPE: usize = 1 << (usize::BITS - 1);

/// Texts that most structs have at most.
const USUAL: usize = 12;

/// Collects texts, then gives the buffer and the slices into it.
pub struct Storage<'a> {
    parts: Vec<&'a [u8]>,
    len: usize,
}

/// Where a text lies in the buffer to come; `None` = absent.
#[derive(Clone, Copy)]
pub struct Place(Option<(usize, usize)>);

/// The finished buffer.
pub struct Stored {
    buf: mrtr_buf,
}

impl<'a> Storage<'a> {
    /// Nothing yet.
    pub fn new() -> Self {
        Storage {
            parts: Vec::with_capacity(USUAL),
            len: 0,
        }
    }

    /// Adds a text.
    pub fn add(&mut self, text: &'a (impl AsRef<[u8]> + ?Sized)) -> Place {
        let text = text.as_ref();
        let at = self.len;
        self.len += text.len();
        self.parts.push(text);
        Place(Some((at, text.len())))
    }

    /// Adds a text that may be absent.
    pub fn add_optional(&mut self, text: Option<&'a (impl AsRef<[u8]> + ?Sized)>) -> Place {
        text.map_or(Place(None), |text| self.add(text))
    }

    /// Copies all of it into one buffer; where nothing was added there is none, and nothing to give back.
    pub fn finish(self) -> Stored {
        if self.parts.is_empty() {
            return Stored {
                buf: mrtr_buf::NONE,
            };
        }
        // One byte more, so that even an empty text has an address that is not null: absent and empty differ.
        let mut bytes = Vec::with_capacity(self.len + 1);
        for part in &self.parts {
            bytes.extend_from_slice(part);
        }
        bytes.push(0);
        Stored {
            buf: mrtr_buf::from_vec(bytes),
        }
    }
}

/// A single text, and the buffer that owns it.
#[inline]
pub fn one(text: &[u8]) -> (mrtr_slice, mrtr_buf) {
    let buf = mrtr_buf::from_vec(text.to_vec());
    let slice = mrtr_slice {
        ptr: buf.ptr.cast_const(),
        len: buf.len,
    };
    (slice, buf)
}

impl Stored {
    /// The slice of a text.
    pub fn slice(&self, place: Place) -> mrtr_slice {
        match place.0 {
            Some((at, len)) => mrtr_slice {
                ptr: self.buf.ptr.cast_const().wrapping_add(at),
                len,
            },
            None => ABSENT,
        }
    }

    /// The buffer that owns the bytes.
    pub fn into_buf(self) -> mrtr_buf {
        self.buf
    }
}

impl mrtr_buf {
    /// Hands bytes over to the caller. An empty buffer has an address that is not null all the same.
    #[inline]
    pub fn from_vec(mut bytes: Vec<u8>) -> mrtr_buf {
        if bytes.capacity() == 0 {
            bytes.reserve_exact(1);
        }
        let mut bytes = std::mem::ManuallyDrop::new(bytes);
        mrtr_buf {
            ptr: bytes.as_mut_ptr(),
            len: bytes.len(),
            cap: bytes.capacity(),
        }
    }

    /// The same for bytes that are wiped when they are given back.
    pub fn secret(bytes: Vec<u8>) -> mrtr_buf {
        let buf = mrtr_buf::from_vec(bytes);
        mrtr_buf {
            cap: buf.cap | WIPE,
            ..buf
        }
    }

    /// Takes bytes back; `None` of an empty struct.
    ///
    /// # Safety
    /// As for `release`.
    pub unsafe fn into_vec(self) -> Option<Vec<u8>> {
        let cap = self.cap & !WIPE;
        // SAFETY: by contract these are the parts of a vector that `from_vec` took apart.
        (!self.ptr.is_null() && cap > 0)
            .then(|| unsafe { Vec::from_raw_parts(self.ptr, self.len.min(cap), cap) })
    }

    /// Takes bytes back and drops them.
    ///
    /// # Safety
    /// The buffer is zero or came from `from_vec` and was not given back since.
    pub unsafe fn release(self) {
        let wipe = self.cap & WIPE != 0;
        // SAFETY: by the same contract.
        let Some(mut bytes) = (unsafe { self.into_vec() }) else {
            return;
        };
        if wipe {
            bytes.zeroize();
        }
    }
}

/// A slice of static text.
pub fn fixed(text: &'static str) -> mrtr_slice {
    mrtr_slice::of(text.as_bytes())
}

impl Plain for mrtr_slice {
    const NONE: mrtr_slice = mrtr_slice {
        ptr: ptr::null(),
        len: 0,
    };
}
