//! Asks as a server writes them: strict, with the spot of every fault (B3-B7, D9, D11).

mod protocol_kit;

use mrtr::json::{Limits, Raw};
use mrtr::protocol::{Ask, AuthorRules, Code, Warning};
use protocol_kit::asks::*;

#[test]
fn envelope_faults() {
    use Code::{BadJson, BadMode, MissingParams, UnknownKind};
    for (text, code, at) in [
        ("null", UnknownKind, ""),
        ("[]", UnknownKind, ""),
        ("{}", UnknownKind, ""),
        (r#"{"method":null}"#, UnknownKind, ""),
        (r#"{"method":"Roots/List"}"#, UnknownKind, ""),
        (
            r#"{"method":"roots/list","method":"roots/list"}"#,
            BadJson,
            "",
        ),
        (
            r#"{"method":"roots/list","params":{"a":[{"b":1,"b":2}]}}"#,
            BadJson,
            "/a/0",
        ),
        (r#"{"method":"roots/list","params":[]}"#, MissingParams, ""),
        (r#"{"method":"elicitation/create"}"#, MissingParams, ""),
        (
            r#"{"method":"elicitation/create","params":null}"#,
            MissingParams,
            "",
        ),
        (
            r#"{"method":"sampling/createMessage","params":null}"#,
            MissingParams,
            "",
        ),
    ] {
        assert_eq!(fault(text), (code, at.to_string()), "{text}");
    }
    for (params, code, at) in [
        (r#""mode":"form""#, MissingParams, ""),
        (r#""requestedSchema":null"#, MissingParams, ""),
        (r#""mode":"url""#, MissingParams, ""),
        (r#""mode":"url","url":null"#, MissingParams, ""),
        (r#""mode":"","url":"https://a.example/""#, BadMode, "/mode"),
        (
            r#""mode":"URL","url":"https://a.example/""#,
            BadMode,
            "/mode",
        ),
        (
            r#""mode":null,"url":"https://a.example/""#,
            BadMode,
            "/mode",
        ),
        (r#""url":"https://a.example/""#, MissingParams, ""),
    ] {
        assert_eq!(
            fault(&elicitation(params)),
            (code, at.to_string()),
            "{params}"
        );
    }
    let no_message = r#"{"method":"elicitation/create","params":{"message":null,"requestedSchema":{"type":"object","properties":{}}}}"#;
    assert_eq!(fault(no_message).0, MissingParams);
}

#[test]
fn roots_need_no_params() {
    for text in [
        r#"{"method":"roots/list"}"#,
        r#"{"method":"roots/list","params":null}"#,
        r#"{"method":"roots/list","params":{}}"#,
        r#"{"method":"roots\/list","params":{"_meta":{}}}"#,
    ] {
        assert_eq!(author(text).expect(text), []);
    }
}

#[test]
fn root_faults_of_a_schema() {
    for (members, at) in [
        (r#""type":"array","properties":{}"#, "/type"),
        (r#""type":["object"],"properties":{}"#, "/type"),
        (r#""properties":{}"#, ""),
        (r#""type":"object""#, ""),
        (r#""type":"object","properties":[]"#, "/properties"),
        (
            r#""type":"object","properties":{"v":true}"#,
            "/properties/v",
        ),
        (r#""type":"object","properties":{},"title":"t""#, "/title"),
        (
            r#""type":"object","properties":{},"additionalProperties":false"#,
            "/additionalProperties",
        ),
        (r#""type":"object","properties":{},"$defs":{}"#, "/$defs"),
        (r#""type":"object","properties":{},"$schema":1"#, "/$schema"),
        (
            r#""type":"object","properties":{},"required":{}"#,
            "/required",
        ),
        (
            r#""type":"object","properties":{},"required":["v"]"#,
            "/required/0",
        ),
        (
            r#""type":"object","properties":{"v":{"type":"string"}},"required":["v",1]"#,
            "/required/1",
        ),
    ] {
        assert_eq!(
            fault(&schema(members)),
            (Code::BadSchema, format!("/requestedSchema{at}")),
            "{members}"
        );
    }
    let no_object = elicitation(r#""requestedSchema":[]"#);
    assert_eq!(
        fault(&no_object),
        (Code::BadSchema, "/requestedSchema".to_string())
    );
}

#[test]
fn faults_of_a_property() {
    for (members, at) in [
        (r#""title":"t""#, ""),
        (r#""type":"object","properties":{}"#, "/type"),
        (r#""type":"null""#, "/type"),
        (r#""type":["string","null"]"#, "/type"),
        (r##""$ref":"#/x""##, "/$ref"),
        (r##""type":"string","$ref":"#/x""##, "/$ref"),
        (r#""type":"string","pattern":"a""#, "/pattern"),
        (r#""type":"string","x-a":1"#, "/x-a"),
        (r#""type":"string","minimum":1"#, "/minimum"),
        (r#""type":"string","enumNames":["a"]"#, "/enumNames"),
        (r#""type":"string","items":{}"#, "/items"),
        (r#""type":"string","format":"phone""#, "/format"),
        (r#""type":"string","format":"Email""#, "/format"),
        (r#""type":"string","format":1"#, "/format"),
        (r#""type":"string","minLength":-1"#, "/minLength"),
        (r#""type":"string","minLength":1.5"#, "/minLength"),
        (r#""type":"string","maxLength":"9""#, "/maxLength"),
        (r#""type":"string","minLength":3,"maxLength":2"#, ""),
        (r#""type":"string","title":1"#, "/title"),
        (r#""type":"string","description":null"#, "/description"),
        (r#""type":"string","default":1"#, "/default"),
        (r#""type":"string","default":null"#, "/default"),
        (r#""type":"string","minLength":2,"default":"a""#, "/default"),
        (
            r#""type":"string","format":"date","default":"2026-02-30""#,
            "/default",
        ),
        (r#""type":"number","format":"int32""#, "/format"),
        (
            r#""type":"number","exclusiveMinimum":1"#,
            "/exclusiveMinimum",
        ),
        (r#""type":"number","minimum":"1""#, "/minimum"),
        (r#""type":"number","minimum":1.01,"maximum":1"#, ""),
        (r#""type":"number","minimum":1e400,"maximum":9e399"#, ""),
        (r#""type":"integer","minimum":1.2,"maximum":1.8"#, ""),
        (r#""type":"integer","minimum":-1.8,"maximum":-1.2"#, ""),
        (r#""type":"integer","default":1.5"#, "/default"),
        (r#""type":"number","maximum":9,"default":9.1"#, "/default"),
        (r#""type":"boolean","default":0"#, "/default"),
        (r#""type":"boolean","enum":[true]"#, "/enum"),
        (r#""type":"string","enum":[]"#, ""),
        (r#""type":"string","enum":"a""#, "/enum"),
        (r#""type":"string","enum":["a",1]"#, "/enum/1"),
        (
            r#""type":"string","enum":["a"],"minLength":1"#,
            "/minLength",
        ),
        (r#""type":"string","enum":["a"],"oneOf":[]"#, "/oneOf"),
        (
            r#""type":"string","enum":["a"],"enumNames":[]"#,
            "/enumNames",
        ),
        (
            r#""type":"string","enum":["a"],"enumNames":[1]"#,
            "/enumNames",
        ),
        (
            r#""type":"string","enum":["a"],"enumNames":null"#,
            "/enumNames",
        ),
        (r#""type":"string","enum":["a"],"default":"A""#, "/default"),
        (r#""type":"string","oneOf":[]"#, ""),
        (r#""type":"string","oneOf":["a"]"#, "/oneOf/0"),
        (
            r#""type":"string","oneOf":[{"const":"a","title":"A"},{"title":"B"}]"#,
            "/oneOf/1",
        ),
        (r#""type":"string","oneOf":[{"const":"a"}]"#, "/oneOf/0"),
        (
            r#""type":"string","oneOf":[{"const":"a","title":"A"}],"default":"A""#,
            "/default",
        ),
        (r#""type":"array""#, ""),
        (r#""type":"array","items":[]"#, "/items"),
        (r#""type":"array","items":{"type":"string"}"#, "/items"),
        (r#""type":"array","items":{"enum":["a"]}"#, "/items"),
        (
            r#""type":"array","items":{"type":"number","enum":["a"]}"#,
            "/items",
        ),
        (
            r#""type":"array","items":{"type":"string","enum":[]}"#,
            "/items",
        ),
        (
            r#""type":"array","items":{"type":"string","enum":[1]}"#,
            "/items",
        ),
        (r#""type":"array","items":{"anyOf":[]}"#, "/items"),
        (
            r#""type":"array","items":{"anyOf":[{"const":"a"}]}"#,
            "/items",
        ),
        (
            r#""type":"array","items":{"type":"string","enum":["a"],"x":1}"#,
            "/items",
        ),
        (
            r#""type":"array","items":{"type":"string","enum":["a"]},"minItems":2,"maxItems":1"#,
            "",
        ),
        (
            r#""type":"array","items":{"type":"string","enum":["a"]},"uniqueItems":true"#,
            "/uniqueItems",
        ),
        (
            r#""type":"array","items":{"type":"string","enum":["a"]},"default":"a""#,
            "/default",
        ),
        (
            r#""type":"array","items":{"type":"string","enum":["a"]},"default":["b"]"#,
            "/default",
        ),
        (
            r#""type":"array","items":{"type":"string","enum":["a"]},"minItems":1,"default":[]"#,
            "/default",
        ),
    ] {
        let at = format!("/requestedSchema/properties/v{at}");
        assert_eq!(
            fault(&property(members)),
            (Code::BadSchema, at),
            "{members}"
        );
    }
}

#[test]
fn every_legal_property() {
    for members in [
        r#""type":"string""#,
        r#""type":"string","title":"","description":"d","minLength":0,"maxLength":0,"default":"""#,
        r#""type":"string","minLength":2.0,"maxLength":1e400"#,
        r#""type":"string","format":"email","default":"a@b.example""#,
        r#""type":"string","format":"uri","default":"urn:a:b""#,
        r#""type":"string","format":"date","default":"2024-02-29""#,
        r#""type":"string","format":"date-time","default":"2026-07-28T23:59:59.5-08:00""#,
        r#""type":"number","minimum":1,"maximum":1.0,"default":10e-1"#,
        r#""type":"number","minimum":-1e400,"maximum":1e400,"default":-0"#,
        r#""type":"integer","minimum":0.5,"maximum":1.5,"default":1.0"#,
        r#""type":"boolean","default":true"#,
        r#""type":"string","enum":["a",""],"default":"""#,
        r#""type":"string","enum":["a"],"enumNames":["A"]"#,
        r#""type":"string","oneOf":[{"const":"a","title":"A"}],"default":"a""#,
        r#""type":"array","items":{"type":"string","enum":["a","b"]},"minItems":0,"maxItems":2,"default":["b","b"]"#,
        r#""type":"array","items":{"anyOf":[{"const":"a","title":"A"}]},"default":[]"#,
    ] {
        assert_eq!(author(&property(members)).expect(members), [], "{members}");
    }
}

#[test]
fn names_of_properties_are_any_text() {
    for (name, pointer) in [
        ("", ""),
        ("a/b~c", "a~1b~0c"),
        (r"\u0041", "A"),
        (r"\ud800", "\u{FFFD}"),
        ("__proto__", "__proto__"),
    ] {
        let text = schema(&format!(
            r#""type":"object","properties":{{"{name}":{{"type":"x"}}}}"#
        ));
        let at = fault(&text)
            .1
            .replace("\u{FFFD}\u{FFFD}\u{FFFD}", "\u{FFFD}");
        assert_eq!(at, format!("/requestedSchema/properties/{pointer}/type"));
    }
    let escaped =
        schema(r#""type":"object","properties":{"\u0061":{"type":"string"}},"required":["a"]"#);
    assert_eq!(author(&escaped).expect("legal"), []);
}

#[test]
fn warnings_by_name() {
    let fields = |n: usize| {
        let fields: Vec<_> = (0..n)
            .map(|i| format!(r#""f{i}":{{"type":"boolean"}}"#))
            .collect();
        schema(&format!(
            r#""type":"object","properties":{{{}}}"#,
            fields.join(",")
        ))
    };
    assert_eq!(author(&fields(8)).expect("legal"), []);
    assert_eq!(author(&fields(9)).expect("legal"), [Warning::ManyFields]);
    let url = elicitation(
        r#""mode":"url","elicitationId":"e","url":"https://a.example/?Access_Token=x""#,
    );
    let names: Vec<_> = author(&url)
        .expect("legal")
        .into_iter()
        .map(Warning::name)
        .collect();
    assert_eq!(names, ["elicitation_id_dropped", "credential_in_url"]);
}

#[test]
fn an_elicitation_id_is_stripped_and_the_rest_kept() {
    let text = elicitation(r#""mode":"url","elicitationId":"e","url":"https:\/\/a.example/""#);
    let raw = Raw::parse(&text, &Limits::default()).expect("JSON");
    let (ask, _) = Ask::author(raw, &AuthorRules::default()).expect("legal");
    let plain = elicitation(r#""mode":"url","url":"https:\/\/a.example/""#);
    assert_eq!(ask.text(), plain);
    let raw = Raw::parse(&plain, &Limits::default()).expect("JSON");
    let (same, _) = Ask::author(raw, &AuthorRules::default()).expect("legal");
    assert_eq!(ask.digest(), same.digest());
}
