//! Gateways (S14): foreign states inside ours, keys that do not meet, and what is passed on in both directions.
#![allow(missing_docs)]

mod state_support;

use std::collections::HashSet;

use mrtr::json::{Key, Limits, Raw};
use mrtr::state::gateway;
use proptest::prelude::*;
use state_support::*;

#[test]
fn a_gateway_carries_what_is_not_its_own() {
    for foreign in [
        r#""""#,
        r#""v1.x.y""#,
        r#""\ud800 \u0000 \/ é 😀""#,
        r#""{\"a\":null}""#,
    ] {
        let state = raw(foreign).string().expect("is a string");
        let wrapped = gateway::wrap("büro:7", &state.key());
        let back = gateway::unwrap(&wrapped).expect("is ours");
        assert_eq!(back, ("büro:7", state.key().as_bytes()));
    }
    assert!(gateway::unwrap(b"").is_none() && gateway::unwrap(&[0xff; 12]).is_none());
    let backends = ["", "a", "a:b", "7:"];
    let keys = ["", ":", "b:c", "1:a:k"].map(Key::from);
    let mut seen = HashSet::new();
    for backend in backends {
        for key in &keys {
            let both = gateway::prefix_key(backend, key);
            let parts = Some((backend, key.as_bytes()));
            assert_eq!(gateway::split_key(both.as_bytes()), parts);
            assert!(seen.insert(both));
        }
    }
    for other in ["", "a", "1:", "1:a", "01:a:k", "+1:a:k", "9:a:k", ":a:k"] {
        assert_eq!(gateway::split_key(other.as_bytes()), None, "{other}");
    }
}

