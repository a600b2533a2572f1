//! The grammar of RFC 8259, checked in one pass without recursion.

use super::Fault;
use super::skip::{space, string_stop};

/// One bit per open container: set for an object. 64 levels fit the word; only deeper texts spill to the heap.
struct Nest {
    word: u64,
    depth: usize,
    full: Vec<u64>,
}

impl Nest {
    #[inline]
    fn push(&mut self, object: bool) {
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.full.push(self.word);
        }
        self.word = self.word << 1 | u64::from(object);
        self.depth += 1;
    }

    #[inline]
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

    #[inline]
    fn in_object(&self) -> bool {
        self.word & 1 == 1
    }
}

fn fault<T>(offset: usize, what: &'static str) -> Result<T, Fault> {
    Err(Fault::Syntax { offset, what })
}

/// Checks that `text` is one JSON value and returns where it starts and ends inside the outer white space.
pub(super) fn check(text: &str, max_depth: usize) -> Result<(usize, usize), Fault> {
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
                    let size = nest.depth.saturating_add(1);
                    return Err(Fault::TooLarge {
                        limit: "depth",
                        size,
                        max: max_depth,
                    });
                }
                let object = open == b'{';
                nest.push(object);
                at = space(bytes, at + 1);
                if bytes.get(at) != Some(&if object { b'}' } else { b']' }) {
                    if object {
                        at = name(bytes, at)?;
                    }
                    continue;
                }
                nest.pop();
                at += 1;
            }
            Some(b'"') => at = string(bytes, at)?,
            Some(b'-' | b'0'..=b'9') => at = number(bytes, at)?,
            Some(b't') => at = word(bytes, at, b"true")?,
            Some(b'f') => at = word(bytes, at, b"false")?,
            Some(b'n') => at = word(bytes, at, b"null")?,
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
            match (bytes.get(at), nest.in_object()) {
                (Some(b','), true) => {
                    at = name(bytes, space(bytes, at + 1))?;
                    break;
                }
                (Some(b','), false) => {
                    at = space(bytes, at + 1);
                    break;
                }
                (Some(b'}'), true) | (Some(b']'), false) => {
                    nest.pop();
                    at += 1;
                }
                (_, true) => return fault(at, "expected ',' or '}'"),
                (_, false) => return fault(at, "expected ',' or ']'"),
            }
        }
    }
}

/// A member name with its colon; returns where the value starts.
#[inline]
fn name(bytes: &[u8], at: usize) -> Result<usize, Fault> {
    if bytes.get(at) != Some(&b'"') {
        return fault(at, "expected a member name");
    }
    let at = space(bytes, string(bytes, at)?);
    if bytes.get(at) != Some(&b':') {
        return fault(at, "expected ':'");
    }
    Ok(space(bytes, at + 1))
}

#[inline]
fn string(bytes: &[u8], at: usize) -> Result<usize, Fault> {
    let mut i = at + 1;
    loop {
        i = string_stop::<true>(bytes, i);
        match bytes.get(i) {
            Some(b'"') => return Ok(i + 1),
            Some(b'\\') => match bytes.get(i + 1) {
                Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => i += 2,
                Some(b'u') => {
                    let digits = bytes.get(i + 2..i + 6);
                    if !digits.is_some_and(|d| d.iter().all(u8::is_ascii_hexdigit)) {
                        return fault(i, "expected four hexadecimal digits");
                    }
                    i += 6;
                }
                _ => return fault(i, "unknown escape"),
            },
            Some(_) => return fault(i, "control character in a string"),
            None => return fault(bytes.len(), "the text ends in a string"),
        }
    }
}

#[inline]
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

#[inline]
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

#[inline]
fn word(bytes: &[u8], at: usize, expected: &'static [u8]) -> Result<usize, Fault> {
    let end = at + expected.len();
    if bytes.get(at..end) == Some(expected) {
        Ok(end)
    } else {
        fault(at, "expected a value")
    }
}
