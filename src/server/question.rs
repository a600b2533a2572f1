//! Questions that were checked before. A handler that is run from its start states the same questions on every leg;
//! checking and digesting each of them again would make a long flow quadratic.

use super::ServerOptions;
use super::span::Span;
use crate::json::{Limits, Raw};
use crate::protocol::{Answer, Ask, AuthorRules, Error, Kind, Needs, Warning, answer};
use parking_lot::RwLock;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;

/// Sets of questions by hash, and questions in each.
const SETS: usize = 64;
const WAYS: usize = 8;
/// Longer questions are checked each time, so that the store stays below 1 MiB.
const LONGEST: usize = 2 << 10;

/// What is known of a question that passed the author's rules.
#[derive(Clone)]
pub(super) struct Question {
    pub kind: Kind,
    pub digest: [u8; 32],
    pub needs: Needs,
    pub wants_context: bool,
    pub warnings: Vec<Warning>,
    /// Where the schema of a form stands in the text, if it goes out as stated.
    schema: Option<Span>,
    /// As it goes out, where that differs from how it was stated (D9, J5).
    out: Option<Box<str>>,
}

impl Question {
    /// Checks the text of an ask by the author's rules (B3-B7).
    pub fn check(text: &str, limits: &Limits, rules: &AuthorRules<'_>) -> Result<Question, Error> {
        let (ask, warnings) = Ask::author(Raw::parse(text, limits)?, rules)?;
        let out = ask.text();
        let out = (*out != *text).then(|| out.into());
        Ok(Question {
            kind: ask.kind(),
            digest: ask.digest(),
            needs: ask.needs(),
            wants_context: ask.wants_context(),
            warnings,
            schema: ask
                .schema()
                .filter(|_| out.is_none())
                .and_then(|raw| Span::of(text, raw.text())),
            out,
        })
    }

    /// The text that goes out for a question that was stated with `text`.
    pub fn out<'a>(&'a self, text: &'a str) -> &'a str {
        self.out.as_deref().unwrap_or(text)
    }

    /// Reads an answer by the question that was stated with `text` (X2).
    pub fn read(&self, text: &str, answer: Raw<'_>) -> Result<Answer, Error> {
        let schema = self.schema.map(|place| Raw::trusted(place.text(text)));
        let ask = Ask::again(Raw::trusted(self.out(text)), schema)?;
        Ok(answer::read(&ask, answer))
    }
}

/// A checked question by its exact text.
struct Known {
    hash: u64,
    text: Box<str>,
    question: Question,
}

/// Questions whose hashes share a set; a newer one takes the place of the oldest.
#[derive(Default)]
struct Set {
    known: [Option<Known>; WAYS],
    oldest: usize,
}

impl Set {
    fn get(&self, hash: u64, text: &str) -> Option<&Question> {
        let same = |known: &&Known| known.hash == hash && *known.text == *text;
        self.known
            .iter()
            .flatten()
            .find(same)
            .map(|known| &known.question)
    }

    fn put(&mut self, known: Known) {
        if let Some(place) = self.known.get_mut(self.oldest) {
            *place = Some(known);
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
    /// The question with this text, checked now if it is not here.
    pub fn get(&self, text: &str, options: &ServerOptions) -> Result<Question, Error> {
        let hash = FxBuildHasher.hash_one(text);
        let set = self
            .0
            .get(hash as usize % SETS)
            .filter(|_| text.len() <= LONGEST);
        if let Some(set) = set
            && let Some(question) = set.read().get(hash, text)
        {
            return Ok(question.clone());
        }
        let allow_secret: Vec<&str> = options.allow_secret.iter().map(String::as_str).collect();
        let rules = AuthorRules {
            allow_http: options.allow_http,
            allow_secret: &allow_secret,
        };
        let question = Question::check(text, &options.limits, &rules)?;
        if let Some(set) = set {
            set.write().put(Known {
                hash,
                text: text.into(),
                question: question.clone(),
            });
        }
        Ok(question)
    }
}
