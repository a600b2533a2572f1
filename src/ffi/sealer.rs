//! Sealers as the header has them.

use super::{
    abi::{
        buf::mrtr_buf,
        guard::{Call, bad, flag, size},
        sealer::{mrtr_opened, mrtr_sealer_options},
        sized::{ABSENT, zeroed},
        slice::mrtr_slice,
    },
    request::Request,
};
use crate::{
    json::Limits,
    protocol::Error,
    state::{Cipher, Draft, MemoryGuard, Sealer, SealerOptions, Secret},
};
use std::sync::Arc;
use zeroize::Zeroizing;

/// The defaults of the core, as the header has them.
pub(crate) fn defaults() -> mrtr_sealer_options {
    let core = SealerOptions::default();
    mrtr_sealer_options {
        cipher: u32::from(core.cipher.number()),
        ttl_ms: core.ttl_ms,
        skew_ms: core.skew_ms,
        max_age_ms: core.max_age_ms,
        max_rounds: core.max_rounds,
        max_state_bytes: core.limits.state_bytes as u64,
        max_token_bytes: core.limits.token_bytes as u64,
        guard_capacity: MemoryGuard::DEFAULT_CAPACITY as u64,
        ..zeroed()
    }
}

/// Copies secrets.
pub(crate) fn keys(
    c: &Call<'_>,
    first: *const mrtr_slice,
    count: usize,
) -> Result<Vec<Secret>, Error> {
    let keys = c.byte_strings(first, count, "keys")?;
    Ok(keys.into_iter().map(Secret::new).collect())
}

/// Makes a sealer.
pub(crate) fn make(c: &Call<'_>, o: &mrtr_sealer_options) -> Result<Arc<Sealer>, Error> {
    let cipher = u8::try_from(o.cipher).ok().and_then(Cipher::from_number);
    let single_use = flag(o.single_use, "single_use")?;
    let options = SealerOptions {
        keys: keys(c, o.keys, o.key_count)?,
        ephemeral: flag(o.ephemeral, "ephemeral")?,
        cipher: cipher.ok_or_else(|| bad(format!("cipher cannot be {}", o.cipher)))?,
        ttl_ms: o.ttl_ms,
        skew_ms: o.skew_ms,
        max_age_ms: o.max_age_ms,
        max_rounds: o.max_rounds,
        audience: c.optional_text(o.audience, "audience")?.map(str::to_owned),
        limits: Limits {
            state_bytes: size(o.max_state_bytes),
            token_bytes: size(o.max_token_bytes),
            ..Limits::default()
        },
        single_use: single_use.then(|| Arc::new(MemoryGuard::new(size(o.guard_capacity))) as _),
        crypto: None,
    };
    Sealer::new(options).map(Arc::new)
}

/// Seals a state; `previous` is the token whose flow goes on.
pub(crate) fn seal(
    sealer: &Sealer,
    request: &Request<'_>,
    state: Option<&[u8]>,
    previous: Option<&str>,
    now_ms: u64,
) -> Result<mrtr_buf, Error> {
    let request = request.binding(&Limits::default())?;
    let previous = previous
        .map(|token| sealer.open_unclaimed(&request, token, now_ms))
        .transpose()?;
    let draft = Draft {
        state,
        ..Draft::default()
    };
    let mut token = Vec::new();
    sealer.seal_into(&request, previous.as_ref(), draft, now_ms, &mut token)?;
    Ok(mrtr_buf::from_vec(token))
}

/// Opens a token. The state is shown where it was decrypted: nothing is copied.
pub(crate) fn open(
    sealer: &Sealer,
    request: &Request<'_>,
    token: &str,
    now_ms: u64,
) -> Result<mrtr_opened, Error> {
    let request = request.binding(&Limits::default())?;
    let mut plain = Zeroizing::new(Vec::new());
    let view = sealer.open_in(&request, token, now_ms, &mut plain)?;
    let mut opened = mrtr_opened {
        round: view.round(),
        has_state: u32::from(view.state().is_some()),
        token_id: view.token_id(),
        flow_id: view.flow_id(),
        issued_ms: view.issued_ms(),
        expires_ms: view.expires_ms(),
        flow_start_ms: view.flow_start_ms(),
        state: view.state().map_or(ABSENT, |state| mrtr_slice {
            ptr: state.as_ptr(),
            len: state.len(),
        }),
        ..zeroed()
    };
    // The vector moves, its bytes stay where `state` points.
    opened.storage = mrtr_buf::secret(std::mem::take(&mut *plain));
    Ok(opened)
}
