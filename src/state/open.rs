//! Opening, with the reasons in the order of D12.

use super::book::Book;
use super::claims::Claims;
use super::digester::Digester;
use super::layout::{self, Shape, View};
use super::refusal::{refused, refused_because};
use super::request::Request;
use super::scratch::{Room, Scratch, wipe, with_scratch};
use super::seal::{HOST_KEY_ID, host_principal_key};
use super::sealer::{Protection, Sealer};
use super::{Crypto, token};
use crate::json::Raw;
use crate::protocol::{Code, Error};
use std::borrow::Cow;
use zeroize::Zeroizing;

impl Sealer {
    /// Opens a token: checks everything, claims it if the sealer is for single use, and gives the claims.
    ///
    /// # Errors
    /// Every refused token gives the wire answer of S9, with the true reason as its code (the order is that of D12).
    /// `config_error` for a principal without parts; `bad_json` for duplicates in the arguments.
    pub fn open(&self, request: &Request<'_>, token: &str, now_ms: u64) -> Result<Claims, Error> {
        self.open_claimed(request, token, now_ms, |view| view.claims())
    }

    /// [`Sealer::open`], with what `take` makes of the claims.
    fn open_claimed<T>(
        &self,
        request: &Request<'_>,
        token: &str,
        now_ms: u64,
        take: impl FnOnce(&View<'_>) -> Option<T>,
    ) -> Result<T, Error> {
        let take = |view: &View<'_>| Some((take(view)?, view.token_id(), view.expires_ms()));
        let taken = self.open_owned(request, token, now_ms, take);
        let taken = taken.and_then(|(taken, token_id, expires_ms)| {
            self.claim(&token_id, expires_ms, now_ms)?;
            Ok(taken)
        });
        self.tell_opened(taken, token)
    }

    /// [`Sealer::open`] without the claim of a single-use sealer: to look at a token whose flow goes on elsewhere.
    ///
    /// # Errors
    /// As [`Sealer::open`], but never `replayed` or `guard_failed`.
    pub fn open_unclaimed(
        &self,
        request: &Request<'_>,
        token: &str,
        now_ms: u64,
    ) -> Result<Claims, Error> {
        self.tell_refused(self.open_owned(request, token, now_ms, |view| view.claims()))
    }

    fn open_owned<T>(
        &self,
        request: &Request<'_>,
        token: &str,
        now_ms: u64,
        take: impl FnOnce(&View<'_>) -> Option<T>,
    ) -> Result<T, Error> {
        with_scratch(|scratch| {
            let Scratch {
                token: buf,
                digester,
            } = scratch;
            let taken = self
                .open_binary(request, token, now_ms, digester, Room::Grow(buf))
                .and_then(|view| take(&view).ok_or_else(|| refused(Code::Malformed)));
            // The binary is shorter than the text; what lies behind was wiped by whoever used it.
            let used = match self.protection {
                Protection::Ring(_) => token.len().min(buf.len()),
                Protection::Host(_) => buf.len(),
            };
            wipe(buf.get_mut(..used).unwrap_or_default());
            taken
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
        self.open_room(request, token, now_ms, Room::Grow(buf))
    }

    /// [`Sealer::open`] in `room`, which has at least as many bytes as the token. It then holds the host's state in
    /// the clear; of a refused token nothing is left in it that was not in the token.
    ///
    /// # Errors
    /// As [`Sealer::open`]; `small_buffer` for less room, before anything is looked at.
    pub fn open_at<'b>(
        &self,
        request: &Request<'_>,
        token: &str,
        now_ms: u64,
        room: &'b mut [u8],
    ) -> Result<View<'b>, Error> {
        self.check_len(token.len())?;
        if room.len() < token.len() {
            return Err(small_buffer(token.len()));
        }
        self.open_room(request, token, now_ms, Room::Fixed(room))
    }

    /// Refuses a token by its length alone, for hosts that must look at its bytes before they can open it (J4).
    ///
    /// # Errors
    /// `too_large`, as [`Sealer::open`] gives it.
    pub fn check_len(&self, len: usize) -> Result<(), Error> {
        if len > self.policy.token_bytes {
            return self.tell_refused(Err(refused(Code::TooLarge)));
        }
        Ok(())
    }

    fn open_room<'b>(
        &self,
        request: &Request<'_>,
        token: &str,
        now_ms: u64,
        room: Room<'b>,
    ) -> Result<View<'b>, Error> {
        let view = with_scratch(|scratch| {
            self.open_binary(request, token, now_ms, &mut scratch.digester, room)
        })
        .and_then(|view| {
            self.claim(&view.token_id(), view.expires_ms(), now_ms)?;
            Ok(view)
        });
        self.tell_opened(view, token)
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
        let text = self.text_of(value)?;
        self.open(request, &text, now_ms)
    }

