//! What a client might try that wants a yes which nobody gave (S5, X2, X3, X6, D15, D16).

mod server_kit;

use mrtr::protocol::Code;
use mrtr::server::{AskStatus::*, ServerOptions};
use mrtr::state::{MemoryGuard, SealerOptions};
use server_kit::*;
use std::sync::Arc;

const YES: &str = r#"{"consent":{"action":"accept"}}"#;

/// A flow in which consent was declined in round 1 and a name is asked in round 2; the token of round 1 beside it.
fn declined() -> (Flow, Option<String>) {
    let mut flow = Flow::usual();
    let mut x = flow.begin(None).unwrap();
    assert_eq!(status(&mut x, "consent", URL), Missing);
    flow.finish(x);
    let first = flow.token.clone();
    let mut x = flow
        .begin(Some(r#"{"consent":{"action":"decline"}}"#))
        .unwrap();
    assert_eq!(status(&mut x, "consent", URL), Declined);
    assert_eq!(status(&mut x, "name", &form("Name?")), Missing);
    assert_eq!(flow.finish(x), ["name"]);
    (flow, first)
}

#[test]
fn a_no_does_not_become_a_yes_by_sending_one_later() {
    let (mut flow, _) = declined();
    for _ in 0..3 {
        let mut x = flow.begin(Some(YES)).unwrap();
        assert_eq!(status(&mut x, "consent", URL), Declined);
        assert_eq!(status(&mut x, "name", &form("Name?")), Missing);
        assert_eq!(flow.finish(x), ["name"]);
    }
}

#[test]
fn a_yes_is_not_given_new_content_later() {
    let mut flow = Flow::usual();
    let ten = form("How much?");
    let mut x = flow.begin(None).unwrap();
    ask(&mut x, "sum", &ten);
    flow.finish(x);
    let mut x = flow
        .begin(Some(&format!(r#"{{"sum":{}}}"#, said("10"))))
        .unwrap();
    assert_eq!(status(&mut x, "sum", &ten), Accepted);
    assert_eq!(status(&mut x, "consent", URL), Missing);
    flow.finish(x);
    let answers = format!(
        r#"{{"sum":{},"consent":{{"action":"accept"}}}}"#,
        said("9999")
    );
    let mut x = flow.begin(Some(&answers)).unwrap();
    assert_eq!(
        ask(&mut x, "sum", &ten).content.as_deref(),
        Some(r#"{"n":"10"}"#)
    );
    assert_eq!(status(&mut x, "consent", URL), Accepted);
}

#[test]
fn a_yes_to_one_question_is_none_to_another() {
    let (flow, _) = declined();
    // Reworded: the no is stale, and the yes that came along was not for these words.
    let other = URL.replace("Open", "Pay");
    let mut x = flow.begin(Some(YES)).unwrap();
    assert_eq!(status(&mut x, "consent", &other), Stale);
    // A key that was never asked, one that is spelled otherwise, and one of another kind.
    let answers = format!(
        r#"{{"Consent":{{"action":"accept"}},"extra":{{"action":"accept"}},"name":{{"roots":[]}},"consent ":{}}}"#,
        said("x")
    );
    let mut x = flow.begin(Some(&answers)).unwrap();
    assert_eq!(status(&mut x, "extra", URL), Missing);
    assert_eq!(status(&mut x, "name", &form("Name?")), Invalid);
    assert_eq!(status(&mut x, "consent", URL), Declined);
}

#[test]
fn a_state_of_round_one_in_round_three_knows_what_it_knew_then() {
    let (mut flow, first) = declined();
    let mut x = flow
        .begin(Some(&format!(r#"{{"name":{}}}"#, said("Ann"))))
        .unwrap();
    assert_eq!(status(&mut x, "name", &form("Name?")), Accepted);
    assert_eq!(status(&mut x, "sure", URL), Missing);
    flow.finish(x);
    flow.token = first;
    // Only consent was asked with it: answers to what came later are not for it.
    let answers = format!(r#"{{"name":{},"sure":{{"action":"accept"}}}}"#, said("Bob"));
    let mut x = flow.begin(Some(&answers)).unwrap();
    assert_eq!(x.info().round, 1);
    for (name, text) in [("consent", URL), ("name", &form("Name?")), ("sure", URL)] {
        assert_eq!(status(&mut x, name, text), Missing, "{name}");
    }
}

#[test]
fn answers_and_states_count_in_their_own_place_only() {
    let mut flow = Flow::usual();
    for params in [
        format!(r#"{{"name":"deploy","arguments":{{"inputResponses":{YES}}}}}"#),
        format!(r#"{{"name":"deploy","_meta":{{"inputResponses":{YES},"requestState":5}}}}"#),
        format!(r#"{{"name":"deploy","InputResponses":{YES},"requeststate":5}}"#),
    ] {
        flow.params = params;
        let mut x = flow.begin(None).unwrap();
        assert_eq!(status(&mut x, "consent", URL), Missing);
    }
}

#[test]
fn no_spelling_hides_a_second_answer() {
    let flow = Flow::usual();
    for answers in [
        r#"{"consent":{"action":"decline"},"c\u006fnsent":{"action":"accept"}}"#,
        r#"{"\ud83d\ude00":1,"😀":2}"#,
        r#"{"\ud800":1,"\uD800":2}"#,
    ] {
        assert_eq!(
            wire(&refused(flow.begin(Some(answers)))).0,
            -32602,
            "{answers}"
        );
    }
    let twice = r#"{"consent":{"action":"decline","acti\u006fn":"accept"}}"#;
    let mut x = flow.begin(Some(twice)).unwrap();
    assert_eq!(status(&mut x, "consent", URL), Invalid);
}

#[test]
fn a_target_that_is_no_string_is_refused_before_anything_is_bound_to_it() {
    for (method, member) in [
        ("tools/call", "name"),
        ("prompts/get", "name"),
        ("resources/read", "uri"),
    ] {
        let mut flow = Flow::usual();
        flow.method = method.into();
        for target in ["5", "true", "[]", r#"{"a":1}"#] {
            let error = refused(flow.send(&format!(r#"{{"{member}":{target}}}"#)));
            assert_eq!(
                (wire(&error).0, error.at()),
                (-32602, Some(&*format!("/{member}"))),
                "{target}"
            );
        }
        assert!(flow.send(&format!(r#"{{"{member}":"x"}}"#)).is_ok());
        assert!(flow.send(&format!(r#"{{"{member}":null}}"#)).is_ok());
    }
}

#[test]
fn answers_that_come_with_the_first_request_have_an_idempotency_key_of_their_own() {
    let keys: Vec<_> = (0..8)
        .map(|_| {
            let x = Flow::usual().begin(Some(YES)).unwrap();
            let key = x.info().flow_id.expect("a key");
            assert_eq!(x.info().flow_id, Some(key));
            key
        })
        .collect();
    for (at, key) in keys.iter().enumerate() {
        assert!(*key != [0; 16] && !keys[..at].contains(key));
    }
}

#[test]
fn the_flow_id_of_a_first_request_is_that_of_all_rounds_whenever_it_is_read() {
    for before in [true, false] {
        let mut flow = Flow::usual();
        let mut x = flow.begin(None).unwrap();
        let early = before.then(|| x.info().flow_id);
        assert_eq!(status(&mut x, "consent", URL), Missing);
        let (first, again) = (x.result().unwrap(), x.result().unwrap());
        let late = x.info().flow_id;
        assert!(late.is_some() && early.is_none_or(|early| early == late));
        for result in [first, again] {
            flow.token = read(&result).1;
            assert_eq!(flow.begin(None).unwrap().info().flow_id, late);
        }
    }
    let without = Flow::new(mrtr::server::ServerOptions::default());
    assert_eq!(without.begin(None).unwrap().info().flow_id, None);
}

#[test]
fn a_request_that_is_refused_for_its_capabilities_spends_no_state() {
    let once = sealer(SealerOptions {
        single_use: Some(Arc::new(MemoryGuard::new(8))),
        ..SealerOptions::default()
    });
    let mut flow = Flow::new(ServerOptions {
        sealer: Some(once),
        ..ServerOptions::default()
    });
    let mut x = flow.begin(None).unwrap();
    assert_eq!(status(&mut x, "consent", URL), Missing);
    flow.finish(x);
    let twice = Flow {
        caps: Some(r#"{"elicitation":{},"elicitation":{"url":{}}}"#.into()),
        ..flow.clone()
    };
    let refused = twice.begin(Some(YES)).map(|_| ()).unwrap_err();
    assert_eq!(refused.rpc().map(|rpc| rpc.code), Some(-32602));
    let mut x = flow.begin(Some(YES)).unwrap();
    assert_eq!(status(&mut x, "consent", URL), Accepted);
    let replayed = flow.begin(Some(YES)).map(|_| ()).unwrap_err();
    assert_eq!(replayed.code(), Code::Replayed);
}
