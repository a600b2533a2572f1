//! A server, and a client that sends what a test tells it to.
#![allow(dead_code)] // each test file uses its part

use mrtr::json::{Key, Limits, Raw, splice};
use mrtr::protocol::Error;
use mrtr::server::{AskOutcome, AskStatus, Exchange, OwnedPrincipal, Server, ServerOptions};
use mrtr::state::{Sealer, SealerOptions, Secret};
use serde_json::Value;
use std::sync::Arc;

pub const EVERYTHING: &str =
    r#"{"elicitation":{"form":{},"url":{}},"sampling":{"tools":{},"context":{}},"roots":{}}"#;
pub const ROOTS: &str = r#"{"method":"roots/list"}"#;
pub const URL: &str = r#"{"method":"elicitation/create","params":{"mode":"url","message":"Open","url":"https://example.com/"}}"#;
pub const SAMPLING: &str = r#"{"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"Hm?"}}],"maxTokens":9}}"#;

/// A form that asks for one text.
pub fn form(message: &str) -> String {
    let schema = r#"{"type":"object","properties":{"n":{"type":"string"}},"required":["n"]}"#;
    format!(
        r#"{{"method":"elicitation/create","params":{{"mode":"form","message":"{message}","requestedSchema":{schema}}}}}"#
    )
}

/// An entry that accepts such a form.
pub fn said(text: &str) -> String {
    format!(r#"{{"action":"accept","content":{{"n":"{text}"}}}}"#)
}

pub fn sealer(options: SealerOptions) -> Arc<Sealer> {
    Arc::new(
        Sealer::new(SealerOptions {
            keys: vec![Secret::new(&[3; 32])],
            ..options
        })
        .expect("a sealer"),
    )
}

pub fn options() -> ServerOptions {
    ServerOptions {
        sealer: Some(sealer(SealerOptions::default())),
        ..ServerOptions::default()
    }
}

/// One flow of one client.
#[derive(Clone)]
pub struct Flow {
    pub server: Arc<Server>,
    pub method: String,
    pub params: String,
    pub principal: OwnedPrincipal,
    pub caps: Option<String>,
    pub now_ms: u64,
    /// `requestState` of the last result, as JSON text.
    pub token: Option<String>,
}

impl Flow {
    pub fn new(options: ServerOptions) -> Flow {
        Flow {
            server: Arc::new(Server::new(options)),
            method: "tools/call".into(),
            params: r#"{"name":"deploy","arguments":{"site":"north"}}"#.into(),
            principal: OwnedPrincipal::None,
            caps: Some(EVERYTHING.into()),
            now_ms: 1_000_000,
            token: None,
        }
    }

    pub fn usual() -> Flow {
        Flow::new(options())
    }

    /// The request with these answers (JSON text) and the token of the last result.
    pub fn begin(&self, answers: Option<&str>) -> Result<Exchange, Error> {
        let mut add = Vec::new();
        add.extend(answers.map(|answers| ("inputResponses", answers)));
        add.extend(self.token.as_deref().map(|token| ("requestState", token)));
        let params = splice(
            Raw::parse(&self.params, &Limits::default()).expect("params"),
            &[],
            &add,
        );
        self.send(&params)
    }

    /// The request with exactly these params.
    pub fn send(&self, params: &str) -> Result<Exchange, Error> {
        Exchange::begin(
            &self.server,
            &self.method,
            params,
            self.principal.clone(),
            self.caps.as_deref(),
            self.now_ms,
        )
    }

    /// Ends a leg with a result, whose token comes back next time. Gives the keys that were asked.
    pub fn finish(&mut self, mut exchange: Exchange) -> Vec<String> {
        let result = exchange.result().expect("a result");
        let (asks, token) = read(&result);
        self.token = token;
        asks
    }
}

/// Keys asked and token, of the text of a result.
pub fn read(result: &str) -> (Vec<String>, Option<String>) {
    let raw = Raw::parse(result, &Limits::default())
        .expect("JSON")
        .object()
        .expect("an object");
    assert!(
        raw.get("resultType")
            .and_then(Raw::string)
            .is_some_and(|tag| tag.is("input_required"))
    );
    let asks = raw
        .get("inputRequests")
        .and_then(Raw::members)
        .into_iter()
        .flatten();
    let keys = asks
        .map(|(key, _)| key.text().expect("a text").into_owned())
        .collect();
    (
        keys,
        raw.get("requestState").map(|raw| raw.text().to_string()),
    )
}

pub fn key(text: &str) -> Key {
    Key::from(text)
}

pub fn ask(exchange: &mut Exchange, name: &str, text: &str) -> AskOutcome {
    exchange.ask(key(name), text).expect("an ask")
}

pub fn status(exchange: &mut Exchange, name: &str, text: &str) -> AskStatus {
    ask(exchange, name, text).status
}

/// Code and data of the JSON-RPC error.
pub fn wire(error: &Error) -> (i64, Option<Value>) {
    let rpc = error.rpc().expect("a JSON-RPC error");
    (
        rpc.code,
        rpc.data
            .as_deref()
            .map(|data| serde_json::from_str(data).expect("JSON")),
    )
}

pub fn refused<T>(outcome: Result<T, Error>) -> Error {
    match outcome {
        Ok(_) => panic!("not refused"),
        Err(error) => error,
    }
}

/// Asserts the one answer for a state that is no good (S9), and its true reason.
pub fn assert_state_refused(error: &Error, reason: &str) {
    let rpc = error.rpc().expect("a JSON-RPC error").to_json();
    let frozen = r#"{"code":-32602,"message":"Invalid or expired requestState","data":{"reason":"invalid_request_state"}}"#;
    assert_eq!((rpc.as_str(), error.code().name()), (frozen, reason));
}
