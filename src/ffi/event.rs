//! Events as the header has them.

use super::abi::{
    event::{
        MRTR_EVENT_ASK, MRTR_EVENT_CANCEL_LEG, MRTR_EVENT_DONE, MRTR_EVENT_IDLE, MRTR_EVENT_NOTE,
        MRTR_EVENT_PROGRESS, MRTR_EVENT_ROUND, MRTR_EVENT_SEND, MRTR_EVENT_SLEEP,
        MRTR_EVENT_STOP_ASK, mrtr_event,
    },
    sized::zeroed,
    storage::Storage,
    version::MRTR_NO_LIMIT,
};
use crate::{
    client::{AskEvent, Done, Event, Flow, Name, Text},
    json::{Key, write},
    protocol::{Error, Rpc},
};

/// An event with its texts in one buffer.
pub(crate) fn show(event: &Event) -> mrtr_event {
    match event {
        Event::Send { .. } => send(event),
        Event::CancelLeg { leg, id } => mrtr_event {
            leg: *leg,
            id: *id,
            ..of_type(MRTR_EVENT_CANCEL_LEG)
        },
        Event::Ask(ask) => self::ask(ask),
        Event::StopAsk { key } => keyed(MRTR_EVENT_STOP_ASK, Some(key), None),
        Event::Round { n, .. } => mrtr_event {
            round: *n,
            ..of_type(MRTR_EVENT_ROUND)
        },
        Event::Progress { leg, value } => mrtr_event {
            leg: *leg,
            progress: *value,
            ..of_type(MRTR_EVENT_PROGRESS)
        },
        Event::Note { key, text } => keyed(MRTR_EVENT_NOTE, key.as_ref(), Some(text)),
        Event::Sleep { until, pacing } => mrtr_event {
            until_ms: until.unwrap_or(MRTR_NO_LIMIT),
            pacing: u32::from(*pacing),
            ..of_type(MRTR_EVENT_SLEEP)
        },
        Event::Done(done) => self::done(done),
        Event::Idle => of_type(MRTR_EVENT_IDLE),
    }
}

fn of_type(number: u32) -> mrtr_event {
    mrtr_event {
        r#type: number,
        ..zeroed()
    }
}

fn send(event: &Event) -> mrtr_event {
    let Event::Send {
        leg,
        id,
        method,
        params,
        deadline_ms,
        paced_ms,
    } = event
    else {
        return of_type(MRTR_EVENT_IDLE);
    };
    let mut storage = Storage::new();
    let (method, params) = (storage.add(&**method), storage.add(params));
    let stored = storage.finish();
    mrtr_event {
        leg: *leg,
        id: *id,
        until_ms: deadline_ms.unwrap_or(MRTR_NO_LIMIT),
        paced_ms: *paced_ms,
        method: stored.slice(method),
        params: stored.slice(params),
        storage: stored.into_buf(),
        ..of_type(MRTR_EVENT_SEND)
    }
}

fn keyed(number: u32, key: Option<&Key>, text: Option<&String>) -> mrtr_event {
    let mut storage = Storage::new();
    let key = storage.add_optional(key.map(Key::as_bytes));
    let text = storage.add_optional(text);
    let stored = storage.finish();
    mrtr_event {
        key: stored.slice(key),
        text: stored.slice(text),
        storage: stored.into_buf(),
        ..of_type(number)
    }
}

/// An ask that is open, in the order of the text; an idle event beyond the last.
pub(crate) fn open_ask(flow: &Flow, at: usize) -> mrtr_event {
    match flow.open_ask(at) {
        Some(open) => ask(&open),
        None => of_type(MRTR_EVENT_IDLE),
    }
}

fn names(names: &[String]) -> Option<String> {
    let mut first = true;
    let mut out = String::from("[");
    for name in names {
        write::push_comma(&mut out, &mut first);
        write::push_string(&mut out, name);
    }
    out.push(']');
    (!names.is_empty()).then_some(out)
}

fn ask(ask: &AskEvent) -> mrtr_event {
    let who = &ask.who;
    let server = who.server.as_ref();
    let version = server.and_then(|server| server.version.as_ref());
    let url = ask.url.as_ref();
    let mut storage = Storage::new();
    let method = storage.add(ask.kind.method());
    let key = storage.add(ask.key.as_bytes());
    let whole = storage.add(ask.ask.as_str());
    let params = storage.add_optional(ask.params.as_ref().map(Text::as_str));
    let message = storage.add_optional(ask.message.as_deref());
    let schema = storage.add_optional(ask.schema.as_ref().map(Text::as_str));
    let address = storage.add_optional(url.map(|url| &url.url));
    let ascii = storage.add_optional(url.map(|url| &url.host_ascii));
    let unicode = storage.add_optional(url.map(|url| &url.host_unicode));
    let label = storage.add_optional(who.label.as_deref());
    let call_method = storage.add(&*who.method);
    let call_target = storage.add_optional(who.target.as_deref());
    let server_name = storage.add_optional(server.map(|server| &server.name.raw));
    let server_shown = storage.add_optional(server.map(|server| &server.name.shown));
    let server_version = storage.add_optional(version.map(|Name { shown, .. }| shown));
    let secrets = names(&ask.secret_fields);
    let secret_fields = storage.add_optional(secrets.as_deref());
    let stored = storage.finish();
    mrtr_event {
        round: ask.round,
        kind: ask.kind as u32,
        url_flags: url.map_or(0, |url| url.flags),
        previously_declined: u32::from(ask.previously_declined),
        method: stored.slice(method),
        params: stored.slice(params),
        key: stored.slice(key),
        ask: stored.slice(whole),
        message: stored.slice(message),
        schema: stored.slice(schema),
        url: stored.slice(address),
        host_ascii: stored.slice(ascii),
        host_unicode: stored.slice(unicode),
        label: stored.slice(label),
        call_method: stored.slice(call_method),
        call_target: stored.slice(call_target),
        server_name: stored.slice(server_name),
        server_shown: stored.slice(server_shown),
        server_version: stored.slice(server_version),
        secret_fields: stored.slice(secret_fields),
        storage: stored.into_buf(),
        ..of_type(MRTR_EVENT_ASK)
    }
}

fn done(done: &Done) -> mrtr_event {
    let error = done.end.as_ref().err();
    let rpc = error.and_then(Error::rpc).map(Rpc::to_json);
    let kept = done
        .result
        .as_ref()
        .map(Text::as_str)
        .or_else(|| error.and_then(Error::raw));
    let mut storage = Storage::new();
    let key = storage.add_optional(done.key().map(Key::as_bytes));
    let result = storage.add_optional(kept);
    let rpc = storage.add_optional(rpc.as_deref());
    let continuation = storage.add_optional(done.continuation.as_deref());
    let text = storage.add_optional(error.map(Error::message));
    let stored = storage.finish();
    mrtr_event {
        round: done.rounds,
        end: error.map_or(0, |error| error.code().number()),
        cacheable: u32::from(done.cacheable),
        key: stored.slice(key),
        result: stored.slice(result),
        rpc_error: stored.slice(rpc),
        continuation: stored.slice(continuation),
        text: stored.slice(text),
        storage: stored.into_buf(),
        ..of_type(MRTR_EVENT_DONE)
    }
}
