//! Serving a session of an older era with a handler of this one (L3): what the handler asks goes out as real requests,
//! and the handler is run again with the answers. Sans-I/O like the rest: the host sends, the library says what.

mod refusal;
mod shape;
mod step;

pub use step::{LegacyEnd, LegacyStep};

use super::{Exchange, OwnedPrincipal, Server, request};
use crate::json::write::{push_comma, push_line};
use crate::json::{Fault, Key, Object, Raw, Str, splice};
use crate::protocol::result::{INPUT_RESPONSES, REQUEST_STATE, RESULT_TYPE};
use crate::protocol::{Ask, CanAsk, Code, Error, Needs, Outcome, Peer, ReceiveRules, read_result};
use std::collections::VecDeque;
use std::sync::Arc;

/// Most rounds with asks.
const ROUNDS: u32 = 8;
/// First and longest wait before a handler is run again that gave a state alone.
const PACE_MS: (u64, u64) = (50, 5_000);
/// Longest row of such waits.
const PACE_BUDGET_MS: u64 = 300_000;

#[derive(Debug)]
struct Sent {
    number: u32,
    key: Key,
    answer: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// The handler is to be run.
    Ready,
    Running,
    Asking,
    Sleeping {
        until_ms: u64,
    },
    Over,
}

/// One call of a client of an older era, from its request to its end. Nothing of it outlives the call.
pub struct Legacy {
    server: Arc<Server>,
    peer: Peer,
    method: Box<str>,
    principal: OwnedPrincipal,
    /// The caller's params, without members that are none of its era's.
    original: String,
    /// The params of the round.
    params: String,
    phase: Phase,
    queue: VecDeque<LegacyStep>,
    sent: Vec<Sent>,
    state: Option<String>,
    asks: u32,
    rounds: u32,
    waits: u32,
    waiting_since: Option<u64>,
}

impl Legacy {
    /// Begins to serve a request of an older era. `params` is the text of its params (empty: absent).
    ///
    /// Errors: as [`Exchange::begin`], with what to answer; `bad_argument` if the peer is of this era.
    pub fn begin(
        server: &Arc<Server>,
        peer: Peer,
        method: &str,
        params: &str,
        principal: OwnedPrincipal,
    ) -> Result<Legacy, Error> {
        if !peer.era.is_legacy() {
            let why = "a request of this era needs no help";
            return Err(Error::new(Code::BadArgument, why));
        }
        let raw = request::parse(params, &server.options.limits)?;
        // The retry members are no vocabulary of its era: a client could only smuggle with them.
        let original = splice(raw, &[INPUT_RESPONSES, REQUEST_STATE], &[]);
        Ok(Legacy {
            server: Arc::clone(server),
            peer,
            method: method.into(),
            principal,
            params: original.clone(),
            original,
            phase: Phase::Ready,
            queue: VecDeque::new(),
            sent: Vec::new(),
            state: None,
            asks: 0,
            rounds: 0,
            waits: 0,
            waiting_since: None,
        })
    }

    /// What to do next.
    pub fn next(&mut self, now_ms: u64) -> LegacyStep {
        if let Some(step) = self.queue.pop_front() {
            return step;
        }
        match self.phase {
            Phase::Sleeping { until_ms } if now_ms < until_ms => LegacyStep::Sleep { until_ms },
            Phase::Ready | Phase::Sleeping { .. } => {
                self.phase = Phase::Running;
                LegacyStep::Run {
                    params: self.params.clone(),
                }
            }
            Phase::Running | Phase::Asking | Phase::Over => LegacyStep::Idle,
        }
    }

    /// The exchange of the round: the state is opened and verified, and the handler can ask what this client can
    /// answer, in its era and over its channel. An error goes to [`Legacy::failed`].
    pub fn exchange(&self, now_ms: u64) -> Result<Exchange, Error> {
        let declared = self.peer.askable().declared_json();
        let principal = self.principal.clone();
        let (method, params) = (&self.method, &self.params);
        Exchange::begin(
            &self.server,
            method,
            params,
            principal,
            Some(&declared),
            now_ms,
        )
    }

