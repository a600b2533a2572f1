//! Whose request it is, and what of it is refused before a handler runs (X1, S4, S5, S9, S10, D14, D18, D19).

mod server_kit;

use mrtr::json::Limits;
use mrtr::protocol::Code;
use mrtr::server::AskStatus::{Accepted, Missing};
use mrtr::server::{OwnedPrincipal, ServerOptions};
use mrtr::state::{MemoryGuard, SealerOptions};
use server_kit::*;
use std::sync::Arc;

fn parts(parts: &[&str]) -> OwnedPrincipal {
    OwnedPrincipal::Parts(parts.iter().map(|part| part.as_bytes().to_vec()).collect())
}

/// A flow that has asked its first question.
fn asked(mut flow: Flow) -> Flow {
    let mut exchange = flow.begin(None).unwrap();
    status(&mut exchange, "a", &form("Name?"));
    flow.finish(exchange);
    flow
}

#[test]
fn a_state_of_another_tool_or_arguments_or_method_is_refused() {
    let flow = asked(Flow::usual());
    for params in [
        r#"{"name":"destroy","arguments":{"site":"north"}}"#,
        r#"{"name":"deploy","arguments":{"site":"south"}}"#,
        r#"{"name":"deploy","arguments":{"site":"north","force":true}}"#,
        r#"{"name":"deploy"}"#,
    ] {
        let other = Flow {
            params: params.into(),
            ..flow.clone()
        };
        assert_state_refused(&refused(other.begin(None)), "wrong_request");
    }
    let other = Flow {
        method: "prompts/get".into(),
        ..flow.clone()
    };
    assert_state_refused(&refused(other.begin(None)), "wrong_request");
    let respelled =
        r#"{"arguments":{"site":"\u006eorth"},"_meta":{"progressToken":9},"name":"deploy"}"#;
    let same = Flow {
        params: respelled.into(),
        ..flow
    };
    assert!(same.begin(None).is_ok());
}

#[test]
fn a_state_of_another_principal_is_refused_in_either_direction() {
    let principals = [
        OwnedPrincipal::None,
        parts(&[""]),
        parts(&["a", "bc"]),
        parts(&["ab", "c"]),
        parts(&["abc"]),
    ];
    for (i, mine) in principals.iter().enumerate() {
        let flow = asked(Flow {
            principal: mine.clone(),
            ..Flow::usual()
        });
        for (j, yours) in principals.iter().enumerate() {
            let other = Flow {
                principal: yours.clone(),
                ..flow.clone()
            };
            match other.begin(None) {
                Ok(_) => assert_eq!(i, j),
                Err(error) => {
                    assert_ne!(i, j);
                    assert_state_refused(&error, "wrong_principal");
                }
            }
        }
    }
    let nobody = Flow {
        principal: parts(&[]),
        ..Flow::usual()
    };
    assert_eq!(refused(nobody.begin(None)).code(), Code::ConfigError);
}

