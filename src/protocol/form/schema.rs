//! Reading a `requestedSchema`: strictly when it is written, tolerantly when it is received (B4, C3, D2, D9).

use super::choices;
use super::names::Names;
use super::words::{Shape, Word, Words, objection};
use super::{Field, Form, Format, Input};
use crate::json::{Number, Raw, Str};
use crate::protocol::note::{Judge, Spot};
use crate::protocol::{Code, Error};
use std::cmp::Ordering;

const BAD: Code = Code::BadSchema;
/// Up to here doubles tell fractions apart.
const DOUBLE: u64 = 1_000_000_000_000_000;

impl<'a> Form<'a> {
    /// Reads the schema at `at`. Duplicate members must have been refused before.
    pub(crate) fn read(
        schema: Raw<'a>,
        judge: &mut Judge,
        at: &Spot<'_>,
    ) -> Result<Form<'a>, Error> {
        let Some(members) = schema.members() else {
            return judge.refuse(BAD, at, "expected an object");
        };
        let (mut kind, mut properties, mut required) = (None, None, None);
        for (name, value) in members {
            match () {
                () if name.is("type") => kind = Some(value),
                () if name.is("properties") => properties = Some(value),
                () if name.is("required") => required = Some(value),
                () if name.is("$schema") && value.string().is_some() => {}
                () if name.is("$schema") => judge.mind(BAD, &at.name(name), "expected a string")?,
                () => judge.mind(BAD, &at.name(name), "unknown keyword")?,
            }
        }
        match kind.map(|kind| kind.string().is_some_and(|kind| kind.is("object"))) {
            Some(true) => {}
            Some(false) => return judge.refuse(BAD, &at.word("type"), "must be \"object\""),
            None => judge.mind(BAD, at, "has no type")?,
        }
        let mut fields = Vec::with_capacity(2);
        match properties {
            Some(properties) => {
                read_fields(&mut fields, properties, judge, &at.word("properties"))?
            }
            None => judge.mind(BAD, at, "has no properties")?,
        }
        let names = Names::new(fields.iter().map(|field| field.name));
        let mut form = Form { fields, names };
        if let Some(required) = required {
            form.read_required(required, judge, &at.word("required"))?;
        }
        Ok(form)
    }

    fn read_required(
        &mut self,
        required: Raw<'a>,
        judge: &mut Judge,
        at: &Spot<'_>,
    ) -> Result<(), Error> {
        let Some(entries) = required.elements() else {
            return judge.mind(BAD, at, "expected an array");
        };
        for (index, entry) in entries.enumerate() {
            let found = entry.string().and_then(|name| self.find(name));
            match found.and_then(|found| self.fields.get_mut(found)) {
                Some(field) => field.required = true,
                None => return judge.refuse(BAD, &at.index(index), "names no property"),
            }
        }
        Ok(())
    }
}

fn read_fields<'a>(
    into: &mut Vec<Field<'a>>,
    raw: Raw<'a>,
    judge: &mut Judge,
    at: &Spot<'_>,
) -> Result<(), Error> {
    let Some(properties) = raw.members() else {
        return judge.refuse(BAD, at, "expected an object");
    };
    for (name, property) in properties {
        read_field(into, name, property, judge, &at.name(name))?;
    }
    Ok(())
}

fn read_field<'a>(
    into: &mut Vec<Field<'a>>,
    name: Str<'a>,
    property: Raw<'a>,
    judge: &mut Judge,
    at: &Spot<'_>,
) -> Result<(), Error> {
    let Some(members) = property.members() else {
        return judge.refuse(BAD, at, "expected an object");
    };
    let mut words = Words::new();
    words.take(members.clone());
    let shape = words.shape();
    if shape.is_none() && words.get(Word::Type).is_some() {
        let what = "must be one of \"string\", \"number\", \"integer\", \"boolean\", \"array\"";
        return judge.refuse(BAD, &at.word("type"), what);
    }
    if words.has_strangers(shape) {
        for (name, _) in members {
            if let Some(what) = objection(name, shape) {
                judge.mind(BAD, &at.name(name), what)?;
            }
        }
    }
    let Some(shape) = shape else {
        return judge.refuse(BAD, at, "has no type");
    };
    let title = text(&words, Word::Title, judge, at)?;
    let description = text(&words, Word::Description, judge, at)?;
    let input = read_input(&words, shape, judge, at)?;
    let default = words.get(Word::Default);
    let mut field = Field {
        name,
        input,
        required: false,
        default,
        title,
        description,
    };
    if !field.default_fits() {
        judge.mind(
            BAD,
            &at.word("default"),
            "the default does not fit the field",
        )?;
        field.default = None;
    }
    into.push(field);
    Ok(())
}