    /// [`Sealer::open_value`] with the answers apart, as they travel.
    ///
    /// # Errors
    /// As [`Sealer::open_value`].
    pub(crate) fn open_book(
        &self,
        request: &Request<'_>,
        value: Raw<'_>,
        now_ms: u64,
    ) -> Result<(Claims, Book), Error> {
        let text = self.text_of(value)?;
        self.open_claimed(request, &text, now_ms, |view| view.booked())
    }

    fn text_of<'v>(&self, value: Raw<'v>) -> Result<Cow<'v, str>, Error> {
        let Some(string) = value.string() else {
            return self.tell_refused(Err(refused(Code::WrongType)));
        };
        // Escapes make a string at most six times as long as what it says: longer ones are not decoded at all.
        let longest = self.policy.token_bytes.saturating_mul(6).saturating_add(2);
        if string.token().len() > longest {
            return self.tell_refused(Err(refused(Code::TooLarge)));
        }
        match string.text() {
            Some(text) => Ok(text),
            None => self.tell_refused(Err(refused(Code::Malformed))),
        }
    }

    /// Everything but the claim of single use.
    fn open_binary<'b>(
        &self,
        request: &Request<'_>,
        token: &str,
        now_ms: u64,
        digester: &mut Digester,
        room: Room<'b>,
    ) -> Result<View<'b>, Error> {
        let malformed = || refused(Code::Malformed);
        request.principal.check()?;
        if token.len() > self.policy.token_bytes {
            return Err(refused(Code::TooLarge));
        }
        let need = token::room(token.len()).ok_or_else(malformed)?;
        match &self.protection {
            Protection::Ring(ring) => {
                let place = room.aligned(need).ok_or_else(malformed)?;
                let len = token::read(token, place).ok_or_else(malformed)?;
                let binary = place.get_mut(..len).ok_or_else(malformed)?;
                let parts = token::parts(binary).ok_or_else(malformed)?;
                let ring = ring.load();
                let key = ring
                    .find(parts.key_id)
                    .ok_or_else(|| refused(Code::UnknownKey))?;
                let plain_len = ring
                    .recent
                    .open(key, &parts.salt, |token_key| {
                        token_key.open(parts.nonce, token::BOUND_LEN, binary)
                    })?
                    .ok_or_else(|| refused(Code::Tampered))?;
                let plain = binary.get_mut(token::BOUND_LEN..).unwrap_or_default();
                let plain = plain.get_mut(..plain_len).ok_or_else(malformed)?;
                self.check(plain, request, now_ms, digester, key.principal_key())
            }
            Protection::Host(crypto) => {
                let plain = unseal(crypto.as_ref(), token, need)?;
                let place = room
                    .exact(plain.len())
                    .ok_or_else(|| small_buffer(plain.len()))?;
                place.copy_from_slice(&plain);
                self.check(place, request, now_ms, digester, &host_principal_key())
            }
        }
    }

    /// The checks on authentic claims; those of a token that fails are wiped.
    fn check<'b>(
        &self,
        plain: &'b mut [u8],
        request: &Request<'_>,
        now_ms: u64,
        digester: &mut Digester,
        principal_key: &ring::hmac::Key,
    ) -> Result<View<'b>, Error> {
        match self.check_claims(plain, request, now_ms, digester, principal_key) {
            Ok(shape) => shape.view(plain).ok_or_else(|| refused(Code::Malformed)),
            Err(error) => {
                wipe(plain);
                Err(error)
            }
        }
    }

    fn check_claims(
        &self,
        plain: &[u8],
        request: &Request<'_>,
        now_ms: u64,
        digester: &mut Digester,
        principal_key: &ring::hmac::Key,
    ) -> Result<Shape, Error> {
        let malformed = || refused(Code::Malformed);
        let shape = layout::read(plain).ok_or_else(malformed)?;
        let view = shape.view(plain).ok_or_else(malformed)?;
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
        if head.request != digester.digest(request)? {
            return Err(refused(Code::WrongRequest));
        }
        Ok(shape)
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
            Err(error) => Err(refused_because(Code::GuardFailed, error.message())),
        }
    }
}

/// Decodes a token and has the host's crypto unseal it.
fn unseal(crypto: &dyn Crypto, token: &str, need: usize) -> Result<Zeroizing<Vec<u8>>, Error> {
    let malformed = || refused(Code::Malformed);
    let mut binary = vec![0; need];
    let len = token::read(token, &mut binary).ok_or_else(malformed)?;
    let body = binary.get(token::PREFIX.len()..len).unwrap_or_default();
    let (id, sealed) = body.split_first_chunk().ok_or_else(malformed)?;
    if *id != HOST_KEY_ID {
        return Err(refused(Code::UnknownKey));
    }
    crypto
        .unseal(sealed)
        .map(Zeroizing::new)
        .map_err(|error| refused_because(Code::Tampered, error.message()))
}

fn small_buffer(need: usize) -> Error {
    Error::new(
        Code::SmallBuffer,
        format!("{need} bytes of room are needed"),
    )
}
