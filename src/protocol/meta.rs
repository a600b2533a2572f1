//! The `_meta` of a request and the headers that repeat it (B9, E1, E2).

use super::{Code, Error, Rpc, target};
use crate::json::{Limits, Object, Raw, splice, write};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::borrow::Cow;

/// Member of params.
pub const META: &str = "_meta";
/// Member of `_meta`: version of the protocol.
pub const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
/// Member of `_meta`: name and version of the client.
pub const CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";
/// Member of `_meta`: what the client can be asked.
pub const CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
/// Member of `_meta`: token for progress notifications.
pub const PROGRESS_TOKEN: &str = "progressToken";
/// The version of this era.
pub const VERSION: &str = "2026-07-28";

/// HTTP header that repeats the protocol version.
pub const VERSION_HEADER: &str = "MCP-Protocol-Version";
/// HTTP header that repeats the method.
pub const METHOD_HEADER: &str = "Mcp-Method";
/// HTTP header that repeats the target.
pub const NAME_HEADER: &str = "Mcp-Name";

/// Checks what every request of this era states in `_meta`, in this order (B9, E2): version and capabilities are
/// there (-32602, HTTP 400); the header says the same version (-32020, 400); the version is served (-32022, 400,
/// with `supported` and `requested`). Unknown methods come after it: [`check_method`].
///
/// `header` is the value of `MCP-Protocol-Version`; `None` on a transport without headers. An HTTP host passes `""`
/// when the header is missing.
pub fn check_request(
    params: Option<Raw<'_>>,
    header: Option<&str>,
    supported: &[&str],
) -> Result<(), Error> {
    let params = params
        .filter(|raw| raw.is_object())
        .ok_or_else(|| missing("/_meta"))?;
    let params = params.object().map_err(|fault| duplicate(fault.into()))?;
    let meta = params
        .get(META)
        .filter(|raw| raw.is_object())
        .ok_or_else(|| missing("/_meta"))?;
    let meta = meta
        .object()
        .map_err(|fault| duplicate(fault.under("/_meta").into()))?;
    let version = meta
        .get(PROTOCOL_VERSION)
        .and_then(Raw::string)
        .ok_or_else(|| missing(&at(PROTOCOL_VERSION)))?;
    if meta.present(CLIENT_CAPABILITIES).is_none() {
        return Err(missing(&at(CLIENT_CAPABILITIES)));
    }
    if header.is_some_and(|header| !version.is(header)) {
        return Err(mismatch(VERSION_HEADER));
    }
    if supported.iter().any(|known| version.is(known)) {
        Ok(())
    } else {
        Err(unsupported(version.token(), supported))
    }
}

/// Refuses a method that is not among `known`: -32601, HTTP 404 (B9).
pub fn check_method(method: &str, known: &[&str]) -> Result<(), Error> {
    if known.contains(&method) {
        Ok(())
    } else {
        Err(Error::on_wire(Code::MethodNotFound, "Method not found"))
    }
}

/// Compares the headers `Mcp-Method` and `Mcp-Name` with the request they came with: -32020, HTTP 400 (E2). `name`
/// is needed only where the method has a target.
pub fn check_headers(
    method: &str,
    params: Option<Raw<'_>>,
    method_header: Option<&str>,
    name_header: Option<&str>,
) -> Result<(), Error> {
    if method_header != Some(method) {
        return Err(mismatch(METHOD_HEADER));
    }
    let params = params.and_then(|raw| raw.object().ok());
    let Some(expected) = target(method, params.as_ref()) else {
        return Ok(());
    };
    let given = name_header.and_then(read_header_value);
    if given.is_some_and(|given| expected.is(&given)) {
        Ok(())
    } else {
        Err(mismatch(NAME_HEADER))
    }
}

