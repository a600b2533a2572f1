//! `mrtr_event`: what a flow wants done next.

use super::{
    buf::mrtr_buf,
    error::mrtr_status,
    sized::{sized, zeroed},
    slice::mrtr_slice,
};

/// Nothing to do until something is delivered; after the end, nothing at all.
pub const MRTR_EVENT_IDLE: u32 = 0;
/// Send a request: `leg`, `id`, `method`, `params`, `until_ms`, `paced_ms`.
pub const MRTR_EVENT_SEND: u32 = 1;
/// Tell the transport that nobody waits for this leg any more: `leg`, `id`.
pub const MRTR_EVENT_CANCEL_LEG: u32 = 2;
/// Ask the user or the model: `key`, `kind`, `ask`, `params`, `round`, `previously_declined`, who asks (`label`, `call_method`, `call_target`, `server_*`), and by kind `message`, `schema`, `url` with its hosts and flags.
pub const MRTR_EVENT_ASK: u32 = 3;
/// Stop asking: `key`.
pub const MRTR_EVENT_STOP_ASK: u32 = 4;
/// A round of asks begins: `round`.
pub const MRTR_EVENT_ROUND: u32 = 5;
/// Progress of a leg, for the caller: `leg`, `progress`.
pub const MRTR_EVENT_PROGRESS: u32 = 6;
/// Something odd that harms nothing, for a log: `text`, perhaps `key`.
pub const MRTR_EVENT_NOTE: u32 = 7;
/// Nothing to do before `until_ms`; `pacing` is 1 if it is the wait before a state-only retry.
pub const MRTR_EVENT_SLEEP: u32 = 8;
/// The flow has ended: `end`, `result`, `rpc_error`, `key`, `text`, `round`, `continuation`, `cacheable`. Comes exactly once.
pub const MRTR_EVENT_DONE: u32 = 9;
/// Of a runtime, not of a flow: it is closed, all was taken, and nothing will come any more.
pub const MRTR_EVENT_DRAINED: u32 = 10;

/// The URL's scheme is not https.
pub const MRTR_URL_NOT_HTTPS: u32 = 1;
/// The URL has a user name or password in it.
pub const MRTR_URL_USER_INFO: u32 = 2;
/// The URL's host is an IP address.
pub const MRTR_URL_IP_LITERAL: u32 = 4;
/// The URL's host has a label in Punycode.
pub const MRTR_URL_PUNYCODE: u32 = 8;
/// A label of the URL's host mixes scripts.
pub const MRTR_URL_MIXED_SCRIPT: u32 = 16;

/// One event of a flow. Members that do not belong to its type are 0, their `ptr` NULL.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct mrtr_event {
    /// Size of this struct as the caller knows it.
    pub struct_size: u32,
    /// `MRTR_EVENT_*`.
    pub r#type: u32,
    /// Number of the leg, from 1; `mrtr_flow_deliver` wants it back.
    pub leg: u32,
    /// ASK and ROUND: number of the round; DONE: rounds that there were.
    pub round: u32,
    /// JSON-RPC id to use for the leg; unique among the flows of the client.
    pub id: u64,
    /// SEND: deadline of the leg; SLEEP: wake then. `MRTR_NO_LIMIT` = none.
    pub until_ms: u64,
    /// SEND: the wait that was taken before it.
    pub paced_ms: u64,
    /// ASK: `MRTR_KIND_*`.
    pub kind: u32,
    /// ASK: `MRTR_URL_*`, or-ed.
    pub url_flags: u32,
    /// ASK: 1 if the same question was declined in an earlier round.
    pub previously_declined: u32,
    /// DONE: `MRTR_OK` = complete, else why it ended.
    pub end: mrtr_status,
    /// SLEEP: 1 = the wait before a state-only retry.
    pub pacing: u32,
    /// DONE: 1 = the result may be cached.
    pub cacheable: u32,
    /// PROGRESS: the value; never lower than one before.
    pub progress: f64,
    /// SEND: method of the leg. ASK: method of the ask.
    pub method: mrtr_slice,
    /// SEND: JSON text of the leg's params. ASK: JSON text of the ask's params.
    pub params: mrtr_slice,
    /// ASK, STOP_ASK, NOTE, DONE: key of the ask.
    pub key: mrtr_slice,
    /// ASK: JSON text of the whole ask.
    pub ask: mrtr_slice,
    /// ASK, elicitation: the message, plain text.
    pub message: mrtr_slice,
    /// ASK, form: JSON text of the schema.
    pub schema: mrtr_slice,
    /// ASK, URL: the URL, plain text. The library never opens it.
    pub url: mrtr_slice,
    /// ASK, URL: its host in ASCII.
    pub host_ascii: mrtr_slice,
    /// ASK, URL: its host in Unicode.
    pub host_unicode: mrtr_slice,
    /// DONE: JSON text of the final result, byte for byte, or of the result that was refused.
    pub result: mrtr_slice,
    /// DONE: JSON text of the error object that the peer sent.
    pub rpc_error: mrtr_slice,
    /// DONE: text from which the flow can go on (`mrtr_flow_resume`).
    pub continuation: mrtr_slice,
    /// NOTE: what is odd. DONE: a sentence about the end.
    pub text: mrtr_slice,
    /// Owner of the bytes above; free it with `mrtr_buf_free`.
    pub storage: mrtr_buf,
    /// ASK: the host's own name for the server, from its options.
    pub label: mrtr_slice,
    /// ASK: method of the call that the ask belongs to.
    pub call_method: mrtr_slice,
    /// ASK: the tool or prompt name, or the URI, of that call.
    pub call_target: mrtr_slice,
    /// ASK: what the server calls itself, as it came. Not verified by anyone.
    pub server_name: mrtr_slice,
    /// ASK: the same for the eye: at most 80 characters, invisible and direction-turning ones escaped.
    pub server_shown: mrtr_slice,
    /// ASK: the server's version for the eye.
    pub server_version: mrtr_slice,
    /// ASK, form: JSON array of the names of fields that look as if they asked for a secret, which a server must not do by form.
    pub secret_fields: mrtr_slice,
}

sized!(mrtr_event, storage: mrtr_buf, abi = false, zeroed());
