//! Who asks, kept for the length of an exchange.

use super::fault;
use crate::protocol::{Code, Error};
use crate::state::Principal;

/// Parts that need no list on the heap.
const FEW: usize = 4;

/// The principal that a request is bound to (S4), owned. Nobody is never an accident: it has to be said.
#[derive(Clone, PartialEq, Eq, Default)]
pub enum OwnedPrincipal {
    /// Explicitly nobody; differs from every other principal, the empty text included.
    #[default]
    None,
    /// Components such as issuer, subject, client; each counts with its length. An empty list is a config error.
    Parts(Vec<Vec<u8>>),
}

impl OwnedPrincipal {
    /// Refuses an empty list of parts (D13).
    pub(super) fn check(&self) -> Result<(), Error> {
        match self {
            OwnedPrincipal::Parts(parts) if parts.is_empty() => Err(fault::of_server(Error::new(
                Code::ConfigError,
                "a principal needs at least one part",
            ))),
            _ => Ok(()),
        }
    }

    /// Runs `f` with the borrowed form that the sealer takes.
    pub(super) fn with<T>(&self, f: impl FnOnce(Principal<'_>) -> T) -> T {
        match self {
            OwnedPrincipal::None => f(Principal::None),
            OwnedPrincipal::Parts(parts) => {
                let mut few: [&[u8]; FEW] = [&[]; FEW];
                if let Some(few) = few.get_mut(..parts.len()) {
                    few.iter_mut()
                        .zip(parts)
                        .for_each(|(place, part)| *place = part);
                    return f(Principal::Parts(few));
                }
                let many: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
                f(Principal::Parts(&many))
            }
        }
    }
}

/// Never shows who it is (S9).
impl std::fmt::Debug for OwnedPrincipal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            OwnedPrincipal::None => "none",
            OwnedPrincipal::Parts(_) => "parts(..)",
        })
    }
}
