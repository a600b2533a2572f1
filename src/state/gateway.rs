//! For gateways (S14): a backend's opaque state inside ours, ask keys that do not meet, and what is passed on between the two sides.

use crate::json::write::{push_comma, push_line, push_string};
use crate::json::{Key, Object, Raw, splice};
use crate::protocol::result::{INPUT_REQUESTS, INPUT_RESPONSES, REQUEST_STATE, RESULT_TYPE};
use crate::protocol::{Code, Error};

/// Host state that carries the `requestState` of a backend, any string, with the backend's name (S14).
#[must_use]
pub fn wrap(backend: &str, state: &Key) -> Vec<u8> {
    let state = state.as_bytes();
    let mut out = Vec::with_capacity(backend.len().saturating_add(state.len()).saturating_add(8));
    out.extend_from_slice(&(backend.len() as u64).to_be_bytes());
    out.extend_from_slice(backend.as_bytes());
    out.extend_from_slice(state);
    out
}

/// Name of the backend and its state (WTF-8), of what [`wrap`] made; `None` for anything else.
#[must_use]
pub fn unwrap(host_state: &[u8]) -> Option<(&str, &[u8])> {
    let (len, rest) = host_state.split_first_chunk()?;
    let len = usize::try_from(u64::from_be_bytes(*len)).ok()?;
    let (backend, state) = rest.split_at_checked(len)?;
    Key::from_wtf8(state)?;
    Some((std::str::from_utf8(backend).ok()?, state))
}

/// The key of a backend's ask as the gateway's client sees it: `<length of the name>:<name>:<key>`.
#[must_use]
pub fn prefix_key(backend: &str, key: &Key) -> Key {
    let mut bytes = format!("{}:{backend}:", backend.len()).into_bytes();
    bytes.extend_from_slice(key.as_bytes());
    // Text that ends in a colon followed by WTF-8 is WTF-8: no surrogate pair can form at the seam.
    Key::from_wtf8(&bytes).unwrap_or_else(|| Key::from(""))
}

/// Backend and key (WTF-8) of what [`prefix_key`] made; `None` for anything else.
#[must_use]
pub fn split_key(key: &[u8]) -> Option<(&str, &[u8])> {
    let colon = key.iter().position(|byte| *byte == b':')?;
    let (digits, rest) = key.split_at_checked(colon)?;
    // One spelling only: `01:` and `+1:` are no prefix of ours.
    if !digits.iter().all(u8::is_ascii_digit) || (digits.len() > 1 && digits.starts_with(b"0")) {
        return None;
    }
    let len: usize = std::str::from_utf8(digits).ok()?.parse().ok()?;
    let (backend, rest) = rest.get(1..)?.split_at_checked(len)?;
    let own = rest.strip_prefix(b":")?;
    Key::from_wtf8(own)?;
    Some((std::str::from_utf8(backend).ok()?, own))
}

/// Params of the request that goes on to a backend: the end client's own, `_meta` with its capabilities among them, byte for byte. Of its
/// answers those under this backend's prefix are in it, with the backend's own keys, and of states the backend's, from `host_state`.
///
/// `bad_json` for no object and for what stands twice (J2), `invalid_params` for answers that are no object, `bad_argument` for a host
/// state that [`wrap`] did not make for this backend.
pub fn params(backend: &str, params: Raw<'_>, host_state: Option<&[u8]>) -> Result<String, Error> {
    let object = params.object()?;
    let own = |bytes| {
        let parts = unwrap(bytes).filter(|(name, _)| *name == backend);
        parts.and_then(|(_, state)| Key::from_wtf8(state))
    };
    let state = host_state
        .map(|bytes| {
            let why = "the host state is not of this backend";
            own(bytes).ok_or_else(|| Error::new(Code::BadArgument, why))
        })
        .transpose()?;
    let odd = (Code::InvalidParams, "inputResponses must be an object");
    let answers = renamed(&object, INPUT_RESPONSES, odd, |key| {
        let (of, own) = split_key(key.as_bytes())?;
        Key::from_wtf8(own).filter(|_| of == backend)
    })?;
    let mut text = String::new();
    let mut added = Vec::new();
    added.extend(answers.as_deref().map(|answers| (INPUT_RESPONSES, answers)));
    if let Some(state) = state {
        state.write_json(&mut text);
        added.push((REQUEST_STATE, text.as_str()));
    }
    Ok(splice(params, &[INPUT_RESPONSES, REQUEST_STATE], &added))
}

/// The state of a backend's result as host state; `None` if it asks nothing or has none. `invalid_result` if it is no string.
pub fn state(backend: &str, result: Raw<'_>) -> Result<Option<Vec<u8>>, Error> {
    let object = result.object()?;
    let Some(state) = object.present(REQUEST_STATE).filter(|_| is_ask(&object)) else {
        return Ok(None);
    };
    let text = state
        .string()
        .ok_or_else(|| Error::new(Code::InvalidResult, "requestState is no string"))?;
    Ok(Some(wrap(backend, &text.key())))
}

/// A backend's result as the end client gets it: keys of asks with the backend's prefix, and the gateway's own state, if any, in place of the
/// backend's; the rest byte for byte. A result that asks nothing comes back as it is.
pub fn result(backend: &str, result: Raw<'_>, token: Option<&str>) -> Result<String, Error> {
    let object = result.object()?;
    if !is_ask(&object) {
        return Ok(result.one_line().into_owned());
    }
    let odd = (Code::InvalidResult, "inputRequests is no object");
    let asks = renamed(&object, INPUT_REQUESTS, odd, |key| {
        Some(prefix_key(backend, key))
    })?;
    let mut text = String::new();
    let mut added = Vec::new();
    added.extend(asks.as_deref().map(|asks| (INPUT_REQUESTS, asks)));
    if let Some(token) = token {
        push_string(&mut text, token);
        added.push((REQUEST_STATE, text.as_str()));
    }
    Ok(splice(result, &[INPUT_REQUESTS, REQUEST_STATE], &added))
}

fn is_ask(object: &Object<'_>) -> bool {
    let tag = object.get(RESULT_TYPE).and_then(Raw::string);
    tag.is_some_and(|tag| tag.is("input_required"))
}

/// A member of `object` with those of its own members that have another name; `None` if there are none. No object is `odd`.
fn renamed(
    object: &Object<'_>,
    member: &str,
    odd: (Code, &str),
    name: impl Fn(&Key) -> Option<Key>,
) -> Result<Option<String>, Error> {
    let Some(given) = object.present(member) else {
        return Ok(None);
    };
    if !given.is_object() {
        return Err(Error::new(odd.0, odd.1));
    }
    let (mut out, mut first) = (String::from("{"), true);
    for (old, value) in given.object()?.iter() {
        if let Some(key) = name(&old.key()) {
            push_comma(&mut out, &mut first);
            key.write_json(&mut out);
            out.push(':');
            push_line(&mut out, value.text());
        }
    }
    out.push('}');
    Ok((!first).then_some(out))
}
