//! Answers held against their asks, by the server (X2-X5, D15, D17) and by the client (C9, D3).

mod protocol_kit;

use mrtr::protocol::answer::{cancelled, declined};
use mrtr::protocol::{Answer, Code};
use protocol_kit::answers::*;

#[test]
fn actions_are_exact() {
    let ask = form("", "");
    for (text, wanted) in [
        (r#"{"action":"accept"}"#, accepted("{}")),
        (r#"{"action":"\u0061ccept"}"#, accepted("{}")),
        (r#"{"action":"accept","content":null}"#, accepted("{}")),
        (r#"{"action":"decline"}"#, Answer::Declined),
        (r#"{"action":"decline","content":7}"#, Answer::Declined),
        (
            r#"{"action":"cancel","content":{"a":1}}"#,
            Answer::Cancelled,
        ),
        ("null", Answer::Missing),
    ] {
        assert_eq!(answer(&ask, text), wanted, "{text}");
    }
    for text in [
        "{}",
        "[]",
        "7",
        "true",
        "\"accept\"",
        r#"[{"action":"accept"}]"#,
        r#"{"action":"Accept"}"#,
        r#"{"action":"accept "}"#,
        r#"{"action":null}"#,
        r#"{"action":["accept"]}"#,
        r#"{"Action":"accept"}"#,
        r#"{"action":"accept","action":"accept"}"#,
        r#"{"action":"accept","content":[]}"#,
        r#"{"action":"accept","content":"x"}"#,
        r#"{"action":"decline","x":{"a":1,"a":1}}"#,
        r#"{"method":"elicitation/create","result":{"action":"accept"}}"#,
    ] {
        assert!(is_invalid(&answer(&ask, text)), "{text}");
        assert!(
            is_invalid(&answer(URL, text)) || text.contains("content"),
            "{text}"
        );
    }
}

#[test]
fn a_url_accepted_is_consent_whatever_stands_beside() {
    for text in [
        r#"{"action":"accept"}"#,
        r#"{"action":"accept","content":[1]}"#,
        r#"{"action":"accept","content":null}"#,
    ] {
        assert_eq!(answer(URL, text), accepted(""), "{text}");
    }
    assert_eq!(answer(URL, r#"{"action":"decline"}"#), Answer::Declined);
    for value in ["{}", "null", "[1]", r#"{"a":1,"a":1}"#] {
        assert_eq!(
            entry(URL, value),
            Ok((r#"{"action":"accept"}"#.to_string(), false)),
            "{value}"
        );
    }
}

#[test]
fn types_are_not_coerced() {
    for (kind, good, bad) in [
        (
            "integer",
            &[
                "3",
                "-7",
                "0",
                "-0",
                "3.0",
                "3e0",
                "1e2",
                "30e-1",
                "12e400",
                "123456789012345678901234567890",
            ][..],
            &[
                "3.5", "\"3\"", "true", "null", "[3]", "{}", "1e-1", "1e-400",
            ][..],
        ),
        (
            "number",
            &["1.5", "3", "-0.25", "1e400", "-2E-400"],
            &["\"1.5\"", "true", "null", "[1]", "\"NaN\""],
        ),
        (
            "boolean",
            &["true", "false"],
            &["\"true\"", "0", "1", "null", "[]", "\"\""],
        ),
        (
            "string",
            &["\"x\"", "\"\"", "\"5\"", "\"\\u0000\"", "\"\\ud800\""],
            &["5", "true", "null", "[\"x\"]", "{}"],
        ),
    ] {
        let property = format!(r#""type":"{kind}""#);
        assert!(good.iter().all(|value| fits(&property, value)), "{kind}");
        assert!(!bad.iter().any(|value| fits(&property, value)), "{kind}");
    }
}

#[test]
fn lengths_are_code_points() {
    let two_or_three = r#""type":"string","minLength":2,"maxLength":3"#;
    for value in [
        "ab",
        "abc",
        "😀😀",
        r"\ud83d\ude00\ud83d\ude00\ud83d\ude00",
        "e\u{301}",
        r"\n\n",
        r"\ud83da",
    ] {
        assert!(fits(two_or_three, &format!("\"{value}\"")), "{value}");
    }
    for value in ["", "a", "abcd", "😀", r"\ud83d\ude00", "é", r"\u00e9"] {
        assert!(!fits(two_or_three, &format!("\"{value}\"")), "{value}");
    }
}

#[test]
fn bounds_are_exact() {
    let property = r#""type":"number","minimum":-1.5,"maximum":9007199254740992"#;
    for (value, good) in [
        ("-1.50", true),
        ("-15e-1", true),
        ("-1.5000000000000000001", false),
        ("9007199254740993", false),
        ("9007199254740992.0", true),
        ("1e400", false),
        ("-1e400", false),
    ] {
        assert_eq!(fits(property, value), good, "{value}");
    }
    assert!(fits(
        r#""type":"number","minimum":0.1"#,
        "0.1000000000000000055"
    ));
    assert!(fits(r#""type":"number","maximum":1e400"#, "9.99e399"));
}

#[test]
fn values_of_an_enum_count_not_its_titles() {
    for property in [
        r#""type":"string","enum":["r","g"],"enumNames":["Red","Green"]"#,
        r#""type":"string","oneOf":[{"const":"r","title":"Red"},{"const":"g","title":"Green"}]"#,
    ] {
        for (value, good) in [
            ("\"r\"", true),
            ("\"\\u0072\"", true),
            ("\"Red\"", false),
            ("\"R\"", false),
            ("\"r \"", false),
            ("null", false),
            ("[\"r\"]", false),
            ("0", false),
        ] {
            assert_eq!(fits(property, value), good, "{property} {value}");
        }
    }
    for items in [
        r#"{"type":"string","enum":["r","g"]}"#,
        r#"{"anyOf":[{"const":"r","title":"Red"},{"const":"g","title":"Green"}]}"#,
    ] {
        let property = format!(r#""type":"array","items":{items},"minItems":1,"maxItems":2"#);
        for (value, good) in [
            (r#"["r"]"#, true),
            (r#"["g","r"]"#, true),
            (r#"["r","r"]"#, true),
            ("[]", false),
            (r#"["r","g","r"]"#, false),
            (r#"["Red"]"#, false),
            (r#"["r",null]"#, false),
            (r#"[["r"]]"#, false),
            ("\"r\"", false),
            (r#"{"0":"r"}"#, false),
        ] {
            assert_eq!(fits(&property, value), good, "{property} {value}");
        }
    }
}

#[test]
fn formats() {
    for (format, good, bad) in [
        (
            "email",
            &[
                "user@example.com",
                "first.last+tag@mail.example.org",
                "a@localhost",
            ][..],
            &[
                "",
                "x",
                "@example.com",
                "user@",
                "us er@example.com",
                "user@@example.com",
                "Me <me@example.com>",
                r"a@b.example\ud800",
            ][..],
        ),
        (
            "uri",
            &[
                "https://example.com/a?b=c#d",
                "mailto:user@example.com",
                "urn:example:a:b",
                "file:///a/b",
                "x:",
            ],
            &[
                "",
                "/rel",
                "not a uri",
                "https://exa mple.com/",
                "example.com/a",
                "https://a.example/<",
                "https://a.example/%zz",
                "https://ä.example/",
            ],
        ),
        (
            "date",
            &["2026-02-28", "2024-02-29", "0000-01-01"],
            &[
                "",
                "2026-02-30",
                "2023-02-29",
                "2026-13-01",
                "2026-00-10",
                "2026-1-1",
                "2026-02-28T00:00:00Z",
                "tomorrow",
                "+026-01-01",
                "2026/01/01",
                "２026-01",
            ],
        ),
        (
            "date-time",
            &[
                "2026-07-28T12:00:00Z",
                "2026-07-28T12:00:00.123+02:00",
                "2026-07-28t12:00:00z",
                "2026-07-28T12:00:00-23:59",
            ],
            &[
                "",
                "2026-07-28T12:00:00",
                "2026-07-28",
                "2026-02-30T00:00:00Z",
                "2026-07-28T25:00:00Z",
                "12:00:00Z",
                "2026-07-28 12:00:00Z",
                "2026-07-28T12:00Z",
            ],
        ),
    ] {
        let property = format!(r#""type":"string","format":"{format}""#);
        for value in good {
            assert!(fits(&property, &format!("\"{value}\"")), "{format} {value}");
        }
        for value in bad {
            assert!(
                !fits(&property, &format!("\"{value}\"")),
                "{format} {value}"
            );
        }
    }
}

#[test]
fn defaults_fill_what_is_absent_and_nothing_else() {
    let ask = form(
        r#""n":{"type":"integer","default":5.0},"b":{"type":"boolean"},"e":{"type":"string","enum":["x","y"],"default":"y"}"#,
        r#""n","e""#,
    );
    for (content, filled) in [
        ("{}", r#"{"n":5.0,"e":"y"}"#),
        (r#"{"e":"x"}"#, r#"{"e":"x","n":5.0}"#),
        (r#"{ "b":false , "n":0 }"#, r#"{"b":false,"n":0,"e":"y"}"#),
    ] {
        assert_eq!(
            answer(
                &ask,
                &format!(r#"{{"action":"accept","content":{content}}}"#)
            ),
            accepted(filled)
        );
        assert_eq!(
            entry(&ask, content),
            Ok((
                format!(r#"{{"action":"accept","content":{filled}}}"#),
                false
            ))
        );
    }
    assert_eq!(
        answer(&ask, r#"{"action":"accept"}"#),
        accepted(r#"{"n":5.0,"e":"y"}"#)
    );
    assert!(is_invalid(&answer(
        &ask,
        r#"{"action":"accept","content":{"n":null}}"#
    )));
    assert_eq!(
        answer(&ask, r#"{"action":"decline","content":{}}"#),
        Answer::Declined
    );
}

#[test]
fn members_that_the_form_does_not_know() {
    let ask = form(r#""n":{"type":"string"}"#, "\"n\"");
    let content = r#"{"N":null,"n":"\u0078\/","x":{"deep":[3.0,1e2]}}"#;
    let given = format!(r#"{{"action":"accept","content":{content},"_meta":null}}"#);
    assert_eq!(answer(&ask, &given), accepted(r#"{"n":"\u0078\/"}"#));
    assert_eq!(
        entry(&ask, content),
        Ok((
            format!(r#"{{"action":"accept","content":{content}}}"#),
            true
        ))
    );
    for twice in [
        r#"{"n":"x","n":"y"}"#,
        r#"{"n":"x","\u006e":"y"}"#,
        r#"{"n":"x","z":{"a":1,"a":1}}"#,
    ] {
        assert_eq!(entry(&ask, twice), Err(Code::HandlerFailed), "{twice}");
        assert!(is_invalid(&answer(
            &ask,
            &format!(r#"{{"action":"accept","content":{twice}}}"#)
        )));
    }
    for value in ["null", "[]", "\"x\"", r#"{"roots":[]}"#] {
        assert_eq!(entry(&ask, value), Err(Code::HandlerFailed), "{value}");
    }
}

#[test]
fn reasons_name_the_spot_and_no_value() {
    let ask = form(r#""a/b":{"type":"integer"},"n":{"type":"string"}"#, "\"n\"");
    let got = answer(&ask, r#"{"action":"accept","content":{"a/b":"s3cr3t"}}"#);
    let Answer::Invalid(reasons) = got else {
        panic!("{got:?}")
    };
    assert_eq!(
        reasons,
        [
            "/content/a~1b: expected an integer",
            "/content/n: is required"
        ]
    );
}

#[test]
fn answers_are_one_line() {
    let ask = form(r#""n":{"type":"string"}"#, "");
    assert_eq!(
        answer(
            &ask,
            "{\"action\":\"accept\",\"content\":{\n\"n\":\r\n \"a\\nb\"}}"
        ),
        accepted(r#"{"n": "a\nb"}"#)
    );
    assert_eq!(
        answer(ROOTS, "{\"roots\":\n[]}"),
        accepted(r#"{"roots":[]}"#)
    );
    assert_eq!(
        (declined(), cancelled()),
        (r#"{"action":"decline"}"#, r#"{"action":"cancel"}"#)
    );
}

#[test]
fn debug_output_has_no_content() {
    let ask = form(r#""a":{"type":"string"}"#, "");
    let accepted = answer(&ask, r#"{"action":"accept","content":{"a":"hush"}}"#);
    assert!(matches!(&accepted, Answer::Accepted(content) if content.contains("hush")));
    assert!(!format!("{accepted:?}").contains("hush"));
}
