//! How a host states a question: by its whole text, or by the parts of one (B3). The parts tell as much as the text, so a
//! question that was stated before is known again before any text is made of them.

use super::ask_text;
use crate::json::{Limits, Raw};
use crate::protocol::{Code, Error};
use rustc_hash::FxHasher;
use std::borrow::Cow;
use std::hash::Hasher;

/// What the parts are parts of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Made {
    /// The text of an entry of `inputRequests`, and nothing.
    Whole,
    /// A form: its message as plain text, its schema as JSON text.
    Form,
    /// A URL ask: message and URL as plain text.
    Url,
    /// Sampling: its params as JSON text, and nothing.
    Sampling,
    /// Roots: nothing.
    Roots,
}

/// A question as it was stated, its parts not looked at yet.
#[derive(Clone, Copy)]
pub(crate) struct Wording<'a> {
    made: Made,
    parts: [&'a [u8]; 2],
}

impl<'a> Wording<'a> {
    /// Of these parts.
    #[inline]
    pub(crate) fn of(made: Made, first: &'a [u8], second: &'a [u8]) -> Wording<'a> {
        Wording {
            made,
            parts: [first, second],
        }
    }

    /// A hash of all of it.
    pub(super) fn hash(&self) -> u64 {
        let [first, second] = self.parts;
        let mut hasher = FxHasher::default();
        hasher.write_u8(self.made as u8);
        hasher.write(first);
        hasher.write(second);
        hasher.finish()
    }

    /// Bytes of its parts.
    #[inline]
    pub(super) fn len(&self) -> usize {
        let [first, second] = self.parts;
        first.len().saturating_add(second.len())
    }

    /// The text of the entry of `inputRequests`.
    ///
    /// Errors: `not_utf8`; what is wrong with a part that has to be JSON text of its own.
    pub(super) fn text(&self, limits: &Limits) -> Result<Cow<'a, str>, Error> {
        let [first, second] = self.parts;
        Ok(match self.made {
            Made::Whole => Cow::Borrowed(utf8(first, "ask")?),
            Made::Form => {
                let (message, schema) = (utf8(first, "message")?, utf8(second, "schema")?);
                ask_text::form(message, Raw::parse(schema, limits)?).into()
            }
            Made::Url => ask_text::url(utf8(first, "message")?, utf8(second, "url")?).into(),
            Made::Sampling => {
                ask_text::sampling(Raw::parse(utf8(first, "params")?, limits)?).into()
            }
            Made::Roots => ask_text::roots().into(),
        })
    }

    /// A copy to compare others with.
    pub(super) fn kept(&self) -> KeptWording {
        let [first, second] = self.parts;
        KeptWording {
            made: self.made,
            first: first.len(),
            parts: [first, second].concat().into(),
        }
    }
}

fn utf8<'a>(bytes: &'a [u8], part: &str) -> Result<&'a str, Error> {
    std::str::from_utf8(bytes).map_err(|fault| {
        let at = fault.valid_up_to();
        Error::new(Code::NotUtf8, format!("{part} is not UTF-8 at byte {at}"))
    })
}

/// A [`Wording`] that is kept.
pub(super) struct KeptWording {
    made: Made,
    /// Length of the first part.
    first: usize,
    parts: Box<[u8]>,
}

impl KeptWording {
    /// Is it the same, byte for byte?
    #[inline]
    pub fn is(&self, other: &Wording<'_>) -> bool {
        let [first, second] = other.parts;
        self.made == other.made
            && self.first == first.len()
            && self
                .parts
                .split_at_checked(self.first)
                .is_some_and(|parts| parts == (first, second))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wording_is_known_again_only_if_it_is_the_same_byte_for_byte() {
        let wordings = [
            Wording::of(Made::Whole, b"ab", b""),
            Wording::of(Made::Whole, b"ab ", b""),
            Wording::of(Made::Whole, b"", b""),
            Wording::of(Made::Form, b"ab", b""),
            Wording::of(Made::Form, b"a", b"b"),
            Wording::of(Made::Form, b"", b"ab"),
            Wording::of(Made::Url, b"a", b"b"),
            Wording::of(Made::Url, b"", b"ab"),
            Wording::of(Made::Sampling, b"ab", b""),
            Wording::of(Made::Roots, b"", b""),
        ];
        for (at, wording) in wordings.iter().enumerate() {
            for (other_at, other) in wordings.iter().enumerate() {
                assert_eq!(wording.kept().is(other), at == other_at, "{at} {other_at}");
            }
        }
    }
}
