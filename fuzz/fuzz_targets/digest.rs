//! Any JSON value: serde_json's reading of it, written anew, has the same canonical form; as params it has the digest of its
//! parts, whether they were read before or not (S5).
#![no_main]

use libfuzzer_sys::fuzz_target;
use mrtr::json::{
    Canonical, Fault, Limits, Raw, canonicalize, params_digest_with, read_params_digest,
    request_digest,
};

fuzz_target!(|text: &str| {
    let Ok(raw) = Raw::parse(text, &Limits::default()) else {
        return;
    };
    params(text, raw);
    let mut ours = Canonical::new();
    match canonicalize(raw, &mut ours) {
        Ok(()) => {}
        Err(Fault::Duplicate { .. }) => {
            return assert!(request_digest("tools/call", None, Some(raw)).is_err());
        }
        Err(other) => panic!("{other}"),
    }
    assert!(request_digest("tools/call", None, Some(raw)).is_ok());
    let mut again = Canonical::new();
    canonicalize(raw, &mut again).expect("the same value");
    assert_eq!(ours.bytes(), again.bytes());
    // Numbers become doubles there, so only values without any are compared; lone surrogates it refuses.
    let Ok(value) = serde_json::from_str::<serde_json::Value>(text) else {
        return;
    };
    if has_number(&value) {
        return;
    }
    let other = value.to_string();
    let other = Raw::parse(&other, &Limits::default()).expect("written by serde_json");
    canonicalize(other, &mut again).expect("written by serde_json");
    assert_eq!(ours.bytes(), again.bytes());
});

fn params(text: &str, raw: Raw<'_>) {
    for target in [Some("name"), None] {
        let mut scratch = Canonical::new();
        let read = read_params_digest(&mut scratch, "m", target, text, &Limits::default());
        let again = params_digest_with(&mut scratch, "m", target, Some(raw));
        if !raw.is_null() {
            assert_eq!(read.expect("is JSON"), again.clone().ok().flatten());
            assert_eq!(again.ok().flatten(), of_parts(raw, target));
        }
    }
}

/// The digest of params, put together from their members.
fn of_parts(raw: Raw<'_>, target: Option<&str>) -> Option<[u8; 32]> {
    let all = |wanted: &str| -> Vec<Raw<'_>> {
        let members = raw.members().into_iter().flatten();
        members
            .filter(|(name, _)| name.is(wanted))
            .map(|(_, value)| value)
            .collect()
    };
    let arguments = one(all("arguments"))?;
    let target = one(target.map(all).unwrap_or_default())?;
    if !raw.is_object() || target.is_some_and(|target| target.string().is_none()) {
        return None;
    }
    request_digest("m", target.and_then(Raw::string), arguments).ok()
}

/// The value that stands there, unless it stands there twice; `null` is none.
fn one(list: Vec<Raw<'_>>) -> Option<Option<Raw<'_>>> {
    let value = list.first().copied().filter(|value| !value.is_null());
    (list.len() < 2).then_some(value)
}

fn has_number(value: &serde_json::Value) -> bool {
    match value {
        serde_json::Value::Number(_) => true,
        serde_json::Value::Array(items) => items.iter().any(has_number),
        serde_json::Value::Object(members) => members.values().any(has_number),
        _ => false,
    }
}
