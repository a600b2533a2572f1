//! One JSON value as the text it came in.

use super::{Fault, Limits, Number, Object, Str, scan, skip, write};
use memchr::memchr2;
use std::borrow::Cow;

/// The six kinds of JSON value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `null`
    Null,
    /// `true` or `false`
    Bool,
    /// A number of any size.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

/// One JSON value, its grammar checked, borrowed from the text it stands in; outer white space trimmed (J1).
///
/// Its `Debug` names kind and length only, so that no content gets into a log.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Raw<'a>(&'a str);

impl<'a> Raw<'a> {
    /// `null`.
    pub const NULL: Raw<'static> = Raw("null");
    /// `{}`.
    pub const EMPTY: Raw<'static> = Raw("{}");

    /// Checks size, depth (the root is 1) and grammar (J4). Nothing proportional to the text is allocated.
    ///
    /// Lone surrogate escapes are legal. Duplicate members are not looked for: see [`Raw::object`].
    pub fn parse(text: &'a str, limits: &Limits) -> Result<Raw<'a>, Fault> {
        Fault::check_size("message", text.len(), limits.message_bytes)?;
        let (start, end) = scan::check(text, limits.depth)?;
        Ok(Raw(slice(text, start, end)))
    }

    /// [`Raw::parse`] of bytes that may not be UTF-8; the size is checked first.
    pub fn parse_bytes(bytes: &'a [u8], limits: &Limits) -> Result<Raw<'a>, Fault> {
        Fault::check_size("message", bytes.len(), limits.message_bytes)?;
        match std::str::from_utf8(bytes) {
            Ok(text) => Raw::parse(text, limits),
            Err(e) => Err(Fault::Syntax {
                offset: e.valid_up_to(),
                what: "not UTF-8",
            }),
        }
    }

    /// A value again, from its text: part of a text whose grammar was checked before.
    #[inline]
    pub(crate) fn trusted(text: &'a str) -> Raw<'a> {
        Raw(text)
    }

    /// A text that was checked before: one grammatical value, without white space around it.
    pub(crate) fn known(text: &'a str) -> Raw<'a> {
        Raw(text)
    }

    /// The text of the value, exactly as it came.
    #[inline]
    pub fn text(self) -> &'a str {
        self.0
    }

    /// What kind of value it is.
    #[inline]
    pub fn kind(self) -> Kind {
        match self.0.as_bytes().first() {
            Some(b'{') => Kind::Object,
            Some(b'[') => Kind::Array,
            Some(b'"') => Kind::String,
            Some(b't' | b'f') => Kind::Bool,
            Some(b'n') => Kind::Null,
            _ => Kind::Number,
        }
    }

    /// Is it `null`?
    #[inline]
    pub fn is_null(self) -> bool {
        self.kind() == Kind::Null
    }

    /// Is it an object?
    #[inline]
    pub fn is_object(self) -> bool {
        self.kind() == Kind::Object
    }

    /// The value of `true` or `false`.
    pub fn as_bool(self) -> Option<bool> {
        (self.kind() == Kind::Bool).then(|| self.0.starts_with('t'))
    }

    /// The string token, if it is a string.
    #[inline]
    pub fn string(self) -> Option<Str<'a>> {
        (self.kind() == Kind::String).then(|| Str::of_token(self.0))
    }

    /// The number token, if it is a number.
    #[inline]
    pub fn number(self) -> Option<Number<'a>> {
        (self.kind() == Kind::Number).then(|| Number::trusted(self.0))
    }

    /// The members in text order, if it is an object. Duplicates are not checked.
    #[inline]
    pub fn members(self) -> Option<Members<'a>> {
        self.is_object().then_some(Members {
            text: self.0,
            at: 1,
        })
    }

