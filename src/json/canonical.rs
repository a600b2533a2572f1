//! One byte form for all spellings of a JSON value, written in one pass over the text (S5).

use super::{Fault, Key, Number, Raw, Str, skip};
use std::ops::Range;

/// Scratch space for [`canonicalize`], kept between calls so that a warm one allocates nothing.
#[derive(Default)]
pub struct Canonical {
    out: Vec<u8>,
    members: Vec<Member>,
    frames: Vec<Frame>,
    sorted: Vec<u8>,
}

/// A member already written: its place in `out`, and where its decoded name lies there.
struct Member {
    start: usize,
    /// Known once the object is complete.
    end: usize,
    name: Range<usize>,
    /// The first bytes of the name, zeros behind a shorter one: they order most names.
    first: u64,
}

struct Frame {
    object: bool,
    /// First of its entries in `members`.
    first: usize,
    /// Elements begun, in an array.
    count: usize,
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

    /// Appends one string: tag, length, decoded bytes.
    #[inline]
    pub(super) fn push_str(&mut self, string: Str<'_>) {
        self.out.push(b's');
        self.push_counted(string);
    }

    /// Appends one string of plain text.
    #[inline]
    pub(super) fn push_text(&mut self, text: &str) {
        self.out.push(b's');
        push_len(&mut self.out, text.len());
        self.out.extend_from_slice(text.as_bytes());
    }

    /// Appends bytes as they are.
    #[inline]
    pub(super) fn push_bytes(&mut self, bytes: &[u8]) {
        self.out.extend_from_slice(bytes);
    }

    #[inline]
    fn push_counted(&mut self, string: Str<'_>) -> Range<usize> {
        push_len(&mut self.out, string.bytes_len());
        let start = self.out.len();
        string.write_bytes(&mut self.out);
        start..self.out.len()
    }

    /// Appends length and decoded bytes of the string token at `at`; returns where those bytes lie, and where the text goes on.
    #[inline]
    fn push_token(&mut self, text: &str, at: usize) -> (Range<usize>, usize) {
        let (end, escaped) = skip::string_span(text.as_bytes(), at);
        let len = end.saturating_sub(at + 2);
        // Most strings are short and plain: sixteen bytes are copied whole and cut, which needs no call.
        if !escaped
            && len <= 16
            && let Some(whole) = text
                .as_bytes()
                .get(at + 1..)
                .and_then(<[u8]>::first_chunk::<16>)
        {
            self.out.push(len as u8);
            let start = self.out.len();
            self.out.extend_from_slice(whole);
            self.out.truncate(start + len);
            return (start..start + len, end);
        }
        let string = Str::trusted(text.get(at..end).unwrap_or(""), escaped);
        (self.push_counted(string), end)
    }

    /// Appends the canonical form of `raw`; duplicate members anywhere are refused.
    pub(super) fn push_value(&mut self, raw: Raw<'_>) -> Result<(), Fault> {
        self.push_value_at(raw.text(), 0).map(drop)
    }

    /// Appends the canonical form of the value that starts at `at`; returns where it ends.
    pub(super) fn push_value_at(&mut self, text: &str, mut at: usize) -> Result<usize, Fault> {
        let bytes = text.as_bytes();
        loop {
            at = self.push_start(text, at);
            // A value or an opening bracket lies behind `at`: go on to the next value.
            loop {
                let Some(frame) = self.frames.last_mut() else {
                    return Ok(at);
                };
                at = skip::space(bytes, at);
                if bytes.get(at) == Some(&b',') {
                    at = skip::space(bytes, at + 1);
                }
                match bytes.get(at) {
                    Some(b'}' | b']') => {
                        self.close()?;
                        at += 1;
                    }
                    None => return Ok(at),
                    Some(_) if frame.object => {
                        at = self.push_name(text, at);
                        break;
                    }
                    Some(_) => {
                        frame.count += 1;
                        break;
                    }
                }
            }
        }
    }

