//! Sampling asks as a server writes them (B7), what each kind needs (B8), and the digest of a question (D16).

mod protocol_kit;

use mrtr::json::{Limits, Raw};
use mrtr::protocol::{Ask, AuthorRules, Code, Kind, Need};
use protocol_kit::asks::*;

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
