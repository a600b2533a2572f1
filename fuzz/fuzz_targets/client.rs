//! Any text as a result, an error, an answer or a continuation: nothing panics, nothing is shown of a result that is not valid,
//! and every retry is JSON that carries exactly what was answered (C1-C4, C9, C11).
#![no_main]

use libfuzzer_sys::fuzz_target;
use mrtr::client::{Action, Client, ClientOptions, Event, Flow};
use mrtr::json::{Limits, Raw};
use mrtr::protocol::{Ask, Needs, Outcome, ReceiveRules, read_result};

fn client() -> Client {
    Client::new(ClientOptions {
        handlers: Needs::ALL,
        ..ClientOptions::default()
    })
    .expect("good options")
}

/// A flow whose first leg is in flight.
fn begun() -> Flow {
    let mut flow = client()
        .begin("tools/call", "{}", None, 0)
        .expect("good params");
    assert!(matches!(flow.next(0), Event::Send { leg: 1, .. }));
    flow
}

/// Is it a result whose asks may be shown?
fn is_good(text: &str) -> bool {
    let Ok(raw) = Raw::parse(text, &Limits::default()) else {
        return false;
    };
    let Ok(Outcome::InputRequired {
        asks: Some(asks), ..
    }) = read_result("tools/call", raw, false, &[])
    else {
        return false;
    };
    asks.iter()
        .all(|(_, ask)| Ask::receive(ask, &ReceiveRules::default()).is_ok())
}

fn play(mut flow: Flow, text: &str, value: &str) {
    let mut now = 0;
    let mut answered = 0;
    loop {
        match flow.next(now) {
            Event::Ask(ask) => {
                assert!(
                    is_good(text),
                    "an ask of a result that is not valid is shown"
                );
                assert!(
                    !flow
                        .save()
                        .expect("there is something to go on from")
                        .is_empty()
                );
                let action = if ask.kind.is_elicitation() && answered % 2 == 1 {
                    Action::Decline
                } else {
                    Action::Value(value.to_string())
                };
                flow.answer(&ask.key, &action, now).expect("it was asked");
                answered += 1;
            }
            Event::Send { params, .. } => {
                let raw = Raw::parse(&params, &Limits::default()).expect("a retry is JSON");
                let answers = raw.object().expect("an object").get("inputResponses");
                let sent = answers.and_then(Raw::members).map_or(0, Iterator::count);
                assert_eq!(sent, answered);
                return;
            }
            Event::Sleep { until, .. } => {
                now = until.expect("only answers are waited for without end")
            }
            Event::Done(_) | Event::Idle => return,
            _ => {}
        }
    }
}

fuzz_target!(|input: (u8, &str, &str)| {
    let (form, text, value) = input;
    // Mostly inside of what leads to the asks, which chance alone seldom finds.
    let wrapped = match form % 4 {
        0 => text.to_string(),
        1 => format!(r#"{{"resultType":"input_required",{text}}}"#),
        2 => format!(r#"{{"resultType":"input_required","inputRequests":{{"a":{text}}}}}"#),
        _ => format!(
            r#"{{"resultType":"input_required","inputRequests":{{"a":{{"method":"elicitation/create","params":{{"message":"?","requestedSchema":{text}}}}}}}}}"#
        ),
    };
    let text = wrapped.as_str();
    let mut flow = begun();
    flow.deliver(1, text, 0).expect("taken");
    play(flow, text, value);
    let mut flow = begun();
    flow.deliver_error(1, text, 0).expect("taken");
    assert!(matches!(flow.next(0), Event::Done(done) if done.end.is_err()));
    if let Ok(flow) = client().resume(text, 0) {
        drop(flow);
    }
    let _ = client().begin("tools/call", text, None, 0);
});
