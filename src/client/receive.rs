//! Reading what the server responded (C1-C3, C5, D1).

use super::continuation::Saved;
use super::event::Event;
use super::flow::{Flow, Phase};
use super::older::Older;
use super::round::Round;
use super::text::{Text, decode};
use crate::json::{Fault, Index, Key, Limits, Object, Raw, Str};
use crate::protocol::result::{INPUT_REQUESTS, REQUEST_STATE};
use crate::protocol::{Ask, Code, Error, Note, Outcome, ReceiveRules, Rpc, answer, read_result};
use std::borrow::Cow;
use std::sync::Arc;

impl Flow {
    /// Hands in the `result` of a leg, as JSON text. A leg that is not in flight is ignored.
    pub fn deliver(&mut self, leg: u32, result: &str, now: u64) -> Result<(), Error> {
        if self.land(leg, now) {
            self.receive(result);
            self.trace_response(leg, Some(result));
        }
        Ok(())
    }

    /// Hands in the `error` object of a leg, as JSON text: the flow ends as `rpc_error`. A leg that is not in flight is ignored.
    pub fn deliver_error(&mut self, leg: u32, error: &str, now: u64) -> Result<(), Error> {
        if self.land(leg, now) {
            match read_error(error, &self.shared.options.limits) {
                Ok(rpc) => self.take_error(rpc),
                Err(fault) if fault.code() == Code::TooLarge => self.end(Err(fault), None),
                Err(fault) => {
                    let text: Arc<str> = error.into();
                    self.end(Err(fault), Some(Text::from(text)));
                }
            }
            self.trace_response(leg, Some(error));
        }
        Ok(())
    }

    fn take_error(&mut self, rpc: Rpc) {
        match self.pages(&rpc) {
            Ok(true) => {}
            Ok(false) => {
                let error = Error::new(Code::RpcError, rpc.message.clone());
                self.end(Err(error.with_rpc(rpc)), None);
            }
            Err(error) if error.code() == Code::TooLarge => self.end(Err(error), None),
            Err(error) => self.end(Err(invalid(error)), None),
        }
    }

    fn receive(&mut self, result: &str) {
        let shared = Arc::clone(&self.shared);
        let options = &shared.options;
        if let Err(fault) = options.limits.check_message(result.len()) {
            return self.end(Err(too_large(fault)), None);
        }
        let text: Arc<str> = result.into();
        let whole = Some(Text::from(Arc::clone(&text)));
        let index = match Index::read(&text, &options.limits) {
            Ok(index) => index,
            Err(fault @ (Fault::TooLarge { .. } | Fault::TooMany { .. })) => {
                return self.end(Err(too_large(fault)), None);
            }
            Err(fault) => return self.end(Err(invalid(fault.into())), whole),
        };
        let raw = index.root(&text);
        let method = Arc::clone(&self.call.method);
        let declared: Vec<&str> = options.result_types.iter().map(String::as_str).collect();
        match read_result(&method, raw, options.strict, &declared) {
            Ok(Outcome::Complete { notes }) => {
                self.note(notes);
                self.end(Ok(()), whole);
            }
            Ok(Outcome::Extension { .. }) => self.end(Ok(()), whole),
            Ok(Outcome::InputRequired { asks, state, notes }) => {
                self.note(notes);
                let names = asks.iter().flat_map(Object::iter).map(|(name, _)| name);
                match within_limits(
                    asks.as_ref().map_or(0, Object::len),
                    names,
                    state,
                    &options.limits,
                ) {
                    Err(fault) => self.end(Err(too_large(fault)), None),
                    Ok(()) => self.begin_round(&text, asks.as_ref(), state),
                }
            }
            Err(error) => match broken_within_limits(raw, &options.limits) {
                Err(fault) => self.end(Err(too_large(fault)), None),
                Ok(()) => self.end(Err(invalid(error)), whole),
            },
        }
    }

