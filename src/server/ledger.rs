//! What the handler has stated in this leg, and what is settled.

use super::build::push_ask;
use crate::json::Key;
use crate::protocol::{Code, Error};
use crate::state::{Asked, Book, Place, Settled};
use std::borrow::Cow;

/// The questions of one leg. The texts of those that go out are written where they end up, so nothing is kept twice.
#[derive(Default)]
pub(super) struct Ledger {
    /// What goes out, in statement order.
    asked: Vec<Asked>,
    /// Places in `asked`, by key.
    by_key: Vec<u32>,
    /// What is settled: by the state that came in, and by the answers of this request.
    settled: Book,
    /// Something that is settled goes out again.
    overruled: bool,
    /// Members of `inputRequests`, without the braces.
    requests: String,
}

impl Ledger {
    /// Starts with what the state settles.
    pub fn with(settled: Book) -> Ledger {
        Ledger {
            settled,
            ..Ledger::default()
        }
    }

    /// What is settled under `key`.
    #[inline]
    pub fn find(&mut self, key: &[u8]) -> Option<Place> {
        self.settled.find(key)
    }

    /// The digest of the question that was settled.
    #[inline]
    pub fn settled_digest(&self, place: Place) -> Option<&[u8; 32]> {
        self.settled.digest(place)
    }

    /// How it was settled.
    pub fn outcome(&self, place: Place) -> Option<Settled<'_>> {
        self.settled.settled(place)
    }

    /// How the question under `key` was settled, if it is one whose digest `is_it`, and does not go out again. It is stated
    /// with this.
    #[inline]
    pub fn recall(
        &mut self,
        key: &[u8],
        is_it: impl FnOnce(&[u8; 32]) -> bool,
    ) -> Option<Settled<'_>> {
        match self.is_asked(key) {
            false => self.settled.recall(key, is_it),
            true => None,
        }
    }

    /// A settled question was stated.
    pub fn confirm(&mut self, place: Place) {
        self.settled.state(place);
    }

    fn search(&self, key: &[u8]) -> Result<usize, usize> {
        self.by_key.binary_search_by(|at| {
            let asked = self.asked.get(*at as usize);
            asked.map(|asked| asked.key.as_bytes()).cmp(&Some(key))
        })
    }

    fn ask(&self, key: &[u8]) -> Option<&Asked> {
        let at = self.search(key).ok().and_then(|at| self.by_key.get(at))?;
        self.asked.get(*at as usize)
    }

    /// Does a question under `key` go out?
    #[inline]
    pub fn is_asked(&self, key: &[u8]) -> bool {
        !self.asked.is_empty() && self.search(key).is_ok()
    }

    /// The digest of the question that was stated under `key` in this leg; `settled` is what is settled there.
    pub fn stated_digest(&self, key: &[u8], settled: Option<Place>) -> Option<&[u8; 32]> {
        if let Some(asked) = self.ask(key) {
            return Some(&asked.digest);
        }
        let settled = settled.filter(|place| self.settled.is_stated(*place))?;
        self.settled.digest(settled)
    }

    /// Keeps an answer of this request; it travels on in the state (X6).
    pub fn enter_answer(&mut self, ask: &Asked, settled: Settled<'_>) -> Result<Place, Error> {
        self.settled
            .enter(&ask.key, ask.kind, &ask.digest, settled)
            .ok_or_else(|| Error::new(Code::TooLarge, "an answer is too large to be kept"))
    }

    /// Lets a question go out, with this text; none goes out under its key yet.
    pub fn enter_ask(&mut self, ask: Asked, text: &str) {
        let key = ask.key.as_bytes();
        self.overruled |= self.settled.find(key).is_some();
        self.requests.reserve(text.len() + key.len() + 8);
        push_ask(&mut self.requests, &ask.key, text);
        if let Err(at) = self.search(key) {
            self.by_key.insert(at, self.asked.len() as u32);
        }
        self.asked.push(ask);
    }

    /// What goes out, in statement order.
    pub fn asked(&self) -> &[Asked] {
        &self.asked
    }

    /// The members of `inputRequests`.
    pub fn requests(&self) -> &str {
        &self.requests
    }

    /// What the next round need not ask: all that is settled, less what goes out again and what the handler forgot.
    pub fn settled(&self, forgotten: &[Key]) -> Cow<'_, Book> {
        if !self.overruled && forgotten.is_empty() {
            return Cow::Borrowed(&self.settled);
        }
        let forgot = |key: &[u8]| forgotten.iter().any(|other| other.as_bytes() == key);
        let open = |key: &[u8]| self.is_asked(key) || forgot(key);
        Cow::Owned(self.settled.without(open))
    }
}
