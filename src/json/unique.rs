//! Names that stand twice, looked for in one pass over the text (J2).

use super::{Fault, Index, Raw, Str};
use std::collections::HashSet;

/// Up to here names are compared in pairs, beyond it they are hashed.
const PAIRWISE: usize = 16;

/// Refuses a member that stands twice in any object of the value, with the pointer of that object (J2). One pass,
/// whatever the depth; none if it is known from reading the text.
pub fn unique(raw: Raw<'_>) -> Result<(), Fault> {
    if raw.known_unique() || !raw.has_values() {
        return Ok(());
    }
    let index = Index::of(raw.text())?;
    let raw = index.root(raw.text());
    if raw.known_unique() {
        return Ok(());
    }
    Err(duplicate(raw))
}

/// The first object that names a member twice, found by the marks on everything it is in.
#[cold]
fn duplicate(mut raw: Raw<'_>) -> Fault {
    let mut at = String::new();
    loop {
        let members = || raw.members().into_iter().flatten();
        let mut elements = raw.elements().into_iter().flatten().enumerate();
        if let Some((name, value)) = members().find(|(_, value)| value.known_twice()) {
            let step = String::from_utf8_lossy(&name.bytes()).replace('~', "~0");
            at.push('/');
            at.push_str(&step.replace('/', "~1"));
            raw = value;
        } else if let Some((place, value)) = elements.find(|(_, value)| value.known_twice()) {
            at.push('/');
            at.push_str(&place.to_string());
            raw = value;
        } else {
            let mut names: Vec<Str<'_>> = Vec::with_capacity(members().count());
            names.extend(members().map(|(name, _)| name));
            let name = twice(&names).unwrap_or(Str::EMPTY).key();
            return Fault::Duplicate { at, name };
        }
    }
}

/// A name that is in the list twice. Linear time.
#[inline]
pub(super) fn twice<'t>(names: &[Str<'t>]) -> Option<Str<'t>> {
    if names.len() > PAIRWISE {
        let mut seen = HashSet::with_capacity(names.len());
        return names
            .iter()
            .find(|name| !seen.insert(name.bytes()))
            .copied();
    }
    let mut rest = names;
    while let Some((name, later)) = rest.split_first() {
        if later.iter().any(|other| name.same(*other)) {
            return Some(*name);
        }
        rest = later;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Limits;

    fn pointer(text: &str) -> Option<String> {
        let raw = Raw::parse(text, &Limits::default()).expect("JSON");
        match unique(raw) {
            Ok(()) => None,
            Err(Fault::Duplicate { at, .. }) => Some(at),
            Err(other) => panic!("{other}"),
        }
    }

    #[test]
    fn names_differ_in_each_object_by_itself() {
        for text in [
            "7",
            "[]",
            r#"{"a":{"a":[{"a":1},{"a":"a"}]},"b":"a"}"#,
            r#"{"a":"a:","b":"\"a\":"}"#,
            r#"{"a" : 1 , "A":2, "":3}"#,
        ] {
            assert_eq!(pointer(text), None, "{text}");
        }
    }

    #[test]
    fn the_object_of_a_double_name_is_told() {
        for (text, at) in [
            (r#"{"a":1,"a":1}"#, ""),
            (r#"{"a":1,"b":{},"\u0061":1}"#, ""),
            (r#"{"a":[0,{"b":{"c":1,"c":2}}]}"#, "/a/1/b"),
            (r#"[{"x":1},{"x":1,"y":[],"x":1}]"#, "/1"),
        ] {
            assert_eq!(pointer(text).as_deref(), Some(at), "{text}");
        }
        let many: Vec<_> = (0..40).map(|i| format!("\"n{}\":0", i % 39)).collect();
        assert_eq!(
            pointer(&format!("{{{}}}", many.join(","))).as_deref(),
            Some("")
        );
    }
}
