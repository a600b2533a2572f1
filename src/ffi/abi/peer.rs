//! `mrtr_peer`: whom a server talks to, and whether that side can be asked (E3).

use super::{
    error::{mrtr_error, mrtr_status},
    guard::guard,
    sized::{sized, zeroed},
    slice::mrtr_slice,
};
use crate::ffi;

/// The peer can be asked.
pub const MRTR_CAN_ASK_YES: u32 = 1;
/// Requests of this method never ask.
pub const MRTR_CAN_ASK_METHOD: u32 = 2;
/// The peer's protocol version does not know such asks.
pub const MRTR_CAN_ASK_ERA: u32 = 3;
/// In the peer's protocol version asks are requests, and there is no way to send it one.
pub const MRTR_CAN_ASK_CHANNEL: u32 = 4;
/// The peer did not declare it.
pub const MRTR_CAN_ASK_UNDECLARED: u32 = 5;

/// The other side of a session, or of one request. Zero the struct, then set what is known.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct mrtr_peer {
    /// Size of this struct as the caller knows it.
    pub struct_size: u32,
    /// 1 = a request can be sent to it while it waits for its answer: a session with a stream. Of no account in 2026-07-28.
    pub back_channel: u32,
    /// Protocol version that was agreed on, such as `2025-11-25`; `ptr` NULL = 2026-07-28.
    pub version: mrtr_slice,
    /// JSON text of the capabilities that it declared, in `initialize` or in this request; `ptr` NULL = none.
    pub capabilities: mrtr_slice,
}

sized!(mrtr_peer, capabilities: mrtr_slice, abi = false, zeroed());

/// Whether a peer can be asked what needs all of `needs` (`MRTR_NEED_*`, or-ed) while a request of `method` is served:
/// `*can` is a `MRTR_CAN_ASK_*`.
///
/// Threads: any.
/// Errors: `MRTR_UNSUPPORTED_VERSION`, `MRTR_BAD_ARGUMENT` for an unknown bit, `MRTR_BAD_JSON`, `MRTR_NOT_UTF8`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_peer_can_ask(
    peer: *const mrtr_peer,
    method: mrtr_slice,
    needs: u32,
    can: *mut u32,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let can = c.out(can).needed("can")?;
            let peer = ffi::peer::read(c, &c.sized(peer, "peer")?)?;
            let method = c.text(method, "method")?;
            can.set(peer.can_ask(method, ffi::exchange::needs(needs)?) as u32);
            Ok(())
        })
    }
}
