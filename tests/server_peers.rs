//! What a server knows of its peers (E3), what it checks of an HTTP request (E2), and the results that it stamps.

use mrtr::json::{Limits, Raw};
use mrtr::protocol::{
    CanAsk, Capabilities, Code, Era, Error, Headers, HttpRequest, Need, Needs, Peer, check_http,
};
use mrtr::server::{Discovery, complete};

const META: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;
const SCHEMA: &str = r#"{"type":"object","properties":{"city":{"type":"string","x-mcp-header":"City"},"n":{"type":"number","x-mcp-header":"N"}}}"#;

fn peer(version: &str, declared: Needs, back_channel: bool) -> Peer {
    Peer {
        era: Era::of(version).expect("a known version"),
        declared: Capabilities::from(declared),
        back_channel,
    }
}

#[test]
fn whom_can_be_asked_what() {
    let all = Needs::ALL;
    for (version, declared, channel, method, needs, expected) in [
        ("2026-07-28", all, false, "tools/call", all, CanAsk::Yes),
        (
            "2026-07-28",
            all,
            true,
            "tools/list",
            Need::FORM,
            CanAsk::Method,
        ),
        (
            "2026-07-28",
            Need::FORM,
            true,
            "tools/call",
            Need::URL,
            CanAsk::Undeclared,
        ),
        ("2025-11-25", all, true, "prompts/get", all, CanAsk::Yes),
        (
            "2025-11-25",
            all,
            false,
            "tools/call",
            Need::FORM,
            CanAsk::Channel,
        ),
        (
            "2025-11-25",
            Need::ROOTS,
            true,
            "tools/call",
            Need::FORM,
            CanAsk::Undeclared,
        ),
        (
            "2025-06-18",
            all,
            true,
            "tools/call",
            Need::FORM,
            CanAsk::Yes,
        ),
        (
            "2025-06-18",
            all,
            true,
            "tools/call",
            Need::URL,
            CanAsk::Era,
        ),
        (
            "2025-06-18",
            all,
            true,
            "tools/call",
            Need::SAMPLING_TOOLS,
            CanAsk::Era,
        ),
        (
            "2025-03-26",
            all,
            true,
            "resources/read",
            Need::FORM,
            CanAsk::Era,
        ),
        (
            "2024-11-05",
            all,
            true,
            "tools/call",
            Need::SAMPLING | Need::ROOTS,
            CanAsk::Yes,
        ),
    ] {
        let told = peer(version, declared, channel).can_ask(method, needs);
        assert_eq!(told, expected, "{version} {method} {needs:?}");
    }
    assert_eq!(Era::of("2025-11-26"), None);
    assert_eq!(peer("2025-11-25", all, false).askable(), Needs::NONE);
    assert_eq!(peer("2026-07-28", all, false).askable(), all);
    let older = peer("2025-06-18", Need::FORM | Need::URL, true).askable();
    assert_eq!(older, Need::FORM);
}

fn check(params: &str, headers: &[(&str, &str)]) -> Result<(), Error> {
    let limits = Limits::default();
    check_http(&HttpRequest {
        method: "tools/call",
        params: Some(Raw::parse(params, &limits).expect("JSON")),
        headers: Headers(headers),
        supported: &["2026-07-28"],
        methods: &["tools/call"],
        input_schema: Some(Raw::parse(SCHEMA, &limits).expect("JSON")),
    })
}

fn params(arguments: &str) -> String {
    format!("{{\"name\":\"f\u{fc}r\",\"arguments\":{arguments},{META}}}")
}

const METHOD: (&str, &str) = ("mcp-method", "tools/call");
const VERSION: (&str, &str) = ("MCP-Protocol-Version", " 2026-07-28\t");
const NAME: (&str, &str) = ("Mcp-Name", "=?base64?ZsO8cg==?=");

