//! For gateways (S14): a backend's opaque state inside ours, and ask keys that do not meet.

use crate::json::Key;

/// Host state that carries the `requestState` of a backend, any string, with the backend's name (S14).
#[must_use]
pub fn wrap(backend: &str, state: &Key) -> Vec<u8> {
    let state = state.as_bytes();
    let mut out = Vec::with_capacity(backend.len().saturating_add(state.len()).saturating_add(8));
    out.extend_from_slice(&(backend.len() as u64).to_be_bytes());
    out.extend_from_slice(backend.as_bytes());
    out.extend_from_slice(state);
    out
}

/// Name of the backend and its state (WTF-8), of what [`wrap`] made; `None` for anything else.
#[must_use]
pub fn unwrap(host_state: &[u8]) -> Option<(&str, &[u8])> {
    let (len, rest) = host_state.split_first_chunk()?;
    let len = usize::try_from(u64::from_be_bytes(*len)).ok()?;
    let (backend, state) = rest.split_at_checked(len)?;
    Key::from_wtf8(state)?;
    Some((std::str::from_utf8(backend).ok()?, state))
}

/// The key of a backend's ask as the gateway's client sees it: `<length of the name>:<name>:<key>`.
#[must_use]
pub fn prefix_key(backend: &str, key: &Key) -> Key {
    let mut bytes = format!("{}:{backend}:", backend.len()).into_bytes();
    bytes.extend_from_slice(key.as_bytes());
    // Text that ends in a colon followed by WTF-8 is WTF-8: no surrogate pair can form at the seam.
    Key::from_wtf8(&bytes).unwrap_or_else(|| Key::from(""))
}

/// Backend and key (WTF-8) of what [`prefix_key`] made; `None` for anything else.
#[must_use]
pub fn split_key(key: &[u8]) -> Option<(&str, &[u8])> {
    let colon = key.iter().position(|byte| *byte == b':')?;
    let (digits, rest) = key.split_at_checked(colon)?;
    // One spelling only: `01:` and `+1:` are no prefix of ours.
    if !digits.iter().all(u8::is_ascii_digit) || (digits.len() > 1 && digits.starts_with(b"0")) {
        return None;
    }
    let len: usize = std::str::from_utf8(digits).ok()?.parse().ok()?;
    let (backend, rest) = rest.get(1..)?.split_at_checked(len)?;
    let own = rest.strip_prefix(b":")?;
    Key::from_wtf8(own)?;
    Some((std::str::from_utf8(backend).ok()?, own))
}
