//! The first look at a request: its members are found and checked before any handler runs (X1, S10).

use super::answers::Answers;
use super::fault;
use super::span::Span;
use crate::json::write::push_name;
use crate::json::{Fault, Key, Limits, Object, Raw};
use crate::protocol::Error;
use crate::protocol::meta::META;
use crate::protocol::method::target_member;
use crate::protocol::result::{INPUT_RESPONSES, REQUEST_STATE};

/// What an exchange needs of its params, found once and kept in one text of its own; the rest is dropped.
#[derive(Default)]
pub(super) struct Found {
    texts: String,
    bound: Option<Span>,
    meta: Option<Span>,
    answers: Answers,
}

impl Found {
    /// Looks at the members of `params` once; one that stands twice is refused, whichever it is (J2). Gives
    /// `requestState` beside it, whatever its type; null is none (S10).
    pub fn read<'a>(
        method: &str,
        params: Raw<'a>,
        limits: &Limits,
    ) -> Result<(Found, Option<Raw<'a>>), Error> {
        let object = params.object().map_err(fault::of_request)?;
        let token = object.present(REQUEST_STATE);
        let (meta, answers) = (object.get(META), object.present(INPUT_RESPONSES));
        let dropped = token.map_or(0, |token| token.text().len());
        let mut texts = String::with_capacity(params.text().len().saturating_sub(dropped) + 8);
        push_bound(&mut texts, method, &object);
        let bound = Span::from(0, texts.len());
        let mut keep = |raw: Option<Raw<'_>>| {
            let start = texts.len();
            texts.push_str(raw?.text());
            Span::from(start, texts.len())
        };
        let (meta, answers) = (keep(meta), keep(answers));
        let answers = match answers {
            Some(place) => Answers::read(&texts, place, limits)?,
            None => Answers::default(),
        };
        let found = Found {
            texts,
            bound,
            meta,
            answers,
        };
        Ok((found, token))
    }

    fn raw(&self, place: Option<Span>) -> Option<Raw<'_>> {
        place.map(|place| Raw::trusted(place.text(&self.texts)))
    }

    /// Params with only what a state binds: target and arguments (S5).
    pub fn bound(&self) -> Option<Raw<'_>> {
        self.raw(self.bound)
    }

    /// `_meta`, if there is one.
    pub fn meta(&self) -> Option<Raw<'_>> {
        self.raw(self.meta)
    }

    /// The answer under `key`; null counts as none (D15).
    pub fn answer(&self, key: &Key) -> Option<Raw<'_>> {
        self.answers.get(&self.texts, key)
    }
}

fn push_bound(out: &mut String, method: &str, params: &Object<'_>) {
    let mut first = true;
    out.push('{');
    for name in target_member(method).into_iter().chain(["arguments"]) {
        if let Some(raw) = params.get(name) {
            push_name(out, &mut first, name);
            out.push_str(raw.text());
        }
    }
    out.push('}');
}

/// Checks size, depth and grammar of the params; an absent text is an empty object.
pub(super) fn parse<'a>(params: &'a str, limits: &Limits) -> Result<Raw<'a>, Error> {
    if params.is_empty() {
        return Ok(Raw::EMPTY);
    }
    // Places in the text are kept in 32 bits.
    let most = limits.message_bytes.min(u32::MAX as usize);
    Fault::check_size("message", params.len(), most)
        .and_then(|()| Raw::parse(params, limits))
        .map_err(fault::of_request)
}
