//! The form of an ask: its fields, read once, used for authoring, receiving and checking answers (B4, X4, C9).

mod check;
mod choices;
mod names;
mod packed;
mod schema;
mod words;

pub use check::Filled;
pub(crate) use packed::Packed;

use super::format::Format;
use crate::json::{Number, Raw, Str};
use names::Names;

/// The fields of a `requestedSchema`, in the order of its text.
#[derive(Debug)]
pub struct Form<'a> {
    fields: Vec<Field<'a>>,
    names: Names<'a>,
}

impl<'a> Form<'a> {
    /// The fields, in the order of the text.
    pub fn fields(&self) -> &[Field<'a>] {
        &self.fields
    }

    fn find(&self, name: Str<'_>) -> Option<usize> {
        match self.names.find(name) {
            names::Found::At(at) => at,
            names::Found::Scan => self.fields.iter().position(|field| field.name.same(name)),
        }
    }
}

/// One field of a form.
#[derive(Debug)]
pub struct Field<'a> {
    /// The property's name.
    pub name: Str<'a>,
    /// What may be entered.
    pub input: Input<'a>,
    /// Must the answer have it?
    pub required: bool,
    /// The value that stands in for an absent one; valid for the field.
    pub default: Option<Raw<'a>>,
    /// What the user sees in place of the name.
    pub title: Option<Str<'a>>,
    /// What the user sees beside it.
    pub description: Option<Str<'a>>,
}

/// What may be entered into a field.
#[derive(Debug)]
pub enum Input<'a> {
    /// A string; lengths in code points.
    Text {
        /// The least length.
        min: u64,
        /// The greatest length.
        max: u64,
        /// The format it must have.
        format: Option<Format>,
    },
    /// A number; bounds by exact decimal value, both included.
    Number {
        /// Only integers? `3.0` is one.
        integer: bool,
        /// The least value.
        min: Option<Number<'a>>,
        /// The greatest value.
        max: Option<Number<'a>>,
    },
    /// `true` or `false`.
    Boolean,
    /// One value of a list.
    One(Options<'a>),
    /// Several values of a list; the same one may come twice (D17).
    Several {
        /// The list.
        options: Options<'a>,
        /// The least count.
        min: u64,
        /// The greatest count.
        max: u64,
    },
}

/// The values of an enum, by value, not by title (X4).
#[derive(Debug)]
pub struct Options<'a> {
    values: Vec<Str<'a>>,
    names: Names<'a>,
}

impl<'a> Options<'a> {
    fn new(values: Vec<Str<'a>>) -> Options<'a> {
        Options {
            names: Names::new(values.iter().copied()),
            values,
        }
    }

    /// The values in the order of the text.
    pub fn values(&self) -> &[Str<'a>] {
        &self.values
    }

    fn contains(&self, value: Str<'_>) -> bool {
        match self.names.find(value) {
            names::Found::At(at) => at.is_some(),
            names::Found::Scan => self.values.iter().any(|option| option.same(value)),
        }
    }
}
