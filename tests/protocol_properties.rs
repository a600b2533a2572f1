//! Properties of asks and answers over schemas and values made at random (B4, X4, C9, D2).

use mrtr::json::{Limits, Raw};
use mrtr::protocol::answer::{check_value, read};
use mrtr::protocol::{Answer, Ask, AuthorRules, ReceiveRules};
use proptest::prelude::*;

fn raw(text: &str) -> Raw<'_> {
    Raw::parse(text, &Limits::default()).expect("JSON")
}

/// Values that fields may or may not have.
fn value() -> impl Strategy<Value = String> {
    let scalar = prop::sample::select(vec![
        "null",
        "true",
        "false",
        "0",
        "-1",
        "2.0",
        "2.5",
        "3e0",
        "1e400",
        "\"\"",
        "\"a\"",
        "\"\\u0061\"",
        "\"abc\"",
        "\"😀😀\"",
        "\"\\ud800\"",
        "\"2026-02-28\"",
        "\"a@b.example\"",
        "{}",
        "{\"a\":1}",
        "{\"a\":1,\"a\":1}",
    ])
    .prop_map(str::to_string);
    let list = prop::collection::vec(scalar.clone(), 0..3)
        .prop_map(|list| format!("[{}]", list.join(",")));
    prop_oneof![4 => scalar, 1 => list]
}

/// A keyword with a value that often, but not always, makes sense.
fn keyword() -> impl Strategy<Value = String> {
    let sensible = prop::sample::select(vec![
        r#""title":"T""#,
        r#""minLength":1"#,
        r#""maxLength":2"#,
        r#""minLength":2.0"#,
        r#""format":"date""#,
        r#""format":"email""#,
        r#""minimum":0"#,
        r#""maximum":2.5"#,
        r#""minimum":3"#,
        r#""enum":["a","abc"]"#,
        r#""enumNames":["A","B"]"#,
        r#""oneOf":[{"const":"a","title":"A"}]"#,
        r#""items":{"type":"string","enum":["a",""]}"#,
        r#""items":{"anyOf":[{"const":"a","title":"A"}]}"#,
        r#""minItems":1"#,
        r#""maxItems":1"#,
    ])
    .prop_map(str::to_string);
    let name = prop::sample::select(vec![
        "minLength",
        "maximum",
        "enum",
        "items",
        "title",
        "default",
        "x-y",
    ]);
    let odd = (name, value()).prop_map(|(name, value)| format!("\"{name}\":{value}"));
    prop_oneof![6 => sensible, 1 => odd]
}

fn property() -> impl Strategy<Value = String> {
    let kinds = vec!["string", "number", "integer", "boolean", "array", "object"];
    let default = prop::option::of(value());
    (
        prop::sample::select(kinds),
        prop::collection::vec(keyword(), 0..3),
        default,
    )
        .prop_map(|(kind, words, default)| {
            let default = default
                .map(|value| format!(",\"default\":{value}"))
                .unwrap_or_default();
            let words: String = words.iter().map(|word| format!(",{word}")).collect();
            format!("{{\"type\":\"{kind}\"{words}{default}}}")
        })
}

fn members<S: Strategy<Value = String>>(values: S) -> impl Strategy<Value = String> {
    let name = prop::sample::select(vec!["a", "b", "c", "\\u0061", "", "d"]);
    prop::collection::vec((name, values), 0..4).prop_map(|list| {
        let list: Vec<_> = list
            .iter()
            .map(|(name, value)| format!("\"{name}\":{value}"))
            .collect();
        format!("{{{}}}", list.join(","))
    })
}

fn form() -> impl Strategy<Value = String> {
    let required = prop::collection::vec(prop::sample::select(vec!["\"a\"", "\"b\""]), 0..2);
    (members(property()), required).prop_map(|(properties, required)| {
        let required = required.join(",");
        format!(
            r#"{{"method":"elicitation/create","params":{{"message":"m","requestedSchema":{{"type":"object","properties":{properties},"required":[{required}]}}}}}}"#
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// What may be written is received without a note, and is the same question.
    #[test]
    fn authored_asks_are_received(text in form()) {
        if let Ok((authored, _)) = Ask::author(raw(&text), &AuthorRules::default()) {
            let (received, notes) = Ask::receive(raw(&text), &ReceiveRules::default()).expect("received");
            prop_assert!(notes.is_empty(), "{notes:?}");
            prop_assert_eq!(authored.kind(), received.kind());
            prop_assert_eq!(authored.digest(), received.digest());
        }
    }

    /// Both halves judge a value alike; accepted content is complete: read again, it stays as it is.
    #[test]
    fn both_halves_judge_alike(text in form(), content in members(value())) {
        let Ok((ask, _)) = Ask::receive(raw(&text), &ReceiveRules::default()) else { return Ok(()) };
        let entry = |content: &str| format!(r#"{{"action":"accept","content":{content}}}"#);
        let got = read(&ask, raw(&entry(&content)));
        let sent = check_value(&ask, raw(&content));
        match got {
            Answer::Accepted(first) => {
                let (sent, _) = sent.expect("the client sends what the server takes");
                prop_assert_eq!(read(&ask, raw(&sent)), Answer::Accepted(first.clone()));
                prop_assert_eq!(read(&ask, raw(&entry(&first))), Answer::Accepted(first));
            }
            Answer::Invalid(reasons) => {
                prop_assert!(!reasons.is_empty());
                prop_assert!(sent.is_err());
            }
            other => prop_assert!(false, "{other:?}"),
        }
    }
}
