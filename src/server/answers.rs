//! `inputResponses` of one request: found once, each answer read only when its question is stated.

use super::fault;
use super::span::Span;
use crate::json::{Fault, Key, Limits, Raw, Str, order};
use crate::protocol::{Code, Error};
use std::borrow::Cow;

/// Where key and value of each answer stand in a text, in the order of the decoded keys.
#[derive(Default)]
pub(super) struct Answers(Vec<(Span, Span)>);

impl Answers {
    /// Reads `inputResponses`, which stands at `place` of `texts` (X1): an object without duplicate keys (D15), within the limits (D18).
    pub fn read(texts: &str, place: Span, limits: &Limits) -> Result<Answers, Error> {
        let Some(members) = Raw::trusted(place.text(texts)).members() else {
            let error = Error::new(Code::InvalidParams, "inputResponses must be an object");
            return Err(fault::of_client(error.with_at("/inputResponses".into())));
        };
        let mut places = Vec::new();
        let mut count = 0usize;
        for (key, value) in members {
            count = count.saturating_add(1);
            if count > limits.answers {
                continue; // counted to the end, for the message
            }
            check_key(key, limits).map_err(fault::of_request)?;
            if let (Some(key), Some(value)) =
                (Span::of(texts, key.token()), Span::of(texts, value.text()))
            {
                places.push((key, value));
            }
        }
        Fault::check_count("answers", count, limits.answers).map_err(fault::of_request)?;
        // Each key is decoded once: escapes must not make sorting dear.
        let keyed = places
            .into_iter()
            .map(|place| (decoded(texts, place.0), place));
        let mut keyed: Vec<_> = keyed.collect();
        order::sort_by(&mut keyed, |a, b| a.0.cmp(&b.0));
        match keyed.array_windows().find(|[a, b]| a.0 == b.0) {
            Some([(_, (key, _)), _]) => {
                let name = token(texts, *key).map_or_else(|| Key::from(""), Str::key);
                Err(fault::of_request(Fault::Duplicate {
                    at: "/inputResponses".into(),
                    name,
                }))
            }
            None => Ok(Answers(keyed.into_iter().map(|(_, place)| place).collect())),
        }
    }

    /// The answer under `key`; null counts as none (D15).
    pub fn get<'a>(&self, texts: &'a str, key: &Key) -> Option<Raw<'a>> {
        let found = self
            .0
            .binary_search_by(|(name, _)| (*decoded(texts, *name)).cmp(key.as_bytes()))
            .ok()?;
        let (_, value) = self.0.get(found)?;
        Some(Raw::trusted(value.text(texts))).filter(|raw| !raw.is_null())
    }
}

fn check_key(key: Str<'_>, limits: &Limits) -> Result<(), Fault> {
    // A token is never shorter than what it decodes to, so most keys need no decoding here.
    if key.token().len() <= limits.key_bytes {
        return Ok(());
    }
    Fault::check_size("key", key.bytes_len(), limits.key_bytes)
}

fn token(texts: &str, key: Span) -> Option<Str<'_>> {
    Raw::trusted(key.text(texts)).string()
}

fn decoded(texts: &str, key: Span) -> Cow<'_, [u8]> {
    token(texts, key).map(Str::bytes).unwrap_or_default()
}
