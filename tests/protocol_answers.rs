//! Answers held against their asks, by the server (X2-X5, D15, D17) and by the client (C9, D3).

use mrtr::json::{Limits, Raw};
use mrtr::protocol::answer::{cancelled, check_value, declined, read};
use mrtr::protocol::{Answer, Ask, AuthorRules, Code, ReceiveRules};

fn raw(text: &str) -> Raw<'_> {
    Raw::parse(text, &Limits::default()).expect("JSON")
}

/// What a server makes of an entry.
fn answer(ask: &str, entry: &str) -> Answer {
    let (ask, _) = Ask::author(raw(ask), &AuthorRules::default()).expect(ask);
    read(&ask, raw(entry))
}

/// The entry that a client sends for a value, and whether there is a note on it.
fn entry(ask: &str, value: &str) -> Result<(String, bool), Code> {
    let (ask, _) = Ask::receive(raw(ask), &ReceiveRules::default()).expect(ask);
    check_value(&ask, raw(value))
        .map(|(entry, notes)| (entry, !notes.is_empty()))
        .map_err(|error| error.code())
}

fn form(properties: &str, required: &str) -> String {
    format!(
        r#"{{"method":"elicitation/create","params":{{"message":"m","requestedSchema":{{"type":"object","properties":{{{properties}}},"required":[{required}]}}}}}}"#
    )
}

const URL: &str = r#"{"method":"elicitation/create","params":{"mode":"url","message":"m","url":"https://a.example/"}}"#;
const ROOTS: &str = r#"{"method":"roots/list"}"#;

fn sampling(more: &str) -> String {
    format!(
        r#"{{"method":"sampling/createMessage","params":{{"messages":[{{"role":"user","content":{{"type":"text","text":"t"}}}}],"maxTokens":9{more}}}}}"#
    )
}

fn accepted(content: &str) -> Answer {
    Answer::Accepted(content.to_string())
}

fn is_invalid(answer: &Answer) -> bool {
    matches!(answer, Answer::Invalid(reasons) if !reasons.is_empty())
}

