//! What a text may cost, checked before anything is allocated for it (J4).

use super::Fault;
use super::index::LONGEST;

/// Upper bounds on what is read and written; all in bytes of text unless said otherwise (J4).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// A whole message: `params` of a request or a `result`. More than 2^30 - 1 counts as that.
    pub message_bytes: usize,
    /// Nested arrays and objects; the root counts as 1.
    pub depth: usize,
    /// Entries of one `inputRequests`.
    pub asks: usize,
    /// Entries of one `inputResponses`.
    pub answers: usize,
    /// A key of an ask or an answer, decoded.
    pub key_bytes: usize,
    /// A state token that comes in, decoded.
    pub token_bytes: usize,
    /// The plaintext of a state token that goes out.
    pub state_bytes: usize,
}

impl Limits {
    /// Refuses a message over its limit (J4).
    pub fn check_message(&self, size: usize) -> Result<(), Fault> {
        Fault::check_size("message", size, self.message_bytes.min(LONGEST))
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            message_bytes: 4 << 20,
            depth: 64,
            asks: 64,
            answers: 64,
            key_bytes: 64 << 10,
            token_bytes: 1 << 20,
            state_bytes: 64 << 10,
        }
    }
}
