//! Asks as a client gets them: tolerant where nothing is at stake (C3, D2).

use mrtr::json::{Limits, Raw};
use mrtr::protocol::{Ask, Code, Kind, ReceiveRules};

/// Pointers of the notes on an ask that is shown.
fn notes(text: &str) -> Vec<String> {
    let raw = Raw::parse(text, &Limits::default()).expect("JSON");
    let (_, notes) = Ask::receive(raw, &ReceiveRules::default()).expect(text);
    notes.into_iter().map(|note| note.at).collect()
}

fn refused(text: &str) -> bool {
    let raw = Raw::parse(text, &Limits::default()).expect("JSON");
    let result = Ask::receive(raw, &ReceiveRules::default());
    result.is_err_and(|error| {
        assert_eq!(error.code(), Code::InvalidResult);
        true
    })
}

fn elicitation(params: &str) -> String {
    format!(r#"{{"method":"elicitation/create","params":{{"message":"m",{params}}}}}"#)
}

fn schema(members: &str) -> String {
    elicitation(&format!(r#""requestedSchema":{{{members}}}"#))
}

fn property(members: &str) -> String {
    schema(&format!(
        r#""type":"object","properties":{{"v":{{{members}}}}}"#
    ))
}

#[test]
fn asks_that_are_shown_to_nobody() {
    for text in [
        "null",
        "7",
        "[]",
        "{}",
        r#"{"method":"ping"}"#,
        r#"{"method":"roots/list","method":"roots/list"}"#,
        r#"{"method":"roots/list","params":{"_meta":{"a":1,"a":1}}}"#,
        r#"{"method":"roots/list","params":7}"#,
        r#"{"method":"elicitation/create"}"#,
        r#"{"method":"elicitation/create","params":null}"#,
        r#"{"method":"elicitation/create","params":{"requestedSchema":{"type":"object","properties":{}}}}"#,
        r#"{"method":"sampling/createMessage"}"#,
        r#"{"method":"sampling/createMessage","params":{"maxTokens":1}}"#,
        r#"{"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"t"}}]}}"#,
        r#"{"method":"sampling/createMessage","params":{"messages":[7],"maxTokens":1}}"#,
    ] {
        assert!(refused(text), "{text}");
    }
    for params in [
        r#""mode":"","requestedSchema":{"type":"object","properties":{}}"#,
        r#""mode":"qr","requestedSchema":{"type":"object","properties":{}}"#,
        r#""mode":"Form","requestedSchema":{"type":"object","properties":{}}"#,
        r#""mode":7,"requestedSchema":{"type":"object","properties":{}}"#,
        r#""mode":"form""#,
        r#""mode":"url""#,
        r#""url":"https://a.example/""#,
        r#""requestedSchema":[]"#,
    ] {
        assert!(refused(&elicitation(params)), "{params}");
    }
}

#[test]
fn forms_that_cannot_be_answered() {
    for members in [
        r#""type":"array","properties":{}"#,
        r#""type":"object","properties":[]"#,
        r#""type":"object","properties":{"v":"string"}"#,
        r#""type":"object","properties":{},"required":["v"]"#,
        r#""type":"object","properties":{"v":{"type":"string"}},"required":["v",7]"#,
    ] {
        assert!(refused(&schema(members)), "{members}");
    }
    for members in [
        "",
        r##""$ref":"#/x""##,
        r#""type":"object","properties":{}"#,
        r#""type":["string","null"]"#,
        r#""type":"string","enum":[]"#,
        r#""type":"string","enum":"a""#,
        r#""type":"string","enum":["a",7]"#,
        r#""type":"string","oneOf":[]"#,
        r#""type":"string","oneOf":[{"title":"A"}]"#,
        r#""type":"string","minLength":3,"maxLength":2"#,
        r#""type":"integer","minimum":5,"maximum":4"#,
        r#""type":"integer","minimum":1.2,"maximum":1.8"#,
        r#""type":"array""#,
        r#""type":"array","items":{"type":"string"}"#,
        r#""type":"array","items":{"type":"string","enum":[]}"#,
        r#""type":"array","items":{"type":"string","enum":["a"]},"minItems":2,"maxItems":1"#,
    ] {
        assert!(refused(&property(members)), "{members}");
    }
}

#[test]
fn what_is_passed_over_with_a_note() {
    for (members, at) in [
        (r#""type":"string","pattern":"a""#, "/pattern"),
        (r#""type":"string","x-widget":1"#, "/x-widget"),
        (r#""type":"string","format":"phone""#, "/format"),
        (r#""type":"integer","format":"int32""#, "/format"),
        (
            r#""type":"number","exclusiveMinimum":1"#,
            "/exclusiveMinimum",
        ),
        (r#""type":"integer","enum":[1,2]"#, "/enum"),
        (r#""type":"string","title":7"#, "/title"),
        (r#""type":"string","minLength":-1"#, "/minLength"),
        (r#""type":"number","maximum":"9""#, "/maximum"),
        (
            r#""type":"string","enum":["a"],"enumNames":["A","B"]"#,
            "/enumNames",
        ),
        (r#""type":"string","oneOf":[{"const":"a"}]"#, "/oneOf/0"),
        (r#""type":"array","items":{"enum":["a"]}"#, "/items"),
        (r#""type":"boolean","default":"true""#, "/default"),
        (r#""type":"string","default":null"#, "/default"),
    ] {
        let at = format!("/requestedSchema/properties/v{at}");
        assert_eq!(notes(&property(members)), [at], "{members}");
    }
    for (members, at) in [
        (
            r#""type":"object","properties":{},"additionalProperties":false"#,
            "/additionalProperties",
        ),
        (
            r#""type":"object","properties":{},"required":true"#,
            "/required",
        ),
        (r#""type":"object""#, ""),
        (r#""properties":{}"#, ""),
    ] {
        assert_eq!(
            notes(&schema(members)),
            [format!("/requestedSchema{at}")],
            "{members}"
        );
    }
    let beside =
        elicitation(r#""mode":"url","url":"https://a.example/","requestedSchema":{"type":7}"#);
    assert_eq!(notes(&beside), ["/requestedSchema"]);
    let old = elicitation(r#""mode":"url","url":"https://a.example/","elicitationId":"e""#);
    assert_eq!(notes(&old), ["/elicitationId"]);
}

#[test]
fn what_is_nothing_to_speak_of() {
    for text in [
        r#"{"method":"roots/list"}"#,
        r#"{"method":"roots/list","params":null,"id":7,"jsonrpc":"2.0"}"#,
        r#"{"method":"roots/list","params":{"_meta":{"progressToken":1}}}"#,
    ] {
        assert!(notes(text).is_empty(), "{text}");
    }
    assert!(notes(&schema(r#""$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{}"#)).is_empty());
    // What would be a secret or too many fields when written is shown when received.
    assert!(
        notes(&schema(
            r#""type":"object","properties":{"password":{"type":"string"}}"#
        ))
        .is_empty()
    );
}

#[test]
fn messages_keep_their_spelling() {
    let text = r#"{"method":"elicitation/create","params":{"message":"a\/b \ud800 \u0000","requestedSchema":{"type":"object","properties":{}}}}"#;
    let raw = Raw::parse(text, &Limits::default()).expect("JSON");
    let (ask, _) = Ask::receive(raw, &ReceiveRules::default()).expect("legal");
    assert_eq!(
        ask.message().map(|m| m.token()),
        Some(r#""a\/b \ud800 \u0000""#)
    );
    assert_eq!((ask.kind(), ask.raw().text()), (Kind::Form, text));
}

/// Published examples of the protocol.
#[test]
fn published_examples_pass_without_a_note() {
    let form = |params: &str| format!(r#"{{"method":"elicitation/create","params":{params}}}"#);
    for params in [
        r#"{"mode":"form","message":"m","requestedSchema":{"type":"object","properties":{"name":{"type":"string","description":"Your full name"},"email":{"type":"string","format":"email","description":"Your email address"},"age":{"type":"number","minimum":18,"description":"Your age"}},"required":["name","email"]}}"#,
        r#"{"mode":"url","url":"https://mcp.example.com/ui/set_api_key","message":"Please provide your API key to continue."}"#,
    ] {
        assert!(notes(&form(params)).is_empty());
    }
    for members in [
        r#""type":"boolean","title":"Display Name","description":"Description text","default":false"#,
        r#""type":"number","title":"Display Name","description":"Description text","minimum":0,"maximum":100,"default":50"#,
        r#""type":"string","title":"Display Name","description":"Description text","minLength":3,"maxLength":50,"format":"email","default":"user@example.com""#,
        r##""type":"array","title":"Color Selection","description":"Choose your favorite colors","minItems":1,"maxItems":2,"items":{"anyOf":[{"const":"#FF0000","title":"Red"},{"const":"#00FF00","title":"Green"}]},"default":["#FF0000","#00FF00"]"##,
        r##""type":"string","title":"Color Selection","oneOf":[{"const":"#FF0000","title":"Red"},{"const":"#00FF00","title":"Green"}],"default":"#FF0000""##,
        r#""type":"array","title":"Color Selection","minItems":1,"maxItems":2,"items":{"type":"string","enum":["Red","Green","Blue"]},"default":["Red","Green"]"#,
        r#""type":"string","title":"Color Selection","enum":["Red","Green","Blue"],"default":"Red""#,
    ] {
        assert!(notes(&property(members)).is_empty(), "{members}");
    }
}
