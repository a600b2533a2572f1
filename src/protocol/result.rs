//! Results: read by a client (C1, C2), written by a server (B1).

use super::{Code, Error, asks_allowed};
use crate::json::{Fault, Key, Object, Raw, Str, write};
use std::collections::HashSet;

/// Member that says what a result is.
pub const RESULT_TYPE: &str = "resultType";
/// Member with the asks of a result.
pub const INPUT_REQUESTS: &str = "inputRequests";
/// Member with the state, of a result and of a retry.
pub const REQUEST_STATE: &str = "requestState";
/// Member with the answers of a retry.
pub const INPUT_RESPONSES: &str = "inputResponses";

/// What a result means. Notes are diagnostics in plain words: legal enough to go on, worth a line in a log.
// Moved once per leg; boxing the members would cost more than moving them.
#[allow(clippy::large_enum_variant)]
#[derive(Debug)]
pub enum Outcome<'a> {
    /// The call is over.
    Complete {
        /// Diagnostics.
        notes: Vec<&'static str>,
    },
    /// The server asks, or wants to be called again with its state.
    InputRequired {
        /// The asks by key, never empty; `None` if there is a state only.
        asks: Option<Object<'a>>,
        /// The state to send back.
        state: Option<Str<'a>>,
        /// Diagnostics.
        notes: Vec<&'static str>,
    },
    /// A result of an extension that the client declared.
    Extension {
        /// Its `resultType`.
        name: String,
    },
}

/// Reads the result of a leg of `method` (C1, C2). `strict` refuses what is otherwise only noted; `extensions` are
/// the result types that the client declared.
///
/// Anything that breaks the protocol is `invalid_result` with the result kept in the error; a member twice in the
/// result or its `inputRequests` too (J2). The asks themselves are not looked at.
pub fn read_result<'a>(
    method: &str,
    result: Raw<'a>,
    strict: bool,
    extensions: &[&str],
) -> Result<Outcome<'a>, Error> {
    read(method, result, strict, extensions)
        .map_err(|error| error.with_raw(result.text().to_string()))
}

fn read<'a>(
    method: &str,
    result: Raw<'a>,
    strict: bool,
    extensions: &[&str],
) -> Result<Outcome<'a>, Error> {
    let members = Members::of(result)?;
    let Some(tag) = members.tag else {
        return untagged(&members, strict);
    };
    let Some(tag) = tag.string() else {
        return Err(invalid("resultType is no string", "/resultType"));
    };
    if tag.is("complete") {
        return Ok(Outcome::Complete { notes: Vec::new() });
    }
    if tag.is("input_required") {
        return input_required(method, &members, strict);
    }
    match extensions.iter().find(|name| tag.is(name)) {
        Some(name) => Ok(Outcome::Extension {
            name: name.to_string(),
        }),
        None => Err(invalid(
            "resultType is unknown or was not declared",
            "/resultType",
        )),
    }
}

/// The members of a result that are looked at.
struct Members<'a> {
    tag: Option<Raw<'a>>,
    asks: Option<Raw<'a>>,
    state: Option<Raw<'a>>,
}

impl<'a> Members<'a> {
    fn of(result: Raw<'a>) -> Result<Members<'a>, Error> {
        let (mut tag, mut asks, mut state) = (None, None, None);
        if !result.is_object() {
            return Err(invalid("not an object", ""));
        }
        for (name, value) in result.distinct().map_err(twice)? {
            match () {
                () if name.is(RESULT_TYPE) => tag = Some(value),
                () if name.is(INPUT_REQUESTS) => asks = Some(value),
                () if name.is(REQUEST_STATE) => state = Some(value),
                () => {}
            }
        }
        Ok(Members { tag, asks, state })
    }
}

/// A result of a server that knows no `resultType`: complete, unless it looks like an ask (C1, C2).
fn untagged<'a>(members: &Members<'a>, strict: bool) -> Result<Outcome<'a>, Error> {
    let mut present = [members.asks, members.state].into_iter().flatten();
    if present.any(|value| !value.is_null()) {
        return Err(invalid(
            "neither an ask nor a complete result: resultType is absent",
            "",
        ));
    }
    let mut notes = Vec::new();
    note(&mut notes, strict, "resultType is absent", "")?;
    Ok(Outcome::Complete { notes })
}

