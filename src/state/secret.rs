//! Key material handed in by the host.

use std::fmt;
use zeroize::Zeroizing;

/// A secret of the key ring: at least 32 bytes, copied from the caller, wiped on drop and never printed (S7).
#[derive(Clone)]
pub struct Secret(Zeroizing<Vec<u8>>);

impl Secret {
    /// Copies `bytes`; the caller may wipe its own copy. The length is checked when the ring is built.
    #[must_use]
    pub fn new(bytes: &[u8]) -> Secret {
        Secret(Zeroizing::new(bytes.to_vec()))
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}
