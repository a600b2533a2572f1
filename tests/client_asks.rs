//! What is shown of a round, in which order, and what is taken back (C8, C9, C13, C14).

mod client_support;

use client_support::*;
use mrtr::client::{Action, ClientOptions, Event, Order};
use mrtr::json::Limits;
use mrtr::protocol::Code;

/// C8, C11.
#[test]
fn wrong_keys_and_second_answers_leave_the_flow_alone() {
    let mut flow = after(flow(), &asks(&[("a", FORM), ("b", FORM)], None));
    let refused =
        |outcome: Result<(), mrtr::protocol::Error>| outcome.map_err(|error| error.code());
    assert_eq!(
        refused(flow.answer(&key("A"), &value(YES), 0)),
        Err(Code::ConfigError)
    );
    assert_eq!(refused(flow.answer(&key("b"), &value(YES), 0)), Ok(()));
    assert_eq!(
        refused(flow.answer(&key("b"), &Action::Refuse, 0)),
        Err(Code::WrongState)
    );
    round(&mut flow, 0);
    assert_eq!(asked(&mut flow, 0).key, key("a"));
    assert_eq!(slept(&mut flow, 0), None);
    flow.answer(&key("a"), &Action::Cancel, 0).unwrap();
    assert_eq!(
        refused(flow.answer(&key("a"), &value(YES), 0)),
        Err(Code::WrongState)
    );
    let (_, _, text) = sent(&mut flow, 0);
    assert_eq!(
        member(&text, "inputResponses"),
        Some(r#"{"a":{"action":"cancel"},"b":{"action":"accept","content":{"ok":true}}}"#)
    );
    flow.cancel(0).unwrap();
    assert_eq!(
        refused(flow.answer(&key("a"), &value(YES), 0)),
        Err(Code::WrongState)
    );
}

/// C13.
#[test]
fn the_page_view_lists_what_is_open() {
    let mut flow = after(
        flow(),
        &asks(&[("a", FORM), ("b", FORM), ("c", ROOTS)], None),
    );
    let open = |flow: &mrtr::client::Flow| flow.asks().map(|ask| ask.key).collect::<Vec<_>>();
    assert_eq!(open(&flow), [key("a"), key("b"), key("c")]);
    flow.answer(&key("b"), &value(YES), 0).unwrap();
    assert_eq!(open(&flow), [key("a"), key("c")]);
    flow.cancel(0).unwrap();
    assert!(open(&flow).is_empty());
}

/// C14.
#[test]
fn what_is_shown_of_an_ask_is_what_came() {
    let form = r#"{"method":"elicitation/create","params":{"message":"caf\u00e9 \ud800?","requestedSchema":{ "type":"object","properties":{"n":{"type":"number","maximum":1e400}}},"_meta":{"z":[3.0]}}}"#;
    let result = format!(
        r#"{{"resultType":"input_required","_meta":{{"io.modelcontextprotocol/serverInfo":{{"name":"a\u202eb","version":"2"}}}},"inputRequests":{{"k\u00e9":{form}}}}}"#
    );
    let mut flow = after(
        flow_with(ClientOptions {
            label: Some("Files".into()),
            ..options()
        }),
        &result,
    );
    round(&mut flow, 0);
    let ask = asked(&mut flow, 0);
    assert_eq!(ask.key, key("ké"));
    assert_eq!(&*ask.ask, form);
    assert_eq!(ask.message.as_deref(), Some("café \u{fffd}?"));
    assert_eq!(
        ask.schema.as_deref(),
        Some(r#"{ "type":"object","properties":{"n":{"type":"number","maximum":1e400}}}"#)
    );
    assert!(ask.params.is_some_and(|params| params.contains("[3.0]")));
    assert!(ask.url.is_none() && !ask.previously_declined);
    let who = flow.who();
    let name = who.server.map(|server| server.name).unwrap();
    assert_eq!(
        (
            who.label.as_deref(),
            &*who.method,
            who.target.as_deref(),
            who.round
        ),
        (Some("Files"), "tools/call", Some("copy"), 1)
    );
    assert_eq!(
        (name.raw.as_str(), name.shown.as_str()),
        ("a\u{202e}b", "a\\u{202e}b")
    );
}

/// C14, J2.
#[test]
fn a_server_that_names_itself_twice_has_no_name() {
    let info = |info: &str| {
        let result = asks(&[("a", FORM)], None).replace(
            "\"inputRequests\"",
            &format!("\"_meta\":{{{info}}},\"inputRequests\""),
        );
        let flow = after(flow(), &result);
        flow.who().server.map(|server| server.name.raw)
    };
    let name = "\"io.modelcontextprotocol/serverInfo\"";
    let bank = r#"{"name":"Bank"}"#;
    assert_eq!(info(&format!("{name}:{bank}")).as_deref(), Some("Bank"));
    for twice in [
        format!(r#"{name}:{{"name":"Bank","n\u0061me":"Thief"}}"#),
        format!(r#"{name}:{bank},{name}:{{"name":"Thief"}}"#),
    ] {
        assert_eq!(info(&twice), None, "{twice}");
    }
}

/// C14.
#[test]
fn debug_output_of_an_ask_has_no_path_and_no_query() {
    let url = r#"{"method":"elicitation/create","params":{"mode":"url","message":"m","url":"https://a.example/hush?t=hush"}}"#;
    let mut flow = after(flow(), &asks(&[("u", url)], None));
    round(&mut flow, 0);
    let ask = asked(&mut flow, 0);
    let shown = format!("{ask:?} {:?}", ask.url);
    assert!(
        shown.contains("a.example") && !shown.contains("hush"),
        "{shown}"
    );
}

/// C13.
#[test]
fn one_lane_for_dialogs_in_the_order_of_the_text() {
    let result = asks(
        &[("r", ROOTS), ("a", FORM), ("b", FORM), ("s", SAMPLING)],
        None,
    );
    let shown = |order| {
        let mut flow = after(flow_with(ClientOptions { order, ..options() }), &result);
        round(&mut flow, 0);
        let mut keys = String::new();
        while let Event::Ask(ask) = flow.next(0) {
            keys.push_str(ask.key.to_str().unwrap());
        }
        keys
    };
    assert_eq!(shown(Order::Default), "ras");
    assert_eq!(shown(Order::Serial), "r");
    assert_eq!(shown(Order::Concurrent), "rabs");
}

/// C3.
#[test]
fn notes_come_before_the_round_they_are_about() {
    let odd = FORM.replace("\"boolean\"", "\"boolean\",\"x-y\":1,\"default\":\"no\"");
    let mut flow = after(flow(), &asks(&[("a", odd.as_str())], None));
    let Event::Note {
        key: Some(about), ..
    } = flow.next(0)
    else {
        panic!("a note is due")
    };
    assert_eq!(about, key("a"));
    while !matches!(flow.next(0), Event::Round { n: 1, asks: 1 }) {}
    asked(&mut flow, 0);
    let mut flow = after(
        client(options())
            .begin("tools/call", CALL, None, 0)
            .unwrap(),
        "{}",
    );
    assert!(matches!(flow.next(0), Event::Note { key: None, .. }));
    assert!(ended(&mut flow, 0).end.is_ok());
}

/// J4.
#[test]
fn a_server_cannot_make_notes_grow_beyond_its_text() {
    let strange: Vec<_> = (0..50_000).map(|n| format!("\"x{n}\":0")).collect();
    let name = "n".repeat(1 << 20);
    let schema = format!(r#"{{"{name}":{{"type":"string",{}}}}}"#, strange.join(","));
    let ask = FORM
        .replace(r#"{"ok":{"type":"boolean"}}"#, &schema)
        .replace(r#""required":["ok"]"#, r#""x":0"#);
    let mut flow = after(flow(), &asks(&[("a", ask.as_str())], None));
    let mut notes = 0;
    while let Event::Note { .. } = flow.next(0) {
        notes += 1;
    }
    assert!((1..=16).contains(&notes), "{notes} notes");
    assert_eq!(asked(&mut flow, 0).key, key("a"));
}

/// L2, J4: the pages of an older server are a round, within the limits of one.
#[test]
fn an_older_server_cannot_ask_for_more_pages_than_a_round_may_have() {
    let answered = |limits: Limits, error: &str| {
        let mut flow = flow_with(ClientOptions {
            protocol_version: "2025-11-25".into(),
            limits,
            ..options()
        });
        let (leg, ..) = sent(&mut flow, 0);
        flow.deliver_error(leg, error, 0).unwrap();
        flow
    };
    let error = |pages: usize, id: &str| {
        let page = |n| {
            format!(
                r#"{{"mode":"url","message":"Pay","url":"https://pay.example/","elicitationId":"{id}{n}"}}"#
            )
        };
        let pages: Vec<_> = (0..pages).map(page).collect();
        let pages = pages.join(",");
        format!(r#"{{"code":-32042,"message":"open","data":{{"elicitations":[{pages}]}}}}"#)
    };
    let limits = Limits::default();
    let long = "k".repeat(limits.key_bytes);
    for text in [error(65, "e"), error(1, &long)] {
        let end = ended(&mut answered(limits, &text), 0).end;
        assert_eq!(end.expect_err("too large").code(), Code::TooLarge);
    }
    // An error of just the allowed length is within it, however often its ids are written down.
    for text in [error(64, "e"), error(1, &long)] {
        let exact = Limits {
            message_bytes: text.len(),
            key_bytes: limits.key_bytes + 1,
            ..limits
        };
        let mut flow = answered(exact, &text);
        // In that era a page has an id: nothing is noted about it.
        assert!(matches!(flow.next(0), Event::Round { n: 1, .. }));
    }
}
