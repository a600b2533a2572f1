//! The keywords of a property, and which of them go with which kind of field (B4).

use crate::json::{Raw, Str};

macro_rules! words {
    ($($word:ident $spelling:literal)*) => {
        /// A keyword that a property may have.
        #[derive(Clone, Copy, PartialEq, Eq)]
        pub(super) enum Word {
            $($word),*
        }

        impl Word {
            const COUNT: usize = [$($spelling),*].len();

            #[inline]
            fn named(name: &str) -> Option<Word> {
                Some(match name {
                    $($spelling => Word::$word,)*
                    _ => return None,
                })
            }

            /// How it is spelled.
            pub fn spelling(self) -> &'static str {
                match self {
                    $(Word::$word => $spelling),*
                }
            }
        }
    };
}

words! {
    Type "type"
    Title "title"
    Description "description"
    Default "default"
    MinLength "minLength"
    MaxLength "maxLength"
    Format "format"
    Minimum "minimum"
    Maximum "maximum"
    Enum "enum"
    EnumNames "enumNames"
    OneOf "oneOf"
    Items "items"
    MinItems "minItems"
    MaxItems "maxItems"
}

impl Word {
    fn bit(self) -> u16 {
        1 << self as u16
    }

    fn of(name: Str<'_>) -> Option<Word> {
        match name.plain() {
            Some(plain) => Word::named(plain),
            None => Word::named(&name.text()?),
        }
    }
}

/// What kind of field a property is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Text,
    Number,
    Integer,
    Boolean,
    /// `enum`, with or without `enumNames`.
    Plain,
    /// `oneOf` of const and title.
    Titled,
    Array,
}

impl Shape {
    /// The keywords that go with it, a bit each.
    fn words(self) -> u16 {
        let own: &[Word] = match self {
            Shape::Text => &[Word::MinLength, Word::MaxLength, Word::Format],
            Shape::Number | Shape::Integer => &[Word::Minimum, Word::Maximum],
            Shape::Boolean => &[],
            Shape::Plain => &[Word::Enum, Word::EnumNames],
            Shape::Titled => &[Word::OneOf],
            Shape::Array => &[Word::Items, Word::MinItems, Word::MaxItems],
        };
        let every = [Word::Type, Word::Title, Word::Description, Word::Default];
        every
            .iter()
            .chain(own)
            .fold(0, |bits, word| bits | word.bit())
    }
}

/// A property taken apart.
pub(super) struct Words<'a> {
    values: [Option<Raw<'a>>; Word::COUNT],
    /// Which of them are there, a bit each.
    there: u16,
    strangers: bool,
}

impl<'a> Words<'a> {
    /// Of no members.
    pub fn new() -> Words<'a> {
        Words {
            values: [None; Word::COUNT],
            there: 0,
            strangers: false,
        }
    }

    /// Takes in the members of a property.
    pub fn take(&mut self, members: impl Iterator<Item = (Str<'a>, Raw<'a>)>) {
        for (name, value) in members {
            let word = Word::of(name);
            match word.and_then(|word| Some((word, self.values.get_mut(word as usize)?))) {
                Some((word, place)) => {
                    *place = Some(value);
                    self.there |= word.bit();
                }
                None => self.strangers = true,
            }
        }
    }

    /// The value of a keyword.
    #[inline]
    pub fn get(&self, word: Word) -> Option<Raw<'a>> {
        self.values.get(word as usize).copied().flatten()
    }

    /// What kind of field it is, by its `type`.
    pub fn shape(&self) -> Option<Shape> {
        let kind = self.get(Word::Type)?.string()?;
        match () {
            () if kind.is("string") && self.get(Word::Enum).is_some() => Some(Shape::Plain),
            () if kind.is("string") && self.get(Word::OneOf).is_some() => Some(Shape::Titled),
            () if kind.is("string") => Some(Shape::Text),
            () if kind.is("integer") => Some(Shape::Integer),
            () if kind.is("number") => Some(Shape::Number),
            () if kind.is("boolean") => Some(Shape::Boolean),
            () if kind.is("array") => Some(Shape::Array),
            () => None,
        }
    }

    /// Are there keywords that do not belong to a field of this shape? Without a shape: unknown ones.
    pub fn has_strangers(&self, shape: Option<Shape>) -> bool {
        self.strangers || shape.is_some_and(|shape| self.there & !shape.words() != 0)
    }
}

/// What is wrong with a keyword on a field of this shape, if anything is.
pub(super) fn objection(name: Str<'_>, shape: Option<Shape>) -> Option<&'static str> {
    match Word::of(name) {
        None => Some("unknown keyword"),
        Some(word) if shape.is_some_and(|shape| shape.words() & word.bit() == 0) => {
            Some("this keyword does not go with the type of the field")
        }
        Some(_) => None,
    }
}
