//! An ask as a request of an older era (L3): a page gets an id, and forms say only what the era knows.

use crate::json::write::{push_comma, push_line};
use crate::json::{Raw, splice};
use crate::protocol::form::{Form, Input};
use crate::protocol::{Ask, Body, Code, Era, Error, Kind};
use ring::rand::{SecureRandom, SystemRandom};

/// Method and params of a request.
pub(super) type Shaped = (&'static str, Option<String>);

/// The request that asks it. What the era cannot say is `missing_capability`.
pub(super) fn request(ask: &Ask<'_>, era: Era) -> Result<Shaped, Error> {
    let params = match (ask.body(), ask.params()) {
        (Body::Url(_), Some(params)) => {
            let id = format!("\"{}\"", elicitation_id()?);
            let add = [("elicitationId", id.as_str())];
            Some(splice(params, &["elicitationId"], &add))
        }
        (Body::Form(form), Some(params)) if era <= Era::June2025 => {
            let schema = ask.schema().map(|schema| older_schema(schema, form));
            let schema = schema.transpose()?.unwrap_or_default();
            let add = [("requestedSchema", schema.as_str())];
            Some(splice(params, &["mode", "requestedSchema"], &add))
        }
        (_, params) => params.map(|params| params.one_line().into_owned()),
    };
    Ok((method(ask.kind()), params))
}

fn method(kind: Kind) -> &'static str {
    match kind {
        Kind::Form | Kind::Url => "elicitation/create",
        Kind::Sampling => "sampling/createMessage",
        Kind::Roots => "roots/list",
    }
}

/// Made up here: this era's asks have none.
fn elicitation_id() -> Result<String, Error> {
    let mut bytes = [0; 16];
    SystemRandom::new()
        .fill(&mut bytes)
        .map_err(|_| Error::new(Code::NoRandom, "no random bytes"))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// A schema in the words of 2025-06-18, which has neither lists nor `oneOf`.
fn older_schema(schema: Raw<'_>, form: &Form<'_>) -> Result<String, Error> {
    let several = |input: &Input<'_>| matches!(input, Input::Several { .. });
    if form.fields().iter().any(|field| several(&field.input)) {
        let why = "the client's protocol version has no lists in forms";
        return Err(Error::new(Code::MissingCapability, why));
    }
    let properties = member(schema, "properties").and_then(Raw::members);
    let mut out = String::from("{");
    let mut first = true;
    for (name, property) in properties.into_iter().flatten() {
        push_comma(&mut out, &mut first);
        out.push_str(name.token());
        out.push(':');
        push_line(&mut out, &older_property(property));
    }
    out.push('}');
    Ok(splice(schema, &["properties"], &[("properties", &out)]))
}

/// `oneOf` with titles as `enum` and `enumNames`.
fn older_property(property: Raw<'_>) -> String {
    let Some(choices) = member(property, "oneOf").and_then(Raw::elements) else {
        return property.text().to_owned();
    };
    let (mut values, mut titles) = (String::from("["), String::from("["));
    let (mut first, mut first_title) = (true, true);
    for choice in choices {
        let Some(value) = member(choice, "const") else {
            continue;
        };
        let title = member(choice, "title").filter(|title| title.string().is_some());
        push_comma(&mut values, &mut first);
        values.push_str(value.text());
        push_comma(&mut titles, &mut first_title);
        titles.push_str(title.unwrap_or(value).text());
    }
    values.push(']');
    titles.push(']');
    splice(
        property,
        &["oneOf"],
        &[("enum", &values), ("enumNames", &titles)],
    )
}

fn member<'a>(object: Raw<'a>, name: &str) -> Option<Raw<'a>> {
    object
        .members()?
        .find(|(given, _)| given.is(name))
        .map(|(_, value)| value)
}
