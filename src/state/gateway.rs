//! For gateways (S14): a backend's opaque state inside ours, and ask keys that do not meet.

use crate::json::{Key, Str};

/// What a gateway kept of one backend.
#[derive(Clone, PartialEq, Eq)]
pub struct Wrapped {
    /// Name of the backend.
    pub backend: String,
    /// Its `requestState`, exact to the code unit; `write_json` of the key gives the string token to send back.
    pub state: Key,
}

impl std::fmt::Debug for Wrapped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Wrapped(..)")
    }
}

/// Host state that carries the `requestState` of a backend, any string, with the backend's name (S14).
#[must_use]
pub fn wrap(backend: &str, state: Str<'_>) -> Vec<u8> {
    let mut out = Vec::with_capacity(
        backend
            .len()
            .saturating_add(state.bytes_len())
            .saturating_add(8),
    );
    out.extend_from_slice(&(backend.len() as u64).to_be_bytes());
    out.extend_from_slice(backend.as_bytes());
    state.write_bytes(&mut out);
    out
}

/// What [`wrap`] made; `None` for anything else.
#[must_use]
pub fn unwrap(host_state: &[u8]) -> Option<Wrapped> {
    let (len, rest) = host_state.split_first_chunk()?;
    let (backend, state) =
        rest.split_at_checked(usize::try_from(u64::from_be_bytes(*len)).ok()?)?;
    Some(Wrapped {
        backend: std::str::from_utf8(backend).ok()?.to_owned(),
        state: Key::from_wtf8(state)?,
    })
}

/// The key of a backend's ask as the gateway's client sees it: `<length of the name>:<name>:<key>`.
#[must_use]
pub fn prefix_key(backend: &str, key: &Key) -> Key {
    let mut bytes = format!("{}:{backend}:", backend.len()).into_bytes();
    bytes.extend_from_slice(key.as_bytes());
    // Text that ends in a colon followed by WTF-8 is WTF-8: no surrogate pair can form at the seam.
    Key::from_wtf8(&bytes).unwrap_or_else(|| Key::from(""))
}

/// Backend and key of what [`prefix_key`] made; `None` for anything else.
#[must_use]
pub fn split_key(key: &Key) -> Option<(String, Key)> {
    let colon = key.as_bytes().iter().position(|byte| *byte == b':')?;
    let (digits, rest) = key.as_bytes().split_at_checked(colon)?;
    let len: usize = std::str::from_utf8(digits).ok()?.parse().ok()?;
    let (backend, rest) = rest.get(1..)?.split_at_checked(len)?;
    let backend = std::str::from_utf8(backend).ok()?;
    let own = Key::from_wtf8(rest.strip_prefix(b":")?)?;
    // One spelling only: `01:` and `+1:` are no prefix of ours.
    (prefix_key(backend, &own) == *key).then(|| (backend.to_owned(), own))
}
