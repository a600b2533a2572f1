//! Results read (C1, C2, J2) and written (B1).

use mrtr::json::{Key, Limits, Raw};
use mrtr::protocol::{Code, Outcome, read_result, write_input_required};

fn raw(text: &str) -> Raw<'_> {
    Raw::parse(text, &Limits::default()).unwrap()
}

/// `complete`, `extension`, `asks/state` or `invalid at`, with the number of notes.
fn told(method: &str, text: &str, strict: bool) -> String {
    match read_result(method, raw(text), strict, &["task"]) {
        Ok(Outcome::Complete { notes }) => format!("complete {}", notes.len()),
        Ok(Outcome::Extension { name }) => format!("extension {name}"),
        Ok(Outcome::InputRequired { asks, state, notes }) => {
            let asks = asks.map_or(0, |asks| asks.len());
            format!(
                "asks {asks} state {} {}",
                state.map_or("-", |s| s.token()),
                notes.len()
            )
        }
        Err(error) => {
            assert_eq!(error.code(), Code::InvalidResult, "{text}");
            assert_eq!(error.raw(), Some(text));
            format!("invalid {}", error.at().unwrap())
        }
    }
}

#[test]
fn reading() {
    let cases = [
        (r#"{"resultType":"complete"}"#, "complete 0"),
        (
            r#"{"resultType":"complete","inputRequests":{"a":1},"requestState":7}"#,
            "complete 0",
        ),
        (r#"{"content":[]}"#, "complete 1"),
        (
            r#"{"inputRequests":null,"requestState":null}"#,
            "complete 1",
        ),
        (r#"{"content":[],"requestState":"s"}"#, "invalid "),
        (r#"{"inputRequests":{}}"#, "invalid "),
        (r#"{"resultType":"task","taskId":"t"}"#, "extension task"),
        (r#"{"resultType":"Task"}"#, "invalid /resultType"),
        (
            r#"{"resultType":"Input_Required","requestState":"s"}"#,
            "invalid /resultType",
        ),
        (r#"{"resultType":null}"#, "invalid /resultType"),
        (r#"{"resultType":["complete"]}"#, "invalid /resultType"),
        (
            r#"{"resultType":"input\u005frequired","requestState":"s"}"#,
            "asks 0 state \"s\" 0",
        ),
        (
            r#"{"resultType":"input_required","requestState":""}"#,
            "asks 0 state \"\" 0",
        ),
        (
            r#"{"resultType":"input_required","inputRequests":{"a":1,"b":2}}"#,
            "asks 2 state - 0",
        ),
        (
            r#"{"resultType":"input_required","inputRequests":{},"requestState":"s"}"#,
            "asks 0 state \"s\" 0",
        ),
        (
            r#"{"resultType":"input_required","inputRequests":null,"requestState":"s"}"#,
            "asks 0 state \"s\" 1",
        ),
        (
            r#"{"resultType":"input_required","inputRequests":{"a":1},"requestState":null}"#,
            "asks 1 state - 1",
        ),
        (r#"{"resultType":"input_required"}"#, "invalid "),
        (
            r#"{"resultType":"input_required","inputRequests":{}}"#,
            "invalid ",
        ),
        (
            r#"{"resultType":"input_required","inputRequests":null,"requestState":null}"#,
            "invalid ",
        ),
        (
            r#"{"resultType":"input_required","inputRequests":[1]}"#,
            "invalid /inputRequests",
        ),
        (
            r#"{"resultType":"input_required","inputRequests":{"a":1},"requestState":5}"#,
            "invalid /requestState",
        ),
        (
            r#"{"resultType":"input_required","requestState":"a","requestState":"b"}"#,
            "invalid ",
        ),
        (
            r#"{"resultType":"input_required","inputRequests":{"a":1,"\u0061":1}}"#,
            "invalid /inputRequests",
        ),
        ("[]", "invalid "),
        ("null", "invalid "),
    ];
    for (text, expected) in cases {
        assert_eq!(told("tools/call", text, false), expected, "{text}");
    }
    let ask = r#"{"resultType":"input_required","requestState":"s"}"#;
    assert_eq!(told("tools/list", ask, false), "invalid /resultType");
    assert_eq!(
        told("tools/list", r#"{"resultType":"complete"}"#, false),
        "complete 0"
    );
    assert!(read_result("tools/call", raw(r#"{"resultType":"task"}"#), false, &[]).is_err());
}

#[test]
fn strict_refuses_what_is_noted() {
    let cases = [
        (r#"{"resultType":"complete"}"#, "complete 0"),
        (r#"{"content":[]}"#, "invalid "),
        (
            r#"{"resultType":"input_required","inputRequests":null,"requestState":"s"}"#,
            "invalid /inputRequests",
        ),
        (
            r#"{"resultType":"input_required","inputRequests":{"a":1},"requestState":null}"#,
            "invalid /requestState",
        ),
        (
            r#"{"resultType":"input_required","inputRequests":{},"requestState":"s"}"#,
            "asks 0 state \"s\" 0",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(told("tools/call", text, true), expected, "{text}");
    }
}

#[test]
fn writing() {
    let asks = [
        (Key::from("a\"\n"), "{\r\n\"method\": \"roots/list\"}"),
        (Key::from(""), "1"),
    ];
    assert_eq!(
        write_input_required(&asks, Some("t\\")).unwrap(),
        r#"{"resultType":"input_required","inputRequests":{"a\"\n":{"method": "roots/list"},"":1},"requestState":"t\\"}"#
    );
    let state_only = write_input_required(&[], Some("")).unwrap();
    assert_eq!(
        state_only,
        r#"{"resultType":"input_required","requestState":""}"#
    );
    let asks_only = write_input_required(&asks[1..], None).unwrap();
    assert_eq!(
        asks_only,
        r#"{"resultType":"input_required","inputRequests":{"":1}}"#
    );
    assert_eq!(
        write_input_required(&[], None).unwrap_err().code(),
        Code::EmptyResult
    );
    let twice = [
        (Key::from("k"), "1"),
        (Key::from("l"), "1"),
        (Key::from("k"), "2"),
    ];
    let error = write_input_required(&twice, None).unwrap_err();
    assert_eq!(
        (error.code(), error.key()),
        (Code::DuplicateKey, Some(&Key::from("k")))
    );
    let lone = [(Key::from_wtf8(&[0xED, 0xA0, 0x80]).unwrap(), "1")];
    assert!(
        write_input_required(&lone, None)
            .unwrap()
            .contains(r#"{"\ud800":1}"#)
    );
}
