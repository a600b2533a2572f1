//! The grammar of RFC 8259, checked in one pass without recursion; what else is to be known of a text is heard on the way.

use super::Fault;
use super::skip::{space, string_stop};

/// One bit per open container: set for an object. 64 levels fit the word; only deeper texts spill to the heap.
struct Nest {
    word: u64,
    depth: usize,
    full: Vec<u64>,
}

impl Nest {
    #[inline(always)]
    fn push(&mut self, object: bool) {
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.full.push(self.word);
        }
        self.word = self.word << 1 | u64::from(object);
        self.depth += 1;
    }

    #[inline(always)]
    fn pop(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        self.word >>= 1;
        if self.depth > 0
            && self.depth.is_multiple_of(64)
            && let Some(word) = self.full.pop()
        {
            self.word = word;
        }
    }

    #[inline(always)]
    fn in_object(&self) -> bool {
        self.word & 1 == 1
    }
}

#[cold]
fn fault<T>(offset: usize, what: &'static str) -> Result<T, Fault> {
    Err(Fault::Syntax { offset, what })
}

/// What hears of the tokens of a text, in their order, while its grammar is checked. Offsets are those of the text; what it heard of a
/// text that turns out to be broken is worth nothing.
pub(super) trait Listener {
    /// An array or object begins at `at`.
    fn open(&mut self, _object: bool, _at: usize) {}
    /// The innermost array or object ends before `end`.
    fn close(&mut self, _object: bool, _end: usize) {}
    /// A member name.
    fn name(&mut self, _token: Token) {}
    /// A string.
    fn string(&mut self, _token: Token) {}
    /// A number, from one place to the other.
    fn number(&mut self, _start: usize, _end: usize) {}
    /// `null`, `true` or `false`, by its first letter, from one place to the other.
    fn word(&mut self, _letter: u8, _start: usize, _end: usize) {}
}

/// Nobody listens.
impl Listener for () {}

/// Where a string token stands, quotes included, and whether a backslash is in it.
#[derive(Clone, Copy)]
pub(super) struct Token {
    pub start: usize,
    pub end: usize,
    pub escaped: bool,
}

/// Checks that `text` is one JSON value, no deeper than `max_depth`, and returns where it starts and ends inside the outer white space.
#[inline]
pub(super) fn walk(
    text: &str,
    max_depth: usize,
    listener: &mut impl Listener,
) -> Result<(usize, usize), Fault> {
    let bytes = text.as_bytes();
    let mut nest = Nest {
        word: 0,
        depth: 0,
        full: Vec::new(),
    };
    let start = space(bytes, 0);
    let mut at = start;
    loop {
        // A value starts at `at`.
        match bytes.get(at) {
            Some(&open @ (b'{' | b'[')) => {
                if nest.depth >= max_depth {
                    return too_deep(nest.depth, max_depth);
                }
                let object = open == b'{';
                nest.push(object);
                listener.open(object, at);
                at = space(bytes, at + 1);
                if bytes.get(at) != Some(&if object { b'}' } else { b']' }) {
                    if object {
                        at = name(bytes, at, listener)?;
                    }
                    continue;
                }
                nest.pop();
                at += 1;
                listener.close(object, at);
            }
            Some(b'"') => {
                let token = string(bytes, at)?;
                listener.string(token);
                at = token.end;
            }
            Some(b'-' | b'0'..=b'9') => {
                let end = number(bytes, at)?;
                listener.number(at, end);
                at = end;
            }
            Some(&letter @ (b't' | b'f' | b'n')) => {
                let end = word(bytes, at, letter)?;
                listener.word(letter, at, end);
                at = end;
            }
            Some(_) => return fault(at, "expected a value"),
            None => return fault(at, "the text ends where a value is expected"),
        }
        // A value ended at `at`: close what closes, until the next value starts.
        loop {
            let end = at;
            at = space(bytes, at);
            if nest.depth == 0 {
                return if at == bytes.len() {
                    Ok((start, end))
                } else {
                    fault(at, "text after the value")
                };
            }
            let object = nest.in_object();
            match (bytes.get(at), object) {
                (Some(b','), true) => {
                    at = name(bytes, space(bytes, at + 1), listener)?;
                    break;
                }
                (Some(b','), false) => {
                    at = space(bytes, at + 1);
                    break;
                }
                (Some(b'}'), true) | (Some(b']'), false) => {
                    nest.pop();
                    at += 1;
                    listener.close(object, at);
                }
                (_, true) => return fault(at, "expected ',' or '}'"),
                (_, false) => return fault(at, "expected ',' or ']'"),
            }
        }
    }
}

