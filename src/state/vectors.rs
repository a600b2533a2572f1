//! The published vectors (S15): docs/vectors/tokens.json is what this test makes, with the random bytes given.
//!
//! `MRTR_WRITE_VECTORS=1 cargo test vectors` writes the file anew; that must only ever add to it.

use std::path::Path;

use serde_json::{Value, json};

use super::claims::{Asked, Claims, Draft, Kept, Outcome};
use super::options::SealerOptions;
use super::scratch::Scratch;
use super::seal::Origin;
use super::{Cipher, Principal, Request, Sealer, Secret, token};
use crate::json::{Key, Limits, Raw};
use crate::protocol::Kind;

const SECRET: [u8; 32] = [0x11; 32];
const LONG_SECRET: [u8; 48] = [0xa5; 48];
const TRIP: &str = r#"{"name":"book_trip","arguments":{"to":"Lisboa","seats":2.0}}"#;

/// One token: how it is sealed, and what is random in it.
struct Vector {
    name: &'static str,
    cipher: Cipher,
    secret: &'static [u8],
    audience: Option<&'static str>,
    method: &'static str,
    params: Option<&'static str>,
    principal: Option<&'static [&'static [u8]]>,
    state: Option<&'static [u8]>,
    now_ms: u64,
    random: u8,
}

const BASE: Vector = Vector {
    name: "",
    cipher: Cipher::Aes256Gcm,
    secret: &SECRET,
    audience: None,
    method: "tools/call",
    params: Some(TRIP),
    principal: None,
    state: None,
    now_ms: 1_785_196_800_000,
    random: 0,
};

const USER: &[&[u8]] = &[b"https://issuer.example", b"user-1", b"client-1"];

