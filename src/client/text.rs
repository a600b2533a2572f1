//! A part of a text that several owners share.

use crate::json::{Raw, Str};
use std::ops::Deref;
use std::sync::Arc;

/// A slice of a shared text; cloning copies no bytes.
#[derive(Clone)]
pub struct Text {
    whole: Arc<str>,
    start: usize,
    end: usize,
}

impl Text {
    pub(super) fn part(whole: &Arc<str>, span: Span) -> Text {
        Text {
            whole: Arc::clone(whole),
            start: span.start as usize,
            end: span.end(),
        }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        self.whole.get(self.start..self.end).unwrap_or("")
    }
}

impl From<Arc<str>> for Text {
    fn from(whole: Arc<str>) -> Text {
        let end = whole.len();
        Text {
            whole,
            start: 0,
            end,
        }
    }
}

impl Deref for Text {
    type Target = str;
    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Text) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Text {}

impl std::fmt::Debug for Text {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Text({} bytes)", self.len())
    }
}

/// Where a part stands in a text; none that is read is as long as 1 GiB.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    start: u32,
    len: u32,
}

impl Span {
    /// The place of nothing: no value has an empty text.
    pub const NONE: Span = Span { start: 0, len: 0 };

    /// The place of something.
    pub fn present(self) -> Option<Span> {
        (self != Span::NONE).then_some(self)
    }

    /// Where `part`, a slice of `whole`, stands in it.
    pub fn of(whole: &str, part: &str) -> Span {
        let start = (part.as_ptr() as usize).saturating_sub(whole.as_ptr() as usize);
        let fit = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Span {
            start: fit(start),
            len: fit(part.len()),
        }
    }

    fn end(self) -> usize {
        self.start as usize + self.len as usize
    }

    /// The part again; empty in a text that has no such place.
    pub fn within(self, whole: &str) -> &str {
        whole.get(self.start as usize..self.end()).unwrap_or("")
    }
}

/// The member with this name of an object.
pub(super) fn member<'a>(object: Raw<'a>, name: &str) -> Option<Raw<'a>> {
    object
        .members()?
        .find(|(own, _)| own.is(name))
        .map(|(_, value)| value)
}

/// The text of a string, each lone surrogate replaced by U+FFFD.
pub(super) fn decode(token: Str<'_>) -> String {
    if let Some(plain) = token.plain() {
        return plain.to_owned();
    }
    let bytes = token.bytes();
    let mut out = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        out.push_str(chunk.valid());
        // In WTF-8 only a surrogate is not UTF-8: three bytes, and only the first of them is 0xED.
        if chunk.invalid().first() == Some(&0xED) {
            out.push('\u{fffd}');
        }
    }
    out
}