    /// The handler's result: a complete one, or the `input_required` that its exchange gave.
    ///
    /// The whole round is checked before anything is sent: channel, capabilities, and what the era can say.
    pub fn handled(&mut self, result: &str, now_ms: u64) -> Result<(), Error> {
        self.expect_running()?;
        if let Err(error) = self.read(result, now_ms) {
            self.refuse(&error);
        }
        Ok(())
    }

    fn read(&mut self, result: &str, now_ms: u64) -> Result<(), Error> {
        let raw = Raw::parse(result, &self.server.options.limits)
            .map_err(|fault| Error::from(fault).with_code(Code::InvalidResult))?;
        match read_result(&self.method, raw, false, &[])? {
            Outcome::InputRequired { asks, state, .. } => {
                self.state = state.map(|state| state.token().to_owned());
                match asks {
                    Some(asks) => self.ask(&asks),
                    None => self.wait(now_ms),
                }
            }
            _ => {
                self.end(LegacyEnd {
                    result: Some(splice(raw, &[RESULT_TYPE], &[])),
                    ..LegacyEnd::default()
                });
                Ok(())
            }
        }
    }

    /// The handler failed with this JSON-RPC error object, or the state did. What has no place on this wire is told in
    /// the words of its era, all else goes out as it is.
    pub fn failed(&mut self, rpc: &str) -> Result<(), Error> {
        self.expect_running()?;
        let raw = Raw::parse(rpc, &self.server.options.limits)?;
        let error = raw.object()?;
        if error
            .get("code")
            .and_then(Raw::number)
            .and_then(|code| code.to_i64())
            == Some(-32021)
        {
            let error = self.undeclared(error.get("data"));
            self.refuse(&error);
        } else {
            self.end(LegacyEnd {
                rpc: Some(raw.one_line().into_owned()),
                ..LegacyEnd::default()
            });
        }
        Ok(())
    }

    /// Why the client cannot be asked.
    fn undeclared(&self, data: Option<Raw<'_>>) -> Error {
        if !self.peer.back_channel {
            return refusal::no_channel();
        }
        let why = "the client did not declare that it can be asked this";
        let error = Error::new(Code::MissingCapability, why);
        match data {
            Some(data) => error.with_data(data.text().to_owned()),
            None => error,
        }
    }

    fn ask(&mut self, asks: &Object<'_>) -> Result<(), Error> {
        let limits = &self.server.options.limits;
        Fault::check_count("asks", asks.len(), limits.asks)?;
        if !self.peer.back_channel {
            return Err(refusal::no_channel());
        }
        let rules = ReceiveRules {
            allow_http: self.server.options.allow_http,
            ..ReceiveRules::default()
        };
        let mut missing = Needs::NONE;
        let mut requests = Vec::with_capacity(asks.len());
        for (key, raw) in asks.iter() {
            let (ask, _) = Ask::receive(raw, &rules).map_err(|error| error.with_key(key.key()))?;
            let needs = ask.needs().without(crate::protocol::Need::SAMPLING_CONTEXT);
            match self.peer.can_ask(&self.method, needs) {
                CanAsk::Yes => requests.push((key, shape::request(&ask, self.peer.era)?)),
                _ => {
                    missing |=
                        self.peer.declared.missing(needs) | needs.without(self.peer.era.knows())
                }
            }
        }
        if !missing.is_empty() {
            return Err(refusal::missing(missing));
        }
        if self.rounds >= ROUNDS {
            let why = format!("more than {ROUNDS} rounds of questions");
            return Err(Error::new(Code::RoundsExceeded, why));
        }
        self.send(requests);
        Ok(())
    }

