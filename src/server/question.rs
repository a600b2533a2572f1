//! Questions that were checked before. A handler that is run from its start states the same questions on every leg;
//! checking and digesting each of them again would make a long flow quadratic.

use super::ServerOptions;
use super::span::Span;
use super::wording::{KeptWording, Wording};
use crate::json::{Limits, Raw};
use crate::protocol::{Answer, Ask, AuthorRules, Error, Kind, Needs, Warning, answer};
use parking_lot::RwLock;
use std::sync::Arc;

/// Sets of questions by hash, and questions in each.
const SETS: usize = 64;
const WAYS: usize = 8;
/// Longer questions are checked each time, so that the store stays below 2 MiB.
const LONGEST: usize = 2 << 10;

/// What is known of a question that passed the author's rules.
pub(super) struct Question {
    pub kind: Kind,
    pub digest: [u8; 32],
    pub needs: Needs,
    pub wants_context: bool,
    pub warnings: Vec<Warning>,
    /// Where the schema of a form stands in the text.
    schema: Option<Span>,
    /// The text that goes out (D9, J5).
    out: Box<str>,
}

impl Question {
    /// Checks the text of an ask by the author's rules (B3-B7).
    pub fn check(text: &str, limits: &Limits, rules: &AuthorRules<'_>) -> Result<Question, Error> {
        let (ask, warnings) = Ask::author(Raw::parse(text, limits)?, rules)?;
        let out = ask.text();
        let as_stated = *out == *text;
        Ok(Question {
            kind: ask.kind(),
            digest: ask.digest(),
            needs: ask.needs(),
            wants_context: ask.wants_context(),
            schema: ask
                .schema()
                .filter(|_| as_stated)
                .and_then(|raw| Span::of(text, raw.text())),
            out: out.into(),
            warnings,
        })
    }

    /// The text that goes out.
    pub fn out(&self) -> &str {
        &self.out
    }

    /// Reads an answer by it (X2).
    pub fn read(&self, answer: Raw<'_>) -> Result<Answer, Error> {
        let schema = self.schema.map(|place| Raw::trusted(place.text(&self.out)));
        let ask = Ask::again(Raw::trusted(&self.out), schema)?;
        Ok(answer::read(&ask, answer))
    }
}

/// A checked question by its exact wording.
struct Known {
    wording: KeptWording,
    question: Arc<Question>,
}

/// Questions whose hashes share a set; a newer one takes the place of the oldest.
#[derive(Default)]
struct Set {
    hashes: [u64; WAYS],
    known: [Option<Known>; WAYS],
    oldest: usize,
}

impl Set {
    #[inline]
    fn get(&self, wording: &Wording<'_>) -> Option<&Arc<Question>> {
        let places = self.hashes.iter().zip(&self.known);
        let same = places.filter(|(hash, _)| **hash == wording.hash);
        let mut known = same.filter_map(|(_, known)| known.as_ref());
        known
            .find(|known| known.wording.is(wording))
            .map(|known| &known.question)
    }

    fn put(&mut self, hash: u64, known: Known) {
        if let (Some(place), Some(name)) = (
            self.known.get_mut(self.oldest),
            self.hashes.get_mut(self.oldest),
        ) {
            *place = Some(known);
            *name = hash;
        }
        self.oldest = (self.oldest + 1) % WAYS;
    }
}

/// A bounded store of checked questions. Whoever makes hashes collide only has questions checked again.
pub(super) struct Shelf(Box<[RwLock<Set>]>);

impl Default for Shelf {
    fn default() -> Shelf {
        Shelf((0..SETS).map(|_| RwLock::default()).collect())
    }
}

impl Shelf {
    #[inline]
    fn set(&self, wording: &Wording<'_>) -> Option<&RwLock<Set>> {
        // The low bits of a hash are not its best ones.
        let set = self.0.get((wording.hash >> 32) as usize % SETS);
        set.filter(|_| wording.len() <= LONGEST)
    }

    /// Is it known that a question with this wording has this digest, and no warnings?
    #[inline]
    pub fn knows(&self, wording: &Wording<'_>, digest: &[u8; 32]) -> bool {
        self.set(wording).is_some_and(|set| {
            let set = set.read();
            set.get(wording)
                .is_some_and(|known| known.digest == *digest && known.warnings.is_empty())
        })
    }

    /// The question with this wording, checked now if it is not here.
    pub fn get(
        &self,
        wording: &Wording<'_>,
        options: &ServerOptions,
    ) -> Result<Arc<Question>, Error> {
        let set = self.set(wording);
        if let Some(set) = set
            && let Some(question) = set.read().get(wording)
        {
            return Ok(Arc::clone(question));
        }
        let question = Arc::new(check(wording, options)?);
        if let Some(set) = set {
            let known = Known {
                wording: wording.kept(),
                question: Arc::clone(&question),
            };
            set.write().put(wording.hash, known);
        }
        Ok(question)
    }
}

fn check(wording: &Wording<'_>, options: &ServerOptions) -> Result<Question, Error> {
    let allow_secret: Vec<&str> = options.allow_secret.iter().map(String::as_str).collect();
    let rules = AuthorRules {
        allow_http: options.allow_http,
        allow_secret: &allow_secret,
    };
    Question::check(&wording.text(&options.limits)?, &options.limits, &rules)
}
