//! What a token is bound to: the principal (S4) and the request (S5).

use ring::hmac;

use super::layout::ID_LEN;
use super::scratch::with_scratch;
use crate::json::{Canonical, Limits, Raw, params_digest_with};
use crate::protocol::method::target_member;
use crate::protocol::{Code, Error};

/// Who a request is from; given with every seal and open, so that nobody is never an accident (S4).
///
/// Bind what identifies the caller beyond doubt: issuer, subject and client, one part each.
#[derive(Clone, Copy)]
pub enum Principal<'a> {
    /// Explicitly nobody: a server without authentication. Differs from an empty part.
    None,
    /// The parts, compared byte for byte; `("a", "bc")` differs from `("ab", "c")`. No part at all is a config error.
    Parts(&'a [&'a [u8]]),
}

/// The request that a token is sealed for or comes back with.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// JSON-RPC method.
    pub method: &'a str,
    /// The whole `params`; only the target (name or URI) and `arguments` are looked at.
    pub params: Option<Raw<'a>>,
    /// Who sent it.
    pub principal: Principal<'a>,
}

impl Principal<'_> {
    /// Refuses an empty list of parts (D13).
    pub(super) fn check(self) -> Result<(), Error> {
        match self {
            Principal::Parts([]) => Err(Error::new(
                Code::ConfigError,
                "a principal needs at least one part; say that there is none explicitly",
            )),
            _ => Ok(()),
        }
    }

    /// Keyed digest, different for every token: HMAC over the token id and the length-prefixed parts, 16 bytes of it.
    pub(super) fn digest(self, key: &hmac::Key, token_id: &[u8; ID_LEN]) -> Option<[u8; ID_LEN]> {
        let Principal::Parts(parts) = self else {
            return None;
        };
        let tag = match joined(token_id, parts) {
            Some((bytes, len)) => hmac::sign(key, bytes.get(..len)?),
            None => {
                let mut context = hmac::Context::with_key(key);
                context.update(token_id);
                for part in parts {
                    context.update(&(part.len() as u64).to_be_bytes());
                    context.update(part);
                }
                context.sign()
            }
        };
        tag.as_ref().first_chunk().copied()
    }
}

/// Token id and parts one after the other, and their length: most are short, and one piece is hashed faster than many.
fn joined(token_id: &[u8; ID_LEN], parts: &[&[u8]]) -> Option<([u8; 256], usize)> {
    let mut bytes = [0; 256];
    let mut rest = bytes.as_mut_slice();
    *rest.split_off_mut(..ID_LEN)?.first_chunk_mut()? = *token_id;
    for part in parts {
        *rest.split_off_mut(..8)?.first_chunk_mut()? = (part.len() as u64).to_be_bytes();
        rest.split_off_mut(..part.len())?.copy_from_slice(part);
    }
    let left = rest.len();
    Some((bytes, 256 - left))
}

impl<'a> Request<'a> {
    /// A request whose `params` nobody has looked at yet: checked to be JSON, unless this thread has just seen them.
    ///
    /// # Errors
    /// `bad_json`, `too_large`.
    pub fn read(
        method: &'a str,
        params: Option<&'a str>,
        principal: Principal<'a>,
        limits: &Limits,
    ) -> Result<Request<'a>, Error> {
        let params = params
            .map(|text| with_scratch(|scratch| scratch.digester.read(method, text, limits)))
            .transpose()?;
        Ok(Request {
            method,
            params,
            principal,
        })
    }
}

impl Request<'_> {
    /// Digest of method, target and arguments. A target that is no string is refused, and so are duplicates among them or
    /// inside the arguments (D14), with the pointer from the root of `params`.
    pub(super) fn digest(&self, scratch: &mut Canonical) -> Result<[u8; 32], Error> {
        let target = target_member(self.method);
        params_digest_with(scratch, self.method, target, self.params)?.ok_or_else(no_string)
    }
}

/// Two targets that are no text must not look the same to a state.
fn no_string() -> Error {
    Error::new(Code::InvalidParams, "the target must be a string")
}
