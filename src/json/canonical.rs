//! One byte form for all spellings of a JSON value, written while its grammar is checked (S5).

use super::order::sort_by;
use super::walk::Token;
use super::{Number, Str};
use std::ops::Range;

/// Scratch space for [`super::canonicalize`], kept between calls so that a warm one allocates nothing.
#[derive(Default)]
pub struct Canonical {
    out: Vec<u8>,
    members: Vec<Member>,
    frames: Vec<Frame>,
    /// First bytes and numbers of members that are put into order.
    order: Vec<(u64, u32)>,
    unsorted: Vec<u8>,
}

/// A member already written: where it begins in `out`, and where its decoded name lies there. It ends where the next begins.
struct Member {
    start: usize,
    name: Range<usize>,
    /// The first bytes of the name, zeros behind a shorter one: they order most names.
    first: u64,
}

struct Frame {
    object: bool,
    /// First of its entries in `members`.
    first: usize,
}

impl Canonical {
    /// Empty scratch space.
    pub fn new() -> Canonical {
        Canonical::default()
    }

    /// The canonical form of the last value.
    pub fn bytes(&self) -> &[u8] {
        &self.out
    }

    /// Forgets what was written, keeps the space.
    pub(super) fn clear(&mut self) {
        self.out.clear();
        self.members.clear();
        self.frames.clear();
    }

    /// Gives the space back: what comes next takes space of its own.
    #[cold]
    pub(super) fn release(&mut self) {
        *self = Canonical::new();
    }

    /// Bytes of space, used or not.
    pub(crate) fn room(&self) -> usize {
        let members = self.members.capacity() * size_of::<Member>();
        let frames = self.frames.capacity() * size_of::<Frame>();
        let order = self.order.capacity() * size_of::<(u64, u32)>();
        self.out.capacity() + self.unsorted.capacity() + members + frames + order
    }

    /// Appends bytes as they are.
    #[inline]
    pub(super) fn push_bytes(&mut self, bytes: &[u8]) {
        self.out.extend_from_slice(bytes);
    }

    /// Appends one string of plain text.
    #[inline]
    pub(super) fn push_text(&mut self, text: &str) {
        self.out.push(b's');
        push_len(&mut self.out, text.len());
        self.out.extend_from_slice(text.as_bytes());
    }

    /// Appends one string.
    pub(super) fn push_str(&mut self, string: Str<'_>) {
        self.push_counted(b's', string);
    }

    /// Puts what was written from `from` on to the place `to` before it.
    pub(super) fn move_back(&mut self, from: usize, to: usize) {
        let len = self.out.len().saturating_sub(from);
        if let Some(part) = self.out.get_mut(to..) {
            part.rotate_right(len.min(part.len()));
        }
    }

    /// What is written while `text` is walked over.
    pub(super) fn listen<'c, 't>(&'c mut self, text: &'t str) -> Writing<'c, 't> {
        Writing {
            canonical: self,
            text,
            twice: false,
        }
    }

    /// Appends a tag, the length and the decoded bytes of a string; returns where those bytes lie.
    fn push_counted(&mut self, tag: u8, string: Str<'_>) -> Range<usize> {
        self.out.push(tag);
        push_len(&mut self.out, string.bytes_len());
        let start = self.out.len();
        string.write_bytes(&mut self.out);
        start..self.out.len()
    }

    /// [`Canonical::push_counted`] of a token of `text`, and the first bytes of the string.
    #[inline(always)]
    fn push_token(&mut self, tag: u8, text: &str, token: Token) -> (Range<usize>, u64) {
        let len = token.end.saturating_sub(token.start + 2);
        // Most strings are short and plain: sixteen bytes are copied whole and cut, which needs no call.
        if !token.escaped
            && len <= 16
            && let Some(whole) = text
                .as_bytes()
                .get(token.start + 1..)
                .and_then(<[u8]>::first_chunk::<16>)
        {
            let mut piece = [0; 18];
            let [to_tag, to_len, bytes @ ..] = &mut piece;
            (*to_tag, *to_len, *bytes) = (tag, len as u8, *whole);
            let start = self.out.len() + 2;
            self.out.extend_from_slice(&piece);
            self.out.truncate(start + len);
            return (start..start + len, first_bytes(whole, len));
        }
        self.push_long(tag, text, token)
    }

    /// [`Canonical::push_token`] of a token with escapes, a long one, or one near the end of the text.
    #[inline(never)]
    fn push_long(&mut self, tag: u8, text: &str, token: Token) -> (Range<usize>, u64) {
        let place = text.get(token.start..token.end).unwrap_or("");
        let range = self.push_counted(tag, Str::trusted(place, token.escaped));
        let decoded = self.out.get(range.clone()).unwrap_or(&[]);
        let mut whole = [0; 16];
        whole
            .iter_mut()
            .zip(decoded)
            .for_each(|(to, from)| *to = *from);
        let first = first_bytes(&whole, decoded.len());
        (range, first)
    }

