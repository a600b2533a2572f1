//! Writing a form's schema field by field, for hosts without a JSON library (B4). What is written is read back by the
//! author's rules, so there is one set of rules.

use super::form::Form;
use super::note::{Judge, Spot};
use super::{Code, Error};
use crate::json::write::{push_comma, push_name, push_string, push_text_member};
use crate::json::{Limits, Number, Raw};
use std::collections::HashSet;

/// What a field takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldKind {
    /// A text.
    Text,
    /// A number.
    Number,
    /// A whole number.
    Integer,
    /// `true` or `false`.
    Boolean,
    /// One value of a list.
    Select,
    /// Several values of a list.
    MultiSelect,
}

/// A value to choose.
#[derive(Debug, Clone, Copy)]
pub struct Choice<'a> {
    /// What the answer holds.
    pub value: &'a str,
    /// What the user sees; without one, the value.
    pub title: Option<&'a str>,
}

/// A field, as [`FormBuilder::add`] takes it. What does not go with its kind is refused.
#[derive(Debug, Clone, Copy)]
pub struct FieldSpec<'a> {
    /// Name of the property.
    pub name: &'a str,
    /// What it takes.
    pub kind: FieldKind,
    /// What the user sees in place of the name.
    pub title: Option<&'a str>,
    /// What the user sees beside it.
    pub description: Option<&'a str>,
    /// Must the answer have it?
    pub required: bool,
    /// `email`, `uri`, `date` or `date-time`; texts only.
    pub format: Option<&'a str>,
    /// Least length of a text in code points, or number of selections; 0: no bound.
    pub min_count: u64,
    /// Greatest one.
    pub max_count: Option<u64>,
    /// Least number, as JSON text: exact, whatever its size.
    pub minimum: Option<&'a str>,
    /// Greatest number.
    pub maximum: Option<&'a str>,
    /// The values of a list.
    pub choices: &'a [Choice<'a>],
    /// What stands in for an absent value: one plain text, number, `true` or `false`; for several selections a list.
    pub default: Option<&'a [&'a str]>,
}

impl<'a> FieldSpec<'a> {
    /// A field without any of the rest.
    pub fn new(name: &'a str, kind: FieldKind) -> FieldSpec<'a> {
        FieldSpec {
            name,
            kind,
            title: None,
            description: None,
            required: false,
            format: None,
            min_count: 0,
            max_count: None,
            minimum: None,
            maximum: None,
            choices: &[],
            default: None,
        }
    }
}

/// A form being written. Fields go out in the order in which they were added; without any it is a form to confirm.
#[derive(Debug, Default)]
pub struct FormBuilder {
    properties: String,
    required: String,
    names: HashSet<String>,
}

impl FormBuilder {
    /// Adds a field. The error's pointer is the one that asking would give: `/requestedSchema/properties/age/minimum`.
    ///
    /// Names that ask for secrets are refused when the form is asked, where the host says which are fine (B5).
    pub fn add(&mut self, field: &FieldSpec<'_>) -> Result<(), Error> {
        let property = property(field)?;
        let mut schema = String::from("{\"type\":\"object\",\"properties\":{");
        push_string(&mut schema, field.name);
        schema.push(':');
        schema.push_str(&property);
        schema.push_str("}}");
        let limits = Limits::default();
        let root = Spot::ROOT;
        Form::read(
            Raw::parse(&schema, &limits)?,
            &mut Judge::strict(),
            &root.word("requestedSchema"),
        )?;
        if !self.names.insert(field.name.to_owned()) {
            return Err(bad(field, "", "two fields under one name"));
        }
        let mut first = self.properties.is_empty();
        push_name(&mut self.properties, &mut first, field.name);
        self.properties.push_str(&property);
        if field.required {
            let mut first = self.required.is_empty();
            push_comma(&mut self.required, &mut first);
            push_string(&mut self.required, field.name);
        }
        Ok(())
    }