const VECTORS: &[Vector] = &[
    Vector {
        name: "least",
        params: None,
        now_ms: 0,
        ..BASE
    },
    Vector {
        name: "aes256gcm",
        audience: Some("trips"),
        principal: Some(USER),
        state: Some(b"step one"),
        random: 1,
        ..BASE
    },
    Vector {
        name: "chacha20poly1305",
        cipher: Cipher::ChaCha20Poly1305,
        audience: Some("trips"),
        principal: Some(USER),
        state: Some(b"step one"),
        random: 2,
        ..BASE
    },
    Vector {
        name: "signed",
        cipher: Cipher::Signed,
        audience: Some("trips"),
        principal: Some(USER),
        state: Some(b"step one"),
        random: 3,
        ..BASE
    },
    Vector {
        name: "empty-is-not-none",
        principal: Some(&[b""]),
        state: Some(b""),
        random: 4,
        ..BASE
    },
    Vector {
        name: "long-secret-and-uri",
        secret: &LONG_SECRET,
        method: "resources/read",
        params: Some(r#"{"uri":"file:///a"}"#),
        state: Some(b"\x00\xff\xed\xa0\x80"),
        random: 5,
        ..BASE
    },
];

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Random bytes that are told apart at sight: 44 for the first token of a sealer, 28 for a later one.
fn random(seed: u8) -> impl Fn(&mut [u8]) -> Result<(), crate::protocol::Error> {
    move |out| {
        (0..)
            .zip(out)
            .for_each(|(at, byte)| *byte = seed.wrapping_mul(44).wrapping_add(at));
        Ok(())
    }
}

fn seal(
    sealer: &Sealer,
    request: &Request<'_>,
    previous: Option<&Claims>,
    draft: Draft<'_>,
    now_ms: u64,
    seed: u8,
) -> String {
    let mut scratch = Scratch::default();
    let fill = random(seed);
    let len = sealer
        .seal_binary(
            request,
            None,
            Origin::of(previous),
            draft.into(),
            now_ms,
            &mut scratch,
            &fill,
        )
        .expect("seals");
    let mut text = vec![0; len];
    token::write(scratch.sealed(), &mut text).expect("is encoded");
    String::from_utf8(text).expect("is ASCII")
}

fn claims_json(claims: &Claims) -> Value {
    let asked = claims.asked.iter().map(|ask| {
        json!({"key": hex(ask.key.as_bytes()), "kind": ask.kind as u8, "digest": hex(&ask.digest)})
    });
    let answers = claims.answers.iter().map(|kept| {
        let (outcome, content) = match &kept.outcome {
            Outcome::Accepted(content) => ("accepted", Some(content)),
            Outcome::Declined => ("declined", None),
            Outcome::Cancelled => ("cancelled", None),
        };
        json!({"key": hex(kept.key.as_bytes()), "kind": kept.kind as u8, "digest": hex(&kept.digest),
               "outcome": outcome, "content": content})
    });
    json!({
        "round": claims.round,
        "issuedMs": claims.issued_ms,
        "expiresMs": claims.expires_ms,
        "flowStartMs": claims.flow_start_ms,
        "tokenId": hex(&claims.token_id),
        "flowId": hex(&claims.flow_id),
        "asked": asked.collect::<Vec<_>>(),
        "answers": answers.collect::<Vec<_>>(),
        "state": claims.state.as_deref().map(hex),
    })
}

fn vector_json(vector: &Vector, token: &str, claims: &Claims) -> Value {
    json!({
        "name": vector.name,
        "cipher": vector.cipher.number(),
        "secret": hex(vector.secret),
        "audience": vector.audience,
        "method": vector.method,
        "params": vector.params,
        "principal": vector.principal.map(|parts| parts.iter().map(|part| hex(part)).collect::<Vec<_>>()),
        "openMs": vector.now_ms,
        "token": token,
        "claims": claims_json(claims),
    })
}

fn sealer(vector: &Vector) -> Sealer {
    Sealer::new(SealerOptions {
        keys: vec![Secret::new(vector.secret)],
        cipher: vector.cipher,
        audience: vector.audience.map(str::to_owned),
        ..SealerOptions::default()
    })
    .expect("options are good")
}

fn asked_and_answers() -> (Vec<Asked>, Vec<Kept>) {
    let key = |bytes: &[u8]| Key::from_wtf8(bytes).expect("is WTF-8");
    let kept = |name: &[u8], kind, outcome| Kept {
        key: key(name),
        kind,
        digest: [9; 32],
        outcome,
    };
    let asked = vec![
        Asked {
            key: key(b"seat"),
            kind: Kind::Form,
            digest: [1; 32],
        },
        Asked {
            key: key(b""),
            kind: Kind::Sampling,
            digest: [2; 32],
        },
    ];
    let answers = vec![
        kept(
            b"account",
            Kind::Form,
            Outcome::Accepted(r#"{"iban":"\ud800","n":1.0}"#.to_owned()),
        ),
        kept(b"consent", Kind::Url, Outcome::Accepted(String::new())),
        kept(b"nul\0and\xed\xa0\x80", Kind::Form, Outcome::Declined),
        kept(b"roots", Kind::Roots, Outcome::Cancelled),
    ];
    (asked, answers)
}

/// The tokens, and the last of them in a second round with asks and answers.
fn made() -> Vec<Value> {
    let limits = Limits::default();
    let mut all = Vec::new();
    for vector in VECTORS {
        let params = vector
            .params
            .map(|text| Raw::parse(text, &limits).expect("is JSON"));
        let principal = vector.principal.map_or(Principal::None, Principal::Parts);
        let request = Request {
            method: vector.method,
            params,
            principal,
        };
        let sealer = sealer(vector);
        let draft = Draft {
            state: vector.state,
            ..Draft::default()
        };
        let token = seal(&sealer, &request, None, draft, vector.now_ms, vector.random);
        let claims = sealer.open(&request, &token, vector.now_ms).expect("opens");
        all.push(vector_json(vector, &token, &claims));
        if vector.name == "aes256gcm" {
            let (asked, answers) = asked_and_answers();
            let draft = Draft {
                asked: &asked,
                answers: &answers,
                state: None,
            };
            let next = Vector {
                name: "second-round",
                now_ms: vector.now_ms + 999,
                ..*vector
            };
            let token = seal(&sealer, &request, Some(&claims), draft, next.now_ms, 3);
            let claims = sealer.open(&request, &token, next.now_ms).expect("opens");
            assert_eq!(
                (claims.asked.as_slice(), claims.answers.as_slice()),
                (&asked[..], &answers[..])
            );
            all.push(vector_json(&next, &token, &claims));
        }
    }
    all
}

/// Ways to get the token of the vector "aes256gcm" refused.
fn refusals() -> Value {
    let with = |change: Value, reason: &str| json!({"of": "aes256gcm", "change": change, "reason": reason});
    let now = BASE.now_ms;
    json!([
        with(json!({"token": "append", "text": "="}), "malformed"),
        with(json!({"token": "append", "text": "A"}), "tampered"),
        with(json!({"token": "flip", "at": 0}), "malformed"),
        with(json!({"token": "flip", "at": 6}), "unknown_key"),
        with(json!({"token": "flip", "at": 20}), "tampered"),
        with(json!({"token": "flip", "at": 40}), "tampered"),
        with(json!({"token": "flip", "at": 200}), "tampered"),
        with(json!({"openMs": now - 60_001}), "not_yet_valid"),
        with(json!({"openMs": now + 600_000}), "expired"),
        with(json!({"audience": "other"}), "wrong_audience"),
        with(json!({"audience": null}), "wrong_audience"),
        with(
            json!({"principal": ["68747470733a2f2f6973737565722e6578616d706c65", "757365722d31636c69656e742d31", ""]}),
            "wrong_principal"
        ),
        with(json!({"principal": null}), "wrong_principal"),
        with(
            json!({"params": r#"{"name":"book_trip","arguments":{"to":"Lisboa","seats":3}}"#}),
            "wrong_request"
        ),
        with(json!({"method": "prompts/get"}), "wrong_request"),
    ])
}

#[test]
fn vectors_are_as_published() {
    let made = json!({
        "format": "mrtr1",
        "ttlMs": 600_000,
        "skewMs": 60_000,
        "maxAgeMs": 3_600_000,
        "maxRounds": 32,
        "tokens": made(),
        "refused": refusals(),
    });
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/vectors/tokens.json");
    if std::env::var_os("MRTR_WRITE_VECTORS").is_some() {
        std::fs::create_dir_all(path.parent().expect("has a parent")).expect("is made");
        std::fs::write(&path, format!("{made:#}\n")).expect("is written");
    }
    let published: Value =
        serde_json::from_str(&std::fs::read_to_string(path).expect("is there")).expect("is JSON");
    assert_eq!(published, made, "the token format may not change");
}
