//! What library this is.

use super::abi::{
    sized::zeroed,
    storage::fixed,
    version::{
        MRTR_ABI_LEVEL, MRTR_ABI_MAJOR, MRTR_VERSION_MAJOR, MRTR_VERSION_MINOR, MRTR_VERSION_PATCH,
        mrtr_version_info,
    },
};

/// Optional parts that this build has.
const FEATURES: &[&str] = &[
    #[cfg(feature = "runtime")]
    "runtime",
];

/// The library's numbers.
pub(crate) fn info() -> mrtr_version_info {
    mrtr_version_info {
        abi_major: MRTR_ABI_MAJOR,
        abi_level: MRTR_ABI_LEVEL,
        version_major: MRTR_VERSION_MAJOR,
        version_minor: MRTR_VERSION_MINOR,
        version_patch: MRTR_VERSION_PATCH,
        version: fixed(env!("CARGO_PKG_VERSION")),
        ..zeroed()
    }
}

/// Whether this build has an optional part.
pub(crate) fn has_feature(name: &str) -> bool {
    FEATURES.contains(&name)
}
