//! Bring your own crypto (S13).

use crate::protocol::Error;

/// Seals and unseals bytes for a sealer, in place of its key ring: a key service, a hardware module.
/// Claims, binding and expiry stay with the sealer; confidentiality and integrity of the bytes are the host's.
///
/// Called from any thread, with no lock of ours held; the same bytes must come back exactly.
pub trait Crypto: Send + Sync {
    /// Protects `plain`.
    ///
    /// # Errors
    /// Passed on to the caller of `seal` as they are.
    fn seal(&self, plain: &[u8]) -> Result<Vec<u8>, Error>;

    /// Checks and opens what `seal` made.
    ///
    /// # Errors
    /// Any: the token is refused as tampered, the message is kept in the host's error.
    fn unseal(&self, sealed: &[u8]) -> Result<Vec<u8>, Error>;
}
