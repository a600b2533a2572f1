//! Calls of older clients as the header has them.

use super::{
    abi::{
        legacy::{
            MRTR_LEGACY_CANCEL, MRTR_LEGACY_DONE, MRTR_LEGACY_IDLE, MRTR_LEGACY_RUN,
            MRTR_LEGACY_SEND, MRTR_LEGACY_SLEEP, mrtr_legacy_step,
        },
        sized::zeroed,
        storage::Storage,
    },
    exchange,
    request::Request,
};
use crate::{
    protocol::{Error, Peer},
    server::{Legacy, LegacyEnd, LegacyStep, Server},
};
use std::sync::Arc;

/// Begins to serve a call.
pub(crate) fn begin(
    server: &Arc<Server>,
    peer: Peer,
    request: &Request<'_>,
) -> Result<Legacy, Error> {
    let principal = exchange::principal(request);
    let params = request.params.unwrap_or_default();
    Legacy::begin(server, peer, request.method, params, principal)
}

/// A step.
pub(crate) fn step(step: &LegacyStep) -> mrtr_legacy_step {
    let (mut method, mut params) = (None, None);
    let none = LegacyEnd::default();
    let mut end = &none;
    let (kind, ask, until_ms) = match step {
        LegacyStep::Idle => (MRTR_LEGACY_IDLE, 0, 0),
        LegacyStep::Run { params: given } => {
            params = Some(given.as_str());
            (MRTR_LEGACY_RUN, 0, 0)
        }
        LegacyStep::Send {
            ask,
            method: name,
            params: given,
        } => {
            (method, params) = (Some(*name), given.as_deref());
            (MRTR_LEGACY_SEND, *ask, 0)
        }
        LegacyStep::Cancel { ask } => (MRTR_LEGACY_CANCEL, *ask, 0),
        LegacyStep::Sleep { until_ms } => (MRTR_LEGACY_SLEEP, 0, *until_ms),
        LegacyStep::Done(given) => {
            end = given;
            (MRTR_LEGACY_DONE, 0, 0)
        }
    };
    let mut storage = Storage::new();
    let method = storage.add_optional(method);
    let params = storage.add_optional(params);
    let result = storage.add_optional(end.result.as_deref());
    let rpc = storage.add_optional(end.rpc.as_deref());
    let stored = storage.finish();
    mrtr_legacy_step {
        r#type: kind,
        ask,
        refused: end.refused.map_or(0, |code| code.number()),
        until_ms,
        method: stored.slice(method),
        params: stored.slice(params),
        result: stored.slice(result),
        rpc: stored.slice(rpc),
        storage: stored.into_buf(),
        ..zeroed()
    }
}
