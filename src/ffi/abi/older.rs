//! Servers of 2025: their own requests, and pages that a call waits for (L1, L2).

use super::{
    buf::mrtr_buf,
    client::mrtr_client,
    clock::client_now,
    error::{mrtr_error, mrtr_status},
    flow::mrtr_flow,
    guard::guard,
    object::Handle,
    slice::mrtr_slice,
};
use crate::ffi::{self, flow::FlowObject};

/// The capabilities to declare in `initialize` of an older protocol version, as JSON text: they follow from `handlers`.
///
/// Ownership: `json` is the caller's, to be freed with `mrtr_buf_free`.
/// Threads: any.
/// Errors: `MRTR_BAD_ARGUMENT` for a version that is none of the older era (2024-11-05 to 2025-11-25).
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_older_capabilities(
    client: mrtr_client,
    version: mrtr_slice,
    json: *mut mrtr_buf,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let json = c.out(json);
            let client = c.get(client)?;
            let json = json.needed("json")?;
            let text = client.capabilities_of(c.text(version, "version")?)?;
            json.set(mrtr_buf::from_vec(text.into_bytes()));
            Ok(())
        })
    }
}

/// A flow for a request that a server of 2025 made of its client: `elicitation/create`, `sampling/createMessage`, `roots/list`.
/// It asks by the same events as a call and sends no leg; it ends with the JSON-RPC response to send in `result`. `end` says what became of
/// the ask; without a `result` (it was cancelled) nothing is to be sent.
///
/// `message` is the whole JSON-RPC request; its id is kept as it is. `version` is what was negotiated in `initialize`.
/// Ownership: all is copied; free the flow with `mrtr_flow_free`.
/// Threads: any.
/// Errors: `MRTR_BAD_JSON`, `MRTR_TOO_LARGE`, `MRTR_BAD_ARGUMENT` for what is no request, and for a version that is none of the older era.
/// A request that cannot be answered is no error here: the flow ends with the response that says so.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_older_request(
    client: mrtr_client,
    message: mrtr_slice,
    version: mrtr_slice,
    now_ms: u64,
    out: *mut mrtr_flow,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let out = c.out(out);
            let client = c.get(client)?;
            let out = out.needed("out")?;
            let (message, version) = (c.text(message, "message")?, c.text(version, "version")?);
            let flow = client.incoming(message, version, client_now(now_ms))?;
            out.set(mrtr_flow::insert(FlowObject::new(flow))?);
            Ok(())
        })
    }
}

/// Says that a page is done which the error -32042 of an older server asked for (`notifications/elicitation/complete`); `elicitation_id`
/// with `ptr` NULL = the user says that all are. When all are done, the call is made again, unchanged. An id that nobody waits for is ignored.
///
/// The error is delivered as any other (`mrtr_flow_deliver_error`) to a flow whose `protocol_version` is 2025-11-25. Its pages are asks;
/// a page that is declined ends the flow as `MRTR_REFUSED`.
/// Threads: any; calls take turns.
/// Errors: `MRTR_WRONG_STATE` without an id while the flow does not wait for pages, `MRTR_POISONED`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_older_complete(
    flow: mrtr_flow,
    elicitation_id: mrtr_slice,
    now_ms: u64,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let flow = c.get(flow)?;
            let id = match c.optional_bytes(elicitation_id, "elicitation_id")? {
                Some(_) => Some(ffi::server::key(c, elicitation_id)?),
                None => None,
            };
            flow.hand_in(now_ms, |flow, now| flow.complete(id.as_ref(), now))
        })
    }
}
