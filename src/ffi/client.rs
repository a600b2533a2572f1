//! Clients as the header has them.

use super::{
    abi::{
        client::{
            MRTR_ORDER_CONCURRENT, MRTR_ORDER_DEFAULT, MRTR_ORDER_SERIAL, mrtr_client_options,
        },
        guard::{Call, bad, flag, size},
        sized::zeroed,
        trace::{MRTR_TRACE_CONTENT, MRTR_TRACE_EVENTS, MRTR_TRACE_OFF},
        version::MRTR_NO_LIMIT,
    },
    exchange::needs,
};
use crate::{
    client::{ClientOptions, Order, Tracing, Vault},
    json::Limits,
    protocol::Error,
};

/// Ten years: the longest time that a leg may be given.
const LONGEST_MS: u64 = 10 * 365 * 24 * 3_600 * 1_000;

/// The defaults of the core, as the header has them.
pub(crate) fn defaults() -> mrtr_client_options {
    let core = ClientOptions::default();
    mrtr_client_options {
        handlers: core.handlers.bits(),
        max_rounds: core.max_rounds,
        leg_timeout_ms: core.leg_timeout_ms,
        input_timeout_ms: core.input_timeout_ms.unwrap_or(MRTR_NO_LIMIT),
        flow_timeout_ms: core.flow_timeout_ms.unwrap_or(MRTR_NO_LIMIT),
        poll_budget_ms: core.poll_budget_ms,
        pacing_initial_ms: core.pacing_initial_ms,
        pacing_max_ms: core.pacing_max_ms,
        jitter: core.jitter.into(),
        manual: core.manual.into(),
        order: MRTR_ORDER_DEFAULT,
        strict: core.strict.into(),
        allow_http: core.allow_http.into(),
        state_only_counts: core.state_only_counts.into(),
        reset_on_progress: core.reset_on_progress.into(),
        cancel_if_unavailable: core.cancel_if_unavailable.into(),
        max_message_bytes: core.limits.message_bytes as u64,
        max_depth: core.limits.depth as u64,
        max_asks: core.limits.asks as u64,
        max_key_bytes: core.limits.key_bytes as u64,
        max_token_bytes: core.limits.token_bytes as u64,
        ..zeroed()
    }
}

/// Options of a client or of one flow.
pub(crate) fn options(c: &Call<'_>, o: &mrtr_client_options) -> Result<ClientOptions, Error> {
    let limit = |ms| (ms != MRTR_NO_LIMIT).then_some(ms);
    let core = ClientOptions::default();
    let version = c.optional_text(o.protocol_version, "protocol_version")?;
    let client_info = c.optional_text(o.client_info, "client_info")?;
    let keys = c.byte_strings(
        o.continuation_keys,
        o.continuation_key_count,
        "continuation_keys",
    )?;
    let vault = (!keys.is_empty()).then(|| Vault::new(&keys)).transpose()?;
    let types = c.texts(o.result_types, o.result_type_count, "result_types")?;
    let label = c.optional_text(o.label, "label")?;
    Ok(ClientOptions {
        handlers: needs(o.handlers)?,
        max_rounds: o.max_rounds,
        leg_timeout_ms: limit(o.leg_timeout_ms).unwrap_or(LONGEST_MS),
        input_timeout_ms: limit(o.input_timeout_ms),
        flow_timeout_ms: limit(o.flow_timeout_ms),
        poll_budget_ms: o.poll_budget_ms,
        pacing_initial_ms: o.pacing_initial_ms,
        pacing_max_ms: o.pacing_max_ms,
        jitter: flag(o.jitter, "jitter")?,
        manual: flag(o.manual, "manual")?,
        order: order(o.order)?,
        strict: flag(o.strict, "strict")?,
        allow_http: flag(o.allow_http, "allow_http")?,
        state_only_counts: flag(o.state_only_counts, "state_only_counts")?,
        reset_on_progress: flag(o.reset_on_progress, "reset_on_progress")?,
        cancel_if_unavailable: flag(o.cancel_if_unavailable, "cancel_if_unavailable")?,
        limits: Limits {
            message_bytes: size(o.max_message_bytes),
            depth: size(o.max_depth),
            asks: size(o.max_asks),
            key_bytes: size(o.max_key_bytes),
            token_bytes: size(o.max_token_bytes),
            ..core.limits
        },
        protocol_version: version.map_or(core.protocol_version, str::to_owned),
        client_info: client_info.map(str::to_owned),
        label: label.map(str::to_owned),
        result_types: types.into_iter().map(str::to_owned).collect(),
        vault,
        tracing: tracing(o.trace)?,
        ..ClientOptions::default()
    })
}

fn tracing(word: u32) -> Result<Tracing, Error> {
    match word {
        MRTR_TRACE_OFF => Ok(Tracing::Off),
        MRTR_TRACE_EVENTS => Ok(Tracing::Events),
        MRTR_TRACE_CONTENT => Ok(Tracing::Content),
        _ => Err(bad(format!("trace cannot be {word}"))),
    }
}

fn order(word: u32) -> Result<Order, Error> {
    match word {
        MRTR_ORDER_DEFAULT => Ok(Order::Default),
        MRTR_ORDER_SERIAL => Ok(Order::Serial),
        MRTR_ORDER_CONCURRENT => Ok(Order::Concurrent),
        _ => Err(bad(format!("order cannot be {word}"))),
    }
}
