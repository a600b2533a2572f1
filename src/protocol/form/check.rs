//! Holding an answer against its form (X4, C9): no coercion, exact numbers, values kept as spelled.

use super::{Field, Form, Input};
use crate::json::{Number, Raw, Str, unique, write};
use crate::protocol::note::{Reasons, Spot};
use std::cmp::Ordering;
use std::fmt;

/// Members of the content that the form does not know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unknown {
    /// Left out: what a server's handler gets (X4, D17).
    Drop,
    /// Sent as given: what a client's handler gave (D3).
    Keep,
}

/// Content that fits its form.
#[derive(Clone, PartialEq, Eq)]
pub struct Filled {
    /// The content object on one line: members as given, then the defaults of absent ones.
    pub content: String,
    /// Were there members that the form does not know?
    pub unknown: bool,
}

/// Shows no content.
impl fmt::Debug for Filled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Filled({} bytes)", self.content.len())
    }
}

impl<'a> Form<'a> {
    /// Checks content as a server gets it: absent counts as `{}`, defaults fill absent members, unknown members are
    /// dropped (X4, D17). The error lists the reasons.
    pub fn read_content(&self, content: Option<Raw<'_>>) -> Result<Filled, Vec<String>> {
        let content = content.unwrap_or(Raw::EMPTY);
        self.fill(content, Unknown::Drop, &Spot::ROOT.word("content"))
    }

    /// Checks content as a client's handler gives it: unknown members are kept, defaults fill absent ones (C9, D3).
    pub fn check_content(&self, content: Raw<'_>) -> Result<Filled, Vec<String>> {
        self.fill(content, Unknown::Keep, &Spot::ROOT)
    }

    fn fill(
        &self,
        content: Raw<'_>,
        unknown: Unknown,
        root: &Spot<'_>,
    ) -> Result<Filled, Vec<String>> {
        let mut reasons = Reasons::default();
        if unique(content).is_err() {
            reasons.add(root, "a member stands twice");
            return Err(reasons.into_list());
        }
        let Some(members) = content.members() else {
            reasons.add(root, "expected an object");
            return Err(reasons.into_list());
        };
        let mut given = vec![false; self.fields.len()];
        let mut strangers = false;
        for (name, value) in members.clone() {
            match self
                .find(name)
                .and_then(|at| Some((self.fields.get(at)?, given.get_mut(at)?)))
            {
                Some((field, given)) => {
                    *given = true;
                    if let Err(what) = field.input.accepts(value) {
                        reasons.add(&root.name(name), what);
                    }
                }
                None => strangers = true,
            }
        }
        let absent = || {
            self.fields
                .iter()
                .zip(&given)
                .filter(|(_, given)| !**given)
                .map(|(field, _)| field)
        };
        for field in absent().filter(|field| field.required && field.default.is_none()) {
            reasons.add(&root.name(field.name), "is required");
        }
        reasons.into_result()?;
        let keep = |name| unknown == Unknown::Keep || !strangers || self.find(name).is_some();
        let kept = members.filter(|(name, _)| keep(*name));
        let filled = absent().filter_map(|field| Some((field.name, field.default?)));
        let untouched =
            keep_all(strangers, unknown) && absent().all(|field| field.default.is_none());
        let content = if untouched {
            content.one_line().into_owned()
        } else {
            join(kept.chain(filled), content)
        };
        Ok(Filled {
            content,
            unknown: strangers,
        })
    }
}

fn keep_all(strangers: bool, unknown: Unknown) -> bool {
    !strangers || unknown == Unknown::Keep
}

/// An object of these members, each spelled as it was.
fn join<'m>(members: impl Iterator<Item = (Str<'m>, Raw<'m>)>, like: Raw<'_>) -> String {
    let mut out = String::with_capacity(like.text().len() + 32);
    let mut first = true;
    out.push('{');
    for (name, value) in members {
        write::push_comma(&mut out, &mut first);
        out.push_str(name.token());
        out.push(':');
        write::push_line(&mut out, value.text());
    }
    out.push('}');
    out
}

impl Field<'_> {
    /// Is the default one that may be entered?
    pub(super) fn default_fits(&self) -> bool {
        self.default
            .is_none_or(|value| self.input.accepts(value).is_ok())
    }
}

impl Input<'_> {
    /// May this value be entered? If not: why (X4).
    pub fn accepts(&self, value: Raw<'_>) -> Result<(), &'static str> {
        match self {
            Input::Boolean => value.as_bool().map(|_| ()).ok_or("expected true or false"),
            Input::Number { integer, min, max } => number(value, *integer, *min, *max),
            Input::Text { min, max, format } => {
                let string = value.string().ok_or("expected a string")?;
                length(string, *min, *max)?;
                match format {
                    Some(format) if !format.matches(string) => {
                        Err("is not of the format asked for")
                    }
                    _ => Ok(()),
                }
            }
            Input::One(options) => match value.string() {
                Some(string) if options.contains(string) => Ok(()),
                _ => Err("is none of the values to choose from"),
            },
            Input::Several { options, min, max } => {
                let chosen = value.elements().ok_or("expected an array")?;
                let mut count = 0u64;
                for element in chosen {
                    count += 1;
                    if !element
                        .string()
                        .is_some_and(|string| options.contains(string))
                    {
                        return Err("holds something that is none of the values to choose from");
                    }
                }
                within(
                    count,
                    *min,
                    *max,
                    "has too few values",
                    "has too many values",
                )
            }
        }
    }
}

fn number(
    value: Raw<'_>,
    integer: bool,
    min: Option<Number<'_>>,
    max: Option<Number<'_>>,
) -> Result<(), &'static str> {
    let number = value.number().ok_or(if integer {
        "expected an integer"
    } else {
        "expected a number"
    })?;
    if integer && !number.is_integer() {
        return Err("expected an integer");
    }
    if min.is_some_and(|min| number.compare(min) == Ordering::Less) {
        return Err("is below the minimum");
    }
    if max.is_some_and(|max| number.compare(max) == Ordering::Greater) {
        return Err("is above the maximum");
    }
    Ok(())
}

fn length(string: Str<'_>, min: u64, max: u64) -> Result<(), &'static str> {
    if (min, max) == (0, u64::MAX) {
        return Ok(());
    }
    within(
        string.code_points() as u64,
        min,
        max,
        "is too short",
        "is too long",
    )
}

fn within(
    size: u64,
    min: u64,
    max: u64,
    less: &'static str,
    more: &'static str,
) -> Result<(), &'static str> {
    if size < min {
        Err(less)
    } else if size > max {
        Err(more)
    } else {
        Ok(())
    }
}
