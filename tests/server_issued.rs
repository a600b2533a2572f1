//! What a host hears of the asks that went out, so that it can release what it holds (X7, S12).

mod server_kit;

use mrtr::protocol::{Capabilities, Era, Need, Peer};
use mrtr::server::{Issued, Legacy, Observer, OwnedPrincipal, ServerOptions};
use mrtr::state::SealerOptions;
use server_kit::*;
use std::sync::{Arc, Mutex};

#[derive(Default)]
struct Heard(Mutex<Vec<Issued>>);

impl Observer for Heard {
    fn issued(&self, issued: &Issued) {
        self.0.lock().expect("a list").push(issued.clone());
    }
}

/// Faulty: it must change nothing.
struct Panics;

impl Observer for Panics {
    fn issued(&self, _: &Issued) {
        panic!("the host's own fault");
    }
}

fn heard_by(options: ServerOptions) -> (Flow, Arc<Heard>) {
    let heard = Arc::new(Heard::default());
    let flow = Flow::new(ServerOptions {
        observer: Some(Arc::clone(&heard) as _),
        ..options
    });
    (flow, heard)
}

#[test]
fn each_round_is_told_with_its_keys_and_its_end() {
    let (mut flow, heard) = heard_by(ServerOptions {
        sealer: Some(sealer(SealerOptions {
            ttl_ms: 5_000,
            max_age_ms: 8_000,
            ..SealerOptions::default()
        })),
        ..ServerOptions::default()
    });
    let mut exchange = flow.begin(None).unwrap();
    status(&mut exchange, "b", &form("Second"));
    status(&mut exchange, "a", &form("First"));
    assert!(heard.0.lock().unwrap().is_empty(), "nothing went out yet");
    let flow_id = exchange.info().flow_id.expect("an id");
    flow.finish(exchange);

    flow.now_ms += 4_000;
    let mut exchange = flow
        .begin(Some(&format!(r#"{{"b":{}}}"#, said("x"))))
        .unwrap();
    status(&mut exchange, "b", &form("Second"));
    status(&mut exchange, "a", &form("First"));
    flow.finish(exchange);

    let issued = |round, keys: &[&str], expires_ms| Issued {
        flow_id,
        round,
        method: "tools/call".into(),
        keys: keys.iter().map(|name| key(name)).collect(),
        expires_ms,
    };
    // The state's own end first, then the flow's, which comes before it.
    let want = [
        issued(1, &["b", "a"], 1_005_000),
        issued(2, &["a"], 1_008_000),
    ];
    assert_eq!(*heard.0.lock().unwrap(), want);
}

#[test]
fn only_sealed_results_with_asks_are_told() {
    let (mut flow, heard) = heard_by(options());
    // A refused result.
    flow.caps = Some("{}".into());
    let mut exchange = flow.begin(None).unwrap();
    status(&mut exchange, "a", &form("Name?"));
    refused(exchange.result());
    // A state alone.
    let mut exchange = flow.begin(None).unwrap();
    exchange.set_state(Some(b"later"));
    exchange.result().expect("a state alone");
    assert!(heard.0.lock().unwrap().is_empty());
    // Without a sealer there is neither an id nor an end.
    let (mut flow, heard) = heard_by(ServerOptions::default());
    let mut exchange = flow.begin(None).unwrap();
    status(&mut exchange, "a", &form("Name?"));
    exchange.set_state(Some(b"mine"));
    flow.finish(exchange);
    assert!(heard.0.lock().unwrap().is_empty());
}

/// L3.
#[test]
fn rounds_of_older_clients_are_told_too() {
    let (flow, heard) = heard_by(options());
    let peer = Peer {
        era: Era::of("2025-11-25").expect("a known version"),
        declared: Capabilities::from(Need::FORM),
        back_channel: true,
    };
    let (server, who) = (&flow.server, OwnedPrincipal::None);
    let call = Legacy::begin(server, peer, "tools/call", &flow.params, who).expect("a call");
    let mut exchange = call.exchange(1_000).expect("an exchange");
    status(&mut exchange, "a", &form("Name?"));
    exchange.result().expect("a result");
    let heard = heard.0.lock().unwrap();
    let [issued] = heard.as_slice() else {
        panic!("told once")
    };
    assert_eq!((issued.round, issued.expires_ms), (1, 601_000));
    assert_eq!(issued.keys, [key("a")]);
}

#[test]
fn a_panic_of_the_observer_changes_nothing() {
    let mut flow = Flow::new(ServerOptions {
        observer: Some(Arc::new(Panics)),
        ..options()
    });
    let mut exchange = flow.begin(None).unwrap();
    status(&mut exchange, "a", &form("Name?"));
    assert_eq!(flow.finish(exchange), ["a"]);
    let mut exchange = flow
        .begin(Some(&format!(r#"{{"a":{}}}"#, said("x"))))
        .unwrap();
    assert!(ask(&mut exchange, "a", &form("Name?")).content.is_some());
}
