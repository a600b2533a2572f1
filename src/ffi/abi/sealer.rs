//! `mrtr_sealer`: protects `requestState` (S).

use super::{
    buf::mrtr_buf,
    clock::server_now,
    error::{mrtr_error, mrtr_status},
    guard::{guard, guard_value},
    hooks::Hooks,
    object::{Handle, handle},
    request::mrtr_request,
    sealer_callbacks::mrtr_sealer_callbacks,
    sized::{sized, zeroed},
    slice::{mrtr_room, mrtr_slice},
};
use crate::{
    ffi::{self, request::Request},
    state::Sealer,
};
use std::{ptr, sync::Arc};

/// AES-256-GCM: the default.
pub const MRTR_CIPHER_AES_256_GCM: u32 = 1;
/// ChaCha20-Poly1305: where the processor has no AES.
pub const MRTR_CIPHER_CHACHA20_POLY1305: u32 = 2;
/// Signed but readable (HMAC-SHA256): for debugging only, the state is not secret.
pub const MRTR_CIPHER_SIGNED: u32 = 3;

/// Handle of a sealer. `{0}` is none.
///
/// Any number of threads may use one at the same time.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct mrtr_sealer {
    /// The library's own word; 0 = none.
    pub id: u64,
}

handle!(mrtr_sealer, Sealer, Arc<Sealer>, Many);

/// How to make a sealer.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct mrtr_sealer_options {
    /// Size of this struct as the caller knows it.
    pub struct_size: u32,
    /// `MRTR_ABI`.
    pub abi: u32,
    /// `MRTR_CIPHER_*`; default AES-256-GCM.
    pub cipher: u32,
    /// 1 = a random key of this process, lost with it; then no `keys`. Default 0.
    pub ephemeral: u32,
    /// Secrets of at least 32 bytes. The first seals, every one opens.
    pub keys: *const mrtr_slice,
    /// Number of secrets.
    pub key_count: usize,
    /// How long the token of one round lives. Default 600 000 ms.
    pub ttl_ms: u64,
    /// How far the clock of the sealing machine may be ahead. Default 60 000 ms.
    pub skew_ms: u64,
    /// How long a whole flow may last. Default 3 600 000 ms.
    pub max_age_ms: u64,
    /// How many rounds a flow may have. Default 32.
    pub max_rounds: u32,
    /// 1 = each token opens once, remembered in this process. Default 0.
    pub single_use: u32,
    /// Most bytes of sealed plaintext. Default 64 KiB.
    pub max_state_bytes: u64,
    /// Most bytes of a token that is looked at. Default 1 MiB.
    pub max_token_bytes: u64,
    /// Name of the service that the states are for; `ptr` NULL = none.
    pub audience: mrtr_slice,
    /// How many used tokens are remembered at most when `single_use`; when full, requests are refused. Default 65 536.
    pub guard_capacity: u64,
    /// Functions of the host; NULL = none. The struct is copied; `user_data` is the sealer's until `destroy` was called.
    /// If the sealer is not made, `destroy` is not called.
    pub callbacks: *const mrtr_sealer_callbacks,
}

/// What a token held.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct mrtr_opened {
    /// Size of this struct as the caller knows it.
    pub struct_size: u32,
    /// Round of the token; the first one of a flow is 1.
    pub round: u32,
    /// 1 if the host put a state in, even an empty one.
    pub has_state: u32,
    /// 0.
    pub reserved: u32,
    /// Random, different for each token.
    pub token_id: [u8; 16],
    /// The same in all rounds of a flow, not guessable: usable as idempotency key.
    pub flow_id: [u8; 16],
    /// Unix time in ms.
    pub issued_ms: u64,
    /// Unix time in ms; from then on the token is refused.
    pub expires_ms: u64,
    /// Unix time in ms of the flow's first token.
    pub flow_start_ms: u64,
    /// The host's state bytes.
    pub state: mrtr_slice,
    /// Owner of the bytes above; free it with `mrtr_buf_free`.
    pub storage: mrtr_buf,
}

