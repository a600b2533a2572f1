//! Random orders of events, held against a small model of what a flow may do (C3-C11).

mod client_support;
#[path = "client_support/world.rs"]
mod world;

use client_support::{key, member};
use mrtr::client::{Client, ClientOptions, Done, Event, Flow};
use mrtr::json::{Key, Limits, Raw};
use mrtr::protocol::{Code, Needs};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use world::{How, KEYS, Step, What, some_options, step};

/// What the model knows of the flow.
#[derive(Default)]
struct Model {
    now: u64,
    leg: u32,
    in_flight: Option<u64>,
    ids: BTreeSet<u64>,
    /// The asks of the last good `input_required`: kind, and the answer's text.
    asks: BTreeMap<Key, (u8, Option<String>)>,
    state: Option<String>,
    /// Was there an `input_required` at all?
    asked: bool,
    open: BTreeSet<Key>,
    progress: Option<f64>,
    /// An end must come now, with this code if the model can tell.
    ending: Option<Option<Code>>,
    cancelled_leg: bool,
    over: bool,
}

impl Model {
    /// Takes the flow's events until it sleeps or is over.
    fn drain(&mut self, flow: &mut Flow) {
        for _ in 0..1_000 {
            match flow.next(self.now) {
                Event::Send {
                    leg,
                    id,
                    params,
                    deadline_ms,
                    ..
                } => self.sent(leg, id, &params, deadline_ms),
                Event::CancelLeg { leg, id } => {
                    assert_eq!((leg, Some(id)), (self.leg, self.in_flight));
                    assert!(
                        !std::mem::replace(&mut self.cancelled_leg, true),
                        "a leg is cancelled once"
                    );
                    self.ending.get_or_insert(None);
                }
                Event::Ask(ask) => {
                    assert!(
                        self.ending.is_none() && self.in_flight.is_none(),
                        "nothing is shown beside a leg or after the end"
                    );
                    let known = self
                        .asks
                        .get(&ask.key)
                        .expect("only what was asked is shown");
                    assert!(known.1.is_none(), "an answered ask is not shown");
                    assert!(self.open.insert(ask.key.clone()), "an ask is shown once");
                }
                Event::StopAsk { key } => {
                    assert!(self.open.remove(&key), "only an open ask is stopped");
                    self.ending.get_or_insert(None);
                }
                Event::Round { asks, .. } => assert_eq!(asks, self.asks.len()),
                Event::Progress { value, .. } => {
                    assert!(
                        self.progress.is_none_or(|before| before <= value),
                        "progress never decreases"
                    );
                    self.progress = Some(value);
                }
                Event::Note { .. } => {}
                Event::Sleep { until, .. } => {
                    assert!(self.ending.is_none(), "an end comes at once");
                    assert!(
                        until.is_none_or(|at| at > self.now),
                        "a sleep is never for nothing"
                    );
                    return;
                }
                Event::Done(done) => self.done(&done),
                Event::Idle => {
                    assert!(self.over, "idle only after the end");
                    return;
                }
            }
        }
        panic!("the flow does not come to rest");
    }

    fn sent(&mut self, leg: u32, id: u64, params: &str, deadline: Option<u64>) {
        assert!(
            self.ending.is_none() && self.in_flight.is_none(),
            "one leg at a time, none after the end"
        );
        assert_eq!(leg, self.leg + 1);
        assert!(self.ids.insert(id), "ids are fresh");
        assert!(deadline.is_some_and(|at| at > self.now));
        assert_eq!(member(params, "arguments"), Some("{\"id\":7}"));
        let answers = member(params, "inputResponses")
            .map(|text| Raw::parse(text, &Limits::default()).unwrap());
        let sent: BTreeMap<Key, String> = answers
            .and_then(Raw::members)
            .into_iter()
            .flatten()
            .map(|(name, entry)| (name.key(), entry.text().to_string()))
            .collect();
        let given = self
            .asks
            .iter()
            .map(|(key, (_, answer))| (key.clone(), answer.clone().expect("all are answered")));
        assert_eq!(sent, given.collect());
        assert_eq!(answers.is_some(), !self.asks.is_empty());
        assert_eq!(
            member(params, "requestState").map(str::to_string),
            self.state
        );
        self.leg = leg;
        self.in_flight = Some(id);
    }

    fn done(&mut self, done: &Done) {
        assert!(!std::mem::replace(&mut self.over, true), "exactly one end");
        let code = done.end.as_ref().err().map(|error| error.code());
        if let Some(Some(expected)) = self.ending {
            assert_eq!(code, Some(expected));
        }
        assert!(self.open.is_empty(), "what was open is stopped");
        assert!(
            self.in_flight.is_none() || self.cancelled_leg,
            "a leg in flight is cancelled"
        );
        let none = matches!(
            code,
            None | Some(Code::RpcError | Code::InvalidResult | Code::TooLarge)
        );
        assert_eq!(done.continuation.is_some(), self.asked && !none, "{code:?}");
        assert_eq!(done.legs, self.leg);
        self.ending = Some(None);
    }

