//! The HTTP headers that repeat a request, and the parameters that a tool marks for them (E1).

use super::meta::{META, METHOD_HEADER, NAME_HEADER, PROTOCOL_VERSION, VERSION_HEADER};
use super::meta::{header_value, supported_versions};
use super::{Code, Error, target};
use crate::json::{Kind, Limits, Object, Raw, Str};

/// Start of the name of a header that repeats an argument.
pub const PARAM_PREFIX: &str = "Mcp-Param-";

const MARK: &str = "x-mcp-header";
/// Keywords whose values are data of the tool's own and not schemas.
const DATA: [&str; 5] = ["default", "examples", "const", "enum", "description"];

/// The headers of a request, each as `Name: value` and CR LF (E1): version (as `_meta` has it), method, target, and what the tool
/// marks of its arguments. `tool` is the tool's definition as `tools/list` gave it.
///
/// `invalid_tool` if the tool's marks break the rules, `invalid_params` if a marked argument cannot be a header.
pub fn request_headers(
    method: &str,
    params: &Object<'_>,
    tool: Option<Raw<'_>>,
) -> Result<String, Error> {
    let mut out = String::new();
    let meta = params.get(META).and_then(|meta| meta.object().ok());
    if let Some(version) = meta.and_then(|meta| meta.get(PROTOCOL_VERSION)?.string()?.text()) {
        push(&mut out, VERSION_HEADER, "", &header_value(&version));
    }
    push(&mut out, METHOD_HEADER, "", &header_value(method));
    if let Some(name) = about(method, params).and_then(Str::text) {
        push(&mut out, NAME_HEADER, "", &header_value(&name));
    }
    for mark in tool.map(marks).transpose()?.unwrap_or_default() {
        let Some(value) = mark.find(params.get("arguments")) else {
            continue;
        };
        push(&mut out, PARAM_PREFIX, &mark.name, &spell(&mark, value)?);
    }
    Ok(out)
}

/// Refuses a tool whose marks break the rules (`invalid_tool`): a client leaves it out of its list (E1).
pub fn check_tool(tool: Raw<'_>) -> Result<(), Error> {
    marks(tool).map(|_| ())
}

/// Which of the versions that the host speaks, best first, a -32022 error names as served; `None` if none, or if it is another error
/// (E1). `error` is the error object.
pub fn retry_version(error: Raw<'_>, spoken: &[&str], limits: &Limits) -> Option<usize> {
    let error = error.object().ok()?;
    let code = error.get("code")?.number()?.to_i64();
    if code != Code::UnsupportedVersion.rpc() {
        return None;
    }
    let served = supported_versions(error.get("data")?.text(), limits);
    spoken
        .iter()
        .position(|own| served.iter().any(|name| name == own))
}

/// What the request is about; requests about a task name it.
fn about<'a>(method: &str, params: &Object<'a>) -> Option<Str<'a>> {
    if method.starts_with("tasks/") {
        return params.get("taskId")?.string();
    }
    target(method, Some(params))
}

fn push(out: &mut String, name: &str, rest: &str, value: &str) {
    for part in [name, rest, ": ", value, "\r\n"] {
        out.push_str(part);
    }
}

/// A parameter that the tool wants in a header.
struct Mark<'a> {
    name: String,
    /// Names of the members that lead to it.
    path: Vec<Str<'a>>,
}

impl Mark<'_> {
    /// The argument, if there is one that is not null.
    fn find<'a>(&self, arguments: Option<Raw<'a>>) -> Option<Raw<'a>> {
        let mut value = arguments?;
        for name in &self.path {
            value = value.object().ok()?.get_key(&name.key())?;
        }
        (!value.is_null()).then_some(value)
    }
}

fn spell(mark: &Mark<'_>, value: Raw<'_>) -> Result<String, Error> {
    let text = match value.kind() {
        Kind::String => value
            .string()
            .and_then(Str::text)
            .map(|text| header_value(&text).into_owned()),
        Kind::Number => value.number().map(|number| match number.to_i64() {
            Some(whole) => whole.to_string(),
            None => number.text().to_string(),
        }),
        Kind::Bool => Some(value.text().to_string()),
        Kind::Null | Kind::Array | Kind::Object => None,
    };
    text.ok_or_else(|| {
        let message = format!("the argument for the header {} cannot be one", mark.name);
        Error::new(Code::InvalidParams, message)
    })
}

fn marks(tool: Raw<'_>) -> Result<Vec<Mark<'_>>, Error> {
    let schema = tool
        .object()
        .map_err(|fault| invalid(format!("{fault}"), ""))?
        .get("inputSchema");
    let mut found = Vec::new();
    if let Some(schema) = schema {
        walk(schema, &mut Vec::new(), "/inputSchema", &mut found)?;
    }
    Ok(found)
}

/// Collects the marks of properties of properties; anywhere else a mark is an error.
fn walk<'a>(
    schema: Raw<'a>,
    path: &mut Vec<Str<'a>>,
    at: &str,
    found: &mut Vec<Mark<'a>>,
) -> Result<(), Error> {
    if !schema.is_object() {
        return Ok(());
    }
    let object = schema
        .object()
        .map_err(|fault| invalid(format!("{fault}"), at))?;
    if let Some(mark) = object.get(MARK) {
        found.push(read_mark(&object, mark, path, at, found)?);
    }
    for (name, value) in object.iter() {
        if name.is("properties") {
            for (own, property) in value.members().into_iter().flatten() {
                path.push(own);
                walk(
                    property,
                    path,
                    &format!("{at}/properties/{}", own.key()),
                    found,
                )?;
                path.pop();
            }
        } else if !DATA.iter().any(|data| name.is(data)) && marked(value) {
            return Err(invalid("a mark that no property chain leads to", at));
        }
    }
    Ok(())
}

fn read_mark<'a>(
    schema: &Object<'a>,
    mark: Raw<'a>,
    path: &[Str<'a>],
    at: &str,
    found: &[Mark<'a>],
) -> Result<Mark<'a>, Error> {
    let name = mark.string().and_then(Str::text).unwrap_or_default();
    if name.is_empty() || !name.bytes().all(is_token) {
        return Err(invalid("a mark that is no name of a header", at));
    }
    let kind = schema.get("type").and_then(Raw::string);
    let plain = ["string", "integer", "boolean"];
    if path.is_empty() || !kind.is_some_and(|kind| plain.iter().any(|own| kind.is(own))) {
        return Err(invalid(
            "a mark on what is no string, integer or boolean",
            at,
        ));
    }
    if found.iter().any(|own| own.name.eq_ignore_ascii_case(&name)) {
        return Err(invalid("the same mark twice", at));
    }
    Ok(Mark {
        name: name.into_owned(),
        path: path.to_vec(),
    })
}

/// Is there a mark anywhere inside?
fn marked(value: Raw<'_>) -> bool {
    match value.kind() {
        Kind::Object => value.members().into_iter().flatten().any(|(name, value)| {
            name.is(MARK) || (!DATA.iter().any(|data| name.is(data)) && marked(value))
        }),
        Kind::Array => value.elements().into_iter().flatten().any(marked),
        _ => false,
    }
}

/// A character of a token of HTTP.
fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

fn invalid(why: impl Into<String>, at: &str) -> Error {
    Error::new(Code::InvalidTool, why).with_at(at.to_string())
}
