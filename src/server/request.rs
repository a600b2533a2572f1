//! The first look at a request: its members are found and checked before any handler runs (X1, S10).

use super::answers::Answers;
use super::fault;
use super::span::Span;
use crate::json::write::push_name;
use crate::json::{Fault, Key, Limits, Raw};
use crate::protocol::meta::META;
use crate::protocol::method::target_member;
use crate::protocol::result::{INPUT_RESPONSES, REQUEST_STATE};
use crate::protocol::{Code, Error};

/// What an exchange needs of its params, found once and kept in one text of its own; the rest is dropped.
#[derive(Default)]
pub(super) struct Found {
    texts: String,
    bound: Option<Span>,
    meta: Option<Span>,
    answers: Answers,
}

impl Found {
    /// Looks at the members of `params` once; one that counts here and stands twice is refused (J2). Gives
    /// `requestState` beside it, whatever its type; null is none (S10).
    pub fn read<'a>(
        method: &str,
        params: Raw<'a>,
        limits: &Limits,
    ) -> Result<(Found, Option<Raw<'a>>), Error> {
        let mut members = Members::of(method, params)?;
        let token = members.state.take().filter(|raw| !raw.is_null());
        let dropped = token.map_or(0, |token| token.text().len());
        let mut found = Found {
            texts: String::with_capacity(params.text().len().saturating_sub(dropped) + 8),
            ..Found::default()
        };
        members.push_bound(&mut found.texts, method);
        found.bound = Span::from(0, found.texts.len());
        found.meta = found.keep(members.meta);
        if let Some(place) = found.keep(members.answers.filter(|raw| !raw.is_null())) {
            found.answers = Answers::read(&found.texts, place, limits)?;
        }
        Ok((found, token))
    }

    fn keep(&mut self, raw: Option<Raw<'_>>) -> Option<Span> {
        let start = self.texts.len();
        self.texts.push_str(raw?.text());
        Span::from(start, self.texts.len())
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

/// The members of params that count here.
#[derive(Default)]
struct Members<'a> {
    target: Option<Raw<'a>>,
    arguments: Option<Raw<'a>>,
    meta: Option<Raw<'a>>,
    answers: Option<Raw<'a>>,
    state: Option<Raw<'a>>,
}

impl<'a> Members<'a> {
    fn of(method: &str, params: Raw<'a>) -> Result<Members<'a>, Error> {
        let Some(members) = params.members() else {
            let error = Error::new(Code::InvalidParams, "params must be an object");
            return Err(fault::of_client(error.with_at(String::new())));
        };
        let target = target_member(method);
        let mut found = Members::default();
        for (name, value) in members {
            let place = match () {
                () if name.is("arguments") => &mut found.arguments,
                () if name.is(INPUT_RESPONSES) => &mut found.answers,
                () if name.is(REQUEST_STATE) => &mut found.state,
                () if name.is(META) => &mut found.meta,
                () if target.is_some_and(|target| name.is(target)) => &mut found.target,
                () => continue,
            };
            if place.replace(value).is_some() {
                let twice = Fault::Duplicate {
                    at: String::new(),
                    name: name.key(),
                };
                return Err(fault::of_request(twice));
            }
        }
        // A state binds a text; two requests without one would be the same request to it (S5).
        if let (Some(name), Some(raw)) = (target, found.target)
            && !raw.is_null()
            && raw.string().is_none()
        {
            let error = Error::new(Code::InvalidParams, format!("{name} must be a string"));
            return Err(fault::of_client(error.with_at(format!("/{name}"))));
        }
        Ok(found)
    }

    /// Writes params with only what a state binds: target and arguments (S5).
    fn push_bound(&self, out: &mut String, method: &str) {
        let mut first = true;
        out.push('{');
        let target = target_member(method).unwrap_or_default();
        for (name, raw) in [(target, self.target), ("arguments", self.arguments)] {
            if let Some(raw) = raw {
                push_name(out, &mut first, name);
                out.push_str(raw.text());
            }
        }
        out.push('}');
    }
}

/// Checks size, depth and grammar of the params; an absent text is an empty object.
pub(super) fn parse<'a>(params: &'a str, limits: &Limits) -> Result<Raw<'a>, Error> {
    if params.is_empty() {
        return Ok(Raw::EMPTY);
    }
    Raw::parse(params, limits).map_err(fault::of_request)
}
