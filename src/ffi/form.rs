//! Forms as the header has them.

use super::abi::{
    form::{
        MRTR_FIELD_BOOLEAN, MRTR_FIELD_INTEGER, MRTR_FIELD_MULTI_SELECT, MRTR_FIELD_NUMBER,
        MRTR_FIELD_SELECT, MRTR_FIELD_TEXT, mrtr_choice, mrtr_field,
    },
    guard::{Call, bad, flag},
    sized::zeroed,
};
use crate::protocol::{Choice, Error, FieldKind, FieldSpec, FormBuilder};

/// The defaults of a field.
pub(crate) fn defaults() -> mrtr_field {
    mrtr_field {
        max_count: u64::MAX,
        ..zeroed()
    }
}

fn kind(word: u32) -> Result<FieldKind, Error> {
    match word {
        MRTR_FIELD_TEXT => Ok(FieldKind::Text),
        MRTR_FIELD_NUMBER => Ok(FieldKind::Number),
        MRTR_FIELD_INTEGER => Ok(FieldKind::Integer),
        MRTR_FIELD_BOOLEAN => Ok(FieldKind::Boolean),
        MRTR_FIELD_SELECT => Ok(FieldKind::Select),
        MRTR_FIELD_MULTI_SELECT => Ok(FieldKind::MultiSelect),
        _ => Err(bad(format!("field.kind cannot be {word}"))),
    }
}

/// Adds a field.
pub(crate) fn add(c: &Call<'_>, form: &mut FormBuilder, field: &mrtr_field) -> Result<(), Error> {
    let choices: Result<Vec<Choice<'_>>, Error> = c
        .array(field.choices, field.choice_count, "field.choices")?
        .into_iter()
        .map(|choice: mrtr_choice| {
            Ok(Choice {
                value: c.text(choice.value, "choice.value")?,
                title: c.optional_text(choice.title, "choice.title")?,
            })
        })
        .collect();
    let defaults = c.texts(field.defaults, field.default_count, "field.defaults")?;
    form.add(&FieldSpec {
        name: c.text(field.name, "field.name")?,
        kind: kind(field.kind)?,
        title: c.optional_text(field.title, "field.title")?,
        description: c.optional_text(field.description, "field.description")?,
        required: flag(field.required, "field.required")?,
        format: c.optional_text(field.format, "field.format")?,
        min_count: field.min_count,
        max_count: Some(field.max_count).filter(|most| *most != u64::MAX),
        minimum: c.optional_text(field.minimum, "field.minimum")?,
        maximum: c.optional_text(field.maximum, "field.maximum")?,
        choices: &choices?,
        default: (!field.defaults.is_null()).then_some(&defaults),
    })
}