    /// Appends a scalar, or opens an array or object; returns where the text goes on.
    fn push_start(&mut self, text: &str, at: usize) -> usize {
        let bytes = text.as_bytes();
        if let Some(open @ (b'{' | b'[')) = bytes.get(at) {
            let object = *open == b'{';
            self.out.push(if object { b'o' } else { b'a' });
            self.frames.push(Frame {
                object,
                first: self.members.len(),
                count: 0,
            });
            return at + 1;
        }
        if bytes.get(at) == Some(&b'"') {
            self.out.push(b's');
            return self.push_token(text, at).1;
        }
        let end = skip::value_end(bytes, at);
        match bytes.get(at) {
            Some(&word @ (b'n' | b't' | b'f')) => self.out.push(word),
            _ => {
                self.out.push(b'd');
                Number::trusted(text.get(at..end).unwrap_or("")).write_canonical(&mut self.out);
                self.out.push(b';');
            }
        }
        end
    }

    /// Appends a member name; returns where its value starts.
    fn push_name(&mut self, text: &str, at: usize) -> usize {
        let start = self.out.len();
        self.out.push(b'k');
        let (name, end) = self.push_token(text, at);
        let decoded = self.out.get(name.clone()).unwrap_or(&[]);
        let first = match decoded.first_chunk::<8>() {
            Some(eight) => u64::from_be_bytes(*eight),
            None => (0..8).fold(0, |word, at| {
                word << 8 | u64::from(decoded.get(at).copied().unwrap_or(0))
            }),
        };
        self.members.push(Member {
            start,
            end: start,
            name,
            first,
        });
        let colon = skip::space(text.as_bytes(), end);
        skip::space(text.as_bytes(), colon + 1)
    }

    /// Ends the innermost array or object, its members put into order.
    fn close(&mut self) -> Result<(), Fault> {
        let Some(frame) = self.frames.last() else {
            return Ok(());
        };
        let (object, first) = (frame.object, frame.first);
        if object && let Err(name) = self.sort_members(first) {
            return Err(self.duplicate(name));
        }
        self.members.truncate(first);
        self.frames.pop();
        self.out.push(b'e');
        Ok(())
    }

    /// Sorts the members from `first` on by name; two of one name: where the name lies.
    fn sort_members(&mut self, first: usize) -> Result<(), Range<usize>> {
        let Canonical {
            out,
            members,
            sorted,
            ..
        } = self;
        let members = members.get_mut(first..).unwrap_or(&mut []);
        let name = |m: &Member| out.get(m.name.clone()).unwrap_or(&[]);
        let order =
            |a: &Member, b: &Member| a.first.cmp(&b.first).then_with(|| name(a).cmp(name(b)));
        if members.is_sorted_by(|a, b| order(a, b).is_lt()) {
            return Ok(());
        }
        let block = members.first().map_or(out.len(), |m| m.start);
        let mut end = out.len();
        for member in members.iter_mut().rev() {
            member.end = std::mem::replace(&mut end, member.start);
        }
        members.sort_unstable_by(order);
        if let Some([twice, _]) = members.array_windows().find(|[a, b]| order(a, b).is_eq()) {
            return Err(twice.name.clone());
        }
        sorted.clear();
        for member in members.iter() {
            sorted.extend_from_slice(out.get(member.start..member.end).unwrap_or(&[]));
        }
        out.truncate(block);
        out.extend_from_slice(sorted);
        Ok(())
    }

    /// The fault for a name that the innermost object holds twice, with the pointer of that object.
    fn duplicate(&self, name: Range<usize>) -> Fault {
        let decoded = |range: &Range<usize>| self.out.get(range.clone()).unwrap_or(&[]);
        let mut at = String::new();
        // The innermost frame is the object itself; each one further out says where in it we are.
        for pair in self.frames.windows(2) {
            let [outer, inner] = pair else { continue };
            at.push('/');
            if outer.object {
                if let Some(member) = inner
                    .first
                    .checked_sub(1)
                    .and_then(|last| self.members.get(last))
                {
                    let step = String::from_utf8_lossy(decoded(&member.name));
                    at.push_str(&step.replace('~', "~0").replace('/', "~1"));
                }
            } else {
                at.push_str(&outer.count.saturating_sub(1).to_string());
            }
        }
        Fault::Duplicate {
            at,
            name: Key::trusted(decoded(&name).to_vec()),
        }
    }
}

/// Writes the canonical form of `raw` into `scratch` (S5): equal bytes exactly for equal values. Object order is
/// free, numbers count by exact value, strings by code units; a duplicate member anywhere is refused with the
/// pointer of its object. Linear in the text but for the sorting of names.
pub fn canonicalize(raw: Raw<'_>, scratch: &mut Canonical) -> Result<(), Fault> {
    scratch.clear();
    scratch.push_value(raw)
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
