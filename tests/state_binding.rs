//! What a token is bound to and what it carries (S3-S5, D13, D14).
#![allow(missing_docs)]

mod state_support;

use mrtr::json::Key;
use mrtr::protocol::{Code, Kind};
use mrtr::state::{Asked, Draft, Kept, Outcome, Principal, Request, Sealer, SealerOptions};
use state_support::*;

fn made(change: impl FnOnce(&mut SealerOptions)) -> Sealer {
    let mut options = options(&[KEY]);
    change(&mut options);
    Sealer::new(options).expect("options are good")
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
fn two_targets_that_are_no_strings_are_not_one() {
    let sealer = sealer();
    for params in [
        r#"{"name":5}"#,
        r#"{"name":["resize"]}"#,
        r#"{"name":false}"#,
    ] {
        let sealed = sealer.seal(&request(params), None, Draft::default(), 0);
        assert_eq!(sealed.expect_err(params).code(), Code::InvalidParams);
    }
    let nameless = r#"{"arguments":{}}"#;
    let token = sealer
        .seal(&request(nameless), None, Draft::default(), 0)
        .expect("seals");
    assert!(sealer.open(&request(nameless), &token, 0).is_ok());
    let error = sealer.open(&request(r#"{"name":6}"#), &token, 0);
    assert_eq!(error.expect_err("no string").code(), Code::InvalidParams);
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
