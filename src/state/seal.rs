//! Sealing.

use super::Crypto;
use super::claims::{Claims, Draft, Sealing};
use super::epoch::Random;
use super::keyring::{KEY_ID_LEN, KeyRing};
use super::layout::{self, Head};
use super::request::Request;
use super::scratch::{FRONT, Scratch, wipe, with_scratch};
use super::sealer::{Protection, Sealer, system_random};
use super::token;
use crate::protocol::{Code, Error};
use ring::hmac;
use std::cell::OnceCell;

/// Key id of tokens that the host's own crypto protects; no derived id is all zero but by a chance of 2^-64.
pub(super) const HOST_KEY_ID: [u8; KEY_ID_LEN] = [0; KEY_ID_LEN];

/// What a token goes on from.
#[derive(Clone, Copy)]
pub(super) enum Origin<'a> {
    /// Nothing: a flow begins, under the id in the cell if there is one.
    Start(Option<&'a OnceCell<[u8; layout::ID_LEN]>>),
    /// The round that this token was opened for.
    Round(&'a Claims),
}

impl<'a> Origin<'a> {
    pub(super) fn of(previous: Option<&'a Claims>) -> Origin<'a> {
        previous.map_or(Origin::Start(None), Origin::Round)
    }

    fn previous(self) -> Option<&'a Claims> {
        match self {
            Origin::Start(_) => None,
            Origin::Round(claims) => Some(claims),
        }
    }

    /// A flow without an id has that of its first token.
    fn flow_id(self, token_id: [u8; layout::ID_LEN]) -> [u8; layout::ID_LEN] {
        match self {
            Origin::Start(None) => token_id,
            Origin::Start(Some(id)) => *id.get_or_init(|| token_id),
            Origin::Round(claims) => claims.flow_id,
        }
    }
}

impl Sealer {
    /// Seals the next token: of a new flow, or of the flow that `previous` (an opened token) belongs to (S3).
    /// Of the previous token the flow id, its start, the round and, unless the draft sets one, the host's state go on;
    /// `now_ms` is the host's wall clock in milliseconds.
    ///
    /// # Errors
    /// `config_error` for a principal without parts, `bad_json` for duplicates in the arguments, `flow_expired`,
    /// `too_many_rounds`, `too_large` (state or token over its limit), `no_random`, and what the host's crypto says.
    pub fn seal(
        &self,
        request: &Request<'_>,
        previous: Option<&Claims>,
        draft: Draft<'_>,
        now_ms: u64,
    ) -> Result<String, Error> {
        let mut out = Vec::new();
        self.seal_into(request, previous, draft, now_ms, &mut out)?;
        String::from_utf8(out).map_err(|_| failed())
    }

    /// [`Sealer::seal`], appending the text to `out`: with room there, a warm call allocates nothing.
    ///
    /// # Errors
    /// As [`Sealer::seal`]; `out` is as it was.
    pub fn seal_into(
        &self,
        request: &Request<'_>,
        previous: Option<&Claims>,
        draft: Draft<'_>,
        now_ms: u64,
        out: &mut Vec<u8>,
    ) -> Result<(), Error> {
        let from = Origin::of(previous);
        self.seal_text(request, None, from, draft.into(), now_ms, |token, text| {
            append(token, text, out)
        })
    }

    /// [`Sealer::seal_into`] for the first token of a flow, under the id in `flow_id`; without one, that of the token goes there.
    ///
    /// # Errors
    /// As [`Sealer::seal`]; `out` is as it was.
    pub(crate) fn seal_first(
        &self,
        request: &Request<'_>,
        flow_id: &OnceCell<[u8; layout::ID_LEN]>,
        draft: Sealing<'_>,
        now_ms: u64,
        out: &mut Vec<u8>,
    ) -> Result<(), Error> {
        let from = Origin::Start(Some(flow_id));
        self.seal_text(request, None, from, draft, now_ms, |token, text| {
            append(token, text, out)
        })
    }

    /// [`Sealer::seal`] into the front of `room`, which is not grown: a warm call allocates nothing. Gives the length of
    /// the text; if that is more than there is room for, nothing was written.
    ///
    /// # Errors
    /// As [`Sealer::seal`].
    pub fn seal_in(
        &self,
        request: &Request<'_>,
        previous: Option<&Claims>,
        draft: Draft<'_>,
        now_ms: u64,
        room: &mut [u8],
    ) -> Result<usize, Error> {
        let mut len = 0;
        let from = Origin::of(previous);
        self.seal_text(request, None, from, draft.into(), now_ms, |token, text| {
            len = text;
            match room.get_mut(..text) {
                Some(room) => token::write(token, room),
                None => Some(()),
            }
        })?;
        Ok(len)
    }

    /// [`Sealer::seal_into`] for the very request that `opened` came with: what it binds is not digested again.
    ///
    /// # Errors
    /// As [`Sealer::seal`]; `out` is as it was.
    pub(crate) fn seal_on(
        &self,
        request: &Request<'_>,
        opened: &Claims,
        draft: Sealing<'_>,
        now_ms: u64,
        out: &mut Vec<u8>,
    ) -> Result<(), Error> {
        let digest = Some(opened.request);
        self.seal_text(
            request,
            digest,
            Origin::Round(opened),
            draft,
            now_ms,
            |token, text| append(token, text, out),
        )
    }

    /// About how long the text of a token is: more than it has, for a key of usual length.
    pub(crate) fn room(&self, draft: &Sealing<'_>) -> usize {
        let asked = draft.asked.len().saturating_mul(64);
        let state = draft.state.map_or(0, <[u8]>::len);
        let lists = layout::answers_len(draft.answers).saturating_add(asked);
        let plain = lists.saturating_add(state).saturating_add(256);
        (plain / 3).saturating_mul(4).min(self.policy.token_bytes)
    }

    /// Seals, and gives the token in binary and the length of its text to `write`.
    fn seal_text(
        &self,
        request: &Request<'_>,
        digest: Option<[u8; 32]>,
        from: Origin<'_>,
        draft: Sealing<'_>,
        now_ms: u64,
        write: impl FnOnce(&[u8], usize) -> Option<()>,
    ) -> Result<(), Error> {
        with_scratch(|scratch| {
            let text = self.seal_binary(
                request,
                digest,
                from,
                draft,
                now_ms,
                scratch,
                &system_random,
            )?;
            write(scratch.sealed(), text).ok_or_else(failed)?;
            self.count_sealed(text);
            Ok(())
        })
    }

    /// Leaves the token in `scratch` and gives the length of its text. `digest` is that of the request, if known.
    #[allow(clippy::too_many_arguments)] // one more than the public call
    pub(super) fn seal_binary(
        &self,
        request: &Request<'_>,
        digest: Option<[u8; 32]>,
        from: Origin<'_>,
        draft: Sealing<'_>,
        now_ms: u64,
        scratch: &mut Scratch,
        random: Random<'_>,
    ) -> Result<usize, Error> {
        let previous = from.previous();
        request.principal.check()?;
        let digest = match digest {
            Some(known) => known,
            None => scratch.digester.digest(request)?,
        };
        let (round, flow_start_ms) = self.policy.next_round(previous, now_ms)?;
        let state = draft.state;
        let draft = Sealing {
            state: state.or_else(|| previous.and_then(|p| p.state.as_deref())),
            ..draft
        };
        let size = layout::counted_len(&draft);
        if size > self.policy.state_bytes {
            return Err(too_large("state", size, self.policy.state_bytes));
        }
        let head = |token_id: [u8; layout::ID_LEN], key: &hmac::Key| Head {
            round,
            issued_ms: now_ms,
            expires_ms: now_ms.saturating_add(self.policy.ttl_ms),
            flow_start_ms,
            token_id,
            flow_id: from.flow_id(token_id),
            request: digest,
            principal: request.principal.digest(key, &token_id),
        };
        let write = |out: &mut Vec<u8>, head: &Head| {
            layout::write(out, head, &self.policy.audience, &draft).ok_or_else(failed)
        };
        let out = &mut scratch.token;
        out.clear();
        out.extend_from_slice(&[0; FRONT]);
        out.extend_from_slice(token::PREFIX.as_bytes());
        match &self.protection {
            Protection::Ring(ring) => {
                seal_with_ring(&ring.load(), now_ms, random, out, head, write)
            }
            Protection::Host(crypto) => seal_with_host(crypto.as_ref(), random, out, head, write),
        }?;
        let text = token::text_len(out.len().saturating_sub(FRONT + token::PREFIX.len()))
            .unwrap_or(usize::MAX);
        if text > self.policy.token_bytes {
            return Err(too_large("token", text, self.policy.token_bytes));
        }
        Ok(text)
    }
}

fn seal_with_ring(
    ring: &KeyRing,
    now_ms: u64,
    random: Random<'_>,
    out: &mut Vec<u8>,
    head: impl Fn([u8; layout::ID_LEN], &hmac::Key) -> Head,
    write: impl Fn(&mut Vec<u8>, &Head) -> Result<(), Error>,
) -> Result<(), Error> {
    let key = ring.first().ok_or_else(failed)?;
    let (lease, drawn) = ring.epochs.lease(key, now_ms, random)?;
    let epoch = lease.epoch().ok_or_else(failed)?;
    out.extend_from_slice(&key.id);
    out.extend_from_slice(&epoch.salt);
    out.extend_from_slice(&drawn.nonce);
    write(out, &head(drawn.token_id, key.principal_key()))?;
    let bound = FRONT..FRONT + token::BOUND_LEN;
    if epoch.key.seal(drawn.nonce, bound, out) {
        Ok(())
    } else {
        Err(failed())
    }
}

fn seal_with_host(
    crypto: &dyn Crypto,
    random: Random<'_>,
    out: &mut Vec<u8>,
    head: impl Fn([u8; layout::ID_LEN], &hmac::Key) -> Head,
    write: impl Fn(&mut Vec<u8>, &Head) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut token_id = [0; layout::ID_LEN];
    random(&mut token_id)?;
    let mut plain = Vec::new();
    write(&mut plain, &head(token_id, &host_principal_key()))?;
    let sealed = crypto.seal(&plain);
    wipe(&mut plain);
    out.extend_from_slice(&HOST_KEY_ID);
    out.extend_from_slice(&sealed?);
    Ok(())
}

/// With the host's crypto there is no secret of ours: the digest hides the principal as far as that crypto hides the
/// token id that it also covers.
pub(super) fn host_principal_key() -> hmac::Key {
    hmac::Key::new(hmac::HMAC_SHA256, b"mrtr1 principal")
}

/// Appends the text of a token.
fn append(token: &[u8], text: usize, out: &mut Vec<u8>) -> Option<()> {
    let start = out.len();
    if out.capacity() == 0 {
        // Zeroed memory from the system need not be zeroed again.
        *out = vec![0; text];
    } else {
        out.resize(start.checked_add(text)?, 0);
    }
    token::write(token, out.get_mut(start..)?)
}

fn too_large(limit: &str, size: usize, max: usize) -> Error {
    Error::new(
        Code::TooLarge,
        format!("the {limit} has {size} bytes, the limit is {max}"),
    )
}

/// Cannot happen: a part of 2^32 bytes is over every limit, and the ciphers take any length that fits into memory.
fn failed() -> Error {
    Error::new(Code::TooLarge, "the state is too large to be sealed")
}
