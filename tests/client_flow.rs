//! The flow, rule by rule, where the case files do not look.

mod client_support;

use client_support::*;
use mrtr::client::{Client, ClientOptions, Event};
use mrtr::protocol::{Code, Need};

/// C4, C16, E1.
#[test]
fn meta_is_stamped_on_each_leg_and_the_rest_of_it_kept() {
    let info = r#"{"name":"host","version":"1"}"#.to_string();
    let client = client(ClientOptions {
        client_info: Some(info),
        handlers: Need::FORM,
        ..options()
    });
    let params = r#"{"name":"copy","_meta":{"x/y":1e2,"io.modelcontextprotocol/clientCapabilities":{"roots":{}},"progressToken":"mine"},"arguments":{}}"#;
    let mut flow = client.begin("tools/call", params, None, 0).unwrap();
    let (leg, first, text) = sent(&mut flow, 0);
    let meta = |id: u64| {
        format!(
            "{{\"x/y\":1e2,\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientInfo\":{},\"io.modelcontextprotocol/clientCapabilities\":{},\"progressToken\":{id}}}",
            r#"{"name":"host","version":"1"}"#, r#"{"elicitation":{"form":{}}}"#
        )
    };
    assert_eq!(member(&text, "_meta"), Some(meta(first).as_str()));
    assert_eq!(bare(&text), r#"{"name":"copy","arguments":{}}"#);
    flow.deliver(leg, &asks(&[("a", FORM)], Some("S")), 0)
        .unwrap();
    round(&mut flow, 0);
    asked(&mut flow, 0);
    flow.answer(&key("a"), &value(YES), 0).unwrap();
    let (leg, second, text) = sent(&mut flow, 0);
    assert_ne!(first, second);
    assert_eq!(leg, 2);
    assert_eq!(member(&text, "_meta"), Some(meta(second).as_str()));
    assert_eq!(
        bare(&text),
        r#"{"name":"copy","arguments":{},"inputResponses":{"a":{"action":"accept","content":{"ok":true}}},"requestState":"S"}"#
    );
}

/// C4.
#[test]
fn no_progress_token_unless_the_caller_wants_progress() {
    let (_, _, text) = sent(&mut flow(), 0);
    assert!(!text.contains("progressToken"));
}

/// C4, J5.
#[test]
fn params_of_one_line_and_none_at_all() {
    let client = client(options());
    let mut flow = client
        .begin("tools/call", "\n{ \"name\" :\r\n \"a\\nb\" }\n", None, 0)
        .unwrap();
    let (_, _, text) = sent(&mut flow, 0);
    assert!(!text.contains(['\n', '\r']));
    assert!(text.starts_with("{ \"name\" : \"a\\nb\" "));
    let mut flow = client.begin("tools/call", "{}", None, 0).unwrap();
    assert!(sent(&mut flow, 0).2.starts_with("{\"_meta\":{"));
}

/// D7.
#[test]
fn bad_params_and_options_are_config_errors() {
    let client = client(options());
    let begin = |params: &str| {
        client
            .begin("tools/call", params, None, 0)
            .map(|_| ())
            .map_err(|error| error.code())
    };
    for params in [
        "",
        "{",
        "[]",
        "null",
        "{} {}",
        r#"{"_meta":1}"#,
        r#"{"_meta":{},"_meta":{}}"#,
        r#"{"_meta":{"a":1,"a":2}}"#,
    ] {
        assert_eq!(begin(params), Err(Code::ConfigError), "{params}");
    }
    for params in [
        r#"{"inputResponses":{},"inputResponses":{}}"#,
        r#"{"requestState":"a","request\u0053tate":"a"}"#,
    ] {
        assert_eq!(begin(params), Err(Code::ConfigError), "{params}");
    }
    assert_eq!(begin(r#"{"_meta":null,"name":1,"name":2}"#), Ok(()));
    assert_eq!(begin(&"[".repeat(65)), Err(Code::TooLarge));
    assert_eq!(
        client
            .begin("", "{}", None, 0)
            .map(|_| ())
            .map_err(|error| error.code()),
        Err(Code::ConfigError)
    );
    let spoil: [fn(&mut ClientOptions); 12] = [
        |o| o.leg_timeout_ms = 0,
        |o| o.leg_timeout_ms = u64::MAX,
        |o| o.input_timeout_ms = Some(0),
        |o| o.flow_timeout_ms = Some(0),
        |o| o.pacing_initial_ms = 0,
        |o| o.pacing_initial_ms = 5001,
        |o| o.poll_budget_ms = u64::MAX,
        |o| o.max_rounds = u32::MAX,
        |o| o.limits.message_bytes = 0,
        |o| o.protocol_version.clear(),
        |o| o.client_info = Some("[]".into()),
        |o| o.client_info = Some("{".into()),
    ];
    for (at, spoil) in spoil.into_iter().enumerate() {
        let mut options = options();
        spoil(&mut options);
        let refused = |made: Result<(), mrtr::protocol::Error>| made.map_err(|error| error.code());
        assert_eq!(
            refused(Client::new(options.clone()).map(|_| ())),
            Err(Code::ConfigError),
            "{at}"
        );
        assert_eq!(
            refused(
                client
                    .begin("tools/call", CALL, Some(&options), 0)
                    .map(|_| ())
            ),
            Err(Code::ConfigError),
            "{at}"
        );
    }
}

/// C4, C12, C16.
#[test]
fn options_of_a_call_leave_its_handlers_alone_and_its_ids_unique() {
    let client = client(ClientOptions {
        handlers: Need::ROOTS,
        ..options()
    });
    let own = ClientOptions {
        handlers: Need::FORM,
        manual: true,
        ..options()
    };
    let mut one = client.begin("tools/call", CALL, Some(&own), 0).unwrap();
    let mut two = client.begin("tools/call", CALL, None, 0).unwrap();
    let (leg, id, text) = sent(&mut one, 0);
    assert_ne!(id, sent(&mut two, 0).1);
    assert!(text.contains(r#""io.modelcontextprotocol/clientCapabilities":{"roots":{}}"#));
    one.deliver(leg, &asks(&[("r", ROOTS)], None), 0).unwrap();
    let done = ended(&mut one, 0);
    assert_eq!(code(&done), Some(Code::InputRequired));
    assert_eq!(
        done.result.as_deref(),
        Some(asks(&[("r", ROOTS)], None).as_str())
    );
}

/// C10.
#[test]
fn a_leg_that_is_not_in_flight_is_ignored() {
    let mut flow = flow();
    flow.deliver(1, DONE, 0).unwrap();
    let (leg, ..) = sent(&mut flow, 0);
    for stray in [0, leg + 1, u32::MAX] {
        flow.deliver(stray, DONE, 0).unwrap();
        flow.deliver_error(stray, "{}", 0).unwrap();
        flow.lost(stray, 0).unwrap();
        flow.progress(stray, 1.0, 0).unwrap();
    }
    assert_eq!(slept(&mut flow, 0), Some(60_000));
    flow.deliver(leg, &state_only("w"), 0).unwrap();
    flow.deliver(leg, DONE, 0).unwrap();
    assert_eq!(slept(&mut flow, 0), Some(50));
    let (second, ..) = sent(&mut flow, 50);
    flow.deliver(leg, DONE, 50).unwrap();
    flow.cancel(60).unwrap();
    assert!(matches!(flow.next(60), Event::CancelLeg { leg: 2, .. }));
    flow.deliver(second, DONE, 60).unwrap();
    flow.cancel(70).unwrap();
    assert_eq!(code(&ended(&mut flow, 70)), Some(Code::Cancelled));
    flow.deliver(second, DONE, 80).unwrap();
    flow.cancel(80).unwrap();
    assert!(matches!(flow.next(u64::MAX), Event::Idle));
}

/// C10, C11.
#[test]
fn cancelled_before_its_first_leg_nothing_is_sent() {
    let mut flow = flow();
    flow.cancel(0).unwrap();
    let done = ended(&mut flow, 0);
    assert_eq!(
        (code(&done), done.legs, done.continuation),
        (Some(Code::Cancelled), 0, None)
    );
}

/// J1, C18.
#[test]
fn a_complete_result_comes_back_byte_for_byte_and_is_cacheable_only_without_retries() {
    let result = " {\"resultType\" : \"complete\",\n\"x\":1e400,\"y\":\"\\ud800\"}\n";
    let mut one = after(flow(), result);
    let done = ended(&mut one, 0);
    assert_eq!(done.result.as_deref(), Some(result));
    assert!(done.cacheable && done.end.is_ok());
    let mut two = after(flow(), &state_only("w"));
    let (leg, ..) = sent(&mut two, 50);
    two.deliver(leg, DONE, 50).unwrap();
    assert!(!ended(&mut two, 50).cacheable);
    let retry = client(options())
        .begin("tools/call", r#"{"requestState":"s"}"#, None, 0)
        .unwrap();
    assert!(!ended(&mut after(retry, DONE), 0).cacheable);
}

/// C1, J2, J4.
#[test]
fn bad_results_are_kept_and_named() {
    for result in [
        "",
        "{",
        "[]",
        "null",
        "\u{feff}{}",
        r#"{"resultType":1}"#,
        r#"{"resultType":"complete","resultType":"complete"}"#,
    ] {
        let done = ended(&mut after(flow(), result), 0);
        assert_eq!(code(&done), Some(Code::InvalidResult), "{result}");
        assert_eq!(done.result.as_deref(), Some(result));
        assert_eq!(done.end.as_ref().unwrap_err().raw(), Some(result));
        assert!(done.continuation.is_none() && !done.cacheable);
    }
    let deep = format!("{}{}", "[".repeat(65), "]".repeat(65));
    assert_eq!(
        code(&ended(&mut after(flow(), &deep), 0)),
        Some(Code::TooLarge)
    );
    let long = format!(
        r#"{{"resultType":"input_required","inputRequests":{{"{}":5}},"requestState":7}}"#,
        "k".repeat(70_000)
    );
    assert_eq!(
        code(&ended(&mut after(flow(), &long), 0)),
        Some(Code::TooLarge)
    );
}

/// C1.
#[test]
fn a_declared_result_type_is_handed_over() {
    let result = r#"{"resultType":"task","task":{"taskId":"t"}}"#;
    assert_eq!(
        code(&ended(&mut after(flow(), result), 0)),
        Some(Code::InvalidResult)
    );
    let declared = flow_with(ClientOptions {
        result_types: vec!["task".into()],
        ..options()
    });
    let done = ended(&mut after(declared, result), 0);
    assert!(done.end.is_ok());
    assert_eq!(done.result.as_deref(), Some(result));
}

/// C1.
#[test]
fn an_error_response_ends_the_flow_with_what_it_said() {
    let mut flow = flow();
    let (leg, ..) = sent(&mut flow, 0);
    flow.deliver_error(
        leg,
        r#"{"code":-32021,"message":"no \ud800","data":{"a":1.0}}"#,
        0,
    )
    .unwrap();
    let done = ended(&mut flow, 0);
    let error = done.end.unwrap_err();
    let rpc = error.rpc().unwrap();
    assert_eq!(
        (error.code(), rpc.code, rpc.data.as_deref()),
        (Code::RpcError, -32021, Some(r#"{"a":1.0}"#))
    );
    for bad in [
        "",
        "[]",
        r#"{"code":"1","message":"x"}"#,
        r#"{"code":1}"#,
        r#"{"code":1,"code":2,"message":"x"}"#,
    ] {
        let mut flow = client(options())
            .begin("tools/call", CALL, None, 0)
            .unwrap();
        let (leg, ..) = sent(&mut flow, 0);
        flow.deliver_error(leg, bad, 0).unwrap();
        let done = ended(&mut flow, 0);
        assert_eq!(code(&done), Some(Code::InvalidResult), "{bad}");
        assert_eq!(done.end.as_ref().unwrap_err().raw(), Some(bad));
    }
}

/// C7.
#[test]
fn a_clock_that_steps_back_stands_still() {
    let mut flow = client(options())
        .begin("tools/call", CALL, None, 1_000)
        .unwrap();
    let (leg, ..) = sent(&mut flow, 500);
    assert_eq!(slept(&mut flow, 0), Some(61_000));
    flow.deliver(leg, &state_only("w"), u64::MAX).unwrap();
    assert_eq!(sent(&mut flow, 0).0, 2);
    // At the end of time every limit has passed.
    assert!(matches!(flow.next(0), Event::CancelLeg { leg: 2, .. }));
    assert_eq!(code(&ended(&mut flow, 0)), Some(Code::LegTimeout));
}

/// C15.
#[test]
fn progress_that_is_no_number_is_dropped() {
    let mut flow = flow();
    let (leg, ..) = sent(&mut flow, 0);
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, -2.0, 0.5] {
        flow.progress(leg, value, 0).unwrap();
    }
    assert!(matches!(
        flow.next(0),
        Event::Progress {
            leg: 1,
            value: -1.0
        }
    ));
    assert!(matches!(
        flow.next(0),
        Event::Progress { leg: 1, value: 0.5 }
    ));
    slept(&mut flow, 0);
}

/// C7: limits are looked at in `next`. What was handed in before counts, however late it came; the flow's own limit holds all the same.
#[test]
fn what_is_handed_in_before_the_clock_is_looked_at_counts() {
    for (limit, ends) in [(None, None), (Some(60), Some(Code::FlowTimeout))] {
        let mut flow = flow_with(ClientOptions {
            leg_timeout_ms: 10,
            input_timeout_ms: Some(10),
            flow_timeout_ms: limit,
            ..options()
        });
        let (leg, ..) = sent(&mut flow, 0);
        flow.deliver(leg, &asks(&[("a", FORM)], None), 50).unwrap();
        round(&mut flow, 50);
        asked(&mut flow, 50);
        flow.answer(&key("a"), &value(YES), 90).unwrap();
        match ends {
            None => assert_eq!(sent(&mut flow, 90).0, 2),
            some => assert_eq!(code(&ended(&mut flow, 90)), some),
        }
    }
}