    /// A good `input_required`: the asks are all checked before the first is shown (C3), then D1's order.
    #[inline(never)] // two callers, and much code
    pub(super) fn begin_round(
        &mut self,
        text: &Arc<str>,
        asks: Option<&Object<'_>>,
        state: Option<Str<'_>>,
    ) {
        let shared = Arc::clone(&self.shared);
        let options = &shared.options;
        let whole = Some(Text::from(Arc::clone(text)));
        let (mut round, unhandled) = match self.read_round(text, asks, state) {
            Ok(read) => read,
            Err(error) => return self.end(Err(error), whole),
        };
        let asks = round.len();
        let counts = asks > 0 || options.state_only_counts;
        let number = self.rounds.saturating_add(u32::from(counts));
        let capped = options.max_rounds != u32::MAX && number > options.max_rounds;
        round.number = number;
        let round = self.round.insert(Box::new(round));
        let stop = if let Some(key) = unhandled.and_then(|at| round.key(at)) {
            let message = format!("no handler for what {key} asks for");
            Error::new(Code::InputRequired, message).with_key(key)
        } else if counts && capped {
            let (method, most) = (&self.call.method, options.max_rounds);
            let message = format!("{method} wants input again after {most} rounds");
            Error::new(Code::RoundsExceeded, message)
        } else if options.manual {
            Error::new(Code::InputRequired, "the server wants input")
        } else {
            self.rounds = number;
            return if asks == 0 {
                self.pause()
            } else {
                self.ask(asks)
            };
        };
        self.end(Err(stop), whole);
    }

    fn ask(&mut self, asks: usize) {
        self.pacing.reset();
        self.queue.push_back(Event::Round {
            n: self.rounds,
            asks,
        });
        self.phase = Phase::Asking;
    }

    /// Waits before a state-only retry, or ends the flow if the budget does not allow it (C6, D4).
    fn pause(&mut self) {
        match self.pacing.wait(self.clock.now(), &self.shared.options) {
            Some(wait) => {
                self.phase = Phase::Pausing {
                    until: self.clock.after(wait),
                    wait,
                }
            }
            None => self.fail(
                Code::PollBudgetExceeded,
                "the server did not come to a result within the poll budget",
            ),
        }
    }

    /// The round, and the first of its asks that no handler is for.
    fn read_round(
        &mut self,
        text: &Arc<str>,
        asks: Option<&Object<'_>>,
        state: Option<Str<'_>>,
    ) -> Result<(Round, Option<usize>), Error> {
        let shared = Arc::clone(&self.shared);
        let options = &shared.options;
        let rules = ReceiveRules {
            allow_http: options.allow_http,
            has_ids: matches!(self.older.as_deref(), Some(Older::Pages(_))),
        };
        let mut round = Round::new(text, state, options.order, asks.map_or(0, Object::len));
        let mut unhandled = None;
        for (name, raw) in asks.into_iter().flat_map(Object::iter) {
            let received = Ask::receive(raw, &rules);
            let (ask, notes) = received.map_err(|error| invalid(error).with_key(name.key()))?;
            if unhandled.is_none() && !options.handles(ask.needs()) {
                unhandled = Some(round.len());
            }
            round.push(name, &ask);
            self.note_about(|| name.key(), notes);
        }
        Ok((round, unhandled))
    }

