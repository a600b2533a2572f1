//! Sealing of continuations with keys of the host (C11): they hold what people answered.

use crate::protocol::{Code, Error};
use ring::rand::{SecureRandom, SystemRandom};
use ring::{aead, hmac};
use std::fmt;
use zeroize::Zeroizing;

const SALT: usize = 16;
const NONCE: usize = 12;
const LEAST: usize = 32;

/// Keys that seal and open continuations. The first seals, every one opens.
///
/// AES-256-GCM; the key of each text is derived from the host's and 16 random bytes of its own, so that no number of texts that can be
/// written makes two of them share key and nonce.
#[derive(Clone)]
pub struct Vault(Vec<hmac::Key>);

impl Vault {
    /// Copies the keys; `config_error` for none, and for one of less than 32 bytes.
    pub fn new<K: AsRef<[u8]>>(keys: &[K]) -> Result<Vault, Error> {
        if keys.is_empty() || keys.iter().any(|key| key.as_ref().len() < LEAST) {
            let message = format!("continuation keys: at least one, each of {LEAST} bytes or more");
            return Err(Error::new(Code::ConfigError, message));
        }
        let derive = |key: &K| hmac::Key::new(hmac::HMAC_SHA256, key.as_ref());
        Ok(Vault(keys.iter().map(derive).collect()))
    }

    /// Salt, nonce and the encrypted text, bound to `label`.
    pub(super) fn seal(&self, label: &str, text: &[u8]) -> Result<Vec<u8>, Error> {
        let failed = || Error::new(Code::NoRandom, "the random source of the system failed");
        let mut head = [0; SALT + NONCE];
        SystemRandom::new().fill(&mut head).map_err(|_| failed())?;
        let (salt, nonce) = split(&head).ok_or_else(failed)?;
        let key = self.0.first().and_then(|key| derived(key, label, salt));
        let key = key.ok_or_else(failed)?;
        let mut body = Vec::with_capacity(text.len() + aead::MAX_TAG_LEN);
        body.extend_from_slice(text);
        key.seal_in_place_append_tag(nonce, aead::Aad::from(label), &mut body)
            .map_err(|_| failed())?;
        let mut out = head.to_vec();
        out.append(&mut body);
        Ok(out)
    }

    /// The text again; `None` if no key opens it.
    pub(super) fn open(&self, label: &str, sealed: &[u8]) -> Option<Vec<u8>> {
        let (head, body) = sealed.split_at_checked(SALT + NONCE)?;
        self.0.iter().find_map(|key| {
            let (salt, nonce) = split(head)?;
            let mut body = body.to_vec();
            let plain = derived(key, label, salt)?
                .open_in_place(nonce, aead::Aad::from(label), &mut body)
                .ok()?
                .len();
            body.truncate(plain);
            Some(body)
        })
    }
}

fn split(head: &[u8]) -> Option<(&[u8], aead::Nonce)> {
    let (salt, nonce) = head.split_at_checked(SALT)?;
    let nonce = aead::Nonce::try_assume_unique_for_key(nonce).ok()?;
    Some((salt, nonce))
}

fn derived(key: &hmac::Key, label: &str, salt: &[u8]) -> Option<aead::LessSafeKey> {
    let mut context = hmac::Context::with_key(key);
    context.update(label.as_bytes());
    context.update(salt);
    let tag = context.sign();
    let bytes = Zeroizing::new(<[u8; 32]>::try_from(tag.as_ref()).ok()?);
    let key = aead::UnboundKey::new(&aead::AES_256_GCM, bytes.as_slice()).ok()?;
    Some(aead::LessSafeKey::new(key))
}

impl fmt::Debug for Vault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Vault({} keys)", self.0.len())
    }
}

#[cfg(test)]
mod tests {
    use super::Vault;

    #[test]
    fn what_one_key_sealed_only_that_key_opens() {
        let (a, b) = ([1u8; 32], [2u8; 32]);
        let old = Vault::new(&[a]).expect("a good key");
        let both = Vault::new(&[b, a]).expect("good keys");
        let other = Vault::new(&[b]).expect("a good key");
        let sealed = old.seal("l", b"text").expect("sealed");
        assert_eq!(both.open("l", &sealed).as_deref(), Some(&b"text"[..]));
        assert_eq!(other.open("l", &sealed), None);
        assert_eq!(old.open("m", &sealed), None);
        assert_ne!(old.seal("l", b"text").expect("sealed"), sealed);
        for at in 0..sealed.len() {
            let mut changed = sealed.clone();
            if let Some(byte) = changed.get_mut(at) {
                *byte ^= 1;
            }
            assert_eq!(old.open("l", &changed), None, "byte {at}");
            assert_eq!(old.open("l", sealed.get(..at).unwrap_or_default()), None);
        }
    }

    #[test]
    fn short_keys_are_refused() {
        assert!(Vault::new(&[[0u8; 31]]).is_err());
        assert!(Vault::new::<[u8; 32]>(&[]).is_err());
    }
}
