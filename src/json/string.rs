//! A string token: compared and decoded without being rewritten (J1, J3).

use super::Key;
use memchr::memchr;
use std::borrow::Cow;

/// A string as it stands in the text, quotes included. Compares by the code points it decodes to.
///
/// Decoded bytes are WTF-8: UTF-8 in which a lone surrogate keeps its three-byte form.
#[derive(Clone, Copy)]
pub struct Str<'a> {
    token: &'a str,
    escaped: bool,
}

impl<'a> Str<'a> {
    pub(super) const EMPTY: Str<'static> = Str {
        token: "\"\"",
        escaped: false,
    };

    /// A token whose grammar was checked, and whether a backslash is in it.
    #[inline]
    pub(super) const fn trusted(token: &'a str, escaped: bool) -> Str<'a> {
        Str { token, escaped }
    }

    /// A token whose grammar was checked.
    #[inline]
    pub(super) fn of_token(token: &'a str) -> Str<'a> {
        // A call costs more than a look at each byte of a short one.
        let escaped = match token.as_bytes() {
            #[allow(clippy::manual_contains)] // which makes that call
            short if short.len() <= 32 => short.iter().any(|byte| *byte == b'\\'),
            long => memchr(b'\\', long).is_some(),
        };
        Str { token, escaped }
    }

    /// The token with its quotes, exactly as it came.
    #[inline]
    pub fn token(self) -> &'a str {
        self.token
    }

    #[inline]
    fn inner(self) -> &'a str {
        self.token
            .get(1..self.token.len().saturating_sub(1))
            .unwrap_or("")
    }

    /// The decoded bytes (WTF-8); borrowed unless the token has escapes.
    #[inline]
    pub fn bytes(self) -> Cow<'a, [u8]> {
        if !self.escaped {
            return Cow::Borrowed(self.inner().as_bytes());
        }
        let mut out = Vec::with_capacity(self.inner().len());
        self.write_bytes(&mut out);
        Cow::Owned(out)
    }

    /// Appends the decoded bytes (WTF-8).
    pub fn write_bytes(self, out: &mut Vec<u8>) {
        let mut rest = self.inner();
        while self.escaped
            && let Some(at) = rest.find('\\')
        {
            out.extend_from_slice(rest.as_bytes().get(..at).unwrap_or(&[]));
            let mut points = Points(rest.get(at..).unwrap_or(""));
            if let Some(point) = points.next() {
                push_wtf8(out, point);
            }
            rest = points.0;
        }
        out.extend_from_slice(rest.as_bytes());
    }

    /// Bytes that [`Str::write_bytes`] appends.
    #[inline]
    pub fn bytes_len(self) -> usize {
        if self.escaped {
            self.points().map(wtf8_len).sum()
        } else {
            self.inner().len()
        }
    }

    /// The decoded text; `None` if it holds a lone surrogate.
    pub fn text(self) -> Option<Cow<'a, str>> {
        if !self.escaped {
            return Some(Cow::Borrowed(self.inner()));
        }
        match self.bytes() {
            Cow::Owned(bytes) => String::from_utf8(bytes).ok().map(Cow::Owned),
            Cow::Borrowed(bytes) => std::str::from_utf8(bytes).ok().map(Cow::Borrowed),
        }
    }

    /// The text, if it needs no decoding.
    #[inline]
    pub fn plain(self) -> Option<&'a str> {
        (!self.escaped).then(|| self.inner())
    }

    /// Does it decode to exactly `name`? (J3)
    #[inline]
    pub fn is(self, name: &str) -> bool {
        // Every escape is longer than what it stands for, so a plain token has the length of its text.
        if self.escaped {
            self.is_escaped(name)
        } else {
            self.token.len() == name.len() + 2 && self.inner() == name
        }
    }

    #[cold]
    fn is_escaped(self, name: &str) -> bool {
        self.inner().len() > name.len() && self.points().eq(name.chars().map(u32::from))
    }

    /// Do both decode to the same code units? (J3)
    #[inline]
    pub fn same(self, other: Str<'_>) -> bool {
        if self.escaped || other.escaped {
            self.points().eq(other.points())
        } else {
            self.token == other.token
        }
    }

    /// Length in code points; a lone surrogate counts as one.
    pub fn code_points(self) -> usize {
        if self.escaped {
            self.points().count()
        } else {
            self.inner().chars().count()
        }
    }

    /// The decoded name as a value of its own.
    pub fn key(self) -> Key {
        Key::trusted(self.bytes().into_owned())
    }

    fn points(self) -> Points<'a> {
        Points(self.inner())
    }
}

impl std::fmt::Debug for Str<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Str({} bytes)", self.token.len())
    }
}

/// Code points of the text between the quotes; pairs of surrogate escapes joined, lone ones as they are.
struct Points<'a>(&'a str);

impl Points<'_> {
    fn skip(&mut self, bytes: usize) {
        self.0 = self.0.get(bytes..).unwrap_or("");
    }

    /// The code unit of an escape `\uXXXX` at the start of the rest.
    fn unit(&self) -> Option<u32> {
        let hex = self.0.strip_prefix("\\u")?.get(..4)?;
        u32::from_str_radix(hex, 16).ok()
    }
}

impl Iterator for Points<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let first = self.0.chars().next()?;
        if first != '\\' {
            self.skip(first.len_utf8());
            return Some(first.into());
        }
        if let Some(unit) = self.unit() {
            self.skip(6);
            if (0xD800..0xDC00).contains(&unit)
                && let Some(low @ 0xDC00..=0xDFFF) = self.unit()
            {
                self.skip(6);
                return Some(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00));
            }
            return Some(unit);
        }
        let decoded = match self.0.as_bytes().get(1)? {
            b'b' => 0x08,
            b'f' => 0x0C,
            b'n' => 0x0A,
            b'r' => 0x0D,
            b't' => 0x09,
            &other => u32::from(other),
        };
        self.skip(2);
        Some(decoded)
    }
}

fn wtf8_len(point: u32) -> usize {
    match point {
        0..0x80 => 1,
        0x80..0x800 => 2,
        0x800..0x10000 => 3,
        _ => 4,
    }
}

fn push_wtf8(out: &mut Vec<u8>, point: u32) {
    match char::from_u32(point) {
        Some(c) => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        // A surrogate, in the form that UTF-8 would have for it.
        None => {
            let low = |shift: u32| 0x80 | (point >> shift & 0x3F) as u8;
            out.extend_from_slice(&[0xED, low(6), low(0)]);
        }
    }
}
