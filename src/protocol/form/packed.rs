//! A form in a few words beside its text: where its parts stand, so that it is put together again without being read again.

use super::names::Names;
use super::{Field, Form, Format, Input, Options};
use crate::json::{Elements, Number, Raw, Str};

/// The fields of a form, what is only shown left out. A few words of 32 bits for each.
pub(crate) struct Packed(Box<[u32]>);

/// The first word of a field: its kind in the lowest bits, the number of its format, and what follows its name.
mod head {
    pub const KIND: u32 = 0b111;
    pub const TEXT: u32 = 0;
    pub const NUMBER: u32 = 1;
    pub const INTEGER: u32 = 2;
    pub const BOOLEAN: u32 = 3;
    pub const ONE: u32 = 4;
    pub const SEVERAL: u32 = 5;
    pub const FORMAT: u32 = 3;
    pub const REQUIRED: u32 = 1 << 8;
    pub const DEFAULT: u32 = 1 << 9;
    pub const MIN: u32 = 1 << 10;
    pub const MAX: u32 = 1 << 11;
    /// The values to choose from stand one after the other, as those of an `enum` do.
    pub const ROW: u32 = 1 << 12;
}

impl Packed {
    /// Of a form that was read from `text`; nothing for a text beyond 32 bits.
    pub fn of(form: &Form<'_>, text: &str) -> Option<Packed> {
        let words = Vec::with_capacity(6 * form.fields.len());
        let mut to = Packer { text, words };
        form.fields.iter().try_for_each(|field| to.field(field))?;
        Some(Packed(to.words.into_boxed_slice()))
    }

    /// The form again, of the text that it was read from; without titles and descriptions.
    pub fn form<'a>(&self, text: &'a str) -> Option<Form<'a>> {
        let mut from = Unpacker {
            text,
            words: self.0.iter(),
        };
        let mut fields = Vec::with_capacity(self.0.len() / 5 + 1);
        while let Some(head) = from.word() {
            fields.push(from.field(head)?);
        }
        let names = Names::new(fields.iter().map(|field| field.name));
        Some(Form { fields, names })
    }
}

struct Packer<'t> {
    text: &'t str,
    words: Vec<u32>,
}

impl Packer<'_> {
    fn field(&mut self, field: &Field<'_>) -> Option<()> {
        let at = self.words.len();
        self.words.push(0);
        self.part(field.name.token())?;
        let mut head = match &field.input {
            Input::Text { min, max, format } => {
                let format = format.map_or(0, |format| format as u32 + 1);
                head::TEXT | format << head::FORMAT | self.counts(*min, *max)
            }
            Input::Number { integer, min, max } => {
                let kind = if *integer {
                    head::INTEGER
                } else {
                    head::NUMBER
                };
                let min = self.bound(*min, head::MIN)?;
                kind | min | self.bound(*max, head::MAX)?
            }
            Input::Boolean => head::BOOLEAN,
            Input::One(options) => head::ONE | self.options(options)?,
            Input::Several { options, min, max } => {
                let counts = self.counts(*min, *max);
                head::SEVERAL | counts | self.options(options)?
            }
        };
        if field.required {
            head |= head::REQUIRED;
        }
        if let Some(default) = field.default {
            head |= head::DEFAULT;
            self.part(default.text())?;
        }
        *self.words.get_mut(at)? = head;
        Some(())
    }

    /// Where a part of the text stands.
    fn part(&mut self, part: &str) -> Option<()> {
        let start = (part.as_ptr() as usize).checked_sub(self.text.as_ptr() as usize)?;
        let end = start.checked_add(part.len())?;
        let inside = end <= self.text.len();
        self.words
            .push(u32::try_from(start).ok().filter(|_| inside)?);
        self.words.push(u32::try_from(part.len()).ok()?);
        Some(())
    }

    fn counts(&mut self, min: u64, max: u64) -> u32 {
        let mut there = 0;
        for (count, usual, bit) in [(min, 0, head::MIN), (max, u64::MAX, head::MAX)] {
            if count != usual {
                there |= bit;
                self.words.extend([count as u32, (count >> 32) as u32]);
            }
        }
        there
    }

    fn bound(&mut self, bound: Option<Number<'_>>, bit: u32) -> Option<u32> {
        match bound {
            Some(bound) => self.part(bound.text()).map(|()| bit),
            None => Some(0),
        }
    }

    fn options(&mut self, options: &Options<'_>) -> Option<u32> {
        if let Some(row) = row(self.text, &options.values) {
            return self.part(row).map(|()| head::ROW);
        }
        self.words.push(u32::try_from(options.values.len()).ok()?);
        let mut values = options.values.iter();
        values.try_for_each(|value| self.part(value.token()))?;
        Some(0)
    }
}

