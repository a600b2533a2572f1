//! Time, limits, binding, and the order of reasons (S3-S6, D12-D14).
#![allow(missing_docs)]

mod state_support;

use mrtr::json::Key;
use mrtr::protocol::Kind;
use mrtr::state::{Asked, Draft, Kept, Outcome, Principal, Request, Sealer, SealerOptions};
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
fn principals_are_compared_part_by_part() {
    let sealer = sealer();
    let all: [Option<&[&[u8]]>; 8] = [
        None,
        Some(&[b""]),
        Some(&[b"", b""]),
        Some(&[b"a", b"bc"]),
        Some(&[b"ab", b"c"]),
        Some(&[b"abc"]),
        Some(&[b"abc", b""]),
        Some(&[b"abc\0"]),
    ];
    let of = |parts: Option<&'static [&'static [u8]]>| Request {
        principal: parts.map_or(Principal::None, Principal::Parts),
        ..request(RESIZE)
    };
    for sealed in all {
        let token = sealer
            .seal(&of(sealed), None, Draft::default(), 0)
            .expect("seals");
        for opened in all {
            let expected = if sealed == opened {
                "ok"
            } else {
                "wrong_principal"
            };
            assert_eq!(reason(sealer.open(&of(opened), &token, 0)), expected);
        }
        assert_eq!(
            reason(sealer.open(&of(Some(&[])), &token, 0)),
            "config_error"
        );
    }
    assert_eq!(
        reason(sealer.seal(&of(Some(&[])), None, Draft::default(), 0)),
        "config_error"
    );
}

#[test]
fn duplicates_where_the_digest_is_taken_are_bad_json() {
    let sealer = sealer();
    let token = seal(&sealer, None, b"", 0).expect("seals");
    for (params, at) in [
        (
            r#"{"name":"resize","arguments":{"width":3,"w\u0069dth":3}}"#,
            "/arguments",
        ),
        (
            r#"{"name":"resize","arguments":{"a":[{"b":1,"b":1}]}}"#,
            "/arguments/a/0",
        ),
        (
            r#"{"name":"resize","name":"resize","arguments":{"width":3}}"#,
            "",
        ),
        (
            r#"{"name":"resize","arguments":{"width":3},"argument\u0073":{"width":3}}"#,
            "",
        ),
    ] {
        for error in [
            sealer
                .seal(&request(params), None, Draft::default(), 0)
                .expect_err(params),
            sealer.open(&request(params), &token, 0).expect_err(params),
        ] {
            assert_eq!(
                (error.code().name(), error.at()),
                ("bad_json", Some(at)),
                "{params}"
            );
        }
        // But a token that is refused for an earlier reason says that one.
        assert_eq!(
            reason(sealer.open(&request(params), &token, 600_000)),
            "expired"
        );
    }
}

#[test]
fn asks_answers_and_state_come_back_as_they_were() {
    let sealer = sealer();
    let key = |bytes: &[u8]| Key::from_wtf8(bytes).expect("is WTF-8");
    let long = "k".repeat(64 << 10);
    let asked: Vec<Asked> = [
        &b""[..],
        b"a\0b",
        b"\xed\xa0\x80",
        "é😀".as_bytes(),
        long.as_bytes(),
    ]
    .into_iter()
    .zip([
        Kind::Form,
        Kind::Url,
        Kind::Sampling,
        Kind::Roots,
        Kind::Form,
    ])
    .map(|(name, kind)| Asked {
        key: key(name),
        kind,
        digest: [kind as u8; 32],
    })
    .collect();
    let content = r#"{"n":1e400,"s":"\ud800","o":{"b":1,"a":2}}"#;
    let outcomes = [
        Outcome::Accepted(content.into()),
        Outcome::Accepted(String::new()),
        Outcome::Declined,
        Outcome::Cancelled,
    ];
    let answers: Vec<Kept> = asked
        .iter()
        .take(4)
        .zip(outcomes)
        .map(|(ask, outcome)| Kept {
            key: ask.key.clone(),
            kind: ask.kind,
            digest: ask.digest,
            outcome,
        })
        .collect();
    let big = made(|o| o.limits.state_bytes = 1 << 20);
    for state in [None, Some(&b""[..]), Some(b"\0\xff"), Some(&[7; 64 << 10])] {
        let draft = Draft {
            asked: &asked,
            answers: &answers,
            state,
        };
        let token = big.seal(&request(RESIZE), None, draft, 0).expect("seals");
        let claims = open(&sealer, &token, 0).expect("opens");
        assert!(claims.asked == asked && claims.answers == answers);
        assert_eq!(claims.state.as_deref(), state);
    }
}

/// 10 bytes: one each of host state, two keys of asks, an answer's key, and 6 of its content.
#[test]
fn the_state_limit_counts_state_answers_and_keys() {
    let ask = |name: &str| Asked {
        key: Key::from(name),
        kind: Kind::Form,
        digest: [0; 32],
    };
    let kept = Kept {
        key: Key::from("c"),
        kind: Kind::Form,
        digest: [0; 32],
        outcome: Outcome::Accepted(r#"{"a":1}"#.get(1..).expect("is ASCII").into()),
    };
    let draft = Draft {
        asked: &[ask("a"), ask("b")],
        answers: &[kept],
        state: Some(b"s"),
    };
    for (limit, expected) in [(10, "ok"), (9, "too_large")] {
        let sealer = made(|o| o.limits.state_bytes = limit);
        assert_eq!(
            reason(sealer.seal(&request(RESIZE), None, draft, 0)),
            expected
        );
    }
    // The default limit is 64 KiB to the byte.
    assert_eq!(reason(seal(&sealer(), None, &[0; 64 << 10], 0)), "ok");
    assert_eq!(
        reason(seal(&sealer(), None, &[0; (64 << 10) + 1], 0)),
        "too_large"
    );
}

#[test]
fn host_state_goes_on_until_it_is_set_anew() {
    let sealer = sealer();
    let first = seal(&sealer, None, b"kept", 0)
        .and_then(|token| open(&sealer, &token, 0))
        .expect("opens");
    let next = |state| {
        let draft = Draft {
            state,
            ..Draft::default()
        };
        let token = sealer
            .seal(&request(RESIZE), Some(&first), draft, 0)
            .expect("seals");
        open(&sealer, &token, 0).expect("opens").state
    };
    assert_eq!(next(None).as_deref(), Some(&b"kept"[..]));
    assert_eq!(next(Some(b"")).as_deref(), Some(&b""[..]));
    assert_eq!(next(Some(b"new")).as_deref(), Some(&b"new"[..]));
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
