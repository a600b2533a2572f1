//! The flow: one call from its first leg to its end, as a state machine without I/O.

use super::call::Call;
use super::client::Shared;
use super::clock::Clock;
use super::continuation::{self, Saved};
use super::event::{AskEvent, Done, Event};
use super::older::Older;
use super::pacing::Pacing;
use super::round::Round;
use super::text::Text;
use super::trace::Trace;
use super::view;
use super::who::Who;
use crate::json::Key;
use crate::protocol::{Code, Error};
use std::collections::VecDeque;
use std::sync::Arc;

/// One call. The host asks [`Flow::next`] what to do, does it, and hands in what comes of it.
///
/// One thread at a time. Times are milliseconds of the host's monotonic clock; one that steps back stands still.
/// Time limits take effect in `next`: what was handed in before counts.
pub struct Flow {
    pub(super) shared: Arc<Shared>,
    pub(super) call: Call,
    pub(super) clock: Clock,
    pub(super) phase: Phase,
    /// Events that are due before whatever the phase wants.
    pub(super) queue: VecDeque<Event>,
    /// The last `input_required`, kept until the next one: what a retry carries and a continuation holds.
    pub(super) round: Option<Box<Round>>,
    pub(super) rounds: u32,
    pub(super) legs: u32,
    pub(super) pacing: Pacing,
    progress: f64,
    /// Questions that were declined, by key: the digest of the latest one (D6).
    pub(super) declined: Vec<(Key, [u8; 32])>,
    /// What a flow with a peer of 2025 is about.
    pub(super) older: Option<Box<Older>>,
    pub(super) trace: Option<Box<Trace>>,
}

/// What a flow is waiting for.
pub(super) enum Phase {
    /// For the host to take the next leg.
    Ready,
    /// For the response to a leg.
    Leg { id: u64, deadline: u64 },
    /// For answers.
    Asking,
    /// For pages to be done, at an older peer (L2).
    Completing { deadline: Option<u64> },
    /// For the time of a state-only retry.
    Pausing { until: u64, wait: u64 },
    /// For nothing; holds the end until it is taken.
    Over(Option<Box<Done>>),
}

impl Flow {
    pub(super) fn begin(shared: Arc<Shared>, call: Call, now: u64) -> Flow {
        let clock = Clock::start(now, shared.options.flow_timeout_ms);
        let trace = Trace::new(shared.options.tracing);
        Flow {
            shared,
            call,
            clock,
            phase: Phase::Ready,
            queue: VecDeque::new(),
            round: None,
            rounds: 0,
            legs: 0,
            pacing: Pacing::default(),
            progress: f64::NEG_INFINITY,
            declined: Vec::new(),
            older: None,
            trace,
        }
    }

    pub(super) fn resume(
        shared: Arc<Shared>,
        call: Call,
        saved: &Saved<'_>,
        now: u64,
    ) -> Result<Flow, Error> {
        let mut flow = Flow::begin(shared, call, now);
        if let Some(left) = saved.flow_ms {
            flow.clock = Clock::start(now, Some(left));
        }
        flow.rounds = saved.rounds;
        // Whatever the text says, a resumed flow had its first leg (C18).
        flow.legs = saved.legs.max(1);
        flow.declined.clone_from(&saved.declined);
        flow.restore(saved)?;
        Ok(flow)
    }

    /// What to do next. [`Event::Done`] comes exactly once, and after it only [`Event::Idle`].
    ///
    /// Limits are looked at here (C7): what was handed in before counts, however late it came.
    pub fn next(&mut self, now: u64) -> Event {
        let event = self.step(now);
        self.trace_event(&event);
        event
    }

    fn step(&mut self, now: u64) -> Event {
        let now = self.clock.tick(now);
        if self.queue.is_empty() {
            self.expire(now);
        }
        if let Some(event) = self.queue.pop_front() {
            return event;
        }
        match &mut self.phase {
            Phase::Ready => self.send(0),
            Phase::Leg { deadline, .. } => {
                let until = self.clock.bound(Some(*deadline));
                Event::Sleep {
                    until,
                    pacing: false,
                }
            }
            Phase::Asking => self.show(),
            Phase::Completing { deadline } => {
                let until = self.clock.bound(*deadline);
                Event::Sleep {
                    until,
                    pacing: false,
                }
            }
            Phase::Pausing { until, wait } if *until <= now => {
                let wait = *wait;
                self.send(wait)
            }
            Phase::Pausing { until, .. } => {
                let until = self.clock.bound(Some(*until));
                Event::Sleep {
                    until,
                    pacing: true,
                }
            }
            Phase::Over(done) => done.take().map_or(Event::Idle, Event::Done),
        }
    }