/// May a field of this kind have this value?
fn fits(property: &str, value: &str) -> bool {
    let ask = form(&format!(r#""v":{{{property}}}"#), "\"v\"");
    let content = format!(r#"{{"v":{value}}}"#);
    let got = answer(
        &ask,
        &format!(r#"{{"action":"accept","content":{content}}}"#),
    );
    let sent = entry(&ask, &content);
    // Both halves judge alike, and neither rewrites the value.
    assert_eq!(
        sent.is_ok(),
        got == accepted(&content),
        "{property} {value}"
    );
    assert_eq!(sent.is_err(), is_invalid(&got), "{property} {value}");
    sent.is_ok()
}

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
fn sampling_answers() {
    let text = r#"{"type":"text","text":"t"}"#;
    let tool = r#"{"type":"tool_use","id":"1","name":"n","input":{}}"#;
    let whole =
        |content: &str| format!(r#"{{"role":"assistant","content":{content},"model":"m"}}"#);
    let plain = sampling("");
    for content in [
        text,
        "[]",
        &format!("[{text},{text}]"),
        r#"{"type":"image","data":"aGk=","mimeType":"image/png","x":1}"#,
        r#"{"type":"audio","data":"aGk=","mimeType":"audio/wav"}"#,
    ] {
        let given = whole(content);
        assert_eq!(answer(&plain, &given), accepted(&given), "{content}");
        assert_eq!(
            entry(&plain, &given),
            Ok((given.clone(), false)),
            "{content}"
        );
    }
    for offered in [
        sampling(r#","tools":[]"#),
        sampling(r#","toolChoice":{"mode":"auto"}"#),
    ] {
        assert_eq!(
            answer(&offered, &whole(&format!("[{text},{tool}]"))),
            accepted(&whole(&format!("[{text},{tool}]")))
        );
        assert_eq!(answer(&offered, &whole(text)), accepted(&whole(text)));
    }
    let bad = [
        whole(&format!("[{tool}]")),
        whole(tool),
        whole("\"t\""),
        whole("null"),
        whole("7"),
        whole("[7]"),
        whole(r#"{"type":"text"}"#),
        whole(r#"{"type":"Text","text":"t"}"#),
        whole(r#"{"type":"video","data":"","mimeType":""}"#),
        whole(text).replace("assistant", "user"),
        whole(text).replace("assistant", "Assistant"),
        whole(text).replace("\"m\"", "7"),
        format!(r#"{{"role":"assistant","content":{text}}}"#),
        r#"{"role":"assistant","model":"m"}"#.to_string(),
        r#"{"action":"decline"}"#.to_string(),
        whole(text).replace("\"model\"", "\"role\":\"assistant\",\"model\""),
        "[]".to_string(),
    ];
    for given in bad {
        assert!(is_invalid(&answer(&plain, &given)), "{given}");
        assert_eq!(entry(&plain, &given), Err(Code::HandlerFailed), "{given}");
    }
    assert_eq!(answer(&plain, "null"), Answer::Missing);
}

#[test]
fn roots_answers() {
    for given in [
        r#"{"roots":[]}"#,
        r#"{"roots":[{"uri":"file:///home/user"}]}"#,
        r#"{"_meta":{},"roots":[{"name":"B","uri":"file:///b%20c/","x":[]}],"note":1}"#,
    ] {
        assert_eq!(answer(ROOTS, given), accepted(given));
        assert_eq!(entry(ROOTS, given), Ok((given.to_string(), false)));
    }
    for given in [
        "[]",
        "{}",
        r#"{"Roots":[]}"#,
        r#"{"roots":null}"#,
        r#"{"roots":{}}"#,
        r#"{"roots":[7]}"#,
        r#"{"roots":["file:///a"]}"#,
        r#"{"roots":[{"name":"n"}]}"#,
        r#"{"roots":[{"uri":5}]}"#,
        r#"{"roots":[{"uri":"https://a.example/"}]}"#,
        r#"{"roots":[{"uri":"file:relative"}]}"#,
        r#"{"roots":[{"uri":"file:///a\n"}]}"#,
        r#"{"roots":[{"uri":"file:///\ud800"}]}"#,
        r#"{"roots":[{"uri":"file:///a","name":7}]}"#,
        r#"{"roots":[{"uri":"file:///a"},{"uri":"/b"}]}"#,
        r#"{"roots":[],"roots":[]}"#,
        r#"{"action":"accept","content":{}}"#,
    ] {
        assert!(is_invalid(&answer(ROOTS, given)), "{given}");
        assert_eq!(entry(ROOTS, given), Err(Code::HandlerFailed), "{given}");
    }
}

/// Many fields and many choices cost time in proportion: names are hashed, not compared in pairs.
#[test]
fn long_forms_are_judged_like_short_ones() {
    let count = 20_000;
    let fields: Vec<_> = (0..count)
        .map(|i| format!(r#""f{i}":{{"type":"integer"}}"#))
        .collect();
    let content: Vec<_> = (0..count).map(|i| format!(r#""f{i}":{i}"#)).collect();
    let ask = form(&fields.join(","), &format!("\"f{}\"", count - 1));
    let content = format!("{{{}}}", content.join(","));
    assert_eq!(
        answer(
            &ask,
            &format!(r#"{{"action":"accept","content":{content}}}"#)
        ),
        accepted(&content)
    );
    let options: Vec<_> = (0..count).map(|i| format!("\"{i}\"")).collect();
    let property = format!(
        r#""type":"array","items":{{"type":"string","enum":[{}]}}"#,
        options.join(",")
    );
    assert!(fits(&property, &format!("[{}]", options.join(","))));
    assert!(!fits(&property, r#"["20000"]"#));
}
