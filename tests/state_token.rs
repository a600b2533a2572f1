//! The text of a token has one spelling (S8), and every refusal one wire answer (S9).
#![allow(missing_docs)]

mod state_support;

use mrtr::json::Raw;
use mrtr::state::{Cipher, Draft, Principal, Request, Sealer, SealerOptions};
use state_support::*;

const CIPHERS: [Cipher; 3] = [Cipher::Aes256Gcm, Cipher::ChaCha20Poly1305, Cipher::Signed];
const ALPHABET: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const WIRE: &str = r#"{"code":-32602,"message":"Invalid or expired requestState","data":{"reason":"invalid_request_state"}}"#;

fn with(cipher: Cipher) -> Sealer {
    Sealer::new(SealerOptions {
        cipher,
        ..options(&[KEY])
    })
    .expect("options are good")
}

fn refused(sealer: &Sealer, token: &str) {
    let error = open(sealer, token, 1).expect_err(token);
    assert_eq!(error.rpc().expect("goes on the wire").to_json(), WIRE);
    let shown = format!("{error} {error:?}");
    assert!(token.len() < 8 || !shown.contains(token), "{shown}");
}

#[test]
fn every_flipped_bit_is_refused() {
    for cipher in CIPHERS {
        let sealer = with(cipher);
        let token = seal(&sealer, None, b"state", 0).expect("seals");
        for at in 0..token.len() {
            for bit in 0..7 {
                let mut bytes = token.clone().into_bytes();
                bytes[at] ^= 1 << bit;
                refused(&sealer, &String::from_utf8(bytes).expect("is ASCII"));
            }
        }
        assert_eq!(reason(open(&sealer, &token, 1)), "ok");
    }
}

#[test]
fn every_other_length_is_refused() {
    for cipher in CIPHERS {
        let sealer = with(cipher);
        let token = seal(&sealer, None, b"state", 0).expect("seals");
        for len in 0..token.len() {
            refused(&sealer, &token[..len]);
            refused(&sealer, &token[len + 1..]);
        }
        for more in [
            "=", "==", " ", "\n", "\0", "A", "AA", "AAA", "AAAA", "-", ".", "%3D", &token,
        ] {
            refused(&sealer, &format!("{token}{more}"));
        }
    }
}

/// Lengths of all residues, so that the last character has two, four or six bits that count.
#[test]
fn every_other_last_character_is_refused() {
    let sealer = sealer();
    for state in [&b""[..], b"s", b"st"] {
        let token = seal(&sealer, None, state, 0).expect("seals");
        let (head, last) = token.split_at(token.len() - 1);
        for other in ALPHABET.chars().filter(|other| !last.contains(*other)) {
            refused(&sealer, &format!("{head}{other}"));
        }
        assert_eq!(reason(open(&sealer, &token, 1)), "ok");
    }
}

#[test]
fn other_spellings_are_malformed() {
    let sealer = sealer();
    let token = seal(&sealer, None, b"state", 0).expect("seals");
    let body = token.strip_prefix("mrtr1.").expect("has our prefix");
    assert!(body.bytes().all(|byte| ALPHABET.as_bytes().contains(&byte)));
    for prefix in ["", "mrtr1", "mrtr2.", "MRTR1.", " mrtr1.", "mrtr1..", "v1."] {
        assert_eq!(
            reason(open(&sealer, &format!("{prefix}{body}"), 1)),
            "malformed",
            "{prefix}"
        );
    }
    for at in 6..token.len() {
        for other in ["=", " ", "\n", "+", "/", "é", "."] {
            let text = format!("{}{other}{}", &token[..at], &token[at + 1..]);
            assert_eq!(reason(open(&sealer, &text, 1)), "malformed", "{text}");
        }
    }
}

#[test]
fn only_strings_are_opened() {
    let sealer = sealer();
    let token = seal(&sealer, None, b"state", 0).expect("seals");
    let value = |text: &str| sealer.open_value(&request(RESIZE), raw(text), 1);
    for text in ["12", "true", "{}", "[]", "[\"mrtr1.\"]", "null"] {
        assert_eq!(reason(value(text)), "wrong_type", "{text}");
    }
    for text in [r#""""#, r#""\ud800""#, r#""mrtr1.""#] {
        assert_eq!(reason(value(text)), "malformed", "{text}");
    }
    assert_eq!(reason(value(&format!("{token:?}"))), "ok");
    // An escape is another spelling of the JSON, not of the token.
    assert_eq!(reason(value(&format!("\"\\u006d{}\"", &token[1..]))), "ok");
}

