//! The texts of asks, for hosts that have the parts at hand (B3).

use crate::json::Raw;
use crate::json::write::{push_member, push_string};

fn token(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    push_string(&mut out, text);
    out
}

fn elicitation(mode: &str, message: &str, name: &str, value: &str) -> String {
    let mut out = String::with_capacity(96 + message.len() + value.len());
    out.push_str("{\"method\":\"elicitation/create\",\"params\":{");
    let mut first = true;
    push_member(&mut out, &mut first, "mode", mode);
    push_member(&mut out, &mut first, "message", &token(message));
    push_member(&mut out, &mut first, name, value);
    out.push_str("}}");
    out
}

/// A form ask; `message` is plain text. Whether the schema is one is checked when the text is asked.
pub fn form(message: &str, schema: Raw<'_>) -> String {
    elicitation("\"form\"", message, "requestedSchema", schema.text())
}

/// A URL ask, from plain text. Whether the URL is one is checked when the text is asked.
pub fn url(message: &str, url: &str) -> String {
    elicitation("\"url\"", message, "url", &token(url))
}

/// A sampling ask. Whether its params are complete is checked when the text is asked.
pub fn sampling(params: Raw<'_>) -> String {
    format!(
        "{{\"method\":\"sampling/createMessage\",\"params\":{}}}",
        params.text()
    )
}

/// A roots ask.
pub fn roots() -> String {
    "{\"method\":\"roots/list\"}".into()
}
