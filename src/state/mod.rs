//! `requestState`: key ring, claims, token, sealer (S1-S15). The token format is docs/request-state.md.

mod book;
mod cipher;
mod claims;
mod counters;
mod crypto;
mod digester;
mod epoch;
pub mod gateway;
mod guard;
mod kept;
mod keyring;
mod layout;
mod open;
mod options;
mod recent;
mod refusal;
mod request;
mod scratch;
mod seal;
mod sealer;
mod secret;
mod token;
#[cfg(test)]
mod vectors;

pub(crate) use book::{Book, Place};
pub use cipher::Cipher;
pub(crate) use claims::{Answers, Sealing, Settled};
pub use claims::{Asked, Claims, Draft, Kept, Outcome};
pub use counters::{Counters, Observer, REASONS};
pub use crypto::Crypto;
pub use guard::{Guard, MemoryGuard};
pub use layout::View;
pub use options::SealerOptions;
pub use refusal::refused;
pub use request::{Principal, Request};
pub use sealer::Sealer;
pub use secret::Secret;
