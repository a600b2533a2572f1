//! What a call of an older client wants done next.

use crate::protocol::Code;

/// What to do next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LegacyStep {
    /// Run the handler with these params, in the exchange that [`super::Legacy::exchange`] begins, and hand over its result.
    Run {
        /// The caller's params with the answers and the state of the round.
        params: String,
    },
    /// Send the client a request, under an id of the host's, and hand over its response.
    Send {
        /// Number of the ask in this call, from 1.
        ask: u32,
        /// JSON-RPC method.
        method: &'static str,
        /// Params, if it has any.
        params: Option<String>,
    },
    /// Nobody waits for this ask any more: send `notifications/cancelled` for it.
    Cancel {
        /// Its number.
        ask: u32,
    },
    /// Nothing to do before this time.
    Sleep {
        /// Milliseconds of the clock that the host hands in.
        until_ms: u64,
    },
    /// Nothing to do until something is handed over; after the end, nothing at all.
    Idle,
    /// The call is over. Comes exactly once.
    Done(LegacyEnd),
}

/// How a call ended: what to answer the client with, and why if that is a refusal of ours.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LegacyEnd {
    /// The result to send.
    pub result: Option<String>,
    /// The JSON-RPC error object to send instead. Neither: the call was cancelled, and nothing is sent.
    pub rpc: Option<String>,
    /// Why the call was refused here; not set if the handler itself ended it.
    pub refused: Option<Code>,
}
