//! Many flows at once: nothing of one gets into another (C17), and one that waits is small.

mod client_support;

use client_support::*;
use mrtr::client::{Client, Event, Flow};
use mrtr::json::{Limits, Raw};
use std::collections::HashSet;

/// A small repeatable mixer.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) as usize % n
    }
}

/// One flow with what only it may see; its server asks twice, pauses once and completes.
struct Talk {
    own: String,
    flow: Flow,
    in_flight: Option<u32>,
    served: u32,
    open: Option<mrtr::json::Key>,
    over: bool,
}

impl Talk {
    fn new(client: &Client, n: usize) -> Talk {
        let own = format!("only-{n}-");
        let params = format!(r#"{{"name":"copy","arguments":{{"id":"{own}"}}}}"#);
        let flow = client.begin("tools/call", &params, None, 0).unwrap();
        Talk {
            own,
            flow,
            in_flight: None,
            served: 0,
            open: None,
            over: false,
        }
    }

    /// One move of the host's or the server's; returns the id of a leg that was sent.
    fn step(&mut self) -> Option<u64> {
        if let Some(leg) = self.in_flight.take() {
            self.flow.deliver(leg, &self.serve(), 0).unwrap();
            self.served += 1;
            return None;
        }
        if let Some(key) = self.open.take() {
            let content = format!(r#"{{"ok":true,"note":"{}{}"}}"#, self.own, self.served);
            self.flow.answer(&key, &value(&content), 0).unwrap();
            return None;
        }
        match self.flow.next(1_000 * u64::from(self.served)) {
            Event::Send {
                leg, id, params, ..
            } => {
                self.check(&params);
                self.in_flight = Some(leg);
                return Some(id);
            }
            Event::Ask(ask) => {
                assert_eq!(ask.message, Some(format!("{}{}?", self.own, self.served)));
                self.open = Some(ask.key);
            }
            Event::Done(done) => {
                let result = done.result.as_deref().map(str::to_string);
                assert_eq!(
                    result,
                    Some(format!(r#"{{"resultType":"complete","{}":4}}"#, self.own))
                );
                self.over = true;
            }
            Event::Round { .. } | Event::Note { .. } => {}
            other => panic!("{other:?}"),
        }
        None
    }

    fn serve(&self) -> String {
        let next = self.served + 1;
        let state = format!("{}{next}", self.own);
        match self.served {
            0 | 2 => {
                let ask = FORM.replace("Go on?", &format!("{}{next}?", self.own));
                asks(&[(&format!("key-{state}"), &ask)], Some(&state))
            }
            1 => state_only(&state),
            _ => format!(r#"{{"resultType":"complete","{}":{next}}}"#, self.own),
        }
    }

    /// Every mark in the params is this flow's own, and of the round before.
    fn check(&self, params: &str) {
        let marks = params.matches("only-").count();
        assert_eq!(params.matches(&self.own).count(), marks);
        // The id; then the state; then key and note too.
        assert_eq!(marks, [1, 4, 2, 4][self.served as usize]);
        if self.served > 0 {
            let state = format!("\"{}{}\"", self.own, self.served);
            assert_eq!(member(params, "requestState"), Some(state.as_str()));
        }
    }
}

/// C17.
#[test]
fn a_thousand_interleaved_flows_exchange_nothing() {
    let client = client(options());
    let mut talks: Vec<_> = (0..1_000).map(|n| Talk::new(&client, n)).collect();
    let (mut dice, mut ids) = (Dice(7), HashSet::new());
    let mut alive: Vec<usize> = (0..talks.len()).collect();
    while !alive.is_empty() {
        let at = dice.below(alive.len());
        let talk = &mut talks[alive[at]];
        if let Some(id) = talk.step() {
            assert!(ids.insert(id), "ids are unique over the flows of a client");
        }
        if talk.over {
            alive.swap_remove(at);
        }
    }
    assert_eq!(ids.len(), 4_000);
}

/// C4, C17.
#[test]
fn flows_of_one_client_run_on_many_threads() {
    let client = client(options());
    let ids: Vec<u64> = std::thread::scope(|scope| {
        let run = |from: usize| {
            let client = &client;
            scope.spawn(move || {
                let mut ids = Vec::new();
                for n in from..from + 50 {
                    let mut talk = Talk::new(client, n);
                    while !talk.over {
                        ids.extend(talk.step());
                    }
                }
                ids
            })
        };
        let threads: Vec<_> = (0..4).map(|thread| run(thread * 50)).collect();
        threads
            .into_iter()
            .flat_map(|thread| thread.join().unwrap())
            .collect()
    });
    assert_eq!(ids.iter().collect::<HashSet<_>>().len(), 4 * 50 * 4);
}

/// A thousand asks whose keys differ only behind escapes and zeros, answered in any order: each gets its own answer, under the key as it
/// was spelled (J1, J3, C4).
#[test]
fn a_thousand_keys_that_look_alike_keep_their_answers() {
    let count = 1_000;
    let keys: Vec<String> = (0..count)
        .map(|n| match n % 4 {
            0 => format!("k\\u0000{n}"),
            1 => format!("\\u006b{}", "\\u0000".repeat(n / 4)),
            2 => format!("k{}\u{0}{n}", "a".repeat(n % 40)).replace('\0', "\\ud800"),
            _ => format!("k\\ud83d\\ude00{n}"),
        })
        .collect();
    let entries: Vec<_> = keys.iter().map(|key| format!("\"{key}\":{FORM}")).collect();
    let result = format!(
        r#"{{"resultType":"input_required","inputRequests":{{{}}}}}"#,
        entries.join(",")
    );
    let mut options = options();
    options.limits.asks = count;
    let mut flow = after(flow_with(options), &result);
    round(&mut flow, 0);
    let mut dice = Dice(7);
    let mut left: Vec<usize> = (0..count).collect();
    while !left.is_empty() {
        let at = left.swap_remove(dice.below(left.len()));
        let token = format!("\"{}\"", keys[at]);
        let key = Raw::parse(&token, &Limits::default()).unwrap();
        let key = key.string().unwrap().key();
        let answer = format!("{{\"ok\":true,\"n\":{at}}}");
        flow.answer(&key, &value(&answer), 0).unwrap();
        assert!(flow.answer(&key, &value(&answer), 0).is_err());
    }
    let mut events = std::iter::repeat_with(|| flow.next(0));
    let sent = events.find_map(|event| match event {
        Event::Send { params, .. } => Some(params),
        _ => None,
    });
    let sent = sent.unwrap();
    let params = Raw::parse(&sent, &Limits::default()).unwrap();
    let answers = params.object().unwrap().get("inputResponses").unwrap();
    let answers: Vec<_> = answers
        .members()
        .unwrap()
        .map(|(name, answer)| (name.token().to_string(), answer.text().to_string()))
        .collect();
    let wanted: Vec<_> = (0..count)
        .map(|n| {
            let content = format!("{{\"ok\":true,\"n\":{n}}}");
            let answer = format!("{{\"action\":\"accept\",\"content\":{content}}}");
            (format!("\"{}\"", keys[n]), answer)
        })
        .collect();
    assert_eq!(answers, wanted);
}
