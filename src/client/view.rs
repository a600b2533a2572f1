//! What is shown of one ask (C14).

use super::event::{AskEvent, UrlView};
use super::options::ClientOptions;
use super::receive::receive_ask;
use super::round::Round;
use super::text::{decode, member};
use crate::json::{Key, Raw};
use crate::protocol::url::Address;
use crate::protocol::{Ask, Kind};

/// Params members that are looked at.
#[derive(Default)]
struct Params<'a> {
    message: Option<Raw<'a>>,
    schema: Option<Raw<'a>>,
}

pub(super) fn view(
    round: &Round,
    at: usize,
    declined: &[(Key, [u8; 32])],
    options: &ClientOptions,
) -> Option<AskEvent> {
    let entry = round.get(at)?;
    let raw = round.raw(entry);
    let params = member(raw, "params").filter(|params| !params.is_null());
    let parts = params.map(Params::read).unwrap_or_default();
    let known = declined.iter().find(|(key, _)| *key == entry.key);
    // The whole ask is read again only where something of it is needed.
    let ask = (entry.kind == Kind::Url || known.is_some())
        .then(|| receive_ask(raw, options).ok())
        .flatten();
    let ask = ask.as_ref().map(|(ask, _)| ask);
    Some(AskEvent {
        key: entry.key.clone(),
        kind: entry.kind,
        ask: round.ask(entry),
        params: params.map(|params| round.part(params)),
        message: parts.message.and_then(Raw::string).map(decode),
        schema: parts
            .schema
            .filter(|_| entry.kind == Kind::Form)
            .map(|schema| round.part(schema)),
        url: ask.and_then(Ask::url).map(url_view),
        round: round.number,
        previously_declined: ask
            .is_some_and(|ask| known.is_some_and(|(_, digest)| *digest == ask.digest())),
    })
}

fn url_view(address: &Address<'_>) -> UrlView {
    UrlView {
        url: address.text().to_string(),
        flags: u32::from(address.flags()),
        host_ascii: address.host_ascii().to_string(),
        host_unicode: address.host_unicode().to_string(),
    }
}

impl<'a> Params<'a> {
    fn read(params: Raw<'a>) -> Params<'a> {
        let mut parts = Params::default();
        for (name, value) in params.members().into_iter().flatten() {
            if name.is("message") {
                parts.message = Some(value);
            } else if name.is("requestedSchema") {
                parts.schema = Some(value);
            }
        }
        parts
    }
}
