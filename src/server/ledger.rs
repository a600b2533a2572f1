//! What the handler has stated in this leg, and what is settled.

use super::build::push_ask;
use crate::json::{Key, order};
use crate::state::{Asked, Kept};
use std::borrow::Cow;

/// Where a question that was stated in this leg is entered.
#[derive(Clone, Copy)]
enum Place {
    Asked(u32),
    Answered(u32),
}

/// The questions of one leg. The texts of those that go out are written where they end up, so nothing is kept twice.
#[derive(Default)]
pub(super) struct Ledger {
    /// What goes out, in statement order.
    asked: Vec<Asked>,
    /// What is settled: first what came in, by key, then the answers of this request.
    kept: Vec<Kept>,
    /// For each that came in: was its question stated in this leg?
    confirmed: Vec<bool>,
    /// Something that is settled goes out again.
    overruled: bool,
    /// What goes out and what was answered, by key.
    stated: Vec<Place>,
    /// Members of `inputRequests`, without the braces.
    requests: String,
}

/// Place of an answer that came in with the state.
#[derive(Clone, Copy)]
pub(super) struct Before(usize);

impl Ledger {
    /// Starts with what the state settles.
    pub fn with(mut kept: Vec<Kept>) -> Ledger {
        order::sort_by(&mut kept, |a, b| a.key.cmp(&b.key));
        Ledger {
            confirmed: vec![false; kept.len()],
            kept,
            ..Ledger::default()
        }
    }

    /// Where the answer stands that the state keeps under `key`.
    pub fn before(&self, key: &Key) -> Option<Before> {
        let before = self.kept.get(..self.confirmed.len())?;
        before
            .binary_search_by(|kept| kept.key.cmp(key))
            .ok()
            .map(Before)
    }

    /// An answer that came in with the state.
    pub fn kept(&self, before: Before) -> Option<&Kept> {
        self.kept.get(before.0)
    }

    /// The question of an answer that came in was stated.
    pub fn confirm(&mut self, before: Option<Before>) {
        if let Some(confirmed) = before.and_then(|before| self.confirmed.get_mut(before.0)) {
            *confirmed = true;
        }
    }

    fn entry(&self, place: Place) -> Option<(&Key, &[u8; 32])> {
        match place {
            Place::Asked(at) => self.asked.get(at as usize).map(|a| (&a.key, &a.digest)),
            Place::Answered(at) => self.kept.get(at as usize).map(|k| (&k.key, &k.digest)),
        }
    }

    fn search(&self, key: &Key) -> Result<usize, usize> {
        self.stated
            .binary_search_by(|place| self.entry(*place).map(|(k, _)| k).cmp(&Some(key)))
    }

    fn place(&self, key: &Key) -> Option<Place> {
        self.search(key)
            .ok()
            .and_then(|at| self.stated.get(at))
            .copied()
    }

    /// The digest of the question that was stated under `key` in this leg.
    pub fn digest(&self, key: &Key, before: Option<Before>) -> Option<&[u8; 32]> {
        if let Some(place) = self.place(key) {
            return self.entry(place).map(|(_, digest)| digest);
        }
        let before = before.filter(|before| self.confirmed.get(before.0) == Some(&true))?;
        self.kept(before).map(|kept| &kept.digest)
    }

    /// Does a question under `key` go out?
    pub fn is_asked(&self, key: &Key) -> bool {
        matches!(self.place(key), Some(Place::Asked(_)))
    }

    fn enter(&mut self, key: &Key, place: Place) {
        match self.search(key) {
            Ok(at) => {
                if let Some(old) = self.stated.get_mut(at) {
                    *old = place;
                }
            }
            Err(at) => self.stated.insert(at, place),
        }
    }

    /// Keeps an answer of this request; it travels on in the state (X6).
    pub fn enter_answer(&mut self, answer: Kept) {
        if self.search(&answer.key).is_err() {
            self.enter(&answer.key, Place::Answered(self.kept.len() as u32));
            self.kept.push(answer);
        }
    }

    /// Lets a question go out, with this text.
    pub fn enter_ask(&mut self, ask: Asked, text: &str) {
        self.overruled |= self.before(&ask.key).is_some() || self.search(&ask.key).is_ok();
        self.requests
            .reserve(text.len() + ask.key.as_bytes().len() + 8);
        push_ask(&mut self.requests, &ask.key, text);
        self.enter(&ask.key, Place::Asked(self.asked.len() as u32));
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
    pub fn settled(&self, forgotten: &[Key]) -> Cow<'_, [Kept]> {
        if !self.overruled && forgotten.is_empty() {
            return Cow::Borrowed(&self.kept);
        }
        let open = |kept: &Kept| self.is_asked(&kept.key) || forgotten.contains(&kept.key);
        Cow::Owned(
            self.kept
                .iter()
                .filter(|kept| !open(kept))
                .cloned()
                .collect(),
        )
    }
}
