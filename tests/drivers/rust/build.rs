//! Kind `build`.

use super::case::{Case, Observation, Trouble, key_token, list, text_of, token};
use super::{Seen, told};
use mrtr::json::{Key, Limits};
use mrtr::server::{BuildRequest, Gate, build};

pub fn observe(case: &Case<'_>) -> Seen {
    told(|seen| tell(case, seen))
}

fn tell(case: &Case<'_>, seen: &mut Observation) -> Result<(), Trouble> {
    case.only(&[
        "name",
        "kind",
        "era",
        "method",
        "caps",
        "gate",
        "asks",
        "state",
        "allowSecret",
        "allowHttp",
    ])?;
    let mut asks: Vec<(Key, String)> = Vec::new();
    for pair in case.list("asks") {
        let mut parts = pair.elements().into_iter().flatten();
        let (key, text) = (
            parts.next().and_then(|k| k.string()),
            parts.next().and_then(text_of),
        );
        asks.push((
            key.ok_or(Trouble::Unsupported)?.key(),
            text.ok_or(Trouble::Unsupported)?,
        ));
    }
    let asks: Vec<(Key, &str)> = asks
        .iter()
        .map(|(key, text)| (key.clone(), text.as_str()))
        .collect();
    let (method, caps, state) = (
        case.text("method").unwrap_or_default(),
        case.text("caps"),
        case.text("state"),
    );
    let allowed = case.texts("allowSecret");
    let allow_secret: Vec<&str> = allowed.iter().map(String::as_str).collect();
    let request = BuildRequest {
        method: &method,
        capabilities: caps.as_deref(),
        gate: gate(case)?,
        asks: &asks,
        state: state.as_deref(),
        allow_secret: &allow_secret,
        allow_http: case.flag("allowHttp"),
        limits: Limits::default(),
    };
    match build(&request) {
        Ok((result, warnings)) => {
            seen.text("result", &result);
            seen.raw("warnings", &list(warnings.iter().map(|w| token(w.name()))));
        }
        Err(error) => {
            seen.text("error", error.code().name());
            if let Some(at) = error.at() {
                seen.text("at", at);
            }
            if let Some(key) = error.key() {
                seen.raw("key", &key_token(key));
            }
            if error.rpc().is_some() {
                seen.rpc("rpc", &error)?;
            }
        }
    }
    Ok(())
}

pub fn gate(options: &Case<'_>) -> Result<Gate, Trouble> {
    match options.text("gate").as_deref() {
        None | Some("refuse") => Ok(Gate::Refuse),
        Some("filter") => Ok(Gate::Filter),
        Some(_) => Err(Trouble::Unsupported),
    }
}