    /// The text of the `requestedSchema`.
    pub fn schema(&self) -> String {
        let room = self.properties.len() + self.required.len() + 64;
        let mut out = String::with_capacity(room);
        out.push_str("{\"type\":\"object\",\"properties\":{");
        out.push_str(&self.properties);
        out.push('}');
        if !self.required.is_empty() {
            out.push_str(",\"required\":[");
            out.push_str(&self.required);
            out.push(']');
        }
        out.push('}');
        out
    }
}

/// A fault of a member that the reader of schemas would not see, or not tell as well.
fn bad(field: &FieldSpec<'_>, member: &str, what: &str) -> Error {
    let name = field.name.replace('~', "~0").replace('/', "~1");
    let at = match member {
        "" => format!("/requestedSchema/properties/{name}"),
        member => format!("/requestedSchema/properties/{name}/{member}"),
    };
    Error::new(Code::BadSchema, what).with_at(at)
}

fn property(field: &FieldSpec<'_>) -> Result<String, Error> {
    let mut out = String::from("{");
    let mut first = true;
    let kind = match field.kind {
        FieldKind::Text | FieldKind::Select => "string",
        FieldKind::Number => "number",
        FieldKind::Integer => "integer",
        FieldKind::Boolean => "boolean",
        FieldKind::MultiSelect => "array",
    };
    push_text_member(&mut out, &mut first, "type", kind);
    for (name, text) in [
        ("title", field.title),
        ("description", field.description),
        ("format", field.format),
    ] {
        if let Some(text) = text {
            push_text_member(&mut out, &mut first, name, text);
        }
    }
    push_counts(&mut out, field)?;
    for (name, bound) in [("minimum", field.minimum), ("maximum", field.maximum)] {
        if let Some(bound) = bound {
            push_name(&mut out, &mut first, name);
            push_number(&mut out, field, name, bound)?;
        }
    }
    push_choices(&mut out, field)?;
    if let Some(default) = field.default {
        push_name(&mut out, &mut first, "default");
        push_default(&mut out, field, default)?;
    }
    out.push('}');
    Ok(out)
}

fn push_counts(out: &mut String, field: &FieldSpec<'_>) -> Result<(), Error> {
    let (least, most) = match field.kind {
        FieldKind::Text => ("minLength", "maxLength"),
        FieldKind::MultiSelect => ("minItems", "maxItems"),
        _ if field.min_count == 0 && field.max_count.is_none() => return Ok(()),
        _ => return Err(bad(field, "", "only texts and lists have a length")),
    };
    let min = Some(field.min_count).filter(|min| *min > 0);
    for (name, count) in [(least, min), (most, field.max_count)] {
        if let Some(count) = count {
            push_name(out, &mut false, name);
            out.push_str(&count.to_string());
        }
    }
    Ok(())
}

fn push_number(
    out: &mut String,
    field: &FieldSpec<'_>,
    member: &str,
    text: &str,
) -> Result<(), Error> {
    match Number::parse(text) {
        Some(_) => out.push_str(text),
        None => return Err(bad(field, member, "is no JSON number")),
    }
    Ok(())
}

fn push_choices(out: &mut String, field: &FieldSpec<'_>) -> Result<(), Error> {
    match field.kind {
        FieldKind::Select => push_list(out, field.choices, "oneOf"),
        FieldKind::MultiSelect => {
            push_name(out, &mut false, "items");
            out.push_str("{\"type\":\"string\"");
            push_list(out, field.choices, "anyOf");
            out.push('}');
        }
        _ if field.choices.is_empty() => {}
        _ => return Err(bad(field, "", "only selects have choices")),
    }
    Ok(())
}

/// Values alone are an `enum`; as soon as one has a title, each has.
fn push_list(out: &mut String, choices: &[Choice<'_>], titled: &str) {
    let plain = choices.iter().all(|choice| choice.title.is_none());
    push_name(out, &mut false, if plain { "enum" } else { titled });
    out.push('[');
    let mut first = true;
    for choice in choices {
        push_comma(out, &mut first);
        if plain {
            push_string(out, choice.value);
            continue;
        }
        out.push('{');
        let mut first = true;
        push_text_member(out, &mut first, "const", choice.value);
        push_text_member(
            out,
            &mut first,
            "title",
            choice.title.unwrap_or(choice.value),
        );
        out.push('}');
    }
    out.push(']');
}

fn push_default(out: &mut String, field: &FieldSpec<'_>, default: &[&str]) -> Result<(), Error> {
    if field.kind == FieldKind::MultiSelect {
        out.push('[');
        let mut first = true;
        for value in default {
            push_comma(out, &mut first);
            push_string(out, value);
        }
        out.push(']');
        return Ok(());
    }
    let [value] = default else {
        return Err(bad(field, "default", "expected one value"));
    };
    match field.kind {
        FieldKind::Number | FieldKind::Integer => push_number(out, field, "default", value),
        FieldKind::Boolean if !matches!(*value, "true" | "false") => {
            Err(bad(field, "default", "must be true or false"))
        }
        FieldKind::Boolean => {
            out.push_str(value);
            Ok(())
        }
        _ => {
            push_string(out, value);
            Ok(())
        }
    }
}
