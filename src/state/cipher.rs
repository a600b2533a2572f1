//! The three ways to protect a token, and the key of one salt.

use std::hint::black_box;
use std::ops::Range;

use once_cell::sync::Lazy;
use ring::{aead, hmac};
use zeroize::Zeroizing;

/// How the tokens of a sealer are protected (S1). The numbers are part of the token format and never change.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(u8)]
pub enum Cipher {
    /// AES-256-GCM: encrypted. The default.
    #[default]
    Aes256Gcm = 1,
    /// ChaCha20-Poly1305: encrypted; for machines without AES instructions.
    ChaCha20Poly1305 = 2,
    /// HMAC-SHA256: signed but readable by whoever holds the token. For debugging.
    Signed = 3,
}

impl Cipher {
    /// The number in the token format.
    #[must_use]
    pub fn number(self) -> u8 {
        self as u8
    }

    /// The cipher of a number, if there is one.
    #[must_use]
    pub fn from_number(number: u8) -> Option<Cipher> {
        [Cipher::Aes256Gcm, Cipher::ChaCha20Poly1305, Cipher::Signed]
            .into_iter()
            .find(|cipher| cipher.number() == number)
    }

    /// Bytes that authenticate a token, at its end.
    pub(super) fn tag_len(self) -> usize {
        match self {
            Cipher::Aes256Gcm | Cipher::ChaCha20Poly1305 => 16,
            Cipher::Signed => 32,
        }
    }
}

pub(super) const NONCE_LEN: usize = 12;

/// A key derived for one salt; overwritten on drop.
pub(super) struct TokenKey(Inner);

#[expect(
    clippy::large_enum_variant,
    reason = "a box would cost an allocation per token"
)]
enum Inner {
    Aead(aead::LessSafeKey),
    Mac(hmac::Key),
}

/// What a dropped key is overwritten with: a clone of this is a plain copy, cheaper than a key setup.
static BLANK: Lazy<Option<aead::LessSafeKey>> =
    Lazy::new(|| aead_key(&aead::AES_256_GCM, &[0; 32]));

fn aead_key(algorithm: &'static aead::Algorithm, key: &[u8; 32]) -> Option<aead::LessSafeKey> {
    aead::UnboundKey::new(algorithm, key)
        .ok()
        .map(aead::LessSafeKey::new)
}

impl Drop for TokenKey {
    fn drop(&mut self) {
        if let (Inner::Aead(key), Some(blank)) = (&mut self.0, BLANK.as_ref()) {
            *key = blank.clone();
        } else if let Inner::Mac(key) = &mut self.0 {
            *key = hmac::Key::new(hmac::HMAC_SHA256, &[0; 32]);
        }
        // Keeps the overwriting from being dropped as a dead store.
        black_box(&mut self.0);
    }
}

impl TokenKey {
    /// `None` only if the crypto library refuses a 32-byte key, which it does not.
    pub(super) fn new(cipher: Cipher, key: &Zeroizing<[u8; 32]>) -> Option<TokenKey> {
        Some(TokenKey(match cipher {
            Cipher::Aes256Gcm => Inner::Aead(aead_key(&aead::AES_256_GCM, key)?),
            Cipher::ChaCha20Poly1305 => Inner::Aead(aead_key(&aead::CHACHA20_POLY1305, key)?),
            Cipher::Signed => Inner::Mac(hmac::Key::new(hmac::HMAC_SHA256, &key[..])),
        }))
    }

    /// Protects what follows `bound` in place, bound to `buf[bound]`, and appends the tag.
    pub(super) fn seal(
        &self,
        nonce: [u8; NONCE_LEN],
        bound: Range<usize>,
        buf: &mut Vec<u8>,
    ) -> bool {
        match &self.0 {
            Inner::Aead(key) => {
                let Some((before, body)) = buf.split_at_mut_checked(bound.end) else {
                    return false;
                };
                let Some(aad) = before.get(bound.start..) else {
                    return false;
                };
                let nonce = aead::Nonce::assume_unique_for_key(nonce);
                match key.seal_in_place_separate_tag(nonce, aead::Aad::from(aad), body) {
                    Ok(tag) => buf.extend_from_slice(tag.as_ref()),
                    Err(_) => return false,
                }
            }
            Inner::Mac(key) => {
                let tag = hmac::sign(key, buf.get(bound.start..).unwrap_or_default());
                buf.extend_from_slice(tag.as_ref());
            }
        }
        true
    }

    /// Checks `buf` (associated data, body, tag) and leaves the plaintext behind the associated data; gives its length.
    pub(super) fn open(
        &self,
        nonce: [u8; NONCE_LEN],
        aad_len: usize,
        buf: &mut [u8],
    ) -> Option<usize> {
        match &self.0 {
            Inner::Aead(key) => {
                let (aad, body) = buf.split_at_mut_checked(aad_len)?;
                let nonce = aead::Nonce::assume_unique_for_key(nonce);
                let plain = key
                    .open_in_place(nonce, aead::Aad::from(&*aad), body)
                    .ok()?;
                Some(plain.len())
            }
            Inner::Mac(key) => {
                let signed = buf.len().checked_sub(Cipher::Signed.tag_len())?;
                let (text, tag) = buf.split_at_checked(signed)?;
                hmac::verify(key, text, tag).ok()?;
                signed.checked_sub(aad_len)
            }
        }
    }
}
