//! Asking, answering, asking again for what is missing (X2-X9, D15-D17).

mod server_kit;

use mrtr::protocol::Code;
use mrtr::server::AskStatus::{Accepted, Cancelled, Declined, Invalid, Missing, Stale};
use mrtr::server::{Exchange, Server};
use server_kit::*;
use std::sync::Arc;

#[test]
fn one_of_three_answered_asks_the_other_two() {
    let mut flow = Flow::usual();
    let state = |exchange: &mut Exchange| {
        ["a", "b", "c"].map(|name| status(exchange, name, &form(&format!("Question {name}"))))
    };
    let mut exchange = flow.begin(None).unwrap();
    assert_eq!(state(&mut exchange), [Missing; 3]);
    assert_eq!(exchange.pending(), 3);
    assert_eq!(flow.finish(exchange), ["a", "b", "c"]);
    let mut exchange = flow
        .begin(Some(&format!(r#"{{"b":{}}}"#, said("x"))))
        .unwrap();
    assert_eq!(state(&mut exchange), [Missing, Accepted, Missing]);
    assert_eq!(flow.finish(exchange), ["a", "c"]);
    let both = format!(r#"{{"c":{},"a":{{"action":"decline"}}}}"#, said("y"));
    let mut exchange = flow.begin(Some(&both)).unwrap();
    assert_eq!(state(&mut exchange), [Declined, Accepted, Accepted]);
    assert_eq!(exchange.pending(), 0);
    assert_eq!(
        ask(&mut exchange, "b", &form("Question b"))
            .content
            .as_deref(),
        Some(r#"{"n":"x"}"#)
    );
}

#[test]
fn what_is_no_answer_is_asked_again_with_reasons() {
    let entries = [
        "12345",
        "[]",
        "{}",
        "true",
        r#""accept""#,
        r#"{"action":"Accept","content":{"n":"x"}}"#,
        r#"{"action":5}"#,
        r#"{"action":"accept","content":{"n":5}}"#,
        r#"{"action":"accept","content":[]}"#,
        r#"{"action":"accept"}"#,
        r#"{"role":"assistant","content":{"type":"text","text":"x"},"model":"m"}"#,
        r#"{"roots":[]}"#,
        r#"{"action":"accept","action":"accept","content":{"n":"x"}}"#,
        r#"{"method":"elicitation/create","result":{"action":"accept","content":{"n":"x"}}}"#,
    ];
    for entry in entries {
        let mut flow = Flow::usual();
        let mut exchange = flow.begin(None).unwrap();
        status(&mut exchange, "a", &form("Name?"));
        flow.finish(exchange);
        let mut exchange = flow.begin(Some(&format!(r#"{{"a":{entry}}}"#))).unwrap();
        let outcome = ask(&mut exchange, "a", &form("Name?"));
        assert_eq!(
            (outcome.status, outcome.content),
            (Invalid, None),
            "{entry}"
        );
        assert!(!outcome.reasons.is_empty(), "{entry}");
        assert_eq!(flow.finish(exchange), ["a"], "{entry}");
    }
}

#[test]
fn a_null_entry_is_missing_and_content_beside_a_no_is_out_of_reach() {
    let mut flow = Flow::usual();
    let mut exchange = flow.begin(None).unwrap();
    for name in ["a", "b", "c"] {
        status(&mut exchange, name, &form("Name?"));
    }
    flow.finish(exchange);
    let answers = r#"{"a":null,"b":{"action":"decline","content":{"n":"x"}},"c":{"action":"cancel","content":{"n":"x"}}}"#;
    let mut exchange = flow.begin(Some(answers)).unwrap();
    for (name, expected) in [("a", Missing), ("b", Declined), ("c", Cancelled)] {
        let outcome = ask(&mut exchange, name, &form("Name?"));
        assert_eq!((outcome.status, outcome.content), (expected, None));
    }
}

#[test]
fn without_a_state_answers_count_once_the_question_is_stated() {
    let flow = Flow::usual();
    let mut exchange = flow
        .begin(Some(&format!(r#"{{"a":{},"zz":[1]}}"#, said("x"))))
        .unwrap();
    assert_eq!(status(&mut exchange, "a", &form("Name?")), Accepted);
    assert_eq!(exchange.pending(), 0);
}

#[test]
fn with_a_state_only_what_was_asked_can_be_answered() {
    let mut flow = Flow::usual();
    let mut exchange = flow.begin(None).unwrap();
    status(&mut exchange, "a", &form("Name?"));
    flow.finish(exchange);
    let early = format!(r#"{{"a":{},"b":{}}}"#, said("x"), said("y"));
    let mut exchange = flow.begin(Some(&early)).unwrap();
    assert_eq!(status(&mut exchange, "a", &form("Name?")), Accepted);
    assert_eq!(status(&mut exchange, "b", &form("Colour?")), Missing);
}

#[test]
fn an_answer_to_a_reworded_question_is_stale_and_an_open_one_is_missing() {
    let mut flow = Flow::usual();
    let mut exchange = flow.begin(None).unwrap();
    for name in ["a", "b", "c"] {
        status(&mut exchange, name, &form("Remove 12 rows?"));
    }
    flow.finish(exchange);
    let answers = format!(r#"{{"a":{},"b":null}}"#, said("yes"));
    let mut exchange = flow.begin(Some(&answers)).unwrap();
    for (name, expected) in [("a", Stale), ("b", Missing), ("c", Missing)] {
        assert_eq!(
            status(&mut exchange, name, &form("Remove 1200 rows?")),
            expected
        );
    }
    assert_eq!(flow.finish(exchange), ["a", "b", "c"]);
}

#[test]
fn kept_answers_of_all_sorts_go_stale_when_reworded() {
    let mut flow = Flow::usual();
    let names = ["a", "b", "c", "open"];
    let mut exchange = flow.begin(None).unwrap();
    for name in names {
        status(&mut exchange, name, &form("Remove 12 rows?"));
    }
    flow.finish(exchange);
    let answers = format!(
        r#"{{"a":{},"b":{{"action":"decline"}},"c":{{"action":"cancel"}}}}"#,
        said("yes")
    );
    let mut exchange = flow.begin(Some(&answers)).unwrap();
    for (name, expected) in names
        .into_iter()
        .zip([Accepted, Declined, Cancelled, Missing])
    {
        assert_eq!(
            status(&mut exchange, name, &form("Remove 12 rows?")),
            expected
        );
    }
    flow.finish(exchange);
    let mut exchange = flow.begin(None).unwrap();
    for (name, expected) in names.into_iter().zip([Stale, Stale, Stale, Missing]) {
        assert_eq!(
            status(&mut exchange, name, &form("Remove 1200 rows?")),
            expected
        );
    }
    assert_eq!(flow.finish(exchange), names);
}

#[test]
fn a_settled_answer_is_not_replaced_but_can_be_forgotten() {
    let mut flow = Flow::usual();
    let mut exchange = flow.begin(None).unwrap();
    status(&mut exchange, "a", &form("Name?"));
    status(&mut exchange, "b", &form("Name?"));
    flow.finish(exchange);
    let mut exchange = flow.begin(Some(r#"{"a":{"action":"decline"}}"#)).unwrap();
    assert_eq!(status(&mut exchange, "a", &form("Name?")), Declined);
    assert_eq!(status(&mut exchange, "b", &form("Name?")), Missing);
    flow.finish(exchange);
    let again = format!(r#"{{"a":{}}}"#, said("x"));
    let mut exchange = flow.begin(Some(&again)).unwrap();
    assert_eq!(status(&mut exchange, "a", &form("Name?")), Declined);
    exchange.forget(&key("a"));
    assert_eq!(status(&mut exchange, "a", &form("Name?")), Missing);
    assert_eq!(status(&mut exchange, "a", &form("Name?")), Missing);
    assert_eq!(flow.finish(exchange), ["a"]);
    let mut exchange = flow.begin(Some(&again)).unwrap();
    assert_eq!(status(&mut exchange, "a", &form("Name?")), Accepted);
}

#[test]
fn an_answer_of_this_request_can_be_forgotten() {
    let mut flow = Flow::usual();
    let mut exchange = flow
        .begin(Some(&format!(r#"{{"a":{}}}"#, said("x"))))
        .unwrap();
    assert_eq!(status(&mut exchange, "a", &form("Name?")), Accepted);
    exchange.forget(&key("a"));
    assert_eq!(status(&mut exchange, "a", &form("Name?")), Missing);
    assert_eq!(flow.finish(exchange), ["a"]);
    let mut exchange = flow.begin(Some("{}")).unwrap();
    assert_eq!(status(&mut exchange, "a", &form("Name?")), Missing);
}

#[test]
fn raw_text_of_an_answer_survives_the_rounds() {
    let odd = r#"{"method":"elicitation/create","params":{"mode":"form","message":"?","requestedSchema":{"type":"object","properties":{"v":{"type":"number"},"s":{"type":"string"}}}}}"#;
    let mut flow = Flow::usual();
    let mut exchange = flow.begin(None).unwrap();
    status(&mut exchange, "a", odd);
    flow.finish(exchange);
    let answer = r#"{"a":{"action":"accept","content":{"s":"\u00e9\/\ud800","v":1.50e400}}}"#;
    let mut exchange = flow.begin(Some(answer)).unwrap();
    for round in 1..10 {
        let content = ask(&mut exchange, "a", odd).content.expect("accepted");
        assert!(
            content.contains(r#""v":1.50e400"#) && content.contains(r#""s":"\u00e9\/\ud800""#),
            "{content}"
        );
        assert_eq!(status(&mut exchange, "z", &form("Go on?")), Missing);
        assert_eq!(exchange.info().round, round);
        flow.finish(exchange);
        exchange = flow.begin(None).unwrap();
    }
}

#[test]
fn an_answer_that_no_stage_reaches_again_is_carried_on() {
    let mut flow = Flow::usual();
    let mut exchange = flow.begin(None).unwrap();
    status(&mut exchange, "a", &form("Name?"));
    flow.finish(exchange);
    let mut exchange = flow
        .begin(Some(&format!(r#"{{"a":{}}}"#, said("x"))))
        .unwrap();
    assert_eq!(status(&mut exchange, "a", &form("Name?")), Accepted);
    status(&mut exchange, "b", &form("Colour?"));
    flow.finish(exchange);
    let mut exchange = flow.begin(None).unwrap();
    status(&mut exchange, "b", &form("Colour?"));
    flow.finish(exchange);
    let mut exchange = flow.begin(None).unwrap();
    assert_eq!(status(&mut exchange, "a", &form("Name?")), Accepted);
}

#[test]
fn another_server_with_the_same_keys_goes_on() {
    let mut flow = Flow::usual();
    let mut exchange = flow.begin(None).unwrap();
    exchange.set_state(Some(b"draft 7"));
    status(&mut exchange, "a", &form("Name?"));
    flow.finish(exchange);
    let answer = format!(r#"{{"a":{}}}"#, said("x"));
    let run = |flow: &Flow| {
        let mut exchange = flow.begin(Some(&answer)).unwrap();
        let content = ask(&mut exchange, "a", &form("Name?")).content;
        (
            content,
            exchange.state().map(<[u8]>::to_vec),
            exchange.info(),
        )
    };
    let here = run(&flow);
    flow.server = Arc::new(Server::new(options()));
    assert_eq!(run(&flow), here);
    assert_eq!(run(&flow), here);
    assert_eq!(here.1.as_deref(), Some(&b"draft 7"[..]));
}

#[test]
fn round_flow_and_start_are_readable_and_the_flow_id_is_stable() {
    let mut flow = Flow::usual();
    let mut exchange = flow.begin(None).unwrap();
    let first = exchange.info();
    assert_eq!((first.round, first.first_seen_ms), (0, flow.now_ms));
    status(&mut exchange, "a", &form("Name?"));
    flow.finish(exchange);
    let (start, mut seen) = (flow.now_ms, first.flow_id);
    for round in 1..4 {
        flow.now_ms += 1_000;
        let mut exchange = flow.begin(None).unwrap();
        let info = exchange.info();
        assert_eq!((info.round, info.first_seen_ms), (round, start));
        assert_eq!(info.flow_id, seen.or(info.flow_id));
        seen = info.flow_id;
        assert!(seen.is_some());
        status(&mut exchange, "a", &form("Name?"));
        flow.finish(exchange);
    }
}

#[test]
fn host_state_persists_until_set_anew_and_empty_is_not_none() {
    let mut flow = Flow::usual();
    let states: [Option<&[u8]>; 5] = [None, Some(b"one"), None, Some(b""), Some(b"\x00\xff")];
    let expected: [Option<&[u8]>; 5] = [None, None, Some(b"one"), Some(b"one"), Some(b"")];
    for (set, expected) in states.into_iter().zip(expected) {
        let mut exchange = flow.begin(None).unwrap();
        assert_eq!(exchange.state(), expected);
        if set.is_some() {
            exchange.set_state(set);
        }
        status(&mut exchange, "a", &form("Name?"));
        flow.finish(exchange);
    }
    let mut exchange = flow.begin(None).unwrap();
    assert_eq!(exchange.state(), Some(&b"\x00\xff"[..]));
    exchange.set_state(None);
    status(&mut exchange, "a", &form("Name?"));
    flow.finish(exchange);
    assert_eq!(flow.begin(None).unwrap().state(), None);
}

#[test]
fn one_key_one_question_in_a_result() {
    let flow = Flow::usual();
    let mut exchange = flow.begin(None).unwrap();
    assert_eq!(status(&mut exchange, "a", &form("Name?")), Missing);
    assert_eq!(status(&mut exchange, "a", &form("Name?")), Missing);
    assert_eq!(exchange.pending(), 1);
    let error = refused(exchange.ask(key("a"), ROOTS));
    assert_eq!(
        (error.code(), error.key()),
        (Code::DuplicateKey, Some(&key("a")))
    );
    assert_eq!(wire(&error), (-32603, None));
}

#[test]
fn the_first_error_stands() {
    let flow = Flow::usual();
    let mut exchange = flow.begin(None).unwrap();
    status(&mut exchange, "a", &form("Name?"));
    let secret = form("Log in").replace(r#""n""#, r#""password""#);
    let error = refused(exchange.ask(key("b"), &secret));
    assert_eq!(error.code(), Code::SecretField);
    assert_eq!(error.at(), Some("/requestedSchema/properties/password"));
    assert_eq!(
        (wire(&error), error.key()),
        ((-32603, None), Some(&key("b")))
    );
    assert_eq!(
        refused(exchange.ask(key("c"), ROOTS)).code(),
        Code::SecretField
    );
    assert_eq!(refused(exchange.result()).code(), Code::SecretField);
}

#[test]
fn url_is_consent_sampling_and_roots_are_their_results() {
    let mut flow = Flow::usual();
    let asks = [("u", URL), ("s", SAMPLING), ("r", ROOTS)];
    let mut exchange = flow.begin(None).unwrap();
    for (name, text) in asks {
        assert_eq!(status(&mut exchange, name, text), Missing);
    }
    flow.finish(exchange);
    let sampled = r#"{"role":"assistant","content":[],"model":"m"}"#;
    let answers = format!(
        r#"{{"u":{{"action":"accept","content":{{"x":1}}}},"s":{sampled},"r":{{"roots":[]}}}}"#
    );
    let mut exchange = flow.begin(Some(&answers)).unwrap();
    for ((name, text), content) in asks.into_iter().zip(["", sampled, r#"{"roots":[]}"#]) {
        let outcome = ask(&mut exchange, name, text);
        assert_eq!(
            (outcome.status, outcome.content.as_deref()),
            (Accepted, Some(content))
        );
    }
}

#[test]
fn a_host_hears_until_when_a_state_can_come_back() {
    let server = Arc::new(Server::new(options()));
    let begin = |params: &str, now| {
        let none = mrtr::server::OwnedPrincipal::None;
        Exchange::begin(&server, "tools/call", params, none, Some(EVERYTHING), now).expect("begun")
    };
    let mut exchange = begin(r#"{"name":"t"}"#, 1_000);
    status(&mut exchange, "a", &form("Question"));
    assert_eq!(exchange.info().expires_ms, None, "nothing went out yet");
    let mut result = exchange.result().expect("a result");
    assert_eq!(exchange.info().expires_ms, Some(601_000));
    // Round by round up to the age limit of the flow, which ends one hour after it began.
    for round in 1..=6u64 {
        let now = 1_000 + round * 599_000;
        let state = result.split("\"requestState\":").nth(1).expect("a state");
        let params = format!("{{\"name\":\"t\",\"requestState\":{state}");
        let mut exchange = begin(&params, now);
        status(&mut exchange, "a", &form("Question"));
        result = exchange.result().expect("a result");
        let until = (now + 600_000).min(3_601_000);
        assert_eq!(exchange.info().expires_ms, Some(until), "round {round}");
    }
}
