//! Results that are no asks: what this era wants on them, and the answer to `server/discover` (E2).

use crate::json::write::{push_comma, push_member, push_name, push_string, push_text_member};
use crate::json::{Limits, Raw, splice};
use crate::protocol::result::RESULT_TYPE;
use crate::protocol::{Code, Error};

/// Stamps a result as complete: `resultType` at its end unless it is there, all else byte for byte (E2, J1).
///
/// Errors: `bad_json` for no object or a member that stands twice; `invalid_result` for another `resultType`.
pub fn complete(result: &str, limits: &Limits) -> Result<String, Error> {
    let raw = Raw::parse(result, limits)?;
    match raw.object()?.get(RESULT_TYPE) {
        None => Ok(splice(raw, &[], &[(RESULT_TYPE, "\"complete\"")])),
        Some(tag) if tag.string().is_some_and(|tag| tag.is("complete")) => {
            Ok(raw.one_line().into_owned())
        }
        Some(_) => Err(
            Error::new(Code::InvalidResult, "the result is of another type")
                .with_at(format!("/{RESULT_TYPE}")),
        ),
    }
}

/// What `server/discover` tells of a server. Texts named JSON go out byte for byte.
#[derive(Debug, Clone, Copy)]
pub struct Discovery<'a> {
    /// Protocol versions that it speaks, best first.
    pub supported: &'a [&'a str],
    /// JSON object of its capabilities.
    pub capabilities: &'a str,
    /// JSON object with its name and version.
    pub server_info: Option<&'a str>,
    /// How to use it, for the model.
    pub instructions: Option<&'a str>,
    /// How long the answer may be kept.
    pub ttl_ms: Option<u64>,
    /// Who may share it: `public` or `private`.
    pub cache_scope: Option<&'a str>,
}

impl Discovery<'_> {
    /// The result of `server/discover` (E2).
    ///
    /// Errors: `bad_json` for what should be a JSON object and is none; `bad_argument` without a version.
    pub fn result(&self, limits: &Limits) -> Result<String, Error> {
        if self.supported.is_empty() {
            return Err(Error::new(Code::BadArgument, "no protocol version"));
        }
        let mut out = String::from("{");
        let mut first = true;
        push_text_member(&mut out, &mut first, RESULT_TYPE, "complete");
        push_name(&mut out, &mut first, "supportedVersions");
        push_versions(&mut out, self.supported);
        let capabilities = object(self.capabilities, "capabilities", limits)?;
        push_member(&mut out, &mut first, "capabilities", capabilities);
        if let Some(instructions) = self.instructions {
            push_text_member(&mut out, &mut first, "instructions", instructions);
        }
        if let Some(ttl) = self.ttl_ms {
            push_member(&mut out, &mut first, "ttlMs", &ttl.to_string());
        }
        if let Some(scope) = self.cache_scope {
            push_text_member(&mut out, &mut first, "cacheScope", scope);
        }
        if let Some(info) = self.server_info {
            let info = object(info, "server_info", limits)?;
            push_name(&mut out, &mut first, "_meta");
            out.push('{');
            push_member(&mut out, &mut true, SERVER_INFO, info);
            out.push('}');
        }
        out.push('}');
        Ok(out)
    }
}

/// Member of a result's `_meta`: name and version of the server.
const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";

fn push_versions(out: &mut String, versions: &[&str]) {
    let mut first = true;
    out.push('[');
    for version in versions {
        push_comma(out, &mut first);
        push_string(out, version);
    }
    out.push(']');
}

fn object<'a>(text: &'a str, what: &str, limits: &Limits) -> Result<&'a str, Error> {
    let raw = Raw::parse(text, limits)?;
    match raw.is_object() {
        true => Ok(raw.text()),
        false => Err(Error::new(
            Code::BadJson,
            format!("{what} is no JSON object"),
        )),
    }
}
