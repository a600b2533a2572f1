//! Rotation under load, threads, single use and the host's own crypto (S7, S11, S13).
#![allow(missing_docs)]

mod state_support;

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use mrtr::protocol::{Code, Error};
use mrtr::state::{Crypto, Guard, MemoryGuard, Principal, Request, Sealer, SealerOptions, Secret};
use state_support::*;

fn secrets(keys: &[[u8; 32]]) -> Vec<Secret> {
    keys.iter().map(|key| Secret::new(key)).collect()
}

#[test]
fn short_and_double_keys_are_refused_and_leave_the_ring_as_it_was() {
    let sealer = sealer();
    let token = seal(&sealer, None, b"", 0).expect("seals");
    let short = vec![Secret::new(&KEY), Secret::new(&[1; 31])];
    for keys in [vec![], short, secrets(&[KEY, OTHER, KEY])] {
        assert_eq!(reason(sealer.set_keys(&keys)), "config_error");
        assert_eq!(reason(open(&sealer, &token, 0)), "ok");
    }
}

#[test]
fn the_first_key_seals_and_every_key_opens() {
    let ring = |keys: &[[u8; 32]]| Sealer::new(options(keys)).expect("options are good");
    let (old, new) = (ring(&[KEY]), ring(&[OTHER]));
    for (keys, by_old, by_new) in [
        ([KEY, OTHER], "ok", "unknown_key"),
        ([OTHER, KEY], "unknown_key", "ok"),
    ] {
        let both = ring(&keys);
        let token = seal(&both, None, b"", 0).expect("seals");
        assert_eq!(
            (reason(open(&old, &token, 0)), reason(open(&new, &token, 0))),
            (by_old, by_new)
        );
        for sealer in [&old, &new] {
            assert_eq!(
                reason(open(&both, &seal(sealer, None, b"", 0).expect("seals"), 0)),
                "ok"
            );
        }
    }
    let many: Vec<[u8; 32]> = (0..200).map(|n| [n; 32]).collect();
    let all = ring(&many);
    for key in many {
        assert_eq!(
            reason(open(
                &all,
                &seal(&ring(&[key]), None, b"", 0).expect("seals"),
                0
            )),
            "ok"
        );
    }
}

/// Two threads seal and open while the ring goes round the three steps: nothing is refused.
#[test]
fn rotation_under_load_refuses_nothing() {
    let sealer = sealer();
    let done = AtomicBool::new(false);
    let (opened, refused) = (AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    let token = seal(&sealer, None, b"state", 0);
                    let good = token.is_ok_and(|token| open(&sealer, &token, 0).is_ok());
                    refused.fetch_add(usize::from(!good), Ordering::Relaxed);
                    opened.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        for _ in 0..40 {
            for keys in [
                &[KEY, OTHER][..],
                &[OTHER, KEY],
                &[OTHER, KEY, [3; 32]],
                &[KEY, OTHER],
            ] {
                sealer.set_keys(&secrets(keys)).expect("keys are good");
                // No ring is passed over: tokens are opened between any two.
                let before = opened.load(Ordering::Relaxed);
                while opened.load(Ordering::Relaxed) < before + 2 {
                    std::thread::yield_now();
                }
            }
        }
        done.store(true, Ordering::Relaxed);
    });
    assert_eq!(refused.into_inner(), 0);
}

/// S2.
#[test]
fn no_two_tokens_share_salt_and_nonce_and_a_salt_ends() {
    let sealer = sealer();
    let head = |now| {
        let token = seal(&sealer, None, b"", now).expect("seals");
        (token[17..38].to_owned(), token)
    };
    let mut tokens = HashSet::new();
    let mut salts: Vec<(String, usize)> = Vec::new();
    for _ in 0..1000 {
        let (salt, token) = head(0);
        assert!(tokens.insert(token));
        match salts.last_mut() {
            Some((last, count)) if *last == salt => *count += 1,
            _ => salts.push((salt, 1)),
        }
    }
    assert!(
        salts.iter().all(|(_, count)| *count <= 64),
        "64 tokens to a salt"
    );
    assert_eq!(
        salts
            .iter()
            .map(|(salt, _)| salt)
            .collect::<HashSet<_>>()
            .len(),
        salts.len()
    );
    // A second of the host's clock ends a salt, and so does a step back.
    let (first, second, third) = (head(5000).0, head(6000).0, head(5999).0);
    assert!(first != second && second != third);
}

