//! `mrtr_client`: what a client can do and how its flows behave (C).

use super::{
    buf::mrtr_buf,
    error::{mrtr_error, mrtr_status},
    guard::{guard, guard_value},
    object::{Handle, handle},
    sized::sized,
    slice::mrtr_slice,
};
use crate::{client::Client, ffi};
use std::ptr;

/// Elicitations one after the other, sampling and roots beside them.
pub const MRTR_ORDER_DEFAULT: u32 = 0;
/// One ask at a time.
pub const MRTR_ORDER_SERIAL: u32 = 1;
/// All asks of a round at once.
pub const MRTR_ORDER_CONCURRENT: u32 = 2;

/// Handle of a client. `{0}` is none.
///
/// Any number of threads may use one at the same time.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct mrtr_client {
    /// The library's own word; 0 = none.
    pub id: u64,
}

handle!(mrtr_client, Client, Client, Many);

/// How to make a client, or how one flow differs from its client.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct mrtr_client_options {
    /// Size of this struct as the caller knows it.
    pub struct_size: u32,
    /// `MRTR_ABI`.
    pub abi: u32,
    /// What the host handles: `MRTR_NEED_*`, or-ed. The declared capabilities follow from it. Default 0.
    pub handlers: u32,
    /// Most rounds with asks; `MRTR_UNLIMITED` needs a flow timeout. Default 10.
    pub max_rounds: u32,
    /// Longest wait for the response to one leg. Default 60 000 ms; `MRTR_NO_LIMIT` = ten years.
    pub leg_timeout_ms: u64,
    /// Longest wait for one answer. Default `MRTR_NO_LIMIT`.
    pub input_timeout_ms: u64,
    /// Longest life of a flow. Default `MRTR_NO_LIMIT`.
    pub flow_timeout_ms: u64,
    /// Longest row of state-only rounds. Default 300 000 ms.
    pub poll_budget_ms: u64,
    /// First wait before a state-only retry. Default 50 ms.
    pub pacing_initial_ms: u64,
    /// Longest wait before a state-only retry. Default 5 000 ms.
    pub pacing_max_ms: u64,
    /// 1 = those waits vary at random. Default 1.
    pub jitter: u32,
    /// 1 = an `input_required` result ends the flow and is handed back. Default 0.
    pub manual: u32,
    /// `MRTR_ORDER_*`.
    pub order: u32,
    /// 1 = results without `resultType`, and null members, are refused. Default 0.
    pub strict: u32,
    /// 1 = `http` URLs may be shown (development). Default 0.
    pub allow_http: u32,
    /// 1 = state-only retries count as rounds, and wait 50 to 250 ms. Default 0.
    pub state_only_counts: u32,
    /// 1 = progress starts the leg's clock anew. Default 0.
    pub reset_on_progress: u32,
    /// 1 = an elicitation that nobody can take is answered with cancel instead of ending the flow. Default 0.
    pub cancel_if_unavailable: u32,
    /// Most bytes of params, of a result and of an answer. Default 4 MiB. 1 GiB and more count as 1 byte less than that.
    pub max_message_bytes: u64,
    /// Deepest nesting of JSON, the root counting 1. Default 64.
    pub max_depth: u64,
    /// Most asks in a result. Default 64.
    pub max_asks: u64,
    /// Most bytes of an ask's key. Default 64 KiB.
    pub max_key_bytes: u64,
    /// Most bytes of a `requestState`. Default 1 MiB.
    pub max_token_bytes: u64,
    /// Protocol version to put into `_meta`; `ptr` NULL = 2026-07-28.
    pub protocol_version: mrtr_slice,
    /// JSON object for `_meta`: name and version of the client; `ptr` NULL = the caller's params have it.
    pub client_info: mrtr_slice,
    /// Secrets of at least 32 bytes that seal continuations: the first seals, every one opens, and what is not sealed is refused.
    /// None = continuations are readable. In the options of one flow they are ignored: the client's stay.
    pub continuation_keys: *const mrtr_slice,
    /// Number of secrets.
    pub continuation_key_count: usize,
    /// The host's own name for the server, handed on with each ask; `ptr` NULL = none.
    pub label: mrtr_slice,
    /// Result types of extensions that the host reads itself; a result of one ends the flow as complete.
    pub result_types: *const mrtr_slice,
    /// Number of result types.
    pub result_type_count: usize,
    /// `MRTR_TRACE_*`: what a flow writes down about itself (`mrtr_trace_write`). Default nothing.
    pub trace: u32,
    /// 0.
    pub reserved: u32,
}

sized!(mrtr_client_options, client_info: mrtr_slice, abi = true, ffi::client::defaults());

/// Writes the default options. Never writes beyond `size` bytes.
///
/// Threads: any, one at a time for the same struct.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_client_options_init(
    options: *mut mrtr_client_options,
    size: u32,
    abi: u32,
) {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe { guard_value((), |c| c.init(options, size, abi)) }
}

/// Makes a client.
///
/// Ownership: free it with `mrtr_client_free`; texts are copied.
/// Threads: any.
/// Errors: `MRTR_CONFIG_ERROR`, `MRTR_BAD_ARGUMENT`, `MRTR_ABI_MISMATCH`, `MRTR_BAD_STRUCT_SIZE`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_client_new(
    options: *const mrtr_client_options,
    out: *mut mrtr_client,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let out = c.out(out).needed("out")?;
            let options = c.sized(options, "options")?;
            out.set(mrtr_client::insert(Client::new(ffi::client::options(
                c, &options,
            )?)?)?);
            Ok(())
        })
    }
}

/// The capabilities that the client declares, as JSON text: they follow from `handlers`.
///
/// Ownership: `json` is the caller's, to be freed with `mrtr_buf_free`.
/// Threads: any.
/// Errors: only those of handles and arguments.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_client_capabilities(
    client: mrtr_client,
    json: *mut mrtr_buf,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let json = c.out(json);
            let client = c.get(client)?;
            let json = json.needed("json")?;
            json.set(mrtr_buf::from_vec(client.capabilities().into()));
            Ok(())
        })
    }
}

/// Gives a client back. `{0}` is fine. Flows begun with it go on.
///
/// Threads: any; calls under way end undisturbed.
/// Errors: `MRTR_STALE_HANDLE` if it was freed before, `MRTR_WRONG_HANDLE`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_client_free(client: mrtr_client) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe { guard(ptr::null_mut(), |c| c.free(client)) }
}
