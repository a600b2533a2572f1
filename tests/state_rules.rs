//! Time, limits and the order of reasons (S6, D12, D13).
#![allow(missing_docs)]

mod state_support;

use mrtr::state::{Draft, Principal, Request, Sealer, SealerOptions};
use state_support::*;

const MIN: u64 = 60_000;

fn made(change: impl FnOnce(&mut SealerOptions)) -> Sealer {
    let mut options = options(&[KEY]);
    change(&mut options);
    Sealer::new(options).expect("options are good")
}

fn config(change: impl FnOnce(&mut SealerOptions)) -> &'static str {
    let mut options = options(&[KEY]);
    change(&mut options);
    reason(Sealer::new(options))
}

#[test]
fn a_token_lives_from_its_skew_to_its_expiry() {
    let sealer = sealer();
    let token = seal(&sealer, None, b"", 10 * MIN).expect("seals");
    for (now, expected) in [
        (0, "not_yet_valid"),
        (9 * MIN - 1, "not_yet_valid"),
        (9 * MIN, "ok"),
        (20 * MIN - 1, "ok"),
        (20 * MIN, "expired"),
        (u64::MAX, "expired"),
    ] {
        assert_eq!(reason(open(&sealer, &token, now)), expected, "{now}");
    }
}

#[test]
fn no_clock_makes_it_panic() {
    let sealer = sealer();
    let late = seal(&sealer, None, b"", u64::MAX).expect("seals");
    assert_eq!(reason(open(&sealer, &late, u64::MAX)), "expired");
    let claims = seal(&sealer, None, b"", 50 * MIN)
        .and_then(|token| open(&sealer, &token, 50 * MIN))
        .expect("opens");
    // The clock steps back by most of an hour: the flow started in the future, and is no older for it.
    let token = seal(&sealer, Some(&claims), b"", MIN).expect("seals");
    assert_eq!(
        open(&sealer, &token, MIN).expect("opens").flow_start_ms,
        50 * MIN
    );
    // It steps forth again.
    assert_eq!(
        reason(seal(&sealer, Some(&claims), b"", 110 * MIN)),
        "flow_expired"
    );
}

#[test]
fn a_flow_keeps_its_id_and_start_and_counts_rounds() {
    let sealer = made(|o| o.max_rounds = 3);
    let first = seal(&sealer, None, b"a", 5)
        .and_then(|token| open(&sealer, &token, 6))
        .expect("opens");
    assert_eq!(
        (
            first.round,
            first.issued_ms,
            first.expires_ms,
            first.flow_start_ms
        ),
        (1, 5, 600_005, 5)
    );
    let second = seal(&sealer, Some(&first), b"b", 9)
        .and_then(|token| open(&sealer, &token, 9))
        .expect("opens");
    assert_eq!(
        (second.round, second.issued_ms, second.flow_start_ms),
        (2, 9, 5)
    );
    assert_eq!(second.flow_id, first.flow_id);
    assert_ne!(second.token_id, first.token_id);
    let third = seal(&sealer, Some(&second), b"c", 9)
        .and_then(|token| open(&sealer, &token, 9))
        .expect("opens");
    assert_eq!(
        reason(seal(&sealer, Some(&third), b"d", 9)),
        "too_many_rounds"
    );
    let other = seal(&sealer, None, b"a", 5)
        .and_then(|token| open(&sealer, &token, 6))
        .expect("opens");
    assert_ne!(other.flow_id, first.flow_id);
}

#[test]
fn limits_are_those_of_whoever_opens() {
    let sealer = sealer();
    let first = seal(&sealer, None, b"", 0)
        .and_then(|token| open(&sealer, &token, 0))
        .expect("opens");
    let token = seal(&sealer, Some(&first), b"", 999).expect("seals");
    assert_eq!(
        reason(open(&made(|o| o.max_rounds = 1), &token, 999)),
        "too_many_rounds"
    );
    assert_eq!(
        reason(open(&made(|o| o.max_age_ms = 1000), &token, 999)),
        "ok"
    );
    assert_eq!(
        reason(open(&made(|o| o.max_age_ms = 1000), &token, 1000)),
        "flow_expired"
    );
    assert_eq!(reason(open(&made(|o| o.ttl_ms = 1), &token, 1000)), "ok");
}

