//! What a thread remembers of the request it saw last is never taken for another one (S5, J4).
#![allow(missing_docs)]

mod state_support;

use mrtr::json::{Limits, Raw, request_digest};
use mrtr::protocol::Error;
use mrtr::state::{Draft, Principal, Request};
use state_support::*;

const METHODS: [&str; 4] = ["tools/call", "prompts/get", "resources/read", "tools/list"];

/// Params, and the name, URI and arguments in them; without arguments, params that are refused.
const PARAMS: [(&str, &str, &str, Option<&str>); 14] = [
    (r#"{"name":"a"}"#, r#""a""#, "null", Some("null")),
    (r#" {"name":"a"} "#, r#""a""#, "null", Some("null")),
    (r#"{"n\u0061me":"a"}"#, r#""a""#, "null", Some("null")),
    (
        r#"{"name":"a","arguments":{}}"#,
        r#""a""#,
        "null",
        Some("{}"),
    ),
    (
        r#"{"arguments":null,"name":"a"}"#,
        r#""a""#,
        "null",
        Some("{}"),
    ),
    (r#"{"uri":"a"}"#, "null", r#""a""#, Some("null")),
    (
        r#"{"uri":"a","name":"b"}"#,
        r#""b""#,
        r#""a""#,
        Some("null"),
    ),
    (
        r#"{"name":null,"arguments":{"k":[[1]]}}"#,
        "null",
        "null",
        Some(r#"{"k":[[1]]}"#),
    ),
    (
        r#"{"argument\u0073":{"k":[[1.0]]}}"#,
        "null",
        "null",
        Some(r#"{"k":[[1]]}"#),
    ),
    ("{}", "null", "null", Some("null")),
    (
        r#"{"name":"a","arguments":{"k":1,"\u006b":1}}"#,
        "",
        "",
        None,
    ),
    (r#"{"arguments":{},"argument\u0073":null}"#, "", "", None),
    ("[]", "", "", None),
    ("7", "", "", None),
];

fn wanted(method: &str, at: usize) -> Option<[u8; 32]> {
    let (_, name, uri, arguments) = PARAMS[at];
    let arguments = raw(arguments?);
    let target = match method {
        "tools/call" | "prompts/get" => name,
        "resources/read" => uri,
        _ => "null",
    };
    request_digest(method, raw(target).string(), Some(arguments)).ok()
}

fn read<'a>(method: &'a str, params: &'a str, limits: &Limits) -> Result<Request<'a>, Error> {
    Request::read(method, Some(params), Principal::None, limits)
}

#[test]
fn a_request_is_what_it_says_whatever_came_before_it() {
    let (sealer, limits) = (sealer(), Limits::default());
    let mut tokens: Vec<([u8; 32], String)> = Vec::new();
    for (at, (text, ..)) in PARAMS.iter().enumerate() {
        for method in METHODS {
            let request = read(method, text, &limits).expect("JSON");
            let sealed = sealer.seal(&request, None, Draft::default(), 0);
            match wanted(method, at) {
                Some(digest) => tokens.push((digest, sealed.expect("seals"))),
                None => assert!(sealed.is_err(), "{method} {text}"),
            }
        }
    }
    // In an order in which text, method and reading change one by one and together.
    for step in 0..PARAMS.len() * METHODS.len() * 7 {
        let (at, method) = (
            step * 5 / 2 % PARAMS.len(),
            METHODS[step / 3 % METHODS.len()],
        );
        let text = PARAMS[at].0;
        let request = match step % 5 {
            // As a host has it that reads the params itself.
            0 => Request {
                method,
                params: Some(raw(text)),
                principal: Principal::None,
            },
            _ => read(method, text, &limits).expect("JSON"),
        };
        let (digest, token) = &tokens[step * 11 % tokens.len()];
        let opened = reason(sealer.open(&request, token, 0));
        match wanted(method, at) {
            Some(own) if own == *digest => assert_eq!(opened, "ok", "{method} {text}"),
            Some(_) => assert_eq!(opened, "wrong_request", "{method} {text}"),
            None => assert_ne!(opened, "ok", "{method} {text}"),
        }
    }
}

#[test]
fn a_text_within_one_limit_is_still_over_another() {
    let text = r#"{"name":"a","arguments":{"k":[[]]}}"#;
    let wide = Limits::default();
    let shallow = Limits { depth: 3, ..wide };
    let short = Limits {
        message_bytes: text.len() - 1,
        ..wide
    };
    for _ in 0..3 {
        assert_eq!(reason(read("tools/call", text, &wide)), "ok");
        assert_eq!(reason(read("tools/call", text, &shallow)), "too_large");
        assert_eq!(reason(read("tools/call", text, &short)), "too_large");
        assert_eq!(reason(read("tools/call", "", &wide)), "bad_json");
        let none = Request::read("tools/call", None, Principal::None, &wide);
        let token = sealer().seal(&none.expect("no params"), None, Draft::default(), 0);
        assert!(token.is_ok());
        assert_eq!(reason(read("tools/call", "", &wide)), "bad_json");
        // What a host read under wider limits says nothing about these.
        let request = Request {
            method: "tools/call",
            params: Some(Raw::parse(text, &wide).expect("JSON")),
            principal: Principal::None,
        };
        assert!(sealer().seal(&request, None, Draft::default(), 0).is_ok());
        assert_eq!(reason(read("tools/call", text, &shallow)), "too_large");
    }
}