    fn send(&mut self, requests: Vec<(Str<'_>, shape::Shaped)>) {
        self.rounds = self.rounds.saturating_add(1);
        (self.waits, self.waiting_since) = (0, None);
        self.phase = Phase::Asking;
        self.sent.clear();
        for (key, (method, params)) in requests {
            self.asks = self.asks.saturating_add(1);
            self.sent.push(Sent {
                number: self.asks,
                key: key.key(),
                answer: None,
            });
            self.queue.push_back(LegacyStep::Send {
                ask: self.asks,
                method,
                params,
            });
        }
    }

    /// A state alone: the handler wants to be run again after a while.
    fn wait(&mut self, now_ms: u64) -> Result<(), Error> {
        let since = *self.waiting_since.get_or_insert(now_ms);
        let (first, most) = PACE_MS;
        let doubled = 1u64
            .checked_shl(self.waits)
            .map_or(most, |factor| first.saturating_mul(factor));
        let wait = doubled.min(most);
        if now_ms.saturating_sub(since).saturating_add(wait) > PACE_BUDGET_MS {
            let why = "the handler did not come to an end in time";
            return Err(Error::new(Code::PollBudgetExceeded, why));
        }
        self.waits = self.waits.saturating_add(1);
        self.sent.clear();
        self.next_round();
        let until_ms = now_ms.saturating_add(wait);
        self.phase = Phase::Sleeping { until_ms };
        Ok(())
    }

    /// The result of the client's response to an ask. Whether it answers the question is for the handler's exchange to
    /// say, which asks again if not. Late and unknown ones are passed over.
    pub fn deliver(&mut self, ask: u32, result: &str) -> Result<(), Error> {
        let limits = &self.server.options.limits;
        let Some(sent) = self
            .sent
            .iter_mut()
            .find(|sent| sent.number == ask && sent.answer.is_none())
        else {
            return Ok(());
        };
        if self.phase != Phase::Asking {
            return Ok(());
        }
        match Raw::parse(result, limits) {
            Ok(raw) => sent.answer = Some(raw.one_line().into_owned()),
            Err(fault) => {
                let error = Error::from(fault).with_code(Code::InvalidResult);
                self.refuse(&error);
                return Ok(());
            }
        }
        if self.sent.iter().all(|sent| sent.answer.is_some()) {
            self.next_round();
            self.phase = Phase::Ready;
        }
        Ok(())
    }

    /// The client answered an ask with a JSON-RPC error: it was refused, and with it the call.
    pub fn deliver_error(&mut self, ask: u32) {
        let open = |sent: &Sent| sent.number == ask && sent.answer.is_none();
        if self.phase == Phase::Asking && self.sent.iter().any(open) {
            self.sent.retain(|sent| sent.number != ask);
            let why = "the client refused to answer a question";
            self.refuse(&Error::new(Code::Refused, why));
        }
    }

    /// The client cancelled its call, or is gone: what is open is cancelled, and nothing is answered.
    pub fn cancel(&mut self) {
        if self.phase != Phase::Over {
            self.end(LegacyEnd::default());
        }
    }

    /// The params of the next round: the caller's own, and only what this round brought (L3).
    fn next_round(&mut self) {
        let mut answers = String::from("{");
        let mut first = true;
        for sent in self.sent.drain(..) {
            push_comma(&mut answers, &mut first);
            sent.key.write_json(&mut answers);
            answers.push(':');
            push_line(&mut answers, sent.answer.as_deref().unwrap_or("null"));
        }
        answers.push('}');
        let mut add = Vec::with_capacity(2);
        if !first {
            add.push((INPUT_RESPONSES, answers.as_str()));
        }
        let state = self.state.take();
        if let Some(state) = &state {
            add.push((REQUEST_STATE, state.as_str()));
        }
        self.params = splice(Raw::trusted(&self.original), &[], &add);
    }

    fn expect_running(&self) -> Result<(), Error> {
        match self.phase {
            Phase::Running => Ok(()),
            _ => Err(Error::new(Code::WrongState, "no handler is running")),
        }
    }

    fn refuse(&mut self, error: &Error) {
        let end = refusal::end(&self.method, error);
        self.end(end);
    }

    fn end(&mut self, end: LegacyEnd) {
        // What was not sent yet never is; what was sent is called back.
        let unsent: Vec<u32> = self
            .queue
            .drain(..)
            .filter_map(|step| match step {
                LegacyStep::Send { ask, .. } => Some(ask),
                _ => None,
            })
            .collect();
        let open = |sent: &&Sent| sent.answer.is_none() && !unsent.contains(&sent.number);
        let open: Vec<u32> = self
            .sent
            .iter()
            .filter(open)
            .map(|sent| sent.number)
            .collect();
        let cancels = open.into_iter().map(|ask| LegacyStep::Cancel { ask });
        self.queue.extend(cancels);
        self.queue.push_back(LegacyStep::Done(end));
        self.sent.clear();
        self.phase = Phase::Over;
    }
}
