//! Gateways as the header has them.

use super::abi::{buf::mrtr_buf, sized::ABSENT, slice::mrtr_slice};
use crate::{
    json::{Key, Limits, Raw},
    protocol::{Code, Error},
    state::gateway,
};

fn key(bytes: &[u8], what: &str) -> Result<Key, Error> {
    Key::from_wtf8(bytes)
        .ok_or_else(|| Error::new(Code::NotUtf8, format!("{what} is neither UTF-8 nor WTF-8")))
}

fn views<'a>(parts: Option<(&'a str, &'a [u8])>) -> (mrtr_slice, mrtr_slice) {
    parts.map_or((ABSENT, ABSENT), |(backend, rest)| {
        (mrtr_slice::of(backend.as_bytes()), mrtr_slice::of(rest))
    })
}

/// A backend's state as host state.
pub(crate) fn wrap(backend: &str, state: &[u8]) -> Result<mrtr_buf, Error> {
    let state = key(state, "state")?;
    Ok(mrtr_buf::secret(gateway::wrap(backend, &state)))
}

/// Backend and state; absent if it is something else.
pub(crate) fn unwrap(host_state: &[u8]) -> (mrtr_slice, mrtr_slice) {
    views(gateway::unwrap(host_state))
}

/// A backend's key as the client sees it.
pub(crate) fn prefix(backend: &str, own: &[u8]) -> Result<mrtr_buf, Error> {
    let prefixed = gateway::prefix_key(backend, &key(own, "key")?);
    Ok(mrtr_buf::from_vec(prefixed.as_bytes().to_vec()))
}

/// Backend and key; absent if it is something else.
pub(crate) fn split(prefixed: &[u8]) -> (mrtr_slice, mrtr_slice) {
    views(gateway::split_key(prefixed))
}

/// The end client's params as they go on to a backend.
pub(crate) fn params(
    backend: &str,
    params: Option<&str>,
    host_state: Option<&[u8]>,
) -> Result<mrtr_buf, Error> {
    let params = Raw::parse(params.unwrap_or("{}"), &Limits::default())?;
    let passed = gateway::params(backend, params, host_state)?;
    Ok(mrtr_buf::from_vec(passed.into_bytes()))
}

/// The state of a backend's result as host state, if it has one.
pub(crate) fn state(backend: &str, result: &str) -> Result<Option<mrtr_buf>, Error> {
    let result = Raw::parse(result, &Limits::default())?;
    Ok(gateway::state(backend, result)?.map(mrtr_buf::secret))
}

/// A backend's result as the end client gets it.
pub(crate) fn result(backend: &str, result: &str, token: Option<&str>) -> Result<mrtr_buf, Error> {
    let result = Raw::parse(result, &Limits::default())?;
    let passed = gateway::result(backend, result, token)?;
    Ok(mrtr_buf::from_vec(passed.into_bytes()))
}
