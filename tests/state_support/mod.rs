//! What the tests of the state room share.
#![allow(dead_code, missing_docs)]

use mrtr::json::{Limits, Raw};
use mrtr::protocol::Error;
use mrtr::state::{Claims, Draft, Principal, Request, Sealer, SealerOptions, Secret};

pub const KEY: [u8; 32] = [0x5a; 32];
pub const OTHER: [u8; 32] = [0xa5; 32];
pub const RESIZE: &str = r#"{"name":"resize","arguments":{"width":3}}"#;

pub fn options(keys: &[[u8; 32]]) -> SealerOptions {
    SealerOptions {
        keys: keys.iter().map(|key| Secret::new(key)).collect(),
        ..SealerOptions::default()
    }
}

pub fn sealer() -> Sealer {
    Sealer::new(options(&[KEY])).expect("options are good")
}

pub fn raw(text: &str) -> Raw<'_> {
    Raw::parse(text, &Limits::default()).expect("is JSON")
}

pub fn request(params: &str) -> Request<'_> {
    Request {
        method: "tools/call",
        params: Some(raw(params)),
        principal: Principal::None,
    }
}

pub fn seal(
    sealer: &Sealer,
    previous: Option<&Claims>,
    state: &[u8],
    now_ms: u64,
) -> Result<String, Error> {
    let draft = Draft {
        state: Some(state),
        ..Draft::default()
    };
    sealer.seal(&request(RESIZE), previous, draft, now_ms)
}

pub fn open(sealer: &Sealer, token: &str, now_ms: u64) -> Result<Claims, Error> {
    sealer.open(&request(RESIZE), token, now_ms)
}

/// Name of the reason, or `ok`.
pub fn reason<T>(result: Result<T, Error>) -> &'static str {
    result.map_or_else(|error| error.code().name(), |_| "ok")
}