/// The text from the first value to the last, if nothing but commas and white space is between them.
fn row<'t>(text: &'t str, values: &[Str<'_>]) -> Option<&'t str> {
    let start =
        |value: &Str<'_>| (value.token().as_ptr() as usize).checked_sub(text.as_ptr() as usize);
    let end = |value: &Str<'_>| start(value)?.checked_add(value.token().len());
    let close = |[one, other]: &[Str<'_>; 2]| {
        let between = end(one).zip(start(other));
        let between = between.and_then(|(from, to)| text.get(from..to));
        between.is_some_and(|text| text.bytes().all(|b| b == b',' || b.is_ascii_whitespace()))
    };
    let whole = start(values.first()?)?..end(values.last()?)?;
    values
        .array_windows()
        .all(close)
        .then(|| text.get(whole))
        .flatten()
}

struct Unpacker<'p, 'a> {
    text: &'a str,
    words: std::slice::Iter<'p, u32>,
}

impl<'a> Unpacker<'_, 'a> {
    #[inline]
    fn word(&mut self) -> Option<u32> {
        self.words.next().copied()
    }

    fn field(&mut self, head: u32) -> Option<Field<'a>> {
        let name = self.part()?.string()?;
        let input = match head & head::KIND {
            head::TEXT => {
                let (min, max) = self.counts(head)?;
                let format = Format::numbered(head >> head::FORMAT & 0b111);
                Input::Text { min, max, format }
            }
            kind @ (head::NUMBER | head::INTEGER) => Input::Number {
                integer: kind == head::INTEGER,
                min: self.bound(head & head::MIN)?,
                max: self.bound(head & head::MAX)?,
            },
            head::BOOLEAN => Input::Boolean,
            head::ONE => Input::One(self.options(head)?),
            _ => {
                let (min, max) = self.counts(head)?;
                let options = self.options(head)?;
                Input::Several { options, min, max }
            }
        };
        let default = match head & head::DEFAULT {
            0 => None,
            _ => Some(self.part()?),
        };
        Some(Field {
            name,
            input,
            required: head & head::REQUIRED != 0,
            default,
            title: None,
            description: None,
        })
    }

    #[inline]
    fn part(&mut self) -> Option<Raw<'a>> {
        let start = self.word()? as usize;
        let end = start.checked_add(self.word()? as usize)?;
        self.text.get(start..end).map(Raw::trusted)
    }

    fn counts(&mut self, head: u32) -> Option<(u64, u64)> {
        let mut count = |bit: u32, usual: u64| match head & bit {
            0 => Some(usual),
            _ => Some(u64::from(self.word()?) | u64::from(self.word()?) << 32),
        };
        Some((count(head::MIN, 0)?, count(head::MAX, u64::MAX)?))
    }

    fn bound(&mut self, there: u32) -> Option<Option<Number<'a>>> {
        match there {
            0 => Some(None),
            _ => self.part()?.number().map(Some),
        }
    }

    fn options(&mut self, head: u32) -> Option<Options<'a>> {
        let mut values = Vec::with_capacity(4);
        if head & head::ROW != 0 {
            let row = self.part()?.text();
            values.extend(Elements::of_row(row).filter_map(Raw::string));
        } else {
            for _ in 0..self.word()? {
                values.push(self.part()?.string()?);
            }
        }
        Some(Options::new(values))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Limits;
    use crate::protocol::note::{Judge, Spot};

    /// A field of every kind, with and without what it may have.
    const SCHEMA: &str = r#"{"type":"object","required":["text","\u006fne"],"properties":{
        "text":{"type":"string","minLength":2,"maxLength":5000000000,"format":"email"},
        "free":{"type":"string","title":"Free","description":"as you like","default":"x"},
        "when":{"type":"string","format":"date-time"},
        "number":{"type":"number","minimum":-1.50,"maximum":1e400},
        "count":{"type":"integer","maximum":7,"default":3},
        "yes":{"type":"boolean","default":false},
        "one":{"type":"string","enum":["a" ,
            "b\"","\u0063"],"default":"c"},
        "single":{"type":"string","enum":["only"]},
        "titled":{"type":"string","oneOf":[{"const":"x","title":"X"},{"title":"Y","const":"y"}]},
        "several":{"type":"array","minItems":1,"maxItems":2,"items":{"type":"string","enum":["p","q"]}},
        "any":{"type":"array","items":{"anyOf":[{"const":"m","title":"M"}]},"default":["m"]}}}"#;

    fn read(schema: &str) -> Form<'_> {
        let raw = Raw::parse(schema, &Limits::default()).expect("JSON");
        Form::read(raw, &mut Judge::tolerant(), &Spot::ROOT).expect("a schema")
    }

    /// What is checked of a field; Debug of a name shows no content, so its bytes are added.
    fn told(field: &Field<'_>) -> String {
        let values = |options: &Options<'_>| -> Vec<Vec<u8>> {
            options
                .values()
                .iter()
                .map(|v| v.bytes().into_owned())
                .collect()
        };
        let choices = match &field.input {
            Input::One(options) | Input::Several { options, .. } => values(options),
            _ => Vec::new(),
        };
        let (name, default) = (field.name.token(), field.default.map(Raw::text));
        format!(
            "{name} {} {default:?} {choices:?} {:?}",
            field.required, field.input
        )
    }

    #[test]
    fn a_form_comes_back_as_it_was_read() {
        let form = read(SCHEMA);
        let again = Packed::of(&form, SCHEMA).and_then(|packed| packed.form(SCHEMA));
        let again = again.expect("the text is there");
        assert_eq!(form.fields().len(), 11);
        let told = |form: &Form<'_>| form.fields().iter().map(told).collect::<Vec<_>>();
        assert_eq!(told(&form), told(&again));
        assert!(
            told(&form)[0].starts_with(r#""text" true None [] Text { min: 2, max: 5000000000"#)
        );
    }

    #[test]
    fn answers_are_judged_alike() {
        let form = read(SCHEMA);
        let packed = Packed::of(&form, SCHEMA).expect("a text");
        for content in [
            r#"{"text":"a@b.example","one":"c"}"#,
            r#"{"text":"a","one":"d","number":2e400,"count":8,"several":["p","q","p"]}"#,
            r#"{"text":"a@b.example","one":"b\"","titled":"y","any":["m"],"single":"only"}"#,
            r#"{"text":"a@b.example","one":"a","titled":"X","several":[],"yes":1,"x":2}"#,
        ] {
            let again = packed.form(SCHEMA).expect("the text is there");
            let content = Raw::parse(content, &Limits::default()).expect("JSON");
            let judged = |form: &Form<'_>| form.check_content(content).map(|f| f.content);
            assert_eq!(judged(&form), judged(&again));
        }
    }

    #[test]
    fn another_text_is_refused_or_read_without_harm() {
        let packed = Packed::of(&read(SCHEMA), SCHEMA).expect("a text");
        for end in (0..SCHEMA.len()).filter(|end| SCHEMA.is_char_boundary(*end)) {
            let _ = packed.form(&SCHEMA[..end]);
        }
        assert!(packed.form("").is_none());
        assert!(Packed::of(&read(SCHEMA), "elsewhere").is_none());
    }
}
