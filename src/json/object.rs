//! An object whose member names are known to differ (J2).

use super::{Fault, Key, Members, Raw, Str};
use std::borrow::Cow;
use std::collections::HashMap;

type Member<'a> = (Str<'a>, Raw<'a>);

/// Members kept on the stack.
const FEW: usize = 8;
/// Up to here names are compared in pairs, beyond it they are hashed.
const PAIRWISE: usize = 16;

/// The members of an object, in text order, no decoded name twice (J2).
#[derive(Clone)]
pub struct Object<'a> {
    store: Store<'a>,
    /// Decoded name to position; only beyond `PAIRWISE` members.
    index: Option<HashMap<Cow<'a, [u8]>, usize>>,
}

/// A small object lives on the stack: boxing it would cost the allocation that this saves.
#[allow(clippy::large_enum_variant)]
#[derive(Clone)]
enum Store<'a> {
    Few([Member<'a>; FEW], usize),
    Many(Vec<Member<'a>>),
}

impl<'a> Object<'a> {
    pub(super) fn collect(mut members: Members<'a>, unique: bool) -> Result<Object<'a>, Fault> {
        let mut few = [(Str::EMPTY, Raw::NULL); FEW];
        let mut count = 0;
        let mut overflow = None;
        for member in members.by_ref() {
            match few.get_mut(count) {
                Some(place) => *place = member,
                None => {
                    overflow = Some(member);
                    break;
                }
            }
            count += 1;
        }
        let store = match overflow {
            None => Store::Few(few, count),
            Some(member) => {
                let mut many = few.to_vec();
                many.push(member);
                many.extend(members);
                Store::Many(many)
            }
        };
        let mut object = Object { store, index: None };
        if object.len() <= PAIRWISE {
            if !unique {
                object.check_pairs()?
            }
        } else {
            object.check_hashed()?
        }
        Ok(object)
    }

    fn check_pairs(&self) -> Result<(), Fault> {
        let mut rest = self.slice();
        while let Some(((name, _), later)) = rest.split_first() {
            if later.iter().any(|(other, _)| name.same(*other)) {
                return Err(duplicate(*name));
            }
            rest = later;
        }
        Ok(())
    }

    fn check_hashed(&mut self) -> Result<(), Fault> {
        let mut index = HashMap::with_capacity(self.len());
        for (at, (name, _)) in self.slice().iter().enumerate() {
            if index.insert(name.bytes(), at).is_some() {
                return Err(duplicate(*name));
            }
        }
        self.index = Some(index);
        Ok(())
    }

    fn slice(&self) -> &[Member<'a>] {
        match &self.store {
            Store::Few(members, count) => members.get(..*count).unwrap_or(&[]),
            Store::Many(members) => members,
        }
    }

    /// The value of the member with exactly this name (J3).
    pub fn get(&self, name: &str) -> Option<Raw<'a>> {
        match &self.index {
            Some(index) => self.nth(index.get(name.as_bytes())),
            None => self
                .iter()
                .find(|(n, _)| n.is(name))
                .map(|(_, value)| value),
        }
    }

    /// [`Object::get`] where `null` counts as absent.
    pub fn present(&self, name: &str) -> Option<Raw<'a>> {
        self.get(name).filter(|value| !value.is_null())
    }

    /// The value of the member with exactly this name (J3).
    pub fn get_key(&self, key: &Key) -> Option<Raw<'a>> {
        match (&self.index, key.to_str()) {
            (Some(index), _) => self.nth(index.get(key.as_bytes())),
            (None, Some(name)) => self.get(name),
            (None, None) => self
                .iter()
                .find(|(n, _)| *n.bytes() == *key.as_bytes())
                .map(|(_, value)| value),
        }
    }

    fn nth(&self, at: Option<&usize>) -> Option<Raw<'a>> {
        self.slice().get(*at?).map(|(_, value)| *value)
    }

    /// The members in text order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (Str<'a>, Raw<'a>)> + '_ {
        self.slice().iter().copied()
    }

    /// How many members there are.
    pub fn len(&self) -> usize {
        self.slice().len()
    }

    /// Is it `{}`?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl std::fmt::Debug for Object<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Object({} members)", self.len())
    }
}

fn duplicate(name: Str<'_>) -> Fault {
    Fault::Duplicate {
        at: String::new(),
        name: name.key(),
    }
}