#[test]
fn request_state_is_none_or_opens_or_is_refused() {
    for token in [None, Some("null")] {
        let flow = Flow {
            token: token.map(str::to_string),
            ..Flow::usual()
        };
        assert_eq!(flow.begin(None).unwrap().info().round, 0);
    }
    for (token, reason) in [
        ("5", "wrong_type"),
        ("true", "wrong_type"),
        ("[]", "wrong_type"),
        (r#"{"v":1}"#, "wrong_type"),
        (r#""""#, "malformed"),
        (r#""x""#, "malformed"),
        (r#""\ud800""#, "malformed"),
    ] {
        let flow = Flow {
            token: Some(token.into()),
            ..Flow::usual()
        };
        assert_state_refused(&refused(flow.begin(None)), reason);
    }
    let huge = Flow {
        token: Some(format!("\"{}\"", "A".repeat(2 << 20))),
        ..Flow::usual()
    };
    assert_state_refused(&refused(huge.begin(None)), "too_large");
}

#[test]
fn on_other_methods_nothing_is_opened_and_nothing_is_asked() {
    for token in ["5", r#""x""#] {
        let flow = Flow {
            method: "tools/list".into(),
            token: Some(token.into()),
            ..Flow::usual()
        };
        let mut exchange = flow.begin(Some("[]")).unwrap();
        assert_eq!(exchange.state(), None);
        assert!(!exchange.can_ask(mrtr::protocol::Need::FORM).unwrap());
        let error = refused(exchange.ask(key("a"), ROOTS));
        assert_eq!(
            (error.code(), wire(&error)),
            (Code::MethodNotAllowed, (-32603, None))
        );
        assert_eq!(refused(exchange.result()).code(), Code::MethodNotAllowed);
    }
    let other_case = Flow {
        method: "Tools/Call".into(),
        ..Flow::usual()
    };
    assert_eq!(
        refused(other_case.begin(None).unwrap().result()).code(),
        Code::MethodNotAllowed
    );
}

#[test]
fn input_responses_are_an_object_or_none() {
    let flow = Flow::usual();
    assert!(flow.begin(Some("null")).is_ok());
    assert!(flow.begin(Some("{}")).is_ok());
    for answers in [
        "[]",
        "5",
        "true",
        r#""x""#,
        r#"[{"a":{"action":"decline"}}]"#,
    ] {
        let error = refused(flow.begin(Some(answers)));
        assert_eq!(
            (wire(&error), error.at()),
            ((-32602, None), Some("/inputResponses"))
        );
    }
}

#[test]
fn what_stands_twice_is_refused() {
    let flow = Flow::usual();
    for params in [
        r#"{"name":"deploy","requestState":null,"requestState":null}"#,
        r#"{"name":"deploy","inputResponses":{},"inputResponses":{}}"#,
        r#"{"name":"deploy","inputResponses":{},"inputResponse\u0073":{}}"#,
        r#"{"name":"deploy","inputResponses":{"zz":1,"a":2,"z\u007a":3}}"#,
    ] {
        let error = refused(flow.send(params));
        assert_eq!(
            (error.code(), wire(&error)),
            (Code::BadJson, (-32602, None)),
            "{params}"
        );
    }
    // Inside an entry that nobody reads, and inside arguments that no state binds, nothing is looked at.
    assert!(
        flow.send(r#"{"name":"deploy","inputResponses":{"zz":{"x":1,"x":2}}}"#)
            .is_ok()
    );
    assert!(
        flow.send(r#"{"name":"deploy","arguments":{"x":1,"x":2}}"#)
            .is_ok()
    );
}

#[test]
fn duplicates_in_arguments_are_refused_where_the_state_binds_them() {
    let twice = r#"{"name":"deploy","arguments":{"deep":[{"x":1,"x":2}]}}"#;
    let first = Flow {
        params: twice.into(),
        ..Flow::usual()
    };
    let mut exchange = first.begin(None).unwrap();
    status(&mut exchange, "a", &form("Name?"));
    let retry = Flow {
        params: twice.into(),
        ..asked(Flow::usual())
    };
    for error in [refused(exchange.result()), refused(retry.begin(None))] {
        assert_eq!(
            (error.code(), wire(&error)),
            (Code::BadJson, (-32602, None))
        );
        assert_eq!(error.at(), Some("/arguments/deep/0"));
        assert!(
            error.rpc().unwrap().message.contains("/arguments/deep/0"),
            "{:?}",
            error.rpc()
        );
    }
}

#[test]
fn params_that_are_no_object_are_refused_and_absent_ones_are_empty() {
    let flow = Flow::usual();
    for params in ["[]", "5", "null", "{", "{}x", "\u{7f}"] {
        assert_eq!(wire(&refused(flow.send(params))).0, -32602, "{params}");
    }
    let mut exchange = flow.send("").unwrap();
    assert_eq!(status(&mut exchange, "a", &form("Name?")), Missing);
    assert!(exchange.result().is_ok());
}

#[test]
fn limits_of_the_client_are_invalid_params() {
    let limits = Limits {
        message_bytes: 2_000,
        depth: 8,
        answers: 3,
        key_bytes: 10,
        ..Limits::default()
    };
    let flow = Flow::new(ServerOptions {
        limits,
        ..options()
    });
    let deep = format!(r#"{{"a":{}1{}}}"#, "[".repeat(7), "]".repeat(7));
    assert!(
        flow.begin(Some(&format!(
            r#"{{"a":{}1{}}}"#,
            "[".repeat(6),
            "]".repeat(6)
        )))
        .is_ok()
    );
    assert!(flow.begin(Some(r#"{"a":1,"b":2,"c":3}"#)).is_ok());
    assert!(flow.begin(Some(r#"{"0123456789":1}"#)).is_ok());
    assert!(flow.begin(Some(r#"{"\u0030123456789":1}"#)).is_ok());
    for (answers, code) in [
        (deep.as_str(), Code::TooLarge),
        (r#"{"a":1,"b":2,"c":3,"d":4}"#, Code::TooMany),
        (r#"{"0123456789x":1}"#, Code::TooLarge),
        (
            &format!(r#"{{"a":"{}"}}"#, "x".repeat(2_000)),
            Code::TooLarge,
        ),
    ] {
        let error = refused(flow.begin(Some(answers)));
        assert_eq!(
            (error.code(), wire(&error)),
            (code, (-32602, None)),
            "{answers}"
        );
    }
}

#[test]
fn limits_of_the_server_are_its_own_fault() {
    let limits = Limits {
        asks: 2,
        key_bytes: 10,
        ..Limits::default()
    };
    let flow = Flow::new(ServerOptions {
        limits,
        ..options()
    });
    let mut exchange = flow.begin(None).unwrap();
    for name in ["a", "b"] {
        status(&mut exchange, name, ROOTS);
    }
    let error = refused(exchange.ask(key("c"), ROOTS));
    assert_eq!(
        (error.code(), wire(&error)),
        (Code::TooMany, (-32603, None))
    );
    let error = refused(flow.begin(None).unwrap().ask(key("0123456789x"), ROOTS));
    assert_eq!(
        (error.code(), wire(&error)),
        (Code::TooLarge, (-32603, None))
    );
    let mut exchange = flow.begin(None).unwrap();
    exchange.set_state(Some(&[0; 70_000]));
    status(&mut exchange, "a", ROOTS);
    let error = refused(exchange.result());
    assert_eq!(
        (error.code(), wire(&error)),
        (Code::TooLarge, (-32603, None))
    );
    let tight = Limits {
        message_bytes: 300,
        ..Limits::default()
    };
    let mut exchange = Flow::new(ServerOptions {
        limits: tight,
        ..options()
    })
    .begin(None)
    .unwrap();
    status(&mut exchange, "a", &form("Name?"));
    let error = refused(exchange.result());
    assert_eq!(
        (error.code(), wire(&error)),
        (Code::TooLarge, (-32603, None))
    );
}

#[test]
fn a_round_over_the_limit_says_so() {
    let sealing = SealerOptions {
        max_rounds: 1,
        ..SealerOptions::default()
    };
    let flow = asked(Flow::new(ServerOptions {
        sealer: Some(sealer(sealing)),
        ..ServerOptions::default()
    }));
    let mut exchange = flow.begin(None).unwrap();
    status(&mut exchange, "a", &form("Name?"));
    let error = refused(exchange.result());
    let data = serde_json::json!({"reason": "too_many_rounds"});
    assert_eq!(
        (error.code(), wire(&error)),
        (Code::TooManyRounds, (-32603, Some(data)))
    );
}

#[test]
fn a_token_of_single_use_opens_once_and_a_bad_request_does_not_spend_it() {
    let sealing = SealerOptions {
        single_use: Some(Arc::new(MemoryGuard::default())),
        ..SealerOptions::default()
    };
    let flow = asked(Flow::new(ServerOptions {
        sealer: Some(sealer(sealing)),
        ..ServerOptions::default()
    }));
    assert_eq!(wire(&refused(flow.begin(Some("[]")))), (-32602, None));
    assert!(flow.begin(None).is_ok());
    assert_state_refused(&refused(flow.begin(None)), "replayed");
}

#[test]
fn without_a_sealer_the_state_is_the_hosts_own_text() {
    let mut flow = Flow::new(ServerOptions::default());
    let mut exchange = flow.begin(None).unwrap();
    status(&mut exchange, "a", &form("Name?"));
    flow.finish(exchange);
    assert_eq!(flow.token, None);
    let odd = "\"quoted\\ \u{0} é\u{1f600}".as_bytes();
    let mut exchange = flow.begin(None).unwrap();
    exchange.set_state(Some(odd));
    status(&mut exchange, "a", &form("Name?"));
    flow.finish(exchange);
    let mut exchange = flow
        .begin(Some(&format!(r#"{{"a":{}}}"#, said("x"))))
        .unwrap();
    assert_eq!(exchange.state(), Some(odd));
    assert_eq!(status(&mut exchange, "a", &form("Name?")), Accepted);
    // A lone surrogate comes back as it came.
    flow.token = Some(r#""\ud800x""#.into());
    let mut exchange = flow.begin(None).unwrap();
    status(&mut exchange, "a", &form("Name?"));
    flow.finish(exchange);
    assert_eq!(flow.token.as_deref(), Some(r#""\ud800x""#));
    let mut exchange = flow.begin(None).unwrap();
    exchange.set_state(Some(b"\xff"));
    status(&mut exchange, "a", &form("Name?"));
    assert_eq!(refused(exchange.result()).code(), Code::NotUtf8);
    flow.token = Some("5".into());
    assert_state_refused(&refused(flow.begin(None)), "wrong_type");
}