    /// Ends the innermost array or object, its members put into order; false if one stands twice.
    fn close(&mut self) -> bool {
        let Some(Frame { object, first }) = self.frames.pop() else {
            return true;
        };
        let unique = !object || self.sort_members(first);
        self.members.truncate(first);
        self.out.push(b'e');
        unique
    }

    /// Sorts the members from `first` on by name; false if two have one name.
    fn sort_members(&mut self, first: usize) -> bool {
        let Canonical {
            out,
            members,
            order,
            unsorted,
            ..
        } = self;
        let members = members.get(first..).unwrap_or(&[]);
        let name = |at: u32| {
            let name = members.get(at as usize).map(|m| m.name.clone());
            name.and_then(|name| out.get(name)).unwrap_or(&[])
        };
        let compare =
            |a: &(u64, u32), b: &(u64, u32)| a.0.cmp(&b.0).then_with(|| name(a.1).cmp(name(b.1)));
        order.clear();
        order.extend(members.iter().zip(0..).map(|(m, at)| (m.first, at)));
        if order.is_sorted_by(|a, b| compare(a, b).is_lt()) {
            return true;
        }
        sort_by(order, compare);
        if order.array_windows().any(|[a, b]| compare(a, b).is_eq()) {
            return false;
        }
        let (block, whole) = (members.first().map_or(0, |m| m.start), out.len());
        unsorted.clear();
        unsorted.extend_from_slice(out.get(block..).unwrap_or(&[]));
        let start = |at: usize| members.get(at).map_or(whole, |m| m.start);
        let mut to = block;
        for (_, at) in order.iter() {
            let (from, end) = (start(*at as usize), start(*at as usize + 1));
            let len = end.saturating_sub(from);
            move_member(out, to, unsorted, from.saturating_sub(block), len);
            to += len;
        }
        true
    }
}

/// Copies `len` bytes; what lies behind them in `out` is written later.
#[inline]
fn move_member(out: &mut [u8], to: usize, from: &[u8], at: usize, len: usize) {
    const WHOLE: usize = 32;
    let source = from.get(at..).unwrap_or(&[]);
    let target = out.get_mut(to..).unwrap_or(&mut []);
    // Most members are short: so many bytes are copied without a call.
    if len <= WHOLE
        && let (Some(source), Some(target)) = (
            source.first_chunk::<WHOLE>(),
            target.first_chunk_mut::<WHOLE>(),
        )
    {
        *target = *source;
    } else if let (Some(source), Some(target)) = (source.get(..len), target.get_mut(..len)) {
        target.copy_from_slice(source);
    }
}

/// The first eight of `len` bytes as a number that orders as they do, zeros behind the last.
#[inline]
fn first_bytes(bytes: &[u8; 16], len: usize) -> u64 {
    let [a, b, c, d, e, f, g, h, ..] = *bytes;
    let word = u64::from_be_bytes([a, b, c, d, e, f, g, h]);
    match len {
        0 => 0,
        1..8 => word & u64::MAX << (64 - 8 * len),
        _ => word,
    }
}

/// Writes the canonical form of each token that it is told of, in the order of the text.
pub(super) struct Writing<'c, 't> {
    pub canonical: &'c mut Canonical,
    pub text: &'t str,
    /// Does an object name a member twice? Then what is written is worth nothing.
    pub twice: bool,
}

impl Writing<'_, '_> {
    #[inline(always)]
    pub fn open(&mut self, object: bool) {
        self.canonical.out.push(if object { b'o' } else { b'a' });
        let first = self.canonical.members.len();
        self.canonical.frames.push(Frame { object, first });
    }

    #[inline(always)]
    pub fn close(&mut self) {
        self.twice |= !self.canonical.close();
    }

    #[inline(always)]
    pub fn name(&mut self, token: Token) {
        let start = self.canonical.out.len();
        let (name, first) = self.canonical.push_token(b'k', self.text, token);
        self.canonical.members.push(Member { start, name, first });
    }

    #[inline(always)]
    pub fn string(&mut self, token: Token) {
        self.canonical.push_token(b's', self.text, token);
    }

    #[inline(always)]
    pub fn number(&mut self, start: usize, end: usize) {
        let number = Number::trusted(self.text.get(start..end).unwrap_or(""));
        self.canonical.out.push(b'd');
        number.write_canonical(&mut self.canonical.out);
        self.canonical.out.push(b';');
    }

    #[inline(always)]
    pub fn word(&mut self, letter: u8) {
        self.canonical.out.push(letter);
    }
}

/// Appends a length as LEB128: seven bits a byte, low ones first, the high bit set on all but the last.
#[inline]
fn push_len(out: &mut Vec<u8>, mut len: usize) {
    while len >= 0x80 {
        out.push(0x80 | (len & 0x7F) as u8);
        len >>= 7;
    }
    out.push(len as u8);
}
