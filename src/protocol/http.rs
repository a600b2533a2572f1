//! The HTTP headers that repeat what a request says: all of them held against it, in the order of the suite (E2, B9).

use super::meta::{self, METHOD_HEADER, NAME_HEADER, VERSION_HEADER};
use super::{Code, Error, target};
use crate::json::{Number, Object, Raw};
use std::cmp::Ordering;

/// Member of a property of a tool's `inputSchema`: the argument is repeated in `Mcp-Param-` and this name.
const PARAM_MEMBER: &str = "x-mcp-header";
const PARAM_PREFIX: &str = "Mcp-Param-";

/// The headers of a request as they were received: names in any case, values as they are.
#[derive(Debug, Clone, Copy)]
pub struct Headers<'a>(pub &'a [(&'a str, &'a str)]);

impl<'a> Headers<'a> {
    /// The value of a header without the white space around it. One that stands twice is a mismatch with anything.
    fn get(self, name: &str) -> Result<Option<&'a str>, Error> {
        let mut found = self
            .0
            .iter()
            .filter(|(given, _)| given.eq_ignore_ascii_case(name));
        let first = found
            .next()
            .map(|(_, value)| value.trim_matches([' ', '\t']));
        match found.next() {
            Some(_) => Err(mismatch(name, "stands twice")),
            None => Ok(first),
        }
    }
}

/// What a server knows of a request that came over HTTP.
#[derive(Debug, Clone, Copy)]
pub struct HttpRequest<'a> {
    /// JSON-RPC method.
    pub method: &'a str,
    /// Its params.
    pub params: Option<Raw<'a>>,
    /// Its headers.
    pub headers: Headers<'a>,
    /// Versions that the server speaks.
    pub supported: &'a [&'a str],
    /// Methods that it has; empty: not checked.
    pub methods: &'a [&'a str],
    /// The `inputSchema` of the tool that is called, if its arguments may be repeated in headers.
    pub input_schema: Option<Raw<'a>>,
}

/// Checks a request of this era with all its headers: `Mcp-Method`, then `_meta`, `MCP-Protocol-Version`, the version
/// and the method ([`meta::check_request`]), then `Mcp-Name` and `Mcp-Param-*` (E2). Errors have what to answer with.
pub fn check_http(request: &HttpRequest<'_>) -> Result<(), Error> {
    let headers = request.headers;
    compare(
        headers,
        METHOD_HEADER,
        Some(&|given| given == request.method),
    )?;
    let version = headers.get(VERSION_HEADER)?.unwrap_or_default();
    meta::check_request(request.params, Some(version), request.supported)?;
    if !request.methods.is_empty() {
        meta::check_method(request.method, request.methods)?;
    }
    let Some(params) = request.params.and_then(|raw| raw.object().ok()) else {
        return Ok(());
    };
    if let Some(expected) = target(request.method, Some(&params)) {
        compare(headers, NAME_HEADER, Some(&|given| expected.is(given)))?;
    }
    match request.input_schema {
        Some(schema) => check_arguments(headers, schema, &params),
        None => Ok(()),
    }
}

fn check_arguments(
    headers: Headers<'_>,
    schema: Raw<'_>,
    params: &Object<'_>,
) -> Result<(), Error> {
    let arguments = params.get("arguments").and_then(|raw| raw.object().ok());
    let properties = member(schema, "properties").and_then(Raw::members);
    for (name, property) in properties.into_iter().flatten() {
        let header = member(property, PARAM_MEMBER).and_then(Raw::string);
        let Some(header) = header.and_then(|header| header.text()) else {
            continue;
        };
        let argument = arguments
            .as_ref()
            .and_then(|arguments| arguments.get_key(&name.key()))
            .filter(|raw| {
                raw.string().is_some() || raw.number().is_some() || raw.as_bool().is_some()
            });
        let header = format!("{PARAM_PREFIX}{header}");
        match argument {
            Some(raw) => compare(headers, &header, Some(&|given| says(given, raw)))?,
            None => compare(headers, &header, None)?,
        }
    }
    Ok(())
}

fn member<'a>(object: Raw<'a>, name: &str) -> Option<Raw<'a>> {
    object
        .members()?
        .find(|(given, _)| given.is(name))
        .map(|(_, value)| value)
}

/// Does a header say what an argument says? Numbers by value, so that another spelling is the same one.
fn says(given: &str, argument: Raw<'_>) -> bool {
    if let Some(text) = argument.string() {
        return text.is(given);
    }
    match (argument.number(), Number::parse(given)) {
        (Some(number), Some(given)) => number.compare(given) == Ordering::Equal,
        _ => argument.text() == given,
    }
}

/// Holds a header against the body; both or neither must be there.
fn compare(
    headers: Headers<'_>,
    name: &str,
    body: Option<&dyn Fn(&str) -> bool>,
) -> Result<(), Error> {
    match (headers.get(name)?, body) {
        (None, None) => Ok(()),
        (None, Some(_)) => Err(mismatch(name, "is missing")),
        (Some(_), None) => Err(mismatch(
            name,
            "is there, and the request has no such value",
        )),
        (Some(given), Some(same)) => match meta::read_header_value(given) {
            None => Err(mismatch(name, "is no Base64")),
            Some(given) if same(&given) => Ok(()),
            Some(_) => Err(mismatch(name, "differs from the request")),
        },
    }
}

fn mismatch(name: &str, what: &str) -> Error {
    let message = format!("Header mismatch: {name} {what}");
    Error::on_wire(Code::HeaderMismatch, message)
}