/// S2.
#[test]
fn threads_seal_at_once_without_a_repeat() {
    let sealer = sealer();
    let mut all = HashSet::new();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..40)
            .map(|_| {
                scope.spawn(|| {
                    (0..100)
                        .map(|_| seal(&sealer, None, b"", 0).expect("seals"))
                        .collect::<Vec<_>>()
                })
            })
            .collect();
        for thread in threads {
            all.extend(thread.join().expect("ends well"));
        }
    });
    assert_eq!(all.len(), 4000);
    assert!(all.iter().all(|token| open(&sealer, token, 0).is_ok()));
}

fn single(guard: Arc<dyn Guard>) -> Sealer {
    Sealer::new(SealerOptions {
        single_use: Some(guard),
        ..options(&[KEY])
    })
    .expect("options are good")
}

#[test]
fn of_eight_threads_with_one_token_one_wins() {
    let sealer = single(Arc::new(MemoryGuard::default()));
    for _ in 0..50 {
        let token = seal(&sealer, None, b"", 0).expect("seals");
        let won = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| match reason(open(&sealer, &token, 0)) {
                    "ok" => drop(won.fetch_add(1, Ordering::Relaxed)),
                    other => assert_eq!(other, "replayed"),
                });
            }
        });
        assert_eq!(won.into_inner(), 1);
    }
}

