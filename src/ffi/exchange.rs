//! Exchanges as the header has them.

use super::{
    abi::{
        answer::mrtr_answer, exchange::mrtr_exchange_info, guard::bad, sized::zeroed,
        storage::Storage,
    },
    request::Request,
    server::names,
};
use crate::{
    json::{Key, Limits, Raw, write},
    protocol::{Error, Needs},
    server::{AskOutcome, AskStatus, Exchange, OwnedPrincipal, Server, form, sampling},
    state::Principal,
};
use std::sync::Arc;

/// Begins to serve a request.
pub(crate) fn begin(
    server: &Arc<Server>,
    request: &Request<'_>,
    now_ms: u64,
) -> Result<Exchange, Error> {
    let principal = principal(request);
    let params = request.params.unwrap_or_default();
    Exchange::begin(
        server,
        request.method,
        params,
        principal,
        request.capabilities,
        now_ms,
    )
}

/// Who a request is from, owned.
pub(crate) fn principal(request: &Request<'_>) -> OwnedPrincipal {
    match request.principal_ref() {
        Principal::None => OwnedPrincipal::None,
        Principal::Parts(parts) => {
            OwnedPrincipal::Parts(parts.iter().map(|part| part.to_vec()).collect())
        }
    }
}

/// Asks by a form. A schema that is no JSON fails like any ask: the exchange remembers it.
pub(crate) fn ask_form(
    x: &mut Exchange,
    key: Key,
    message: &str,
    schema: &str,
) -> Result<AskOutcome, Error> {
    ask_around(x, key, schema, |schema| form(message, schema))
}

/// Asks for sampling.
pub(crate) fn ask_sampling(x: &mut Exchange, key: Key, params: &str) -> Result<AskOutcome, Error> {
    ask_around(x, key, params, sampling)
}

fn ask_around(
    x: &mut Exchange,
    key: Key,
    part: &str,
    around: impl FnOnce(Raw<'_>) -> String,
) -> Result<AskOutcome, Error> {
    match Raw::parse(
        part,
        &Limits {
            message_bytes: usize::MAX,
            ..Limits::default()
        },
    ) {
        Ok(raw) => x.ask(key, &around(raw)),
        Err(fault) => {
            x.ask(key, part)?;
            Err(fault.into())
        }
    }
}

/// What became of an ask.
pub(crate) fn answer(outcome: &AskOutcome) -> mrtr_answer {
    // Consent to a URL has no content of its own; an accepted answer is JSON text in every case.
    let content = outcome
        .content
        .as_deref()
        .map(|content| if content.is_empty() { "{}" } else { content });
    let reasons = (outcome.status == AskStatus::Invalid).then(|| array(&outcome.reasons));
    let warnings = (!outcome.warnings.is_empty()).then(|| names(&outcome.warnings));
    let mut storage = Storage::new();
    let content = storage.add_optional(content);
    let reasons = storage.add_optional(reasons.as_deref());
    let warnings = storage.add_optional(warnings.as_deref());
    let stored = storage.finish();
    mrtr_answer {
        status: outcome.status as u32,
        content: stored.slice(content),
        reasons: stored.slice(reasons),
        warnings: stored.slice(warnings),
        storage: stored.into_buf(),
        ..zeroed()
    }
}

fn array(texts: &[String]) -> String {
    let mut out = String::from("[");
    for (at, text) in texts.iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        write::push_string(&mut out, text);
    }
    out.push(']');
    out
}

/// Abilities from their bits.
pub(crate) fn needs(bits: u32) -> Result<Needs, Error> {
    Needs::from_bits(bits).ok_or_else(|| bad(format!("{bits} has a bit that is no MRTR_NEED_*")))
}

/// Where an exchange stands.
pub(crate) fn info(exchange: &Exchange) -> mrtr_exchange_info {
    let info = exchange.info();
    mrtr_exchange_info {
        round: info.round,
        has_token: u32::from(info.round > 0),
        flow_id: info.flow_id.unwrap_or_default(),
        first_seen_ms: info.first_seen_ms,
        expires_ms: info.expires_ms.unwrap_or_default(),
        ..zeroed()
    }
}