/// Each step repairs the first fault of the step before; the next one in the order of D12 shows.
#[test]
fn reasons_come_in_order() {
    let parts: [&[u8]; 1] = [b"user-1"];
    let (user, nobody) = (Principal::Parts(&parts), Principal::None);
    let sealed =
        made(|o| (o.audience, o.ttl_ms, o.max_age_ms) = (Some("svc".into()), 1000, 10_000));
    let right = Request {
        principal: user,
        ..request(RESIZE)
    };
    let first = sealed
        .seal(&right, None, Draft::default(), 100_000)
        .expect("seals");
    let first = sealed.open(&right, &first, 100_000).expect("opens");
    let token = sealed
        .seal(&right, Some(&first), Draft::default(), 100_900)
        .expect("seals");
    let changed = format!("{}A", &token[..token.len() - 1]);
    let changed = if changed == token {
        format!("{}E", &token[..token.len() - 1])
    } else {
        changed
    };

    let strict = |o: &mut SealerOptions| {
        (o.audience, o.max_age_ms, o.max_rounds) = (Some("else".into()), 900, 1);
        o.single_use = Some(std::sync::Arc::new(mrtr::state::MemoryGuard::new(1)));
    };
    let other = Request {
        principal: nobody,
        ..request(r#"{"name":"resize","arguments":{"width":4}}"#)
    };
    let all_wrong = made(strict);
    let ring = made(|o| {
        strict(o);
        o.keys = options(&[OTHER]).keys;
    });
    let short = made(|o| {
        strict(o);
        o.limits.token_bytes = 10;
    });
    assert_eq!(reason(short.open(&other, "not a token", 0)), "too_large");
    assert_eq!(reason(ring.open(&other, "not a token", 0)), "malformed");
    assert_eq!(reason(ring.open(&other, &token, 0)), "unknown_key");
    assert_eq!(reason(all_wrong.open(&other, &changed, 0)), "tampered");
    assert_eq!(reason(all_wrong.open(&other, &token, 0)), "not_yet_valid");
    assert_eq!(reason(all_wrong.open(&other, &token, 101_900)), "expired");
    assert_eq!(
        reason(all_wrong.open(&other, &token, 100_900)),
        "flow_expired"
    );
    let rounds = made(|o| {
        strict(o);
        o.max_age_ms = 10_000;
    });
    assert_eq!(
        reason(rounds.open(&other, &token, 100_900)),
        "too_many_rounds"
    );
    let audience = made(|o| o.audience = Some("else".into()));
    assert_eq!(
        reason(audience.open(&other, &token, 100_900)),
        "wrong_audience"
    );
    assert_eq!(
        reason(sealed.open(&other, &token, 100_900)),
        "wrong_principal"
    );
    assert_eq!(
        reason(sealed.open(
            &Request {
                principal: user,
                ..other
            },
            &token,
            100_900
        )),
        "wrong_request"
    );
    assert_eq!(reason(sealed.open(&right, &token, 100_900)), "ok");
}

#[test]
fn options_out_of_range_are_config_errors() {
    const YEAR: u64 = 31_557_600_000;
    for ms in [0, 10 * YEAR + 1, u64::MAX, (-1_i64) as u64] {
        assert_eq!(config(|o| o.ttl_ms = ms), "config_error", "{ms}");
        assert_eq!(config(|o| o.max_age_ms = ms), "config_error", "{ms}");
        assert_eq!(
            config(|o| o.skew_ms = ms),
            if ms == 0 { "ok" } else { "config_error" },
            "{ms}"
        );
    }
    for ms in [1, 10 * YEAR] {
        assert_eq!(
            config(|o| (o.ttl_ms, o.max_age_ms, o.skew_ms) = (ms, ms, ms)),
            "ok"
        );
    }
    assert_eq!(config(|o| o.max_rounds = 0), "config_error");
    assert_eq!(config(|o| o.max_rounds = u32::MAX), "ok");
    assert_eq!(config(|o| o.audience = Some(String::new())), "config_error");
    assert_eq!(
        config(|o| o.audience = Some("a".repeat(4097))),
        "config_error"
    );
    assert_eq!(config(|o| o.keys.clear()), "config_error");
    assert_eq!(config(|o| o.ephemeral = true), "config_error");
    assert_eq!(config(|o| (o.keys, o.ephemeral) = (Vec::new(), true)), "ok");
}
