//! Names that stand twice, looked for in one pass over the text (J2).

use super::{Canonical, Fault, Raw, Str, canonicalize, skip};
use std::collections::HashSet;

/// Up to here names are compared in pairs, beyond it they are hashed.
const PAIRWISE: usize = 16;

/// Refuses a member that stands twice in any object of the value, with the pointer of that object (J2). One pass,
/// whatever the depth.
pub fn unique(raw: Raw<'_>) -> Result<(), Fault> {
    // The canonical form refuses the same, and knows the place.
    if all_unique(raw.text()) {
        Ok(())
    } else {
        canonicalize(raw, &mut Canonical::new())
    }
}

fn all_unique(text: &str) -> bool {
    let bytes = text.as_bytes();
    // Names of the open objects, and where those of each open array or object begin.
    let mut names: Vec<Str<'_>> = Vec::with_capacity(PAIRWISE);
    let mut open: Vec<usize> = Vec::with_capacity(PAIRWISE);
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => {
                let (end, escaped) = skip::string_span(bytes, at);
                // In checked text a string before a colon is a name.
                if bytes.get(skip::space(bytes, end)) == Some(&b':') {
                    names.push(Str::trusted(text.get(at..end).unwrap_or(""), escaped));
                }
                at = end;
                continue;
            }
            b'{' | b'[' => open.push(names.len()),
            b'}' | b']' => {
                let first = open.pop().unwrap_or(0);
                if !differ(names.get(first..).unwrap_or(&[])) {
                    return false;
                }
                names.truncate(first);
            }
            _ => {}
        }
        at += 1;
    }
    true
}

fn differ(names: &[Str<'_>]) -> bool {
    if names.len() > PAIRWISE {
        let mut seen = HashSet::with_capacity(names.len());
        return names.iter().all(|name| seen.insert(name.bytes()));
    }
    let mut rest = names;
    while let Some((name, later)) = rest.split_first() {
        if later.iter().any(|other| name.same(*other)) {
            return false;
        }
        rest = later;
    }
    true
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