#[test]
fn a_claim_comes_last_and_lasts_until_expiry_and_skew() {
    struct Watch(parking_lot::Mutex<Vec<([u8; 16], u64, u64)>>);
    impl Guard for Watch {
        fn claim(&self, token_id: &[u8; 16], until_ms: u64, now_ms: u64) -> Result<bool, Error> {
            self.0.lock().push((*token_id, until_ms, now_ms));
            Ok(true)
        }
    }
    let watch = Arc::new(Watch(parking_lot::Mutex::default()));
    let sealer = single(watch.clone());
    let token = seal(&sealer, None, b"", 1000).expect("seals");
    let other = Request {
        principal: Principal::Parts(&[b"x"]),
        ..request(RESIZE)
    };
    assert_eq!(reason(sealer.open(&other, &token, 1000)), "wrong_principal");
    let other = request(r#"{"name":"resize"}"#);
    assert_eq!(reason(sealer.open(&other, &token, 1000)), "wrong_request");
    let unclaimed = sealer
        .open_unclaimed(&request(RESIZE), &token, 1000)
        .expect("opens");
    assert!(watch.0.lock().is_empty());
    let claims = open(&sealer, &token, 2000).expect("opens");
    assert!(claims == unclaimed);
    assert_eq!(*watch.0.lock(), [(claims.token_id, 661_000, 2000)]);
}

#[test]
fn a_guard_that_cannot_answer_refuses() {
    struct Down;
    impl Guard for Down {
        fn claim(&self, _: &[u8; 16], _: u64, _: u64) -> Result<bool, Error> {
            Err(Error::new(Code::ConfigError, "the store is down"))
        }
    }
    let sealer = single(Arc::new(Down));
    let token = seal(&sealer, None, b"", 0).expect("seals");
    let error = open(&sealer, &token, 0).expect_err("is refused");
    assert_eq!(
        (error.code().name(), error.message()),
        ("guard_failed", "the store is down")
    );
    assert_eq!(error.rpc().map(|rpc| rpc.code), Some(-32602));
}

#[test]
fn the_guard_in_memory_is_bounded_and_forgets_only_what_is_over() {
    let guard = MemoryGuard::new(2);
    let claim = |id: u8, until, now| guard.claim(&[id; 16], until, now).ok();
    assert_eq!(claim(1, 100, 0), Some(true));
    assert_eq!(claim(2, 200, 0), Some(true));
    assert_eq!(claim(3, 300, 99), None, "full: refused, nothing forgotten");
    assert_eq!(claim(1, 100, 99), Some(false));
    assert_eq!(
        claim(3, 300, 100),
        Some(true),
        "the first is over, there is room"
    );
    assert_eq!(guard.len(), 2);
    assert_eq!(
        claim(1, 100, 50),
        Some(false),
        "the clock steps back: what was forgotten stays claimed"
    );
    assert_eq!(claim(2, 200, 150), Some(false));
}

/// Reverses the bytes and adds a check byte: enough to see who is asked, and in what order.
struct Mirror;
impl Crypto for Mirror {
    fn seal(&self, plain: &[u8]) -> Result<Vec<u8>, Error> {
        let sum = plain.iter().fold(0_u8, |sum, byte| sum.wrapping_add(*byte));
        Ok(plain.iter().rev().copied().chain([sum]).collect())
    }
    fn unseal(&self, sealed: &[u8]) -> Result<Vec<u8>, Error> {
        let (sum, mirrored) = sealed
            .split_last()
            .ok_or_else(|| Error::new(Code::Malformed, "is empty"))?;
        let plain: Vec<u8> = mirrored.iter().rev().copied().collect();
        let right = plain.iter().fold(0_u8, |sum, byte| sum.wrapping_add(*byte)) == *sum;
        right
            .then_some(plain)
            .ok_or_else(|| Error::new(Code::Malformed, "the sum is wrong"))
    }
}

#[test]
fn the_hosts_own_crypto_keeps_our_claims() {
    let own = || SealerOptions {
        crypto: Some(Arc::new(Mirror)),
        ..SealerOptions::default()
    };
    let sealer = Sealer::new(own()).expect("options are good");
    let token = seal(&sealer, None, b"state", 0).expect("seals");
    let claims = open(&sealer, &token, 0).expect("opens");
    assert_eq!(
        (claims.round, claims.state.as_deref()),
        (1, Some(&b"state"[..]))
    );
    assert_eq!(reason(open(&sealer, &token, 600_000)), "expired");
    assert_eq!(
        reason(sealer.open(&request(r#"{"name":"other"}"#), &token, 0)),
        "wrong_request"
    );
    let user = Request {
        principal: Principal::Parts(&[b"user"]),
        ..request(RESIZE)
    };
    assert_eq!(reason(sealer.open(&user, &token, 0)), "wrong_principal");
    let own_token = seal(&state_support::sealer(), None, b"", 0).expect("seals");
    assert_eq!(reason(open(&sealer, &own_token, 0)), "unknown_key");
    assert_eq!(
        reason(open(&state_support::sealer(), &token, 0)),
        "unknown_key"
    );
    let at = 40;
    let flipped = if &token[at..=at] == "A" { "B" } else { "A" };
    let error = open(
        &sealer,
        &format!("{}{flipped}{}", &token[..at], &token[at + 1..]),
        0,
    )
    .expect_err("is refused");
    assert_eq!(
        (error.code().name(), error.message()),
        ("tampered", "the sum is wrong")
    );
    assert_eq!(
        reason(Sealer::new(SealerOptions {
            keys: secrets(&[KEY]),
            ..own()
        })),
        "config_error"
    );
    assert_eq!(
        reason(Sealer::new(SealerOptions {
            ephemeral: true,
            ..own()
        })),
        "config_error"
    );
    assert_eq!(reason(sealer.set_keys(&secrets(&[KEY]))), "config_error");
}

#[test]
fn an_ephemeral_sealer_opens_its_own_only() {
    let made = || {
        Sealer::new(SealerOptions {
            ephemeral: true,
            ..SealerOptions::default()
        })
        .expect("options are good")
    };
    let (one, two) = (made(), made());
    let token = seal(&one, None, b"", 0).expect("seals");
    assert_eq!(reason(open(&one, &token, 0)), "ok");
    assert_eq!(reason(open(&two, &token, 0)), "unknown_key");
}
