//! Taking in what handlers answer (C8, C9, D3).

use super::action::Action;
use super::flow::{Flow, Phase};
use super::older::Older;
use super::options::ClientOptions;
use super::round::{Entry, Round};
use crate::json::{Index, Key, Raw};
use crate::protocol::answer::{cancelled, check_value, declined};
use crate::protocol::{Code, Error, Kind, Note};
use std::borrow::Cow;
use std::sync::Arc;

type Checked = (Cow<'static, str>, Vec<Note>);

impl Flow {
    /// Hands in the answer to an ask of the current round, shown or not.
    ///
    /// An answer that ends the flow (refused, unavailable, failed, not valid) is no error here: the end tells.
    /// A key that was not asked is a `config_error` (C11), an ask that has its answer `wrong_state`; both leave the flow as it is.
    pub fn answer(&mut self, key: &Key, action: &Action, now: u64) -> Result<(), Error> {
        self.clock.tick(now);
        let shared = Arc::clone(&self.shared);
        let at = self.unanswered(key)?;
        self.trace_answer(key, action);
        let Some(round) = self.round.as_deref_mut() else {
            return Ok(());
        };
        match text_of(&shared.options, round, at, action) {
            Ok((text, notes)) => {
                round.answer(at, text);
                let answered = round.answered();
                self.note_about(|| key.clone(), notes);
                if matches!(action, Action::Decline) {
                    self.remember(key, at);
                }
                let no = matches!(action, Action::Decline | Action::Cancel);
                if no && matches!(self.older.as_deref(), Some(Older::Pages(_))) {
                    let error = Error::new(Code::Refused, "the user does not open the page");
                    self.end(Err(error.with_key(key.clone())), None);
                } else if answered {
                    self.settled();
                }
            }
            Err(error) => {
                round.unshow(at);
                self.end(Err(error.with_key(key.clone())), None);
            }
        }
        Ok(())
    }

    fn unanswered(&self, key: &Key) -> Result<usize, Error> {
        let refused =
            |code, why: &str| Err(Error::new(code, format!("{key} {why}")).with_key(key.clone()));
        if self.is_over() {
            return refused(Code::WrongState, "is not asked any more: the flow is over");
        }
        let asking = matches!(self.phase, Phase::Asking);
        match self.round.as_deref().map(|round| (round, round.find(key))) {
            Some((round, Some(at))) if asking && !round.is_answered(at) => Ok(at),
            Some((_, Some(_))) => refused(Code::WrongState, "has its answer"),
            _ => refused(Code::ConfigError, "was not asked"),
        }
    }

    /// Keeps what was declined, for as long as the flow lasts (D6).
    fn remember(&mut self, key: &Key, at: usize) {
        let Some(round) = self.round.as_deref() else {
            return;
        };
        let asked = round.get(at).map(|entry| round.ask(entry));
        let Some(Ok(ask)) = asked else { return };
        let digest = ask.digest();
        match self.declined.iter_mut().find(|(known, _)| known == key) {
            Some((_, known)) => *known = digest,
            None => self.declined.push((key.clone(), digest)),
        }
    }
}

/// The entry of `inputResponses` for an action; an error ends the flow.
fn text_of(
    options: &ClientOptions,
    round: &Round,
    at: usize,
    action: &Action,
) -> Result<Checked, Error> {
    let entry = round
        .get(at)
        .ok_or_else(|| Error::new(Code::HandlerFailed, "no such ask"))?;
    match action {
        Action::Value(text) => check(options, round, entry, text),
        _ => without_value(action, entry, options.cancel_if_unavailable)
            .map(|text| (text.into(), Vec::new())),
    }
}

/// A value, held against the question (C9).
fn check(
    options: &ClientOptions,
    round: &Round,
    entry: &Entry,
    text: &str,
) -> Result<Checked, Error> {
    let failed = |error: Error| {
        Error::new(
            Code::HandlerFailed,
            format!("the answer is not valid: {}", error.message()),
        )
    };
    let index;
    // The value of a URL answer is ignored, whatever it is (D6).
    let value = match entry.kind {
        Kind::Url => Raw::EMPTY,
        _ => {
            index = Index::read(text, &options.limits).map_err(|fault| failed(fault.into()))?;
            index.root(text)
        }
    };
    let ask = round.ask(entry)?;
    let (entry, notes) = check_value(&ask, value).map_err(failed)?;
    Ok((entry.into(), notes))
}

/// What an action without a value says on the wire; an error if it ends the flow.
fn without_value(
    action: &Action,
    entry: &Entry,
    cancel_if_unavailable: bool,
) -> Result<&'static str, Error> {
    let (code, message) = match action {
        Action::Decline if entry.kind.is_elicitation() => return Ok(declined()),
        Action::Cancel if entry.kind.is_elicitation() => return Ok(cancelled()),
        Action::Unavailable if entry.kind.is_elicitation() && cancel_if_unavailable => {
            return Ok(cancelled());
        }
        Action::Decline | Action::Cancel => (
            Code::HandlerFailed,
            "only an elicitation can be declined or cancelled",
        ),
        Action::Unavailable => (Code::Unavailable, "nobody could be asked"),
        Action::Refuse => (Code::Refused, "the host refused"),
        Action::Fail(text) => (Code::HandlerFailed, text.as_str()),
        Action::Value(_) => (Code::HandlerFailed, "a value is not expected here"),
    };
    Err(Error::new(code, message))
}
