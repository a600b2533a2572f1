//! Results and the gate before them (B1-B3, B8, D8, D9, D11, D18).

mod server_kit;

use mrtr::json::{Key, Limits};
use mrtr::protocol::{Code, Error, Need, Warning};
use mrtr::server::AskStatus::{Accepted, Missing, Unaskable};
use mrtr::server::{BuildRequest, Gate, ServerOptions, build, roots, sampling, url};
use serde_json::json;
use server_kit::*;

fn request<'a>(asks: &'a [(Key, &'a str)]) -> BuildRequest<'a> {
    BuildRequest {
        method: "tools/call",
        capabilities: None,
        gate: Gate::Refuse,
        asks,
        state: None,
        allow_secret: &[],
        allow_http: false,
        limits: Limits::default(),
    }
}

fn text(outcome: Result<(String, Vec<Warning>), Error>) -> String {
    outcome.expect("a result").0
}

#[test]
fn a_result_is_one_line_with_the_asks_in_order_and_the_state() {
    let broken = "{\n \"method\" : \"roots/list\"\r\n}";
    let asks = [(key("b"), ROOTS), (key("a"), broken), (key(""), ROOTS)];
    let request = BuildRequest {
        state: Some("a\"b"),
        ..request(&asks)
    };
    let expected = r#"{"resultType":"input_required","inputRequests":{"b":{"method":"roots/list"},"a":{ "method" : "roots/list"},"":{"method":"roots/list"}},"requestState":"a\"b"}"#;
    assert_eq!(text(build(&request)), expected);
}

#[test]
fn at_least_one_of_asks_and_state() {
    assert_eq!(refused(build(&request(&[]))).code(), Code::EmptyResult);
    for (state, expected) in [("", r#""requestState":"""#), ("x", r#""requestState":"x""#)] {
        let result = text(build(&BuildRequest {
            state: Some(state),
            ..request(&[])
        }));
        assert_eq!(
            result,
            format!(r#"{{"resultType":"input_required",{expected}}}"#)
        );
    }
    let asks = [(key("a"), ROOTS)];
    assert!(!text(build(&request(&asks))).contains("requestState"));
}

#[test]
fn only_three_methods_ask() {
    let asks = [(key("a"), ROOTS)];
    for method in ["tools/call", "prompts/get", "resources/read"] {
        assert!(
            build(&BuildRequest {
                method,
                ..request(&asks)
            })
            .is_ok()
        );
    }
    for method in [
        "tools/list",
        "tools/Call",
        "",
        "completion/complete",
        "tools/call ",
    ] {
        let error = refused(build(&BuildRequest {
            method,
            ..request(&asks)
        }));
        assert_eq!(
            (error.code(), wire(&error)),
            (Code::MethodNotAllowed, (-32603, None))
        );
    }
}

#[test]
fn errors_name_the_ask_and_the_spot() {
    let broken = form("?").replace(r#""string""#, r#""strings""#);
    let asks = [(key("ok"), ROOTS), (key("bad"), broken.as_str())];
    let error = refused(build(&request(&asks)));
    assert_eq!(
        (error.code(), error.key()),
        (Code::BadSchema, Some(&key("bad")))
    );
    assert_eq!(error.at(), Some("/requestedSchema/properties/n/type"));
    let twice = [(key("a"), ROOTS), (key("b"), ROOTS), (key("a"), URL)];
    let error = refused(build(&request(&twice)));
    assert_eq!(
        (error.code(), error.key()),
        (Code::DuplicateKey, Some(&key("a")))
    );
}

#[test]
fn limits_of_a_result_name_limit_and_size() {
    let many: Vec<(Key, &str)> = (0..65).map(|i| (key(&i.to_string()), ROOTS)).collect();
    let error = refused(build(&request(&many)));
    assert_eq!((error.code(), error.key()), (Code::TooMany, None));
    assert!(
        error.message().contains("65") && error.message().contains("64"),
        "{error}"
    );
    assert!(build(&request(&many[..64])).is_ok());
    let long = [(key(&"k".repeat(65_537)), ROOTS)];
    assert_eq!(refused(build(&request(&long))).code(), Code::TooLarge);
    let full = [(key(&"k".repeat(65_536)), ROOTS)];
    assert!(build(&request(&full)).is_ok());
    let limits = Limits {
        message_bytes: 100,
        ..Limits::default()
    };
    let asks = [(key("a"), ROOTS)];
    let state = "s".repeat(100);
    let request = BuildRequest {
        limits,
        state: Some(&state),
        ..request(&asks)
    };
    assert_eq!(refused(build(&request)).code(), Code::TooLarge);
}

#[test]
fn refusing_names_the_union_and_filtering_keeps_what_is_declared() {
    let name = form("Name?");
    let asks = [
        (key("f"), name.as_str()),
        (key("u"), URL),
        (key("s"), SAMPLING),
        (key("r"), ROOTS),
    ];
    let with = |capabilities, gate| {
        build(&BuildRequest {
            capabilities: Some(capabilities),
            gate,
            ..request(&asks)
        })
    };
    let error = refused(with("{}", Gate::Refuse));
    let all = json!({"requiredCapabilities": {"elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {}}});
    assert_eq!(
        (error.code(), wire(&error), error.http_status()),
        (Code::MissingCapability, (-32021, Some(all.clone())), 400)
    );
    assert_eq!(
        wire(&refused(with("{}", Gate::Filter))),
        (-32021, Some(all))
    );
    let url_only = json!({"requiredCapabilities": {"elicitation": {"url": {}}}});
    let plain = r#"{"elicitation":{},"sampling":{},"roots":{}}"#;
    assert_eq!(
        wire(&refused(with(plain, Gate::Refuse))),
        (-32021, Some(url_only))
    );
    assert_eq!(read(&text(with(plain, Gate::Filter))).0, ["f", "s", "r"]);
    for nothing in ["[]", "null", "5", r#"["roots"]"#] {
        assert_eq!(
            refused(with(nothing, Gate::Refuse)).code(),
            Code::MissingCapability
        );
    }
    assert_eq!(
        refused(with(r#"{"roots":{},"roots":{}}"#, Gate::Refuse)).code(),
        Code::BadJson
    );
    assert_eq!(
        read(&text(with(EVERYTHING, Gate::Refuse))).0,
        ["f", "u", "s", "r"]
    );
}

#[test]
fn context_that_is_not_declared_is_a_warning() {
    let wants = SAMPLING.replace(
        r#""maxTokens""#,
        r#""includeContext":"thisServer","maxTokens""#,
    );
    let asks = [(key("s"), wants.as_str())];
    let warnings = |capabilities| {
        build(&BuildRequest {
            capabilities,
            ..request(&asks)
        })
        .expect("a result")
        .1
    };
    assert_eq!(
        warnings(Some(r#"{"sampling":{}}"#)),
        [Warning::IncludeContextUndeclared]
    );
    assert_eq!(warnings(Some(r#"{"sampling":{"context":{}}}"#)), []);
    assert_eq!(warnings(None), []);
    let flow = Flow {
        caps: Some(r#"{"sampling":{}}"#.into()),
        ..Flow::usual()
    };
    let outcome = ask(&mut flow.begin(None).unwrap(), "s", &wants);
    assert_eq!(
        (outcome.status, outcome.warnings),
        (Missing, vec![Warning::IncludeContextUndeclared])
    );
}

fn filtering(caps: &str) -> Flow {
    Flow {
        caps: Some(caps.into()),
        ..Flow::new(ServerOptions {
            gate: Gate::Filter,
            ..options()
        })
    }
}

#[test]
fn a_client_that_declares_nothing_never_gets_an_ask() {
    for caps in [None, Some("{}"), Some("[]"), Some("null")] {
        let flow = Flow {
            caps: caps.map(str::to_string),
            ..Flow::usual()
        };
        let mut exchange = flow.begin(None).unwrap();
        assert_eq!(status(&mut exchange, "a", &form("Name?")), Missing);
        let error = refused(exchange.result());
        let data = json!({"requiredCapabilities": {"elicitation": {"form": {}}}});
        assert_eq!(
            (wire(&error), error.http_status()),
            ((-32021, Some(data)), 400)
        );
    }
}

#[test]
fn capabilities_are_those_of_this_request() {
    let meta = |caps: &str| {
        format!(r#"{{"name":"x","_meta":{{"io.modelcontextprotocol/clientCapabilities":{caps}}}}}"#)
    };
    let flow = |caps: &str| Flow {
        caps: None,
        params: meta(caps),
        ..Flow::usual()
    };
    let mut declared = flow(r#"{"roots":{}}"#);
    let mut exchange = declared.begin(None).unwrap();
    assert!(exchange.can_ask(Need::ROOTS).unwrap());
    assert!(!exchange.can_ask(Need::ROOTS | Need::FORM).unwrap());
    assert_eq!(status(&mut exchange, "r", ROOTS), Missing);
    assert_eq!(declared.finish(exchange), ["r"]);
    // The retry declares less: what it answers still counts, what is open cannot be asked.
    let retry = Flow {
        token: declared.token.clone(),
        ..flow("{}")
    };
    let mut exchange = retry.begin(Some(r#"{"r":{"roots":[]}}"#)).unwrap();
    assert_eq!(status(&mut exchange, "r", ROOTS), Accepted);
    let mut exchange = retry.begin(None).unwrap();
    status(&mut exchange, "r", ROOTS);
    assert_eq!(wire(&refused(exchange.result())).0, -32021);
    // A member twice is the client's fault, once it is looked at.
    let mut exchange = flow(r#"{"roots":{},"roots":{}}"#).begin(None).unwrap();
    assert_eq!(
        wire(&refused(exchange.can_ask(Need::ROOTS))),
        (-32602, None)
    );
    let error = refused(exchange.ask(key("r"), ROOTS));
    assert_eq!(
        (error.code(), wire(&error)),
        (Code::BadJson, (-32602, None))
    );
}

#[test]
fn filtered_asks_are_settled_and_refused_only_if_needed() {
    let mut flow = filtering(r#"{"sampling":{}}"#);
    let mut exchange = flow.begin(None).unwrap();
    assert_eq!(status(&mut exchange, "u", URL), Unaskable);
    assert_eq!(status(&mut exchange, "s", SAMPLING), Missing);
    assert!(exchange.require().is_ok());
    assert_eq!(flow.finish(exchange), ["s"]);
    let answer = r#"{"s":{"role":"assistant","content":[],"model":"m"}}"#;
    let mut exchange = flow.begin(Some(answer)).unwrap();
    assert_eq!(status(&mut exchange, "u", URL), Unaskable);
    assert_eq!(status(&mut exchange, "s", SAMPLING), Accepted);
    assert_eq!(status(&mut exchange, "f", &form("Name?")), Unaskable);
    assert_eq!(exchange.pending(), 0);
    exchange.set_state(Some(b"x"));
    let data = json!({"requiredCapabilities": {"elicitation": {"form": {}, "url": {}}}});
    for error in [refused(exchange.require()), refused(exchange.result())] {
        assert_eq!(
            (error.code(), wire(&error)),
            (Code::MissingCapability, (-32021, Some(data.clone())))
        );
    }
}

#[test]
fn a_leg_with_nothing_pending_needs_a_state_for_a_result() {
    let mut flow = Flow::usual();
    let mut exchange = flow.begin(None).unwrap();
    let error = refused(exchange.result());
    assert_eq!(
        (error.code(), wire(&error)),
        (Code::NothingPending, (-32603, None))
    );
    exchange.set_state(Some(b""));
    assert_eq!(flow.finish(exchange), [""; 0]);
    let exchange = flow.begin(None).unwrap();
    assert_eq!(
        (exchange.state(), exchange.info().round),
        (Some(&b""[..]), 1)
    );
}

#[test]
fn texts_of_asks_from_their_parts() {
    let raw = |text| mrtr::json::Raw::parse(text, &Limits::default()).unwrap();
    let schema = r#"{"type":"object","properties":{}}"#;
    let made = [
        mrtr::server::form("Say \"hi\"\n", raw(schema)),
        url("Open \"it\"", "https://example.com/?a=b"),
        sampling(raw(
            r#"{"messages":[{"role":"user","content":{"type":"text","text":"?"}}],"maxTokens":1}"#,
        )),
        roots(),
    ];
    let mut exchange = Flow::usual().begin(None).unwrap();
    for (i, text) in made.iter().enumerate() {
        assert_eq!(
            status(&mut exchange, &i.to_string(), text),
            Missing,
            "{text}"
        );
    }
    let first: serde_json::Value = serde_json::from_str(&made[0]).unwrap();
    let params = json!({"mode": "form", "message": "Say \"hi\"\n", "requestedSchema": {"type": "object", "properties": {}}});
    assert_eq!(
        first,
        json!({"method": "elicitation/create", "params": params})
    );
}