/// The `_meta` of a leg (C4, E1): the caller's own, with version, capabilities, client info and progress token
/// stated anew. `client_info`, `capabilities` and `progress_token` are JSON text. Without `client_info` the caller's
/// own stays; without `progress_token` there is none, since the caller's belongs to another leg.
pub fn stamp(
    meta: Option<Raw<'_>>,
    version: &str,
    client_info: Option<&str>,
    capabilities: &str,
    progress_token: Option<&str>,
) -> String {
    let mut version_text = String::new();
    write::push_string(&mut version_text, version);
    let mut drop = vec![PROTOCOL_VERSION, CLIENT_CAPABILITIES, PROGRESS_TOKEN];
    let mut add = vec![(PROTOCOL_VERSION, version_text.as_str())];
    if let Some(info) = client_info {
        drop.push(CLIENT_INFO);
        add.push((CLIENT_INFO, info));
    }
    add.push((CLIENT_CAPABILITIES, capabilities));
    if let Some(token) = progress_token {
        add.push((PROGRESS_TOKEN, token));
    }
    splice(meta.unwrap_or(Raw::EMPTY), &drop, &add)
}

/// The value of `Mcp-Name` for a request (E1): its target, encoded where a header needs it. `None` if the method has
/// none, or if it holds a lone surrogate, which no header can carry.
pub fn name_header(method: &str, params: &Object<'_>) -> Option<String> {
    let target = target(method, Some(params))?.text()?;
    Some(header_value(&target).into_owned())
}

const SENTINEL: (&str, &str) = ("=?base64?", "?=");

/// A text as the value of a header (E1): as it is if it is plain ASCII that a header keeps, else base64 of its UTF-8
/// between `=?base64?` and `?=`. A plain text that looks like that is encoded too.
pub fn header_value(text: &str) -> Cow<'_, str> {
    let plain = text.bytes().all(|b| matches!(b, b' '..=b'~' | b'\t'));
    let padded = text.starts_with([' ', '\t']) || text.ends_with([' ', '\t']);
    if plain && !padded && encoded(text).is_none() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(format!(
        "{}{}{}",
        SENTINEL.0,
        STANDARD.encode(text),
        SENTINEL.1
    ))
}

/// The text that a header value stands for; `None` if it says that it is base64 and is not (E2).
pub fn read_header_value(value: &str) -> Option<Cow<'_, str>> {
    match encoded(value) {
        None => Some(Cow::Borrowed(value)),
        Some(base64) => String::from_utf8(STANDARD.decode(base64).ok()?)
            .ok()
            .map(Cow::Owned),
    }
}

fn encoded(value: &str) -> Option<&str> {
    value.strip_prefix(SENTINEL.0)?.strip_suffix(SENTINEL.1)
}

/// The versions that a -32022 error says the server speaks, in its order (E1): `data` is the text of its data.
/// Empty if they cannot be read.
pub fn supported_versions(data: &str, limits: &Limits) -> Vec<String> {
    let read = || {
        let data = Raw::parse(data, limits).ok()?.object().ok()?;
        let texts = data
            .get("supported")?
            .elements()?
            .filter_map(|raw| raw.string()?.text());
        Some(texts.map(Cow::into_owned).collect())
    };
    read().unwrap_or_default()
}

fn at(name: &str) -> String {
    format!("/_meta/{}", name.replace('/', "~1"))
}

fn missing(at: &str) -> Error {
    let message = format!("Invalid params: {at} is missing");
    Error::on_wire(Code::MissingMeta, message).with_at(at.to_string())
}

fn duplicate(error: Error) -> Error {
    let message = format!("Invalid params: {}", error.message());
    error.with_rpc(Rpc {
        code: -32602,
        message,
        data: None,
    })
}

fn mismatch(header: &str) -> Error {
    Error::on_wire(
        Code::HeaderMismatch,
        format!("Header mismatch: {header} differs from the request"),
    )
}

/// `requested` is the string token as the client sent it.
fn unsupported(requested: &str, supported: &[&str]) -> Error {
    let mut data = String::from("{");
    let mut first = true;
    write::push_name(&mut data, &mut first, "supported");
    data.push('[');
    let mut first_version = true;
    for version in supported {
        write::push_comma(&mut data, &mut first_version);
        write::push_string(&mut data, version);
    }
    data.push(']');
    write::push_member(&mut data, &mut first, "requested", requested);
    data.push('}');
    let error = Error::on_wire(Code::UnsupportedVersion, "Unsupported protocol version");
    let rpc = error.rpc().cloned().map(|rpc| Rpc {
        data: Some(data),
        ..rpc
    });
    match rpc {
        Some(rpc) => error.with_rpc(rpc),
        None => error,
    }
}
