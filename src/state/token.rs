//! The text of a token: prefix and base64url, one spelling only (S8).

use base64::Engine;
use base64::engine::Simd;
use base64::engine::general_purpose::NO_PAD;
use once_cell::sync::Lazy;

use super::cipher::NONCE_LEN;
use super::keyring::{KEY_ID_LEN, SALT_LEN};

pub(super) const PREFIX: &str = "mrtr1.";
/// Prefix, key id, salt and nonce: what precedes the ciphertext and is bound to it.
pub(super) const BOUND_LEN: usize = PREFIX.len() + KEY_ID_LEN + SALT_LEN + NONCE_LEN;

/// Refuses padding, white space, other alphabets and stray trailing bits; the instruction set is detected once.
static BASE64URL: Lazy<Simd> = Lazy::new(|| Simd::url_safe(NO_PAD));

/// The fields of a token in front of its ciphertext.
pub(super) struct Parts {
    pub(super) key_id: [u8; KEY_ID_LEN],
    pub(super) salt: [u8; SALT_LEN],
    pub(super) nonce: [u8; NONCE_LEN],
}

/// Length of the text of `binary_len` bytes, prefix excluded from the input and included in the result.
pub(super) fn text_len(binary_len: usize) -> Option<usize> {
    base64::encoded_len(binary_len, false).and_then(|len| len.checked_add(PREFIX.len()))
}

/// Writes the text of `token` (prefix in front of its binary) into `out`, which has exactly [`text_len`] bytes.
pub(super) fn write(token: &[u8], out: &mut [u8]) -> Option<()> {
    let (prefix, binary) = token.split_at_checked(PREFIX.len())?;
    let (head, body) = out.split_at_mut_checked(prefix.len())?;
    head.copy_from_slice(prefix);
    BASE64URL.encode_slice(binary, body).ok().map(drop)
}

/// Bytes that [`read`] needs for a text of `text_len`: never more than the text has.
pub(super) fn room(text_len: usize) -> Option<usize> {
    let body = text_len.checked_sub(PREFIX.len())?;
    base64::decoded_len_estimate(body).checked_add(PREFIX.len())
}

/// Decodes `text` into `buf`, prefix in front, and gives the length; `None` if it is not a token's one spelling.
pub(super) fn read(text: &str, buf: &mut [u8]) -> Option<usize> {
    let body = text.strip_prefix(PREFIX)?;
    let (head, binary) = buf.split_at_mut_checked(PREFIX.len())?;
    head.copy_from_slice(PREFIX.as_bytes());
    let len = BASE64URL.decode_slice(body, binary).ok()?;
    PREFIX.len().checked_add(len)
}

/// The fields in front of the ciphertext; `None` if the token is too short to have them.
pub(super) fn parts(token: &[u8]) -> Option<Parts> {
    let (_, rest) = token.split_at_checked(PREFIX.len())?;
    let (key_id, rest) = rest.split_first_chunk()?;
    let (salt, rest) = rest.split_first_chunk()?;
    let (nonce, _) = rest.split_first_chunk()?;
    Some(Parts {
        key_id: *key_id,
        salt: *salt,
        nonce: *nonce,
    })
}