sized!(mrtr_sealer_options, guard_capacity: u64, abi = true, ffi::sealer::defaults());
sized!(mrtr_opened, storage: mrtr_buf, abi = false, zeroed());

/// Writes the default options. Never writes beyond `size` bytes.
///
/// Threads: any, one at a time for the same struct.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_sealer_options_init(
    options: *mut mrtr_sealer_options,
    size: u32,
    abi: u32,
) {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe { guard_value((), |c| c.init(options, size, abi)) }
}

/// Makes a sealer.
///
/// Ownership: free it with `mrtr_sealer_free`; keys and audience are copied, keys wiped when it dies.
/// Threads: any.
/// Errors: `MRTR_CONFIG_ERROR` (no key, short or equal keys, a duration of 0 or beyond 10 years), `MRTR_NO_RANDOM`,
/// `MRTR_BAD_ARGUMENT` (no such cipher, one of `seal` and `unseal` without the other, `claim` beside `single_use`),
/// `MRTR_ABI_MISMATCH`, `MRTR_BAD_STRUCT_SIZE`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_sealer_new(
    options: *const mrtr_sealer_options,
    out: *mut mrtr_sealer,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let out = c.out(out).needed("out")?;
            let options = c.sized(options, "options")?;
            let hooks = c.optional_sized(options.callbacks)?.map(Hooks::new);
            let hooks = hooks.map(Arc::new);
            out.set(mrtr_sealer::insert(ffi::sealer::make(
                c,
                &options,
                hooks.as_ref(),
            )?)?);
            if let Some(hooks) = hooks {
                hooks.keep();
            }
            Ok(())
        })
    }
}

/// Replaces all keys at once. Calls that are under way end with the keys they began with.
///
/// Ownership: the keys are copied; those replaced are wiped.
/// Threads: any, also while others seal and open.
/// Errors: `MRTR_CONFIG_ERROR`, and the old keys stay.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_sealer_set_keys(
    sealer: mrtr_sealer,
    keys: *const mrtr_slice,
    count: usize,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            c.get(sealer)?.set_keys(&ffi::sealer::keys(c, keys, count)?)
        })
    }
}

/// Seals a state into a token for `requestState`. Servers that use an exchange do not need this.
///
/// `state` with `ptr` NULL = no state of the host's. `previous` is the token that this request came with, so that the flow
/// goes on (round, flow id, age); `ptr` NULL = a new flow. `now_ms` is Unix time or `MRTR_NOW`.
/// Ownership: `token` is the caller's, to be freed with `mrtr_buf_free`.
/// Threads: any.
/// Errors: `MRTR_TOO_LARGE`, `MRTR_TOO_MANY_ROUNDS`, `MRTR_FLOW_EXPIRED`, `MRTR_BAD_JSON` (also duplicates inside `arguments`), `MRTR_INVALID_PARAMS` (a target that is no string),
/// `MRTR_CONFIG_ERROR` (a principal without parts), `MRTR_NO_RANDOM`, and for `previous` those of `mrtr_sealer_open`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_sealer_seal(
    sealer: mrtr_sealer,
    request: *const mrtr_request,
    state: mrtr_slice,
    previous: mrtr_slice,
    now_ms: u64,
    token: *mut mrtr_buf,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let token = c.out(token);
            let sealer = c.get(sealer)?;
            let token = token.needed("token")?;
            let request = Request::read(c, request)?;
            let state = c.optional_bytes(state, "state")?;
            let previous = ffi::sealer::token(c, &sealer, previous, "previous")?;
            token.set(ffi::sealer::seal(
                &sealer,
                &request,
                state,
                previous,
                server_now(now_ms),
            )?);
            Ok(())
        })
    }
}

