//! Answers held against an ask.

use mrtr::json::{Limits, Raw};
use mrtr::protocol::answer::{check_value, read};
use mrtr::protocol::{Answer, Ask, AuthorRules, Code, ReceiveRules};

pub fn raw(text: &str) -> Raw<'_> {
    Raw::parse(text, &Limits::default()).expect("JSON")
}

/// What a server makes of an entry.
pub fn answer(ask: &str, entry: &str) -> Answer {
    let (ask, _) = Ask::author(raw(ask), &AuthorRules::default()).expect(ask);
    read(&ask, raw(entry))
}

/// The entry that a client sends for a value, and whether there is a note on it.
pub fn entry(ask: &str, value: &str) -> Result<(String, bool), Code> {
    let (ask, _) = Ask::receive(raw(ask), &ReceiveRules::default()).expect(ask);
    check_value(&ask, raw(value))
        .map(|(entry, notes)| (entry, !notes.is_empty()))
        .map_err(|error| error.code())
}

pub fn form(properties: &str, required: &str) -> String {
    format!(
        r#"{{"method":"elicitation/create","params":{{"message":"m","requestedSchema":{{"type":"object","properties":{{{properties}}},"required":[{required}]}}}}}}"#
    )
}

pub const URL: &str = r#"{"method":"elicitation/create","params":{"mode":"url","message":"m","url":"https://a.example/"}}"#;
pub const ROOTS: &str = r#"{"method":"roots/list"}"#;

pub fn sampling(more: &str) -> String {
    format!(
        r#"{{"method":"sampling/createMessage","params":{{"messages":[{{"role":"user","content":{{"type":"text","text":"t"}}}}],"maxTokens":9{more}}}}}"#
    )
}

pub fn accepted(content: &str) -> Answer {
    Answer::Accepted(content.to_string())
}

pub fn is_invalid(answer: &Answer) -> bool {
    matches!(answer, Answer::Invalid(reasons) if !reasons.is_empty())
}

/// May a field of this kind have this value?
pub fn fits(property: &str, value: &str) -> bool {
    let ask = form(&format!(r#""v":{{{property}}}"#), "\"v\"");
    let content = format!(r#"{{"v":{value}}}"#);
    let got = answer(
        &ask,
        &format!(r#"{{"action":"accept","content":{content}}}"#),
    );
    let sent = entry(&ask, &content);
    // Both halves judge alike, and neither rewrites the value.
    assert_eq!(
        sent.is_ok(),
        got == accepted(&content),
        "{property} {value}"
    );
    assert_eq!(sent.is_err(), is_invalid(&got), "{property} {value}");
    sent.is_ok()
}
