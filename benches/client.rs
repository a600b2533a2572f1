//! One round of a flow, all in: the result read and its asks checked, shown, answered, the answers checked, the retry written.
//! `cargo bench --bench client`. Beside it what any client does at least: the result parsed into a tree and the retry written from one.
//!
//! Each line is the median over slices that take turns, so that a slow phase of the machine hits all alike.
#![allow(missing_docs)]

mod kit;

use kit::{Op, measure};
use mrtr::client::{Action, Client, ClientOptions, Event, Flow};
use mrtr::json::{Key, Limits};
use mrtr::protocol::Needs;
use serde_json::{Value, json};
use std::hint::black_box;
use std::time::{Duration, Instant};

const ASKS: [usize; 5] = [1, 10, 64, 100, 1000];
const ROUNDS: usize = 301;
const MANY: usize = 100_000;
const PARAMS: &str = r#"{"name":"book_trip","arguments":{"from":"Zürich","to":"Lisboa","date":"2026-08-14","seats":2,"window":true,"notes":["quiet","front"]}}"#;
const CONTENT: &str = r#"{"seat":"12A","meal":"none"}"#;

fn result(asks: usize) -> String {
    let ask = r#"{"method":"elicitation/create","params":{"mode":"form","message":"Which seat would you like?","requestedSchema":{"type":"object","properties":{"seat":{"type":"string","minLength":2,"maxLength":4},"meal":{"type":"string","enum":["none","meat","fish"]}},"required":["seat"]}}}"#;
    let asks: Vec<_> = (0..asks).map(|n| format!("\"seat{n}\":{ask}")).collect();
    format!(
        r#"{{"resultType":"input_required","inputRequests":{{{}}},"requestState":"{}"}}"#,
        asks.join(","),
        "s".repeat(200)
    )
}

fn client() -> Client {
    let limits = Limits {
        asks: 1000,
        ..Limits::default()
    };
    Client::new(ClientOptions {
        handlers: Needs::ALL,
        max_rounds: u32::MAX,
        flow_timeout_ms: Some(1 << 38),
        limits,
        ..ClientOptions::default()
    })
    .expect("good options")
}

/// A flow whose first leg is in flight.
fn begun(client: &Client) -> Flow {
    let mut flow = client
        .begin("tools/call", PARAMS, None, 0)
        .expect("good params");
    let first = flow.next(0);
    assert!(matches!(first, Event::Send { leg: 1, .. }));
    flow
}

/// One round: returns the number of the next leg.
fn round(flow: &mut Flow, leg: u32, result: &str, answer: &Action) -> u32 {
    flow.deliver(leg, result, 0).expect("taken");
    loop {
        match flow.next(0) {
            Event::Ask(ask) => flow.answer(&ask.key, answer, 0).expect("taken"),
            Event::Send { leg, params, .. } => {
                black_box(params);
                return leg;
            }
            Event::Round { .. } => {}
            other => panic!("unexpected {other:?}"),
        }
    }
}

/// All answers after all asks, backwards.
fn page(flow: &mut Flow, leg: u32, result: &str, keys: &[Key], answer: &Action) -> u32 {
    flow.deliver(leg, result, 0).expect("taken");
    for key in keys.iter().rev() {
        flow.answer(key, answer, 0).expect("taken");
    }
    loop {
        if let Event::Send { leg, .. } = flow.next(0) {
            return leg;
        }
    }
}

/// The least with a tree: no check of the asks, no check of the answers.
fn tree(params: &str, result: &str, content: &str) -> String {
    let result: Value = serde_json::from_str(result).expect("JSON");
    let mut params: Value = serde_json::from_str(params).expect("JSON");
    let content: Value = serde_json::from_str(content).expect("JSON");
    let asks = result["inputRequests"].as_object().expect("asks");
    let answers: serde_json::Map<_, _> = asks
        .keys()
        .map(|key| (key.clone(), json!({"action": "accept", "content": content})))
        .collect();
    params["inputResponses"] = answers.into();
    params["requestState"] = result["requestState"].clone();
    params.to_string()
}

fn main() {
    let (client, answer) = (client(), Action::Value(CONTENT.into()));
    let results: Vec<_> = ASKS.iter().map(|n| result(*n)).collect();
    let complete = r#"{"resultType":"complete","content":[{"type":"text","text":"booked"}]}"#;
    let keys: Vec<_> = (0..1000)
        .map(|n| Key::from(format!("seat{n}").as_str()))
        .collect();
    let mut ops: Vec<Op<'_>> = vec![(
        "call, complete at once".into(),
        Box::new(|| {
            let mut flow = begun(&client);
            flow.deliver(1, complete, 0).expect("taken");
            black_box(flow.next(0));
        }),
    )];
    for (asks, result) in ASKS.iter().zip(&results) {
        let (answer, mut flow, mut leg) = (&answer, begun(&client), 1);
        ops.push((
            format!("round of {asks}"),
            Box::new(move || leg = round(&mut flow, leg, result, answer)),
        ));
    }
    let (mut flow, mut leg) = (begun(&client), 1);
    let (last, keys, answer) = (&results[4], &keys, &answer);
    ops.push((
        "round of 1000, answered backwards".into(),
        Box::new(move || leg = page(&mut flow, leg, last, keys, answer)),
    ));
    for (asks, result) in ASKS.iter().zip(&results) {
        let op = move || drop(black_box(tree(PARAMS, result, CONTENT)));
        ops.push((format!("tree of {asks}, nothing checked"), Box::new(op)));
    }
    for (name, ns) in ops
        .iter()
        .map(|op| op.0.clone())
        .collect::<Vec<_>>()
        .into_iter()
        .zip(measure(&mut ops, ROUNDS))
    {
        println!("{name:<34} {:>9.2} µs", ns / 1e3);
    }
    println!("size of a flow: {} bytes", size_of::<Flow>());
    let (made, dropped) = many(&client, &results[0]);
    println!("{MANY} flows that wait for a person: made in {made:?}, dropped in {dropped:?}");
}

/// Flows with one ask shown, made and dropped.
fn many(client: &Client, result: &str) -> (Duration, Duration) {
    let start = Instant::now();
    let flows: Vec<Flow> = (0..MANY)
        .map(|_| {
            let mut flow = begun(client);
            flow.deliver(1, result, 0).expect("taken");
            while !matches!(flow.next(0), Event::Ask(_)) {}
            flow
        })
        .collect();
    let made = start.elapsed();
    let start = Instant::now();
    drop(flows);
    (made, start.elapsed())
}
