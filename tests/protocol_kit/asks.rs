//! Asks as a server writes them.

use mrtr::json::{Limits, Raw};
use mrtr::protocol::{Ask, AuthorRules, Code, Error, Warning};

pub fn author(text: &str) -> Result<Vec<Warning>, Error> {
    let raw = Raw::parse(text, &Limits::default()).expect("JSON");
    Ask::author(raw, &AuthorRules::default()).map(|(_, warnings)| warnings)
}

/// What is wrong with an ask: code and pointer.
pub fn fault(text: &str) -> (Code, String) {
    let error = author(text).expect_err(text);
    (error.code(), error.at().unwrap_or("none").to_string())
}

pub fn elicitation(params: &str) -> String {
    format!(r#"{{"method":"elicitation/create","params":{{"message":"m",{params}}}}}"#)
}

/// A form whose schema has these members.
pub fn schema(members: &str) -> String {
    elicitation(&format!(r#""requestedSchema":{{{members}}}"#))
}

/// A form with one property `v`.
pub fn property(members: &str) -> String {
    schema(&format!(
        r#""type":"object","properties":{{"v":{{{members}}}}}"#
    ))
}

pub fn sampling(params: &str) -> String {
    format!(r#"{{"method":"sampling/createMessage","params":{{{params}}}}}"#)
}

/// A sampling ask with these messages.
pub fn messages(list: &str) -> String {
    sampling(&format!(r#""messages":[{list}],"maxTokens":9"#))
}

pub const TEXT: &str = r#"{"type":"text","text":"t"}"#;
pub const USE: &str = r#"{"type":"tool_use","id":"1","name":"n","input":{}}"#;
pub const RESULT: &str = r#"{"type":"tool_result","toolUseId":"1","content":[]}"#;

pub fn message(role: &str, content: &str) -> String {
    format!(r#"{{"role":"{role}","content":{content}}}"#)
}