    /// Ends the flow if a time limit has passed (C7).
    fn expire(&mut self, now: u64) {
        let (due, ask) = match (&self.phase, self.round.as_deref_mut()) {
            (Phase::Over(_), _) => return,
            (Phase::Leg { deadline, .. }, _) => (Some(*deadline), None),
            (Phase::Asking, Some(round)) => round
                .due()
                .map_or((None, None), |(at, ask)| (Some(at), Some(ask))),
            (Phase::Completing { deadline }, _) => (*deadline, None),
            _ => (None, None),
        };
        if self.clock.over_before(due) {
            self.fail(Code::FlowTimeout, "the time for the whole flow is over");
        } else if due.is_some_and(|at| at <= now) {
            match ask.and_then(|at| self.key_of(at)) {
                Some(key) => self.end(
                    Err(Error::new(Code::InputTimeout, "nobody answered in time").with_key(key)),
                    None,
                ),
                None if matches!(self.phase, Phase::Completing { .. }) => {
                    self.fail(Code::InputTimeout, "the pages were not done in time");
                }
                None => self.fail(Code::LegTimeout, "the server did not respond in time"),
            }
        }
    }

    fn send(&mut self, paced_ms: u64) -> Event {
        let id = self.shared.fresh_id();
        let params = match &self.round {
            None => self.call.first(id),
            Some(round) => self.call.retry(id, |out| round.write_retry(out)),
        };
        let deadline = self.clock.after(self.shared.options.leg_timeout_ms);
        self.legs = self.legs.saturating_add(1);
        self.phase = Phase::Leg { id, deadline };
        let deadline_ms = self.clock.bound(Some(deadline));
        Event::Send {
            leg: self.legs,
            id,
            method: Arc::clone(&self.call.method),
            params,
            deadline_ms,
            paced_ms,
        }
    }

    fn show(&mut self) -> Event {
        let deadline = self
            .shared
            .options
            .input_timeout_ms
            .map(|ms| self.clock.after(ms));
        let shown = self
            .round
            .as_deref_mut()
            .and_then(|round| round.show(deadline));
        if let Some(at) = shown {
            let who = self.asker();
            let round = self.round.as_deref();
            let ask = round.and_then(|round| view::view(round, at, &self.declined, &who));
            if let Some(ask) = ask {
                return Event::Ask(ask);
            }
        }
        let Some(round) = self.round.as_deref_mut() else {
            return Event::Idle;
        };
        let until = self.clock.bound(round.due().map(|(at, _)| at));
        Event::Sleep {
            until,
            pacing: false,
        }
    }

    /// Hands in the progress value of a leg. A lower one than before is dropped, but is a sign of life all the same (C15, D4).
    pub fn progress(&mut self, leg: u32, value: f64, now: u64) -> Result<(), Error> {
        self.clock.tick(now);
        if !self.in_flight(leg) {
            return Ok(());
        }
        let again = self.clock.after(self.shared.options.leg_timeout_ms);
        if let Phase::Leg { deadline, .. } = &mut self.phase
            && self.shared.options.reset_on_progress
        {
            *deadline = again;
        }
        if value.is_finite() && value >= self.progress {
            self.progress = value;
            self.queue.push_back(Event::Progress { leg, value });
        }
        Ok(())
    }

    /// The connection of a leg was lost: the flow ends, nothing is sent again by itself (C11, D5).
    pub fn lost(&mut self, leg: u32, now: u64) -> Result<(), Error> {
        if self.land(leg, now) {
            self.fail(Code::Lost, "the connection was lost before a response came");
            self.trace_response(leg, None);
        }
        Ok(())
    }

    /// The caller gives up (C10). Without effect on a flow that is over.
    pub fn cancel(&mut self, now: u64) -> Result<(), Error> {
        self.clock.tick(now);
        if !self.is_over() {
            self.fail(Code::Cancelled, "the caller cancelled");
        }
        Ok(())
    }