    /// The elements in order, if it is an array.
    #[inline]
    pub fn elements(self) -> Option<Elements<'a>> {
        (self.kind() == Kind::Array).then_some(Elements {
            text: self.0,
            at: 1,
        })
    }

    /// The members with duplicates refused by decoded name, in linear time (J2). Not an object: a syntax fault.
    pub fn object(self) -> Result<Object<'a>, Fault> {
        match self.members() {
            Some(members) => Object::collect(members),
            None => Err(Fault::Syntax {
                offset: 0,
                what: "expected an object",
            }),
        }
    }

    /// The text without the line breaks between its tokens; all else is kept (J5).
    pub fn one_line(self) -> Cow<'a, str> {
        // Inside a string a line break can only be escaped, so every raw one stands between tokens.
        if memchr2(b'\n', b'\r', self.0.as_bytes()).is_none() {
            return Cow::Borrowed(self.0);
        }
        let mut out = String::with_capacity(self.0.len());
        write::push_line(&mut out, self.0);
        Cow::Owned(out)
    }
}

impl std::fmt::Debug for Raw<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Raw({:?}, {} bytes)", self.kind(), self.0.len())
    }
}

/// A slice at token borders; empty instead of a panic should they ever be wrong.
#[inline]
fn slice(text: &str, start: usize, end: usize) -> &str {
    text.get(start..end).unwrap_or("")
}

/// Where a member stands in the text of its object.
pub(super) struct Span {
    pub name: (usize, usize),
    pub escaped: bool,
    pub value: (usize, usize),
}

/// The members of an object in text order.
#[derive(Clone)]
pub struct Members<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Members<'a> {
    /// The name of the next member and where its value starts; [`Members::go_on`] says where it ends.
    #[inline]
    pub(super) fn next_name(&mut self) -> Option<(Str<'a>, usize)> {
        let ((start, end), escaped, value) = self.name_span()?;
        Some((Str::trusted(slice(self.text, start, end), escaped), value))
    }

    /// Goes on behind a value that ended at `at`.
    pub(super) fn go_on(&mut self, at: usize) {
        self.at = at;
    }

    /// The value that starts at `at`; goes on behind it.
    pub(super) fn value(&mut self, at: usize) -> Raw<'a> {
        self.at = skip::value_end(self.text.as_bytes(), at);
        Raw(slice(self.text, at, self.at))
    }

    #[inline]
    fn name_span(&self) -> Option<((usize, usize), bool, usize)> {
        let bytes = self.text.as_bytes();
        let mut at = skip::space(bytes, self.at);
        if bytes.get(at) == Some(&b',') {
            at = skip::space(bytes, at + 1);
        }
        if bytes.get(at) != Some(&b'"') {
            return None;
        }
        let (end, escaped) = skip::string_span(bytes, at);
        let colon = skip::space(bytes, end);
        Some(((at, end), escaped, skip::space(bytes, colon + 1)))
    }

    #[inline]
    pub(super) fn next_span(&mut self) -> Option<Span> {
        let (name, escaped, start) = self.name_span()?;
        let value = (start, skip::value_end(self.text.as_bytes(), start));
        self.at = value.1;
        Some(Span {
            name,
            escaped,
            value,
        })
    }
}

impl<'a> Iterator for Members<'a> {
    type Item = (Str<'a>, Raw<'a>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let span = self.next_span()?;
        Some((
            Str::trusted(slice(self.text, span.name.0, span.name.1), span.escaped),
            Raw(slice(self.text, span.value.0, span.value.1)),
        ))
    }
}

/// The elements of an array in order.
#[derive(Clone)]
pub struct Elements<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Iterator for Elements<'a> {
    type Item = Raw<'a>;

    #[inline]
    fn next(&mut self) -> Option<Raw<'a>> {
        let bytes = self.text.as_bytes();
        let mut at = skip::space(bytes, self.at);
        if bytes.get(at) == Some(&b',') {
            at = skip::space(bytes, at + 1);
        }
        if matches!(bytes.get(at), None | Some(b']')) {
            return None;
        }
        let end = skip::value_end(bytes, at);
        self.at = end;
        Some(Raw(slice(self.text, at, end)))
    }
}
