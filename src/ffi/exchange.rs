//! Exchanges as the header has them.

use super::{
    abi::{
        answer::mrtr_answer,
        exchange::mrtr_exchange_info,
        guard::bad,
        sized::{SizedOut, zeroed},
        storage::{self, Storage},
    },
    exclusive::Exclusive,
    request::Request,
    server::names,
};
use crate::{
    json::write,
    protocol::{Error, Needs},
    server::{AskStatus, Exchange, OwnedPrincipal, Server, Standing, Wording},
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

/// Asks, and tells what became of it.
pub(crate) fn ask(
    exchange: &Exclusive<Exchange>,
    key: &[u8],
    wording: &Wording<'_>,
    answer: Option<&SizedOut<mrtr_answer>>,
) -> Result<(), Error> {
    let mut exchange = exchange.enter();
    if let Some(settled) = exchange.recall(key, wording) {
        if let Some(answer) = answer {
            let (status, content) = AskStatus::of(settled);
            answer.set(plain_answer(status, content));
        }
        return Ok(());
    }
    let standing = exchange.ask_as(key, wording)?;
    if let Some(answer) = answer {
        answer.set(answer_of(&standing));
    }
    Ok(())
}

/// What became of an ask, without reasons and warnings.
#[inline(always)]
fn plain_answer(status: AskStatus, content: Option<&[u8]>) -> mrtr_answer {
    let mut answer = mrtr_answer {
        status: status as u32,
        ..zeroed()
    };
    if let Some(content) = content {
        (answer.content, answer.storage) = storage::one(told(content));
    }
    answer
}

/// Consent to a URL has no content of its own; an accepted answer is JSON text in every case.
#[inline]
fn told(content: &[u8]) -> &[u8] {
    match content {
        [] => b"{}",
        content => content,
    }
}

/// What became of an ask.
fn answer_of(standing: &Standing<'_>) -> mrtr_answer {
    if standing.status != AskStatus::Invalid && standing.warnings.is_empty() {
        return plain_answer(standing.status, standing.content);
    }
    let reasons = (standing.status == AskStatus::Invalid).then(|| array(&standing.reasons));
    let warnings = (!standing.warnings.is_empty()).then(|| names(&standing.warnings));
    let mut storage = Storage::new();
    let content = storage.add_optional(standing.content.map(told));
    let reasons = storage.add_optional(reasons.as_deref());
    let warnings = storage.add_optional(warnings.as_deref());
    let stored = storage.finish();
    mrtr_answer {
        status: standing.status as u32,
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