    /// The flow as text, from which [`Client::resume`](super::Client::resume) goes on (C11). It holds answers: keep it as safe as them.
    ///
    /// `wrong_state` before the server asked for anything, and after the end (which brings its own).
    pub fn save(&self) -> Result<String, Error> {
        match (&self.round, &self.phase) {
            _ if self.older.is_some() => Err(Error::new(
                Code::WrongState,
                "what an older peer asked for is bound to its connection",
            )),
            (
                Some(round),
                Phase::Ready | Phase::Leg { .. } | Phase::Asking | Phase::Pausing { .. },
            ) => continuation::write(self, round),
            _ => Err(Error::new(
                Code::WrongState,
                "there is nothing to go on from",
            )),
        }
    }

    /// The asks of the current round that have no answer, in the order of the text, shown or not (C13): for a host that shows them on
    /// one page. Answers to asks that were not shown yet are taken all the same.
    pub fn asks(&self) -> impl Iterator<Item = AskEvent> + '_ {
        let who = Arc::new(self.who());
        self.open()
            .filter_map(move |(round, at)| self.seen(round, at, &who))
    }

    /// The one of [`Flow::asks`] with this number, from 0.
    pub fn open_ask(&self, number: usize) -> Option<AskEvent> {
        let (round, at) = self.open().nth(number)?;
        self.seen(round, at, &Arc::new(self.who()))
    }

    fn open(&self) -> impl Iterator<Item = (&Round, usize)> {
        let asking = matches!(self.phase, Phase::Asking);
        let round = self.round.as_deref().filter(|_| asking);
        let all = round
            .into_iter()
            .flat_map(|round| (0..round.len()).map(move |at| (round, at)));
        all.filter(|(round, at)| !round.is_answered(*at))
    }

    fn seen(&self, round: &Round, at: usize, who: &Arc<Who>) -> Option<AskEvent> {
        view::view(round, at, &self.declined, who).map(|ask| *ask)
    }

    /// Is the flow over?
    pub fn is_over(&self) -> bool {
        matches!(self.phase, Phase::Over(_))
    }

    /// The method of the call.
    pub fn method(&self) -> &str {
        &self.call.method
    }

    pub(super) fn in_flight(&self, leg: u32) -> bool {
        leg == self.legs && matches!(self.phase, Phase::Leg { .. })
    }

    /// A leg has come to its end; `false` if it is not the one in flight: what comes late is ignored (C10).
    pub(super) fn land(&mut self, leg: u32, now: u64) -> bool {
        self.clock.tick(now);
        let landed = self.in_flight(leg);
        if landed {
            self.phase = Phase::Ready;
        }
        landed
    }

    fn key_of(&self, at: usize) -> Option<Key> {
        self.round.as_ref()?.key(at)
    }

    pub(super) fn fail(&mut self, code: Code, message: &str) {
        self.end(Err(Error::new(code, message)), None);
    }

    /// Ends the flow: what is shown is stopped, what is in flight is cancelled, the rest is forgotten.
    pub(super) fn end(&mut self, end: Result<(), Error>, result: Option<Text>) {
        let phase = std::mem::replace(&mut self.phase, Phase::Over(None));
        let round = self.round.take();
        match (phase, &round) {
            (Phase::Leg { id, .. }, _) => self
                .queue
                .push_back(Event::CancelLeg { leg: self.legs, id }),
            (Phase::Asking, Some(round)) => {
                let open = round.shown().filter_map(|at| round.key(at));
                self.queue.extend(open.map(|key| Event::StopAsk { key }));
            }
            _ => {}
        }
        let result = self.response(&end, round.as_deref()).or(result);
        let goes_on = self.older.is_none()
            && end.as_ref().err().is_some_and(|error| {
                !matches!(
                    error.code(),
                    Code::RpcError | Code::InvalidResult | Code::TooLarge
                )
            });
        let continuation = round
            .filter(|_| goes_on)
            .and_then(|round| continuation::write(self, &round).ok());
        let cacheable = end.is_ok() && self.legs == 1 && !self.call.is_retry();
        let end = end.map_err(|error| match &result {
            Some(result) if error.raw().is_none() => error.with_raw(result.to_string()),
            _ => error,
        });
        let done = Done {
            end,
            result,
            rounds: self.rounds,
            legs: self.legs,
            continuation,
            cacheable,
        };
        self.phase = Phase::Over(Some(Box::new(done)));
    }
}

impl std::fmt::Debug for Flow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "Flow {{ method: {:?}, legs: {}, rounds: {}, over: {} }}",
            self.call.method,
            self.legs,
            self.rounds,
            self.is_over()
        )
    }
}
