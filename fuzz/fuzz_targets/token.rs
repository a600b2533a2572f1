//! Tokens, made up or sealed and then changed: opening never panics, only an unchanged token opens, and every refusal is
//! the same on the wire (S8, S9). Claims of any bytes, let in by crypto that hides nothing, never panic either.
#![no_main]

use std::sync::{Arc, OnceLock};

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use mrtr::protocol::Error;
use mrtr::state::{Cipher, Crypto, Draft, Principal, Request, Sealer, SealerOptions, Secret};

#[derive(Arbitrary, Debug)]
enum Edit {
    Set(u16, u8),
    Insert(u16, char),
    Remove(u16),
    Cut(u16),
}

#[derive(Arbitrary, Debug)]
enum Input<'a> {
    Text(&'a str),
    Changed { cipher: u8, state: &'a [u8], edits: Vec<Edit> },
    Claims(&'a [u8]),
}

/// What was sealed is what is opened, whatever the claims are.
struct Clear;

impl Crypto for Clear {
    fn seal(&self, plain: &[u8]) -> Result<Vec<u8>, Error> {
        Ok(plain.to_vec())
    }
    fn unseal(&self, sealed: &[u8]) -> Result<Vec<u8>, Error> {
        Ok(sealed.to_vec())
    }
}

const CIPHERS: [Cipher; 3] = [Cipher::Aes256Gcm, Cipher::ChaCha20Poly1305, Cipher::Signed];

fn sealer(cipher: u8) -> &'static Sealer {
    static SEALERS: OnceLock<[Sealer; 3]> = OnceLock::new();
    let made = SEALERS.get_or_init(|| {
        CIPHERS.map(|cipher| {
            let keys = vec![Secret::new(&[1; 32]), Secret::new(&[2; 32])];
            let options = SealerOptions { keys, cipher, ..SealerOptions::default() };
            Sealer::new(options).expect("options are good")
        })
    });
    &made[usize::from(cipher) % made.len()]
}

fn changed(token: &str, edits: &[Edit]) -> String {
    let mut chars: Vec<char> = token.chars().collect();
    for edit in edits {
        let len = chars.len().max(1);
        match *edit {
            Edit::Set(at, byte) => {
                if let Some(place) = chars.get_mut(usize::from(at) % len) {
                    *place = char::from(byte);
                }
            }
            Edit::Insert(at, other) => chars.insert(usize::from(at) % len.min(chars.len() + 1), other),
            Edit::Remove(at) if !chars.is_empty() => drop(chars.remove(usize::from(at) % len)),
            Edit::Remove(_) => {}
            Edit::Cut(at) => chars.truncate(usize::from(at) % len),
        }
    }
    chars.into_iter().collect()
}

fuzz_target!(|input: Input<'_>| {
    let request = Request { method: "tools/call", params: None, principal: Principal::None };
    match input {
        Input::Text(text) => {
            for cipher in 0..3 {
                refused(sealer(cipher), &request, text);
            }
        }
        Input::Changed { cipher, state, edits } => {
            let sealer = sealer(cipher);
            let draft = Draft { state: Some(state), ..Draft::default() };
            let Ok(token) = sealer.seal(&request, None, draft, 0) else { return };
            let other = changed(&token, &edits);
            if other == token {
                let claims = sealer.open(&request, &token, 0).expect("is unchanged");
                assert_eq!(claims.state.as_deref(), Some(state));
            } else {
                refused(sealer, &request, &other);
            }
        }
        Input::Claims(claims) => {
            static CLEAR: OnceLock<Sealer> = OnceLock::new();
            let options = || SealerOptions { crypto: Some(Arc::new(Clear)), ..SealerOptions::default() };
            let sealer = CLEAR.get_or_init(|| Sealer::new(options()).expect("options are good"));
            let _ = sealer.open(&request, &text(claims), 0);
        }
    }
});

fn refused(sealer: &Sealer, request: &Request<'_>, token: &str) {
    let error = sealer.open(request, token, 0).expect_err(token);
    let rpc = error.rpc().expect("goes on the wire");
    assert_eq!((rpc.code, rpc.message.as_str()), (-32602, "Invalid or expired requestState"));
}

/// The token of claims that the host's crypto left as they are: eight zero bytes in front.
fn text(claims: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let binary: Vec<u8> = [0; 8].iter().chain(claims).copied().collect();
    let mut out = String::from("mrtr1.");
    for three in binary.chunks(3) {
        let bits = three.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - three.len()));
        let digits = (0..=three.len()).map(|at| DIGITS[(bits >> (18 - 6 * at)) as usize & 63]);
        out.extend(digits.map(char::from));
    }
    out
}
