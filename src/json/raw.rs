//! One JSON value as the text it came in.

use super::index::Node;
use super::walk::walk;
use super::{Fault, Limits, Number, Object, Str, skip, write};
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
#[derive(Clone, Copy)]
pub struct Raw<'a> {
    text: &'a str,
    /// Its place and those of what is inside; empty if they were not written down.
    nodes: &'a [Node],
}

impl<'a> Raw<'a> {
    /// `null`.
    pub const NULL: Raw<'static> = Raw::trusted("null");
    /// `{}`.
    pub const EMPTY: Raw<'static> = Raw::trusted("{}");

    /// Checks size, depth (the root is 1) and grammar (J4). Nothing proportional to the text is allocated.
    ///
    /// Lone surrogate escapes are legal. Duplicate members are not looked for: see [`Raw::object`].
    pub fn parse(text: &'a str, limits: &Limits) -> Result<Raw<'a>, Fault> {
        limits.check_message(text.len())?;
        let (start, end) = walk(text, limits.depth, &mut ())?;
        Ok(Raw::trusted(slice(text, start, end)))
    }

    /// [`Raw::parse`] of bytes that may not be UTF-8; the size is checked first.
    pub fn parse_bytes(bytes: &'a [u8], limits: &Limits) -> Result<Raw<'a>, Fault> {
        limits.check_message(bytes.len())?;
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
    pub(crate) const fn trusted(text: &'a str) -> Raw<'a> {
        Raw { text, nodes: &[] }
    }

    /// Is it known that an object in it names a member twice?
    pub(super) fn known_twice(self) -> bool {
        self.nodes.first().is_some_and(|node| node.twice())
    }

    pub(super) fn with_nodes(text: &'a str, nodes: &'a [Node]) -> Raw<'a> {
        Raw { text, nodes }
    }

    /// Is it known that no object in it names a member twice?
    pub(super) fn known_unique(self) -> bool {
        self.nodes.first().is_some_and(|node| !node.twice())
    }

    /// The text of the value, exactly as it came.
    #[inline]
    pub fn text(self) -> &'a str {
        self.text
    }

    /// What kind of value it is.
    #[inline]
    pub fn kind(self) -> Kind {
        match self.text.as_bytes().first() {
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

    /// Is it an array or an object?
    #[inline]
    pub(super) fn has_values(self) -> bool {
        matches!(self.kind(), Kind::Array | Kind::Object)
    }

    /// The value of `true` or `false`.
    pub fn as_bool(self) -> Option<bool> {
        (self.kind() == Kind::Bool).then(|| self.text.starts_with('t'))
    }

    /// The string token, if it is a string.
    #[inline]
    pub fn string(self) -> Option<Str<'a>> {
        let string = || match self.nodes.first() {
            Some(node) => Str::trusted(self.text, node.escaped()),
            None => Str::of_token(self.text),
        };
        (self.kind() == Kind::String).then(string)
    }

    /// The number token, if it is a number.
    #[inline]
    pub fn number(self) -> Option<Number<'a>> {
        (self.kind() == Kind::Number).then(|| Number::trusted(self.text))
    }

    /// The members in text order, if it is an object. Duplicates are not checked.
    #[inline]
    pub fn members(self) -> Option<Members<'a>> {
        self.is_object().then_some(Members(self.inside()))
    }

    /// The elements in order, if it is an array.
    #[inline]
    pub fn elements(self) -> Option<Elements<'a>> {
        (self.kind() == Kind::Array).then_some(Elements(self.inside()))
    }

    #[inline]
    fn inside(self) -> Inside<'a> {
        Inside {
            text: self.text,
            at: 1,
            base: self.nodes.first().map_or(0, |node| node.start()),
            nodes: self.nodes.get(1..).unwrap_or(&[]),
        }
    }

    /// The members with duplicates refused by decoded name, in linear time (J2). Not an object: a syntax fault.
    pub fn object(self) -> Result<Object<'a>, Fault> {
        Object::collect(self.expected()?, self.known_unique())
    }

    /// The members in text order, duplicates refused as by [`Raw::object`]: for a reader that looks at each of them once.
    pub fn distinct(self) -> Result<Members<'a>, Fault> {
        let members = self.expected()?;
        if !self.known_unique() {
            self.object()?;
        }
        Ok(members)
    }

    fn expected(self) -> Result<Members<'a>, Fault> {
        self.members().ok_or(Fault::Syntax {
            offset: 0,
            what: "expected an object",
        })
    }

    /// The text without the line breaks between its tokens; all else is kept (J5).
    pub fn one_line(self) -> Cow<'a, str> {
        // Inside a string a line break can only be escaped, so every raw one stands between tokens.
        if memchr2(b'\n', b'\r', self.text.as_bytes()).is_none() {
            return Cow::Borrowed(self.text);
        }
        let mut out = String::with_capacity(self.text.len());
        write::push_line(&mut out, self.text);
        Cow::Owned(out)
    }
}

