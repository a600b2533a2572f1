//! The sealer: seals claims into tokens and opens them again.

use std::fmt;
use std::sync::Arc;

use arc_swap::ArcSwap;
use ring::rand::{SecureRandom, SystemRandom};
use zeroize::Zeroize;

use super::claims::Claims;
use super::counters::Tally;
use super::keyring::KeyRing;
use super::options::SealerOptions;
use super::{Cipher, Crypto, Guard, Observer, Secret};
use crate::protocol::{Code, Error};

/// Seals and opens tokens. Share one among all threads: a call writes no shared memory.
///
/// A child after `fork` may go on with it; nothing it needs is held by a thread that does not exist there,
/// unless the parent was inside `set_keys`.
pub struct Sealer {
    pub(super) protection: Protection,
    pub(super) cipher: Cipher,
    pub(super) policy: Policy,
    pub(super) guard: Option<Arc<dyn Guard>>,
    pub(super) observer: Option<Arc<dyn Observer>>,
    pub(super) tally: Tally,
}

pub(super) enum Protection {
    Ring(ArcSwap<KeyRing>),
    Host(Arc<dyn Crypto>),
}

/// Limits that whoever seals or opens applies (D12).
pub(super) struct Policy {
    pub(super) ttl_ms: u64,
    pub(super) skew_ms: u64,
    pub(super) max_age_ms: u64,
    pub(super) max_rounds: u32,
    pub(super) token_bytes: usize,
    pub(super) state_bytes: usize,
    /// Empty: none.
    pub(super) audience: Vec<u8>,
}

impl fmt::Debug for Sealer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("Sealer");
        if let Protection::Ring(ring) = &self.protection {
            out.field("cipher", &self.cipher)
                .field("keys", &ring.load().len());
        }
        out.finish_non_exhaustive()
    }
}

/// The operating system's random source: one call per token, so that neither forks nor clones can share its state.
pub(super) fn system_random(out: &mut [u8]) -> Result<(), Error> {
    SystemRandom::new()
        .fill(out)
        .map_err(|_| Error::new(Code::NoRandom, "the system's random source failed"))
}

impl Sealer {
    /// An id for a flow that has no token yet.
    pub(crate) fn fresh_flow_id(&self) -> Result<[u8; 16], Error> {
        let mut id = [0; 16];
        system_random(&mut id)?;
        Ok(id)
    }

    /// Makes a sealer (S1, S6, S7).
    ///
    /// # Errors
    /// `config_error` for no, short or duplicate keys and values out of range; `no_random`.
    pub fn new(options: SealerOptions) -> Result<Sealer, Error> {
        options.check()?;
        let protection = match (options.crypto, options.ephemeral) {
            (Some(crypto), _) => Protection::Host(crypto),
            (None, true) => Protection::Ring(ArcSwap::from_pointee(KeyRing::new(
                &[made_up()?],
                options.cipher,
            )?)),
            (None, false) => Protection::Ring(ArcSwap::from_pointee(KeyRing::new(
                &options.keys,
                options.cipher,
            )?)),
        };
        Ok(Sealer {
            protection,
            cipher: options.cipher,
            policy: Policy {
                ttl_ms: options.ttl_ms,
                skew_ms: options.skew_ms,
                max_age_ms: options.max_age_ms,
                max_rounds: options.max_rounds,
                token_bytes: options.limits.token_bytes,
                state_bytes: options.limits.state_bytes,
                audience: options.audience.unwrap_or_default().into_bytes(),
            },
            guard: options.single_use,
            observer: options.observer,
            tally: Tally::default(),
        })
    }

    /// Until when a state that is sealed at `now_ms`, in a flow that began at `flow_start_ms`, can come back: it opens before
    /// that, not at it (S6).
    pub fn until_ms(&self, flow_start_ms: u64, now_ms: u64) -> u64 {
        let own = now_ms.saturating_add(self.policy.ttl_ms);
        own.min(flow_start_ms.saturating_add(self.policy.max_age_ms))
    }

    /// Replaces the key ring at once for all threads (S7): every later call sees the new one, calls under way end with
    /// the old one, which is then wiped. To rotate: add the new key last everywhere, then move it to the front, then
    /// drop the old one after the longest life of a token.
    ///
    /// # Errors
    /// `config_error` as in [`Sealer::new`]; the ring stays as it was.
    pub fn set_keys(&self, keys: &[Secret]) -> Result<(), Error> {
        match &self.protection {
            Protection::Ring(ring) => {
                ring.store(Arc::new(KeyRing::new(keys, self.cipher)?));
                Ok(())
            }
            Protection::Host(_) => Err(Error::new(
                Code::ConfigError,
                "with crypto of the host there are no keys",
            )),
        }
    }
}

fn made_up() -> Result<Secret, Error> {
    let mut bytes = [0; 32];
    system_random(&mut bytes)?;
    let secret = Secret::new(&bytes);
    bytes.zeroize();
    Ok(secret)
}

impl Policy {
    /// Whole-flow limits against the claims of a round (D12).
    pub(super) fn check_flow(
        &self,
        flow_start_ms: u64,
        round: u32,
        now_ms: u64,
    ) -> Result<(), Code> {
        if now_ms.saturating_sub(flow_start_ms) >= self.max_age_ms {
            return Err(Code::FlowExpired);
        }
        if round > self.max_rounds {
            return Err(Code::TooManyRounds);
        }
        Ok(())
    }

    /// Round and start of the next token: of a new flow, or of the one that `previous` belongs to.
    pub(super) fn next_round(
        &self,
        previous: Option<&Claims>,
        now_ms: u64,
    ) -> Result<(u32, u64), Error> {
        let (round, start) = previous.map_or((1, now_ms), |p| {
            (p.round.saturating_add(1), p.flow_start_ms)
        });
        self.check_flow(start, round, now_ms).map_err(|code| {
            Error::new(
                code,
                match code {
                    Code::FlowExpired => format!("the flow is older than {} ms", self.max_age_ms),
                    _ => format!("round {round} is over the limit of {}", self.max_rounds),
                },
            )
        })?;
        Ok((round, start))
    }
}
