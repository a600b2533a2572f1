//! The lists of values that a field may choose from: the five enum forms (B4, D9).

use super::Options;
use super::words::{Word, Words};
use crate::json::{Raw, Str};
use crate::protocol::note::{Judge, Spot};
use crate::protocol::{Code, Error};

const BAD: Code = Code::BadSchema;
/// Values that most lists have at most.
const FEW: usize = 4;

/// The options of `enum`, with or without `enumNames`.
pub(super) fn plain<'a>(
    words: &Words<'a>,
    judge: &mut Judge,
    at: &Spot<'_>,
) -> Result<Options<'a>, Error> {
    let values = values(words.get(Word::Enum), judge, &at.word("enum"), Pin::Entry)?;
    check_names(words, values.len(), judge, at)?;
    options(values, judge, at)
}

/// The options of `oneOf`.
pub(super) fn titled<'a>(
    words: &Words<'a>,
    judge: &mut Judge,
    at: &Spot<'_>,
) -> Result<Options<'a>, Error> {
    let values = consts(words.get(Word::OneOf), judge, &at.word("oneOf"), Pin::Entry)?;
    options(values, judge, at)
}

/// The options of an array; every fault inside `items` is reported at `items` (D9).
pub(super) fn items<'a>(
    words: &Words<'a>,
    judge: &mut Judge,
    at: &Spot<'_>,
) -> Result<Options<'a>, Error> {
    let Some(items) = words.get(Word::Items) else {
        return judge.refuse(BAD, at, "has no items");
    };
    let at = at.word("items");
    let values = item_values(items, judge, &at)?;
    options(values, judge, &at)
}

/// Where a fault inside a list of values is reported: at its entry, or at the list as a whole (D9).
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pin {
    Entry,
    Whole,
}

impl Pin {
    fn refuse<T>(self, judge: &Judge, at: &Spot<'_>, index: usize, what: &str) -> Result<T, Error> {
        match self {
            Pin::Entry => judge.refuse(BAD, &at.index(index), what),
            Pin::Whole => judge.refuse(BAD, at, what),
        }
    }

    fn mind(
        self,
        judge: &mut Judge,
        at: &Spot<'_>,
        index: usize,
        what: &'static str,
    ) -> Result<(), Error> {
        match self {
            Pin::Entry => judge.mind(BAD, &at.index(index), what),
            Pin::Whole => judge.mind(BAD, at, what),
        }
    }
}

/// The values of an `enum`.
fn values<'a>(
    list: Option<Raw<'a>>,
    judge: &Judge,
    at: &Spot<'_>,
    pin: Pin,
) -> Result<Vec<Str<'a>>, Error> {
    let Some(entries) = list.and_then(Raw::elements) else {
        return judge.refuse(BAD, at, "expected an array");
    };
    let mut values = Vec::with_capacity(FEW);
    for (index, entry) in entries.enumerate() {
        match entry.string() {
            Some(value) => values.push(value),
            None => return pin.refuse(judge, at, index, "expected a string"),
        }
    }
    Ok(values)
}

/// The values of a `oneOf` or `anyOf`: the `const` of each entry.
fn consts<'a>(
    list: Option<Raw<'a>>,
    judge: &mut Judge,
    at: &Spot<'_>,
    pin: Pin,
) -> Result<Vec<Str<'a>>, Error> {
    let Some(entries) = list.and_then(Raw::elements) else {
        return judge.refuse(BAD, at, "expected an array");
    };
    let mut values = Vec::new();
    for (index, entry) in entries.enumerate() {
        let (mut value, mut title, mut strangers) = (None, None, false);
        for (name, member) in entry.members().into_iter().flatten() {
            match () {
                () if name.is("const") => value = member.string(),
                () if name.is("title") => title = member.string(),
                () => strangers = true,
            }
        }
        match value {
            Some(value) => values.push(value),
            None => return pin.refuse(judge, at, index, "expected an object with a string const"),
        }
        if title.is_none() {
            pin.mind(judge, at, index, "expected a string title")?;
        }
        if strangers {
            pin.mind(judge, at, index, "unknown keyword")?;
        }
    }
    Ok(values)
}

fn item_values<'a>(
    items: Raw<'a>,
    judge: &mut Judge,
    at: &Spot<'_>,
) -> Result<Vec<Str<'a>>, Error> {
    let Some(members) = items.members() else {
        return judge.refuse(BAD, at, "expected an object");
    };
    let (mut kind, mut list, mut choices) = (None, None, None);
    for (name, value) in members {
        match () {
            () if name.is("type") => kind = Some(value),
            () if name.is("enum") => list = Some(value),
            () if name.is("anyOf") => choices = Some(value),
            () => judge.mind(BAD, at, "unknown keyword in items")?,
        }
    }
    match kind.map(|kind| kind.string().is_some_and(|kind| kind.is("string"))) {
        Some(false) => return judge.refuse(BAD, at, "items must be strings"),
        None if list.is_some() => judge.mind(BAD, at, "items have no type")?,
        _ => {}
    }
    if list.is_some() && choices.is_some() {
        judge.mind(BAD, at, "items have both enum and anyOf")?;
    }
    match (list, choices) {
        (None, None) => judge.refuse(BAD, at, "items have neither enum nor anyOf"),
        (None, choices) => consts(choices, judge, at, Pin::Whole),
        (list, _) => values(list, judge, at, Pin::Whole),
    }
}

fn options<'a>(values: Vec<Str<'a>>, judge: &Judge, at: &Spot<'_>) -> Result<Options<'a>, Error> {
    if values.is_empty() {
        judge.refuse(BAD, at, "there is no value to choose")
    } else {
        Ok(Options::new(values))
    }
}

/// `enumNames` must be as many strings as there are values.
fn check_names(
    words: &Words<'_>,
    values: usize,
    judge: &mut Judge,
    at: &Spot<'_>,
) -> Result<(), Error> {
    let Some(names) = words.get(Word::EnumNames) else {
        return Ok(());
    };
    let mut count = 0;
    let strings = names.elements().is_some_and(|mut list| {
        list.all(|name| {
            count += 1;
            name.string().is_some()
        })
    });
    if !strings || count != values {
        judge.mind(
            BAD,
            &at.word("enumNames"),
            "expected as many strings as there are values",
        )?;
    }
    Ok(())
}