#[test]
fn headers_repeat_the_request() {
    let city = ("Mcp-Param-City", "Rome");
    let full = params(r#"{"city":"Rome","n":1.50}"#);
    let good = [METHOD, VERSION, NAME, city, ("MCP-PARAM-N", "1.5")];
    check(&full, &good).expect("all as it should be");
    check(&params("{}"), &good[..3]).expect("absent arguments have no header");
    for left_out in 0..good.len() {
        let mut headers = good.to_vec();
        headers.remove(left_out);
        let error = check(&full, &headers).expect_err("a header is missing");
        assert_eq!(error.code(), Code::HeaderMismatch, "{left_out}");
        assert_eq!(error.http_status(), 400);
        assert_eq!(error.rpc().map(|rpc| rpc.code), Some(-32020));
    }
    for wrong in [
        ("Mcp-Method", "tools/list"),
        ("Mcp-Name", "=?base64?ZsO8c?="),
        ("Mcp-Name", "fur"),
        ("Mcp-Param-City", "Paris"),
        ("Mcp-Param-N", "1.51"),
    ] {
        let mut headers = good.to_vec();
        headers.retain(|(name, _)| !name.eq_ignore_ascii_case(wrong.0));
        headers.push(wrong);
        let error = check(&full, &headers).expect_err("a header differs");
        assert_eq!(error.code(), Code::HeaderMismatch, "{wrong:?}");
    }
    let twice = [&good[..], &[city]].concat();
    assert_eq!(
        check(&full, &twice).expect_err("twice").code(),
        Code::HeaderMismatch
    );
    let extra = check(&params("{}"), &good).expect_err("a header without an argument");
    assert_eq!(extra.code(), Code::HeaderMismatch);
}

#[test]
fn the_first_fault_is_told() {
    let no_meta = check("{}", &[METHOD]).expect_err("no _meta");
    assert_eq!(no_meta.code(), Code::MissingMeta);
    let method = check("{}", &[]).expect_err("no method header");
    assert_eq!(method.code(), Code::HeaderMismatch);
    let old = params("{}").replace("2026-07-28", "2031-01-01");
    let version = check(&old, &[METHOD, ("MCP-Protocol-Version", "2031-01-01")]);
    assert_eq!(
        version.expect_err("unknown").code(),
        Code::UnsupportedVersion
    );
}

#[test]
fn complete_results_are_stamped_byte_for_byte() {
    let limits = Limits::default();
    let stamped = complete("{ \"n\": 1.0e2,\n \"s\":\"\\u00e9\" }", &limits).expect("stamped");
    assert_eq!(
        stamped,
        r#"{ "n": 1.0e2, "s":"\u00e9" ,"resultType":"complete"}"#
    );
    assert_eq!(
        complete("{}", &limits).expect("stamped"),
        r#"{"resultType":"complete"}"#
    );
    let there = r#"{"resultType":"complete","n":1}"#;
    assert_eq!(complete(there, &limits).expect("as it is"), there);
    for (text, code) in [
        ("[]", Code::BadJson),
        (r#"{"a":1,"a":2}"#, Code::BadJson),
        (r#"{"resultType":"input_required"}"#, Code::InvalidResult),
        (r#"{"resultType":1}"#, Code::InvalidResult),
    ] {
        assert_eq!(
            complete(text, &limits).expect_err(text).code(),
            code,
            "{text}"
        );
    }
}

#[test]
fn a_server_describes_itself() {
    let discovery = Discovery {
        supported: &["2026-07-28", "2025-11-25"],
        capabilities: r#"{"tools":{"x":1.0}}"#,
        server_info: Some(r#"{"name":"s","version":"1"}"#),
        instructions: Some("Ask \"me\"."),
        ttl_ms: Some(60_000),
        cache_scope: Some("public"),
    };
    let limits = Limits::default();
    let expected = concat!(
        r#"{"resultType":"complete","supportedVersions":["2026-07-28","2025-11-25"],"capabilities":{"tools":{"x":1.0}},"#,
        r#""instructions":"Ask \"me\".","ttlMs":60000,"cacheScope":"public","#,
        r#""_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}}"#
    );
    assert_eq!(discovery.result(&limits).expect("a result"), expected);
    let wrong = Discovery {
        capabilities: "[]",
        ..discovery
    };
    assert_eq!(
        wrong.result(&limits).expect_err("no object").code(),
        Code::BadJson
    );
}
