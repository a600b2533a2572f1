//! A flow as text, from which another process goes on (C11).
//!
//! `mrtrc1.` + base64url of a JSON object and 16 bytes of its SHA-256, so that a text which is not whole is refused whole.
//! The digest guards against accidents, not against people: the text holds answers and belongs in a safe place.
//! `mrtrs1.` + base64url of the same object sealed with the host's key, for places that are not.

use super::flow::Flow;
use super::round::Round;
use super::vault::Vault;
use crate::json::{Key, Limits, Object, Raw, sha256, write};
use crate::protocol::{Code, Error};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use std::fmt::Write;
use zeroize::Zeroizing;

const PREFIX: &str = "mrtrc1.";
const SEALED: &str = "mrtrs1.";
const CHECK_BYTES: usize = 16;

/// What a continuation holds.
pub(super) struct Saved<'a> {
    pub method: String,
    pub params: Raw<'a>,
    /// The last `input_required`.
    pub result: Raw<'a>,
    /// Entries of `inputResponses` that are there already.
    pub answers: Object<'a>,
    pub rounds: u32,
    pub legs: u32,
    /// What is left of the flow's time.
    pub flow_ms: Option<u64>,
    pub declined: Vec<(Key, [u8; 32])>,
}

/// The flow in `round` as text, sealed if the client has a vault; `no_random` if that fails.
pub(super) fn write(flow: &Flow, round: &Round) -> Result<String, Error> {
    let json = Zeroizing::new(json(flow, round));
    let (prefix, bytes) = match &flow.shared.options.vault {
        Some(vault) => (SEALED, vault.seal(SEALED, json.as_bytes())?),
        None => {
            let check = sha256(json.as_bytes());
            let check = check.iter().take(CHECK_BYTES).copied();
            (PREFIX, json.bytes().chain(check).collect())
        }
    };
    let mut out = String::from(prefix);
    URL_SAFE_NO_PAD.encode_string(&bytes, &mut out);
    Ok(out)
}

fn json(flow: &Flow, round: &Round) -> String {
    let mut json = String::from("{");
    let mut first = true;
    write::push_text_member(&mut json, &mut first, "method", &flow.call.method);
    write::push_member(&mut json, &mut first, "params", &flow.call.params());
    write::push_member(&mut json, &mut first, "result", round.result().text());
    write::push_name(&mut json, &mut first, "answers");
    round.write_answers(&mut json);
    let _ = write!(json, ",\"rounds\":{},\"legs\":{}", round.number, flow.legs);
    // A flow that ran out of time goes on by the limits of whoever resumes it.
    if let Some(left) = flow.clock.left().filter(|left| *left > 0) {
        let _ = write!(json, ",\"flow_ms\":{left}");
    }
    write_declined(&mut json, &flow.declined);
    json.push('}');
    json
}

fn write_declined(json: &mut String, declined: &[(Key, [u8; 32])]) {
    json.push_str(",\"declined\":[");
    let mut first = true;
    for (key, digest) in declined {
        write::push_comma(json, &mut first);
        json.push('[');
        key.write_json(json);
        json.push_str(",\"");
        URL_SAFE_NO_PAD.encode_string(digest, json);
        json.push_str("\"]");
    }
    json.push(']');
}

/// The JSON text inside, if it is whole. With a vault only what it sealed is taken: anybody can write the other form.
pub(super) fn open(saved: &str, vault: Option<&Vault>) -> Result<String, Error> {
    let broken = || refused("it is not whole");
    let decode = |body: &str| URL_SAFE_NO_PAD.decode(body).map_err(|_| broken());
    let bytes = match (vault, saved.strip_prefix(SEALED)) {
        (Some(vault), Some(body)) => vault
            .open(SEALED, &decode(body)?)
            .ok_or_else(|| refused("no key of the client opens it"))?,
        (Some(_), None) => return Err(refused("it is not sealed, or not one of this version")),
        (None, Some(_)) => return Err(refused("it is sealed, and the client has no key")),
        (None, None) => {
            let body = saved
                .strip_prefix(PREFIX)
                .ok_or_else(|| refused("it is not one of this version"))?;
            unchecked(decode(body)?).ok_or_else(broken)?
        }
    };
    String::from_utf8(bytes).map_err(|_| broken())
}

/// Without the digest at its end, if that is right.
fn unchecked(mut bytes: Vec<u8>) -> Option<Vec<u8>> {
    let check = bytes.split_off(bytes.len().checked_sub(CHECK_BYTES)?);
    (sha256(&bytes).get(..CHECK_BYTES)? == check).then_some(bytes)
}

impl<'a> Saved<'a> {
    pub fn read(json: &'a str, limits: &Limits) -> Result<Saved<'a>, Error> {
        // Its parts were within the limits one by one, and stand a few levels down.
        let loose = Limits {
            message_bytes: usize::MAX,
            depth: limits.depth.saturating_add(4),
            ..*limits
        };
        let object = Raw::parse(json, &loose)
            .and_then(Raw::object)
            .map_err(|_| refused("it cannot be read"))?;
        Saved::members(&object).ok_or_else(|| refused("a member is missing or of the wrong type"))
    }

    fn members(object: &Object<'a>) -> Option<Saved<'a>> {
        let number = |name: &str| object.get(name)?.number()?.to_u64();
        Some(Saved {
            method: object.get("method")?.string()?.text()?.into_owned(),
            params: object.get("params")?,
            result: object.get("result")?,
            answers: object.get("answers")?.object().ok()?,
            rounds: number("rounds")?.try_into().ok()?,
            legs: number("legs")?.try_into().ok()?,
            flow_ms: match object.get("flow_ms") {
                Some(_) => Some(number("flow_ms")?),
                None => None,
            },
            declined: object
                .get("declined")?
                .elements()?
                .map(read_declined)
                .collect::<Option<_>>()?,
        })
    }
}

fn read_declined(raw: Raw<'_>) -> Option<(Key, [u8; 32])> {
    let mut pair = raw.elements()?;
    let key = pair.next()?.string()?.key();
    let digest = URL_SAFE_NO_PAD
        .decode(&*pair.next()?.string()?.bytes())
        .ok()?;
    Some((key, digest.try_into().ok()?))
}

fn refused(why: &str) -> Error {
    Error::new(
        Code::ConfigError,
        format!("the continuation is refused: {why}"),
    )
}
