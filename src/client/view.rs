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
) -> Option<Box<AskEvent>> {
    let entry = round.get(at)?;
    let key = round.key(at)?;
    let known = declined.iter().find(|(own, _)| *own == key);
    let again = known.is_some_and(|(_, digest)| {
        let ask = Ask::again(round.raw(entry.ask));
        ask.is_ok_and(|ask| ask.digest() == *digest)
    });
    let ask = (entry.kind == Kind::Url || entry.secrets)
        .then(|| Ask::again(round.raw(entry.ask)).ok())
        .flatten();
    Some(Box::new(AskEvent {
        key,
        kind: entry.kind,
        ask: round.text(entry.ask),
        params: round.params(entry),
        message: round.message(entry).map(decode),
        schema: round.schema(entry),
        url: ask.as_ref().and_then(Ask::url).map(url_view),
        secret_fields: ask
            .iter()
            .flat_map(Ask::secret_fields)
            .map(decode)
            .collect(),
        who: Arc::clone(who),
        round: round.number,
        previously_declined: again,
    }))
}

fn url_view(address: &Address<'_>) -> UrlView {
    UrlView {
        url: address.text().to_string(),
        flags: u32::from(address.flags()),
        host_ascii: address.host_ascii().to_string(),
        host_unicode: address.host_unicode().to_string(),
    }
}
