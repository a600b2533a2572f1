//! Sealers as the header has them.

use super::{
    abi::{
        buf::mrtr_buf,
        counters::mrtr_sealer_counters,
        guard::{Call, bad, flag, size},
        hooks::SealerHooks,
        sealer::{mrtr_opened, mrtr_sealer_options},
        sized::{ABSENT, zeroed},
        slice::mrtr_slice,
    },
    request::Request,
};
use crate::{
    json::Limits,
    protocol::{Code, Error},
    state::{
        self, Cipher, Claims, Crypto, Draft, Guard, MemoryGuard, Sealer, SealerOptions, Secret,
        View,
    },
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
pub(crate) fn make(
    c: &Call<'_>,
    o: &mrtr_sealer_options,
    hooks: Option<&Arc<SealerHooks>>,
) -> Result<Arc<Sealer>, Error> {
    let cipher = u8::try_from(o.cipher).ok().and_then(Cipher::from_number);
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
        single_use: guard(o, hooks)?,
        crypto: crypto(hooks)?,
        observer: hooks
            .filter(|hooks| hooks.table().refused.is_some())
            .map(|hooks| Arc::clone(hooks) as _),
    };
    Sealer::new(options).map(Arc::new)
}

/// The guard in this process, the host's, or none.
fn guard(
    o: &mrtr_sealer_options,
    hooks: Option<&Arc<SealerHooks>>,
) -> Result<Option<Arc<dyn Guard>>, Error> {
    let own = hooks.filter(|hooks| hooks.table().claim.is_some());
    match (own, flag(o.single_use, "single_use")?) {
        (Some(_), true) => Err(bad("single_use and a claim function exclude each other")),
        (Some(hooks), false) => Ok(Some(Arc::clone(hooks) as _)),
        (None, true) => Ok(Some(Arc::new(MemoryGuard::new(size(o.guard_capacity))))),
        (None, false) => Ok(None),
    }
}

fn crypto(hooks: Option<&Arc<SealerHooks>>) -> Result<Option<Arc<dyn Crypto>>, Error> {
    let Some(hooks) = hooks else { return Ok(None) };
    match (hooks.table().seal, hooks.table().unseal) {
        (None, None) => Ok(None),
        (Some(_), Some(_)) => Ok(Some(Arc::clone(hooks) as _)),
        _ => Err(bad("seal and unseal come together")),
    }
}

/// A token that may be absent. Its length is looked at before its bytes are.
pub(crate) fn token<'c>(
    c: &Call<'c>,
    sealer: &Sealer,
    slice: mrtr_slice,
    what: &str,
) -> Result<Option<&'c str>, Error> {
    sealer.check_len(slice.len)?;
    c.optional_text(slice, what)
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
    let previous = reopened(sealer, &request, previous, now_ms)?;
    let mut token = Vec::new();
    sealer.seal_into(
        &request,
        previous.as_ref(),
        draft(state),
        now_ms,
        &mut token,
    )?;
    Ok(mrtr_buf::from_vec(token))
}

/// The same into `room`; gives the length, which may be more than there is room for.
pub(crate) fn seal_into(
    sealer: &Sealer,
    request: &Request<'_>,
    state: Option<&[u8]>,
    previous: Option<&str>,
    now_ms: u64,
    room: &mut [u8],
) -> Result<usize, Error> {
    let request = request.binding(&Limits::default())?;
    let previous = reopened(sealer, &request, previous, now_ms)?;
    sealer.seal_in(&request, previous.as_ref(), draft(state), now_ms, room)
}

/// Whether what is needed is there.
pub(crate) fn fits(need: usize, room: usize) -> Result<(), Error> {
    if need <= room {
        return Ok(());
    }
    let message = format!("{need} bytes of room are needed, {room} were given");
    Err(Error::new(Code::SmallBuffer, message))
}

fn draft(state: Option<&[u8]>) -> Draft<'_> {
    Draft {
        state,
        ..Draft::default()
    }
}

fn reopened(
    sealer: &Sealer,
    request: &state::Request<'_>,
    previous: Option<&str>,
    now_ms: u64,
) -> Result<Option<Claims>, Error> {
    previous
        .map(|token| sealer.open_unclaimed(request, token, now_ms))
        .transpose()
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
    let mut opened = shown(&sealer.open_in(&request, token, now_ms, &mut plain)?);
    // The vector moves, its bytes stay where `state` points.
    opened.storage = mrtr_buf::secret(std::mem::take(&mut *plain));
    Ok(opened)
}

/// The same in `room`.
pub(crate) fn open_into(
    sealer: &Sealer,
    request: &Request<'_>,
    token: &str,
    now_ms: u64,
    room: &mut [u8],
) -> Result<mrtr_opened, Error> {
    let request = request.binding(&Limits::default())?;
    sealer
        .open_at(&request, token, now_ms, room)
        .map(|view| shown(&view))
}

fn shown(view: &View<'_>) -> mrtr_opened {
    mrtr_opened {
        round: view.round(),
        has_state: u32::from(view.state().is_some()),
        token_id: view.token_id(),
        flow_id: view.flow_id(),
        issued_ms: view.issued_ms(),
        expires_ms: view.expires_ms(),
        flow_start_ms: view.flow_start_ms(),
        state: view.state().map_or(ABSENT, mrtr_slice::of),
        ..zeroed()
    }
}

/// What a sealer did so far.
pub(crate) fn counters(sealer: &Sealer) -> mrtr_sealer_counters {
    let counts = sealer.counters();
    mrtr_sealer_counters {
        sealed: counts.sealed,
        sealed_bytes: counts.sealed_bytes,
        opened: counts.opened,
        opened_bytes: counts.opened_bytes,
        refused: counts.refused_in_all(),
        wrong_type: counts.refused(Code::WrongType),
        too_large: counts.refused(Code::TooLarge),
        malformed: counts.refused(Code::Malformed),
        unknown_key: counts.refused(Code::UnknownKey),
        tampered: counts.refused(Code::Tampered),
        not_yet_valid: counts.refused(Code::NotYetValid),
        expired: counts.refused(Code::Expired),
        flow_expired: counts.refused(Code::FlowExpired),
        too_many_rounds: counts.refused(Code::TooManyRounds),
        wrong_audience: counts.refused(Code::WrongAudience),
        wrong_principal: counts.refused(Code::WrongPrincipal),
        wrong_request: counts.refused(Code::WrongRequest),
        replayed: counts.refused(Code::Replayed),
        guard_failed: counts.refused(Code::GuardFailed),
        ..zeroed()
    }
}
