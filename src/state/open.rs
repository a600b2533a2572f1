//! Opening, with the reasons in the order of D12.

use super::claims::Claims;
use super::layout::{self, View};
use super::refusal::{refused, refused_because};
use super::request::Request;
use super::scratch::{wipe, with_scratch};
use super::seal::{HOST_KEY_ID, host_principal_key};
use super::sealer::{Protection, Sealer};
use super::token;
use crate::json::{Canonical, Raw};
use crate::protocol::{Code, Error};

impl Sealer {
    /// Opens a token: checks everything, claims it if the sealer is for single use, and gives the claims.
    ///
    /// # Errors
    /// Every refused token gives the wire answer of S9, with the true reason as its code (the order is that of D12).
    /// `config_error` for a principal without parts; `bad_json` for duplicates in the arguments.
    pub fn open(&self, request: &Request<'_>, token: &str, now_ms: u64) -> Result<Claims, Error> {
        let claims = self.open_unclaimed(request, token, now_ms)?;
        self.claim(&claims.token_id, claims.expires_ms, now_ms)?;
        Ok(claims)
    }

    /// [`Sealer::open`] without the claim of a single-use sealer: to look at a token whose flow goes on elsewhere.
    ///
    /// # Errors
    /// As [`Sealer::open`], but never `replayed`.
    pub fn open_unclaimed(
        &self,
        request: &Request<'_>,
        token: &str,
        now_ms: u64,
    ) -> Result<Claims, Error> {
        with_scratch(|scratch| {
            let claims = self
                .open_binary(
                    request,
                    token,
                    now_ms,
                    &mut scratch.canonical,
                    &mut scratch.token,
                )
                .and_then(|view| view.claims().ok_or_else(|| refused(Code::Malformed)));
            // The binary is shorter than the text; the rest of the buffer was wiped by whoever used it.
            wipe(scratch.token.get_mut(..token.len()).unwrap_or_default());
            claims
        })
    }

    /// [`Sealer::open`] in a buffer of the caller: with room in `buf`, a warm call allocates nothing. The buffer then
    /// holds the host's state in the clear.
    ///
    /// # Errors
    /// As [`Sealer::open`].
    pub fn open_in<'b>(
        &self,
        request: &Request<'_>,
        token: &str,
        now_ms: u64,
        buf: &'b mut Vec<u8>,
    ) -> Result<View<'b>, Error> {
        let view = with_scratch(|scratch| {
            self.open_binary(request, token, now_ms, &mut scratch.canonical, buf)
        })?;
        self.claim(&view.token_id(), view.expires_ms(), now_ms)?;
        Ok(view)
    }

    /// Opens the `requestState` member as it stands in the request, which must be a string (S10).
    ///
    /// # Errors
    /// As [`Sealer::open`]; `wrong_type` for anything but a string.
    pub fn open_value(
        &self,
        request: &Request<'_>,
        value: Raw<'_>,
        now_ms: u64,
    ) -> Result<Claims, Error> {
        let Some(string) = value.string() else {
            return Err(refused(Code::WrongType));
        };
        // Escapes make a string at most six times as long as what it says: longer ones are not decoded at all.
        let longest = self.policy.token_bytes.saturating_mul(6).saturating_add(2);
        if string.token().len() > longest {
            return Err(refused(Code::TooLarge));
        }
        match string.text() {
            Some(text) => self.open(request, &text, now_ms),
            None => Err(refused(Code::Malformed)),
        }
    }

    /// Everything but the claim of single use.
    fn open_binary<'b>(
        &self,
        request: &Request<'_>,
        token: &str,
        now_ms: u64,
        canonical: &mut Canonical,
        buf: &'b mut Vec<u8>,
    ) -> Result<View<'b>, Error> {
        request.principal.check()?;
        if token.len() > self.policy.token_bytes {
            return Err(refused(Code::TooLarge));
        }
        let len = token::read(token, buf).ok_or_else(|| refused(Code::Malformed))?;
        match &self.protection {
            Protection::Ring(ring) => {
                let binary = buf.get_mut(..len).ok_or_else(|| refused(Code::Malformed))?;
                let parts = token::parts(binary).ok_or_else(|| refused(Code::Malformed))?;
                let ring = ring.load();
                let key = ring
                    .find(parts.key_id)
                    .ok_or_else(|| refused(Code::UnknownKey))?;
                let plain_len = key
                    .token_key(&parts.salt)?
                    .open(parts.nonce, token::BOUND_LEN, binary)
                    .ok_or_else(|| refused(Code::Tampered))?;
                let (_, plain) = binary.split_at(token::BOUND_LEN);
                self.check(
                    plain.get(..plain_len),
                    request,
                    now_ms,
                    canonical,
                    key.principal_key(),
                )
            }
            Protection::Host(crypto) => {
                let binary = buf.get(token::PREFIX.len()..len).unwrap_or_default();
                let (id, sealed) = binary
                    .split_first_chunk()
                    .ok_or_else(|| refused(Code::Malformed))?;
                if *id != HOST_KEY_ID {
                    return Err(refused(Code::UnknownKey));
                }
                let plain = crypto
                    .unseal(sealed)
                    .map_err(|error| refused_because(Code::Tampered, error.message()))?;
                *buf = plain;
                self.check(
                    Some(buf.as_slice()),
                    request,
                    now_ms,
                    canonical,
                    &host_principal_key(),
                )
            }
        }
    }

    /// The checks on authentic claims.
    fn check<'b>(
        &self,
        plain: Option<&'b [u8]>,
        request: &Request<'_>,
        now_ms: u64,
        canonical: &mut Canonical,
        principal_key: &ring::hmac::Key,
    ) -> Result<View<'b>, Error> {
        let view = plain
            .and_then(layout::read)
            .ok_or_else(|| refused(Code::Malformed))?;
        let head = &view.head;
        if head.issued_ms > now_ms.saturating_add(self.policy.skew_ms) {
            return Err(refused(Code::NotYetValid));
        }
        if now_ms >= head.expires_ms {
            return Err(refused(Code::Expired));
        }
        self.policy
            .check_flow(head.flow_start_ms, head.round, now_ms)
            .map_err(refused)?;
        if view.audience != self.policy.audience {
            return Err(refused(Code::WrongAudience));
        }
        if head.principal != request.principal.digest(principal_key, &head.token_id) {
            return Err(refused(Code::WrongPrincipal));
        }
        if head.request != request.digest(canonical)? {
            return Err(refused(Code::WrongRequest));
        }
        Ok(view)
    }

    /// Single use, last of all and failing closed (S11).
    fn claim(&self, token_id: &[u8; 16], expires_ms: u64, now_ms: u64) -> Result<(), Error> {
        let Some(guard) = &self.guard else {
            return Ok(());
        };
        match guard.claim(
            token_id,
            expires_ms.saturating_add(self.policy.skew_ms),
            now_ms,
        ) {
            Ok(true) => Ok(()),
            Ok(false) => Err(refused(Code::Replayed)),
            Err(error) => Err(refused_because(Code::Replayed, error.message())),
        }
    }
}