fn input_required<'a>(
    method: &str,
    members: &Members<'a>,
    strict: bool,
) -> Result<Outcome<'a>, Error> {
    if !asks_allowed(method) {
        return Err(invalid(
            "input_required is not allowed for this method",
            "/resultType",
        ));
    }
    let mut notes = Vec::new();
    let mut present = |value: Option<Raw<'a>>, what: &'static str, name: &str| match value {
        Some(raw) if raw.is_null() => note(&mut notes, strict, what, name).map(|()| None),
        other => Ok(other),
    };
    let asks = present(members.asks, "inputRequests is null", INPUT_REQUESTS)?;
    let state = present(members.state, "requestState is null", REQUEST_STATE)?;
    let state = match state.map(Raw::string) {
        Some(None) => return Err(invalid("requestState is no string", "/requestState")),
        Some(state) => state,
        None => None,
    };
    let asks = match asks {
        Some(asks) => Some(object(asks, "/inputRequests")?).filter(|asks| !asks.is_empty()),
        None => None,
    };
    if asks.is_none() && state.is_none() {
        return Err(invalid("input_required with neither asks nor state", ""));
    }
    Ok(Outcome::InputRequired { asks, state, notes })
}

fn object<'a>(raw: Raw<'a>, at: &str) -> Result<Object<'a>, Error> {
    if !raw.is_object() {
        return Err(invalid("not an object", at));
    }
    raw.object().map_err(|fault| twice(fault.under(at)))
}

fn twice(fault: Fault) -> Error {
    Error::from(fault).with_code(Code::InvalidResult)
}

/// Notes what a strict client refuses; `name` is a member of the result, or empty.
fn note(
    notes: &mut Vec<&'static str>,
    strict: bool,
    what: &'static str,
    name: &str,
) -> Result<(), Error> {
    if strict {
        let at = if name.is_empty() {
            String::new()
        } else {
            format!("/{name}")
        };
        return Err(invalid(what, &at));
    }
    notes.push(what);
    Ok(())
}

fn invalid(what: &str, at: &str) -> Error {
    Error::new(Code::InvalidResult, what).with_at(at.to_string())
}

/// Writes an `input_required` result (B1): the asks in order (key, JSON text), and the state if there is one. No
/// asks and no state is `empty_result`; a key twice is `duplicate_key`. Nothing else is checked here.
pub fn write_input_required(asks: &[(Key, &str)], state: Option<&str>) -> Result<String, Error> {
    if asks.is_empty() && state.is_none() {
        return Err(Error::new(Code::EmptyResult, "neither an ask nor a state"));
    }
    check_keys(asks)?;
    let size: usize = asks
        .iter()
        .map(|(key, ask)| key.as_bytes().len() + ask.len() + 8)
        .sum();
    let mut out = String::with_capacity(size + state.map_or(0, str::len) + 80);
    let mut first = true;
    out.push('{');
    write::push_text_member(&mut out, &mut first, RESULT_TYPE, "input_required");
    if !asks.is_empty() {
        write::push_name(&mut out, &mut first, INPUT_REQUESTS);
        push_asks(&mut out, asks);
    }
    if let Some(state) = state {
        write::push_text_member(&mut out, &mut first, REQUEST_STATE, state);
    }
    out.push('}');
    Ok(out)
}

fn push_asks(out: &mut String, asks: &[(Key, &str)]) {
    let mut first = true;
    out.push('{');
    for (key, ask) in asks {
        write::push_comma(out, &mut first);
        key.write_json(out);
        out.push(':');
        write::push_line(out, ask);
    }
    out.push('}');
}

fn check_keys(asks: &[(Key, &str)]) -> Result<(), Error> {
    let mut seen = HashSet::with_capacity(asks.len());
    match asks.iter().find(|(key, _)| !seen.insert(key)) {
        Some((key, _)) => {
            Err(Error::new(Code::DuplicateKey, "two asks with one key").with_key(key.clone()))
        }
        None => Ok(()),
    }
}
