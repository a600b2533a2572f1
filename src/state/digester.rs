//! The request that a thread saw last: most are opened, served and sealed again by one thread, and need not be read and
//! digested each time. Only small ones are kept, whole, and compared byte for byte.

use super::request::Request;
use crate::json::{Canonical, Limits, Raw, read_params_digest};
use crate::protocol::Error;
use crate::protocol::method::target_member;

/// Longest text of `params` that is kept.
const SMALL: usize = 4096;

#[derive(Default)]
pub(super) struct Digester {
    pub(super) canonical: Canonical,
    /// The text of `params`; empty if there are none.
    text: String,
    /// The limits (of size and depth) under which it was found to be JSON.
    under: Option<(usize, usize)>,
    method: String,
    digest: Option<[u8; 32]>,
}

impl Digester {
    /// The text as JSON, checked and digested in one walk unless this thread has just done so.
    pub(super) fn read<'a>(
        &mut self,
        method: &str,
        text: &'a str,
        limits: &Limits,
    ) -> Result<Raw<'a>, Error> {
        let under = Some((limits.message_bytes, limits.depth));
        if self.under == under && self.text == text {
            return Ok(Raw::trusted(text));
        }
        if text.len() > SMALL {
            return Ok(Raw::parse(text, limits)?);
        }
        let target = target_member(method);
        let digest = read_params_digest(&mut self.canonical, method, target, text, limits)?;
        let raw = Raw::trusted(text.trim_ascii());
        // Without the white space around it, it would be another text.
        if raw.text().len() == text.len() {
            self.take(text);
            self.under = under;
            self.keep(method, digest);
        }
        Ok(raw)
    }

    /// The digest of a request.
    pub(super) fn digest(&mut self, request: &Request<'_>) -> Result<[u8; 32], Error> {
        let text = request.params.map_or("", Raw::text);
        if let Some(digest) = self.digest
            && self.method == request.method
            && self.text == text
        {
            return Ok(digest);
        }
        let digest = request.digest(&mut self.canonical)?;
        if text.len() <= SMALL {
            if self.text != text {
                self.take(text);
            }
            self.keep(request.method, Some(digest));
        }
        Ok(digest)
    }

    /// Bytes of space, used or not.
    pub(super) fn room(&self) -> usize {
        self.canonical.room() + self.text.capacity() + self.method.capacity()
    }

    fn keep(&mut self, method: &str, digest: Option<[u8; 32]>) {
        self.method.clear();
        self.method.push_str(method);
        self.digest = digest;
    }

    /// Keeps a text; what was known of another one is forgotten.
    fn take(&mut self, text: &str) {
        self.text.clear();
        self.text.push_str(text);
        (self.under, self.digest) = (None, None);
    }
}