/// Opens a token: checks that it is ours, in time, and meant for this request and principal.
///
/// Ownership: `out->storage` is the caller's.
/// Threads: any.
/// Errors: the true reason (`MRTR_MALFORMED`, `MRTR_UNKNOWN_KEY`, `MRTR_TAMPERED`, `MRTR_EXPIRED`, `MRTR_NOT_YET_VALID`,
/// `MRTR_FLOW_EXPIRED`, `MRTR_TOO_MANY_ROUNDS`, `MRTR_WRONG_PRINCIPAL`, `MRTR_WRONG_REQUEST`, `MRTR_WRONG_AUDIENCE`,
/// `MRTR_REPLAYED`, `MRTR_TOO_LARGE`) for the host's eyes; the JSON-RPC error to send is the same for each.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_sealer_open(
    sealer: mrtr_sealer,
    request: *const mrtr_request,
    token: mrtr_slice,
    now_ms: u64,
    out: *mut mrtr_opened,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let out = c.sized_out(out);
            let sealer = c.get(sealer)?;
            let out = out.needed()?;
            let request = Request::read(c, request)?;
            let token = ffi::sealer::token(c, &sealer, token, "token")?;
            out.set(ffi::sealer::open(
                &sealer,
                &request,
                token.unwrap_or_default(),
                server_now(now_ms),
            )?);
            Ok(())
        })
    }
}

/// `mrtr_sealer_seal` into memory of the caller's: nothing is allocated once a thread has sealed before.
///
/// `*len` is the length of the token. If there is less room than that, it is the room that is needed, nothing is written, and the
/// status is `MRTR_SMALL_BUFFER`; the next token may be as long again if the state is.
/// Threads: any.
/// Errors: `MRTR_SMALL_BUFFER`, and those of `mrtr_sealer_seal`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_sealer_seal_into(
    sealer: mrtr_sealer,
    request: *const mrtr_request,
    state: mrtr_slice,
    previous: mrtr_slice,
    now_ms: u64,
    room: mrtr_room,
    len: *mut usize,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let len = c.out(len);
            let sealer = c.get(sealer)?;
            let len = len.needed("len")?;
            let request = Request::read(c, request)?;
            let state = c.optional_bytes(state, "state")?;
            let previous = ffi::sealer::token(c, &sealer, previous, "previous")?;
            let read = [state, previous.map(str::as_bytes), request.params_bytes()];
            let room = c.room(room, &read, "room")?;
            let now = server_now(now_ms);
            let need = ffi::sealer::seal_into(&sealer, &request, state, previous, now, room)?;
            len.set(need);
            ffi::sealer::fits(need, room.len())
        })
    }
}

/// `mrtr_sealer_open` into memory of the caller's: nothing is allocated once a thread has opened before.
///
/// `room` has as many bytes as the token, or more. `out->state` is a view into it, `out->storage` is empty; afterwards it holds the
/// state in the clear, and of a refused token nothing that was not in the token.
/// Threads: any.
/// Errors: `MRTR_SMALL_BUFFER` for less room, and those of `mrtr_sealer_open`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_sealer_open_into(
    sealer: mrtr_sealer,
    request: *const mrtr_request,
    token: mrtr_slice,
    now_ms: u64,
    room: mrtr_room,
    out: *mut mrtr_opened,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let out = c.sized_out(out);
            let sealer = c.get(sealer)?;
            let out = out.needed()?;
            let request = Request::read(c, request)?;
            let token = ffi::sealer::token(c, &sealer, token, "token")?.unwrap_or_default();
            let read = [Some(token.as_bytes()), request.params_bytes()];
            let room = c.room(room, &read, "room")?;
            let now = server_now(now_ms);
            out.set(ffi::sealer::open_into(&sealer, &request, token, now, room)?);
            Ok(())
        })
    }
}

/// Gives a sealer back. `{0}` is fine. Servers made with it keep what they need.
///
/// Threads: any; calls under way end undisturbed.
/// Errors: `MRTR_STALE_HANDLE` if it was freed before, `MRTR_WRONG_HANDLE`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_sealer_free(sealer: mrtr_sealer) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe { guard(ptr::null_mut(), |c| c.free(sealer)) }
}
