//! Any bytes as JSON: the grammar agrees with serde_json, and walking, comparing and splicing never panic (J1-J5).
#![no_main]

use libfuzzer_sys::fuzz_target;
use mrtr::json::{Key, Limits, Raw, splice};
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
    let line = raw.one_line();
    assert_eq!(Raw::parse(&line, &limits).map(Raw::kind), Ok(raw.kind()));
    let spliced = splice(raw, &["a", "_meta"], &[("b", raw.text())]);
    assert!(Raw::parse(&spliced, &limits).is_ok(), "{spliced}");
    let _ = Capabilities::read(Some(raw));
    let _ = meta::check_request(Some(raw), None, &[meta::VERSION]);
    let _ = read_result("tools/call", raw, false, &[]);
});

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