#[cold]
fn too_deep<T>(depth: usize, max: usize) -> Result<T, Fault> {
    let size = depth.saturating_add(1);
    let limit = "depth";
    Err(Fault::TooLarge { limit, size, max })
}

/// A member name with its colon; returns where the value starts.
#[inline(always)]
fn name(bytes: &[u8], at: usize, listener: &mut impl Listener) -> Result<usize, Fault> {
    if bytes.get(at) != Some(&b'"') {
        return fault(at, "expected a member name");
    }
    let token = string(bytes, at)?;
    listener.name(token);
    let at = space(bytes, token.end);
    if bytes.get(at) != Some(&b':') {
        return fault(at, "expected ':'");
    }
    Ok(space(bytes, at + 1))
}

#[inline(always)]
fn string(bytes: &[u8], start: usize) -> Result<Token, Fault> {
    let mut escaped = false;
    let mut i = start + 1;
    loop {
        i = string_stop::<true>(bytes, i);
        if bytes.get(i) == Some(&b'"') {
            let end = i + 1;
            return Ok(Token {
                start,
                end,
                escaped,
            });
        }
        escaped = true;
        i = escape(bytes, i)?;
    }
}

/// What stops a string and is no quote; returns where the string goes on.
fn escape(bytes: &[u8], at: usize) -> Result<usize, Fault> {
    match bytes.get(at) {
        Some(b'\\') => {}
        Some(_) => return fault(at, "control character in a string"),
        None => return fault(bytes.len(), "the text ends in a string"),
    }
    match bytes.get(at + 1) {
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(at + 2),
        Some(b'u') => {
            let digits = bytes.get(at + 2..at + 6);
            if digits.is_some_and(|d| d.iter().all(u8::is_ascii_hexdigit)) {
                Ok(at + 6)
            } else {
                fault(at, "expected four hexadecimal digits")
            }
        }
        _ => fault(at, "unknown escape"),
    }
}

#[inline(always)]
fn digits(bytes: &[u8], at: usize) -> Result<usize, Fault> {
    let mut i = at;
    while matches!(bytes.get(i), Some(b'0'..=b'9')) {
        i += 1;
    }
    if i == at {
        fault(at, "expected a digit")
    } else {
        Ok(i)
    }
}

#[inline(always)]
fn number(bytes: &[u8], at: usize) -> Result<usize, Fault> {
    let mut i = if bytes.get(at) == Some(&b'-') {
        at + 1
    } else {
        at
    };
    i = if bytes.get(i) == Some(&b'0') {
        i + 1
    } else {
        digits(bytes, i)?
    };
    if matches!(bytes.get(i), Some(b'0'..=b'9')) {
        return fault(i, "a number starts with a needless zero");
    }
    if bytes.get(i) == Some(&b'.') {
        i = digits(bytes, i + 1)?;
    }
    if matches!(bytes.get(i), Some(b'e' | b'E')) {
        i += 1;
        if matches!(bytes.get(i), Some(b'+' | b'-')) {
            i += 1;
        }
        i = digits(bytes, i)?;
    }
    Ok(i)
}

#[inline(always)]
fn word(bytes: &[u8], at: usize, letter: u8) -> Result<usize, Fault> {
    let expected: &[u8] = match letter {
        b't' => b"true",
        b'f' => b"false",
        _ => b"null",
    };
    let end = at + expected.len();
    if bytes.get(at..end) == Some(expected) {
        Ok(end)
    } else {
        fault(at, "expected a value")
    }
}
