//! Looking a name up: few are compared one by one, many are hashed, so that no text costs quadratic time.

use crate::json::Str;
use std::borrow::Cow;
use std::collections::HashMap;

/// Up to here a scan is faster than a hash.
const FEW: usize = 16;

/// Positions by decoded name, out of the way of the many lists that have none; empty for a list short enough to scan.
#[derive(Debug, Default)]
#[allow(clippy::box_collection)] // a quarter of a field's size
pub(super) struct Names<'a>(Option<Box<HashMap<Cow<'a, [u8]>, usize>>>);

/// What is known of a name.
pub(super) enum Found {
    /// Its position in the list, if it is there.
    At(Option<usize>),
    /// The list is short: scan it.
    Scan,
}

impl<'a> Names<'a> {
    /// Of a list, in order.
    pub fn new(list: impl ExactSizeIterator<Item = Str<'a>>) -> Names<'a> {
        if list.len() <= FEW {
            return Names(None);
        }
        let places = list.enumerate().map(|(at, name)| (name.bytes(), at));
        Names(Some(Box::new(places.collect())))
    }

    /// Looks a name up.
    pub fn find(&self, name: Str<'_>) -> Found {
        match &self.0 {
            Some(map) => Found::At(map.get(&*name.bytes()).copied()),
            None => Found::Scan,
        }
    }
}
