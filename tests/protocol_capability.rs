//! What a client can be asked (B8, C16, D8), kinds (B3) and methods (B2).

use mrtr::json::{Limits, Raw};
use mrtr::protocol::{Capabilities, Code, Kind, Need, Needs, asks_allowed, target};

fn raw(text: &str) -> Raw<'_> {
    Raw::parse(text, &Limits::default()).unwrap()
}

#[test]
fn what_is_declared() {
    let none = Needs::NONE;
    let cases = [
        ("{}", none),
        ("null", none),
        ("[\"roots\"]", none),
        ("\"elicitation\"", none),
        (r#"{"elicitation":{}}"#, Need::FORM),
        (r#"{"elicitation":{"other":{}}}"#, Need::FORM),
        (r#"{"elicitation":{"form":{}}}"#, Need::FORM),
        (r#"{"elicitation":{"url":{}}}"#, Need::URL),
        (
            r#"{"elicitation":{"form":{},"url":{}}}"#,
            Need::FORM | Need::URL,
        ),
        (r#"{"elicitation":{"form":true}}"#, none),
        (r#"{"elicitation":true}"#, none),
        (r#"{"elicitation":null,"Roots":{}}"#, none),
        (r#"{"sampling":{}}"#, Need::SAMPLING),
        (
            r#"{"sampling":{"tools":{},"context":1}}"#,
            Need::SAMPLING | Need::SAMPLING_TOOLS,
        ),
        (
            r#"{"sampling":{"context":{}}}"#,
            Need::SAMPLING | Need::SAMPLING_CONTEXT,
        ),
        (
            r#"{"roots":{"listChanged":true},"x":{"a":1,"a":1}}"#,
            Need::ROOTS,
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(
            Capabilities::parse(raw(text)).unwrap().declared(),
            expected,
            "{text}"
        );
        let params =
            format!(r#"{{"_meta":{{"io.modelcontextprotocol/clientCapabilities":{text}}}}}"#);
        assert_eq!(
            Capabilities::read(Some(raw(&params))).unwrap().declared(),
            expected,
            "{params}"
        );
    }
    for params in ["{}", "null", r#"{"_meta":7}"#, r#"{"_meta":{}}"#] {
        assert!(
            Capabilities::read(Some(raw(params)))
                .unwrap()
                .declared()
                .is_empty(),
            "{params}"
        );
    }
    assert!(Capabilities::read(None).unwrap().declared().is_empty());
}

#[test]
fn a_member_twice_is_refused() {
    let cases = [
        (r#"{"roots":{},"roots":{}}"#, ""),
        (r#"{"elicitation":{"form":{},"form":{}}}"#, "/elicitation"),
        (r#"{"sampling":{"tools":{},"t\u006fols":{}}}"#, "/sampling"),
    ];
    for (text, at) in cases {
        let error = Capabilities::parse(raw(text)).unwrap_err();
        assert_eq!(
            (error.code(), error.at()),
            (Code::BadJson, Some(at)),
            "{text}"
        );
    }
    let params =
        r#"{"_meta":{"io.modelcontextprotocol/clientCapabilities":{"sampling":{"a":1,"a":1}}}}"#;
    let error = Capabilities::read(Some(raw(params))).unwrap_err();
    assert_eq!(
        error.at(),
        Some("/_meta/io.modelcontextprotocol~1clientCapabilities/sampling")
    );
    assert_eq!(
        Capabilities::read(Some(raw(r#"{"_meta":{"a":1,"a":1}}"#)))
            .unwrap_err()
            .at(),
        Some("/_meta")
    );
}

#[test]
fn what_is_missing() {
    let declared = Capabilities::from(Need::FORM | Need::SAMPLING);
    let missing = declared.missing(Need::FORM | Need::URL | Need::SAMPLING | Need::SAMPLING_TOOLS);
    assert_eq!(missing, Need::URL | Need::SAMPLING_TOOLS);
    let object = Capabilities::required_object(missing);
    assert_eq!(
        object,
        r#"{"elicitation":{"url":{}},"sampling":{"tools":{}}}"#
    );
    assert_eq!(
        Capabilities::required_object(Need::FORM),
        r#"{"elicitation":{"form":{}}}"#
    );
    assert_eq!(Need::SAMPLING.declared_json(), r#"{"sampling":{}}"#);
    assert_eq!(Needs::NONE.declared_json(), "{}");
    let all =
        r#"{"elicitation":{"form":{},"url":{}},"sampling":{"tools":{},"context":{}},"roots":{}}"#;
    assert_eq!(Needs::ALL.declared_json(), all);
    for bits in 0..64 {
        // What we declare is read back as what we meant; a part of sampling brings sampling along.
        let needs = Needs::from_bits(bits).unwrap();
        let text = needs.declared_json();
        let tools = needs.without(Need::SAMPLING_TOOLS | Need::SAMPLING_CONTEXT) != needs;
        let expected = if tools { needs | Need::SAMPLING } else { needs };
        assert_eq!(
            Capabilities::parse(raw(&text)).unwrap().declared(),
            expected,
            "{text}"
        );
    }
    assert!(Needs::from_bits(64).is_none());
}

#[test]
fn kinds_and_methods() {
    let numbers: Vec<u8> = Kind::ALL.iter().map(|kind| *kind as u8).collect();
    assert_eq!(numbers, [1, 2, 3, 4]);
    assert_eq!(Kind::from_number(3), Some(Kind::Sampling));
    assert!(Kind::from_number(0).is_none() && Kind::from_number(5).is_none());
    assert_eq!(Kind::Url.method(), "elicitation/create");
    for method in ["tools/call", "prompts/get", "resources/read"] {
        assert!(asks_allowed(method));
    }
    for method in ["tools/list", "Tools/call", "", "completion/complete"] {
        assert!(!asks_allowed(method));
    }
    let find =
        |method, params| target(method, raw(params).object().ok().as_ref()).map(|s| s.token());
    assert_eq!(
        find("tools/call", r#"{"name":"a","uri":"b"}"#),
        Some("\"a\"")
    );
    assert_eq!(
        find("resources/read", r#"{"name":"a","uri":"b"}"#),
        Some("\"b\"")
    );
    assert_eq!(find("prompts/get", r#"{"name":7}"#), None);
    assert_eq!(find("tools/list", r#"{"name":"a"}"#), None);
    assert!(target("tools/call", None).is_none());
}
