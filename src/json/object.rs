//! An object whose member names are known to differ (J2).

use super::{Fault, Key, Members, Raw, Str, unique::twice};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::OnceLock;

type Member<'a> = (Str<'a>, Raw<'a>);

/// Up to here members are looked through one by one, beyond it their names are hashed.
const FEW: usize = 16;

/// The members of an object, in text order, no decoded name twice (J2).
#[derive(Clone)]
pub struct Object<'a> {
    store: Store<'a>,
    len: usize,
}

#[derive(Clone)]
enum Store<'a> {
    /// Few members of a text that was written down: walking over them again is cheaper than keeping them.
    Walked(Members<'a>),
    /// And position by decoded name, if there are many, once one is looked for.
    Listed(Vec<Member<'a>>, OnceLock<Names<'a>>),
}

type Names<'a> = Box<HashMap<Cow<'a, [u8]>, usize>>;

impl<'a> Object<'a> {
    pub(super) fn collect(members: Members<'a>, known_unique: bool) -> Result<Object<'a>, Fault> {
        if known_unique {
            let len = members.clone().take(FEW + 1).count();
            if len <= FEW {
                let store = Store::Walked(members);
                return Ok(Object { store, len });
            }
        }
        let list = listed(members);
        let len = list.len();
        let names = OnceLock::new();
        if known_unique {
            // Nothing to look for.
        } else if len > FEW {
            let _ = names.set(hashed(&list)?); // it is empty
        } else {
            let mut few = [Str::EMPTY; FEW];
            let places = few.iter_mut().zip(&list);
            places.for_each(|(place, (name, _))| *place = *name);
            if let Some(name) = twice(few.get(..len).unwrap_or(&[])) {
                return Err(duplicate(name));
            }
        }
        let store = Store::Listed(list, names);
        Ok(Object { store, len })
    }

    /// The value of the member with exactly this name (J3).
    pub fn get(&self, name: &str) -> Option<Raw<'a>> {
        match self.hashed() {
            Some((list, names)) => nth(list, names, name.as_bytes()),
            None => self.find(|own| own.is(name)),
        }
    }

    /// [`Object::get`] where `null` counts as absent.
    pub fn present(&self, name: &str) -> Option<Raw<'a>> {
        self.get(name).filter(|value| !value.is_null())
    }

    /// The value of the member with exactly this name (J3).
    pub fn get_key(&self, key: &Key) -> Option<Raw<'a>> {
        match (self.hashed(), key.to_str()) {
            (Some((list, names)), _) => nth(list, names, key.as_bytes()),
            (None, Some(name)) => self.get(name),
            (None, None) => self.find(|own| *own.bytes() == *key.as_bytes()),
        }
    }

    /// The members and their places by name, if there are many.
    fn hashed(&self) -> Option<(&[Member<'a>], &Names<'a>)> {
        match &self.store {
            Store::Listed(list, names) if list.len() > FEW => {
                Some((list, names.get_or_init(|| hashed(list).unwrap_or_default())))
            }
            _ => None,
        }
    }

    fn find(&self, is: impl Fn(Str<'a>) -> bool) -> Option<Raw<'a>> {
        let mut members = self.iter();
        members.find(|(name, _)| is(*name)).map(|(_, value)| value)
    }

    /// The members in text order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Member<'a>> + use<'_, 'a> {
        let rest = match &self.store {
            Store::Walked(members) => Rest::Walked(members.clone()),
            Store::Listed(list, _) => Rest::Listed(list.iter()),
        };
        let left = self.len;
        Iter { rest, left }
    }

    /// How many members there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Is it `{}`?
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

struct Iter<'o, 'a> {
    rest: Rest<'o, 'a>,
    left: usize,
}

enum Rest<'o, 'a> {
    Walked(Members<'a>),
    Listed(std::slice::Iter<'o, Member<'a>>),
}

impl<'a> Iterator for Iter<'_, 'a> {
    type Item = Member<'a>;

    #[inline]
    fn next(&mut self) -> Option<Member<'a>> {
        self.left = self.left.saturating_sub(1);
        match &mut self.rest {
            Rest::Walked(members) => members.next(),
            Rest::Listed(list) => list.next().copied(),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Iter<'_, '_> {}

/// In no more space than they take: a text of nothing but names has many.
fn listed<'a>(mut members: Members<'a>) -> Vec<Member<'a>> {
    let mut list: Vec<Member<'a>> = members.by_ref().take(FEW + 1).collect();
    list.reserve_exact(members.clone().count());
    list.extend(members);
    list
}

fn hashed<'a>(list: &[Member<'a>]) -> Result<Names<'a>, Fault> {
    let mut names = Names::default();
    names.reserve(list.len());
    for (at, (name, _)) in list.iter().enumerate() {
        if names.insert(name.bytes(), at).is_some() {
            return Err(duplicate(*name));
        }
    }
    Ok(names)
}

fn nth<'a>(list: &[Member<'a>], names: &Names<'a>, name: &[u8]) -> Option<Raw<'a>> {
    list.get(*names.get(name)?).map(|(_, value)| *value)
}

impl std::fmt::Debug for Object<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Object({} members)", self.len())
    }
}

#[cold]
fn duplicate(name: Str<'_>) -> Fault {
    Fault::Duplicate {
        at: String::new(),
        name: name.key(),
    }
}
