//! What is authentic but no layout of ours is malformed: the claims are read with crypto that hides nothing (S3, S13).
#![allow(missing_docs)]

mod state_support;

use std::sync::Arc;

use mrtr::json::Key;
use mrtr::protocol::{Error, Kind};
use mrtr::state::{Asked, Crypto, Draft, Kept, Outcome, Principal, Request, Sealer, SealerOptions};
use parking_lot::Mutex;
use state_support::*;

/// Keeps what was sealed last, and gives back whatever it is told to.
#[derive(Default)]
struct Open(Mutex<Vec<u8>>);

impl Crypto for Open {
    fn seal(&self, plain: &[u8]) -> Result<Vec<u8>, Error> {
        *self.0.lock() = plain.to_vec();
        Ok(vec![0])
    }
    fn unseal(&self, _: &[u8]) -> Result<Vec<u8>, Error> {
        Ok(self.0.lock().clone())
    }
}

/// The claims of a token with all that there can be, and a way to open any others.
fn claims(check: impl Fn(&[u8], &dyn Fn(Vec<u8>) -> &'static str)) {
    let crypto = Arc::new(Open::default());
    let options = SealerOptions {
        crypto: Some(crypto.clone()),
        audience: Some("svc".into()),
        ..SealerOptions::default()
    };
    let sealer = Sealer::new(options).expect("options are good");
    let kept = |name: &str, outcome| Kept {
        key: Key::from(name),
        kind: Kind::Form,
        digest: [2; 32],
        outcome,
    };
    let draft = Draft {
        asked: &[Asked {
            key: Key::from("seat"),
            kind: Kind::Form,
            digest: [1; 32],
        }],
        answers: &[
            kept("a", Outcome::Accepted("{}".into())),
            kept("b", Outcome::Declined),
        ],
        state: Some(b"state"),
    };
    let request = Request {
        principal: Principal::Parts(&[b"user"]),
        ..request(RESIZE)
    };
    let token = sealer.seal(&request, None, draft, 0).expect("seals");
    let plain = crypto.0.lock().clone();
    check(&plain, &|other| {
        *crypto.0.lock() = other;
        reason(sealer.open(&request, &token, 0))
    });
}

/// Offsets of docs/request-state.md: the fixed part, "svc", the question, two answers.
const ASKED: usize = 122 + 3;
const ANSWERS: usize = ASKED + 1 + 32 + 4 + 4;
const STATE: usize = ANSWERS + (2 + 32 + 8 + 1 + 2) + (2 + 32 + 8 + 1);

#[test]
fn the_layout_is_that_of_the_document() {
    claims(|plain, open| {
        assert_eq!(open(plain.to_vec()), "ok");
        assert_eq!(plain[..6], [1, 3, 0, 0, 0, 1]);
        assert_eq!(
            plain[30..46],
            plain[46..62],
            "the first token names the flow"
        );
        assert_eq!(plain[110..122], [0, 0, 0, 3, 0, 0, 0, 1, 0, 0, 0, 2]);
        assert_eq!(&plain[122..ASKED], b"svc");
        assert_eq!(&plain[ANSWERS - 4..ANSWERS], b"seat");
        assert_eq!(&plain[STATE..], b"state");
    });
}

#[test]
fn claims_that_are_cut_short_are_malformed() {
    claims(|plain, open| {
        for len in 0..STATE {
            assert_eq!(open(plain[..len].to_vec()), "malformed", "{len}");
        }
        // The host state is all the rest: any length of it is a state.
        assert_eq!(open(plain[..STATE].to_vec()), "ok");
    });
}

#[test]
fn what_another_version_might_say_is_malformed() {
    claims(|plain, open| {
        let set = |at: usize, byte: u8| {
            let mut other = plain.to_vec();
            other[at] = byte;
            open(other)
        };
        for (at, byte) in [
            (0, 0),
            (0, 2),
            (1, 7),
            (1, 0x83),
            (1, 1),
            (1, 2),
            (5, 0),
            (110, 0xff),
            (114, 0xff),
            (117, 2),
            (118, 0xff),
            (121, 3),
            (ASKED, 0),
            (ASKED, 5),
            (ASKED + 33, 0xff),
            (ASKED + 37, 0xff),
            (ANSWERS, 0),
            (ANSWERS + 1, 0),
            (ANSWERS + 1, 2),
            (ANSWERS + 1, 4),
            (ANSWERS + 43, 0xff),
        ] {
            assert_eq!(set(at, byte), "malformed", "{at} {byte}");
        }
    });
}

#[test]
fn no_byte_of_the_claims_makes_it_panic() {
    claims(|plain, open| {
        for at in 0..plain.len() {
            for byte in [0, 1, 0x7f, 0x80, 0xff] {
                let mut other = plain.to_vec();
                other[at] = byte;
                open(other);
            }
        }
    });
}
