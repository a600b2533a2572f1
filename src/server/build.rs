//! Building an `input_required` result in one call, for hosts that keep their own account of a flow (B1-B3, B8).

use super::question::Question;
use super::{Gate, fault, gate};
use crate::json::write::push_string;
use crate::json::{Fault, Key, Limits, Raw};
use crate::protocol::{AuthorRules, Capabilities, Code, Error, Needs, Warning, asks_allowed};
use std::collections::HashSet;

/// What a result is built from.
pub struct BuildRequest<'a> {
    /// Method of the request that is answered (B2).
    pub method: &'a str,
    /// What the client declared, as JSON text; `None`: no gate (B8).
    pub capabilities: Option<&'a str>,
    /// What becomes of asks that are not declared.
    pub gate: Gate,
    /// The asks in order: key, and the JSON text of its entry.
    pub asks: &'a [(Key, &'a str)],
    /// `requestState`, as it goes out; the empty text is one.
    pub state: Option<&'a str>,
    /// Names of form fields that may ask for a secret in spite of B5.
    pub allow_secret: &'a [&'a str],
    /// Lets URL asks use `http` (B6).
    pub allow_http: bool,
    /// Limits of the result (J4).
    pub limits: Limits,
}

/// Builds the text of an `input_required` result, with what its author should know, in statement order (D11).
///
/// Errors name the key, and the spot as a JSON pointer relative to the ask's params; what the client did not declare
/// is -32021 (D8), and so is a filter that leaves no ask.
pub fn build(request: &BuildRequest<'_>) -> Result<(String, Vec<Warning>), Error> {
    if !asks_allowed(request.method) {
        return Err(fault::method_not_allowed());
    }
    let declared = match request.capabilities {
        Some(text) => Some(Capabilities::parse(Raw::parse(text, &request.limits)?)?),
        None => None,
    };
    Fault::check_count("asks", request.asks.len(), request.limits.asks)?;
    let mut building = Building::default();
    for (key, text) in request.asks {
        building
            .add(request, declared.as_ref(), key, text)
            .map_err(|error| error.with_key(key.clone()))?;
    }
    building.finish(request)
}

#[derive(Default)]
struct Building<'a> {
    keys: HashSet<&'a Key>,
    requests: String,
    missing: Needs,
    warnings: Vec<Warning>,
}

impl<'a> Building<'a> {
    fn add(
        &mut self,
        request: &BuildRequest<'_>,
        declared: Option<&Capabilities>,
        key: &'a Key,
        text: &str,
    ) -> Result<(), Error> {
        Fault::check_size("key", key.as_bytes().len(), request.limits.key_bytes)?;
        if !self.keys.insert(key) {
            return Err(fault::duplicate_key());
        }
        let rules = AuthorRules {
            allow_http: request.allow_http,
            allow_secret: request.allow_secret,
        };
        let question = Question::check(text, &request.limits, &rules)?;
        let (missing, context) = declared.map_or((Needs::NONE, None), |declared| {
            gate::check(declared, &question)
        });
        self.missing |= missing;
        if request.gate == Gate::Filter && !missing.is_empty() {
            return Ok(());
        }
        self.warnings
            .extend(question.warnings.iter().copied().chain(context));
        push_ask(&mut self.requests, key, question.out());
        Ok(())
    }

    fn finish(self, request: &BuildRequest<'_>) -> Result<(String, Vec<Warning>), Error> {
        if !self.missing.is_empty() && (request.gate == Gate::Refuse || self.requests.is_empty()) {
            return Err(gate::refusal(self.missing));
        }
        if self.requests.is_empty() && request.state.is_none() {
            return Err(Error::new(
                Code::EmptyResult,
                "a result needs an ask or a state",
            ));
        }
        let mut out = head(&self.requests, request.state.map_or(0, str::len));
        if let Some(state) = request.state {
            out.push_str(STATE);
            push_string(&mut out, state);
        }
        out.push('}');
        Fault::check_size("message", out.len(), request.limits.message_bytes)?;
        Ok((out, self.warnings))
    }
}

/// Appends a member of `inputRequests`; `text` is one line.
pub(super) fn push_ask(requests: &mut String, key: &Key, text: &str) {
    if !requests.is_empty() {
        requests.push(',');
    }
    key.write_json(requests);
    requests.push(':');
    requests.push_str(text);
}

/// The start of a result with these members of `inputRequests`, left open for the state and the closing brace (B1).
pub(super) fn head(requests: &str, room: usize) -> String {
    const HEAD: &str = "{\"resultType\":\"input_required\"";
    let mut out = String::with_capacity(HEAD.len() + 40 + requests.len() + room);
    out.push_str(HEAD);
    if !requests.is_empty() {
        out.push_str(",\"inputRequests\":{");
        out.push_str(requests);
        out.push('}');
    }
    out
}

/// Opens the member that holds the state.
pub(super) const STATE: &str = ",\"requestState\":";
