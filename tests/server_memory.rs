//! Nothing is kept per flow (S12), and an exchange costs little beyond its texts.

mod server_kit;

use mrtr::server::Exchange;
use server_kit::*;

/// Resident memory of this process, in bytes.
fn resident() -> usize {
    let statm = std::fs::read_to_string("/proc/self/statm").expect("Linux");
    let pages: usize = statm
        .split(' ')
        .nth(1)
        .and_then(|n| n.parse().ok())
        .expect("a number");
    pages * 4096
}

/// How many exchanges are begun and never retried; a million in the long tier (MRTR_LONG=1).
fn count() -> usize {
    if std::env::var_os("MRTR_LONG").is_some() {
        1_000_000
    } else {
        30_000
    }
}

fn first_leg(flow: &Flow, question: &str) -> Exchange {
    let mut exchange = flow.begin(None).unwrap();
    exchange.set_state(Some(&[7; 64]));
    status(&mut exchange, "a", question);
    assert!(exchange.result().is_ok());
    exchange
}

/// One test, so that nothing else allocates meanwhile.
#[test]
fn abandoned_exchanges_leave_memory_flat_and_waiting_ones_are_small() {
    let flow = Flow::usual();
    // Every question differs, as with a message that holds a name: the store of checked questions must stay bounded.
    for i in 0..20_000 {
        first_leg(&flow, &form(&format!("Name of number {i}, please?")));
    }
    let before = resident();
    for i in 0..count() {
        first_leg(&flow, &form(&format!("Name of number {i}, please?")));
    }
    let grown = resident().saturating_sub(before);
    assert!(
        grown < 512 << 10,
        "{grown} bytes more after {} exchanges",
        count()
    );

    let question = form("Name, please?");
    let texts = flow.params.len() + question.len() + EVERYTHING.len();
    let before = resident();
    let waiting: Vec<Exchange> = (0..5_000).map(|_| first_leg(&flow, &question)).collect();
    let each = resident().saturating_sub(before) / waiting.len();
    assert!(
        each <= texts + (4 << 10),
        "{each} bytes each, of which texts {texts}"
    );
}
