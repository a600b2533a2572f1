//! Servers as the header has them, and results built without an exchange.

use super::abi::{
    ask::mrtr_ask,
    guard::{Call, bad, flag, size},
    hooks::ServerHooks,
    result::{MRTR_GATE_FILTER, MRTR_GATE_REFUSE, mrtr_result, mrtr_result_options},
    server::mrtr_server_options,
    sized::zeroed,
    slice::mrtr_slice,
    storage::Storage,
};
use crate::{
    json::{Key, Limits},
    protocol::{Code, Error, Warning},
    server::{BuildRequest, Gate, Server, ServerOptions, build},
    state::Sealer,
};
use std::sync::Arc;

fn gate(word: u32) -> Result<Gate, Error> {
    match word {
        MRTR_GATE_REFUSE => Ok(Gate::Refuse),
        MRTR_GATE_FILTER => Ok(Gate::Filter),
        _ => Err(bad(format!("gate cannot be {word}"))),
    }
}

/// The key of an ask: UTF-8, or WTF-8 where the JSON name had a lone surrogate (J3).
pub(crate) fn key(c: &Call<'_>, key: mrtr_slice) -> Result<Key, Error> {
    let bytes = c.bytes(key, "key")?;
    Key::from_wtf8(bytes).ok_or_else(|| Error::new(Code::NotUtf8, "key is neither UTF-8 nor WTF-8"))
}

/// A JSON array of the names of warnings.
pub(crate) fn names(warnings: &[Warning]) -> String {
    let names: Vec<String> = warnings
        .iter()
        .map(|warning| format!("\"{}\"", warning.name()))
        .collect();
    format!("[{}]", names.join(","))
}

/// The defaults of a server.
pub(crate) fn defaults() -> mrtr_server_options {
    let limits = Limits::default();
    mrtr_server_options {
        gate: MRTR_GATE_REFUSE,
        max_message_bytes: limits.message_bytes as u64,
        max_depth: limits.depth as u64,
        max_asks: limits.asks as u64,
        max_answers: limits.answers as u64,
        max_key_bytes: limits.key_bytes as u64,
        ..zeroed()
    }
}

/// Makes a server.
pub(crate) fn make(
    c: &Call<'_>,
    sealer: Option<Arc<Sealer>>,
    o: &mrtr_server_options,
    hooks: Option<&Arc<ServerHooks>>,
) -> Result<Arc<Server>, Error> {
    let allow_secret = c.texts(o.allow_secret, o.allow_secret_count, "allow_secret")?;
    let options = ServerOptions {
        sealer,
        gate: gate(o.gate)?,
        limits: Limits {
            message_bytes: size(o.max_message_bytes),
            depth: size(o.max_depth),
            asks: size(o.max_asks),
            answers: size(o.max_answers),
            key_bytes: size(o.max_key_bytes),
            ..Limits::default()
        },
        allow_http: flag(o.allow_http, "allow_http")?,
        allow_secret: allow_secret.into_iter().map(str::to_owned).collect(),
        observer: hooks
            .filter(|hooks| hooks.table().issued.is_some())
            .map(|hooks| Arc::clone(hooks) as _),
    };
    Ok(Arc::new(Server::new(options)))
}

/// The defaults of a result.
pub(crate) fn result_defaults() -> mrtr_result_options {
    let limits = Limits::default();
    mrtr_result_options {
        gate: MRTR_GATE_REFUSE,
        max_asks: limits.asks as u64,
        max_message_bytes: limits.message_bytes as u64,
        ..zeroed()
    }
}

/// Builds a result.
pub(crate) fn build_result(c: &Call<'_>, o: &mrtr_result_options) -> Result<mrtr_result, Error> {
    let asks: Result<Vec<(Key, &str)>, Error> = c
        .array(o.asks, o.ask_count, "asks")?
        .into_iter()
        .map(|entry: mrtr_ask| Ok((key(c, entry.key)?, c.text(entry.ask, "ask")?)))
        .collect();
    let (json, warnings) = build(&BuildRequest {
        method: c.text(o.method, "method")?,
        capabilities: c.optional_text(o.capabilities, "capabilities")?,
        gate: gate(o.gate)?,
        asks: &asks?,
        state: c.optional_text(o.state, "state")?,
        allow_secret: &c.texts(o.allow_secret, o.allow_secret_count, "allow_secret")?,
        allow_http: flag(o.allow_http, "allow_http")?,
        limits: Limits {
            asks: size(o.max_asks),
            message_bytes: size(o.max_message_bytes),
            ..Limits::default()
        },
    })?;
    let names = names(&warnings);
    let mut storage = Storage::new();
    let (json, names) = (storage.add(&json), storage.add(&names));
    let stored = storage.finish();
    Ok(mrtr_result {
        warning_count: u32::try_from(warnings.len()).unwrap_or(u32::MAX),
        json: stored.slice(json),
        warnings: stored.slice(names),
        storage: stored.into_buf(),
        ..zeroed()
    })
}
