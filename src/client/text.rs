//! A part of a text that several owners share.

use crate::json::{Raw, Str};
use std::ops::{Deref, Range};
use std::sync::Arc;

/// A slice of a shared text; cloning copies no bytes.
#[derive(Clone)]
pub struct Text {
    whole: Arc<str>,
    start: usize,
    end: usize,
}

impl Text {
    pub(super) fn part(whole: &Arc<str>, span: &Range<usize>) -> Text {
        let fits = whole.get(span.clone()).is_some();
        let (start, end) = if fits { (span.start, span.end) } else { (0, 0) };
        Text {
            whole: Arc::clone(whole),
            start,
            end,
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

/// Where `part`, a slice of `whole`, stands in it.
pub(super) fn span(whole: &str, part: &str) -> Range<usize> {
    let start = (part.as_ptr() as usize).saturating_sub(whole.as_ptr() as usize);
    start..start.saturating_add(part.len())
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