    fn response(&mut self, leg: u32) -> bool {
        leg == self.leg && self.in_flight.is_some() && !self.over && self.in_flight.take().is_some()
    }

    fn result(&mut self, flow: &mut Flow, leg: u32, what: &What) {
        let counts = self.response(leg);
        flow.deliver(leg, &what.text(), self.now).unwrap();
        if !counts {
            return;
        }
        match what {
            What::Complete => self.ending = Some(None),
            What::Broken(_) => self.ending = Some(Some(Code::InvalidResult)),
            What::StateOnly => self.asking(&[], true),
            What::Asks { kinds, state } => self.asking(kinds, *state),
        }
    }

    fn asking(&mut self, kinds: &[u8], state: bool) {
        self.asked = true;
        self.state = state.then(|| "\"S\"".to_string());
        self.asks = kinds
            .iter()
            .zip(KEYS)
            .map(|(kind, name)| (key(name), (*kind, None)))
            .collect();
    }

    fn answer(&mut self, flow: &mut Flow, name: &str, how: How, cancels: bool) {
        let of = key(name);
        // The rounds cap may have ended the flow before anything was shown.
        let takes = !self.over && self.in_flight.is_none() && !flow.is_over();
        let open = self
            .asks
            .get(&of)
            .filter(|(_, answer)| takes && answer.is_none())
            .map(|(kind, _)| *kind);
        let taken = flow.answer(&of, &how.action(open), self.now);
        let Some(kind) = open else {
            let code = taken.expect_err("an answer that nobody waits for").code();
            assert!(matches!(code, Code::ConfigError | Code::WrongState));
            return;
        };
        taken.expect("an open ask takes an answer");
        self.open.remove(&of);
        match how.text(kind, cancels) {
            Ok(text) => drop(self.asks.insert(of, (kind, Some(text)))),
            Err(code) => self.ending = Some(Some(code)),
        }
    }
}

fn play(options: ClientOptions, steps: Vec<Step>) {
    let cancels = options.cancel_if_unavailable;
    let client = Client::new(ClientOptions {
        handlers: Needs::ALL,
        ..options
    })
    .unwrap();
    let mut flow = client
        .begin("tools/call", client_support::CALL, None, 0)
        .unwrap();
    let mut model = Model::default();
    model.drain(&mut flow);
    for step in steps {
        let leg = |of: u8| (model.leg + u32::from(of)).saturating_sub(1);
        match step {
            Step::Wait(ms) => model.now += ms,
            Step::Result { leg: of, what } => {
                let leg = leg(of);
                model.result(&mut flow, leg, &what);
            }
            Step::Error { leg: of } => {
                let leg = leg(of);
                flow.deliver_error(leg, r#"{"code":-1,"message":"x"}"#, model.now)
                    .unwrap();
                if model.response(leg) {
                    model.ending = Some(Some(Code::RpcError));
                }
            }
            Step::Lost { leg: of } => {
                let leg = leg(of);
                flow.lost(leg, model.now).unwrap();
                if model.response(leg) {
                    model.ending = Some(Some(Code::Lost));
                }
            }
            Step::Progress { leg: of, value } => {
                flow.progress(leg(of), f64::from(value), model.now).unwrap()
            }
            Step::Answer { key, how } => model.answer(&mut flow, KEYS[key], how, cancels),
            Step::Cancel => {
                flow.cancel(model.now).unwrap();
                if !model.over {
                    model.ending = Some(Some(Code::Cancelled));
                }
            }
            Step::Resume => resume(&client, &mut flow, &mut model),
        }
        model.drain(&mut flow);
    }
    flow.cancel(model.now).unwrap();
    model.drain(&mut flow);
    assert!(model.over);
}

/// Another process takes the flow over; a leg in flight is given up for the same answers in a new one.
fn resume(client: &Client, flow: &mut Flow, model: &mut Model) {
    let saved = flow.save();
    assert_eq!(saved.is_ok(), model.asked && !model.over);
    let Ok(saved) = saved else { return };
    *flow = client.resume(&saved, model.now).unwrap();
    model.open.clear();
    model.in_flight = None;
    model.progress = None;
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]
    #[test]
    fn any_order_of_events_keeps_the_rules(options in some_options(), steps in prop::collection::vec(step(), 0..60)) {
        play(options, steps);
    }
}
