//! Refusals in the words of the older wire: a tool error for tools, -32603 otherwise, each with a reason for programs.

use super::LegacyEnd;
use crate::json::write::{push_member, push_name, push_text_member};
use crate::protocol::{Capabilities, Code, Error, Needs, Rpc};

/// Member of a tool result's `_meta` that holds the reason.
const MEMBER: &str = "mrtr/refusal";

/// There is no way to send the client a request.
pub(super) fn no_channel() -> Error {
    let why = "the call needs to ask the client, and there is no way to reach it: use a session with a stream";
    Error::new(Code::NoBackChannel, why)
}

/// The client did not declare what the round needs.
pub(super) fn missing(missing: Needs) -> Error {
    let data = format!(
        "{{\"requiredCapabilities\":{}}}",
        Capabilities::required_object(missing)
    );
    let why = "the client did not declare that it can be asked this";
    Error::new(Code::MissingCapability, why).with_data(data)
}

/// The reason as an object: its name, and what the error knows beside it.
fn reason(error: &Error) -> String {
    let mut out = String::from("{");
    let mut first = true;
    push_text_member(&mut out, &mut first, "reason", error.code().name());
    if let Some(data) = error.data() {
        push_member(&mut out, &mut first, "data", data);
    }
    out.push('}');
    out
}

/// How a call of `method` ends that is refused with `error`.
pub(super) fn end(method: &str, error: &Error) -> LegacyEnd {
    let refused = Some(error.code());
    if method == "tools/call" {
        return LegacyEnd {
            result: Some(tool_error(error)),
            rpc: None,
            refused,
        };
    }
    let rpc = Rpc {
        code: -32603,
        message: format!("The request cannot be served: {}", told(error)),
        data: Some(reason(error)),
    };
    LegacyEnd {
        result: None,
        rpc: Some(rpc.to_json()),
        refused,
    }
}

/// A fault of the handler's result is the server's own business.
fn told(error: &Error) -> &str {
    match error.code() {
        Code::InvalidResult | Code::TooMany | Code::TooLarge | Code::NoRandom => {
            "an error of the server"
        }
        _ => error.message(),
    }
}

fn tool_error(error: &Error) -> String {
    let mut out = String::from("{\"content\":[{");
    let mut first = true;
    push_text_member(&mut out, &mut first, "type", "text");
    let text = format!("The tool cannot go on: {}.", told(error));
    push_text_member(&mut out, &mut first, "text", &text);
    out.push_str("}],\"isError\":true");
    push_name(&mut out, &mut false, "_meta");
    out.push('{');
    push_member(&mut out, &mut true, MEMBER, &reason(error));
    out.push_str("}}");
    out
}
