//! One leg of an exchange, and results of many asks: `cargo bench --bench server`. Figures in `benches/README.md`.
//!
//! Medians of short slices, in nanoseconds; the least slice tells what a busy machine adds.

use mrtr::json::{Key, Limits};
use mrtr::server::{
    AskStatus, BuildRequest, Exchange, Gate, OwnedPrincipal, Server, ServerOptions, build,
};
use mrtr::state::{Sealer, SealerOptions, Secret};
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

const CAPS: &str = r#"{"elicitation":{"form":{},"url":{}},"sampling":{},"roots":{}}"#;
const NOW: u64 = 1_800_000_000_000;
const BATCHES: usize = 201;

/// Runs slices of about 0.4 ms and prints median and least of them, `per` being how many asks one run has.
fn median(name: &str, per: usize, mut f: impl FnMut()) -> f64 {
    let started = Instant::now();
    let mut warm = 0u32;
    while started.elapsed().as_millis() < 40 {
        f();
        warm += 1;
    }
    let rounds = (warm / 100).max(1);
    let mut times: Vec<f64> = (0..BATCHES)
        .map(|_| {
            let start = Instant::now();
            (0..rounds).for_each(|_| f());
            start.elapsed().as_nanos() as f64 / f64::from(rounds)
        })
        .collect();
    times.sort_by(f64::total_cmp);
    let (ns, least) = (times[BATCHES / 2], times[0]);
    println!(
        "{name:<44} {ns:>9.0} ns, least {least:>9.0} ns, {:>6.0} ns each",
        ns / per as f64
    );
    ns
}

fn question(i: usize) -> String {
    format!(
        r#"{{"method":"elicitation/create","params":{{"mode":"form","message":"Which account number {i} shall pay?","requestedSchema":{{"type":"object","properties":{{"account":{{"type":"string","title":"Account","minLength":3,"maxLength":40}},"amount":{{"type":"number","minimum":0}}}},"required":["account"]}}}}}}"#
    )
}

const ANSWER: &str = r#"{"action":"accept","content":{"account":"savings","amount":12.50}}"#;

fn key(i: usize) -> Key {
    Key::from(format!("q{i:03}").as_str())
}

fn keyed(i: usize) -> (Key, String) {
    (key(i), question(i))
}

fn server() -> Arc<Server> {
    let limits = Limits {
        asks: 1000,
        answers: 1000,
        state_bytes: 1 << 20,
        ..Limits::default()
    };
    let options = SealerOptions {
        keys: vec![Secret::new(&[9; 32])],
        limits,
        max_rounds: 1000,
        ..SealerOptions::default()
    };
    let sealer = Some(Arc::new(Sealer::new(options).expect("a sealer")));
    Arc::new(Server::new(ServerOptions {
        sealer,
        limits,
        ..ServerOptions::default()
    }))
}

