//! The key ring: what is derived from each secret, found by key id in O(1) (S7).

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::hint::black_box;

use ring::hmac;
use zeroize::Zeroizing;

use super::Secret;
use super::cipher::{Cipher, TokenKey};
use super::epoch::Epochs;
use super::recent::Recent;
use crate::protocol::{Code, Error};

pub(super) const KEY_ID_LEN: usize = 8;
pub(super) const SALT_LEN: usize = 16;
const MIN_SECRET_LEN: usize = 32;

// Labels of the key derivation: part of the token format (docs/request-state.md).
const LABEL_EXTRACT: &[u8] = b"mrtr1 request state";
const LABEL_KEY_ID: &[u8] = b"mrtr1 key id";
const LABEL_PRINCIPAL: &[u8] = b"mrtr1 principal";
const LABEL_TOKEN: &[u8] = b"mrtr1 token";

/// Key ids are HMAC output already: no second hash needed. Only keys of the ring are ever inserted.
#[derive(Default)]
pub(super) struct IdHasher(u64);

impl Hasher for IdHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }
    fn write_u64(&mut self, id: u64) {
        self.0 = id;
    }
}

/// What is kept of one secret; the secret itself is not.
pub(super) struct RingKey {
    pub(super) id: [u8; KEY_ID_LEN],
    cipher: Cipher,
    prk: hmac::Key,
    principal: hmac::Key,
}

pub(super) struct KeyRing {
    keys: Vec<RingKey>,
    by_id: HashMap<u64, usize, BuildHasherDefault<IdHasher>>,
    /// The current salt and derived key of the first secret, per group of threads.
    pub(super) epochs: Epochs,
    /// Keys of tokens opened lately.
    pub(super) recent: Recent,
}

/// HKDF-Expand to at most one block, from a ready HMAC key.
fn expand(prk: &hmac::Key, info: &[&[u8]]) -> Zeroizing<[u8; 32]> {
    let mut context = hmac::Context::with_key(prk);
    info.iter().for_each(|part| context.update(part));
    context.update(&[1]);
    let mut out = Zeroizing::new([0; 32]);
    for (to, from) in out.iter_mut().zip(context.sign().as_ref()) {
        *to = *from;
    }
    out
}

/// HKDF-Extract, which is HMAC keyed by the label.
fn extract(secret: &Secret) -> hmac::Key {
    let label = hmac::Key::new(hmac::HMAC_SHA256, LABEL_EXTRACT);
    let prk = hmac::sign(&label, secret.bytes());
    hmac::Key::new(hmac::HMAC_SHA256, prk.as_ref())
}

impl RingKey {
    fn new(secret: &Secret, cipher: Cipher) -> RingKey {
        let prk = extract(secret);
        let id_bytes = expand(&prk, &[LABEL_KEY_ID, &[cipher.number()]]);
        let mut id = [0; KEY_ID_LEN];
        for (to, from) in id.iter_mut().zip(id_bytes.iter()) {
            *to = *from;
        }
        let principal = expand(&prk, &[LABEL_PRINCIPAL]);
        RingKey {
            id,
            cipher,
            principal: hmac::Key::new(hmac::HMAC_SHA256, &principal[..]),
            prk,
        }
    }

    /// The key of all tokens of one salt.
    pub(super) fn token_key(&self, salt: &[u8; SALT_LEN]) -> Result<TokenKey, Error> {
        let key = expand(&self.prk, &[LABEL_TOKEN, &[self.cipher.number()], salt]);
        TokenKey::new(self.cipher, &key)
            .ok_or_else(|| Error::new(Code::ConfigError, "the cipher refused its key"))
    }

    /// The key of the principal digest (S4).
    pub(super) fn principal_key(&self) -> &hmac::Key {
        &self.principal
    }
}

impl Drop for RingKey {
    fn drop(&mut self) {
        let blank = hmac::Key::new(hmac::HMAC_SHA256, &[0; 32]);
        self.principal = blank.clone();
        self.prk = blank;
        // Keeps the overwriting from being dropped as a dead store.
        black_box((&mut self.prk, &mut self.principal));
    }
}

impl KeyRing {
    /// The first secret seals, every one opens. No secret, a short one, or the same twice is a config error.
    pub(super) fn new(secrets: &[Secret], cipher: Cipher) -> Result<KeyRing, Error> {
        if secrets.is_empty() {
            return Err(Error::new(
                Code::ConfigError,
                "no key: give at least one, or ask for an ephemeral sealer by name",
            ));
        }
        let mut ring = KeyRing {
            keys: Vec::with_capacity(secrets.len()),
            by_id: HashMap::default(),
            epochs: Epochs::new(),
            recent: Recent::new(),
        };
        for (at, secret) in secrets.iter().enumerate() {
            let len = secret.bytes().len();
            if len < MIN_SECRET_LEN {
                return Err(Error::new(
                    Code::ConfigError,
                    format!("key {at} has {len} bytes, at least {MIN_SECRET_LEN} are needed"),
                ));
            }
            let key = RingKey::new(secret, cipher);
            if let Some(before) = ring.by_id.insert(u64::from_be_bytes(key.id), at) {
                return Err(Error::new(
                    Code::ConfigError,
                    format!("key {at} is the same as key {before}"),
                ));
            }
            ring.keys.push(key);
        }
        Ok(ring)
    }

    /// The key that seals.
    pub(super) fn first(&self) -> Option<&RingKey> {
        self.keys.first()
    }

    pub(super) fn find(&self, id: [u8; KEY_ID_LEN]) -> Option<&RingKey> {
        self.by_id
            .get(&u64::from_be_bytes(id))
            .and_then(|at| self.keys.get(*at))
    }

    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }
}
