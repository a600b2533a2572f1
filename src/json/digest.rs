//! What a request is, in 32 bytes: method, target and arguments (S5).

use super::{Canonical, Fault, Raw, Str};

/// First bytes of what is hashed, so that no other use of SHA-256 gives the same digest.
const LABEL: &[u8] = b"mrtr request 1\n";

/// SHA-256.
pub fn sha256(bytes: &[u8]) -> [u8; 32] {
    let digest = ring::digest::digest(&ring::digest::SHA256, bytes);
    digest.as_ref().try_into().unwrap_or([0; 32])
}

/// Digest of a request: its method, its target (tool or prompt name, or URI) and its arguments, where absent, `null`
/// and `{}` arguments are one (S5). Duplicate members anywhere in the arguments are refused; the pointer is relative
/// to the arguments (D14). `docs/arguments-digest.md` is the specification.
pub fn request_digest(
    method: &str,
    target: Option<Str<'_>>,
    arguments: Option<Raw<'_>>,
) -> Result<[u8; 32], Fault> {
    request_digest_with(&mut Canonical::new(), method, target, arguments)
}

/// [`request_digest`] with scratch space of the caller: a warm one allocates nothing.
pub fn request_digest_with(
    scratch: &mut Canonical,
    method: &str,
    target: Option<Str<'_>>,
    arguments: Option<Raw<'_>>,
) -> Result<[u8; 32], Fault> {
    scratch.clear();
    scratch.push_bytes(LABEL);
    scratch.push_text(method);
    match target {
        Some(target) => scratch.push_str(target),
        None => scratch.push_bytes(b"n"),
    }
    let arguments = arguments.filter(|raw| !raw.is_null()).unwrap_or(Raw::EMPTY);
    scratch.push_value(arguments)?;
    Ok(sha256(scratch.bytes()))
}