/// Values are equal that have the same text.
impl PartialEq for Raw<'_> {
    fn eq(&self, other: &Raw<'_>) -> bool {
        self.text == other.text
    }
}

impl Eq for Raw<'_> {}

impl std::fmt::Debug for Raw<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Raw({:?}, {} bytes)", self.kind(), self.text.len())
    }
}

/// A slice at token borders; empty instead of a panic should they ever be wrong.
#[inline]
fn slice(text: &str, start: usize, end: usize) -> &str {
    text.get(start..end).unwrap_or("")
}

/// A place inside an array or object, before its next value.
#[derive(Clone)]
struct Inside<'a> {
    text: &'a str,
    at: usize,
    /// Where the text begins in the one that was written down.
    base: u32,
    /// The names and values from here on, unless they were not written down.
    nodes: &'a [Node],
}

impl<'a> Inside<'a> {
    /// Where the next name or element is, if there is one.
    fn next(&self) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let mut at = skip::space(bytes, self.at);
        if bytes.get(at) == Some(&b',') {
            at = skip::space(bytes, at + 1);
        }
        (!matches!(bytes.get(at), None | Some(b']' | b'}'))).then_some(at)
    }

    /// The value that starts at `at`; goes on behind it.
    fn value(&mut self, at: usize) -> Raw<'a> {
        self.at = skip::value_end(self.text.as_bytes(), at);
        Raw::trusted(slice(self.text, at, self.at))
    }

    /// The value that is written down next; goes on behind it.
    #[inline]
    fn noted(&mut self) -> Option<Raw<'a>> {
        let count = self.nodes.first()?.count();
        let (nodes, rest) = self.nodes.split_at_checked(count)?;
        self.nodes = rest;
        let range = nodes.first()?.range(self.base);
        self.at = range.end;
        let text = self.text.get(range)?;
        Some(Raw { text, nodes })
    }

    /// The name of the next member, and where its value starts.
    fn name(&self) -> Option<(Str<'a>, usize)> {
        let bytes = self.text.as_bytes();
        let start = self.next()?;
        let (end, escaped) = skip::string_span(bytes, start);
        let colon = skip::space(bytes, end);
        let name = Str::trusted(slice(self.text, start, end), escaped);
        Some((name, skip::space(bytes, colon + 1)))
    }
}

/// The members of an object in text order.
#[derive(Clone)]
pub struct Members<'a>(Inside<'a>);

impl<'a> Members<'a> {
    /// The next member, and where it ends in the text of the object.
    pub(super) fn next_with_end(&mut self) -> Option<(Str<'a>, usize)> {
        let (name, _) = self.next()?;
        Some((name, self.0.at))
    }

    fn scan(&mut self) -> Option<(Str<'a>, Raw<'a>)> {
        let (name, at) = self.0.name()?;
        Some((name, self.0.value(at)))
    }
}

impl<'a> Iterator for Members<'a> {
    type Item = (Str<'a>, Raw<'a>);

    #[inline(never)] // many loops have it
    fn next(&mut self) -> Option<Self::Item> {
        let Some((node, rest)) = self.0.nodes.split_first() else {
            return self.scan();
        };
        let name = self.0.text.get(node.range(self.0.base))?;
        self.0.nodes = rest;
        Some((Str::trusted(name, node.escaped()), self.0.noted()?))
    }
}

/// The elements of an array in order.
#[derive(Clone)]
pub struct Elements<'a>(Inside<'a>);

impl<'a> Elements<'a> {
    /// Values that stand one after the other in text that was checked before, as in an array.
    pub(crate) fn of_row(text: &'a str) -> Elements<'a> {
        Elements(Inside {
            text,
            at: 0,
            base: 0,
            nodes: &[],
        })
    }
}

impl<'a> Iterator for Elements<'a> {
    type Item = Raw<'a>;

    #[inline(never)]
    fn next(&mut self) -> Option<Raw<'a>> {
        if !self.0.nodes.is_empty() {
            return self.0.noted();
        }
        let at = self.0.next()?;
        Some(self.0.value(at))
    }
}