/// What the end client sent reaches the backend byte for byte, its capabilities too, but for answers and states of others.
#[test]
fn params_go_on_with_what_is_the_backends() {
    let sent = r#"{"name":"copy","_meta":{"io.modelcontextprotocol/clientCapabilities":{ "elicitation":{"form":{}},"x":1e400 }},
"inputResponses":{"1:a:k":{"action":"accept","content":{"n":3.0}},"1:b:k":{"action":"cancel"},"k":{"action":"decline"},"1:a:\ud800":{"action":"cancel"}},"requestState":"the gateway's","arguments":{"requestState":"mine"}}"#;
    let kept = r#"{"name":"copy","_meta":{"io.modelcontextprotocol/clientCapabilities":{ "elicitation":{"form":{}},"x":1e400 }},"arguments":{"requestState":"mine"}"#;
    let host = gateway::wrap(
        "a",
        &raw(r#""S\u00e9\ud800\/""#)
            .string()
            .expect("is a string")
            .key(),
    );
    let passed = gateway::params("a", raw(sent), Some(&host)).expect("goes on");
    let answers = r#""inputResponses":{"k":{"action":"accept","content":{"n":3.0}},"\ud800":{"action":"cancel"}}"#;
    assert_eq!(
        passed,
        format!(r#"{kept},{answers},"requestState":"Sé\ud800/"}}"#)
    );
    let passed = gateway::params("c", raw(sent), None).expect("goes on");
    assert_eq!(passed, format!("{kept}}}"), "nothing of it is for this one");
    let empty = r#"{"inputResponses":null,"requestState":null}"#;
    assert_eq!(
        gateway::params("a", raw(empty), None).expect("goes on"),
        "{}"
    );

    for (params, host, code) in [
        (
            r#"{"requestState":"a","requestState":"b"}"#,
            None,
            "bad_json",
        ),
        (
            r#"{"inputResponses":{"1:a:k":{},"1:a:\u006b":{}}}"#,
            None,
            "bad_json",
        ),
        (r#"{"inputResponses":[]}"#, None, "invalid_params"),
        ("[]", None, "bad_json"),
        (
            "{}",
            Some(gateway::wrap("b", &Key::from("x"))),
            "bad_argument",
        ),
        ("{}", Some(b"anything".to_vec()), "bad_argument"),
    ] {
        let refused = gateway::params("a", raw(params), host.as_deref());
        assert_eq!(reason(refused), code, "{params}");
    }
}

#[test]
fn results_come_back_under_the_gateways_own_keys_and_state() {
    let result = r#"{"resultType":"input_required","inputRequests":{"k":{"method":"roots/list" ,"x":1e400},"":{"method":"roots/list"}},"requestState":"S\u00e9","_meta":{"z":3.0}}"#;
    let passed = gateway::result("a:b", raw(result), Some("mrtr1.x")).expect("comes back");
    let asks = r#""inputRequests":{"3:a:b:k":{"method":"roots/list" ,"x":1e400},"3:a:b:":{"method":"roots/list"}}"#;
    assert_eq!(
        passed,
        format!(
            r#"{{"resultType":"input_required","_meta":{{"z":3.0}},{asks},"requestState":"mrtr1.x"}}"#
        )
    );
    let state = gateway::state("a:b", raw(result))
        .expect("is read")
        .expect("is there");
    assert_eq!(gateway::unwrap(&state), Some(("a:b", "Sé".as_bytes())));

    // A state alone, an empty one, none; and results that ask nothing, which are not the gateway's to change.
    let alone = r#"{"resultType":"input_required","requestState":""}"#;
    assert_eq!(
        gateway::result("a", raw(alone), Some("t")).expect("comes back"),
        r#"{"resultType":"input_required","requestState":"t"}"#
    );
    let state = gateway::state("a", raw(alone))
        .expect("is read")
        .expect("is there");
    assert_eq!(gateway::unwrap(&state), Some(("a", &b""[..])));
    for none in [
        r#"{"resultType":"input_required","requestState":null}"#,
        r#"{"resultType":"complete","requestState":"s"}"#,
    ] {
        assert_eq!(
            gateway::state("a", raw(none)).expect("is read"),
            None,
            "{none}"
        );
    }
    let complete = r#"{"resultType":"complete","inputRequests":{"k":1},"requestState":"s"}"#;
    assert_eq!(
        gateway::result("a", raw(complete), Some("t")).expect("comes back"),
        complete
    );

    let wrong = r#"{"resultType":"input_required","inputRequests":[],"requestState":5}"#;
    assert_eq!(
        reason(gateway::result("a", raw(wrong), None)),
        "invalid_result"
    );
    assert_eq!(reason(gateway::state("a", raw(wrong))), "invalid_result");
    let twice = r#"{"resultType":"input_required","inputRequests":{"k":{},"k":{}}}"#;
    assert_eq!(reason(gateway::result("a", raw(twice), None)), "bad_json");
}

/// A string token of any text, lone surrogates included.
fn token() -> impl Strategy<Value = String> {
    prop::collection::vec(
        prop_oneof![
            any::<char>().prop_map(|c| Key::from(c.to_string().as_str())),
            Just(raw(r#""\ud800""#).string().expect("is a string").key())
        ],
        0..6,
    )
    .prop_map(|parts| {
        let mut out = String::from("\"");
        for part in parts {
            let mut text = String::new();
            part.write_json(&mut text);
            out.push_str(&text[1..text.len() - 1]);
        }
        out + "\""
    })
}

proptest! {
    /// What a backend asked and sealed comes back to it as it was, whatever its name, its keys and its state are.
    #[test]
    fn both_ways_give_what_was_there(backend in ".{0,6}", keys in prop::collection::hash_set("[a-c:0-9\u{e9}]{0,4}", 0..5), state in token()) {
        let asks: Vec<String> = keys.iter().map(|key| format!("{}:{{}}", quoted(key))).collect();
        let result = format!(r#"{{"resultType":"input_required","inputRequests":{{{}}},"requestState":{state}}}"#, asks.join(","));
        let host = gateway::state(&backend, raw(&result)).expect("is read").expect("is there");
        let seen = gateway::result(&backend, raw(&result), Some("t")).expect("comes back");
        let seen = raw(&seen).object().expect("an object").get("inputRequests").map_or("{}", Raw::text).to_string();
        let retry = format!(r#"{{"inputResponses":{seen},"requestState":"t"}}"#);
        let passed = gateway::params(&backend, raw(&retry), Some(&host)).expect("goes on");
        let passed = raw(&passed).object().expect("an object");
        let back = passed.get("inputResponses").map(|raw| raw.object().expect("an object"));
        let back: HashSet<String> = back.iter().flat_map(|o| o.iter().map(|(name, _)| name.text().expect("is text").into_owned()).collect::<Vec<_>>()).collect();
        prop_assert_eq!(back, keys);
        let own = raw(&state).string().expect("is a string");
        prop_assert!(passed.get("requestState").and_then(Raw::string).expect("is there").same(own));
    }

    #[test]
    fn nothing_panics(text in r#"[\[\]{}",:\\ ua1resultTypinquSkR_]{0,40}"#, host in prop::collection::vec(any::<u8>(), 0..24)) {
        for text in [text.clone(), format!(r#"{{"resultType":"input_required","inputRequests":{text},"inputResponses":{text},"requestState":{text}}}"#)] {
            if let Ok(raw) = Raw::parse(&text, &Limits::default()) {
                let _ = gateway::params("a", raw, Some(&host));
                let _ = gateway::params("a", raw, None);
                let _ = gateway::state("a", raw);
                let _ = gateway::result("a", raw, Some("t"));
            }
        }
    }
}

fn quoted(text: &str) -> String {
    let mut out = String::new();
    Key::from(text).write_json(&mut out);
    out
}
