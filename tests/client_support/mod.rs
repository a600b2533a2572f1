//! Texts and steps that the client's tests share.
#![allow(dead_code)]

use mrtr::client::{Action, AskEvent, Client, ClientOptions, Done, Event, Flow};
use mrtr::json::{Key, Limits, Raw};
use mrtr::protocol::{Code, Needs};

pub const CALL: &str = r#"{"name":"copy","arguments":{"id":7}}"#;
pub const DONE: &str = r#"{"resultType":"complete","content":[]}"#;
pub const YES: &str = r#"{"ok":true}"#;

pub fn options() -> ClientOptions {
    ClientOptions {
        handlers: Needs::ALL,
        jitter: false,
        ..ClientOptions::default()
    }
}

pub fn client(options: ClientOptions) -> Client {
    Client::new(options).unwrap()
}

pub fn flow() -> Flow {
    flow_with(options())
}

pub fn flow_with(options: ClientOptions) -> Flow {
    client(options).begin("tools/call", CALL, None, 0).unwrap()
}

pub fn key(text: &str) -> Key {
    Key::from(text)
}

pub fn value(text: &str) -> Action {
    Action::Value(text.to_string())
}

pub const FORM: &str = r#"{"method":"elicitation/create","params":{"message":"Go on?","requestedSchema":{"type":"object","properties":{"ok":{"type":"boolean"}},"required":["ok"]}}}"#;
pub const SAMPLING: &str = r#"{"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"Hi"}}],"maxTokens":9}}"#;
pub const ROOTS: &str = r#"{"method":"roots/list"}"#;

/// An `input_required` with these asks (key, ask) and state.
pub fn asks(asks: &[(&str, &str)], state: Option<&str>) -> String {
    let asks: Vec<_> = asks
        .iter()
        .map(|(key, ask)| format!("{key:?}:{ask}"))
        .collect();
    let asks = format!("\"inputRequests\":{{{}}}", asks.join(","));
    let state = state
        .map(|state| format!(",\"requestState\":{state:?}"))
        .unwrap_or_default();
    format!("{{\"resultType\":\"input_required\",{asks}{state}}}")
}

pub fn state_only(state: &str) -> String {
    format!("{{\"resultType\":\"input_required\",\"requestState\":{state:?}}}")
}

/// The next event must be a leg: its number, id and params.
pub fn sent(flow: &mut Flow, now: u64) -> (u32, u64, String) {
    match flow.next(now) {
        Event::Send {
            leg, id, params, ..
        } => (leg, id, params),
        other => panic!("expected a leg, got {other:?}"),
    }
}

pub fn asked(flow: &mut Flow, now: u64) -> AskEvent {
    match flow.next(now) {
        Event::Ask(ask) => *ask,
        other => panic!("expected an ask, got {other:?}"),
    }
}

pub fn round(flow: &mut Flow, now: u64) -> u32 {
    match flow.next(now) {
        Event::Round { n, .. } => n,
        other => panic!("expected a round, got {other:?}"),
    }
}

pub fn slept(flow: &mut Flow, now: u64) -> Option<u64> {
    match flow.next(now) {
        Event::Sleep { until, .. } => until,
        other => panic!("expected a sleep, got {other:?}"),
    }
}

pub fn ended(flow: &mut Flow, now: u64) -> Done {
    match flow.next(now) {
        Event::Done(done) => {
            assert!(matches!(flow.next(now), Event::Idle));
            *done
        }
        other => panic!("expected the end, got {other:?}"),
    }
}

pub fn code(done: &Done) -> Option<Code> {
    done.end.as_ref().err().map(|error| error.code())
}

/// A flow whose first leg was answered with `result`.
pub fn after(mut flow: Flow, result: &str) -> Flow {
    let (leg, ..) = sent(&mut flow, 0);
    flow.deliver(leg, result, 0).unwrap();
    flow
}

/// A member of an object text.
pub fn member<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let raw = Raw::parse(text, &Limits::default()).unwrap();
    raw.object().unwrap().get(name).map(Raw::text)
}

/// The text without its `_meta`.
pub fn bare(params: &str) -> String {
    let raw = Raw::parse(params, &Limits::default()).unwrap();
    mrtr::json::splice(raw, &["_meta"], &[])
}