/// 145 bytes of arguments; the retry fields on top.
fn params(answers: &str, token: Option<&str>) -> String {
    let mut out = format!(
        r#"{{"name":"book_trip","arguments":{{"from":"ZRH","to":"LIS","date":"2026-11-03","passengers":[{{"name":"Ada","age":36}},{{"name":"Bob","age":41}}],"flexible":true,"max":1250.50}},"_meta":{{"progressToken":7,"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{{"name":"bench","version":"1"}},"io.modelcontextprotocol/clientCapabilities":{CAPS}}}"#
    );
    if !answers.is_empty() {
        out.push_str(&format!(r#","inputResponses":{answers}"#));
    }
    if let Some(token) = token {
        out.push_str(&format!(r#","requestState":"{token}""#));
    }
    out.push('}');
    out
}

fn begin(server: &Arc<Server>, params: &str) -> Exchange {
    let principal = OwnedPrincipal::Parts(vec![b"issuer".to_vec(), b"user-1".to_vec()]);
    Exchange::begin(server, "tools/call", params, principal, None, NOW).expect("a request")
}

fn token_of(result: &str) -> String {
    let (_, rest) = result.split_once(r#""requestState":""#).expect("a state");
    rest.split('"').next().expect("a token").to_string()
}

/// Asks questions one after the other, as a straight-line handler does; gives the result when one is open.
fn straight(exchange: &mut Exchange, questions: &[(Key, String)]) -> Option<String> {
    for (key, text) in questions {
        if exchange.ask(key.clone(), text).expect("an ask").status == AskStatus::Missing {
            return Some(exchange.result().expect("a result"));
        }
    }
    None
}

fn one_leg() -> f64 {
    let (server, questions) = (server(), [keyed(0), keyed(1)]);
    let mut exchange = begin(&server, &params("", None));
    exchange.set_state(Some(&[5; 64]));
    let token = token_of(&straight(&mut exchange, &questions).expect("a result"));
    let retry = params(&format!(r#"{{"q000":{ANSWER}}}"#), Some(&token));
    median("one leg: open, one form answer, next ask, seal", 1, || {
        let mut exchange = begin(&server, &retry);
        black_box(straight(&mut exchange, &questions).expect("a result"));
    })
}

fn parts() {
    let server = server();
    let first = params("", None);
    median("begin without a state", 1, || {
        drop(black_box(begin(&server, &first)))
    });
    let text = question(0);
    let mut fresh = 0usize;
    median("an ask never seen before, no seal", 1, || {
        fresh += 1;
        let mut exchange = begin(&server, &first);
        black_box(exchange.ask(key(0), &question(fresh)).expect("an ask"));
    });
    median("an ask seen before, no seal", 1, || {
        let mut exchange = begin(&server, &first);
        black_box(exchange.ask(key(0), &text).expect("an ask"));
    });
    median("a first leg: one ask, seal", 1, || {
        let mut exchange = begin(&server, &first);
        exchange.ask(key(0), &text).expect("an ask");
        black_box(exchange.result().expect("a result"));
    });
}

fn many_asks(count: usize) {
    let server = server();
    let questions: Vec<(Key, String)> = (0..count).map(keyed).collect();
    let all = |exchange: &mut Exchange| {
        for (key, text) in &questions {
            exchange.ask(key.clone(), text).expect("an ask");
        }
    };
    let first = params("", None);
    median(&format!("{count} asks in one result"), count, || {
        let mut exchange = begin(&server, &first);
        all(&mut exchange);
        black_box(exchange.result().expect("a result"));
    });
    let mut exchange = begin(&server, &first);
    all(&mut exchange);
    let token = token_of(&exchange.result().expect("a result"));
    let answers: Vec<String> = (0..count)
        .map(|i| format!(r#""q{i:03}":{ANSWER}"#))
        .collect();
    let retry = params(&format!("{{{}}}", answers.join(",")), Some(&token));
    median(&format!("{count} answers in one retry"), count, || {
        let mut exchange = begin(&server, &retry);
        all(&mut exchange);
        assert_eq!(exchange.pending(), 0);
    });
    let asks: Vec<(Key, &str)> = questions
        .iter()
        .map(|(key, text)| (key.clone(), text.as_str()))
        .collect();
    let request = BuildRequest {
        method: "tools/call",
        capabilities: Some(CAPS),
        gate: Gate::Refuse,
        asks: &asks,
        state: Some(&token),
        allow_secret: &[],
        allow_http: false,
        limits: Limits {
            asks: 1000,
            ..Limits::default()
        },
    };
    median(
        &format!("{count} asks built without an exchange"),
        count,
        || {
            black_box(build(&request).expect("a result"));
        },
    );
}

/// 32 rounds with one question each, every leg run from the start of the handler.
fn long_flow(leg: f64) {
    let (server, questions) = (server(), (0..32).map(keyed).collect::<Vec<_>>());
    let mut legs = Vec::new();
    let mut next = params("", None);
    for i in 0..33 {
        legs.push(next.clone());
        if let Some(result) = straight(&mut begin(&server, &next), &questions) {
            next = params(
                &format!(r#"{{"q{i:03}":{ANSWER}}}"#),
                Some(&token_of(&result)),
            );
        }
    }
    let whole = median("a flow of 32 rounds, all legs", 32, || {
        for params in &legs {
            black_box(straight(&mut begin(&server, params), &questions));
        }
    });
    println!(
        "32 rounds cost {:.2} legs each (at most 1.5)",
        whole / 32.0 / leg
    );
}

/// Arguments choose by name: leg, parts, asks, flow.
fn main() {
    let chosen: Vec<String> = std::env::args()
        .skip(1)
        .filter(|arg| !arg.starts_with("--"))
        .collect();
    let wanted = |name: &str| chosen.is_empty() || chosen.iter().any(|c| c == name);
    if std::env::args().any(|arg| arg == "--test") {
        return;
    }
    let leg = if wanted("leg") || wanted("flow") {
        one_leg()
    } else {
        0.0
    };
    if wanted("parts") {
        parts();
    }
    if wanted("asks") {
        [1, 10, 64, 100].into_iter().for_each(many_asks);
    }
    if wanted("flow") {
        long_flow(leg);
    }
}
