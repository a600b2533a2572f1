//! Continuations: what they hold, and what becomes of a flow that goes on elsewhere (C11, D6).

mod client_support;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use client_support::*;
use mrtr::client::{Action, Client, ClientOptions, Done, Event, Flow};
use mrtr::json::sha256;
use mrtr::protocol::{Code, Need};
use proptest::prelude::*;

fn resumed(saved: &str, now: u64) -> Flow {
    client(options()).resume(saved, now).unwrap()
}

fn continuation(done: Done) -> String {
    done.continuation.unwrap()
}

/// A flow with two forms shown one after the other, the first of them answered.
fn half_answered() -> Flow {
    let mut flow = after(flow(), &asks(&[("a", FORM), ("b", FORM)], Some("S")));
    round(&mut flow, 0);
    asked(&mut flow, 0);
    flow.answer(&key("a"), &value(r#"{"ok":true,"n":1e400}"#), 0)
        .unwrap();
    while matches!(flow.next(0), Event::Note { .. }) {}
    flow
}

/// C11, D6.
#[test]
fn only_what_is_unanswered_is_shown_again() {
    let saved = half_answered().save().unwrap();
    let mut flow = resumed(&saved, 0);
    assert_eq!(round(&mut flow, 0), 1);
    assert_eq!(asked(&mut flow, 0).key, key("b"));
    assert_eq!(slept(&mut flow, 0), None);
    flow.answer(&key("b"), &Action::Decline, 0).unwrap();
    let (leg, _, text) = sent(&mut flow, 0);
    assert_eq!(leg, 2);
    let both =
        r#"{"a":{"action":"accept","content":{"ok":true,"n":1e400}},"b":{"action":"decline"}}"#;
    assert_eq!(member(&text, "inputResponses"), Some(both));
    assert_eq!(member(&text, "requestState"), Some("\"S\""));
    assert!(bare(&text).starts_with(CALL.strip_suffix('}').unwrap()));
    flow.deliver(leg, DONE, 0).unwrap();
    let done = ended(&mut flow, 0);
    assert!(done.end.is_ok() && !done.cacheable);
    assert_eq!((done.legs, done.rounds), (2, 1));
}

/// C11, D5.
#[test]
fn a_retry_that_was_under_way_is_sent_only_when_the_host_resumes() {
    let mut flow = half_answered();
    flow.answer(&key("b"), &value(YES), 0).unwrap();
    let (leg, _, first) = sent(&mut flow, 0);
    assert_eq!(flow.save().unwrap().len(), flow.save().unwrap().len());
    flow.lost(leg, 5).unwrap();
    let saved = continuation(ended(&mut flow, 5));
    let mut flow = resumed(&saved, 100);
    let (leg, _, again) = sent(&mut flow, 100);
    assert_eq!((leg, again), (3, first));
}

/// C6, C11.
#[test]
fn a_state_only_round_waits_and_goes_on() {
    let mut flow = after(flow(), &state_only("w"));
    slept(&mut flow, 0);
    flow.cancel(20).unwrap();
    let saved = continuation(ended(&mut flow, 20));
    let mut flow = resumed(&saved, 1_000);
    assert_eq!(slept(&mut flow, 1_000), Some(1_050));
    let (_, _, text) = sent(&mut flow, 1_050);
    assert_eq!(member(&text, "requestState"), Some("\"w\""));
    assert_eq!(member(&text, "inputResponses"), None);
}

/// C5, C8, C12.
#[test]
fn by_hand_after_manual_mode_a_missing_handler_and_the_cap() {
    let manual = ClientOptions {
        manual: true,
        ..options()
    };
    let unable = ClientOptions {
        handlers: Need::ROOTS,
        ..options()
    };
    let capped = ClientOptions {
        max_rounds: 0,
        ..options()
    };
    for (options, end) in [
        (manual, Code::InputRequired),
        (unable, Code::InputRequired),
        (capped, Code::RoundsExceeded),
    ] {
        let client = client(options.clone());
        let mut flow = after(
            client.begin("tools/call", CALL, None, 0).unwrap(),
            &asks(&[("a", FORM)], Some("S")),
        );
        let done = ended(&mut flow, 0);
        assert_eq!((code(&done), done.rounds), (Some(end), 0));
        let mut flow = client.resume(&continuation(done), 0).unwrap();
        assert_eq!(round(&mut flow, 0), 1);
        assert_eq!(asked(&mut flow, 0).key, key("a"));
        flow.answer(&key("a"), &value(YES), 0).unwrap();
        let (leg, _, text) = sent(&mut flow, 0);
        assert_eq!(
            member(&text, "inputResponses"),
            Some(r#"{"a":{"action":"accept","content":{"ok":true}}}"#)
        );
        flow.deliver(leg, &asks(&[("a", FORM)], Some("S")), 0)
            .unwrap();
        assert_eq!(code(&ended(&mut flow, 0)), Some(end));
    }
}

/// C7, C11.
#[test]
fn the_time_that_was_left_goes_along() {
    let options = ClientOptions {
        flow_timeout_ms: Some(10_000),
        ..options()
    };
    let mut flow = after(flow_with(options.clone()), &asks(&[("a", FORM)], None));
    round(&mut flow, 0);
    asked(&mut flow, 4_000);
    let saved = flow.save().unwrap();
    let mut flow = resumed(&saved, 50);
    round(&mut flow, 50);
    asked(&mut flow, 50);
    assert_eq!(slept(&mut flow, 50), Some(6_050));
    assert!(matches!(flow.next(6_050), Event::StopAsk { .. }));
    let done = ended(&mut flow, 6_050);
    assert_eq!(code(&done), Some(Code::FlowTimeout));
    // A flow whose time is over goes on by the limits of its new client.
    let mut flow = client(options).resume(&continuation(done), 100).unwrap();
    round(&mut flow, 100);
    asked(&mut flow, 100);
    assert_eq!(slept(&mut flow, 100), Some(10_100));
}

/// C14, D6.
#[test]
fn a_decline_is_remembered_over_rounds_and_processes() {
    let mut flow = after(flow(), &asks(&[("a", FORM)], None));
    round(&mut flow, 0);
    asked(&mut flow, 0);
    flow.answer(&key("a"), &Action::Decline, 0).unwrap();
    let (leg, ..) = sent(&mut flow, 0);
    let other = FORM.replace("Go on?", "Really?");
    // The same question, its members in another order.
    let same = r#"{"params":{"requestedSchema":{"required":["ok"],"properties":{"ok":{"type":"boolean"}},"type":"object"},"message":"Go on?"},"method":"elicitation/create"}"#;
    flow.deliver(leg, &asks(&[("a", same), ("b", FORM)], None), 0)
        .unwrap();
    let mut flow = resumed(&flow.save().unwrap(), 0);
    round(&mut flow, 0);
    assert!(asked(&mut flow, 0).previously_declined);
    flow.answer(&key("a"), &Action::Cancel, 0).unwrap();
    assert!(!asked(&mut flow, 0).previously_declined);
    flow.answer(&key("b"), &Action::Cancel, 0).unwrap();
    let (leg, ..) = sent(&mut flow, 0);
    flow.deliver(leg, &asks(&[("a", other.as_str())], None), 0)
        .unwrap();
    round(&mut flow, 0);
    assert!(!asked(&mut flow, 0).previously_declined);
}

/// C4, C16.
#[test]
fn the_caller_still_gets_progress_and_the_new_client_its_own_meta() {
    let client = client(ClientOptions {
        handlers: Need::FORM,
        ..options()
    });
    let params = r#"{"name":"copy","_meta":{"progressToken":"p","x":1},"requestState":"old"}"#;
    let mut flow = client.begin("tools/call", params, None, 0).unwrap();
    assert_eq!(
        flow.save().map_err(|error| error.code()),
        Err(Code::WrongState)
    );
    let (leg, ..) = sent(&mut flow, 0);
    assert_eq!(
        flow.save().map_err(|error| error.code()),
        Err(Code::WrongState)
    );
    flow.deliver(leg, &asks(&[("a", FORM)], None), 0).unwrap();
    let saved = flow.save().unwrap();
    flow.cancel(0).unwrap();
    assert_eq!(
        flow.save().map_err(|error| error.code()),
        Err(Code::WrongState)
    );
    let mut flow = resumed(&saved, 0);
    round(&mut flow, 0);
    asked(&mut flow, 0);
    flow.answer(&key("a"), &Action::Decline, 0).unwrap();
    let (_, id, text) = sent(&mut flow, 0);
    let meta = member(&text, "_meta").unwrap();
    assert!(
        meta.starts_with(r#"{"x":1,"#) && meta.ends_with(&format!(",\"progressToken\":{id}}}"))
    );
    assert_eq!(meta.matches("progressToken").count(), 1);
    assert!(meta.contains("\"roots\":{}"));
    assert_eq!(
        bare(&text),
        r#"{"name":"copy","inputResponses":{"a":{"action":"decline"}}}"#
    );
}

/// C11, J3.
#[test]
fn strange_keys_and_states_survive() {
    let result = r#"{"resultType":"input_required","inputRequests":{"\ud800":{"method":"roots/list"},"":{"method":"roots/list"}},"requestState":"\ud800\u0000\/"}"#;
    let mut flow = after(flow(), result);
    round(&mut flow, 0);
    let odd = asked(&mut flow, 0).key;
    flow.answer(&odd, &value(r#"{"roots":[]}"#), 0).unwrap();
    let mut flow = resumed(&flow.save().unwrap(), 0);
    flow.answer(&key(""), &value(r#"{"roots":[]}"#), 0).unwrap();
    round(&mut flow, 0);
    let (_, _, text) = sent(&mut flow, 0);
    assert_eq!(
        member(&text, "inputResponses"),
        Some(r#"{"\ud800":{"roots":[]},"":{"roots":[]}}"#)
    );
    assert_eq!(member(&text, "requestState"), Some(r#""\ud800\u0000\/""#));
}

/// C11.
#[test]
fn a_text_that_is_not_whole_is_refused_whole() {
    let saved = half_answered().save().unwrap();
    let client = client(options());
    let refused = |text: &str| {
        client
            .resume(text, 0)
            .map(|_| ())
            .map_err(|error| error.code())
    };
    for end in 0..saved.len() {
        assert_eq!(refused(&saved[..end]), Err(Code::ConfigError), "{end}");
    }
    for other in ["", "mrtrc1.", "mrtrc1.AAAA", "mrtrc2.AAAA"] {
        assert_eq!(refused(other), Err(Code::ConfigError));
    }
    for extra in ["=", "A", "AAAA", "\n", " "] {
        assert_eq!(refused(&format!("{saved}{extra}")), Err(Code::ConfigError));
    }
    assert_eq!(refused(&saved), Ok(()));
}

/// A continuation whose text was edited by someone who knows how to make it look whole.
fn edited(saved: &str, from: &str, to: &str) -> String {
    let body = saved.strip_prefix("mrtrc1.").unwrap();
    let mut bytes = URL_SAFE_NO_PAD.decode(body).unwrap();
    bytes.truncate(bytes.len() - 16);
    let json = String::from_utf8(bytes).unwrap();
    assert!(json.contains(from), "{json}");
    let mut bytes = json.replace(from, to).into_bytes();
    let check = sha256(&bytes);
    bytes.extend_from_slice(&check[..16]);
    format!("mrtrc1.{}", URL_SAFE_NO_PAD.encode(bytes))
}

/// C9, C11.
#[test]
fn a_saved_answer_that_does_not_fit_its_ask_is_never_sent() {
    let saved = half_answered().save().unwrap();
    let accepted = r#"{"action":"accept","content":{"ok":true,"n":1e400}}"#;
    let resume = |to: &str| client(options()).resume(&edited(&saved, accepted, to), 0);
    assert!(resume(r#"{"action":"accept","content":{"ok":false}}"#).is_ok());
    assert!(resume(r#"{"action":"decline"}"#).is_ok());
    for bad in [
        "true",
        "null",
        "{}",
        r#"{"action":"yes"}"#,
        r#"{"action":"accept"}"#,
        r#"{"action":"accept","content":{"ok":"true"}}"#,
        r#"{"action":"accept","content":{"ok":true,"ok":false}}"#,
        r#"{"action":"decline","action":"accept","content":{"ok":true}}"#,
    ] {
        assert_eq!(resume(bad).unwrap_err().code(), Code::ConfigError, "{bad}");
    }
    // Nor one under a key that was not asked, or twice under one that was.
    for more in [
        r#","z":{"action":"decline"}"#,
        r#","\u0061":{"action":"decline"}"#,
    ] {
        let bad = resume(&format!("{accepted}{more}"));
        assert_eq!(bad.unwrap_err().code(), Code::ConfigError, "{more}");
    }
}

proptest! {
    #[test]
    fn a_changed_character_is_noticed(at in 0usize..400, with in "[A-Za-z0-9_-]") {
        let saved = half_answered().save().unwrap();
        let at = at % saved.len();
        let changed = format!("{}{}{}", &saved[..at], with, &saved[at + 1..]);
        let outcome = Client::new(options()).unwrap().resume(&changed, 0);
        prop_assert_eq!(outcome.is_ok(), changed == saved);
    }
}

/// C18, J4.
#[test]
fn a_resumed_flow_is_never_cacheable_and_keeps_to_the_limits() {
    let saved = half_answered().save().unwrap();
    let mut flow = resumed(&edited(&saved, "\"legs\":1", "\"legs\":0"), 0);
    round(&mut flow, 0);
    asked(&mut flow, 0);
    flow.answer(&key("b"), &Action::Decline, 0).unwrap();
    let (leg, ..) = sent(&mut flow, 0);
    flow.deliver(leg, DONE, 0).unwrap();
    assert!(!ended(&mut flow, 0).cacheable);
    let mut few = options();
    few.limits.asks = 1;
    let refused = client(few).resume(&saved, 0).map(|_| ()).unwrap_err();
    assert_eq!(refused.code(), Code::TooLarge);
}
