//! Walking over text whose grammar was checked before. Never panics, whatever the text.

use memchr::memchr2;

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// High bit set in every byte of `word` that equals `byte`; the lowest hit is exact.
#[inline(always)]
fn hits(word: u64, byte: u8) -> u64 {
    let x = word ^ (ONES * byte as u64);
    x.wrapping_sub(ONES) & !x & HIGHS
}

/// Most strings end before; what is left of a longer one is looked through in larger steps.
const SHORT: usize = 16;

/// The next byte at or after `at` that is a quote, a backslash or, if `CONTROLS`, a control character; the length if
/// there is none.
#[inline(always)]
pub(super) fn string_stop<const CONTROLS: bool>(bytes: &[u8], at: usize) -> usize {
    // Most strings end within sixteen bytes.
    let mut at = at;
    for _ in 0..2 {
        let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) else {
            return near_string_stop::<CONTROLS>(bytes, at);
        };
        let found = stops::<CONTROLS>(*chunk);
        if found != 0 {
            return at + (found.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    far_string_stop::<CONTROLS>(bytes, at)
}

/// High bit set in bytes that stop a string; the lowest hit is exact.
#[inline(always)]
fn stops<const CONTROLS: bool>(chunk: [u8; 8]) -> u64 {
    let word = u64::from_le_bytes(chunk);
    let found = hits(word, b'"') | hits(word, b'\\');
    if CONTROLS {
        found | controls(word)
    } else {
        found
    }
}

fn far_string_stop<const CONTROLS: bool>(bytes: &[u8], mut at: usize) -> usize {
    let far = at.saturating_add(SHORT);
    while let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let found = stops::<CONTROLS>(*chunk);
        if found != 0 {
            return at + (found.trailing_zeros() / 8) as usize;
        }
        at += 8;
        if at == far {
            return long_string_stop::<CONTROLS>(bytes, at);
        }
    }
    near_string_stop::<CONTROLS>(bytes, at)
}

fn near_string_stop<const CONTROLS: bool>(bytes: &[u8], mut at: usize) -> usize {
    while let Some(&b) = bytes.get(at) {
        if b == b'"' || b == b'\\' || CONTROLS && b < 0x20 {
            return at;
        }
        at += 1;
    }
    bytes.len()
}

/// [`string_stop`] by vectors: tokens and file contents are strings too.
fn long_string_stop<const CONTROLS: bool>(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    let stop = memchr2(b'"', b'\\', rest).unwrap_or(rest.len());
    let passed = rest.get(..stop).unwrap_or_default();
    if CONTROLS {
        let (lines, _) = passed.as_chunks::<16>();
        let found = |line: &[u8; 16]| {
            let [low, high] = [
                u128::from_le_bytes(*line) as u64,
                (u128::from_le_bytes(*line) >> 64) as u64,
            ];
            controls(low) | controls(high)
        };
        let clean = match lines.iter().fold(0, |all, line| all | found(line)) {
            0 => lines.len(),
            _ => lines.iter().take_while(|line| found(line) == 0).count(),
        } * 16;
        return near_string_stop::<true>(bytes, at + clean);
    }
    at + stop
}

/// High bit set in bytes of `word` that are control characters; the lowest hit is exact.
#[inline(always)]
fn controls(word: u64) -> u64 {
    word.wrapping_sub(ONES * 0x20) & !word & HIGHS
}

/// The first byte at or after `at` that is no white space.
#[inline(always)]
pub(super) fn space(bytes: &[u8], mut at: usize) -> usize {
    while matches!(bytes.get(at), Some(b' ' | b'\n' | b'\r' | b'\t')) {
        at += 1;
    }
    at
}

/// One past the closing quote of the string whose opening quote is at `at`, and whether it has escapes.
#[inline]
pub(super) fn string_span(bytes: &[u8], at: usize) -> (usize, bool) {
    let mut i = at + 1;
    let mut escaped = false;
    loop {
        i = string_stop::<false>(bytes, i);
        match bytes.get(i) {
            Some(b'"') => return (i + 1, escaped),
            Some(b'\\') => {
                escaped = true;
                i += 2;
            }
            Some(_) => i += 1,
            None => return (bytes.len(), escaped),
        }
    }
}

/// One past the closing quote of the string whose opening quote is at `at`.
#[inline]
pub(super) fn string_end(bytes: &[u8], at: usize) -> usize {
    string_span(bytes, at).0
}

/// One past the value that starts at `at`.
#[inline]
pub(super) fn value_end(bytes: &[u8], at: usize) -> usize {
    match bytes.get(at) {
        Some(b'"') => string_end(bytes, at),
        Some(b'{' | b'[') => container_end(bytes, at),
        _ => scalar_end(bytes, at),
    }
}

#[inline]
fn scalar_end(bytes: &[u8], mut at: usize) -> usize {
    while let Some(&b) = bytes.get(at) {
        if matches!(b, b',' | b'}' | b']' | b' ' | b'\n' | b'\r' | b'\t') {
            return at;
        }
        at += 1;
    }
    at
}

fn container_end(bytes: &[u8], mut at: usize) -> usize {
    let mut depth = 0usize;
    loop {
        at = structure(bytes, at);
        match bytes.get(at) {
            Some(b'"') => {
                at = string_end(bytes, at);
                continue;
            }
            Some(b'{' | b'[') => depth += 1,
            Some(b'}' | b']') => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at + 1;
                }
            }
            Some(_) => {}
            None => return bytes.len(),
        }
        at += 1;
    }
}

/// The next byte at or after `at` that is a quote or a bracket; a few bytes before the end of the text, any byte.
#[inline(always)]
fn structure(bytes: &[u8], mut at: usize) -> usize {
    while let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let word = u64::from_le_bytes(*chunk);
        // One bit makes square brackets curly ones, and nothing else.
        let curly = word | (ONES * 0x20);
        let found = hits(word, b'"') | hits(curly, b'{') | hits(curly, b'}');
        if found != 0 {
            return at + (found.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::string_stop;

    /// By the words of [`string_stop`].
    fn plain_stop(bytes: &[u8], at: usize, controls: bool) -> usize {
        let stops = |b: &u8| matches!(b, b'"' | b'\\') || controls && *b < 0x20;
        let found = bytes.iter().skip(at).position(stops);
        found.map_or(bytes.len(), |found| at + found)
    }

    #[test]
    fn a_string_stops_at_the_same_place_whatever_its_length() {
        for len in 0..140 {
            for stop in [b'"', b'\\', 0, b'\n', 0x1F, 0x20, 0x7F, 0x80, 0xFF] {
                for place in 0..len {
                    let mut bytes = vec![b'x'; len];
                    bytes[place] = stop;
                    // A second stop behind the first must not hide it.
                    if let Some(later) = bytes.get_mut(place + 3) {
                        *later = b'"';
                    }
                    for at in [0, 1, 5] {
                        let (all, few) = (true, false);
                        assert_eq!(string_stop::<true>(&bytes, at), plain_stop(&bytes, at, all));
                        assert_eq!(
                            string_stop::<false>(&bytes, at),
                            plain_stop(&bytes, at, few)
                        );
                    }
                }
            }
        }
    }
}