    /// Puts a saved round in place: asks without an answer are shown again, a state-only round waits again,
    /// and one whose answers are complete is sent: resuming is the host's word for it (C11, D5, D6).
    pub(super) fn restore(&mut self, saved: &Saved<'_>) -> Result<(), Error> {
        let text: Arc<str> = saved.result.text().into();
        let index = Index::read(&text, &self.shared.options.limits).map_err(too_large)?;
        let outcome = read_result(&self.call.method, index.root(&text), false, &[]);
        let Ok(Outcome::InputRequired { asks, state, .. }) = outcome else {
            return Err(broken("its result asks for nothing"));
        };
        let names = asks.iter().flat_map(Object::iter).map(|(name, _)| name);
        let count = asks.as_ref().map_or(0, Object::len);
        let limits = &self.shared.options.limits;
        within_limits(count, names, state, limits).map_err(too_large)?;
        let (mut round, _) = self
            .read_round(&text, asks.as_ref(), state)
            .map_err(|error| broken(error.message()))?;
        self.queue.clear();
        for (name, entry) in saved.answers.iter() {
            let at = round
                .find(&name.key())
                .ok_or_else(|| broken("it answers what was not asked"))?;
            let ask = round.get(at).map(|entry| round.ask(entry));
            let fits = ask.and_then(Result::ok).is_some_and(|ask| {
                use answer::Answer::{Accepted, Cancelled, Declined};
                matches!(
                    answer::read(&ask, entry),
                    Accepted(_) | Declined | Cancelled
                )
            });
            if !fits {
                return Err(broken("an answer in it does not fit its ask"));
            }
            round.answer(at, Cow::Owned(entry.text().to_owned()));
        }
        let (asks, answered) = (round.len(), round.answered());
        round.number = self.rounds;
        self.round = Some(Box::new(round));
        match (asks, answered) {
            (0, _) => self.pause(),
            (_, true) => self.phase = Phase::Ready,
            (asks, false) => self.ask(asks),
        }
        Ok(())
    }

    fn note(&mut self, notes: Vec<&'static str>) {
        let event = |note: &str| Event::Note {
            key: None,
            text: note.to_string(),
        };
        self.queue.extend(notes.into_iter().map(event));
    }

    pub(super) fn note_about(&mut self, name: impl Fn() -> Key, notes: Vec<Note>) {
        let event = |note: Note| Event::Note {
            key: Some(name()),
            text: note.to_string(),
        };
        self.queue.extend(notes.into_iter().map(event));
    }
}

/// The limits on what a round holds (J4); they come before all else (D1).
pub(super) fn within_limits<'a>(
    asks: usize,
    names: impl Iterator<Item = Str<'a>>,
    state: Option<Str<'_>>,
    limits: &Limits,
) -> Result<(), Fault> {
    Fault::check_count("asks", asks, limits.asks)?;
    let token = state.map_or(0, Str::bytes_len);
    Fault::check_size("token", token, limits.token_bytes)?;
    names
        .map(|name| Fault::check_size("key", name.bytes_len(), limits.key_bytes))
        .find(Result::is_err)
        .unwrap_or(Ok(()))
}

/// [`within_limits`] for a result in which something else is wrong.
fn broken_within_limits(raw: Raw<'_>, limits: &Limits) -> Result<(), Fault> {
    for (name, value) in raw.members().into_iter().flatten() {
        let state = value.string().filter(|_| name.is(REQUEST_STATE));
        let asks = value.members().filter(|_| name.is(INPUT_REQUESTS));
        let count = asks.clone().map_or(0, Iterator::count);
        let names = asks.into_iter().flatten().map(|(name, _)| name);
        within_limits(count, names, state, limits)?;
    }
    Ok(())
}

pub(super) fn too_large(fault: Fault) -> Error {
    Error::from(fault).with_code(Code::TooLarge)
}

/// Whatever is wrong with a result is an invalid result to the caller; the message says what.
fn invalid(error: Error) -> Error {
    error.with_code(Code::InvalidResult)
}

fn broken(why: &str) -> Error {
    Error::new(
        Code::ConfigError,
        format!("the continuation cannot be used: {why}"),
    )
}

/// The members of a JSON-RPC error object.
fn read_error(text: &str, limits: &Limits) -> Result<Rpc, Error> {
    let raw = Raw::parse(text, limits).map_err(|fault| match fault {
        Fault::TooLarge { .. } | Fault::TooMany { .. } => too_large(fault),
        other => invalid(other.into()),
    })?;
    let object = raw.object().map_err(|fault| invalid(fault.into()))?;
    let code = object
        .get("code")
        .and_then(Raw::number)
        .and_then(|n| n.to_i64());
    let message = object.get("message").and_then(Raw::string);
    let (Some(code), Some(message)) = (code, message) else {
        return Err(Error::new(
            Code::InvalidResult,
            "the error of the leg is no JSON-RPC error object",
        ));
    };
    let message = decode(message);
    Ok(Rpc {
        code,
        message,
        data: object.get("data").map(|data| data.text().to_owned()),
    })
}
