//! Questions that were checked before. A handler that is run from its start states the same questions on every leg;
//! checking and digesting each of them again would make a long flow quadratic.

use super::ServerOptions;
use super::span::Span;
use super::wording::{KeptWording, Wording};
use crate::json::{Canonical, Index, Limits, Raw};
use crate::protocol::form::Packed;
use crate::protocol::{Answer, Ask, AuthorRules, Error, Kind, Needs, Warning, answer};
use parking_lot::RwLock;
use std::cell::Cell;
use std::sync::Arc;

/// Sets of questions, and questions in each.
const SETS: usize = 64;
const WAYS: usize = 8;
/// Longer questions are checked each time, so that the store stays below 4 MiB.
const LONGEST: usize = 2 << 10;

/// What is known of a question that passed the author's rules.
pub(super) struct Question {
    pub kind: Kind,
    pub digest: [u8; 32],
    pub needs: Needs,
    pub wants_context: bool,
    pub warnings: Vec<Warning>,
    /// The schema of a form, if it goes out as it was stated.
    schema: Option<Schema>,
    /// The text that goes out (D9, J5).
    out: Box<str>,
}

/// Where a schema stands in the text that goes out, and what an answer is held against.
struct Schema {
    span: Span,
    form: Packed,
}

impl Question {
    /// Checks the text of an ask by the author's rules (B3-B7).
    pub fn check(text: &str, limits: &Limits, rules: &AuthorRules<'_>) -> Result<Question, Error> {
        let index = Index::read(text, limits)?;
        let (ask, warnings) = Ask::author(index.root(text), rules)?;
        let out: Box<str> = ask.text().into();
        let read = ask.form().zip(ask.schema()).filter(|_| *out == *text);
        let schema = read.and_then(|(form, raw)| {
            Some(Schema {
                span: Span::of(text, raw.text())?,
                form: Packed::of(form, raw.text())?,
            })
        });
        Ok(Question {
            kind: ask.kind(),
            digest: with_canonical(|canonical| ask.digest_with(canonical)),
            needs: ask.needs(),
            wants_context: ask.wants_context(),
            schema,
            out,
            warnings,
        })
    }

    /// The text that goes out.
    pub fn out(&self) -> &str {
        &self.out
    }

    /// Reads an answer by it (X2).
    pub fn read(&self, answer: Raw<'_>) -> Result<Answer, Error> {
        let raw = Raw::trusted(&self.out);
        let form = self.schema.as_ref();
        let form = form.and_then(|schema| schema.form.form(schema.span.text(&self.out)));
        let ask = match form {
            Some(form) => Ask::of_form(raw, form),
            None => Ask::again(raw)?,
        };
        Ok(answer::read(&ask, answer))
    }
}

thread_local! {
    static CANONICAL: Cell<Canonical> = Cell::default();
}

/// Lends the scratch space of this thread, which keeps no more than a short question needs.
fn with_canonical<T>(work: impl FnOnce(&mut Canonical) -> T) -> T {
    let mut canonical = CANONICAL.try_with(Cell::take).unwrap_or_default();
    let done = work(&mut canonical);
    if canonical.room() <= 16 * LONGEST {
        // A thread that is ending has no place to keep it.
        let _ = CANONICAL.try_with(|kept| kept.set(canonical));
    }
    done
}

/// A checked question, by its exact wording.
pub(super) struct Known {
    wording: KeptWording,
    pub question: Question,
}

/// Questions whose names share a set; a newer one takes the place of the oldest.
#[derive(Default)]
struct Set {
    names: [u64; WAYS],
    known: [Option<Arc<Known>>; WAYS],
    oldest: usize,
}

impl Set {
    #[inline]
    fn get(&self, name: u64, wording: &Wording<'_>) -> Option<&Arc<Known>> {
        for (at, other) in self.names.iter().enumerate() {
            if *other == name
                && let Some(Some(known)) = self.known.get(at)
                && known.wording.is(wording)
            {
                return Some(known);
            }
        }
        None
    }

    fn put(&mut self, name: u64, known: &Arc<Known>) {
        if let (Some(place), Some(free)) = (
            self.names.get_mut(self.oldest),
            self.known.get_mut(self.oldest),
        ) {
            *place = name;
            *free = Some(Arc::clone(known));
        }
        self.oldest = (self.oldest + 1) % WAYS;
    }
}

/// Sets of questions by names that are as good as random.
struct Sets(Box<[RwLock<Set>]>);

impl Default for Sets {
    fn default() -> Sets {
        Sets((0..SETS).map(|_| RwLock::default()).collect())
    }
}

impl Sets {
    #[inline]
    fn of(&self, name: u64) -> Option<&RwLock<Set>> {
        // The low bits of a hash are not its best ones.
        self.0.get((name >> 32) as usize % SETS)
    }

    fn put(&self, name: u64, known: &Arc<Known>) {
        if let Some(set) = self.of(name) {
            set.write().put(name, known);
        }
    }
}

/// A bounded store of checked questions. Nothing is taken for known that is not the same byte for byte: whoever makes names
/// collide only has questions checked again.
#[derive(Default)]
pub(super) struct Shelf {
    /// By a hash of the wording.
    stated: Sets,
    /// By the digest, which a settled answer has at hand.
    settled: Sets,
}

impl Shelf {
    /// Is it known that a question with this wording has this digest, and no warnings?
    #[inline]
    pub fn knows(&self, wording: &Wording<'_>, digest: &[u8; 32]) -> bool {
        let name = name_of(digest);
        let Some(set) = self.settled.of(name).map(RwLock::read) else {
            return false;
        };
        set.get(name, wording).is_some_and(|known| {
            let question = &known.question;
            question.digest == *digest && question.warnings.is_empty()
        })
    }

    /// The question with this wording, checked now if it is not here.
    pub fn get(&self, wording: &Wording<'_>, options: &ServerOptions) -> Result<Arc<Known>, Error> {
        let name = wording.hash();
        if let Some(set) = self.stated.of(name)
            && let Some(known) = set.read().get(name, wording)
        {
            return Ok(Arc::clone(known));
        }
        let known = Arc::new(Known {
            wording: wording.kept(),
            question: check(wording, options)?,
        });
        if wording.len() <= LONGEST {
            self.stated.put(name, &known);
            self.settled.put(name_of(&known.question.digest), &known);
        }
        Ok(known)
    }

    /// Lets a question that was settled be known by its digest again.
    pub fn settle(&self, known: &Arc<Known>, wording: &Wording<'_>) {
        let (digest, long) = (&known.question.digest, wording.len() > LONGEST);
        if !long && known.question.warnings.is_empty() && !self.knows(wording, digest) {
            self.settled.put(name_of(digest), known);
        }
    }
}

#[inline]
fn name_of(digest: &[u8; 32]) -> u64 {
    digest
        .first_chunk()
        .map_or(0, |word| u64::from_ne_bytes(*word))
}

fn check(wording: &Wording<'_>, options: &ServerOptions) -> Result<Question, Error> {
    let allow_secret: Vec<&str> = options.allow_secret.iter().map(String::as_str).collect();
    let rules = AuthorRules {
        allow_http: options.allow_http,
        allow_secret: &allow_secret,
    };
    Question::check(&wording.text(&options.limits)?, &options.limits, &rules)
}
