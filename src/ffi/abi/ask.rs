//! `mrtr_ask`: kinds of asks, what they need of a peer, and an ask as text.

use super::slice::mrtr_slice;

/// Form elicitation.
pub const MRTR_KIND_FORM: u32 = 1;
/// URL elicitation.
pub const MRTR_KIND_URL: u32 = 2;
/// Sampling: `sampling/createMessage`.
pub const MRTR_KIND_SAMPLING: u32 = 3;
/// Roots: `roots/list`.
pub const MRTR_KIND_ROOTS: u32 = 4;

/// Elicitation by form.
pub const MRTR_NEED_FORM: u32 = 1;
/// Elicitation by URL.
pub const MRTR_NEED_URL: u32 = 2;
/// Sampling.
pub const MRTR_NEED_SAMPLING: u32 = 4;
/// Sampling with tools.
pub const MRTR_NEED_SAMPLING_TOOLS: u32 = 8;
/// Sampling with context of other servers.
pub const MRTR_NEED_SAMPLING_CONTEXT: u32 = 16;
/// Roots.
pub const MRTR_NEED_ROOTS: u32 = 32;

/// One entry of `inputRequests`. Frozen: this struct never grows.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct mrtr_ask {
    /// Its key; unique in a result.
    pub key: mrtr_slice,
    /// JSON text `{"method":…,"params":…}`.
    pub ask: mrtr_slice,
}
