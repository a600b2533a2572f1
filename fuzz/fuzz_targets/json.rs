//! Any bytes as JSON: the grammar agrees with serde_json, what was written down of a text reads like the text itself, and walking,
//! comparing and splicing never panic (J1-J5).
#![no_main]

use libfuzzer_sys::fuzz_target;
use mrtr::json::{Canonical, Index, Key, Limits, Raw, canonicalize, splice, unique};
use mrtr::protocol::{Capabilities, meta, read_result};
use serde_json::value::RawValue;

fuzz_target!(|data: &[u8]| {
    let limits = Limits {
        depth: usize::MAX,
        ..Limits::default()
    };
    let ours = Raw::parse_bytes(data, &limits).ok();
    let theirs = serde_json::from_slice::<&RawValue>(data).ok();
    assert_eq!(
        ours.map(Raw::text),
        theirs.map(|raw| raw.get().trim_ascii())
    );
    let Some(raw) = ours else { return };
    walk(raw);
    let text = std::str::from_utf8(data).expect("is JSON");
    let index = Index::read(text, &limits).expect("is JSON");
    same(index.root(text), raw);
    let canonical = canonicalize(raw, &mut Canonical::new());
    assert_eq!(canonical, unique(raw));
    let line = raw.one_line();
    assert_eq!(Raw::parse(&line, &limits).map(Raw::kind), Ok(raw.kind()));
    let spliced = splice(raw, &["a", "_meta"], &[("b", raw.text())]);
    assert!(Raw::parse(&spliced, &limits).is_ok(), "{spliced}");
    let _ = Capabilities::read(Some(raw));
    let _ = meta::check_request(Some(raw), None, &[meta::VERSION]);
    let _ = read_result("tools/call", raw, false, &[]);
});

/// Everything that can be read of both is the same.
fn same(indexed: Raw<'_>, plain: Raw<'_>) {
    let mut open = vec![(indexed, plain)];
    for _ in 0..200 {
        let Some((a, b)) = open.pop() else { return };
        assert_eq!(a, b);
        assert_eq!(unique(a), unique(b));
        let names = |raw: Raw<'_>| -> Option<Vec<String>> {
            let object = raw.object().ok()?;
            Some(
                object
                    .iter()
                    .map(|(name, _)| name.token().to_string())
                    .collect(),
            )
        };
        assert_eq!(names(a), names(b));
        let inside = |raw: Raw<'_>| {
            raw.members().into_iter().flatten().count()
                + raw.elements().into_iter().flatten().count()
        };
        assert_eq!(inside(a), inside(b));
        let members = a
            .members()
            .into_iter()
            .flatten()
            .zip(b.members().into_iter().flatten());
        open.extend(members.map(|((_, a), (_, b))| (a, b)));
        open.extend(
            a.elements()
                .into_iter()
                .flatten()
                .zip(b.elements().into_iter().flatten()),
        );
    }
}

fn walk(root: Raw<'_>) {
    let mut open = vec![root];
    // Only the outer levels: each level is scanned again for each one around it.
    for _ in 0..200 {
        let Some(raw) = open.pop() else { return };
        if let Some(string) = raw.string() {
            let key = string.key();
            assert_eq!(Key::from_wtf8(&string.bytes()), Some(key.clone()));
            let mut token = String::new();
            key.write_json(&mut token);
            let again = Raw::parse(&token, &Limits::default())
                .ok()
                .and_then(Raw::string);
            assert!(again.is_some_and(|again| again.same(string)));
        }
        if let Some(number) = raw.number() {
            let _ = (number.is_integer(), number.to_i64(), number.to_u64());
            assert!(number.compare(number).is_eq());
        }
        if let Ok(object) = raw.object() {
            for (name, value) in object.iter() {
                assert_eq!(object.get_key(&name.key()), Some(value));
            }
        }
        open.extend(raw.elements().into_iter().flatten());
        open.extend(raw.members().into_iter().flatten().map(|(_, value)| value));
    }
}
