//! One settled answer in the bytes of a token.

use super::claims::Settled;
use super::layout::{DIGEST_LEN, push_len};
use crate::json::Key;
use crate::protocol::Kind;

/// Bytes before its key: kind, outcome, digest, two lengths.
pub(super) const HEAD_LEN: usize = 2 + DIGEST_LEN + 8;
const DIGEST_AT: usize = 2;
const KEY_LEN_AT: usize = DIGEST_AT + DIGEST_LEN;

/// Appends a settled answer.
pub(super) fn push(
    out: &mut Vec<u8>,
    kind: Kind,
    settled: Settled<'_>,
    digest: &[u8; DIGEST_LEN],
    key: &Key,
) -> Option<()> {
    let (key, content) = (key.as_bytes(), settled.content());
    out.extend_from_slice(&[kind as u8, settled.number()]);
    out.extend_from_slice(digest);
    push_len(out, key.len())?;
    push_len(out, content.len())?;
    out.extend_from_slice(key);
    out.extend_from_slice(content);
    Some(())
}

/// The key of the settled answer at the front, and where the answer ends; `None` if it is not of this version of the format.
#[inline]
pub(super) fn check(bytes: &[u8]) -> Option<(&[u8], usize)> {
    let (head, texts) = bytes.split_first_chunk::<HEAD_LEN>()?;
    let [kind, outcome, .., a, b, c, d, e, f, g, h] = *head;
    let len = |word| usize::try_from(u32::from_be_bytes(word)).ok();
    let (key_len, content_len) = (len([a, b, c, d])?, len([e, f, g, h])?);
    let texts = texts.get(..key_len.checked_add(content_len)?)?;
    let (key, content) = texts.split_at_checked(key_len)?;
    let settles = match outcome {
        1 => true,
        2 | 3 => content.is_empty(),
        _ => false,
    };
    let text = is_ascii(texts) || is_text(key, content);
    (settles && text && Kind::from_number(kind).is_some()).then_some((key, HEAD_LEN + texts.len()))
}

#[cold]
fn is_text(key: &[u8], content: &[u8]) -> bool {
    std::str::from_utf8(content).is_ok() && Key::from_wtf8(key).is_some()
}

/// The standard one is not inlined, and most texts here are short.
#[inline]
fn is_ascii(bytes: &[u8]) -> bool {
    let (words, rest) = bytes.as_chunks::<8>();
    let words = words
        .iter()
        .fold(0, |all, word| all | u64::from_ne_bytes(*word));
    let rest = match bytes.last_chunk::<8>() {
        Some(last) => u64::from_ne_bytes(*last),
        None => rest.iter().fold(0, |all, byte| all | u64::from(*byte)),
    };
    (words | rest) & 0x8080_8080_8080_8080 == 0
}

/// Digest of the question.
#[inline]
pub(super) fn digest(entry: &[u8]) -> Option<&[u8; DIGEST_LEN]> {
    entry.get(DIGEST_AT..)?.first_chunk()
}

/// How it was settled.
#[inline]
pub(super) fn settled(entry: &[u8]) -> Option<Settled<'_>> {
    match entry.get(1)? {
        1 => Some(Settled::Accepted(
            entry.get(HEAD_LEN + len_at(entry, KEY_LEN_AT)..)?,
        )),
        2 => Some(Settled::Declined),
        _ => Some(Settled::Cancelled),
    }
}

/// A length in the bytes of an entry.
#[inline]
fn len_at(bytes: &[u8], at: usize) -> usize {
    let word = bytes.get(at..).and_then(<[u8]>::first_chunk);
    word.map_or(0, |word| u32::from_be_bytes(*word) as usize)
}