#[test]
fn length_is_checked_before_anything_else() {
    let mut made = options(&[KEY]);
    made.limits.token_bytes = 300;
    let sealer = Sealer::new(made).expect("options are good");
    assert_eq!(reason(open(&sealer, &"!".repeat(300), 1)), "malformed");
    assert_eq!(reason(open(&sealer, &"!".repeat(301), 1)), "too_large");
    assert_eq!(reason(open(&sealer, &"A".repeat(64 << 20), 1)), "too_large");
    let value = |text: &str| sealer.open_value(&request(RESIZE), raw(text), 1);
    assert_eq!(
        reason(value(&format!("\"{}\"", "A".repeat(301)))),
        "too_large"
    );
    // 300 characters, each written as an escape of six.
    assert_eq!(
        reason(value(&format!("\"{}\"", r"\u0041".repeat(300)))),
        "malformed"
    );
    assert_eq!(
        reason(value(&format!("\"{}\"", r"\u0041".repeat(301)))),
        "too_large"
    );
    assert_eq!(reason(seal(&sealer, None, b"", 0)), "ok");
    assert_eq!(reason(seal(&sealer, None, &[b'a'; 200], 0)), "too_large");
}

#[test]
fn another_cipher_under_the_same_secret_is_an_unknown_key() {
    for sealed in CIPHERS {
        let token = seal(&with(sealed), None, b"state", 0).expect("seals");
        for opened in CIPHERS {
            let expected = if sealed == opened {
                "ok"
            } else {
                "unknown_key"
            };
            assert_eq!(
                reason(open(&with(opened), &token, 1)),
                expected,
                "{sealed:?} {opened:?}"
            );
        }
    }
}

#[test]
fn nothing_is_in_the_clear_unless_asked_for() {
    let parts: [&[u8]; 2] = [b"PRINCIPAL-NAME", b"another part of it"];
    let principal = Principal::Parts(&parts);
    let request = Request {
        principal,
        ..request(RESIZE)
    };
    let draft = Draft {
        state: Some(b"HOST-STATE-BYTES"),
        ..Draft::default()
    };
    for cipher in CIPHERS {
        let token = with(cipher).seal(&request, None, draft, 0).expect("seals");
        let binary = decode(&token[6..]);
        let shows = |text: &[u8]| binary.windows(text.len()).any(|window| window == text);
        assert_eq!(shows(b"HOST-STATE-BYTES"), cipher == Cipher::Signed);
        assert!(!shows(b"PRINCIPAL-NAME"));
    }
}

fn decode(text: &str) -> Vec<u8> {
    let digits = text.bytes().map(|byte| {
        ALPHABET
            .bytes()
            .position(|other| other == byte)
            .expect("is base64url")
    });
    let bits = digits
        .flat_map(|digit| (0..6).rev().map(move |bit| digit >> bit & 1))
        .collect::<Vec<_>>();
    bits.chunks_exact(8)
        .map(|bits| bits.iter().fold(0, |byte, bit| byte << 1 | *bit as u8))
        .collect()
}

#[test]
fn debug_output_shows_nothing() {
    let sealer = sealer();
    let parts: [&[u8]; 1] = [b"PRINCIPAL"];
    let request = Request {
        method: "tools/call",
        params: Some(raw(RESIZE)),
        principal: Principal::Parts(&parts),
    };
    let draft = Draft {
        state: Some(b"HOSTSTATE"),
        ..Draft::default()
    };
    let token = sealer.seal(&request, None, draft, 0).expect("seals");
    let claims = sealer.open(&request, &token, 1).expect("opens");
    let error = sealer
        .open(&state_support::request(RESIZE), &token, 1)
        .expect_err("no principal");
    let shown = format!(
        "{sealer:?} {:?} {draft:?} {claims:?} {error:?} {error}",
        options(&[KEY])
    );
    for secret in [
        "HOSTSTATE",
        "PRINCIPAL",
        &token,
        "5a5a",
        "90, 90",
        "72, 79, 83, 84",
    ] {
        assert!(!shown.contains(secret), "{secret}: {shown}");
    }
}

#[test]
fn params_may_be_absent_or_null_but_no_other_scalar() {
    let sealer = sealer();
    let with = |text: Option<&'static str>| Request {
        params: text.map(raw),
        ..request(RESIZE)
    };
    let token = sealer
        .seal(&with(None), None, Draft::default(), 0)
        .expect("seals");
    for same in [None, Some("null"), Some("{}"), Some(r#"{"arguments":{}}"#)] {
        assert_eq!(reason(sealer.open(&with(same), &token, 1)), "ok");
    }
    for wrong in ["3", "[]", "\"x\""] {
        let raw: Raw<'_> = raw(wrong);
        let request = Request {
            params: Some(raw),
            ..request(RESIZE)
        };
        assert_eq!(
            reason(sealer.seal(&request, None, Draft::default(), 0)),
            "bad_json",
            "{wrong}"
        );
    }
}
