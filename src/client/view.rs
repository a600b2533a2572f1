//! What is shown of one ask (C14).

use super::event::{AskEvent, UrlView};
use super::round::Round;
use super::text::decode;
use super::who::Who;
use crate::json::Key;
use crate::protocol::url::Address;
use crate::protocol::{Ask, Kind};
use std::sync::Arc;

pub(super) fn view(
    round: &Round,
    at: usize,
    declined: &[(Key, [u8; 32])],
    who: &Arc<Who>,
) -> Option<AskEvent> {
    let entry = round.get(at)?;
    let known = declined.iter().find(|(key, _)| *key == entry.key);
    let again = known.is_some_and(|(_, digest)| {
        let ask = Ask::again(round.raw(entry.ask), None);
        ask.is_ok_and(|ask| ask.digest() == *digest)
    });
    let message = entry
        .message
        .and_then(|message| round.raw(message).string());
    let ask = (entry.kind == Kind::Url || entry.secrets)
        .then(|| round.ask(entry).ok())
        .flatten();
    Some(AskEvent {
        key: entry.key.clone(),
        kind: entry.kind,
        ask: round.text(entry.ask),
        params: entry.params.map(|params| round.text(params)),
        message: message.map(decode),
        schema: entry.schema.map(|schema| round.text(schema)),
        url: ask.as_ref().and_then(Ask::url).map(url_view),
        secret_fields: ask
            .iter()
            .flat_map(Ask::secret_fields)
            .map(decode)
            .collect(),
        who: Arc::clone(who),
        round: round.number,
        previously_declined: again,
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
