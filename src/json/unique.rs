//! Names that stand twice, looked for in one pass over the text (J2).

use super::walk::{Listener, Token, walk};
use super::{Fault, Raw, Str};
use std::collections::HashSet;

/// Up to here names are compared in pairs, beyond it they are hashed.
const PAIRWISE: usize = 16;

/// Refuses a member that stands twice in any object of the value, with the pointer of that object (J2). One pass,
/// whatever the depth; none if it is known from reading the text.
pub fn unique(raw: Raw<'_>) -> Result<(), Fault> {
    if raw.known_unique() {
        return Ok(());
    }
    let mut finding = Finding {
        text: raw.text(),
        names: Vec::with_capacity(PAIRWISE),
        open: Vec::with_capacity(PAIRWISE),
        found: None,
    };
    walk(raw.text(), usize::MAX, &mut finding)?;
    finding.found.map_or(Ok(()), Err)
}

/// Looks for the first object that names a member twice.
struct Finding<'t> {
    text: &'t str,
    /// The names so far of all open objects.
    names: Vec<Str<'t>>,
    open: Vec<Open>,
    found: Option<Fault>,
}

struct Open {
    object: bool,
    /// First of its names.
    names: usize,
    /// Values begun in it.
    values: usize,
}

impl Finding<'_> {
    fn value(&mut self) {
        if let Some(open) = self.open.last_mut() {
            open.values += 1;
        }
    }

    /// The pointer of the innermost object. Each one further out says where in it we are.
    fn pointer(&self) -> String {
        let mut at = String::new();
        for [outer, inner] in self.open.array_windows() {
            at.push('/');
            if outer.object {
                let last = inner.names.checked_sub(1).and_then(|at| self.names.get(at));
                let name = last.map(|name| name.bytes()).unwrap_or_default();
                let step = String::from_utf8_lossy(&name);
                at.push_str(&step.replace('~', "~0").replace('/', "~1"));
            } else {
                at.push_str(&outer.values.saturating_sub(1).to_string());
            }
        }
        at
    }
}

impl Listener for Finding<'_> {
    #[inline]
    fn open(&mut self, object: bool, _at: usize) {
        self.value();
        self.open.push(Open {
            object,
            names: self.names.len(),
            values: 0,
        });
    }

    #[inline]
    fn close(&mut self, _object: bool, _end: usize) {
        let first = self.open.last().map_or(0, |open| open.names);
        if self.found.is_none()
            && let Some(name) = twice(self.names.get(first..).unwrap_or(&[]))
        {
            let (at, name) = (self.pointer(), name.key());
            self.found = Some(Fault::Duplicate { at, name });
        }
        self.open.pop();
        self.names.truncate(first);
    }

    #[inline]
    fn name(&mut self, token: Token) {
        let text = self.text.get(token.start..token.end).unwrap_or("");
        self.names.push(Str::trusted(text, token.escaped));
    }

    #[inline]
    fn string(&mut self, _token: Token) {
        self.value();
    }

    #[inline]
    fn number(&mut self, _start: usize, _end: usize) {
        self.value();
    }

    #[inline]
    fn word(&mut self, _letter: u8) {
        self.value();
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
