//! Asks as a server writes them: strict, with the spot of every fault (B3-B7, D9, D11).

use mrtr::json::{Limits, Raw};
use mrtr::protocol::{Ask, AuthorRules, Code, Error, Kind, Need, Warning};

fn author(text: &str) -> Result<Vec<Warning>, Error> {
    let raw = Raw::parse(text, &Limits::default()).expect("JSON");
    Ask::author(raw, &AuthorRules::default()).map(|(_, warnings)| warnings)
}

/// What is wrong with an ask: code and pointer.
fn fault(text: &str) -> (Code, String) {
    let error = author(text).expect_err(text);
    (error.code(), error.at().unwrap_or("none").to_string())
}

fn elicitation(params: &str) -> String {
    format!(r#"{{"method":"elicitation/create","params":{{"message":"m",{params}}}}}"#)
}

/// A form whose schema has these members.
fn schema(members: &str) -> String {
    elicitation(&format!(r#""requestedSchema":{{{members}}}"#))
}

/// A form with one property `v`.
fn property(members: &str) -> String {
    schema(&format!(
        r#""type":"object","properties":{{"v":{{{members}}}}}"#
    ))
}

fn sampling(params: &str) -> String {
    format!(r#"{{"method":"sampling/createMessage","params":{{{params}}}}}"#)
}

/// A sampling ask with these messages.
fn messages(list: &str) -> String {
    sampling(&format!(r#""messages":[{list}],"maxTokens":9"#))
}

const TEXT: &str = r#"{"type":"text","text":"t"}"#;
const USE: &str = r#"{"type":"tool_use","id":"1","name":"n","input":{}}"#;
const RESULT: &str = r#"{"type":"tool_result","toolUseId":"1","content":[]}"#;

fn message(role: &str, content: &str) -> String {
    format!(r#"{{"role":"{role}","content":{content}}}"#)
}

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

#[test]
fn sampling_faults() {
    use Code::{BadSampling, MissingParams};
    let user = message("user", TEXT);
    for (params, code, at) in [
        (r#""maxTokens":9"#.to_string(), MissingParams, ""),
        (
            r#""messages":null,"maxTokens":9"#.to_string(),
            MissingParams,
            "",
        ),
        (format!(r#""messages":[{user}]"#), MissingParams, ""),
        (
            format!(r#""messages":[{user}],"maxTokens":null"#),
            MissingParams,
            "",
        ),
        (
            format!(r#""messages":[{user}],"maxTokens":0"#),
            BadSampling,
            "/maxTokens",
        ),
        (
            format!(r#""messages":[{user}],"maxTokens":-5"#),
            BadSampling,
            "/maxTokens",
        ),
        (
            format!(r#""messages":[{user}],"maxTokens":1.5"#),
            BadSampling,
            "/maxTokens",
        ),
        (
            format!(r#""messages":[{user}],"maxTokens":"5""#),
            BadSampling,
            "/maxTokens",
        ),
        (
            r#""messages":[],"maxTokens":9"#.to_string(),
            BadSampling,
            "/messages",
        ),
        (
            r#""messages":{},"maxTokens":9"#.to_string(),
            BadSampling,
            "/messages",
        ),
        (
            format!(r#""messages":[{user}],"maxTokens":9,"toolChoice":{{"mode":"any"}}"#),
            BadSampling,
            "/toolChoice/mode",
        ),
        (
            format!(r#""messages":[{user}],"maxTokens":9,"toolChoice":"auto""#),
            BadSampling,
            "/toolChoice",
        ),
        (
            format!(r#""messages":[{user}],"maxTokens":9,"tools":{{}}"#),
            BadSampling,
            "/tools",
        ),
        (
            format!(r#""messages":[{user}],"maxTokens":9,"includeContext":"all""#),
            BadSampling,
            "/includeContext",
        ),
    ] {
        assert_eq!(
            fault(&sampling(&params)),
            (code, at.to_string()),
            "{params}"
        );
    }
    for (list, at) in [
        ("1".to_string(), "/messages/0"),
        (message("system", TEXT), "/messages/0"),
        (message("user", "\"t\""), "/messages/0"),
        (message("user", r#"{"type":"video"}"#), "/messages/0"),
        (message("user", r#"{"type":"text"}"#), "/messages/0"),
        (message("assistant", USE), "/messages"),
        (message("user", USE), "/messages/0"),
        (
            [message("assistant", USE), user.clone()].join(","),
            "/messages/1",
        ),
        (
            [
                message("assistant", USE),
                message("user", &format!("[{RESULT},{TEXT}]")),
            ]
            .join(","),
            "/messages/1",
        ),
        (
            [
                message("assistant", USE),
                message("user", &RESULT.replace("\"1\"", "\"2\"")),
            ]
            .join(","),
            "/messages/1",
        ),
        (
            [message("assistant", USE), message("assistant", RESULT)].join(","),
            "/messages/1",
        ),
    ] {
        assert_eq!(
            fault(&messages(&list)),
            (BadSampling, at.to_string()),
            "{list}"
        );
    }
}

#[test]
fn sampling_that_is_legal() {
    let user = message("user", TEXT);
    for params in [
        format!(r#""messages":[{user}],"maxTokens":5e1"#),
        format!(r#""messages":[{user}],"maxTokens":100000000000000000000000000"#),
        format!(r#""messages":[{user}],"maxTokens":5.0,"toolChoice":{{"mode":"none"}}"#),
        format!(r#""messages":[{user}],"maxTokens":5,"toolChoice":{{}},"tools":[]"#),
        format!(
            r#""messages":[{},{}],"maxTokens":5"#,
            message("assistant", &format!("[{TEXT},{USE}]")),
            message("user", RESULT)
        ),
        format!(r#""messages":[{}],"maxTokens":5"#, message("user", "[]")),
    ] {
        assert_eq!(author(&sampling(&params)).expect(&params), []);
    }
}

#[test]
fn what_each_kind_needs() {
    let user = message("user", TEXT);
    let plain = sampling(&format!(
        r#""messages":[{user}],"maxTokens":5,"includeContext":"thisServer""#
    ));
    let tools = sampling(&format!(
        r#""messages":[{user}],"maxTokens":5,"tools":[],"includeContext":"none""#
    ));
    let choice = sampling(&format!(
        r#""messages":[{user}],"maxTokens":5,"toolChoice":{{"mode":"none"}}"#
    ));
    let form = schema(r#""type":"object","properties":{}"#);
    let url = elicitation(r#""mode":"url","url":"https://a.example/""#);
    let with_tools = Need::SAMPLING | Need::SAMPLING_TOOLS;
    for (text, kind, needs, context) in [
        (form.as_str(), Kind::Form, Need::FORM, false),
        (&url, Kind::Url, Need::URL, false),
        (&plain, Kind::Sampling, Need::SAMPLING, true),
        (&tools, Kind::Sampling, with_tools, false),
        (&choice, Kind::Sampling, with_tools, false),
        (
            r#"{"method":"roots/list"}"#,
            Kind::Roots,
            Need::ROOTS,
            false,
        ),
    ] {
        let raw = Raw::parse(text, &Limits::default()).expect("JSON");
        let (ask, _) = Ask::author(raw, &AuthorRules::default()).expect(text);
        assert_eq!(
            (ask.kind(), ask.needs(), ask.wants_context()),
            (kind, needs, context),
            "{text}"
        );
    }
}

#[test]
fn the_digest_is_of_the_question_not_of_its_spelling() {
    let digest = |text: &str| {
        let raw = Raw::parse(text, &Limits::default()).expect("JSON");
        Ask::author(raw, &AuthorRules::default())
            .expect(text)
            .0
            .digest()
    };
    let one = r#"{"method":"elicitation/create","params":{"message":"A","requestedSchema":{"type":"object","properties":{"n":{"type":"number","maximum":10}}}}}"#;
    let same = r#"{ "params": {"requestedSchema":{"properties":{"n":{"maximum":1e1,"type":"number"}},"type":"object"},"message":"\u0041"}, "method":"elicitation/create"}"#;
    assert_eq!(digest(one), digest(same));
    assert_ne!(digest(one), digest(&one.replace("\"A\"", "\"B\"")));
    assert_ne!(digest(one), digest(&one.replace("10", "11")));
}
