//! What a waiting flow costs: 1.1 times its texts and 1 KiB at most.

mod client_support;

use client_support::*;
use mrtr::client::Flow;

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

/// How many flows wait at once.
const FLOWS: usize = 100_000;

fn each(make: impl Fn() -> Flow) -> usize {
    let before = resident();
    let flows: Vec<Flow> = (0..FLOWS).map(|_| make()).collect();
    resident().saturating_sub(before) / flows.len()
}

/// One test, so that nothing else allocates meanwhile.
#[test]
fn a_waiting_flow_costs_its_texts_and_little_more() {
    let client = client(options());
    let begin = || client.begin("tools/call", CALL, None, 0).unwrap();
    let sent_params = sent(&mut begin(), 0).2.len();
    let in_flight = each(|| {
        let mut flow = begin();
        sent(&mut flow, 0);
        flow
    });
    assert!(
        in_flight <= sent_params * 11 / 10 + 1024,
        "{in_flight} bytes in flight"
    );

    let result = asks(&[("a", FORM), ("b", FORM)], Some(&"s".repeat(300)));
    let asking = each(|| {
        let mut flow = after(begin(), &result);
        round(&mut flow, 0);
        asked(&mut flow, 0);
        flow
    });
    let texts = sent_params + result.len();
    assert!(
        asking <= texts * 11 / 10 + 1024,
        "{asking} bytes while asking, texts {texts}"
    );
}
