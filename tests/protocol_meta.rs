//! `_meta` and headers (B9, E1, E2, C4).

use mrtr::json::{Limits, Raw};
use mrtr::protocol::meta::*;
use mrtr::protocol::{Code, Error};

fn raw(text: &str) -> Raw<'_> {
    Raw::parse(text, &Limits::default()).unwrap()
}

fn params(meta: &str) -> String {
    format!("{{\"name\":\"x\",\"_meta\":{meta}}}")
}

fn full(version: &str) -> String {
    params(&format!(
        r#"{{"io.modelcontextprotocol/protocolVersion":{version},"io.modelcontextprotocol/clientCapabilities":{{}}}}"#
    ))
}

fn seen(error: Error) -> (Code, i64, u16) {
    (error.code(), error.rpc().unwrap().code, error.http_status())
}

#[test]
fn order_of_checks() {
    let check =
        |text: &str, header| check_request(Some(raw(text)), header, &[VERSION, "2027-01-01"]);
    let missing = (Code::MissingMeta, -32602, 400);
    let no_caps = params(r#"{"io.modelcontextprotocol/protocolVersion":"v9"}"#);
    let no_version = params(r#"{"io.modelcontextprotocol/clientCapabilities":{}}"#);
    for text in [
        "{}",
        "[]",
        "null",
        &params("{}"),
        &params("null"),
        &params("[]"),
        &no_caps,
        &no_version,
        &full("7"),
    ] {
        assert_eq!(
            seen(check(text, Some("v1")).unwrap_err()),
            missing,
            "{text}"
        );
    }
    assert_eq!(seen(check_request(None, None, &[]).unwrap_err()), missing);
    let mismatch = (Code::HeaderMismatch, -32020, 400);
    assert_eq!(
        seen(check(&full("\"v9\""), Some(VERSION)).unwrap_err()),
        mismatch
    );
    assert_eq!(
        seen(check(&full("\"2026-07-28\""), Some("")).unwrap_err()),
        mismatch
    );
    let error = check(&full("\"v9\\u0039\\\"\""), Some("v99\"")).unwrap_err();
    let data = error.rpc().unwrap().data.clone().unwrap();
    assert_eq!(
        data,
        r#"{"supported":["2026-07-28","2027-01-01"],"requested":"v9\u0039\""}"#
    );
    assert_eq!(
        supported_versions(&data, &Limits::default()),
        ["2026-07-28", "2027-01-01"]
    );
    assert_eq!(seen(error), (Code::UnsupportedVersion, -32022, 400));
    assert!(check(&full("\"2026-07-28\""), Some(VERSION)).is_ok());
    assert!(check(&full("\"2027-01-01\""), None).is_ok());
    let twice = params(r#"{"a":1,"a":2}"#);
    assert_eq!(
        seen(check(&twice, None).unwrap_err()),
        (Code::BadJson, -32602, 200)
    );
    assert_eq!(
        seen(check_method("ping", &["tools/call"]).unwrap_err()),
        (Code::MethodNotFound, -32601, 404)
    );
    assert!(check_method("tools/call", &["tools/call"]).is_ok());
    for bad in ["", "{}", "[]", r#"{"supported":7}"#] {
        assert!(supported_versions(bad, &Limits::default()).is_empty());
    }
}

#[test]
fn header_values() {
    // The table of the transport's own examples.
    let table = [
        ("us-west1", "us-west1"),
        ("Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="),
        (" padded ", "=?base64?IHBhZGRlZCA=?="),
        ("line1\nline2", "=?base64?bGluZTEKbGluZTI=?="),
        ("=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="),
        ("", ""),
        ("a b\tc", "a b\tc"),
        ("\ttab", "=?base64?CXRhYg==?="),
        ("=?base64?x", "=?base64?x"),
    ];
    for (text, value) in table {
        assert_eq!(header_value(text), value);
        assert_eq!(read_header_value(value).as_deref(), Some(text));
    }
    for bad in ["=?base64?*?=", "=?base64?/w==?=", "=?base64?SGVsbG8?="] {
        assert!(read_header_value(bad).is_none(), "{bad}");
    }
}

#[test]
fn headers_repeat_the_request() {
    let text = r#"{"name":"w\u00e4sche"}"#;
    let name = name_header("tools/call", &raw(text).object().unwrap()).unwrap();
    assert_eq!(name, "=?base64?d8Okc2NoZQ==?=");
    let check = |method, m, n| check_headers(method, Some(raw(text)), m, n).map_err(seen);
    assert!(check("tools/call", Some("tools/call"), Some(&name)).is_ok());
    assert!(check("tools/list", Some("tools/list"), None).is_ok());
    let mismatch = Err((Code::HeaderMismatch, -32020, 400));
    assert_eq!(check("tools/call", None, Some(&name)), mismatch);
    assert_eq!(
        check("tools/call", Some("Tools/call"), Some(&name)),
        mismatch
    );
    assert_eq!(check("tools/call", Some("tools/call"), None), mismatch);
    assert_eq!(
        check("tools/call", Some("tools/call"), Some("wasche")),
        mismatch
    );
}

#[test]
fn stamping() {
    let meta = r#"{"x":1.0,"progressToken":7,"io.modelcontextprotocol/clientInfo":{"name":"own"},"io.modelcontextprotocol/protocolVersion":"old"}"#;
    assert_eq!(
        stamp(
            Some(raw(meta)),
            VERSION,
            None,
            "{\"roots\":{}}",
            Some("\"p\"")
        ),
        r#"{"x":1.0,"io.modelcontextprotocol/clientInfo":{"name":"own"},"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"roots":{}},"progressToken":"p"}"#
    );
    assert_eq!(
        stamp(None, VERSION, Some("{\"name\":\"c\"}"), "{}", None),
        r#"{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"c"},"io.modelcontextprotocol/clientCapabilities":{}}"#
    );
}