fn read_input<'a>(
    words: &Words<'a>,
    shape: Shape,
    judge: &mut Judge,
    at: &Spot<'_>,
) -> Result<Input<'a>, Error> {
    match shape {
        Shape::Boolean => Ok(Input::Boolean),
        Shape::Number => read_number(words, false, judge, at),
        Shape::Integer => read_number(words, true, judge, at),
        Shape::Text => {
            let (min, max) = counts(words, Word::MinLength, Word::MaxLength, judge, at)?;
            Ok(Input::Text {
                min,
                max,
                format: read_format(words, judge, at)?,
            })
        }
        Shape::Plain => Ok(Input::One(choices::plain(words, judge, at)?)),
        Shape::Titled => Ok(Input::One(choices::titled(words, judge, at)?)),
        Shape::Array => {
            let (min, max) = counts(words, Word::MinItems, Word::MaxItems, judge, at)?;
            let options = choices::items(words, judge, at)?;
            Ok(Input::Several { options, min, max })
        }
    }
}

/// The string of a keyword; of another kind it is no use.
fn text<'a>(
    words: &Words<'a>,
    word: Word,
    judge: &mut Judge,
    at: &Spot<'_>,
) -> Result<Option<Str<'a>>, Error> {
    let Some(value) = words.get(word) else {
        return Ok(None);
    };
    if value.string().is_none() {
        judge.mind(BAD, &at.word(word.spelling()), "expected a string")?;
    }
    Ok(value.string())
}

fn read_format(
    words: &Words<'_>,
    judge: &mut Judge,
    at: &Spot<'_>,
) -> Result<Option<Format>, Error> {
    let Some(value) = words.get(Word::Format) else {
        return Ok(None);
    };
    let format = value.string().and_then(Format::named);
    if format.is_none() {
        judge.mind(
            BAD,
            &at.word("format"),
            "must be one of \"email\", \"uri\", \"date\", \"date-time\"",
        )?;
    }
    Ok(format)
}

/// The bounds of a length or a count.
fn counts(
    words: &Words<'_>,
    min: Word,
    max: Word,
    judge: &mut Judge,
    at: &Spot<'_>,
) -> Result<(u64, u64), Error> {
    let low = count(words, min, judge, at)?.unwrap_or(0);
    let high = count(words, max, judge, at)?.unwrap_or(u64::MAX);
    if low > high {
        judge.refuse(BAD, at, "the bounds are crossed")
    } else {
        Ok((low, high))
    }
}

/// An integer from 0 on; beyond 64 bits it is as good as the greatest.
fn count(
    words: &Words<'_>,
    word: Word,
    judge: &mut Judge,
    at: &Spot<'_>,
) -> Result<Option<u64>, Error> {
    let Some(value) = words.get(word) else {
        return Ok(None);
    };
    let huge = |number: Number<'_>| {
        (number.is_integer() && !number.text().starts_with('-')).then_some(u64::MAX)
    };
    let count = value
        .number()
        .and_then(|number| number.to_u64().or_else(|| huge(number)));
    if count.is_none() {
        judge.mind(
            BAD,
            &at.word(word.spelling()),
            "expected an integer from 0 on",
        )?;
    }
    Ok(count)
}

fn read_number<'a>(
    words: &Words<'a>,
    integer: bool,
    judge: &mut Judge,
    at: &Spot<'_>,
) -> Result<Input<'a>, Error> {
    let min = bound(words, Word::Minimum, judge, at)?;
    let max = bound(words, Word::Maximum, judge, at)?;
    if let (Some(min), Some(max)) = (min, max)
        && (min.compare(max) == Ordering::Greater || (integer && no_integer_within(min, max)))
    {
        return judge.refuse(BAD, at, "the bounds are crossed");
    }
    Ok(Input::Number { integer, min, max })
}

fn bound<'a>(
    words: &Words<'a>,
    word: Word,
    judge: &mut Judge,
    at: &Spot<'_>,
) -> Result<Option<Number<'a>>, Error> {
    let Some(value) = words.get(word) else {
        return Ok(None);
    };
    if value.number().is_none() {
        judge.mind(BAD, &at.word(word.spelling()), "expected a number")?;
    }
    Ok(value.number())
}

/// Do both bounds lie between two neighbours, as 1.2 and 1.8 do? Bounds that doubles cannot tell apart from
/// integers are not looked into.
fn no_integer_within(min: Number<'_>, max: Number<'_>) -> bool {
    if min.is_integer() || max.is_integer() {
        return false;
    }
    // No integer is one of the bounds, so one between them is the one right below `max`.
    max.floor()
        .filter(|below| below.unsigned_abs() <= DOUBLE)
        .is_some_and(|below| {
            Number::parse(&below.to_string()).is_some_and(|n| n.compare(min) == Ordering::Less)
        })
}
