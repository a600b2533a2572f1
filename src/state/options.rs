//! What a sealer is made of.

use std::fmt;
use std::sync::Arc;

use super::{Cipher, Crypto, Guard, Observer, Secret};
use crate::json::Limits;
use crate::protocol::{Code, Error};

/// Longest duration that is accepted: ten years of 365.25 days (D13).
const MAX_DURATION_MS: u64 = 315_576_000_000;
/// Longest audience, in bytes.
const MAX_AUDIENCE_LEN: usize = 4096;

/// Options of a [`super::Sealer`]. All durations are milliseconds.
#[derive(Clone)]
pub struct SealerOptions {
    /// The first seals, every one opens (S7). At least 32 bytes each.
    pub keys: Vec<Secret>,
    /// Makes up a key that dies with the sealer: tokens open in this process only. Excludes `keys`.
    pub ephemeral: bool,
    /// Protection of tokens; part of the key id, so that all who share tokens must agree (D13).
    pub cipher: Cipher,
    /// Life of a token: 600 s. Not 0.
    pub ttl_ms: u64,
    /// How far in the future a token may have been issued: 60 s. 0 is fine.
    pub skew_ms: u64,
    /// Age at which a flow ends, however often it is sealed again: 1 h. Not 0.
    pub max_age_ms: u64,
    /// Rounds of a flow: 32. Not 0.
    pub max_rounds: u32,
    /// Name of the service that tokens are for; must be the same, or absent, on both sides. Not empty.
    pub audience: Option<String>,
    /// Of which `state_bytes` and `token_bytes` count here.
    pub limits: Limits,
    /// Claims every token that passed all other checks (S11).
    pub single_use: Option<Arc<dyn Guard>>,
    /// The host's own crypto in place of `keys` and `cipher` (S13).
    pub crypto: Option<Arc<dyn Crypto>>,
    /// Hears of refusals.
    pub observer: Option<Arc<dyn Observer>>,
}

impl Default for SealerOptions {
    fn default() -> SealerOptions {
        SealerOptions {
            keys: Vec::new(),
            ephemeral: false,
            cipher: Cipher::default(),
            ttl_ms: 600_000,
            skew_ms: 60_000,
            max_age_ms: 3_600_000,
            max_rounds: 32,
            audience: None,
            limits: Limits::default(),
            single_use: None,
            crypto: None,
            observer: None,
        }
    }
}

impl fmt::Debug for SealerOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SealerOptions")
            .field("keys", &self.keys.len())
            .field("cipher", &self.cipher)
            .field("ttl_ms", &self.ttl_ms)
            .field("skew_ms", &self.skew_ms)
            .field("max_age_ms", &self.max_age_ms)
            .field("max_rounds", &self.max_rounds)
            .finish_non_exhaustive()
    }
}

impl SealerOptions {
    /// Ranges of everything but the keys (S6, D13).
    pub(super) fn check(&self) -> Result<(), Error> {
        let refuse = |what: String| Err(Error::new(Code::ConfigError, what));
        for (name, ms, least) in [
            ("ttl_ms", self.ttl_ms, 1),
            ("max_age_ms", self.max_age_ms, 1),
            ("skew_ms", self.skew_ms, 0),
        ] {
            if ms < least || ms > MAX_DURATION_MS {
                return refuse(format!(
                    "{name} is {ms}, allowed are {least} to {MAX_DURATION_MS}"
                ));
            }
        }
        if self.max_rounds == 0 {
            return refuse("max_rounds is 0, allowed are 1 and more".into());
        }
        match self.audience.as_deref() {
            Some("") => refuse("the audience is empty; leave it out instead".into()),
            Some(name) if name.len() > MAX_AUDIENCE_LEN => refuse(format!(
                "the audience has {} bytes, allowed are {MAX_AUDIENCE_LEN}",
                name.len()
            )),
            _ if self.ephemeral && !self.keys.is_empty() => {
                refuse("an ephemeral sealer takes no keys".into())
            }
            _ if self.crypto.is_some() && (self.ephemeral || !self.keys.is_empty()) => {
                refuse("with crypto of the host there are no keys".into())
            }
            _ => Ok(()),
        }
    }
}
